"""A session joins the stages: rows in order, every byte accounted for, files read as one."""

import io
import itertools
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import Conversation, Packet, pcap
from tests.framing.parcel_protocol import SPOKEN, TICKS, WIRE, parcel, send, signed

from streamshark.capture import open_capture
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.flows.tcp import HOLE_PACKETS
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session

PROTOCOLS = (Protocol("Parcels", "A card.", WIRE), Protocol("Spoken", "A card.", SPOKEN))


def talk(
    port: int = 40_000, start_ns: int = 1_700_000_000_000_000_000, first: int = 1000
) -> Conversation:
    """Return a connection with a few requests and answers."""
    ends = ("10.0.0.1", port), ("10.0.0.2", 7777)
    made = Conversation(*ends, sequences=(first, 9000), start_ns=start_ns).handshake()
    for number in range(5):
        made.send(0, send(number, b"street " * number, b"a", b"bb"))
        made.send(1, signed(number) + TICKS)
    return made


def session(folder: Path, *files: list[Packet], **options: object) -> Session:
    """Return a session over captures of these packets."""
    names = []
    for index, packets in enumerate(files):
        path = folder / f"{index}.pcap"
        path.write_bytes(pcap(packets))
        names.append(str(path))
    return Session(names, protocols=PROTOCOLS, **options)  # type: ignore[arg-type]


def told(rows: list[Row]) -> list[tuple[object, ...]]:
    """Return the text of rows without packet numbers."""
    return [
        (row.number, row.sender, row.offset, row.name, row.values, len(row.problems))
        if isinstance(row, FrameRow)
        else (row.name, row.sender, row.offset, row.fields if isinstance(row, EventRow) else {})
        for row in rows
        if isinstance(row, (FrameRow, EventRow))
    ]


def frames(rows: list[Row]) -> list[tuple[object, ...]]:
    """Return the frames of each side."""
    return sorted(
        ((row.side, row.offset, row.data) for row in rows if isinstance(row, FrameRow)), key=str
    )


def test_frames_and_events_come_in_order(tmp_path: Path) -> None:
    """The rows are an open, fifteen frames and two closes, numbered from 1."""
    made = talk().finish(0).finish(1)
    rows = list(session(tmp_path, made.packets).rows())

    assert [row.name for row in rows if isinstance(row, EventRow)] == ["open", "close", "close"]
    assert [row.number for row in rows if isinstance(row, FrameRow)] == list(range(1, 16))
    assert rows == sorted(rows, key=lambda row: row.order)


def test_an_idle_connection_does_not_disturb_the_order(tmp_path: Path) -> None:
    """Rows keep their order while they wait for a connection that is not recognised yet."""
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


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from([1, 3, 100, 1448]))
def test_shuffled_and_repeated_packets_give_the_same_frames(
    tmp_path_factory: pytest.TempPathFactory, seed: int, size: int
) -> None:
    """The bytes of a connection have the order of TCP, whatever the order of packets."""
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
    """Files of a ring in any order give the rows of the whole, with each file's packet numbers."""
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
    """Files that are cut anywhere give the rows of the whole, whatever their names."""
    packets = talk().finish(0).finish(1).packets
    edges = [0, *sorted(min(size, len(packets) - 1) for size in sizes), len(packets)]
    parts = [packets[start:end] for start, end in itertools.pairwise(edges)]
    folder = tmp_path_factory.mktemp("ring")
    whole = list(session(folder, packets).rows())
    ring = session(folder, *(parts[at] for at in order))

    assert told(list(ring.rows())) == told(whole)
    assert ring.dissector.tracker.counters.packets == len(packets)


def test_files_that_overlap_bring_each_byte_once(tmp_path: Path) -> None:
    """Files that share packets, or two interfaces with the same ones, give each byte once."""
    packets = talk().finish(0).finish(1).packets
    whole = list(session(tmp_path, packets).rows())
    elsewhere = [
        each._replace(data=b"\x0a" * 12 + each.data[12:], time_ns=each.time_ns + 700)
        for each in packets
    ]

    for files in ((packets[:9], packets[5:]), (packets[5:], packets[:9]), (packets, elsewhere)):
        reading = session(tmp_path, *files)
        assert told(list(reading.rows())) == told(whole)
        flow = reading.dissector.tracker.flows[0]
        assert flow.copies > 0
        assert flow.repeated == 0
        assert flow.payload == reading.dissector.totals().framed + flow.copied


def test_times_that_go_backwards_lose_nothing(tmp_path: Path) -> None:
    """If the clock was set back, every frame has a row, a number and the time of its packet."""
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
    """The limit counts packets of all files, as tshark's -c does."""
    packets = talk().packets
    rows = list(session(tmp_path, packets[:5], packets[5:], limit=6).rows())

    assert max(row.order[:3] for row in rows)[1:] == (1, 1)


def test_live_rows_do_not_wait_for_long(tmp_path: Path) -> None:
    """Another connection holds rows back for a second of capture time at most."""
    quiet = Conversation(("10.0.0.9", 50_000), ("10.0.0.2", 7777)).handshake()
    later = talk(start_ns=1_700_000_005_000_000_000)
    reading = session(tmp_path, [*quiet.packets, *later.packets], live=True)
    list(reading.rows())

    assert reading.frames == 15


def test_live_rows_do_not_wait_for_another_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are held back come after a second, also if no further packet comes."""
    quiet = Conversation(("10.0.0.9", 50_000), ("10.0.0.2", 7777)).handshake()
    quiet.send(0, b"\1")
    later = talk()
    reading, writing = os.pipe()
    os.write(writing, pcap([*quiet.packets, *later.packets]))
    monkeypatch.setattr("streamshark.session.IDLE", 0.001)
    monkeypatch.setattr("streamshark.row_order.LONGEST_HELD_NS", 50_000_000)
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        rows = Session(["-"], protocols=PROTOCOLS, live=True).rows()
        found = [next(rows) for _ in range(15)]

    assert sum(isinstance(row, FrameRow) for row in found) > 0


@settings(max_examples=60)
@given(st.binary(max_size=200), st.integers(0, 2**32))
def test_nothing_raises_on_spoilt_captures(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, seed: int
) -> None:
    """Damaged packets give rows, and the bytes still add up."""
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
    """The other side decides the protocol; an earlier frame that waited still comes first."""
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
    """A frame of an idle connection that never ended comes at the end, as do later connections."""
    idle = Conversation(("10.0.0.1", 40_009), ("10.0.0.2", 7777)).handshake()
    idle.send(0, TICKS * 2 + send()[:9])
    later = talk(start_ns=1_700_000_000_500_000_000)
    rows = list(session(tmp_path, [*idle.packets, *later.packets]).rows())

    assert rows == sorted(rows, key=lambda row: row.order)
    assert "partial" in [row.name for row in rows[-3:] if isinstance(row, EventRow)]


def test_captures_read_one_after_the_other(tmp_path: Path) -> None:
    """Captures that are added later continue the earlier ones, and the end comes once."""
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
