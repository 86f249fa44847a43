"""One TCP connection: bytes in stream order from packets in any order.

`tracker` handles the in-order packet of a connection without holes; all others come here. The
invariant: the segments and gaps of a side tile `[0, offset)` in order, each byte once; captured
payload is passed on, buffered, repeated or ignored, and the flow's counters hold how much of each.
Spec: RFC 9293. Nothing raises, whatever the packets contain.
"""

from streamshark.flows.direction import Direction, distance
from streamshark.flows.out_of_order import PIECE_COST, OutOfOrder, Piece
from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.flows.timers import NEVER, Arrival, Records, Timers

FIN, SYN, RST, ACK = 1, 2, 4, 16

START_SEGMENTS = 8
"""Segments of one side after which a connection without a SYN begins: disorder made by network
cards with several queues stays below that (3 duplicate ACKs is where TCP itself calls it loss)."""

START_NS = 50_000_000
"""Capture time with the same effect, for connections with few packets: well above the disorder of a
network card, well below what a person waits for."""

HOLE_PACKETS = 32
"""Packets of the connection for which a hole stays open although its bytes were acknowledged, since
captures may be out of order themselves."""

HOLE_NS = START_NS
"""Capture time with the same effect, for connections with few packets."""

ONE_SIDED_PACKETS = 1024
"""Packets with the same effect if the other side was never captured, so that no acknowledgement can
come: more than a round trip brings on most links, so a retransmission still fills the hole."""

FIN_NS = 10_000_000_000
"""Capture time after a FIN for which a hole waits for retransmissions: five of them, doubling from
the 200 ms of Linux's smallest retransmission timeout, take 6.2 s."""

RESENT_NS = 100_000_000
"""Capture time after which a second SYN is a retransmission, not a duplicate: the smallest timeout
in use is Windows' 300 ms; on Linux it is 1 s."""

PATIENCE = 3
"""Multiple of the latest pause between two SYNs after which the client has given up: stacks double
the pause."""

HELD_TOTAL = 64 << 20
"""Cost of all bytes buffered by all connections above which the next hole is given up at once."""

FAR_AHEAD = 1 << 30
"""Bytes ahead at which a segment cannot belong to the stream: the largest window (RFC 7323, section
2.3)."""

FAR_BEHIND = 64 << 20
"""Bytes before the next byte at which a segment is no retransmission: ten times what Linux keeps
unacknowledged by default."""

STRAY_SEGMENTS = 16
"""Consecutive out-of-range segments that prove that the stream continued there."""

_MASK = 0xFFFFFFFF


TcpDirection = Direction["TcpConnection"]
"""A direction of a `TcpConnection`."""


class Syns:
    """The SYNs of a client, to find out whether it was answered."""

    __slots__ = ("count", "first_ns", "latest_ns", "resent", "until")

    def __init__(self) -> None:
        self.count = 0
        self.first_ns = -1
        """Time of the first one; -1 before."""
        self.latest_ns = -1
        """Time of the latest one that is not a duplicate; -1 before."""
        self.resent = False
        """Whether one was retransmitted."""
        self.until = NEVER
        """Time at which the client has given up."""


