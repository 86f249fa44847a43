"""The records of captures as they are in the file: packets, and the blocks between them.

Records of pcap are given as the pcapng blocks that say the same.
"""

import heapq
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from streamshark.capture.capture import Capture, Interface, RecordWindow
from streamshark.capture.merge import WINDOW
from streamshark.capture.packet import PacketBatch
from streamshark.capture.pcap import PcapCapture
from streamshark.capture.pcapng import (
    BYTE_ORDER_MAGIC,
    COUNTED,
    ENHANCED_PACKET,
    PACKET,
    SECTION_HEADER,
    SIMPLE_PACKET,
)
from streamshark.capture.pcapng_writer import PcapngWriter

HEAD = 8
"""Bytes of a block before its body: type and length."""
FOOT = 4
PACKETS = COUNTED | {ENHANCED_PACKET, PACKET, SIMPLE_PACKET}
"""Types of blocks that take a packet number."""

_LITTLE = BYTE_ORDER_MAGIC.to_bytes(4, "little")
_HEADS = {order: struct.Struct(f"{order}II").unpack_from for order in "<>"}


class CaptureRecord(NamedTuple):
    """One block of a capture."""

    file: int
    kind: int
    """Type of the block."""
    order: str
    """Byte order of its section, `<` or `>`."""
    body: bytes
    """What is between its two lengths."""
    time_ns: int
    """Time of the packet, or of the packet before."""
    packet: int
    """Number of the packet in its file, 1-based; 0 for a block of another kind."""
    batch: PacketBatch
    """The packets of the window."""

    @property
    def at(self) -> int:
        """Index of the packet in the batch."""
        return self.packet - self.batch.first


Reader = Callable[[RecordWindow], Iterator[CaptureRecord]]


def reader_of(capture: Capture) -> Reader:
    """Return the function that gives the records of each window of a capture, in order."""
    return PcapRecords(capture).of if isinstance(capture, PcapCapture) else PcapngRecords().of


def merged_records(captures: Iterable[Capture], limit: int | None) -> Iterator[CaptureRecord]:
    """Yield the records of captures, at most so many packets, in order of time as `merge.merged`.

    Blocks that are no packets follow the packet before them.
    """
    left = limit
    for record in heapq.merge(*map(_records, captures), key=lambda each: (each.time_ns, each.file)):
        if left is not None and record.packet:
            if not left:
                return
            left -= 1
        yield record


def _records(capture: Capture) -> Iterator[CaptureRecord]:
    records = reader_of(capture)
    for window in capture.windows(WINDOW):
        if window is not None:
            yield from records(window)


class PcapngRecords:
    """The blocks of a pcapng file."""

    def __init__(self) -> None:
        self._order = "<"
        self._time_ns = 0

    def of(self, window: RecordWindow) -> Iterator[CaptureRecord]:
        """Yield the blocks of the next window."""
        data, at, end, batch = window
        packet = batch.first - 1
        if not self._time_ns and batch.times:
            self._time_ns = batch.times[0]
        while at < end:
            if data[at : at + 4] == SECTION_HEADER.to_bytes(4, "big"):
                self._order = "<" if data[at + 8 : at + 12] == _LITTLE else ">"
            kind, size = _HEADS[self._order](data, at)
            number = 0
            if kind in PACKETS:
                packet += 1
                number = packet
                self._time_ns = batch.times[packet - batch.first]
            body = data[at + HEAD : at + size - FOOT]
            yield CaptureRecord(batch.file, kind, self._order, body, self._time_ns, number, batch)
            at += size


class PcapRecords:
    """The packets of a pcap file, as blocks."""

    def __init__(self, capture: PcapCapture) -> None:
        self._interface: Interface = capture.interfaces[0]
        self._fcs_bits = capture.fcs_bits
        self._writer: PcapngWriter | None = None

    def of(self, window: RecordWindow) -> Iterator[CaptureRecord]:
        """Yield the packets of the next window, a section and an interface before the first."""
        batch = window.batch
        if self._writer is None:
            self._writer = PcapngWriter()
            one = self._interface
            first_ns = batch.times[0] if batch.times else 0
            for block in (
                self._writer.section(),
                self._writer.interface(
                    one.link, one.snap_length, one.resolution, fcs_bits=self._fcs_bits
                ),
            ):
                yield _record(block, first_ns, 0, batch)
        for at, (time_ns, start, captured) in enumerate(
            zip(batch.times, batch.starts, batch.captured, strict=True)
        ):
            data = batch.data[start : start + captured]
            block = self._writer.packet(time_ns, data, original=batch.original[at])
            yield _record(block, time_ns, batch.first + at, batch)


def _record(block: bytes, time_ns: int, packet: int, batch: PacketBatch) -> CaptureRecord:
    """Return a block that `PcapngWriter` has made."""
    kind = int.from_bytes(block[:4], "little")
    return CaptureRecord(batch.file, kind, "<", block[HEAD:-FOOT], time_ns, packet, batch)
