"""One recognised connection: its two cutters, what it has agreed, and its rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from streamshark.decoding.decoder import Decoder, ShallowResult
from streamshark.decoding.runtime import ODD
from streamshark.dissection.embedded import EmbeddedProtocols
from streamshark.dissection.reading_state import ReadingState, ResumableSession
from streamshark.dissection.reassembly import Reassembly
from streamshark.dissection.row import EventRow, FrameRow, Row, row_of
from streamshark.dissection.spanning_items import OpenItems
from streamshark.dissection.stream_types import AnnouncedTypes
from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.framing.carried import CarriedSide, Piece, Route
from streamshark.framing.carrier import Carrier, CarrierEvent
from streamshark.framing.splitter import At, FrameSplitter, PacketRef, RawFrame, Said, SkippedBytes
from streamshark.framing.wire_format import FrameTable, Selector, WireFormat
from streamshark.schema import Problem, ProblemCode, Sender

Delivered = Segment | Gap | FlowEvent
ATTEMPTED = "attempted"
"""Reason of a connection that was never open."""
_new = tuple.__new__
"""As in `cutting`."""


class Connection:
    """Turns what `flows` delivers of one connection into rows."""

    def __init__(
        self,
        flow: Flow,
        table: FrameTable,
        reason: str,
        shared: ReadingState | None = None,
        carrier: Carrier | None = None,
    ) -> None:
        self.flow = flow
        self.route = Route(table, carrier)
        self.link = carrier.link() if carrier else None
        """What reads the carrier that the protocol rides on; None where it is on TCP itself."""
        self.table = table
        self.wire = table.wire
        self.reason = reason
        """Why it is taken for this protocol."""
        self.turns = self.wire.turned is not None and not table.dialect
        """Whether it shows itself which dialect it speaks."""
        self.client = flow.client
        """The side that opened it, by its SYN or by what only one side sends; None unprovable."""
        self.agreed: dict[str, Any] = {}
        """What the connection has agreed so far, by the name of the `Agreement`.

        Replaced, never changed: rows keep what held for them.
        """
        self.shared = shared or ReadingState()
        if self.link is not None:
            self.link.allowance = self.shared.allowance
        fragments, types = self.wire.fragments, self.wire.stream_types
        followers: list[Reassembly | OpenItems] = []
        if fragments:
            followers.append(Reassembly(fragments, self.shared.pool))
        if self.wire.run:
            followers.append(OpenItems(self.wire.run, self.shared.pool))
        self.pieces = tuple(followers)
        """What puts together what frames have cut."""
        self.types = AnnouncedTypes(types) if types and self.shared.pool.keeps else None
        self.cutters: list[FrameSplitter | CarriedSide | None] = [None, None]
        self.outer: Connection | None = None
        """Whose frames hold its own; None where it is not inside another protocol."""
        self.inner: dict[WireFormat, Connection] = {}
        """What it is to protocols that stand inside of its frames."""
        guests = [each for each in self.shared.guests if each.wire.rides & table.slots]
        self.nest = EmbeddedProtocols(self, guests, self.shared.memory) if guests else None
        """What stands in its frames and makes rows too."""
        self.skips: list[SkippedBytes | None] = [None, None]
        """Skipped bytes of each side that no row has told yet."""
        followed = self.pieces or self.types or self.nest
        self.is_plain = not (followed or self.turns or table.between_servers)
        """Whether frames need no more than their decoder."""
        self.lost = 0
        self.latest: Delivered | None = None
        """What came last."""
        self.holds = False
        """Whether others were told to wait for it, since it was `unsettled`."""
        self.parted = False
        """Whether a part of stray bytes has been given out before their end was known."""

    def nested(self, table: FrameTable) -> "Connection":
        """The same connection as a protocol sees it whose frames stand in its own."""
        found = self.inner.get(table.wire)
        if found is None:
            shared = ReadingState(puts_together=False)
            found = Connection(self.flow, table, f"inside {self.wire.id}", shared)
            found.outer = self
            self.inner[table.wire] = found
        found.client = self.client
        return found

    def feed(self, delivered: Delivered) -> list[Row]:
        """The rows that this brings, in order."""
        if isinstance(delivered, Segment):
            cutter = self.cutters[delivered.side] or self._cutter(delivered)
            pieces = cutter.feed(delivered)
            self.latest = delivered
            return self._rows(delivered.side, pieces) if pieces else []
        self.latest = delivered
        return self._gap(delivered) if isinstance(delivered, Gap) else self._event(delivered)

    def take_last(
        self, side: int, cutter: FrameSplitter, segment: Segment, rows: list[Row]
    ) -> bool:
        """Take a segment that is the end of one sound frame; False, taking none, for others."""
        if self.holds or self.skips[side] is not None:
            return False
        data = b"".join([*cutter.chunks, segment.data])
        if (said := cutter.said) is None:
            measured = cutter.measured(data, cutter.base)
            if measured is None or measured[0] != len(data):
                return False
            said = measured[1:]
        return self.take_whole(side, cutter, segment, data, said, rows)

    def take_whole(
        self,
        side: int,
        cutter: FrameSplitter,
        segment: Segment,
        data: bytes,
        said: Said,
        rows: list[Row],
    ) -> bool:
        """Make the rows of a frame if it is sound; it ends with the segment."""
        plain = self.table.plain[said] if self.is_plain and self.client is not None else None
        if plain is None:
            selector = self.table.selectors.get(said)
            if selector is None or not cutter.sound(data, selector):
                return False
            cut = cutter.take(segment, data, selector)
            rows += self._rows(side, (cut,)) if self.nest else (self._frame(side, cut),)
            return True
        selector, decoder = plain
        try:
            outline = decoder.outline(data)
        except ODD:
            return False
        # What `_frame` would make of it, of which nothing is to be learnt.
        offset, _, (packets, at), _, _ = cutter.take(segment, data, selector)
        row = FrameRow(
            self, side, offset, data, packets, *at, selector, decoder,
            outline, None if decoder.has_lists else outline, (),
        )  # fmt: skip
        rows.append(row)
        return True

    def stray(self) -> list[Row]:
        """Rows for stray bytes that nobody waits for any longer: more of them make another row."""
        rows: list[Row] = []
        for side, skip in enumerate(self.skips):
            if skip is not None and skip.stray:
                self._tell(side, rows)
                self.parted = True
        self.holds = False
        return rows

    def finish(self) -> list[Row]:
        """The capture has ended."""
        return [row for side in (0, 1) for row in self._end(side)]

    def let_go(self) -> None:
        """Nothing more comes: keep only what is told of the connection as a whole."""
        self.cutters = [None, None]
        self.pieces, self.types, self.nest, self.latest = (), None, None, None
        for each in self.inner.values():
            each.let_go()

    def sender(self, side: int) -> str | None:
        """`client` or `server`, None when it cannot be proved."""
        if self.client is None:
            return None
        return "client" if side == self.client else "server"

    @property
    def spoken(self) -> tuple[str, str | None]:
        """Protocol, and the carrier that it rides on if any."""
        carrier = self.route.carrier
        return self.wire.id, carrier.id if carrier else None

    @property
    def unsettled(self) -> At | None:
        """The earliest packet with bytes of which it is still open whether they are frames.

        Or which are none, while no row has told so.
        """
        known = [each.unsettled for each in self.cutters if each is not None]
        known += (each.since for each in self.skips if each is not None and each.stray)
        return min((each for each in known if each is not None), default=None)

    @property
    def now(self) -> At:
        """The latest packet that brought something."""
        latest = self.latest
        return (latest.time_ns, latest.file, latest.packet) if latest else (0, 0, 0)

    # Bytes

    def _cutter(self, first: Segment | Gap) -> FrameSplitter | CarriedSide:
        start = first.offset == 0 and self.flow.client is not None
        cutter = self.route.reader(self.link, first.side, start=start)
        self.cutters[first.side] = cutter
        if not start:
            self._lose(first.side)
        return cutter

    def _rows(self, side: int, pieces: Sequence[Piece]) -> list[Row]:
        rows: list[Row] = []
        cutter = self.cutters[side]
        if cutter is not None and cutter.late:
            pieces = [_not_before(self.now, each) for each in pieces]
        for piece in pieces:
            if isinstance(piece, RawFrame):
                if self.skips[side] is not None:
                    self._tell(side, rows, piece.place.at)
                row = self._frame(side, piece)
                rows.append(row)
                if self.nest is not None:
                    rows += self.nest.rows(row)
            elif isinstance(piece, SkippedBytes):
                self._skip(side, piece, rows)
            else:
                self._tell(side, rows, piece.place.at)
                rows.append(self._notice(side, piece))
        return rows

    def _frame(self, side: int, cut: RawFrame) -> FrameRow:
        if self.turns and cut.selector is not None and cut.selector.key in self.table.turning:
            self._turn(cut.data)
        decoder = self._decoder(side, cut.selector, cut.data)
        if cut.problem is not None and cut.problem.code.stops:
            decoder = None
        skimmed = decoder.skim(cut.data) if decoder else ShallowResult({}, [], is_whole=True)
        if cut.problem is not None:
            skimmed = skimmed._replace(problems=[cut.problem, *skimmed.problems])
        row = row_of(self, side, cut, decoder, skimmed)
        if decoder is not None:
            self._learn(side, decoder, row)
            if self.table.between_servers or decoder.tree.schema.sender is Sender.PEER:
                row.sender = Sender.PEER.value
            for each in self.pieces:
                each.see(row, decoder.schema)
            if self.types is not None:
                self.types.see(row, client=side == (self.client or 0))
        elif cut.selector is None:
            self._lose(side)
        return row

    def _turn(self, data: bytes) -> None:
        """Read on in the dialect that a frame shows."""
        if self.wire.turned is None:
            return
        dialect = self.wire.turned(self.table.dialect, data)
        if dialect != self.table.dialect:
            self.table = self.wire.table(dialect, bare=self.table.bare)

    def _decoder(self, side: int, selector: Selector | None, data: bytes) -> Decoder | None:
        """The schema of a frame: by its selector, then by who sends it, then by what fits."""
        if selector is None:
            return None
        found = self.table.decoders.get(selector, [])
        if len(found) < 2:  # noqa: PLR2004 - nothing to choose
            return found[0] if found else None
        sender = self.sender(side) or self._likely(side)
        for each in found:
            if sender is not None and each.schema.sender.value in (sender, "both"):
                return each
        return next((each for each in found if each.is_sound(data)), found[0])

    def _likely(self, side: int) -> str | None:
        """The sender as the ports have it: good enough to choose between schemas, no proof."""
        here, there = (port in self.wire.ports for port in self.flow.ports)
        if here == there:
            return None
        return "server" if here == (side == 0) else "client"

    def _learn(self, side: int, decoder: Decoder, row: FrameRow) -> None:
        """What the frame proves of the sides, and what it agrees."""
        schema = decoder.schema
        if self.client is None:
            self.client = self._client(side, row)
            row.sender = self.sender(side)
        if not schema.turns or any(map(_is_misread, row.problems)):
            return
        response = row.selector.response if row.selector else False
        said = {
            each.name: each.joined(self.agreed, value)
            for each in self.table.agreements.get((schema.name, response), ())
            if (value := each.said(schema, row.values)) is not None
        }
        if said:
            row.agreed = self.agreed = {**self.agreed, **self._resumed(schema.name, said), **said}

    def _resumed(self, command: str, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the session that a frame resumes has agreed; one that it begins is remembered."""
        given = self.wire.resumption
        token = said.get(given.name) if given else None
        if given is None or not isinstance(token, bytes):
            return {}
        if command == given.begins:
            kept = {name: value for name, value in said.items() if name in given.keeps}
            self.shared.remember((self.wire.id, token), ResumableSession(kept, self.types))
        if command != given.resumes:
            return {}
        self._lose(0)
        self._lose(1)
        session = self.shared.recall((self.wire.id, token))
        self.types = session.types or self.types
        return session.agreed

    def _client(self, side: int, row: FrameRow | None) -> int | None:
        """The side that the carrier, or a frame of a side, proves to be the client."""
        if self.link is not None and self.link.client is not None:
            return self.link.client
        sender = self._proved(row) if row is not None else None
        return None if sender is None else side if sender is Sender.CLIENT else 1 - side

    def _proved(self, row: FrameRow) -> Sender | None:
        """Who alone sends frames with this selector, or opens a stream of this number."""
        found = self.table.decoders.get(row.selector, []) if row.selector else []
        senders = {each.schema.sender for each in found}
        if len(senders) == 1 and not senders & {Sender.BOTH, Sender.PEER}:
            return senders.pop()
        parity, command = self.wire.parity, row.command
        if parity is None or command is None or row.problems:
            return None
        return parity.opener(self.table.dialect, command, row.outline.get(parity.by))

    # Events

    def _lose(self, side: int) -> None:
        """Bytes of a side are missing, or no more come."""
        for each in self.pieces:
            each.lose(side)

    def _skip(self, side: int, skip: SkippedBytes, rows: list[Row]) -> None:
        """Join skipped bytes that follow each other for one reason."""
        held = self.skips[side]
        if held is None:
            self._lose(side)
        if skip.stray and self.parted and not self.holds:
            skip = skip._replace(since=max(skip.since, self.now))  # rows up to now have gone out
        if skip.total or (held and held.reason != skip.reason):
            self._tell(side, rows)
            held = None
        if held is not None:
            place = skip.place
            if held.place != place:
                packets = dict.fromkeys((*held.place.packets, *place.packets))
                place = place._replace(packets=[*packets][:64])
            skip = held._replace(length=held.length + skip.length, place=place)
        self.skips[side] = skip
        if skip.total:
            self._tell(side, rows)

    def _tell(self, side: int, rows: list[Row], at: At | None = None) -> None:
        """A row for the skipped bytes that none has told yet.

        Stray ones stand where the first of them came; others take the time `at` of the frame behind
        them, else that of what ended them.
        """
        skip, self.skips[side] = self.skips[side], None
        if skip is None:
            return
        fields: dict[str, Any] = {"sender": self.sender(side), "offset": skip.offset}
        if skip.total:
            name = "partial"
            fields |= {"length": skip.length, "expected": skip.total, "reason": skip.reason}
            fields["command"] = self._command(skip.selector)
        else:
            name = "resync"
            fields |= {"skipped": skip.length, "reason": skip.reason}
        at = skip.since if skip.stray else max(skip.place.at, at or self.now)
        place = skip.place._replace(at=at)
        row = EventRow(self, side, skip.offset, place, name, fields)
        row.keeps_time = skip.stray and (self.holds or not self.parted)
        rows.append(row)

    def _notice(self, side: int, notice: CarrierEvent) -> EventRow:
        """A row for something of the carrier's own."""
        if self.client is None:
            self.client = self._client(side, None)
        fields = {"sender": self.sender(side), **notice.fields}
        row = EventRow(self, side, notice.offset, notice.place, notice.name, fields)
        row.protocol, row.problems = notice.protocol, list(notice.problems)
        return row

    def _command(self, selector: Selector | None) -> str | None:
        found = self.table.decoders.get(selector, []) if selector else []
        return found[0].schema.name if found else None

    def _gap(self, gap: Gap) -> list[Row]:
        cutter = self.cutters[gap.side] or self._cutter(gap)
        self._lose(gap.side)
        rows = self._rows(gap.side, cutter.gap(gap))
        self._tell(gap.side, rows)
        self.lost += gap.length
        fields = {"sender": self.sender(gap.side), "offset": gap.offset, "length": gap.length,
                  "reason": gap.reason}  # fmt: skip
        place = PacketRef([gap.packet], self.now)
        rows.append(EventRow(self, gap.side, gap.offset, place, "gap", fields))
        return rows

    def _event(self, event: FlowEvent) -> list[Row]:
        rows = []
        if event.name == "open":
            if self.client is None:
                self.client = self.flow.client
        elif event.name == "close":
            rows = self._end(event.side)
        else:
            rows = self.finish()
        place = PacketRef([event.packet], self.now)
        fields = {"sender": self.sender(event.side)}
        rows.append(EventRow(self, event.side, event.offset, place, event.name, fields))
        return rows

    def _end(self, side: int) -> list[Row]:
        cutter = self.cutters[side]
        rows = self._rows(side, cutter.finish()) if cutter else []
        self._tell(side, rows)
        self._lose(side)
        return rows


