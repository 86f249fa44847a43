"""IP reassembly.

Memory is bounded as in a host: by time, by bytes, and by the size of a datagram. Of two copies of a
byte the first to arrive is kept; if they differ, the datagram is counted. Incomplete datagrams are
no error: their fragments were counted on arrival. Spec: RFC 791, section 3.2; RFC 8200, section
4.5.
"""

from collections.abc import Sequence
from typing import NamedTuple

from streamshark.flows.out_of_order import PIECE_COST, OutOfOrder, Piece

FRAGMENTS_NS = 60_000_000_000
"""Capture time for which a datagram may stay incomplete: RFC 8200's 60 s; Linux has 30 for IPv4."""

HELD_FRAGMENTS = 4 << 20
"""Cost of all fragments held: Linux's net.ipv4.ipfrag_high_thresh."""

LARGEST_DATAGRAM = 65_535
"""Bytes of one IP payload at most (RFC 791, section 3.1; RFC 8200, section 4.5)."""


MOST_PACKETS = 8192
"""Most packets of one datagram that are remembered: fragments of 8 bytes fill the largest."""

PacketNumber = tuple[int, int]
"""File and number of a packet."""


class Fragment(NamedTuple):
    """Part of an IP payload."""

    key: bytes
    """Value that the fragments of one datagram share: addresses, identification, for IPv4 the
    protocol."""
    protocol: int
    """Protocol of the datagram; for IPv6 the next header, valid in the first fragment."""
    start: int
    """Offset of its first byte in the datagram's payload."""
    length: int
    """Bytes on the wire."""
    is_last: bool
    data: bytes
    """The captured bytes; fewer than `length` where the snap length cut them off."""
    addresses: bytes
    depth: int
    """Number of tunnels around it."""


class Datagram(NamedTuple):
    """A reassembled payload."""

    protocol: int
    data: bytes
    """The payload up to the first byte that the snap length cut off."""
    length: int
    """The payload's length on the wire."""
    parts: int
    """Number of fragments."""
    packets: Sequence[PacketNumber]
    """The packets that brought them."""


class JoinedDatagram(NamedTuple):
    """A reassembled datagram between two addresses."""

    addresses: bytes
    """Source and destination."""
    datagram: Datagram


class _Pending:
    """A datagram of which some fragments have arrived."""

    def __init__(self, since_ns: int) -> None:
        self.since_ns = since_ns
        self.backlog = OutOfOrder()
        self.protocol = -1
        """Protocol of the first fragment; -1 before it arrived."""
        self.total = LARGEST_DATAGRAM
        """Length of the whole, as far as known."""
        self.end = 0
        """End of the furthest fragment."""
        self.covered = 0
        """Bytes that have arrived."""
        self.cut = LARGEST_DATAGRAM
        """Offset of the first byte that the snap length cut off."""
        self.parts = 0
        self.packets: list[PacketNumber] = []
        self.differs = False
        """Whether fragments differ at the same offset."""

    def add(self, fragment: Fragment) -> Datagram | None:
        """Add a fragment that fits; return the datagram if it is complete, else None."""
        start, end = fragment.start, fragment.start + fragment.length
        captured = fragment.data[: fragment.length]
        if len(captured) < fragment.length:
            self.cut = min(self.cut, start + len(captured))
        # Bytes that were cut off are filled with zeros.
        data = captured.ljust(fragment.length, b"\0")
        self.covered += fragment.length
        piece = Piece(start, end, data, 0, 0, 0, 0, 0, is_payload=False)
        if self.cut == LARGEST_DATAGRAM and not self.differs:
            self.differs = self.backlog.contradicts(piece)
        self.covered -= self.backlog.insert(piece)
        self.end = max(self.end, end)
        self.parts += 1
        if not start:
            self.protocol = fragment.protocol
        if fragment.is_last:
            self.total = end
        if self.covered < self.total or self.protocol < 0:
            return None
        content = b"".join(piece.data for piece in self.backlog.take(0))
        return Datagram(self.protocol, content[: self.cut], self.total, self.parts, self.packets)

    def fits(self, fragment: Fragment) -> bool:
        """Return whether a fragment is consistent with the others about the datagram's end."""
        end = fragment.start + fragment.length
        return self.end <= end if fragment.is_last else end <= self.total


class IncompleteDatagrams:
    """The incomplete datagrams, oldest first."""

    def __init__(self) -> None:
        self.held = 0
        """Cost of all fragments."""
        self.differing = 0
        """Datagrams whose fragments differ at the same offset."""
        self._pending: dict[bytes, _Pending] = {}

    def add(
        self, fragment: Fragment, now_ns: int, packets: Sequence[PacketNumber] = ()
    ) -> Datagram | None:
        """Add a fragment; return the datagram if it is complete, else None.

        Args:
            fragment: The fragment.
            now_ns: Its time.
            packets: The packets that brought it: several if it was in fragments itself.
        """
        self._forget(now_ns)
        key = fragment.key
        pending = self._pending.get(key)
        if pending is None:
            pending = self._pending[key] = _Pending(now_ns)
            self.held += PIECE_COST
        if not pending.fits(fragment):
            self._drop(key)
            return None
        pending.packets += packets[: MOST_PACKETS - len(pending.packets)]
        before, differed = pending.backlog.size, pending.differs
        whole = pending.add(fragment)
        self.differing += pending.differs and not differed
        self.held += pending.backlog.size - before
        if whole is not None:
            self._drop(key)
        return whole

    def _drop(self, key: bytes) -> None:
        self.held -= self._pending.pop(key).backlog.size + PIECE_COST

    def _forget(self, now_ns: int) -> None:
        """Drop datagrams that are too old, and the oldest while they cost too much."""
        while self._pending:
            key = next(iter(self._pending))
            age = now_ns - self._pending[key].since_ns
            if age < FRAGMENTS_NS and self.held < HELD_FRAGMENTS:
                break
            self._drop(key)
