"""A session joins the stages: rows in order, every byte accounted for, files as one."""

import gc
import io
import itertools
import os
import random
import weakref
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import Conversation, Packet, pcap
from tests.framing.parcel_protocol import SPOKEN, TICKS, WIRE, parcel, send, signed
from tests.madeup import parrot_traffic

from streamshark.capture import open_capture
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.findings.user_rules import UserRules
from streamshark.flows.tcp import HOLE_PACKETS
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session, answers_of

PROTOCOLS = (Protocol("Parcels", "A card.", WIRE), Protocol("Spoken", "A card.", SPOKEN))


def talk(
    port: int = 40_000, start_ns: int = 1_700_000_000_000_000_000, first: int = 1000
) -> Conversation:
    """A connection with a few requests and answers."""
    ends = ("10.0.0.1", port), ("10.0.0.2", 7777)
    made = Conversation(*ends, sequences=(first, 9000), start_ns=start_ns).handshake()
    for number in range(5):
        made.send(0, send(number, b"street " * number, b"a", b"bb"))
        made.send(1, signed(number) + TICKS)
    return made


def session(folder: Path, *files: list[Packet], **options: object) -> Session:
    """A session over captures of these packets."""
    names = []
    for index, packets in enumerate(files):
        path = folder / f"{index}.pcap"
        path.write_bytes(pcap(packets))
        names.append(str(path))
    return Session(names, protocols=PROTOCOLS, **options)  # type: ignore[arg-type]


def told(rows: list[Row]) -> list[tuple[object, ...]]:
    """What rows say, packets left out."""
    return [
        (row.number, row.sender, row.offset, row.name, row.values, len(row.problems))
        if isinstance(row, FrameRow)
        else (row.name, row.sender, row.offset, row.fields if isinstance(row, EventRow) else {})
        for row in rows
        if isinstance(row, (FrameRow, EventRow))
    ]


def frames(rows: list[Row]) -> list[tuple[object, ...]]:
    """Frames alone, side by side."""
    return sorted(
        ((row.side, row.offset, row.data) for row in rows if isinstance(row, FrameRow)), key=str
    )


def test_frames_and_events_come_in_order(tmp_path: Path) -> None:
    """Open, fifteen frames, two closes; numbers run from 1."""
    made = talk().finish(0).finish(1)
    rows = list(session(tmp_path, made.packets).rows())

    assert [row.name for row in rows if isinstance(row, EventRow)] == ["open", "close", "close"]
    assert [row.number for row in rows if isinstance(row, FrameRow)] == list(range(1, 16))
    assert rows == sorted(rows, key=lambda row: row.order)


def test_an_idle_connection_does_not_disturb_the_order(tmp_path: Path) -> None:
    """Rows wait for the connection that may turn out to be ours."""
    quiet = Conversation(("10.0.0.9", 50_000), ("10.0.0.2", 7777)).handshake()
    packets = [*quiet.packets, *talk(start_ns=1_700_000_000_500_000_000).packets]
    late = Conversation(
        ("10.0.0.9", 50_000), ("10.0.0.2", 7777), start_ns=1_700_000_001_000_000_000
    )
    late.next = list(quiet.next)
    packets += late.send(0, TICKS * 2).packets
    rows = list(session(tmp_path, packets).rows())

    assert rows == sorted(rows, key=lambda row: row.order)
    assert rows[0].connection.flow.number == 0


def test_every_byte_of_ours_is_framed_or_skipped(tmp_path: Path) -> None:
    """The totals add up to the payload."""
    made = talk()
    made.send(0, b"\x55" * 33 + send(9))
    made.send(0, TICKS * 3)
    reading = session(tmp_path, made.packets)
    list(reading.rows())
    totals = reading.totals()

    assert totals.skipped is not None
    assert totals.framed + sum(totals.skipped.values()) == reading.tracker.flows[0].payload
    assert sum(totals.skipped.values()) == 33


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from([1, 3, 100, 1448]))
def test_shuffled_and_repeated_packets_give_the_same_frames(
    tmp_path_factory: pytest.TempPathFactory, seed: int, size: int
) -> None:
    """TCP's order is restored whatever the capture's."""
    source = random.Random(seed)  # noqa: S311 - not for secrets
    made = Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    for number in range(4):
        made.send(0, send(number, b"x" * source.randrange(60)), size)
    plain = list(made.packets)
    mixed = plain[:3] + _shuffled(plain[3:], source)
    folder = tmp_path_factory.mktemp("mixed")
    expected = list(session(folder, plain).rows())

    assert frames(list(session(folder, mixed).rows())) == frames(expected)


