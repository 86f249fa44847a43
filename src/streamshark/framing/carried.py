"""Frames of a protocol that runs over a carrier, with their position in the TCP stream.

A connection reads each direction with a `FrameSplitter` or with a `CarriedSide`: segments go in,
and frames, skipped bytes and carrier events come out. `Route` names a protocol directly on TCP, or
in a slot of a carrier.

A frame has the packets of its message, and the time at which the message was complete. Its offset
is that of its first byte on the wire; for a compressed message, the offset is in proportion to the
frame's position in the decompressed data.
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
"""Size assumed for a hole of unknown size: longer than any frame."""

Piece = RawFrame | SkippedBytes | CarrierEvent


class Route(NamedTuple):
    """A protocol and its carrier."""

    table: FrameTable
    carrier: Carrier | None = None
    """None directly on TCP."""

    @property
    def leads(self) -> bool:
        """False directly on TCP if frames have no length: such a route reads nothing."""
        return self.carrier is not None or self.table.cuts

    def may_begin(self, data: bytes) -> bool:
        """Return whether these may be the first bytes of a direction, by their head alone."""
        pattern = self.carrier.opens if self.carrier else self.table.wire.marks
        return pattern is None or pattern.match(data) is not None

    def may_go_on(self, data: bytes, within: int = 0) -> bool:
        """Return whether a frame may begin with a segment that is not a direction's first.

        Directly on TCP, a frame may also begin within its first `within` bytes.
        """
        marks = self.carrier.marks if self.carrier else self.table.wire.marks
        if marks is None or marks.match(data) or self.may_begin(data):
            return True
        return not self.carrier and marks.search(data, 0, within) is not None

    def reader(
        self, link: CarrierConnection | None, side: int, *, start: bool, effort: ResyncEffort = FULL
    ) -> "FrameSplitter | CarriedSide":
        """Return the reader of one direction; `link` is the reader of the carrier's connection.

        `effort` limits a resynchronisation directly on TCP; `link` has its own limit.
        """
        sound = WellFormedCheck(self.table)
        if link is None:
            return FrameSplitter(self.table, in_step=start, sound=sound, effort=effort)
        kind = CarriedMessages if self.table.bare else CarriedStream
        return kind(self.table, link, side, start=start)


def routes(tables: Iterable[FrameTable], carriers: Iterable[Carrier]) -> tuple[Route, ...]:
    """Return a route on TCP for every protocol, then one for each slot in which it may be carried.

    A protocol whose frames have no length gets a route on TCP too, with `leads` False.
    """
    tables, carriers = tuple(tables), tuple(carriers)
    return (
        *map(Route, tables),
        *(
            Route(as_carried(table, takes), carrier)
            for table in tables
            for carrier in carriers
            for slot, takes in carrier.slots.items()
            if slot in table.wire.carried_in
        ),
    )


def as_carried(table: FrameTable, takes: Carriage) -> FrameTable:
    """Return the frame table of the same protocol and dialect for a way of carrying."""
    return table.wire.table(table.dialect, bare=True) if takes is Carriage.MESSAGES else table


class CarriedSide:
    """One direction of a carried connection, split into frames of the carried protocol."""

    foreign: str | None = None
    """Always None: carried bytes are never taken for a third protocol."""
    upgraded: str | None = None

    def __init__(
        self, table: FrameTable, link: CarrierConnection, side: int, *, start: bool
    ) -> None:
        self.table = table
        self.link = link
        self.carrier_reader: CarrierReader = link.side(side, start=start, fits=self.fits)
        self.framed = 0
        """Bytes on the wire that became rows, with the carrier's overhead."""
        self.skipped: Counter[str] = Counter()

    def feed(self, segment: Segment) -> list[Piece]:
        """Read the next segment."""
        return self._taken(self.carrier_reader.feed(segment))

    def gap(self, gap: Gap) -> list[Piece]:
        """Skip bytes that were not captured."""
        return [*self._taken(self.carrier_reader.gap(gap)), *self.hole()]

    def finish(self) -> list[Piece]:
        """Return what is left at the end of the stream."""
        return self._taken(self.carrier_reader.finish())

    def fits(self, message: bytes) -> bool:
        """Return whether a message may belong to the carried protocol."""
        raise NotImplementedError

    def carried(self, carried: CarriedMessage) -> list[Piece]:
        """Return the frames in a message."""
        raise NotImplementedError

    def hole(self) -> list[Piece]:
        """Note that a message may be missing here."""
        return []

    @property
    def in_step(self) -> bool:
        """True if the next byte is the start of a frame of the carrier."""
        return self.carrier_reader.in_step

    @property
    def total(self) -> int:
        """Length in bytes of the incomplete item, as far as known; else 0."""
        return self.carrier_reader.pending

    @property
    def resume(self) -> int:
        """Offset before which bytes are the rest of something that a gap cut."""
        return self.carrier_reader.resume

    @property
    def preamble(self) -> int:
        """Bytes of a PROXY protocol header before the first byte."""
        return self.carrier_reader.preamble

    @property
    def late(self) -> bool:
        """True if the last frame was found inside another."""
        return self.carrier_reader.late

    @property
    def unsettled(self) -> At | None:
        """The packet of the first byte that is not yet identified; None without such bytes."""
        return self.carrier_reader.unsettled

    def _taken(self, items: Iterable[Item]) -> list[Piece]:
        out: list[Piece] = []
        for item in items:
            if isinstance(item, SkippedBytes):
                is_preamble = item.offset < self.preamble and item.reason != proxy_protocol.TUNNEL
                self.skipped[proxy_protocol.REASON if is_preamble else item.reason] += item.length
                # After a refusal, no frame can be missing.
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
    """A direction whose messages are one frame each, without the length prefix of a stream.

    A message that is not a frame, but frames with that length prefix, is split at the lengths, and
    each frame gets a problem that names the prefix.
    """

    def __init__(
        self, table: FrameTable, link: CarrierConnection, side: int, *, start: bool
    ) -> None:
        super().__init__(table, link, side, start=start)
        self.sound = WellFormedCheck(table)
        self.prefixed = table.wire.table(table.dialect)

    def fits(self, message: bytes) -> bool:
        """Return whether the message is well-formed, with or without a length prefix."""
        if (selector := self._selector(message)) is not None:
            return self.sound(message, selector)
        return bool(self._after_lengths(message))

    def carried(self, carried: CarriedMessage) -> list[Piece]:
        """Return the one frame of a message; several if each has a length prefix."""
        offset, data, place = carried.offset, carried.data, carried.place
        if (selector := self._selector(data)) is not None:
            return [
                RawFrame(offset, data, place, selector, carried.problem or self._as_text(carried))
            ]
        if ends := self._after_lengths(data):
            return [
                RawFrame(offset + start, data[start:end], place, self._selector(data[start:end]),
                    carried.problem or _prefix(size))
                for start, end, size in ends
            ]  # fmt: skip
        measured = self.table.measure(data, 0, len(data))
        if measured is None:
            message = f"a message of {len(data)} bytes contains no frame"
            problem = Problem(ProblemCode.LENGTH, -1, 0, len(data), message)
            return [RawFrame(offset, data, place, None, problem)]
        selector = Selector(*measured[1:])
        problem = self.table.oddity(len(data), selector)
        return [RawFrame(offset, data, place, selector, problem)]

    def _as_text(self, carried: CarriedMessage) -> Problem | None:
        """Return the problem of a frame in a text message of a protocol whose frames are binary."""
        if not (carried.is_text and self.table.wire.binary):
            return None
        return Problem(ProblemCode.CARRIER, -1, 0, 0, "a text message; frames need binary messages")

    def _selector(self, data: bytes) -> Selector | None:
        measured = self.table.measure(data, 0, len(data))
        if measured is None or not self.table.least <= measured[0] <= self.table.head.most:
            return None
        return self.table.selectors.get(measured[1:])

    def _after_lengths(self, data: bytes) -> list[tuple[int, int, int]]:
        """Return (start, end, bytes of the prefix) of length-prefixed frames that fill a message.

        Empty if the message is not of this form.
        """
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
    message = f"a length of {size} bytes precedes the frame, as on TCP; messages have none"
    return Problem(ProblemCode.CARRIER, -1, 0, 0, message)


