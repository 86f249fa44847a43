"""Items over several frames are reassembled in the last one, up to a limit, not over lost bytes."""

from collections.abc import Iterable

import pytest
from tests.failures import every
from tests.protocols.pravega.traffic import framed, record, rows, text

from streamshark.dissection import reassembly
from streamshark.dissection.row import FrameRow
from streamshark.dissection.spanning_items import OpenItems
from streamshark.framing.wire_format import SpanningItem
from streamshark.protocols.pravega import PROTOCOL

RUN = PROTOCOL.wire.run
assert RUN is not None
EVENTS = [record(0, bytes([65 + at]) * (at * 7)) for at in range(6)]
STORED = b"".join(EVENTS)


def read(offset: int, data: bytes, segment: str = "s") -> tuple[int, bytes]:
    """SEGMENT_READ, by the server."""
    body = text(segment) + offset.to_bytes(8) + bytes(2) + len(data).to_bytes(4) + data
    return 1, framed(10, body + bytes(8))


def reads(sizes: Iterable[int], data: bytes = STORED) -> list[FrameRow]:
    """Reads of these sizes, one after the other, and one of the rest."""
    out, at = [], 0
    for size in (*sizes, len(data)):
        out.append(read(at, data[at : at + size]))
        at += size
    return rows(*out)


@every("first", range(0, len(STORED) + 1, 3))
@every("second", [0, 1, 5, 8, 9, 40])
def test_however_reads_cut_them_all_events_come_once(first: int, second: int) -> None:
    """In their order; what a read completes stands with it."""
    found = b""
    for row in reads((first, second)):
        if row.piece:
            found += (row.reassembled or {}).get("data", b"")
        else:
            found += row.values["data"]

    assert found == STORED


def test_whole_events_are_read_by_themselves() -> None:
    """A read that is cut nowhere is no piece."""
    (row, _) = reads((len(STORED),))

    assert (row.piece, row.whole, row.complete) == (0, None, True)


def test_an_event_over_three_reads() -> None:
    """The last one has it; the numbers of all three are told."""
    found = reads((len(EVENTS[0]) + 3, 2, 4))
    for number, row in enumerate(found, 1):
        row.give(number)
    first, second, third, last = found

    assert first.reassembled == {"data": EVENTS[0]}
    assert (second.complete, second.reassembled) == (False, None)
    assert (third.complete, third.reassembled) == (False, None)
    assert last.reassembled == {"data": STORED[len(EVENTS[0]) :]}
    assert first.whole is not None
    assert last.whole is not None
    assert first.whole.frames == [1]
    assert (last.whole.frames, last.whole.count) == ([1, 2, 3, 4], 4)


def test_plain_bytes_are_left() -> None:
    """Bytes of no item stay bytes, whatever follows an item."""
    for data in (b"plain bytes", EVENTS[1] + b"plain", b"ab", record(1, b"x"), record(-1, b"x")):
        first, second = reads((len(data),), data + b"")[:2]
        assert (first.piece, second.piece) == (0, 0)


def test_what_goes_on_otherwise_is_told() -> None:
    """An item that is whole, and then no other one."""
    begin = record(0, b"abc") + record(0, b"abcdef")[:10]
    first, second = rows(read(0, begin), read(len(begin), b"cdefxx???"))

    assert first.reassembled == {"data": record(0, b"abc")}
    assert second.whole is not None
    assert second.whole.reason == "its continuation is not an item"


def test_other_segments_and_places_are_other_runs() -> None:
    """Only the read that continues at the end of the last one completes the item."""
    begin = EVENTS[3][:10]
    first, other, elsewhere, late = rows(
        read(0, begin), read(10, EVENTS[3][10:], "t"), read(11, b"?"), read(10, EVENTS[3][10:])
    )

    assert first.whole is not None
    assert first.whole.reason == "the bytes after it are not in the capture"
    assert [each.piece for each in (other, elsewhere, late)] == [0, 0, 0]


def test_empty_reads_change_nothing() -> None:
    """Reads that waited at the tail in vain."""
    begin = EVENTS[3][:10]
    *_, last = rows(read(0, begin), read(10, b""), read(10, EVENTS[3][10:]))

    assert last.reassembled == {"data": EVENTS[3]}


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one item, and of how many are open."""
    monkeypatch.setattr(reassembly, "MOST_BYTES", 20)
    first, second = rows(read(0, record(0, bytes(30))[:15]), read(15, bytes(10)))

    assert first.whole is second.whole
    assert second.whole is not None
    assert second.whole.reason == "its fragments exceed 20 bytes"


def test_lengths_that_no_item_has() -> None:
    """Negative ones, and those above the most."""
    run = SpanningItem(command="c", by="b", position="p", part="d", begins=b"\0\0", most=9)

    assert run.items(b"") == 0
    assert run.items(b"\0\0\0\0\0\1x\0") == 7
    assert run.items(b"\0\0\0\0\0\x0a") is None
    assert run.items(b"\0\0\xff\xff\xff\xff") is None
    assert run.items(b"\0\1") is None
    assert OpenItems(run, reassembly.ReassemblyPool()).run is run