def _shuffled(packets: list[Packet], source: random.Random) -> list[Packet]:
    out = [each for each in packets for _ in range(1 + (source.random() < 0.2))]
    for at in range(len(out) - 3):
        other = at + source.randrange(3)
        out[at], out[other] = out[other], out[at]
    return out


def test_several_files_are_one_session(tmp_path: Path) -> None:
    """A ring of files in any order gives the rows of the whole, with each file's packet numbers."""
    packets = talk().finish(0).packets
    whole = list(session(tmp_path, packets).rows())
    ring = list(session(tmp_path, packets[9:], packets[:9]).rows())

    assert told(ring) == told(whole)
    assert {row.file for row in ring} == {0, 1}
    assert ring[0].packet == 1


@given(st.permutations(range(4)), st.lists(st.integers(1, 30), min_size=3, max_size=3))
@settings(max_examples=20)
def test_a_ring_may_be_given_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], sizes: list[int]
) -> None:
    """Cut anywhere, whatever the names say: the rows of the whole."""
    packets = talk().finish(0).finish(1).packets
    edges = [0, *sorted(min(size, len(packets) - 1) for size in sizes), len(packets)]
    parts = [packets[start:end] for start, end in itertools.pairwise(edges)]
    folder = tmp_path_factory.mktemp("ring")
    whole = list(session(folder, packets).rows())
    ring = session(folder, *(parts[at] for at in order))

    assert told(list(ring.rows())) == told(whole)
    assert ring.tracker.counters.packets == len(packets)


def test_files_that_overlap_bring_each_byte_once(tmp_path: Path) -> None:
    """A ring whose files share packets, and two interfaces that saw the same ones."""
    packets = talk().finish(0).finish(1).packets
    whole = list(session(tmp_path, packets).rows())
    elsewhere = [
        each._replace(data=b"\x0a" * 12 + each.data[12:], time_ns=each.time_ns + 700)
        for each in packets
    ]

    for files in ((packets[:9], packets[5:]), (packets[5:], packets[:9]), (packets, elsewhere)):
        reading = session(tmp_path, *files)
        assert told(list(reading.rows())) == told(whole)
        flow = reading.tracker.flows[0]
        assert flow.copies > 0
        assert flow.repeated == 0
        assert flow.payload == reading.totals().framed + flow.copied


def test_times_that_go_backwards_lose_nothing(tmp_path: Path) -> None:
    """A clock that was set back: every frame is there, numbered, with the time of its packet."""
    packets = talk().finish(0).finish(1).packets
    back = [
        each._replace(time_ns=each.time_ns - 3_600_000_000_000) if at > 7 else each
        for at, each in enumerate(packets)
    ]
    rows = list(session(tmp_path, back).rows())

    assert [row.packet for row in rows] == sorted(row.packet for row in rows)
    assert frames(rows) == frames(list(session(tmp_path, packets).rows()))
    assert [row.number for row in rows if isinstance(row, FrameRow)] == list(range(1, 16))
    assert {row.time_ns == back[row.packet - 1].time_ns for row in rows} == {True}


def test_a_limit_counts_packets(tmp_path: Path) -> None:
    """As tshark's -c does, over all files."""
    packets = talk().packets
    rows = list(session(tmp_path, packets[:5], packets[5:], limit=6).rows())

    assert max(row.order[:3] for row in rows)[1:] == (1, 1)


def test_what_is_not_ours_is_named(tmp_path: Path) -> None:
    """A connection without frames makes no rows and is listed."""
    made = Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"GET / HTTP/1.1\r\n\r\n")
    made.send(1, b"HTTP/1.1 200 OK\r\n\r\n")
    reading = session(tmp_path, made.packets)

    assert list(reading.rows()) == []
    assert [each.addresses[1] for each in reading.unrecognised] == ["10.0.0.2:80"]


