"""The engine: runs the tables of protocols over rows in order of time.

It keeps the state of connections, passes rows to the handlers of their protocol's program, fires
timers in capture time, and returns conversations as they end. Matches of conditions go to `notice`.
All state has a limit, and `capped` counts what was dropped.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import count, islice
from typing import Any, Final, Protocol

from streamshark.conversations.bodies import EVERY, Bodies
from streamshark.conversations.conversation import Annotation, Conversation
from streamshark.conversations.cross_links import CrossLinks
from streamshark.conversations.embedded_messages import EmbeddedMessages
from streamshark.conversations.program import SENDERS, SETTLED, Program
from streamshark.conversations.state import NOBODY, UNSET, ConnectionState
from streamshark.conversations.tables import Derived, Watch
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders
from streamshark.dissection.connection import ATTEMPTED, Connection
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.framing.wire_format import WireFormat

MOST_CONNECTIONS: Final = 65_536
"""Most connections at a time; beyond that, the one that was silent longest is dropped."""
LOOKED_AT: Final = 64
"""Number of the oldest connections among which that one is searched."""
LEAST_HEAP: Final = 4096
"""Fewest timers at which cleared ones are removed."""
MOST_LEFT: Final = 4096
"""Most ended connections whose objects may continue on another one."""
BOTH: Final = 3
"""`ConnectionState.closed` if both sides have sent FIN."""

Notice = Callable[..., None]


class MatchHandler(Protocol):
    """Receiver of the matches of conditions."""

    def notice(  # noqa: PLR0913, PLR0917 - what there is to say
        self,
        program: Any,  # noqa: ANN401 - whose watch it is
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or ("per", value)
        conn: ConnectionState,
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """Process a match: the condition of a watch held on a row."""

    def let_go(self, thing: Any, conn: ConnectionState | None) -> None:  # noqa: ANN401 - any object
        """Note that an object has ended."""

    def doubt(self, conn: ConnectionState, side: Any, things: Iterable[Any]) -> None:  # noqa: ANN401 - a side
        """Note that bytes of a side are missing, at some time since its last frame."""

    def forget(self, conn: ConnectionState) -> None:
        """Drop the state of a connection: it has no more matches."""


class ProtocolTables:
    """Input of the engine for one protocol; a function returns its tables when they are needed."""

    def __init__(
        self,
        wire: WireFormat,
        conversations: tuple[object, ...] | Callable[[], tuple[object, ...]],
        watches: tuple[Watch, ...] = (),
        embedded_records: tuple[EmbeddedRecord, ...]
        | Callable[[], tuple[EmbeddedRecord, ...]] = (),
        embedded_slots: frozenset[str] = frozenset(),
    ) -> None:
        self.wire = wire
        self.watches = watches
        self.embedded_slots = embedded_slots
        """Slots in frames of other protocols whose records are rows for these tables."""
        self._given = conversations
        self._embedded_records = embedded_records

    @property
    def conversations(self) -> tuple[object, ...]:
        """The conversation tables."""
        return self._given() if callable(self._given) else self._given

    @property
    def embedded_records(self) -> tuple[EmbeddedRecord, ...]:
        """The embedded records that are rows for these tables."""
        if not self.embedded_slots:
            return ()
        given = (
            self._embedded_records() if callable(self._embedded_records) else self._embedded_records
        )
        return tuple(each for each in given if each.slots & self.embedded_slots)


class Engine:
    """Connections, and the tables that run over their rows.

    Conversations are made only with `conversations`. `derives` selects the derived values
    (`row.derived`). With `in_full`, the annotation of a row lists all frames that it answers;
    without `tells` there are no annotations. The `judge` receives matches; without one no
    conditions are compiled. `layers` are the readers of embedded records.
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
        layers: PayloadReaders | None = None,
    ) -> None:
        self.annotates = annotates
        """Whether rows get annotations."""
        self.in_full = in_full
        """Whether annotations list all frames that are answered, and `unanswered` is filled."""
        self.unanswered: dict[int, str] = {}
        """Number of a frame without an answer to the state of its conversation, with `in_full`."""
        self.derives = derives
        """Returns whether a derived value is needed."""
        self.tables = {each.wire.id: each for each in protocols}
        """By protocol id: a dialect with numbers of its own is another `WireFormat`."""
        self.embedded = EmbeddedMessages.of(self.tables.values(), layers)
        self.bodies = Bodies(layers) if judge is not None and layers is not None else None
        """Sample of message bodies for rules; None without a judge."""
        self.conversations = conversations
        self.watched = judge is not None
        self.notice: Notice = _ignore if judge is None else judge.notice
        self.let_go: Callable[[Any, ConnectionState | None], None] = (
            _ignore if judge is None else judge.let_go
        )
        self.doubt: Callable[[ConnectionState, Any, Iterable[Any]], None] = (
            _ignore if judge is None else judge.doubt
        )
        self.forget_findings: Callable[[ConnectionState], None] = (
            _ignore if judge is None else judge.forget
        )
        self.programs: dict[str, Program] = {}
        self.open: OrderedDict[object, ConnectionState] = OrderedDict()
        """Connections of the dissection stage to their state, in the order in which they were
        added."""
        self.by_flow: dict[int, ConnectionState] = {}
        self.left: OrderedDict[int | None, tuple[ConnectionState, int, str]] = OrderedDict()
        """Flow of an ended connection to its state, and when and why it ended: its objects may
        continue."""
        self.closed = bytearray()
        """By flow number, 1 if the connection has ended."""
        self.ended: list[Conversation] = []
        self.capped: Counter[str] = Counter()
        """Limit that was reached to the number of entries that were dropped."""
        self.heap: list[tuple[int, int, Any, int, Program]] = []
        """Timers: time in ns, serial number, object, number of the timer, its program."""
        self.heap_most = LEAST_HEAP
        """Number of entries at which cleared timers are removed."""
        self.serial = count()
        self.links = CrossLinks(self.capped)
        self.now = 0
        self.seen = 0
        """Number of the last frame; `last_n` of a connection is kept only if it is read."""

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
                    # TCP's counters are those of the bytes read: the same for all these rows.
                    if conn.turn is not turn:
                        conn.turn = turn
                        if conn.program.counts_tcp:
                            conn.program.see_tcp(conn, row.time_ns)
                    last = row
                    row.annotation = handle(row, conn, me, peer)
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

    def _see(self, row: Row, connection: Connection) -> None:  # noqa: C901 - as above
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
        if sender is not None and conn.C is NOBODY:
            self._learn(conn, row)
        me, peer = conn.sides
        if program.counts_tcp:
            program.see_tcp(conn, t)
        if row.side:
            me, peer = peer, me
        if row.problems and self.watched:
            program.problems(row, conn, me, peer)
        if row.__class__ is FrameRow:
            handle = program.handlers[sender].get(row.decoder)
            if handle is None:
                handle = program.handler(row)
            row.annotation = handle(row, conn, me, peer)
            if conn.both and sender in SENDERS and conn.C is not NOBODY:
                self._quicken(row, conn, handle)
            return
        conn.see_both()
        handle = program.handlers[sender].get(row.name)  # type: ignore[attr-defined]
        if handle is None:
            handle = program.handler(row)
        row.annotation = handle(row, conn, me, peer)
        if row.__class__ is EventRow and row.protocol == "tcp":
            self._event(row, conn, connection)

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

    def opened(self) -> list[Conversation]:
        """Return the conversations that have not ended, in their present state."""
        if not self.conversations:
            return []
        found = [each for conn in self.open.values() for each in conn.program.opened(conn)]
        for program in self.programs.values():
            found += program.opened_shared()
        return found

    @property
    def shares(self) -> bool:
        """Whether connections share objects or requests: rows of one may change those of others."""
        return any(each.shares for each in self.programs.values())

    @property
    def spoken(self) -> set[str]:
        """Ids of the protocols with rows, embedded ones included."""
        return set(self.programs)

    def forget(self, connection: Connection) -> None:
        """Drop a connection that ended without an event."""
        conn = self.open.get(connection)
        if conn is not None:
            self._idle(connection, conn)

    def _quicken(
        self, row: FrameRow, conn: ConnectionState, handle: Callable[..., Annotation | None]
    ) -> None:
        """Cache the handler for frames that change nothing in the connection's state of knowledge.

        That is so if their sender is known, both sides were seen, and they embed no records.
        """
        is_fixed = not (row.connection.turns or row.connection.table.between_servers)
        if is_fixed and (self.embedded is None or row.decoder in self.embedded.silent):
            quick = conn.program.quick[row.sender or ""]
            conn.sides[row.side].quick = quick
            quick[row.decoder] = handle

    def finish(self) -> None:
        """End all connections: there are no more rows."""
        for conn in list(self.open.values()):
            conn.program.end(conn, self.now, "closed" if conn.closed else "end")
        self.open.clear()
        self.by_flow.clear()
        while self.left:
            self._forget_left()
        for program in self.programs.values():
            program.finish(self.now)

    def free(self) -> None:
        """Free the programs' handlers; the engine sees no more rows."""
        for program in self.programs.values():
            program.let_go()

    def _meet(self, row: Row, connection: Connection) -> ConnectionState:
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
        conn.file = row.file
        conn.tcp = flow
        conn.carried = connection.link is not None
        for side, trouble in zip(conn.sides, flow.trouble, strict=True):
            side.trouble = trouble
        self.open[connection] = conn
        if outer is None:
            self.by_flow[flow.number] = conn
        else:
            conn.whole, conn.closed, conn.lost_t = outer.whole, outer.closed, outer.lost_t
        if len(self.open) > MOST_CONNECTIONS:
            self._forget()
        return conn

    def leave(self, conn: ConnectionState, t: int, why: str) -> None:
        """Keep an ended connection whose objects another one may take over."""
        self.left[conn.flow] = (conn, t, why)
        if len(self.left) > MOST_LEFT:
            self.capped["connections to be resumed"] += 1
            self._forget_left()

    def _forget_left(self) -> None:
        _, (conn, t, why) = self.left.popitem(last=False)
        conn.program.end_left(conn, t, why)

    def _forget(self) -> None:
        """Drop the connection that was silent longest, of those that were added first."""
        first = islice(self.open.items(), LOOKED_AT)
        connection, conn = min(first, key=lambda each: each[1].last_t)
        self.capped["connections"] += 1
        self._idle(connection, conn)

    def _idle(self, connection: object, conn: ConnectionState) -> None:
        del self.open[connection]
        if self.by_flow.get(conn.flow) is conn:
            del self.by_flow[conn.flow]
        conn.program.end(conn, self.now, "idle")

    def _learn(self, conn: ConnectionState, row: Row) -> None:
        """Set client and server, which this row has proved."""
        client = row.side if row.sender == "client" else 1 - row.side
        conn.C, conn.S = conn.sides[client], conn.sides[1 - client]
        addresses = row.connection.flow.addresses
        conn.server = addresses[1 - client]
        conn.client = addresses[client].rpartition(":")[0]

    def _event(self, row: Row, conn: ConnectionState, connection: Connection) -> None:
        name = row.name  # type: ignore[attr-defined]
        if name in ("gap", "resync"):
            conn.program.gap(conn, row.side)
            if name == "gap":
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

    def sift(self) -> None:
        """Remove cleared timers, which would keep ended objects in memory until their time."""
        left = []
        for each in self.heap:
            entry, _, thing, index, _ = each
            if index == SETTLED or getattr(thing, f"d{index}"):
                left.append(each)
            elif getattr(thing, f"h{index}") == entry:
                setattr(thing, f"h{index}", UNSET)
        heapify(left)
        self.heap[:] = left
        self.heap_most = max(LEAST_HEAP, 2 * len(left))

    def _ring(self, t: int) -> None:
        heap = self.heap
        while heap and heap[0][0] <= t:
            entry, _, thing, index, program = heappop(heap)
            if index == SETTLED:
                program.settle(thing)
            else:
                program.ring(thing, index, entry)


def _ignore(*_: object) -> None:
    pass


def _annotate_with(row: Row, inner: Row) -> None:
    """Add to the annotation of a row that of a record embedded in it."""
    outer, found = row.annotation, inner.annotation
    if outer is None or found is None:
        return
    part_of = outer.part_of
    if found.name is not None and found.name.type != "connection":
        part_of = part_of or found.part_of or found.name
    row.annotation = outer.but(context={**outer.context, **found.context}, part_of=part_of)
