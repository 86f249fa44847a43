"""A protocol on its carrier: what the carrier brings, as frames with their place on the wire.

To a connection, what reads one side of it is a `FrameSplitter` or one of these: bytes go in, and
frames, skipped bytes and notices come out. `Route` names the way: a protocol on TCP itself, or on a
carrier in whose slot it stands.

A frame's place is that of the message it came in: its packets, and the time at which the message
was whole. Its offset is that of its first byte on the wire; inside a compressed message, where no
byte of it stands anywhere, it is as far in as the frame is in what came out.
"""

from collections import Counter, deque
from collections.abc import Iterable
from typing import NamedTuple

from streamshark.flows.segment import Gap, Segment
from streamshark.framing import proxy_protocol
from streamshark.framing.carrier import (
    Carriage,
    CarriedMessage,
    Carrier,
    CarrierConnection,
    CarrierEvent,
    CarrierReader,
    Item,
)
from streamshark.framing.splitter import (
    FULL,
    At,
    FrameSplitter,
    PacketRef,
    RawFrame,
    ResyncEffort,
    SkippedBytes,
)
from streamshark.framing.wire_format import FrameTable, Selector, WellFormedCheck
from streamshark.schema import Problem, ProblemCode

BEYOND = 1 << 40
"""Bytes that a hole of unknown size is taken for: no frame reaches over it."""

Piece = RawFrame | SkippedBytes | CarrierEvent


class Route(NamedTuple):
    """A protocol and what carries it."""

    table: FrameTable
    carrier: Carrier | None = None
    """None on TCP itself."""

    @property
    def leads(self) -> bool:
        """False on TCP itself for frames that do not say how long they are."""
        return self.carrier is not None or self.table.cuts

    def may_begin(self, data: bytes) -> bool:
        """Whether these may be the first bytes of a side, as their head alone tells."""
        pattern = self.carrier.opens if self.carrier else self.table.wire.marks
        return pattern is None or pattern.match(data) is not None

    def may_go_on(self, data: bytes, within: int = 0) -> bool:
        """Whether a segment of a side that is joined later may begin as frames do.

        On TCP itself a frame may begin in so many bytes of it, too.
        """
        marks = self.carrier.marks if self.carrier else self.table.wire.marks
        if marks is None or marks.match(data) or self.may_begin(data):
            return True
        return not self.carrier and marks.search(data, 0, within) is not None

    def reader(
        self, link: CarrierConnection | None, side: int, *, start: bool, effort: ResyncEffort = FULL
    ) -> "FrameSplitter | CarriedSide":
        """What reads one side; `link` is what reads the connection of a carrier.

        `effort`: what a search in bytes on TCP itself may cost; that of a carrier is the link's.
        """
        sound = WellFormedCheck(self.table)
        if link is None:
            return FrameSplitter(self.table, in_step=start, sound=sound, effort=effort)
        kind = CarriedMessages if self.table.bare else CarriedStream
        return kind(self.table, link, side, start=start)


def routes(tables: Iterable[FrameTable], carriers: Iterable[Carrier]) -> tuple[Route, ...]:
    """Every protocol on TCP, then those that ride, on each carrier that has a slot for them.

    Of some, the one on TCP does not lead anywhere.
    """
    tables, carriers = tuple(tables), tuple(carriers)
    return (
        *map(Route, tables),
        *(
            Route(ridden(table, takes), carrier)
            for table in tables
            for carrier in carriers
            for slot, takes in carrier.slots.items()
            if slot in table.wire.rides
        ),
    )


def ridden(table: FrameTable, takes: Carriage) -> FrameTable:
    """The table of the same protocol and dialect for a carrier."""
    return table.wire.table(table.dialect, bare=True) if takes is Carriage.MESSAGES else table