def test_a_port_can_be_forced(tmp_path: Path) -> None:
    """`-d tcp.port==80,parcels` reads anything as parcels."""
    made = Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"LETTERS!" + bytes(9))
    rows = list(session(tmp_path, made.packets, decode_as={80: "parcels"}).rows())

    assert [row.name for row in rows if isinstance(row, EventRow)] == ["open"]
    assert isinstance(rows[1], FrameRow)
    assert rows[1].problems[0].code.word == "foreign"
    assert rows[1].data == b"LETTERS!" + bytes(9)


def test_the_wrong_protocol_on_our_port_is_told(tmp_path: Path) -> None:
    """Once, as a problem; the answer of our protocol, or none, changes nothing about that."""
    made = Conversation(server=("10.0.0.2", 7777)).handshake().send(0, b"LETTERS! from afar")
    made.finish(1).finish(0)
    reading = session(tmp_path, made.packets)
    rows = list(reading.rows())

    assert [row.name for row in rows] == ["open", None, "close", "close"]
    assert isinstance(rows[1], FrameRow)
    assert rows[1].problems[0].message == "these bytes are the letters protocol"
    assert reading.unrecognised == []


def test_garbage_stands_where_it_came(tmp_path: Path) -> None:
    """At the packet with its first byte, with all that brought it, before what came after that."""
    made = Conversation(server=("10.0.0.2", 7777)).handshake()
    made.send(0, send() + signed() + TICKS).send(1, signed() + TICKS * 3)
    for _ in range(3):
        made.send(0, b"\x55" * 40)
    garbage = range(made.packets.index(made.packets[-3]) + 1, len(made.packets) + 1)
    made.send(1, TICKS).send(1, TICKS)
    made.finish(0).finish(1)
    other = talk(start_ns=made.packets[0].time_ns + 1)
    alone = session(tmp_path, made.packets)
    rows = list(alone.rows())
    found = [row for row in rows if isinstance(row, EventRow) and row.name == "resync"]

    assert [(row.packet, list(row.packets), row.fields["skipped"]) for row in found] == [
        (garbage[0], list(garbage), 120)
    ]
    assert [row.packet for row in rows] == sorted(row.packet for row in rows)
    assert rows.index(found[0]) < len(rows) - 4

    merged = sorted([*made.packets, *other.packets], key=lambda each: each.time_ns)
    both = list(session(tmp_path, merged).rows())
    place = next(row for row in both if isinstance(row, EventRow) and row.name == "resync")
    assert merged[place.packet - 1] is made.packets[garbage[0] - 1]
    assert [row.order for row in both] == sorted(row.order for row in both)


