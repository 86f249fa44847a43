"""IP fragments put together again.

Memory is bounded as a host bounds it: by time, by bytes, and by what one datagram can have. Of two
copies of a byte the first to come stays; where they differ, the datagram is counted. Whatever is
given up is no error: the fragments were counted when they came.
Spec: RFC 791, section 3.2; RFC 8200, section 4.5.
"""

from typing import NamedTuple

from streamshark.flows.out_of_order import PIECE_COST, OutOfOrder, Piece

FRAGMENTS_NS = 60_000_000_000
"""Capture time for which a datagram may stay incomplete: RFC 8200's 60 s; Linux has 30 for IPv4."""

HELD_FRAGMENTS = 4 << 20
"""Cost of all fragments held: Linux's net.ipv4.ipfrag_high_thresh."""

LARGEST_DATAGRAM = 65_535
"""Bytes of one IP payload at most (RFC 791, section 3.1; RFC 8200, section 4.5)."""


class Fragment(NamedTuple):
    """Part of an IP payload."""

    key: bytes
    """What the parts of one datagram share: addresses, identification, for IPv4 the protocol."""
    protocol: int
    """What the datagram holds; for IPv6 the header that follows, told by the first part."""
    start: int
    """Offset of its first byte in the datagram's payload."""
    length: int
    """Bytes on the wire."""
    is_last: bool
    data: bytes
    """The captured bytes; fewer than `length` where the snap length cut them off."""
    addresses: bytes
    depth: int
    """How many tunnels it is inside of."""


class Datagram(NamedTuple):
    """A payload put together."""

    protocol: int
    data: bytes
    """The payload up to the first byte that the snap length cut off."""
    length: int
    """The payload's length on the wire."""
    parts: int
    """How many fragments it took."""


class _Pending:
    """A datagram of which some fragments have come."""

    def __init__(self, since_ns: int) -> None:
        self.since_ns = since_ns
        self.backlog = OutOfOrder()
        self.protocol = -1
        """Of the first part; -1 before it came."""
        self.total = LARGEST_DATAGRAM
        """Length of the whole, as far as known."""
        self.end = 0
        """Where the furthest part ends."""
        self.covered = 0
        """Bytes that are there."""
        self.cut = LARGEST_DATAGRAM
        """Offset of the first byte that the snap length cut off."""
        self.parts = 0
        self.differs = False
        """Whether fragments have other bytes for the same place."""

    def add(self, fragment: Fragment) -> Datagram | None:
        """Take a fragment that fits; return the datagram when nothing is missing any more."""
        start, end = fragment.start, fragment.start + fragment.length
        captured = fragment.data[: fragment.length]
        if len(captured) < fragment.length:
            self.cut = min(self.cut, start + len(captured))
        # The bytes that were cut off keep their place, as zeros.
        data = captured.ljust(fragment.length, b"\0")
        self.covered += fragment.length
        piece = Piece(start, end, data, 0, 0, 0, 0, 0, retransmitted=False)
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
        return Datagram(self.protocol, content[: self.cut], self.total, self.parts)

    def fits(self, fragment: Fragment) -> bool:
        """Whether a fragment agrees with the others about where the datagram ends."""
        end = fragment.start + fragment.length
        return self.end <= end if fragment.is_last else end <= self.total


class IncompleteDatagrams:
    """The incomplete datagrams, oldest first."""

    def __init__(self) -> None:
        self.held = 0
        """What they cost."""
        self.differing = 0
        """Datagrams of which fragments have other bytes for the same place."""
        self._pending: dict[bytes, _Pending] = {}

    def add(self, fragment: Fragment, now_ns: int) -> Datagram | None:
        """Take a fragment; return the datagram that it completes, if it does."""
        self._forget(now_ns)
        key = fragment.key
        pending = self._pending.get(key)
        if pending is None:
            pending = self._pending[key] = _Pending(now_ns)
            self.held += PIECE_COST
        if not pending.fits(fragment):
            self._drop(key)
            return None
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
        """Give up what is too old, and the oldest while there is too much."""
        while self._pending:
            key = next(iter(self._pending))
            age = now_ns - self._pending[key].since_ns
            if age < FRAGMENTS_NS and self.held < HELD_FRAGMENTS:
                break
            self._drop(key)