class CarriedSide:
    """One side of a connection that is carried, cut into a rider's frames."""

    foreign: str | None = None
    """What a carrier brings is the rider's or not; it is never taken for a third protocol."""
    upgraded: str | None = None

    def __init__(
        self, table: FrameTable, link: CarrierConnection, side: int, *, start: bool
    ) -> None:
        self.table = table
        self.link = link
        self.bearer: CarrierReader = link.side(side, start=start, fits=self.fits)
        self.framed = 0
        """Bytes on the wire that became rows, those around the payload with them."""
        self.skipped: Counter[str] = Counter()

    def feed(self, segment: Segment) -> list[Piece]:
        """The next bytes."""
        return self._taken(self.bearer.feed(segment))

    def gap(self, gap: Gap) -> list[Piece]:
        """Bytes that never come."""
        return [*self._taken(self.bearer.gap(gap)), *self.hole()]

    def finish(self) -> list[Piece]:
        """No more bytes."""
        return self._taken(self.bearer.finish())

    def fits(self, message: bytes) -> bool:
        """Whether a message may be the rider's."""
        raise NotImplementedError

    def carried(self, carried: CarriedMessage) -> list[Piece]:
        """What the rider makes of a message."""
        raise NotImplementedError

    def hole(self) -> list[Piece]:
        """A message may be missing here."""
        return []

    @property
    def in_step(self) -> bool:
        """True when the next byte is one that the carrier expects."""
        return self.bearer.in_step

    @property
    def total(self) -> int:
        """Bytes of what has begun and is not whole."""
        return self.bearer.pending

    @property
    def resume(self) -> int:
        """Bytes before this offset are the rest of something that a gap cut."""
        return self.bearer.resume

    @property
    def preamble(self) -> int:
        """Bytes that a proxy has put before the first one."""
        return self.bearer.preamble

    @property
    def late(self) -> bool:
        """True when something was found inside another."""
        return self.bearer.late

    @property
    def unsettled(self) -> At | None:
        """The packet that brought bytes of which it is open what they are."""
        return self.bearer.unsettled

    def _taken(self, items: Iterable[Item]) -> list[Piece]:
        out: list[Piece] = []
        for item in items:
            if isinstance(item, SkippedBytes):
                is_preamble = item.offset < self.preamble and item.reason != proxy_protocol.TUNNEL
                self.skipped[proxy_protocol.REASON if is_preamble else item.reason] += item.length
                # Behind a refusal, nothing of the rider's can be missing.
                if item.offset >= self.preamble and not self.link.refused:
                    out += self.hole()
                out.append(item)
                continue
            self.framed += item.length
            if isinstance(item, CarrierEvent):
                out.append(item)
            elif item.readable:
                out += self.carried(item)
            else:
                out += self.hole()
                out.append(RawFrame(item.offset, item.data, item.place, None, item.problem))
        return out


class CarriedMessages(CarriedSide):
    """A rider that takes messages: each is one frame, without the length of a stream.

    Where a message is no frame, but frames with that length before them, it is read as they are,
    and the length is named.
    """

    def __init__(
        self, table: FrameTable, link: CarrierConnection, side: int, *, start: bool
    ) -> None:
        super().__init__(table, link, side, start=start)
        self.sound = WellFormedCheck(table)
        self.prefixed = table.wire.table(table.dialect)

    def fits(self, message: bytes) -> bool:
        """Whether it is sound, with or without a length before it."""
        if (selector := self._selector(message)) is not None:
            return self.sound(message, selector)
        return bool(self._behind_lengths(message))

    def carried(self, carried: CarriedMessage) -> list[Piece]:
        """One frame; several where each has a length before it."""
        offset, data, place = carried.offset, carried.data, carried.place
        if (selector := self._selector(data)) is not None:
            return [RawFrame(offset, data, place, selector, carried.problem)]
        if ends := self._behind_lengths(data):
            return [
                RawFrame(offset + start, data[start:end], place, self._selector(data[start:end]),
                    carried.problem or _prefix(size))
                for start, end, size in ends
            ]  # fmt: skip
        measured = self.table.measure(data, 0, len(data))
        if measured is None:
            told = f"a message of {len(data)} bytes holds no frame"
            problem = Problem(ProblemCode.LENGTH, -1, 0, len(data), told)
            return [RawFrame(offset, data, place, None, problem)]
        selector = Selector(*measured[1:])
        problem = self.table.oddity(len(data), selector)
        return [RawFrame(offset, data, place, selector, problem)]

    def _selector(self, data: bytes) -> Selector | None:
        measured = self.table.measure(data, 0, len(data))
        if measured is None or not self.table.least <= measured[0] <= self.table.head.most:
            return None
        return self.table.selectors.get(measured[1:])

    def _behind_lengths(self, data: bytes) -> list[tuple[int, int, int]]:
        """Start and end of frames that tile a message with a length before each, and its bytes."""
        out: list[tuple[int, int, int]] = []
        at, end, size = 0, len(data), self.prefixed.least - self.table.least
        while at < end:
            measured = self.prefixed.measure(data, at, end)
            if measured is None or self.prefixed.selectors.get(measured[1:]) is None:
                return []
            after = at + measured[0]
            if not at + self.prefixed.least <= after <= end:
                return []
            out.append((at + size, after, size))
            at = after
        return out


def _prefix(size: int) -> Problem:
    told = f"a length of {size} bytes stands before the frame, as on TCP; messages have none"
    return Problem(ProblemCode.CARRIER, -1, 0, 0, told)


class _Span(NamedTuple):
    """Where a message stands in the rider's stream and on the wire."""

    start: int
    end: int
    carried: CarriedMessage

    def place_of(self, position: int) -> int:
        """Where a byte of the rider's stream stands on the wire, or would stand."""
        carried = self.carried
        width = carried.end - carried.offset
        return carried.offset + (position - self.start) * width // (self.end - self.start)