def test_garbage_without_end_is_told_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others wait for a second of a live capture, no longer; what goes on makes another row."""
    monkeypatch.setattr("streamshark.capture.merge.MOST_PACKETS", 2)
    made = Conversation(server=("10.0.0.2", 7777)).handshake()
    made.send(0, send() + TICKS * 4).send(1, signed() + TICKS * 4)
    quiet = len(made.packets)
    for _ in range(12):
        made.send(0, b"\x55" * 40).send(1, TICKS)
    packets = [
        each._replace(time_ns=each.time_ns + max(0, at - quiet + 1) * 200_000_000)
        for at, each in enumerate(made.packets)
    ]
    rows = list(session(tmp_path, packets, live=True).rows())
    found = [row for row in rows if isinstance(row, EventRow) and row.name == "resync"]

    assert sum(row.fields["skipped"] for row in found) == 480
    assert len(found) > 2
    assert found[0].packet == quiet + 1
    assert [row.order for row in rows] == sorted(row.order for row in rows)


def test_a_proxy_preamble_is_told_and_passed(tmp_path: Path) -> None:
    """An event with the addresses it tells, then the frames from the first on."""
    made = Conversation(server=("10.0.0.2", 7777)).handshake()
    made.send(0, b"PROXY TCP4 192.0.2.7 192.0.2.1 5 7777\r\n" + send()).send(1, signed())
    rows = list(session(tmp_path, made.packets).rows())

    assert [row.name for row in rows] == ["open", "resync", "send", "send_response"]
    assert isinstance(rows[1], EventRow)
    assert rows[1].fields["reason"].endswith("192.0.2.7:5 -> 192.0.2.1:7777")
    assert rows[1].fields["skipped"] == 39


def test_unknown_names_are_the_users_mistake(tmp_path: Path) -> None:
    """Protocol and dialect are checked before anything is read."""
    packets = talk().packets
    with pytest.raises(StreamsharkError, match="unknown protocol 'fish'"):
        session(tmp_path, packets, decode_as={1: "fish"})
    with pytest.raises(StreamsharkError, match="no dialect"):
        session(tmp_path, packets, dialects={"parcels": "old"})


def test_live_rows_do_not_wait_for_long(tmp_path: Path) -> None:
    """A second of capture time is the longest that another connection holds rows back."""
    quiet = Conversation(("10.0.0.9", 50_000), ("10.0.0.2", 7777)).handshake()
    later = talk(start_ns=1_700_000_005_000_000_000)
    reading = session(tmp_path, [*quiet.packets, *later.packets], live=True)
    list(reading.rows())

    assert reading.frames == 15


@settings(max_examples=60)
@given(st.binary(max_size=200), st.integers(0, 2**32))
def test_nothing_raises_on_spoilt_captures(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, seed: int
) -> None:
    """Any packets give rows; what is cut up still adds up."""
    source = random.Random(seed)  # noqa: S311 - not for secrets
    made = talk()
    made.send(0, noise + parcel(77) + send(5))
    packets = [
        each._replace(data=_spoilt(each.data, source)) if source.random() < 0.3 else each
        for each in made.packets
        if source.random() < 0.9
    ]
    reading = session(tmp_path_factory.mktemp("spoilt"), packets)
    rows = list(reading.rows())

    assert rows == sorted(rows, key=lambda row: row.order)


def _spoilt(data: bytes, source: random.Random) -> bytes:
    at = source.randrange(len(data))
    return data[:at] + bytes([source.randrange(256)]) + data[at + 1 :]


def test_a_side_out_of_step_when_its_connection_is_decided_keeps_the_order(tmp_path: Path) -> None:
    """The other side decides; a frame before that, not yet settled, still comes first."""
    made = Conversation(("10.0.0.1", 40_001), ("10.0.0.2", 7777)).handshake()
    lost = len(made.packets)
    made.send(0, b"x" * 20).send(0, TICKS)
    for _ in range(HOLE_PACKETS + 1):
        made.acknowledge(1)
    made.send(1, signed())
    del made.packets[lost]
    later = talk(start_ns=1_700_000_000_500_000_000)
    rows = list(session(tmp_path, [*made.packets, *later.packets]).rows())

    assert rows == sorted(rows, key=lambda row: row.order)
    assert {row.connection.flow.number for row in rows} == {0, 1}


def test_what_only_the_end_tells_comes_at_the_end(tmp_path: Path) -> None:
    """A frame of an idle connection that never ended, and what later connections said."""
    idle = Conversation(("10.0.0.1", 40_009), ("10.0.0.2", 7777)).handshake()
    idle.send(0, TICKS * 2 + send()[:9])
    later = talk(start_ns=1_700_000_000_500_000_000)
    rows = list(session(tmp_path, [*idle.packets, *later.packets]).rows())

    assert rows == sorted(rows, key=lambda row: row.order)
    assert "partial" in [row.name for row in rows[-3:] if isinstance(row, EventRow)]


def test_analysis_of_a_protocol_from_elsewhere(tmp_path: Path) -> None:
    """A folder on a path brings its own tables and rules."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    made.send(0, parrot_traffic.login())
    made.send(0, parrot_traffic.say())
    made.send(1, parrot_traffic.said(code=1))
    made.send(1, parrot_traffic.feed())
    path = parrot_traffic.write(tmp_path, made)
    analysis = parrot_traffic.session(path).analysis(rules=True, conversations=True)
    rows = [row for row in analysis.rows() if isinstance(row, FrameRow)]
    answer = rows[2]

    assert (answer.annotation.conversation, answer.annotation.request_frame) == ("0-2-call", 2)
    assert dict(answer.annotation.context) == {"user": "ara"}
    assert [(each.type, each.state) for each in analysis.ended()] == [
        ("call", "failed"), ("flock", "open"), ("connection", "open"),
    ]  # fmt: skip
    assert [(each.rule, each.frames, each.message) for each in analysis.findings()] == [
        ("PRT-1", (2, 3), "hello is 1 (too_loud)"),
    ]  # fmt: skip
    assert analysis.capped == {}

    again, ready = parrot_traffic.session(path).analysis(rules=True, tells=False), []
    batches = list(again.batches(ready.append))
    given = [row.order for part in batches for row in part if isinstance(row, FrameRow)]
    assert given == [row.order for row in rows]
    assert ([each.rule for each in again.findings()], ready) == (["PRT-1"], [])


