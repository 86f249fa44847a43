"""One direction of a connection: position in the stream, and bytes buffered after a hole."""

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from streamshark.flows.segment import Flow

if TYPE_CHECKING:
    from streamshark.flows.out_of_order import OutOfOrder

_MASK = 0xFFFFFFFF
_HALF = 1 << 31


class HasFlow(Protocol):
    """A connection, of which its directions read the flow."""

    flow: Flow


Owner = TypeVar("Owner", bound=HasFlow)


def distance(start: int, end: int) -> int:
    """Return end - start of two sequence numbers, in [-2^31, 2^31) (RFC 9293, section 3.4)."""
    return (end - start + _HALF & _MASK) - _HALF


class Direction(Generic[Owner]):
    """One direction of a connection of the class `Owner`."""

    __slots__ = (
        "acked",
        "backlog",
        "base",
        "closed",
        "connection",
        "fin",
        "first_acked",
        "flow",
        "hole_acked",
        "hole_since",
        "next",
        "number",
        "offset",
        "peer",
        "plain",
        "reset",
        "side",
        "stray",
        "trouble",
    )

    def __init__(self, connection: Owner, side: int, base: int) -> None:
        self.connection = connection
        self.flow = connection.flow
        self.number = connection.flow.number
        self.side = side
        self.trouble = connection.flow.trouble[side]
        self.peer: Direction[Owner] | None = None
        """The other direction; None before its first packet."""
        self.base = base
        """The initial sequence number as Wireshark defines it: that of the SYN, else one before the
        first packet's."""
        self.plain = False
        """True while neither side buffers anything: the tracker alone can process packets in
        order."""
        self.next = -1
        """Sequence number of the next byte; -1 before the first is known."""
        self.offset = 0
        """Offset of the next byte in the stream."""
        self.acked = -1
        """The last acknowledgement number that this side sent; -1 before the first."""
        self.first_acked = -1
        self.backlog: OutOfOrder | None = None
        """Bytes after a hole; None if there are none."""
        self.hole_since = 0
        """The connection's packet count when the first hole was seen."""
        self.hole_acked: tuple[int, int] | None = None
        """End of the hole that the other side acknowledged, and time of the first packet that
        showed it."""
        self.fin = -1
        """Offset of the FIN; -1 before one was seen."""
        self.closed = False
        self.reset = False
        self.stray: tuple[int, int, int] | None = None
        """Consecutive out-of-range segments: count, expected sequence number of the next, `offset`
        then."""

    @property
    def hole_end(self) -> int:
        """Offset at which the first hole ends; `offset` if there is none."""
        if self.backlog is not None:
            return self.backlog.first.start
        return max(self.fin, self.offset)

    def advance(self, end: int) -> None:
        """Move to an offset: the bytes before it are passed on or given up."""
        self.next = self.next + end - self.offset & _MASK
        self.offset = end

    def is_acknowledged(self) -> bool:
        """Return whether the other side has acknowledged all bytes of the first hole."""
        peer = self.peer
        if peer is None or peer.acked < 0:
            return False
        return distance(self.next, peer.acked) >= self.hole_end - self.offset