class TcpConnection:
    """The two directions of one connection, and the packets of undecided order."""

    __slots__ = (
        "_alarm",
        "_alarms",
        "_ended_ns",
        "_opened",
        "_syn_ack_ns",
        "_syn_ns",
        "_syns",
        "_waiting",
        "flow",
        "sides",
    )

    def __init__(self, flow: Flow, alarms: Timers) -> None:
        self.flow = flow
        self.sides: list[TcpDirection] = []
        """In order of appearance: one or two."""
        self._alarms = alarms
        self._alarm = False
        """Whether a timer is set."""
        self._waiting: list[tuple[TcpDirection, Arrival]] | None = []
        """Packets with payload while the starts of the streams are unknown; None once they are
        known."""
        self._opened = False
        self._ended_ns = -1
        """Time of the first FIN or RST; -1 before."""
        self._syn_ns = -1
        """Time of the latest SYN of the client; -1 before."""
        self._syns = Syns()
        self._syn_ack_ns = -1
        """Time of the first SYN+ACK; -1 before."""

    def add_side(self, base: int, offset: int = 0) -> TcpDirection:
        """Add a direction; its first byte has this offset."""
        side = Direction(self, len(self.sides), base)
        side.offset = offset
        self.sides.append(side)
        if side.side:
            side.peer = self.sides[0]
            self.sides[0].peer = side
            side.plain = self.sides[0].plain
        return side

    def receive(self, side: TcpDirection, packet: Arrival, out: Records) -> None:
        """Process any packet of the connection."""
        flags = packet.flags
        if flags & (SYN | ACK) == SYN:
            self._attempt(packet)
        if flags & ACK:
            if side.acked < 0:
                side.first_acked = packet.ack
            side.acked = packet.ack
        if flags & SYN:
            packet = self._open(side, packet, out)
        elif self._syn_ack_ns >= 0 and side.side == self.flow.client:
            self.flow.handshake_ns = (
                self._syn_ack_ns - self._syn_ns,
                packet.time_ns - self._syn_ack_ns,
            )
            self._syn_ns = self._syn_ack_ns = -1
        if flags & (FIN | RST):
            self._close_unseen(side.peer, packet, out)
        if flags & RST:
            self._reset(side, packet, out)
        else:
            self.flow.payload += len(packet.data)
            if flags & FIN and self._ended_ns < 0:
                self._ended_ns = packet.time_ns
            if self._waiting is not None:
                self._wait(side, packet, out)
            else:
                self._place(side, packet, out)
        self._give_up_lost(packet, out)
        self._settle_down(packet.time_ns)

    def wake(self, now: Arrival, out: Records) -> None:
        """Decide what has waited long enough."""
        self._alarm = False
        if self._waiting:
            self._begin(out)
        if now.time_ns >= self._syns.until:
            self._give_up_attempt(now, out)
        self._give_up_lost(now, out)
        if self._ended_ns >= 0:
            expired = now.time_ns >= self._ended_ns + FIN_NS or any(
                side.reset for side in self.sides
            )
            for side in self.sides:
                while side.hole_end > side.offset and (expired or side.is_acknowledged()):
                    self._give_up(side, now, out)
        self._settle_down(now.time_ns)

    def finish(self, now: Arrival, out: Records) -> None:
        """Pass on what is buffered: there are no more packets."""
        self._begin(out)
        self._give_up_attempt(now, out)
        self._give_up_rest(now, out)
        self._settle_down(now.time_ns)

    @property
    def is_holding(self) -> bool:
        """Whether bytes are buffered, before the stream's start is known or after a hole."""
        return bool(self._waiting) or any(side.hole_end > side.offset for side in self.sides)

    @property
    def waiting_since(self) -> tuple[int, int, int] | None:
        """Time (ns), file and number of the first packet that waits for a stream's start."""
        if not self._waiting:
            return None
        first = self._waiting[0][1]
        return first.time_ns, first.file, first.packet

    def _settle_down(self, now_ns: int) -> None:
        """Choose the fast or slow path for the next packet, and set a timer for buffered bytes."""
        holding = self.flow.is_holding = self.is_holding
        # Without the first acknowledgement, the other side could not be told from a later one; the
        # handshake may still wait for one of the client after the SYN-ACK.
        known = all(side.acked >= 0 for side in self.sides) and self._syn_ack_ns < 0
        plain = self._waiting is None and not holding and known
        for side in self.sides:
            side.plain = plain
        acked = [side.hole_acked[1] for side in self.sides if side.hole_acked is not None]
        if holding and not self._alarm:
            if self._waiting or (self._ended_ns >= 0 and now_ns < self._ended_ns + START_NS):
                self._set_alarm(now_ns + START_NS)
            elif self._ended_ns >= 0:
                self._set_alarm(max(self._ended_ns + FIN_NS, now_ns + START_NS))
            elif acked:
                self._set_alarm(min(acked) + HOLE_NS)

    def _set_alarm(self, time_ns: int) -> None:
        self._alarm = True
        self._alarms.set(time_ns, self)

    # The start

    def _open(self, side: TcpDirection, packet: Arrival, out: Records) -> Arrival:
        """Process a SYN; return the packet without it, for data in a SYN (fast open, RFC 7413)."""
        first = packet.seq + 1 & _MASK
        if side.next < 0 or (side.offset == 0 and side.backlog is None):
            side.next = first
        if self.flow.client is None:
            self.flow.client = 1 - side.side if packet.flags & ACK else side.side
        if self.flow.handshake_ns is None:
            if not packet.flags & ACK:
                self._syn_ns = packet.time_ns
            elif self._syn_ns >= 0 > self._syn_ack_ns:
                self._syn_ack_ns = packet.time_ns
        if not self._opened:
            self._opened = True
            out.append(_event(side, "open", packet, 0))
        self._begin(out)
        return packet._replace(seq=first)

    def _wait(self, side: TcpDirection, packet: Arrival, out: Records) -> None:
        """Keep a packet until enough have arrived to tell which is the first of its side."""
        if self._waiting is None or not (packet.length or packet.flags & FIN):
            return
        self._waiting.append((side, packet))
        self._alarms.held += len(packet.data) + PIECE_COST
        segments = sum(other is side for other, _ in self._waiting)
        if segments >= START_SEGMENTS or self._alarms.held > HELD_TOTAL:
            self._begin(out)

    def _begin(self, out: Records) -> None:
        """Start each side at its lowest sequence number, and process the packets that waited.

        Every packet is processed with its own time, so a capture in order gives the same records as
        if nothing had waited.
        """
        waiting, self._waiting = self._waiting, None
        if not waiting:
            return
        self._alarms.held -= sum(len(packet.data) + PIECE_COST for _, packet in waiting)
        for side in self.sides:
            seqs = [packet.seq for other, packet in waiting if other is side]
            if seqs and side.next < 0:
                side.next = seqs[0] + min(distance(seqs[0], seq) for seq in seqs) & _MASK
        for side, packet in waiting:
            self._place(side, packet, out)

    def _start(self, side: TcpDirection, packet: Arrival) -> None:
        """Start a side without a captured SYN on a connection that is already known.

        It starts at the last acknowledgement of the other side, unless packets came in disorder; or
        at its first one, if that answered this side's SYN.
        """
        side.next = packet.seq
        acked = -1
        if side.peer is not None:
            acked = side.peer.first_acked if self._opened else side.peer.acked
        if acked >= 0 and 0 < distance(acked, packet.seq) <= FAR_BEHIND:
            side.next = acked

    # The attempt

    def _attempt(self, packet: Arrival) -> None:
        """Process a SYN of the client; a retransmitted one sets the time until which it waits."""
        syns, pause = self._syns, packet.time_ns - self._syns.latest_ns
        syns.count += 1
        if syns.count > 1 and pause < RESENT_NS:
            return  # captured twice
        if syns.count > 1:
            syns.resent = True
            syns.until = packet.time_ns + PATIENCE * pause
            self._alarms.set(syns.until, self)
        else:
            syns.first_ns = packet.time_ns
        syns.latest_ns = packet.time_ns

    def _is_refusal(self, side: TcpDirection, packet: Arrival) -> bool:
        """Return whether an RST answers a SYN: it is the first packet besides the SYNs."""
        asked = self._syns.count and self.flow.packets == self._syns.count + 1
        return bool(asked) and side.side != self.flow.client and bool(packet.flags & ACK)

    def _give_up_attempt(self, now: Arrival, out: Records) -> None:
        """Emit `unanswered` for SYNs without an answer.

        Other packets of the client show that an answer came, even if it was not captured.
        """
        syns = self._syns
        if not syns.resent or self.flow.packets != syns.count:
            return
        syns.resent, syns.until = False, NEVER
        self.flow.attempt_ns = syns.first_ns, syns.latest_ns
        (side,) = self.sides
        out.append(_event(side, "unanswered", now, 0))

    # Bytes

    def _place(self, side: TcpDirection, packet: Arrival, out: Records) -> None:
        """Pass on or buffer the new bytes of a packet."""
        if not packet.length and not packet.flags & FIN:
            return
        if side.next < 0:
            self._start(side, packet)
        ahead = distance(side.next, packet.seq)
        if not -FAR_BEHIND <= ahead <= FAR_AHEAD:
            if not self._is_continued(side, packet, out):
                return
            ahead = 0
        if side.hole_end == side.offset:
            side.hole_since = self.flow.packets
        start = side.offset + ahead
        end = start + packet.length
        if packet.flags & FIN and side.fin < 0:
            side.fin = end
        if end > side.offset:
            self._take(side, packet, start, out)
        else:
            self.flow.repeated += len(packet.data)
        self._close(side, packet, out)

    def _take(self, side: TcpDirection, packet: Arrival, start: int, out: Records) -> None:
        """Process a packet whose last byte, at least, is new; `start` may be before `offset`."""
        end, data, offset = start + packet.length, packet.data, side.offset
        captured_end = start + len(data)
        old = min(offset - start, len(data))
        if old > 0:
            self.flow.repeated += old
            data = data[old:]
        start = max(start, offset)
        piece = Piece(
            start,
            max(captured_end, start),
            data,
            packet.packet,
            packet.file,
            self.flow.packets,
            packet.window,
            packet.flags,
            old <= 0 and packet.is_captured,
        )
        if side.backlog is None and start == offset:
            self._hand_on(side, piece, packet, out)
            self._skip(side, end, "snapped", packet, out)
            return
        if old <= 0 and side.backlog is not None and start < side.backlog.first.start:
            side.trouble.out_of_order += 1
        self._hold(side, piece, end)
        self._drain(side, packet, out)
        while side.backlog is not None and (side.backlog.full or self._alarms.held > HELD_TOTAL):
            self._give_up(side, packet, out)

    def _hold(self, side: TcpDirection, piece: Piece, end: int) -> None:
        """Buffer a piece, and a range cut off by the snap length that follows it up to `end`."""
        backlog = side.backlog
        if backlog is None:
            backlog = side.backlog = OutOfOrder()
        before = backlog.size
        if piece.data:
            self.flow.repeated += backlog.insert(piece)
        if piece.end < end:
            backlog.insert(piece._replace(start=piece.end, end=end, data=b""))
        self._alarms.held += backlog.size - before

    def _drain(self, side: TcpDirection, now: Arrival, out: Records) -> None:
        """Pass on the buffered pieces that are next."""
        backlog = side.backlog
        if backlog is None:
            return
        before = backlog.size
        for piece in backlog.take(side.offset):
            self._hand_on(side, piece, now, out)
        self._alarms.held += backlog.size - before
        if not backlog:
            side.backlog = None

    def _hand_on(self, side: TcpDirection, piece: Piece, now: Arrival, out: Records) -> None:
        """Pass on the piece that is next, with the time of a packet."""
        if not piece.data:
            self._skip(side, piece.end, "snapped", now, out)
            return
        out.append(
            Segment(
                side.number,
                side.side,
                piece.start,
                piece.data,
                piece.origin,
                now.packet,
                now.time_ns,
                now.file,
                piece.file,
                piece.window,
                piece.flags,
                piece.is_payload,
            )
        )
        side.advance(piece.end)

    def _skip(self, side: TcpDirection, end: int, reason: str, now: Arrival, out: Records) -> None:
        """Emit a gap for `[offset, end)`."""
        length = end - side.offset
        if not length:
            return
        out.append(
            Gap(
                side.number,
                side.side,
                side.offset,
                length,
                now.packet,
                now.time_ns,
                now.file,
                reason,
            )
        )
        side.advance(end)

    # Holes

    def _is_lost(self, side: TcpDirection, now_ns: int) -> bool:
        """Return whether the first hole will not be filled any more."""
        end = side.hole_end
        if end == side.offset or self._waiting is not None:
            side.hole_acked = None
            return False
        age = self.flow.packets - side.hole_since
        if side.peer is None:
            return age >= ONE_SIDED_PACKETS
        if not side.is_acknowledged():
            side.hole_acked = None
            return False
        if side.hole_acked is None or side.hole_acked[0] != end:
            side.hole_acked = (end, now_ns)
        return age >= HOLE_PACKETS or now_ns - side.hole_acked[1] >= HOLE_NS

    def _give_up_lost(self, now: Arrival, out: Records) -> None:
        """Give up the holes that will not be filled any more."""
        for side in self.sides:
            while self._is_lost(side, now.time_ns):
                self._give_up(side, now, out)

    def _give_up(self, side: TcpDirection, now: Arrival, out: Records) -> None:
        """Give up the first hole, and pass on the bytes after it."""
        self._skip(side, side.hole_end, "lost", now, out)
        self._drain(side, now, out)
        if side.backlog is not None:
            side.hole_since = side.backlog.first.arrival
        self._close(side, now, out)

    def _give_up_all(self, side: TcpDirection, now: Arrival, out: Records) -> None:
        while side.hole_end > side.offset:
            self._give_up(side, now, out)

    def _give_up_rest(self, now: Arrival, out: Records) -> None:
        """Give up all holes, also of a side without packets: no packet will fill them."""
        if len(self.sides) == 1 and (start := self.sides[0].first_acked) >= 0:
            self.add_side(start - 1 & _MASK).next = start
        for side in self.sides:
            self._give_up_all(side, now, out)
            self._give_up_unseen(side, now, out)

    def _give_up_unseen(self, side: TcpDirection, now: Arrival, out: Records) -> None:
        """Give up bytes that the other side has acknowledged and no packet brought.

        No bytes after them show the hole, so a capture of one direction would look complete. One
        byte may be the FIN.
        """
        peer = side.peer
        if peer is None or peer.acked < 0 or side.next < 0 or side.closed:
            return
        unseen = distance(side.next, peer.acked)
        if 1 < unseen <= FAR_BEHIND:
            self._skip(side, side.offset + unseen, "lost", now, out)

    def _is_continued(self, side: TcpDirection, packet: Arrival, out: Records) -> bool:
        """Return whether an out-of-range packet shows that the stream continued there.

        A single one is an error or an attack, and is ignored. Several consecutive ones, while
        nothing arrives at the expected position, mean that an unknown number of bytes was lost:
        then the stream continues at this packet, after a gap of the distance (which may be short by
        multiples of 4 GiB).
        """
        count, expected, offset = side.stray or (0, 0, 0)
        if offset != side.offset or abs(distance(expected, packet.seq)) > FAR_BEHIND:
            count = 0
        side.stray = (count + 1, packet.seq + packet.length & _MASK, side.offset)
        if count + 1 < STRAY_SEGMENTS:
            self.flow.ignored += len(packet.data)
            return False
        side.stray = None
        self._give_up_all(side, packet, out)
        self._skip(side, side.offset + (packet.seq - side.next & _MASK), "lost", packet, out)
        return True

    # The end

    def _close(self, side: TcpDirection, now: Arrival, out: Records) -> None:
        """Emit `close` for the FIN once all bytes before it are passed on."""
        if 0 <= side.fin <= side.offset and not side.closed:
            side.closed = True
            out.append(_event(side, "close", now, side.fin))

    def _close_unseen(self, side: TcpDirection | None, now: Arrival, out: Records) -> None:
        """Emit `close` for a FIN that was not captured, but acknowledged at the other side's end.

        Otherwise it would look as if the other side had ended the connection. Its time is just
        before the packet's, since rows of one packet are in the order of their offsets.
        """
        if side is None or side.peer is None or side.peer.acked < 0 or side.next < 0:
            return
        ended = side.fin >= 0 or side.reset or side.hole_end > side.offset
        if not ended and distance(side.next, side.peer.acked) == 1:
            side.fin = side.offset
            self._close(side, now._replace(time_ns=now.time_ns - 1), out)

    def _reset(self, side: TcpDirection, packet: Arrival, out: Records) -> None:
        """Process an RST: nothing is retransmitted after it, and its payload is not stream data."""
        self._begin(out)
        self._give_up_rest(packet, out)
        if not side.reset:
            side.reset = True
            name = "refused" if self._is_refusal(side, packet) else "reset"
            out.append(_event(side, name, packet, side.offset))
        if self._ended_ns < 0:
            self._ended_ns = packet.time_ns


def _event(side: TcpDirection, name: str, now: Arrival, offset: int) -> FlowEvent:
    return FlowEvent(side.number, side.side, name, now.packet, now.time_ns, now.file, offset)
