"""pcap files: every magic and byte order, and damage that costs nothing before it."""

import io
import struct
from pathlib import Path

import pytest
from tests.builders import (
    MICROSECOND,
    MODIFIED,
    NANOSECOND,
    START_NS,
    Conversation,
    Packet,
    pcap,
)
from tests.reading import tshark

from streamshark.capture import Capture, PacketBatch, open_capture

PACKETS = [
    packet._replace(time_ns=packet.time_ns + 123_456_789)
    for packet in Conversation().handshake().send(0, b"abc").packets
]


def read(data: bytes) -> tuple[Capture, list[PacketBatch]]:
    """Read a capture to its end."""
    capture = open_capture(io.BytesIO(data))
    return capture, list(capture.batches())


@pytest.mark.process
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("magic", [MICROSECOND, NANOSECOND, MODIFIED])
def test_every_magic_and_order_is_read(magic: int, order: str, tmp_path: Path) -> None:
    """Times, lengths and bytes are the packets'; tshark reads the same."""
    data = pcap([PACKETS[0].cut(60), *PACKETS[1:]], magic=magic, order=order, snap_length=60)

    capture, (batch,) = read(data)

    unit = 1 if magic == NANOSECOND else 1_000
    assert batch.times == [packet.time_ns // unit * unit for packet in PACKETS]
    assert [
        batch.data[start : start + size]
        for start, size in zip(batch.starts, batch.captured, strict=True)
    ] == [packet.data for packet in PACKETS]
    assert batch.original == [packet.original for packet in PACKETS]
    assert batch.links == [1] * 4
    (interface,) = capture.interfaces
    assert (interface.link, interface.snap_length) == (1, 60)
    assert interface.resolution == (1_000_000_000 if magic == NANOSECOND else 1_000_000)
    judged = tshark(data, tmp_path, "frame.time_epoch", "frame.len")
    assert judged == [
        [f"{time // 10**9}.{time % 10**9:09}", str(size)]
        for time, size in zip(batch.times, batch.original, strict=True)
    ]


def test_the_link_type_is_the_lower_half() -> None:
    """The upper half of the field describes frame check sequences."""
    capture, _ = read(pcap(PACKETS, link=0x2400_0071))

    assert capture.interfaces[0].link == 113


def test_a_cut_file_gives_what_is_whole() -> None:
    """At any length: the whole packets, and where the cut is."""
    data = pcap(PACKETS)
    ends = [24]
    for packet in PACKETS:
        ends.append(ends[-1] + 16 + len(packet.data))

    for size in range(24, len(data)):
        capture, batches = read(data[:size])

        whole = sum(end <= size for end in ends) - 1
        assert sum(map(len, batches)) == whole
        assert (capture.damage is None) == (size in ends)
        if capture.damage:
            assert f"byte {ends[whole]} (packet {whole + 1})" in capture.damage


@pytest.mark.parametrize(("snap_length", "most"), [(65_535, 262_144), (300_000, 300_000)])
def test_an_impossible_length_is_damage(snap_length: int, most: int) -> None:
    """A record is read up to the limit; above it the rest of the file is not trusted."""
    large = Packet(START_NS, bytes(most), most)
    data = pcap([*PACKETS, large, PACKETS[0]], snap_length=snap_length)
    capture, batches = read(data)
    assert (sum(map(len, batches)), capture.damage) == (6, None)

    at = 24 + sum(16 + len(packet.data) for packet in PACKETS)
    bad = data[: at + 8] + struct.pack("<I", most + 1) + data[at + 12 :]
    capture, batches = read(bad)

    assert sum(map(len, batches)) == 4
    assert capture.damage is not None
    assert f"byte {at} (packet 5) claims {most + 1}" in capture.damage


def test_a_damaged_version_is_named_and_read_on() -> None:
    """Packets and times are those of an intact file; other damage is reported too."""
    whole = pcap(PACKETS)
    for version in ((4, 2), (512, 1024), (0, 0), (2, 4)):
        data = whole[:4] + struct.pack("<HH", *version) + whole[8:]
        capture, (batch,) = read(data)
        cut, batches = read(data[:-1])

        assert (len(batch), batch.times) == (4, read(whole)[1][0].times)
        assert sum(map(len, batches)) == 3
        assert (
            capture.damage is None
            if version == (2, 4)
            else (
                f"version {version[0]}.{version[1]}" in (capture.damage or "")
                and f"version {version[0]}.{version[1]}" in (cut.damage or "")
            )
        )
        assert "ends inside the record" in (cut.damage or "")