def straight(  # noqa: C901, PLR0912 - the hottest loop
    connections: Mapping[int, Connection | None],
    delivered: Sequence[Delivered],
    at: int,
    now: int,
    rows: list[Row],
) -> int:
    """Take the short way with what comes next of any connection, as far as it goes.

    It is for segments that only bring a frame nearer to its end, or end one sound frame. Adds the
    rows; returns where the first stands that was not taken, `at` itself where it was none: it is
    anything else, or older than `now`, the time of the one before. What is `unsettled` stays as it
    is.
    """
    connection: Connection
    cutter: FrameSplitter
    end, known, reader = len(delivered), -1, -1
    while at < end:
        segment = delivered[at]
        if segment.__class__ is not Segment:
            break
        flow, side, offset, data, origin, packet, time_ns, file = segment[:8]
        if time_ns < now:
            break
        if flow != known or side != reader:
            known, reader = flow, side
            found = connections.get(flow)
            if found is None or found.cutters[side].__class__ is not FrameSplitter:
                break
            connection, cutter = found, found.cutters[side]  # type: ignore[assignment]
            if cutter.held and time_ns < cutter.marks[-1].time_ns:
                break
        if held := cutter.held:
            held += len(data)
            if held < cutter.total:  # which is 0 where no frame of known length has begun
                cutter.chunks.append(data)
                cutter.held = held
                cutter.marks.append(segment)
            elif held != cutter.total or not connection.take_last(side, cutter, segment, rows):
                break
        # Who holds others is looked at with each segment; what was skipped is told before a row.
        elif (
            not cutter.in_step
            or offset < cutter.resume
            or cutter.preamble is None
            or connection.holds
            or connection.skips[side] is not None
            or (cutter.tried and not cutter.may_measure(len(data), offset))
        ):
            break
        elif (
            connection.is_plain
            and connection.client is not None
            and cutter.least <= (length := len(data)) <= cutter.most
            and (plain := connection.table.whole(data)) is not None
        ):
            selector, decoder = plain
            try:
                outline = decoder.outline(data)
            except ODD:
                break
            # What `_frame` would make of it, of which nothing is to be learnt.
            cutter.base = offset + length
            cutter.framed += length
            cutter.late = False
            row = FrameRow(
                connection, side, offset, data, [origin], time_ns, file, packet,
                selector, decoder, outline, None if decoder.has_lists else outline, (),
            )  # fmt: skip
            rows.append(row)
        elif (measured := cutter.measure(data, 0, length := len(data))) is None:
            break
        elif (total := measured[0]) != length or not cutter.least <= total <= cutter.most:
            if total <= length or not cutter.begin(segment, total, measured[1:]):
                break
        elif not connection.take_whole(side, cutter, segment, data, measured[1:], rows):
            break
        connection.latest = segment
        now = time_ns
        at += 1
    return at


def _not_before(at: At, piece: Piece) -> Piece:
    return piece._replace(place=piece.place._replace(at=max(at, piece.place.at)))


def _is_misread(problem: Problem) -> bool:
    """Return whether the frame has another layout than its schema, so its values prove nothing."""
    return problem.code.stops or problem.code is ProblemCode.TRAILING