class _Span(NamedTuple):
    """Position of a message in the carried stream; `carried` has that on the wire."""

    start: int
    end: int
    carried: CarriedMessage

    def place_of(self, position: int) -> int:
        """Return the offset on the wire of a carried byte, estimated if it was compressed."""
        carried = self.carried
        width = carried.end - carried.offset
        return carried.offset + (position - self.start) * width // (self.end - self.start)


class CarriedStream(CarriedSide):
    """A direction whose messages in a row are a stream of the carried protocol."""

    def __init__(
        self, table: FrameTable, link: CarrierConnection, side: int, *, start: bool
    ) -> None:
        super().__init__(table, link, side, start=start)
        self.splitter = FrameSplitter(
            table, in_step=start, sound=WellFormedCheck(table), effort=link.effort
        )
        self.side = side
        self.end = 0
        """Bytes of the carried stream so far; each hole counts as `BEYOND`."""
        self.spans: deque[_Span] = deque()
        """The messages of which the splitter holds bytes."""
        self.problem: Problem | None = None
        """Problem of a message that no frame has shown yet."""

    def fits(self, message: bytes) -> bool:  # noqa: ARG002 - the interface
        """Return True: a frame may begin anywhere, so any message fits."""
        return True

    def carried(self, carried: CarriedMessage) -> list[Piece]:
        """Return the frames that the message completes."""
        self.problem = self.problem or carried.problem
        if not carried.data:
            return []
        end = self.end + len(carried.data)
        self.spans.append(_Span(self.end, end, carried))
        time_ns, file, packet = carried.place.at
        segment = Segment(0, self.side, self.end, carried.data, packet, packet, time_ns, file, file,
                          0, 0, is_payload=False)  # fmt: skip
        self.end = end
        return self._placed(self.splitter.feed(segment))

    def hole(self) -> list[Piece]:
        """Continue after a gap of unknown size."""
        gap = Gap(0, self.side, self.end, BEYOND, 0, 0, 0, "lost")
        self.end += BEYOND
        return self._placed(self.splitter.gap(gap))

    def finish(self) -> list[Piece]:
        """Return what is left at the end of the stream."""
        return [*super().finish(), *self._placed(self.splitter.finish())]

    @property
    def in_step(self) -> bool:
        """True if the next byte is the start of a frame, or of a frame of the carrier."""
        return self.carrier_reader.in_step and self.splitter.in_step

    @property
    def total(self) -> int:
        """Length in bytes of the incomplete item, as far as known; else 0."""
        return self.carrier_reader.pending or self.splitter.total

    @property
    def late(self) -> bool:
        """True if the last frame was found inside another."""
        return self.carrier_reader.late or self.splitter.late

    @property
    def unsettled(self) -> At | None:
        """The packet of the first byte that is not yet identified; None without such bytes."""
        known = [each for each in (self.carrier_reader.unsettled, self.splitter.unsettled) if each]
        return min(known, default=None)

    def _placed(self, pieces: Iterable[RawFrame | SkippedBytes]) -> list[Piece]:
        """Convert positions in the carried stream into positions on the wire."""
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
        """Return the messages that hold a range of the carried stream; ranges come in order."""
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
    """Join several packet references into one, with the time of the last.

    Packets of earlier files are left out.
    """
    places = list(places)
    if len(places) == 1:
        return places[0]
    at = max(each.at for each in places)
    packets = [number for each in places if each.at[1] == at[1] for number in each.packets]
    return PacketRef(list(dict.fromkeys(packets)), at)


class PacketSets:
    """The packets of frames that belong together, in as little memory as their numbers need."""

    __slots__ = ("at", "packets")

    def __init__(self) -> None:
        self.at: At = (0, 0, 0)
        self.packets: list[int] = []

    def add(self, place: PacketRef) -> None:
        """Add the packets of one more frame; a later file replaces those of earlier ones."""
        if not self.packets or place.at > self.at:
            if place.at[1] != self.at[1]:
                self.packets.clear()
            self.at = place.at
        if place.at[1] == self.at[1]:
            last = self.packets[-1] if self.packets else None
            self.packets += place.packets[1:] if last in place.packets[:1] else place.packets

    def joined(self) -> PacketRef:
        """Return all packets, with the time of the last."""
        return PacketRef(list(dict.fromkeys(self.packets)), self.at)
