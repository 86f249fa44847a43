"""One recognised connection: its two splitters, its negotiated values, and its rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from streamshark.decoding.decoder import Decoder, ShallowResult
from streamshark.decoding.runtime import ODD
from streamshark.dissection.embedded import EmbeddedProtocols
from streamshark.dissection.reading_state import ReadingState, ResumableSession
from streamshark.dissection.reassembly import Reassembly
from streamshark.dissection.row import ConnectionRecord, EventRow, FrameRow, Row, row_of
from streamshark.dissection.spanning_items import OpenItems
from streamshark.dissection.stream_types import AnnouncedTypes
from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.framing.carried import CarriedSide, Piece, Route
from streamshark.framing.carrier import Carrier, CarrierEvent
from streamshark.framing.splitter import (
    At,
    FrameSplitter,
    PacketRef,
    RawFrame,
    Selection,
    SkippedBytes,
)
from streamshark.framing.wire_format import FrameTable, Selector
from streamshark.schema import Problem, ProblemCode, Sender

Delivered = Segment | Gap | FlowEvent
_new = tuple.__new__
"""As in `splitter`."""


class Connection(ConnectionRecord):
    """A connection of a known protocol, which turns the records of `flows` into rows."""

    def __init__(
        self,
        flow: Flow,
        table: FrameTable,
        reason: str,
        shared: ReadingState | None = None,
        carrier: Carrier | None = None,
    ) -> None:
        super().__init__(flow, table, reason, carrier)
        self.route = Route(table, carrier)
        self.shared = shared or ReadingState()
        self.link = carrier.link(allowance=self.shared.allowance) if carrier else None
        """Reader of the carrier; None if the protocol is directly on TCP."""
        fragments, types = self.wire.fragments, self.wire.stream_types
        followers: list[Reassembly | OpenItems] = []
        if fragments:
            followers.append(Reassembly(fragments, self.shared.pool))
        if self.wire.run:
            followers.append(OpenItems(self.wire.run, self.shared.pool))
        self.pieces = tuple(followers)
        """Reassembly of fragments and of items that span frames."""
        self.types = AnnouncedTypes(types) if types and self.shared.pool.keeps else None
        self.splitters: list[FrameSplitter | CarriedSide | None] = [None, None]
        embedded_tables = [
            each for each in self.shared.embedded_tables if each.wire.carried_in & table.slots
        ]
        self.embedded = (
            EmbeddedProtocols(self, embedded_tables, self.shared.memory)
            if embedded_tables
            else None
        )
        """Embedded protocols that make rows of their own; None without any."""
        self.embeds = self.embedded is not None
        self.skips: list[SkippedBytes | None] = [None, None]
        """Skipped bytes of each side that no row has shown yet."""
        followed = self.pieces or self.types or self.embedded
        self.is_plain = not (followed or self.may_switch_dialect or table.between_servers)
        """Whether frames need nothing but their decoder."""
        self.latest: Delivered | None = None
        """The latest record of `flows`."""
        self.holds = False
        """Whether rows of others are held back for it, because it was `unsettled`."""
        self.parted = False
        """Whether some of the stray bytes were shown before their end was known."""

    def assume(self, client: int | None) -> None:
        """Set the client's side of bytes without a capture, which begin with a frame."""
        self.client = client
        if self.carrier is not None:
            self.link = self.carrier.link(begun=True, allowance=self.shared.allowance)

    def check_unsettled(self) -> At | None:
        """Return `unsettled`; rows of others are held back for the connection from now on if set.

        They are no longer held back if it is None.
        """
        since = self.unsettled
        self.holds = since is not None
        return since

    def feed(self, delivered: Delivered) -> list[Row]:
        """Return the rows that a record of `flows` completes, in order."""
        if isinstance(delivered, Segment):
            splitter = self.splitters[delivered.side] or self._splitter(delivered)
            pieces = splitter.feed(delivered)
            self.latest = delivered
            return self._rows(delivered.side, pieces) if pieces else []
        self.latest = delivered
        return self._gap(delivered) if isinstance(delivered, Gap) else self._event(delivered)

    def take_last(
        self, side: int, splitter: FrameSplitter, segment: Segment, rows: list[Row]
    ) -> bool:
        """Process a segment that completes one well-formed frame.

        Else return False and do nothing.
        """
        if self.holds or self.skips[side] is not None:
            return False
        data = b"".join([*splitter.chunks, segment.data])
        if (selection := splitter.selection) is None:
            measured = splitter.measured(data, splitter.base)
            if measured is None or measured[0] != len(data):
                return False
            selection = measured[1:]
        return self.take_whole(side, splitter, segment, data, selection, rows)

    def take_whole(
        self,
        side: int,
        splitter: FrameSplitter,
        segment: Segment,
        data: bytes,
        selection: Selection,
        rows: list[Row],
    ) -> bool:
        """Add the rows of a frame if it is well-formed; it ends with the segment."""
        plain = self.table.plain[selection] if self.is_plain and self.client is not None else None
        if plain is None:
            selector = self.table.selectors.get(selection)
            if selector is None or not splitter.sound(data, selector):
                return False
            cut = splitter.take(segment, data, selector)
            rows += self._rows(side, (cut,)) if self.embedded else (self._frame(side, cut),)
            return True
        selector, decoder = plain
        try:
            shallow = decoder.shallow(data)
        except ODD:
            return False
        # The row that `_frame` would make; the frame changes no state.
        offset, _, (packets, at, lead), _, _ = splitter.take(segment, data, selector)
        row = FrameRow(
            self, side, offset, data, packets, *at, lead, selector, decoder,
            shallow, None if decoder.has_lists else shallow, (),
        )  # fmt: skip
        rows.append(row)
        return True

    def stray(self) -> list[Row]:
        """Return rows for stray bytes that are no longer held back.

        Further ones make another row.
        """
        rows: list[Row] = []
        for side, skip in enumerate(self.skips):
            if skip is not None and skip.stray:
                self._flush_skipped(side, rows)
                self.parted = True
        self.holds = False
        return rows

    def finish(self) -> list[Row]:
        """Return the last rows: the capture has ended."""
        return [row for side in (0, 1) for row in self._end(side)]

    def let_go(self) -> None:
        """Drop all state but what describes the connection as a whole: no more bytes come."""
        self.splitters = [None, None]
        self.pieces, self.types, self.embedded, self.latest = (), None, None, None

    @property
    def unsettled(self) -> At | None:
        """The earliest packet with bytes that may or may not be frames.

        Or with stray bytes that no row has shown yet. None without either.
        """
        known = [each.unsettled for each in self.splitters if each is not None]
        known += (each.since for each in self.skips if each is not None and each.stray)
        return min((each for each in known if each is not None), default=None)

    @property
    def now(self) -> At:
        """Time, file and number of the packet of the latest record; zeros before the first."""
        latest = self.latest
        return (latest.time_ns, latest.file, latest.packet) if latest else (0, 0, 0)

    # Bytes

    def _splitter(self, first: Segment | Gap) -> FrameSplitter | CarriedSide:
        start = first.offset == 0 and self.flow.client is not None
        splitter = self.route.reader(self.link, first.side, start=start)
        self.splitters[first.side] = splitter
        if not start:
            self._lose(first.side)
        return splitter

    def _rows(self, side: int, pieces: Sequence[Piece]) -> list[Row]:
        rows: list[Row] = []
        splitter = self.splitters[side]
        if splitter is not None and splitter.late:
            pieces = [_not_before(self.now, each) for each in pieces]
        for piece in pieces:
            if isinstance(piece, RawFrame):
                if self.skips[side] is not None:
                    self._flush_skipped(side, rows, piece.place.at)
                row = self._frame(side, piece)
                rows.append(row)
                if self.embedded is not None:
                    rows += self.embedded.rows(row)
            elif isinstance(piece, SkippedBytes):
                self._skip(side, piece, rows)
            else:
                self._flush_skipped(side, rows, piece.place.at)
                rows.append(self._notice(side, piece))
        return rows

    def _frame(self, side: int, cut: RawFrame) -> FrameRow:
        if (
            self.may_switch_dialect
            and cut.selector is not None
            and cut.selector.key in self.table.switching_keys
        ):
            self._switch_dialect(cut.data)
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

    def _switch_dialect(self, data: bytes) -> None:
        """Switch to the dialect that a frame shows."""
        if self.wire.switch_dialect is None:
            return
        dialect = self.wire.switch_dialect(self.table.dialect, data)
        if dialect != self.table.dialect:
            self.table = self.wire.table(dialect, bare=self.table.bare)

    def _decoder(self, side: int, selector: Selector | None, data: bytes) -> Decoder | None:
        """Return the decoder of a frame: by its selector, then by its sender, then by what fits."""
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
        """Return the sender as the ports suggest it: enough to choose between schemas, no proof."""
        here, there = (port in self.wire.ports for port in self.flow.ports)
        if here == there:
            return None
        return "server" if here == (side == 0) else "client"

    def _learn(self, side: int, decoder: Decoder, row: FrameRow) -> None:
        """Update the client's side and the negotiated values from a frame."""
        schema = decoder.schema
        if self.client is None:
            self.client = self._client(side, row)
            row.sender = self.sender(side)
        if not schema.negotiates or any(map(_is_misread, row.problems)):
            return
        response = row.selector.response if row.selector else False
        values = {
            each.name: each.joined(self.agreed, value)
            for each in self.table.agreements.get((schema.name, response), ())
            if (value := each.value_in(schema, row.values)) is not None
        }
        if values:
            row.agreed = self.agreed = {
                **self.agreed,
                **self._resumed(schema.name, values),
                **values,
            }

    def _resumed(self, command: str, negotiated: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the negotiated values of the session that a frame resumes.

        A session that it begins is remembered.
        """
        given = self.wire.resumption
        token = negotiated.get(given.name) if given else None
        if given is None or not isinstance(token, bytes):
            return {}
        if command == given.begins:
            kept = {name: value for name, value in negotiated.items() if name in given.keeps}
            self.shared.remember((self.wire.id, token), ResumableSession(kept, self.types))
        if command != given.resumes:
            return {}
        self._lose(0)
        self._lose(1)
        session = self.shared.recall((self.wire.id, token))
        self.types = session.types or self.types
        return session.agreed

    def _client(self, side: int, row: FrameRow | None) -> int | None:
        """Return the side that the carrier, or a frame of `side`, proves to be the client."""
        if self.link is not None and self.link.client is not None:
            return self.link.client
        sender = self._proved(row) if row is not None else None
        return None if sender is None else side if sender is Sender.CLIENT else 1 - side

    def _proved(self, row: FrameRow) -> Sender | None:
        """Return the only possible sender of frames with this selector, or opener of a stream."""
        found = self.table.decoders.get(row.selector, []) if row.selector else []
        senders = {each.schema.sender for each in found}
        if len(senders) == 1 and not senders & {Sender.BOTH, Sender.PEER}:
            return senders.pop()
        parity, command = self.wire.parity, row.command
        if parity is None or command is None or row.problems:
            return None
        return parity.opener(self.table.dialect, command, row.shallow.get(parity.by))

    # Events

    def _lose(self, side: int) -> None:
        """Note that bytes of a side are missing, or that no more come."""
        for each in self.pieces:
            each.lose(side)

    def _skip(self, side: int, skip: SkippedBytes, rows: list[Row]) -> None:
        """Join consecutive skipped bytes with the same reason.

        The first ones that are not read have a row at once: more may come for hours.
        """
        held = self.skips[side]
        if held is None:
            self._lose(side)
        if skip.stray and self.parted and not self.holds:
            skip = skip._replace(since=max(skip.since, self.now))  # rows up to now have gone out
        if skip.total or (held and held.reason != skip.reason):
            self._flush_skipped(side, rows)
            held = None
        if held is not None:
            place = skip.place
            if held.place != place:
                packets = dict.fromkeys((*held.place.packets, *place.packets))
                place = place._replace(packets=[*packets][:64])
            skip = held._replace(length=held.length + skip.length, place=place)
        self.skips[side] = skip
        if skip.total or skip.begins:
            self._flush_skipped(side, rows)

    def _flush_skipped(self, side: int, rows: list[Row], at: At | None = None) -> None:
        """Add a row for the skipped bytes that no row has shown yet.

        Stray ones have the time of the first of them; others the time `at` of the frame after them,
        else that of the latest record.
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
        """Return the row of a carrier's event."""
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
        splitter = self.splitters[gap.side] or self._splitter(gap)
        self._lose(gap.side)
        rows = self._rows(gap.side, splitter.gap(gap))
        self._flush_skipped(gap.side, rows)
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
        splitter = self.splitters[side]
        rows = self._rows(side, splitter.finish()) if splitter else []
        self._flush_skipped(side, rows)
        self._lose(side)
        return rows


def straight(  # noqa: C901, PLR0912 - the hottest loop
    connections: Mapping[int, Connection | None],
    delivered: Sequence[Delivered],
    at: int,
    now: int,
    rows: list[Row],
) -> int:
    """Process records on the fast path as far as possible, and return the index of the first other.

    The fast path is for segments, of any connection, that only bring a frame nearer to its end, or
    that complete one well-formed frame. It adds their rows. Any other record ends it, and so does
    one older than `now`, the time of the one before. `unsettled` does not change.
    """
    connection: Connection
    splitter: FrameSplitter
    end, known, reader = len(delivered), -1, -1
    while at < end:
        segment = delivered[at]
        if segment.__class__ is not Segment:
            break
        flow, side, offset, data, origin, packet, time_ns, file, _, _, _, is_payload = segment
        if time_ns < now:
            break
        if flow != known or side != reader:
            known, reader = flow, side
            found = connections.get(flow)
            if found is None or found.splitters[side].__class__ is not FrameSplitter:
                break
            connection, splitter = found, found.splitters[side]  # type: ignore[assignment]
            if splitter.held and time_ns < splitter.marks[-1].time_ns:
                break
        if held := splitter.held:
            held += len(data)
            if held < splitter.total:  # 0 if no frame of known length has begun
                splitter.hold(segment, held)
            elif held != splitter.total or not connection.take_last(side, splitter, segment, rows):
                break
        # A connection that holds back others is checked with each segment; skipped bytes are shown
        # before a row.
        elif (
            not splitter.in_step
            or offset < splitter.resume
            or splitter.preamble is None
            or connection.holds
            or connection.skips[side] is not None
            or (splitter.tried and not splitter.may_measure(len(data), offset))
        ):
            break
        elif (
            connection.is_plain
            and connection.client is not None
            and splitter.least <= (length := len(data)) <= splitter.most
            and (plain := connection.table.whole(data)) is not None
        ):
            selector, decoder = plain
            try:
                shallow = decoder.shallow(data)
            except ODD:
                break
            # The row that `_frame` would make; the frame changes no state.
            splitter.pass_frame(offset + length, length)
            row = FrameRow(
                connection, side, offset, data, [origin], time_ns, file, packet,
                0 if is_payload else None, selector, decoder, shallow,
                None if decoder.has_lists else shallow, (),
            )  # fmt: skip
            rows.append(row)
        elif (measured := splitter.measure(data, 0, length := len(data))) is None:
            break
        elif (total := measured[0]) != length or not splitter.least <= total <= splitter.most:
            if total <= length or not splitter.begin(segment, total, measured[1:]):
                break
        elif not connection.take_whole(side, splitter, segment, data, measured[1:], rows):
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
