"""Connections are recognised, and each of their bytes is in a frame or counted as skipped."""

from collections import Counter
from pathlib import Path

import pytest
from tests.builders import Conversation, pcap
from tests.framing.parcel_protocol import TICKS, send, signed
from tests.test_session import PROTOCOLS, session, talk

from streamshark.capture import open_capture
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.dissector import Dissector, KnownProtocols
from streamshark.errors import StreamsharkError


def test_every_byte_of_ours_is_framed_or_skipped(tmp_path: Path) -> None:
    """The bytes of frames and of skipped ranges add up to the payload."""
    made = talk()
    made.send(0, b"\x55" * 33 + send(9))
    made.send(0, TICKS * 3)
    reading = session(tmp_path, made.packets)
    list(reading.rows())
    totals = reading.dissector.totals()

    assert totals.skipped is not None
    assert (
        totals.framed + sum(totals.skipped.values()) == reading.dissector.tracker.flows[0].payload
    )
    assert sum(totals.skipped.values()) == 33


def test_what_is_not_ours_is_named(tmp_path: Path) -> None:
    """A connection without frames has no rows and is listed as unrecognised."""
    made = Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"GET / HTTP/1.1\r\n\r\n")
    made.send(1, b"HTTP/1.1 200 OK\r\n\r\n")
    reading = session(tmp_path, made.packets)

    assert list(reading.rows()) == []
    assert [each.addresses[1] for each in reading.dissector.unrecognised] == ["10.0.0.2:80"]


def test_a_port_can_be_forced(tmp_path: Path) -> None:
    """`-d tcp.port==80,parcels` reads any bytes as parcels."""
    made = Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"LETTERS!" + bytes(9))
    rows = list(session(tmp_path, made.packets, decode_as={80: "parcels"}).rows())

    assert [row.name for row in rows if isinstance(row, EventRow)] == ["open"]
    assert isinstance(rows[1], FrameRow)
    assert rows[1].problems[0].code.word == "foreign"
    assert rows[1].data == b"LETTERS!" + bytes(9)


def test_the_wrong_protocol_on_our_port_is_told(tmp_path: Path) -> None:
    """The problem is reported once; an answer in our protocol, or none, does not change that."""
    made = Conversation(server=("10.0.0.2", 7777)).handshake().send(0, b"LETTERS! from afar")
    made.finish(1).finish(0)
    reading = session(tmp_path, made.packets)
    rows = list(reading.rows())

    assert [row.name for row in rows] == ["open", None, "close", "close"]
    assert isinstance(rows[1], FrameRow)
    assert rows[1].problems[0].message == "these bytes are the letters protocol"
    assert reading.dissector.unrecognised == []


def test_garbage_stands_where_it_came(tmp_path: Path) -> None:
    """The row has the packet of the first skipped byte, and precedes the rows of later bytes."""
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
    """A live reading reports skipped bytes after a second at most; later ones make another row."""
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
    """The preamble is an event with its addresses; frames follow from the first byte on."""
    made = Conversation(server=("10.0.0.2", 7777)).handshake()
    made.send(0, b"PROXY TCP4 192.0.2.7 192.0.2.1 5 7777\r\n" + send()).send(1, signed())
    rows = list(session(tmp_path, made.packets).rows())

    assert [row.name for row in rows] == ["open", "resync", "send", "send_response"]
    assert isinstance(rows[1], EventRow)
    assert rows[1].fields["reason"].endswith("192.0.2.7:5 -> 192.0.2.1:7777")
    assert rows[1].fields["skipped"] == 39


def test_unknown_names_are_the_users_mistake(tmp_path: Path) -> None:
    """An unknown protocol or dialect is an error before anything is read."""
    packets = talk().packets
    with pytest.raises(StreamsharkError, match="unknown protocol 'fish'"):
        session(tmp_path, packets, decode_as={1: "fish"})
    with pytest.raises(StreamsharkError, match="no dialect"):
        session(tmp_path, packets, dialects={"parcels": "old"})


def test_a_connection_that_is_not_wanted_has_no_rows(tmp_path: Path) -> None:
    """A connection that the user excludes is recognised and has no rows."""
    packets = [*talk(40_000).packets, *talk(40_001, 1_700_000_001_000_000_000).packets]
    path = tmp_path / "two.pcap"
    path.write_bytes(pcap(packets))
    known = KnownProtocols.of(PROTOCOLS)
    made = {
        "all": Dissector(known),
        "the second": Dissector(known, follows=lambda each: each.flow.number == 1),
    }
    found = {}
    for name, dissector in made.items():
        rows: list[Row] = []
        with open_capture(str(path)) as capture:
            for batch in capture.batches():
                rows += dissector.feed(batch)
        rows += dissector.finish((0, 0, 0))
        flows = Counter(row.connection.flow.number for row in rows if isinstance(row, FrameRow))
        found[name] = dict(flows)

    assert found == {
        "all": {0: 15, 1: 15},
        "the second": {1: 15},
    }


def test_a_dissector_goes_on_from_the_state_of_another(tmp_path: Path) -> None:
    """A second dissector continues at any packet from the state of the first."""
    packets = talk().packets
    paths = [tmp_path / "first.pcap", tmp_path / "second.pcap"]
    known = KnownProtocols.of(PROTOCOLS)
    counts = set()
    for cut in range(1, len(packets), 3):
        count, state = 0, None
        for path, part in zip(paths, (packets[:cut], packets[cut:]), strict=True):
            path.write_bytes(pcap(part))
            dissector = Dissector(known)
            if state is not None:
                dissector.resume(state, ())
            with open_capture(str(path)) as capture:
                for batch in capture.batches():
                    count += sum(isinstance(row, FrameRow) for row in dissector.feed(batch))
            state = dissector.state()
        counts.add(count)

    assert counts == {15}
