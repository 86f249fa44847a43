"""What the sequence numbers of a TCP segment tell, as Wireshark names it: `tcp.analysis.*`.

Each segment is compared with those before it of its connection, so a capture that begins late tells
less. The order of the tests, and their limits in time, are Wireshark's.
"""

from enum import Flag, auto
from typing import Final, NamedTuple

FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
_CONTROL: Final = SYN | FIN | RST
_MASK: Final = 0xFFFF_FFFF
_HALF: Final = 0x8000_0000
FAST_NS: Final = 20_000_000
"""A fast retransmission follows the duplicate acknowledgement within this time."""
REORDERED_NS: Final = 3_000_000
"""A segment that arrives late by less is out of order, where no round trip is known."""
MOST_SHIFT: Final = 14
"""Largest window scale (RFC 7323, section 2.3)."""
MOST_UNACKNOWLEDGED: Final = 1000
"""Segments of a side that are remembered until they are acknowledged."""


class AnalysisFlag(Flag):
    """What the analysis says of a segment; the names are those of fields."""

    NONE = 0
    RETRANSMISSION = auto()
    FAST_RETRANSMISSION = auto()
    SPURIOUS_RETRANSMISSION = auto()
    OUT_OF_ORDER = auto()
    LOST_SEGMENT = auto()
    ACK_LOST_SEGMENT = auto()
    DUPLICATE_ACK = auto()
    KEEP_ALIVE = auto()
    KEEP_ALIVE_ACK = auto()
    ZERO_WINDOW = auto()
    ZERO_WINDOW_PROBE = auto()
    ZERO_WINDOW_PROBE_ACK = auto()
    WINDOW_UPDATE = auto()
    WINDOW_FULL = auto()


class SegmentHead(NamedTuple):
    """The numbers of a segment as they are on the wire."""

    seq: int
    ack: int
    length: int
    """Length of the payload."""
    flags: int
    window: int
    number: int
    """Number of its packet."""
    time_ns: int
    scale: int | None = None
    """Window scale that it announces."""
    sacks: bool = False
    """Whether it acknowledges bytes beyond a hole."""

    @property
    def end(self) -> int:
        """Sequence number after the payload; a SYN or FIN does not count."""
        return self.seq + self.length & _MASK

    @property
    def next(self) -> int:
        """Sequence number after it."""
        return self.end + bool(self.flags & (SYN | FIN)) & _MASK

    @property
    def is_plain(self) -> bool:
        """Whether it has no SYN, FIN or RST."""
        return not self.flags & _CONTROL


class SideHistory:
    """What a side of a connection has sent so far."""

    def __init__(self) -> None:
        self.next: int | None = None
        """Highest sequence number that it has announced."""
        self.next_ns = 0
        self.to_acknowledge: int | None = None
        """End of what it has sent without a hole."""
        self.window: int | None = None
        self.window_is_scaled = False
        self.scale: int | None = None
        """Shift of its window; None if no SYN of it was seen."""
        self.ack: int | None = None
        self.ack_ns = 0
        self.duplicates = 0
        """Duplicate acknowledgements since the last other one."""
        self.ack_packet = 0
        """Packet of that other one."""
        self.last = AnalysisFlag.NONE
        """What the analysis says of its latest segment."""
        self.unacknowledged: list[tuple[int, int]] = []
        self.syn_ns: int | None = None
        self.initiates_close = False
        """Whether it has sent the first FIN."""


class Analysed(NamedTuple):
    """What the analysis says of one segment."""

    flags: AnalysisFlag = AnalysisFlag.NONE
    duplicates: int = 0
    """Of a duplicate acknowledgement: how many there were."""
    duplicate_of: int = 0
    """And the packet with the first one of this number."""
    initiates_close: bool = False
    """Of a FIN: whether the other side had sent none before."""