class CarriedStream(CarriedSide):
    """A rider that takes bytes: messages one after the other are its stream."""

    def __init__(
        self, table: FrameTable, link: CarrierConnection, side: int, *, start: bool
    ) -> None:
        super().__init__(table, link, side, start=start)
        self.cutter = FrameSplitter(
            table, in_step=start, sound=WellFormedCheck(table), effort=link.effort
        )
        self.side = side
        self.end = 0
        """Bytes of the rider's stream so far, each hole counted as `BEYOND`."""
        self.spans: deque[_Span] = deque()
        """The messages of which the cutter holds bytes."""
        self.problem: Problem | None = None
        """What is wrong with a message of which no frame has told yet."""

    def fits(self, message: bytes) -> bool:  # noqa: ARG002 - as all riders are asked
        """Frames may begin anywhere, so nothing speaks against a message."""
        return True

    def carried(self, carried: CarriedMessage) -> list[Piece]:
        """The frames that the message makes whole."""
        self.problem = self.problem or carried.problem
        if not carried.data:
            return []
        end = self.end + len(carried.data)
        self.spans.append(_Span(self.end, end, carried))
        time_ns, file, packet = carried.place.at
        segment = Segment(0, self.side, self.end, carried.data, packet, packet, time_ns, file, file,
                          0, 0, retransmitted=False)  # fmt: skip
        self.end = end
        return self._placed(self.cutter.feed(segment))

    def hole(self) -> list[Piece]:
        """The stream goes on nobody knows where."""
        gap = Gap(0, self.side, self.end, BEYOND, 0, 0, 0, "lost")
        self.end += BEYOND
        return self._placed(self.cutter.gap(gap))

    def finish(self) -> list[Piece]:
        """No more bytes."""
        return [*super().finish(), *self._placed(self.cutter.finish())]

    @property
    def in_step(self) -> bool:
        """True when the next byte is the first of a frame, or one that the carrier expects."""
        return self.bearer.in_step and self.cutter.in_step

    @property
    def total(self) -> int:
        """Bytes of what has begun and is not whole."""
        return self.bearer.pending or self.cutter.total

    @property
    def late(self) -> bool:
        """True when something was found inside another."""
        return self.bearer.late or self.cutter.late

    @property
    def unsettled(self) -> At | None:
        """The packet that brought bytes of which it is open what they are."""
        known = [each for each in (self.bearer.unsettled, self.cutter.unsettled) if each]
        return min(known, default=None)

    def _placed(self, pieces: Iterable[RawFrame | SkippedBytes]) -> list[Piece]:
        """Pieces of the rider's stream as pieces of the connection's."""
        out: list[Piece] = []
        for piece in pieces:
            length = len(piece.data) if isinstance(piece, RawFrame) else piece.length
            spans = self._spans(piece.offset, piece.offset + length)
            offset = spans[0].place_of(piece.offset)
            place = joined([each.carried.place for each in spans])
            if isinstance(piece, RawFrame):
                problem = piece.problem or self.problem
                self.problem = None
                out.append(piece._replace(offset=offset, place=place, problem=problem))
                continue
            on_wire = sum(
                each.place_of(min(each.end, piece.offset + length))
                - each.place_of(max(each.start, piece.offset))
                for each in spans
            )
            self.framed -= on_wire
            self.skipped[piece.reason] += on_wire
            out.append(piece._replace(offset=offset, length=on_wire, place=place))
        return out

    def _spans(self, start: int, end: int) -> list[_Span]:
        """The messages that bytes of the rider's stream came in; called in order."""
        spans = self.spans
        while len(spans) > 1 and spans[0].end <= start:
            spans.popleft()
        out = []
        for each in spans:
            out.append(each)
            if each.end >= end:
                break
        return out


def joined(places: Iterable[PacketRef]) -> PacketRef:
    """The packets of several places, as of the last one."""
    places = list(places)
    if len(places) == 1:
        return places[0]
    at = max(each.at for each in places)
    packets = [number for each in places if each.at[1] == at[1] for number in each.packets]
    return PacketRef(list(dict.fromkeys(packets)), at)


class PacketSets:
    """The packets of frames that belong together, in as little room as their numbers need."""

    __slots__ = ("at", "packets")

    def __init__(self) -> None:
        self.at: At = (0, 0, 0)
        self.packets: list[int] = []

    def add(self, place: PacketRef) -> None:
        """Those of one more frame; of another file, those before are no longer named."""
        if not self.packets or place.at > self.at:
            if place.at[1] != self.at[1]:
                self.packets.clear()
            self.at = place.at
        if place.at[1] == self.at[1]:
            last = self.packets[-1] if self.packets else None
            self.packets += place.packets[1:] if last in place.packets[:1] else place.packets

    def joined(self) -> PacketRef:
        """All of them, as of the last one."""
        return PacketRef(list(dict.fromkeys(self.packets)), self.at)