def test_thresholds_and_silence(tmp_path: Path) -> None:
    """Users give other values to constants, and silence rules."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    for each in (parrot_traffic.login(), parrot_traffic.squawk(), parrot_traffic.squawk()):
        made.send(0, each)
    made.send(1, parrot_traffic.squawk())
    made.send(0, parrot_traffic.squawk())
    path = parrot_traffic.write(tmp_path, made)

    def found(thresholds: dict[str, Any], *silenced: str) -> list[str]:
        tables = UserRules(thresholds={"parrot_talk": thresholds}).tables(
            "parrot_talk", parrot_traffic.PROTOCOL.conversations
        )
        protocols = (replace(parrot_traffic.PROTOCOL, conversations=tables),)
        session = Session([path], protocols=protocols)
        analysis = session.analysis(rules=True, silenced=frozenset(silenced))
        for _ in analysis.rows():
            pass
        return [each.message for each in analysis.findings()]

    hungry = {"HUNGRY": "2 ms"}
    assert found({}) == []
    assert found(hungry) == ["ara was not fed for 2 ms"]
    assert found(hungry, "PRT-2") == []


def test_a_second_reading_knows_the_answers(tmp_path: Path) -> None:
    """A request has the frame that answers it."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    known = answers_of(parrot_traffic.session(path))
    rows = parrot_traffic.session(path).analysis(answers=known).rows()
    told = {row.number: row.annotation.response_frame for row in rows if isinstance(row, FrameRow)}

    assert known.frames
    assert {number: answer for number, answer in told.items() if answer} == known.frames


def test_captures_read_one_after_the_other(tmp_path: Path) -> None:
    """What is added later goes on where the captures before it ended, and the end comes once."""
    packets = talk().packets[:-3]
    whole = list(session(tmp_path, packets).rows())
    for cut in range(1, len(packets)):
        paths = [tmp_path / "first.pcap", tmp_path / "second.pcap"]
        for path, part in zip(paths, (packets[:cut], packets[cut:]), strict=True):
            path.write_bytes(pcap(part))
        joined = Session([str(paths[0])], protocols=PROTOCOLS)
        rows = list(joined.read())
        joined.captures.append(open_capture(str(paths[1]), 1))
        rows += [*joined.read(), *joined.finish()]
        assert list(map(_told, rows)) == list(map(_told, whole))


def _told(row: Row) -> tuple[int, int, int, object]:
    number = row.number if isinstance(row, FrameRow) else None
    return row.time_ns, row.side, row.offset, number


# Connections that have ended


def visitors(count: int, end: str = "finish") -> list[Packet]:
    """Connections one after the other, from few ports: the latest ones are used again and again."""
    packets: list[Packet] = []
    for number in range(count):
        start_ns = 1_700_000_000_000_000_000 + number * 1_000_000_000
        made = talk(40_000 + number % 7, start_ns, number << 16)
        again = made.packets[-1]
        if end == "finish":
            made.finish(0).finish(1).acknowledge(0)
        elif end == "reset":
            made.reset(1)
        packets += [*made.packets, again._replace(time_ns=made.time_ns)]
    return packets


@pytest.mark.parametrize("end", ["finish", "reset", "silence"])
def test_connections_that_were_let_go_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """The same rows, numbers and sums, with late copies of packets and ports used again."""
    packets = visitors(30, end)
    whole = session(tmp_path, packets)
    rows = told(list(whole.rows()))
    monkeypatch.setattr("streamshark.session.MOST_OVER", 2)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 4096)
    frugal = session(tmp_path, packets)

    assert told(list(frugal.rows())) == rows
    assert frugal.totals() == whole.totals()
    assert frugal.spoken == whole.spoken == {("parcels", None): 30}
    assert frugal.recognised == whole.recognised == list(range(30))
    assert list(frugal.tracker.flows) == list(whole.tracker.flows)
    assert [frugal.client(number) for number in range(30)] == [0] * 30
    assert len(frugal.connections) < 10 < len(whole.connections)