class ConnectionHistory:
    """Both sides of a connection, and its round trip."""

    def __init__(self) -> None:
        self.sides = SideHistory(), SideHistory()
        self.round_trip_ns: int | None = None
        self.started_ns: int | None = None
        self.last_ns = 0

    def since(self, time_ns: int) -> tuple[int, int]:
        """Return the times in ns since the first packet and since the last one, and note this."""
        if self.started_ns is None:
            self.started_ns = self.last_ns = time_ns
        last_ns, self.last_ns = self.last_ns, time_ns
        return time_ns - self.started_ns, time_ns - last_ns

    def analyse(self, side: int, head: SegmentHead) -> Analysed:
        """Return the analysis of a side's next segment, and remember it."""
        own, peer = self.sides[side], self.sides[1 - side]
        found = _of_window(own, peer, head)
        if not found & _ENDS and _repeats(own, head) and head.window:
            own.duplicates += 1
            found |= AnalysisFlag.DUPLICATE_ACK
        if head.flags & FIN and not peer.initiates_close:
            own.initiates_close = True
        analysed = Analysed(found, own.duplicates, own.ack_packet, own.initiates_close)
        if head.ack != own.ack:
            own.ack_packet, own.duplicates = head.number, 0
        if (
            peer.to_acknowledge is not None
            and head.flags & ACK
            and _is_after(head.ack, peer.to_acknowledge)
        ):
            found |= AnalysisFlag.ACK_LOST_SEGMENT
            peer.to_acknowledge = peer.next
        if head.length or head.flags & (SYN | FIN):
            found |= self._repeated(own, peer, head, found)
        self._remember(own, peer, head, found)
        return analysed._replace(flags=found)

    def _repeated(
        self, own: SideHistory, peer: SideHistory, head: SegmentHead, found: AnalysisFlag
    ) -> AnalysisFlag:
        """Return how a segment repeats others, if it does."""
        is_behind = own.next is not None and _is_after(own.next, head.seq)
        if is_behind and found & AnalysisFlag.KEEP_ALIVE:
            return AnalysisFlag.NONE
        if head.length > 1 and own.next is not None and own.next - 1 & _MASK == head.seq:
            is_behind = False
        if head.length and peer.ack is not None and not _is_after(head.end, peer.ack):
            return AnalysisFlag.SPURIOUS_RETRANSMISSION
        if not is_behind:
            return AnalysisFlag.NONE
        is_fast = head.time_ns - peer.ack_ns < FAST_NS
        if peer.duplicates >= 2 and peer.ack == head.seq and is_fast:  # noqa: PLR2004 - as Wireshark
            return AnalysisFlag.FAST_RETRANSMISSION
        limit = REORDERED_NS if self.round_trip_ns is None else self.round_trip_ns
        if head.time_ns - own.next_ns < limit and not _is_known(own, head):
            return AnalysisFlag.OUT_OF_ORDER
        return AnalysisFlag.RETRANSMISSION

    def _remember(
        self, own: SideHistory, peer: SideHistory, head: SegmentHead, found: AnalysisFlag
    ) -> None:
        """Note a segment for those after it."""
        is_probe = bool(found & AnalysisFlag.ZERO_WINDOW_PROBE)
        if (head.length or head.flags & (SYN | FIN)) and len(
            own.unacknowledged
        ) < MOST_UNACKNOWLEDGED:
            own.unacknowledged.append((head.seq, head.next))
            if not is_probe and (own.next is None or _is_after(head.next, own.next)):
                own.next, own.next_ns = head.next, head.time_ns
        if not is_probe and own.to_acknowledge in (None, head.seq):
            own.to_acknowledge = own.next
        if head.flags & SYN:
            own.scale = head.scale or 0
            own.syn_ns = head.time_ns
        elif self.round_trip_ns is None and head.flags & ACK and own.syn_ns is not None:
            self.round_trip_ns = head.time_ns - own.syn_ns
        own.window, own.window_is_scaled = head.window, not head.flags & SYN
        own.ack, own.ack_ns, own.last = head.ack, head.time_ns, found
        if head.flags & ACK:
            peer.unacknowledged = [
                each for each in peer.unacknowledged if _is_after(each[1], head.ack)
            ]


_ENDS: Final = (
    AnalysisFlag.ZERO_WINDOW_PROBE
    | AnalysisFlag.KEEP_ALIVE_ACK
    | AnalysisFlag.ZERO_WINDOW_PROBE_ACK
)
"""Flags of segments that are not duplicate acknowledgements."""


def _of_window(own: SideHistory, peer: SideHistory, head: SegmentHead) -> AnalysisFlag:
    """Return the flags of the window and of a segment that begins after or before the next byte."""
    if head.length == 1 and head.seq == own.next and peer.window == 0:
        return AnalysisFlag.ZERO_WINDOW_PROBE
    found = AnalysisFlag.NONE
    if not head.window and head.is_plain:
        found |= AnalysisFlag.ZERO_WINDOW
    if own.next is not None and _is_after(head.seq, own.next) and not head.flags & RST:
        found |= AnalysisFlag.LOST_SEGMENT
    if own.next is not None and head.is_plain:
        if head.length <= 1 and head.seq == own.next - 1 & _MASK:
            found |= AnalysisFlag.KEEP_ALIVE
        found |= _of_acknowledgement(own, peer, head)
    return found


def _of_acknowledgement(own: SideHistory, peer: SideHistory, head: SegmentHead) -> AnalysisFlag:
    """Return the flags of a window that changes, is full, or answers a probe."""
    if head.length:
        return AnalysisFlag.WINDOW_FULL if _is_full(peer, head) else AnalysisFlag.NONE
    if head.seq != own.next or head.ack != own.ack:
        return AnalysisFlag.NONE
    if head.window != own.window:
        is_update = head.window and not head.sacks
        return AnalysisFlag.WINDOW_UPDATE if is_update else AnalysisFlag.NONE
    if head.window and peer.last & AnalysisFlag.KEEP_ALIVE:
        return AnalysisFlag.KEEP_ALIVE_ACK
    if not head.window and peer.last & AnalysisFlag.ZERO_WINDOW_PROBE:
        return AnalysisFlag.ZERO_WINDOW_PROBE_ACK
    return AnalysisFlag.NONE


def _is_full(peer: SideHistory, head: SegmentHead) -> bool:
    """Return whether a segment fills the window of the other side."""
    if peer.scale is None or peer.window is None or peer.ack is None:
        return False
    shift = min(peer.scale, MOST_SHIFT) if peer.window_is_scaled else 0
    return head.end == peer.ack + (peer.window << shift) & _MASK


def _repeats(own: SideHistory, head: SegmentHead) -> bool:
    """Return whether a segment without payload repeats the numbers of the one before it."""
    return (
        not head.length
        and head.is_plain
        and (head.window == own.window or head.sacks)
        and head.seq == own.next
        and head.ack == own.ack
    )


def _is_known(own: SideHistory, head: SegmentHead) -> bool:
    """Return whether all bytes of a segment were in one that is not acknowledged yet."""
    return any(
        not _is_after(first, head.seq) and not _is_after(head.end, end)
        for first, end in own.unacknowledged
    )


def _is_after(one: int, other: int) -> bool:
    return one != other and (one - other) & _MASK < _HALF
