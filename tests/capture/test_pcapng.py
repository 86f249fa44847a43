"""pcapng files: sections, interfaces, all packet blocks, notes, and damage."""

import io
import struct
from itertools import accumulate
from pathlib import Path

import pytest
from tests.builders import (
    Conversation,
    block,
    enhanced,
    interface,
    obsolete,
    option,
    pcapng,
    section,
    simple,
)
from tests.failures import every
from tests.reading import tshark

from streamshark.capture import (
    Capture,
    Comment,
    InterfaceStatistics,
    OtherBlock,
    PacketBatch,
    Secrets,
    open_capture,
)
from streamshark.capture.capture import MOST_INTERFACES, NOTE_COST

PACKETS = Conversation().handshake().send(0, b"abc").packets


def read(data: bytes) -> tuple[Capture, list[PacketBatch]]:
    """Read a capture to its end."""
    capture = open_capture(io.BytesIO(data))
    return capture, list(capture.batches())


@pytest.mark.process
def test_sections_of_either_byte_order(tmp_path: Path) -> None:
    """Interfaces begin anew in each section; packets are numbered through."""
    parts = []
    for order in "<>":
        parts += [section(order), interface(1, order=order), interface(113, order=order)]
        parts += [enhanced(PACKETS[0], 1, order=order), enhanced(PACKETS[1], order=order)]

    capture, (batch,) = read(b"".join(parts))

    assert batch.links == [113, 1, 113, 1]
    assert batch.times == [PACKETS[0].time_ns, PACKETS[1].time_ns] * 2
    assert [one.section for one in capture.interfaces] == [0, 0, 1, 1]
    judged = tshark(b"".join(parts), tmp_path, "frame.number", "frame.cap_len")
    assert judged == [[str(n + 1), str(size)] for n, size in enumerate(batch.captured)]


@pytest.mark.parametrize(
    ("resolution", "units", "offset", "expected"),
    [
        (b"\x06", 1_700_000_000_000_001, 0, 1_700_000_000_000_001_000),
        (b"\x09", 1_700_000_000_000_000_001, 0, 1_700_000_000_000_000_001),
        (b"\x03", 1_700_000_000_001, 0, 1_700_000_000_001_000_000),
        (b"\x0c", 1_700_000_999_999, 5, 6_700_000_999),
        (b"\x94", 3 << 19, 0, 1_500_000_000),
        (b"\x80", 7, -2, 5_000_000_000),
        (b"\x00", 7, 0, 7_000_000_000),
    ],
)
def test_time_resolutions_and_offsets(
    resolution: bytes, units: int, offset: int, expected: int
) -> None:
    """Powers of ten and of two, finer than a nanosecond too, and seconds to add."""
    options = option(9, resolution) + option(14, struct.pack("<q", offset)) + option(0, b"")
    data = section() + interface(options=options) + enhanced(PACKETS[0], units=units)

    _, (batch,) = read(data)

    assert batch.times == [expected]


@pytest.mark.process
def test_simple_and_obsolete_packets(tmp_path: Path) -> None:
    """Simple ones are cut at the snap length and have the time of the packet before."""
    data = section() + interface(snap_length=60) + obsolete(PACKETS[3]) + simple(PACKETS[3].cut(60))
    data += section() + interface(snap_length=0) + simple(PACKETS[0])

    _, (batch,) = read(data)

    size = len(PACKETS[3].data)
    assert batch.captured == [size, min(60, size), len(PACKETS[0].data)]
    assert batch.original == [size, size, len(PACKETS[0].data)]
    assert batch.times == [PACKETS[3].time_ns] * 3
    judged = tshark(data, tmp_path, "frame.cap_len", "frame.len")
    assert judged == [[str(c), str(o)] for c, o in zip(batch.captured, batch.original, strict=True)]


def test_notes_are_kept_where_they_stand() -> None:
    """Comments, secrets and unknown blocks are kept in their order."""
    comment = option(1, "naïve".encode()) + option(1, b"second\0") + option(0, b"")
    name = option(2, b"eth0") + option(3, b"uplink")
    parts = [
        section(options=comment),
        interface(options=name + comment),
        enhanced(PACKETS[0], options=option(2, bytes(4)) + comment),
        obsolete(PACKETS[0], options=comment),
        block(10, struct.pack("<II", 0x544C534B, 5) + b"TOKEN"),
        block(0x77, b"unknown!"),
        enhanced(PACKETS[1]),
    ]
    offsets = [sum(map(len, parts[:at])) for at in range(len(parts))]

    capture, _ = read(b"".join(parts))

    assert capture.comments == [
        Comment(kind, number, text, offsets[at])
        for kind, number, at in (
            ("section", 0, 0),
            ("interface", 0, 1),
            ("packet", 1, 2),
            ("packet", 2, 3),
        )
        for text in ("naïve", "second")
    ]
    assert capture.secrets == [Secrets(0x544C534B, offsets[4], b"TOKEN")]
    assert capture.blocks == [OtherBlock(0x77, offsets[5], b"unknown!")]
    assert (capture.interfaces[0].name, capture.interfaces[0].description) == ("eth0", "uplink")
    assert capture.dropped == 0


def test_kept_notes_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes over the limit are counted."""
    monkeypatch.setattr("streamshark.capture.capture.KEPT_BYTES", 50 + NOTE_COST)

    capture, _ = read(section() + block(0x77, bytes(20)) * 3)

    assert (len(capture.blocks), capture.dropped) == (1, 2)


def test_empty_notes_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty notes count too, since they need memory."""
    most = 1000
    monkeypatch.setattr("streamshark.capture.capture.KEPT_BYTES", most * NOTE_COST)
    empty = block(0x77, b"") + section(options=option(1, b"")) + interface()
    notes, batches = read(section() + empty * (most + 10) + enhanced(PACKETS[0]))

    assert len(notes.comments) == len(notes.interfaces) == most
    assert most * 0.9 < len(notes.blocks) < most  # 12 bytes of each are kept
    assert notes.dropped == 3 * (most + 10) - 2 * most - len(notes.blocks)
    assert sum(map(len, batches)) == 1