def kept_of(packets: list[Packet], folder: Path, read: Callable[[Session], object]) -> Counter[str]:
    """How many objects of each kind of ours are kept once packets were read."""
    reading = session(folder, packets)
    seen = read(reading)
    gc.collect()
    kinds = [type(each) for each in gc.get_objects()]
    assert seen is not None
    ours = (each for each in kinds if str(each.__module__).startswith("streamshark"))
    return Counter(each.__qualname__ for each in ours)


@pytest.mark.parametrize("end", ["finish", "reset", "silence"])
@pytest.mark.parametrize("judged", [False, True])
def test_what_is_kept_does_not_grow_with_the_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, *, judged: bool
) -> None:
    """As many objects behind a hundred connections as behind thirty."""
    monkeypatch.setattr("streamshark.session.MOST_OVER", 2)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 4096)

    def read(reading: Session) -> object:
        if not judged:
            deque(reading.rows(), maxlen=0)
            return reading
        analysis = reading.analysis(rules=True, conversations=True)
        for _ in analysis.batches(lambda _row: None):
            analysis.ended(), analysis.findings()
        return analysis

    few = kept_of(visitors(30, end), tmp_path, read)
    many = kept_of(visitors(100, end), tmp_path, read)

    assert few["Flow"] > 0
    assert {kind: count for kind, count in many.items() if count > few[kind] + 9} == {}


def test_ended_connections_are_given_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing stands in a ring: the collector has nothing to do."""
    monkeypatch.setattr("streamshark.session.MOST_OVER", 0)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 4096)
    reading = session(tmp_path, visitors(60))
    analysis = reading.analysis(rules=True)
    gc.collect()
    gc.disable()
    try:
        known = [
            weakref.ref(rows[0].connection) for rows in analysis.batches(lambda _row: None) if rows
        ]
    finally:
        gc.enable()

    assert len(known) > 5
    assert len({id(each()) for each in known if each() is not None}) < 3


def test_foreign_connections_that_were_let_go_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to a number of them; others are counted."""
    monkeypatch.setattr("streamshark.session.MOST_OVER", 1)
    monkeypatch.setattr("streamshark.session.MOST_FOREIGN", 3)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 1024)
    packets = []
    for number in range(9):
        made = Conversation(
            ("10.0.0.1", 2000 + number), ("10.0.0.2", 80), start_ns=(1 + number) * 10**9
        )
        packets += made.handshake().send(0, b"GET / HTTP/1.1\r\n" * 9).reset(1).packets
    reading = session(tmp_path, packets)

    assert [row for row in reading.rows() if isinstance(row, FrameRow)] == []
    assert [each.flow for each in reading.unrecognised][:3] == [0, 1, 2]
    assert all(each.payload == 144 for each in reading.unrecognised)
    told = 9 - len(reading.unrecognised)
    assert told > 0
    assert reading.notes == [
        f"{told} more connections that nothing recognised are not told one by one"
    ]
    assert reading.spoken == {}


def test_a_silent_source_lets_timers_fire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a packet, after as much time as has passed; a file has no clock but its packets'."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    for each in (parrot_traffic.login(), parrot_traffic.squawk()):
        made.send(0, each)
    made.send(1, parrot_traffic.squawk())
    path = Path(parrot_traffic.write(tmp_path, made))
    reading, writing = os.pipe()
    os.write(writing, path.read_bytes())
    clock = itertools.count(0, 3600 * 1_000_000_000)
    monkeypatch.setattr("streamshark.session.time.monotonic_ns", lambda: next(clock))
    monkeypatch.setattr("streamshark.session.IDLE", 0.001)
    heard = []
    with os.fdopen(reading, "rb") as stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        followed = Session(["-"], protocols=(parrot_traffic.PROTOCOL,), live=True)
        analysis = followed.analysis(rules=True, follow=True)
        for _ in analysis.batches(lambda _row: None):
            analysis.tick()
            heard += [(each.change.value, each.finding.rule) for each in analysis.news()]
            if heard and writing >= 0:
                os.close(writing)
                writing = -1
    file = parrot_traffic.session(str(path)).analysis(rules=True)
    for _ in file.rows():
        pass

    assert heard == [("new", "PRT-2")]
    assert file.findings() == []
