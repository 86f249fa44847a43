"""Recognise duplicate packets: the same packet, captured twice.

A capture on `any`, two taps, or a mirrored port bring one packet several times; a retransmission is
another packet with the same bytes. They are distinguished where that can be proved: a duplicate has
the same TCP segment bit for bit (except for its checksum, which a network card may fill in
between), soon after, and

- the same IPv4 identification, not 0: a sender gives a retransmission another one; or
- without one (IPv6, or 0), another link header, hop limit or file: it was captured elsewhere.

Everything else counts as repeated by the sender. Duplicates are searched only when bytes repeat,
among the packets just before, so that traffic without repeats costs nothing.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from streamshark.capture.packet import PacketBatch
from streamshark.flows.ip import TcpHeader

COPY_NS = 100_000_000
"""Most capture time between duplicates: half of Linux's smallest retransmission timeout."""
LOOKBACK = 64
"""Most packets that are searched: a duplicate follows soon in the order of time."""
LOOKBACK_BYTES = 256 * 1024
"""Most bytes that are searched, and kept of earlier batches."""

_COMPARED = 16
"""Bytes of the TCP header before the checksum: ports, numbers, flags, window."""
_REST = 18
"""Offset after the checksum: urgent pointer, options, payload."""
_IPV4_ADDRESSES = 8


class Duplicates:
    """The last packets, for comparison."""

    def __init__(self) -> None:
        self._recent: deque[PacketBatch] = deque()
        self._packets = 0

    def add(self, batch: PacketBatch) -> None:
        """Keep the end of a batch that was read."""
        first = _first(batch, len(batch), LOOKBACK)
        if first == len(batch):
            return
        begin, end = batch.starts[first], batch.starts[-1] + batch.captured[-1]
        tail = PacketBatch(
            batch.file, batch.first + first, batch.data[begin:end],
            times=batch.times[first:],
            starts=[start - begin for start in batch.starts[first:]],
            captured=batch.captured[first:],
        )  # fmt: skip
        self._recent.append(tail)
        self._packets += len(tail)
        while self._packets - len(self._recent[0]) >= LOOKBACK:
            self._packets -= len(self._recent.popleft())

    def has(self, batch: PacketBatch, at: int, found: TcpHeader) -> bool:
        """Return whether the packet `at` of a batch, whose TCP header was found, is a duplicate."""
        addresses = found.key[:-4]
        mine = _Sight(batch, at, found.header, len(addresses))
        if found.data is not batch.data or mine.identity[2:] != addresses:
            return False  # reassembled from fragments; or with options between IP and TCP
        size = min(found.end, found.captured_end) - found.header
        left = LOOKBACK
        for other, end in [(batch, at), *((each, len(each)) for each in reversed(self._recent))]:
            first = _first(other, end, left)
            left -= end - first
            if first < end and any(
                mine.is_same(each, size) for each in mine.like(other, first, end)
            ):
                return True
        return False


def _first(batch: PacketBatch, end: int, most: int) -> int:
    """Return the first of at most so many packets before `end` that are not too far back."""
    first = max(end - most, 0)
    if end:
        last = batch.starts[end - 1] + batch.captured[end - 1]
        while first < end and last - batch.starts[first] > LOOKBACK_BYTES:
            first += 1
    return first


class _Sight(NamedTuple):
    """One packet as it was captured at one place."""

    batch: PacketBatch
    at: int
    header: int
    """Offset of the TCP header."""
    width: int
    """Bytes of the two addresses before it."""

    def like(self, batch: PacketBatch, first: int, end: int) -> Iterator["_Sight"]:
        """Yield the packets of `[first, end)` with the same ports, numbers, flags and window."""
        head = self.batch.data[self.header : self.header + _COMPARED]
        begin, until = batch.starts[first], batch.starts[end - 1] + batch.captured[end - 1]
        while (header := batch.data.rfind(head, begin, until)) >= 0:
            at = bisect_right(batch.starts, header) - 1
            yield self._replace(batch=batch, at=at, header=header)
            until = header + _COMPARED - 1

    def is_same(self, other: "_Sight", size: int) -> bool:
        """Return whether another capture, with a similar TCP header, is of the same packet.

        Args:
            other: The other capture.
            size: Bytes of this one's TCP segment, header and payload.
        """
        if abs(self.time_ns - other.time_ns) > COPY_NS:
            return False
        if self.segment(size) != other.segment(size) or self.identity != other.identity:
            return False
        return any(self.identity[:2]) or self.place != other.place

    @property
    def time_ns(self) -> int:
        """Its capture time."""
        return self.batch.times[self.at]

    def segment(self, size: int) -> bytes:
        """Return the bytes after the checksum of a TCP segment of `size` bytes."""
        return self.batch.data[self.header + _REST : self.header + size]

    @property
    def network(self) -> int:
        """Offset of the IP header, if nothing is between it and TCP."""
        return self.header - (20 if self.width == _IPV4_ADDRESSES else 40)

    @property
    def identity(self) -> bytes:
        """The IPv4 identification (0 in IPv6) and the addresses."""
        data, network = self.batch.data, self.network
        ident = data[network + 4 : network + 6] if self.width == _IPV4_ADDRESSES else b"\0\0"
        return ident + data[self.header - self.width : self.header]

    @property
    def place(self) -> tuple[int, bytes, int]:
        """Place of the capture: file, link header, hop limit."""
        data, network = self.batch.data, self.network
        hops = data[network + (8 if self.width == _IPV4_ADDRESSES else 7)]
        return self.batch.file, data[self.batch.starts[self.at] : network], hops
