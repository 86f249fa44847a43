"""The engine: runs the tables of protocols over rows in order of time.

It keeps the state of connections, passes rows to the handlers of their protocol's program, fires
timers in capture time, and returns conversations as they end. Matches of conditions go to `notice`.
All state has a limit, and `capped` counts what was dropped.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import islice
from typing import Any, Final

from streamshark.conversations.bodies import EVERY, Bodies
from streamshark.conversations.conversation import Annotation, Conversation
from streamshark.conversations.embedded_messages import EmbeddedMessages
from streamshark.conversations.engine_state import (
    AGES,
    END,
    GIVEN,
    SETTLED,
    EngineState,
    FactHandler,
    MatchHandler,
    ProtocolTables,
)
from streamshark.conversations.program import SENDERS, Program
from streamshark.conversations.state import NO_OBJECT, ConnectionState
from streamshark.conversations.tables import Derived
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import ATTEMPTED, ConnectionRecord, EventRow, FrameRow, Row
from streamshark.framing.proxy_protocol import HARMLESS
from streamshark.schema import ProblemCode

MOST_CONNECTIONS: Final = 65_536
"""Most connections at a time; beyond that, the one that was silent longest is dropped."""
LOOKED_AT: Final = 64
"""Number of the oldest connections among which that one is searched."""
LOSSES: Final = ("gap", "resync")
"""Events of bytes that are not read, which may be anything."""
BOTH: Final = 3
"""`ConnectionState.closed` if both sides have sent FIN."""


class Engine(EngineState):
    """Connections, and the tables that run over their rows.

    Conversations are made only with `conversations`; without `links` they are not linked to
    those of other connections, and without `summaries` their turns have no text. `derives`
    selects the derived values (`row.derived`). With `in_full`, the annotation of a row lists
    all frames that it answers; without `annotates` there are no annotations. The `judge`
    receives matches; without one no conditions are compiled. `layers` are the readers of
    embedded records and message bodies; with `all_bodies` the judge gets the problems of all
    bodies, and not of a sample, which takes a part of the usual `effort`.
    """

    def __init__(  # noqa: PLR0913 - what may be wanted
        self,
        protocols: Iterable[ProtocolTables],
        *,
        conversations: bool = False,
        judge: MatchHandler | None = None,
        derives: Callable[[Derived], bool] = lambda _table: False,
        in_full: bool = False,
        annotates: bool = True,
        links: bool = True,
        summaries: bool = True,
        layers: PayloadReaders | None = None,
        all_bodies: bool = False,
        effort: float = 1,
        facts: FactHandler | None = None,
    ) -> None:
        super().__init__(
            judge,
            derives,
            conversations=conversations,
            links=links,
            in_full=in_full,
            annotates=annotates,
            summaries=summaries,
            facts=facts,
        )
        self.tables = {each.wire.id: each for each in protocols}
        """By protocol id: a dialect with numbers of its own is another `WireFormat`."""
        self.embedded = EmbeddedMessages.of(self.tables.values(), layers)
        self.bodies: Bodies | None = None
        """Message bodies for rules; None without a judge."""
        if judge is not None and layers is not None:
            self.bodies = Bodies(layers, samples=not all_bodies, effort=effort)
        self.programs: dict[str, Program] = {}
        self.open: OrderedDict[object, ConnectionState] = OrderedDict()
        """Connections of the dissection stage to their state, in the order in which they were
        added."""
        self.closed = bytearray()
        """By flow number, 1 if the connection has ended."""

    def state(self) -> dict[str, Any]:
        """Return the state so far, without what the caller provides, by name."""
        state = {name: value for name, value in vars(self).items() if name not in GIVEN}
        programs = {protocol: each.state() for protocol, each in self.programs.items()}
        return {"members": state, "serial": next(self.serial), "programs": programs}

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of an equal engine; its programs were made again."""
        vars(self).update(state["members"])
        self.continue_from(state["serial"])
        for protocol, program in self.programs.items():
            if protocol in state["programs"]:
                program.resume(state["programs"][protocol])

    def feed(  # noqa: C901 - the hottest loop
        self, rows: Iterable[Row], ready: Sequence[object], taken: Callable[[Row], object]
    ) -> None:
        """Process many rows as `see` does; call `taken` with a row after which some are `ready`.

        Plain frames of known connections are annotated here without further calls.
        """
        heap, known, turn = self.heap, self.open.get, object()
        looks, every = self.bodies is not None, EVERY
        last: FrameRow | None = None
        for row in rows:
            conn = known(row.connection)
            if row.__class__ is FrameRow and conn is not None and not row.problems:
                me, peer = conn.sides
                if row.side:
                    me, peer = peer, me
                handle = me.quick.get(row.decoder)
                if handle is not None and not (heap and heap[0][0] <= row.time_ns):
                    if conn.turn is not turn:  # no packets are read between these rows
                        conn.turn = turn
                        conn.uncounted = conn.program.counts_tcp and conn.has_uncounted_signs
                    if conn.uncounted:
                        at = row.time_ns, row.file, row.packet
                        conn.program.see_tcp(conn, row.time_ns, at)
                        conn.uncounted = conn.has_uncounted_signs
                    last = row
                    conn.locate(row)
                    row.annotate(handle(row, conn, me, peer))
                    if looks and (row.decoder not in me.looked or not row.number % every):
                        self._look(row, conn)
                    if ready:
                        taken(row)
                    continue
            if last is not None:
                self.now, self.seen, last = last.time_ns, last.number, None
            self.see(row)
            if ready:
                taken(row)
        if last is not None:
            self.now, self.seen = last.time_ns, last.number

    def see(self, row: Row) -> None:
        """Process one row, in order of time, and set its annotation."""
        t = row.time_ns
        heap = self.heap
        if heap and heap[0][0] <= t:
            self._ring(t)
        self.now = t
        if row.__class__ is FrameRow:
            self.seen = row.number
        if row.connection.reason == ATTEMPTED:
            return
        self._see(row, row.connection)
        if row.connection.inner and row.__class__ is EventRow:
            for each in row.connection.inner.values():
                if each in self.open:
                    self._see(row, each)
        elif row.__class__ is FrameRow:
            for inner in () if self.embedded is None else self.embedded.rows(row):
                self._see(inner, inner.connection)
                _annotate_with(row, inner)
            conn = self.open.get(row.connection)
            if conn is not None:
                self._look(row, conn)

    def _see(self, row: Row, connection: ConnectionRecord) -> None:  # noqa: C901 - as above
        t = row.time_ns
        conn = self.open.get(connection)
        if conn is None:
            number = connection.flow.number
            if number < len(self.closed) and self.closed[number]:
                return
            conn = self._meet(row, connection)
        program, sender = conn.program, row.sender
        if not conn.both and connection.outer in self.open:
            conn.both = self.open[connection.outer].both
        if sender is not None and conn.C is NO_OBJECT:
            self._learn(conn, row)
        me, peer = conn.sides
        if program.counts_tcp and conn.has_uncounted_signs:
            program.see_tcp(conn, t, (t, row.file, row.packet))
        if row.side:
            me, peer = peer, me
        if row.problems:
            self._malformed(row, conn, me, peer)
        if row.__class__ is FrameRow:
            conn.locate(row)
            handle = program.handlers[sender].get(row.decoder)
            if handle is None:
                handle = program.handler(row)
            row.annotate(handle(row, conn, me, peer))
            if conn.both and sender in SENDERS and conn.C is not NO_OBJECT:
                self._quicken(row, conn, handle)
            return
        conn.see_both()
        handle = program.handlers[sender].get(row.event)  # type: ignore[attr-defined]
        if handle is None:
            handle = program.handler(row)
        row.annotate(handle(row, conn, me, peer))
        if row.__class__ is EventRow and row.protocol == "tcp":
            self._event(row, conn, connection)

    def _malformed(self, row: Row, conn: ConnectionState, me: Any, peer: Any) -> None:  # noqa: ANN401 - sides
        """Process the problems of a row, before the row itself."""
        if self.watched:
            conn.program.problems(row, conn, me, peer)
        if row.offset and any(each.code is ProblemCode.FOREIGN for each in row.problems):
            conn.program.gap(conn, row.side)  # nothing more of this side is read

    def _look(self, row: FrameRow, conn: ConnectionState) -> None:
        """Find problems in the bodies of a frame, unless its records are rows of their own."""
        if self.bodies is None or (
            self.embedded is not None and row.decoder not in self.embedded.silent
        ):
            return
        me, peer = conn.sides[row.side], conn.sides[1 - row.side]
        if found := self.bodies.problems(row, me):
            conn.program.problems(row, conn, me, peer, inside=found)

    def tick(self, now_ns: int) -> None:
        """Fire timers that are due by `now_ns`; no earlier rows may follow."""
        if self.heap and self.heap[0][0] <= now_ns:
            self._ring(now_ns)

    def reach(self, now_ns: int) -> None:
        """Advance to the time of a row that is not for this engine; no earlier rows may follow."""
        self.tick(now_ns)
        self.now = max(self.now, now_ns)

    def opened(self) -> list[Conversation]:
        """Return the conversations that have not ended, in their present state."""
        if not self.conversations:
            return []
        found = [each for conn in self.open.values() for each in conn.program.opened(conn)]
        for program in self.programs.values():
            found += program.opened_shared()
        return found

    def program(self, protocol: str) -> Program:
        """Return the program of a protocol, made on first use."""
        found = self.programs.get(protocol)
        if found is None:
            found = self.programs[protocol] = Program(self.tables[protocol], self)
        return found

    @property
    def shares(self) -> bool:
        """Whether connections share objects or requests: rows of one may change those of others."""
        return any(each.shares for each in self.programs.values())

    @property
    def spoken(self) -> set[str]:
        """Ids of the protocols with rows, embedded ones included."""
        return set(self.programs)

    def forget(self, connection: ConnectionRecord, at_ns: int) -> None:
        """Drop a connection that ended without an event, at a time in ns."""
        conn = self.open.get(connection)
        if conn is not None:
            self.moment = at_ns, True
            self._idle(connection, conn, at_ns)
            self.moment = None

    def _quicken(
        self, row: FrameRow, conn: ConnectionState, handle: Callable[..., Annotation | None]
    ) -> None:
        """Cache the handler for frames that change nothing in the connection's state of knowledge.

        That is so if their sender is known, both sides were seen, and they embed no records.
        """
        is_fixed = not (row.connection.may_switch_dialect or row.connection.table.between_servers)
        if is_fixed and (self.embedded is None or row.decoder in self.embedded.silent):
            quick = conn.program.quick[row.sender or ""]
            conn.sides[row.side].quick = quick
            quick[row.decoder] = handle

    def lose_ends(self) -> None:
        """Treat the ends of all open connections as lost bytes: packets were dropped."""
        for conn in self.open.values():
            conn.gapless = False
            for side in (0, 1):
                conn.program.gap(conn, side)

    def finish(self) -> None:
        """End all connections: there are no more rows."""
        for conn in list(self.open.values()):
            conn.program.end(conn, self.now, "closed" if conn.closed else "end")
        self.open.clear()
        self.by_flow.clear()
        while self.left:
            self._forget_left()
        self.moment = END, True
        for program in self.programs.values():
            for _ in program.finish(self.now):
                pass
            program.keep()
        self.moment = None

    def free(self) -> None:
        """Free the programs' handlers; the engine sees no more rows."""
        for program in self.programs.values():
            program.let_go()

    def _meet(self, row: Row, connection: ConnectionRecord) -> ConnectionState:
        wire = connection.wire
        program = self.programs.get(wire.id)
        if program is None:
            tables = self.tables.get(wire.id) or ProtocolTables(wire, ())
            program = Program(tables, self)
            self.programs[wire.id] = program
        flow = connection.flow
        opened = isinstance(row, EventRow) and row.name == "open"
        start = opened or (flow.client is not None and row.offset == 0)
        outer = self.open.get(connection.outer)
        start = outer.start if outer is not None else start
        conn = program.meet(flow.number, row.time_ns, start=start)
        conn.file = conn.last_file = row.file
        conn.tcp = flow
        conn.carried = connection.carrier is not None
        for side, trouble in zip(conn.sides, flow.trouble, strict=True):
            side.source = trouble
        self.open[connection] = conn
        if outer is None:
            self.by_flow[flow.number] = conn
        else:
            conn.is_embedded = True
            conn.whole, conn.closed, conn.lost_t = outer.whole, outer.closed, outer.lost_t
            conn.gapless = outer.gapless
        if len(self.open) > MOST_CONNECTIONS:
            self._forget()
        return conn

    def _forget(self) -> None:
        """Drop the connection that was silent longest, of those that were added first."""
        first = islice(self.open.items(), LOOKED_AT)
        connection, conn = min(first, key=lambda each: each[1].last_t)
        self.capped["connections"] += 1
        self._idle(connection, conn, self.now)

    def _idle(self, connection: object, conn: ConnectionState, t: int) -> None:
        del self.open[connection]
        if self.by_flow.get(conn.flow) is conn:
            del self.by_flow[conn.flow]
        conn.program.end(conn, t, "idle")

    def _learn(self, conn: ConnectionState, row: Row) -> None:
        """Set client and server, which this row has proved."""
        client = row.side if row.sender == "client" else 1 - row.side
        conn.C, conn.S = conn.sides[client], conn.sides[1 - client]
        addresses = row.connection.flow.addresses
        conn.server = addresses[1 - client]
        conn.client = addresses[client].rpartition(":")[0]

    def _event(self, row: Row, conn: ConnectionState, connection: ConnectionRecord) -> None:
        name = row.name  # type: ignore[attr-defined]
        if name in LOSSES and not row.fields["reason"].startswith(HARMLESS):  # type: ignore[attr-defined]
            conn.program.gap(conn, row.side)
            if name == "gap":
                conn.gapless = False
                after = row.time_ns + 1
                heappush(self.heap, (after, next(self.serial), conn, SETTLED, conn.program))
            else:
                conn.lost_n = self.seen
        elif name == "close":
            conn.closed |= 1 << row.side
            conn.ending = conn.ending or row
        if name == "reset":
            conn.ending = row
        if name == "reset" or conn.closed == BOTH:
            self.closed.extend(bytes(max(0, conn.flow + 1 - len(self.closed))))
            self.closed[conn.flow] = True
            del self.open[connection]
            if self.by_flow.get(conn.flow) is conn:
                del self.by_flow[conn.flow]
            conn.program.end(conn, row.time_ns, "reset" if name == "reset" else "closed")

    def _ring(self, t: int) -> None:
        heap = self.heap
        while heap and heap[0][0] <= t:
            entry, _, entity, index, program = heappop(heap)
            self.moment = entry, False
            if index == SETTLED:
                program.settle(entity)
            elif index == AGES:
                for _ in program.age(entry):
                    pass
            else:
                program.ring(entity, index, entry)
        self.moment = None


def _annotate_with(row: Row, inner: Row) -> None:
    """Add to the annotation of a row that of a record embedded in it."""
    outer, found = row.annotation, inner.annotation
    if outer is None or found is None:
        return
    part_of = outer.part_of
    if found.name is not None and found.name.type != "connection":
        part_of = part_of or found.part_of or found.name
    row.annotate(outer.but(context={**outer.context, **found.context}, part_of=part_of))
