"""The records of a capture are its bytes, and are merged as its packets are."""

import io
import struct

import pytest
from tests.builders import (
    MICROSECOND,
    MODIFIED,
    NANOSECOND,
    START_NS,
    STEP_NS,
    Packet,
    block,
    enhanced,
    interface,
    option,
    pcap,
    section,
    simple,
)

from streamshark.capture import Capture, open_capture
from streamshark.capture.merge import merged
from streamshark.capture.records import merged_records, reader_of


def packets(start: int, step: int, count: int = 20) -> list[Packet]:
    """Packets at regular times."""
    return [
        Packet(START_NS + (start + at * step) * STEP_NS, b"%3d" % at, 60) for at in range(count)
    ]


def opened(data: bytes, file: int = 0) -> Capture:
    """A capture of bytes."""
    return open_capture(io.BytesIO(data), file)


def mixed(order: str) -> bytes:
    """A pcapng of two sections in a byte order, with blocks of all kinds."""
    one, two, three = packets(0, 1, 3)
    comment = option(1, b"a comment", order)
    return b"".join(
        (
            section(order, comment),
            interface(1, options=option(9, b"\x06", order), order=order),
            block(4, struct.pack(f"{order}HH", 0, 0), order),
            enhanced(one, options=comment, order=order),
            simple(two, order),
            section(order),
            interface(101, order=order),
            block(10, struct.pack(f"{order}II", 0x544C534B, 4) + b"a b\n", order),
            enhanced(three, order=order),
            block(5, struct.pack(f"{order}III", 0, 0, 0), order),
            block(0xBAD, struct.pack(f"{order}I", 1) + b"custom", order),
        )
    )


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("window", [1, 100, 1 << 20])
def test_records_are_the_bytes_of_the_file(order: str, window: int) -> None:
    """Whatever the size of the window; packets have their numbers."""
    data = mixed(order)
    capture = opened(data)
    records = reader_of(capture)
    found = [
        record for each in capture.windows(window) if each is not None for record in records(each)
    ]

    assert b"".join(block(each.kind, each.body, each.order) for each in found) == data
    assert [each.packet for each in found] == [0, 0, 0, 1, 2, 0, 0, 0, 3, 0, 4]
    assert [each.time_ns for each in found if each.packet] == [
        START_NS, START_NS, START_NS + 2 * STEP_NS, START_NS + 2 * STEP_NS,
    ]  # fmt: skip


@pytest.mark.parametrize("magic", [MICROSECOND, NANOSECOND, MODIFIED])
def test_a_pcap_as_blocks(magic: int) -> None:
    """A pcap becomes a section, an interface with resolution and FCS length, and its packets."""
    data = pcap(packets(0, 1), magic=magic, link=1 | 0x24000000, snap_length=96)
    found = list(merged_records([opened(data)], None))
    copy = b"".join(block(each.kind, each.body, each.order) for each in found)
    there = opened(copy)
    (batch,) = there.batches()
    (theirs,) = opened(data).batches()

    assert there.interfaces[0].link == 1
    assert there.interfaces[0].snap_length == 96
    assert there.interfaces[0].resolution == (10**9 if magic == NANOSECOND else 10**6)
    assert option(13, b"\x20") in copy
    assert (batch.times, batch.captured, batch.original) == (
        theirs.times, theirs.captured, theirs.original,
    )  # fmt: skip


@pytest.mark.parametrize("limit", [None, 7])
def test_several_captures_are_merged_as_their_packets(limit: int | None) -> None:
    """They are merged by time; each file keeps its own order, also if its clock goes back."""
    late = packets(5, 2)
    late[3], late[9] = late[9], late[3]
    files = [pcap(packets(0, 3)), pcap(late), mixed(">"), pcap([])]

    found = merged_records([opened(each, at) for at, each in enumerate(files)], limit)
    wanted = merged([opened(each, at) for at, each in enumerate(files)], limit)

    assert [(each.file, each.packet) for each in found if each.packet] == [
        (batch.file, batch.first + at) for batch in wanted for at in range(len(batch))
    ]
