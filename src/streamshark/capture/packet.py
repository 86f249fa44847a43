"""Batches of packets, as `capture` yields them.

A batch is plain columns over one window of bytes, because one object per packet costs more than all
other processing of a packet. Nothing here interprets a packet's bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

NO_FLOW = -1
"""Flow number of a packet that belongs to no connection."""


@dataclass(slots=True)
class PacketBatch:
    """Packets of one file in order: columns of equal length over one window of bytes.

    They are consecutive, unless `numbers` says which they are.
    """

    file: int
    """Index of the file in the session, 0-based."""
    first: int
    """Number of the first packet of the batch, 1-based in its file, as Wireshark counts."""
    data: bytes
    """The bytes that contain the packets."""
    times: list[int] = field(default_factory=list)
    """Capture time of each packet in ns since the epoch."""
    starts: list[int] = field(default_factory=list)
    """Offset in `data` of each packet's first captured byte."""
    captured: list[int] = field(default_factory=list)
    """Captured bytes of each packet."""
    original: list[int] = field(default_factory=list)
    """Bytes of each packet on the wire; more than `captured` if the snap length cut it."""
    links: list[int] = field(default_factory=list)
    """Link type of each packet (LINKTYPE_ number of the pcap registry); -1 for a pcapng block that
    Wireshark numbers like a packet although it is not one."""
    base: int | None = None
    """Offset of `data` in the file, so that a packet can be read again; None where that is not
    possible: the file is compressed, or the source is no file."""
    numbers: list[int] | None = None
    """Numbers of the packets in their file; None if they are consecutive."""

    @property
    def packets(self) -> Sequence[int]:
        """Numbers of the packets in their file."""
        return self.numbers or range(self.first, self.first + len(self.times))

    def place(self, packet: int) -> int:
        """Return the place in the batch of a packet, given its number."""
        return packet - self.first if self.numbers is None else self.numbers.index(packet)

    def __len__(self) -> int:
        return len(self.times)