def test_interfaces_have_a_limit() -> None:
    """Packets on the interfaces that are kept are all read."""
    known = enhanced(PACKETS[0], MOST_INTERFACES - 1)
    capture, batches = read(section() + interface() * (MOST_INTERFACES + 10) + known * 2)

    assert (len(capture.interfaces), capture.dropped) == (MOST_INTERFACES, 10)
    assert sum(map(len, batches)) == 2
    assert capture.damage is None


@pytest.mark.process
def test_blocks_that_wireshark_counts_take_a_number(tmp_path: Path) -> None:
    """Wireshark numbers journal entries and custom blocks, so later packets keep its numbers."""
    custom = struct.pack("<I", 32_473) + b"data"
    data = section() + interface() + enhanced(PACKETS[0])
    data += block(9, b"__REALTIME_TIMESTAMP=1\n") + block(0xBAD, custom) + block(0x77, b"x")
    data += block(0x40000BAD, custom) + enhanced(PACKETS[1])

    _, (batch,) = read(data)

    assert batch.links == [1, -1, -1, -1, 1]
    assert len(tshark(data, tmp_path, "frame.number")) == len(batch)


def test_malformed_options_end_quietly() -> None:
    """An option that is longer than its block ends the options without an error."""
    data = section() + interface(options=struct.pack("<HH", 1, 99)) + enhanced(PACKETS[0])

    capture, (batch,) = read(data)

    assert (capture.comments, len(batch), capture.damage) == ([], 1, None)


WHOLE = section() + interface() + enhanced(PACKETS[0])


def test_a_cut_file_gives_what_is_whole() -> None:
    """At any length: the whole packets, and that there is a cut."""
    data = pcapng(PACKETS)
    at = len(section() + interface())
    ends = [28, *accumulate((len(enhanced(packet)) for packet in PACKETS), initial=at)]

    for size in range(28, len(data) + 1):
        capture, batches = read(data[:size])

        assert sum(map(len, batches)) == sum(end <= size for end in ends[2:])
        assert (capture.damage is None) == (size in ends)


def lengths(head: int, tail: int) -> bytes:
    """Make a block with these lengths."""
    return struct.pack("<II", 0x77, head) + bytes(8) + struct.pack("<I", tail)


CORRUPT = {
    "too short": (lengths(8, 8), "length 8"),
    "not a multiple of four": (lengths(21, 21), "length 21"),
    "too long": (lengths(0x7FFF_FFF0, 20), "length 2147483632"),
    "lengths differ": (lengths(20, 24), "two lengths differ"),
    "short packet": (block(6, bytes(16)), "length 28"),
    "no such interface": (enhanced(PACKETS[0], 1), "on interface 1 of 1"),
    "no such interface, obsolete": (obsolete(PACKETS[0], 1), "on interface 1 of 1"),
    "more captured than there": (
        block(6, struct.pack("<IIIII", 0, 0, 0, 99, 99) + bytes(8)),
        "claims 99 captured bytes",
    ),
    "more captured than there, obsolete": (
        block(2, struct.pack("<HHIIII", 0, 0, 0, 0, 99, 99) + bytes(8)),
        "claims 99 captured bytes",
    ),
    "more than possible": (
        block(6, struct.pack("<IIIII", 0, 0, 0, 300_000, 300_000) + bytes(300_000)),
        "claims 300000 captured bytes",
    ),
    "more than possible, obsolete": (
        block(2, struct.pack("<HHIIII", 0, 0, 0, 0, 300_000, 300_000) + bytes(300_000)),
        "claims 300000 captured bytes",
    ),
    "section without order": (block(0x0A0D0D0A, bytes(16)), "without a byte-order magic"),
}


@every(("bad", "reason"), CORRUPT.values(), ids=CORRUPT.keys())
def test_a_corrupt_block_is_damage(bad: bytes, reason: str) -> None:
    """Packets before the block are read, and the damage has its reason and place."""
    capture, (batch,) = read(WHOLE + bad + enhanced(PACKETS[1]))

    assert len(batch) == 1
    assert capture.damage is not None
    assert reason in capture.damage
    assert f"at byte {len(WHOLE)} (after packet 1)" in capture.damage


def test_a_simple_packet_without_interface_is_damage() -> None:
    """Without an interface the link type is unknown."""
    capture, batches = read(section() + simple(PACKETS[0]))

    assert batches == []
    assert capture.damage is not None


@pytest.mark.parametrize("order", "<>")
def test_what_was_dropped(order: str) -> None:
    """The latest count of each interface is used; a missing one is None."""

    def statistics(number: int, *counts: tuple[int, int]) -> bytes:
        options = b"".join(
            option(code, struct.pack(f"{order}Q", value), order) for code, value in counts
        )
        return block(5, struct.pack(f"{order}III", number, 0, 0) + options, order)

    data = section(order) + interface(order=order) + interface(order=order)
    data += statistics(1, (4, 9), (5, 1)) + statistics(1, (4, 10), (5, 3), (7, 2))
    data += statistics(0) + statistics(7, (4, 1))

    capture, batches = read(data)

    assert batches == []
    assert capture.damage is None
    assert capture.statistics == {
        1: InterfaceStatistics(1, 10, 3, 2),
        0: InterfaceStatistics(0, None, None, None),
    }
