"""The tables of one protocol with their handlers, each compiled for its first row."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from heapq import heappush
from types import CodeType
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import proxy

from streamshark.conversations import expression_functions, runtime
from streamshark.conversations.bursts import BurstCounts
from streamshark.conversations.conversation import (
    NOTHING,
    Annotation,
    Conversation,
    DerivedValue,
    Name,
)
from streamshark.conversations.cross_links import EndedObject
from streamshark.conversations.engine_state import AGES
from streamshark.conversations.expressions import SIDES, ColumnRef
from streamshark.conversations.handler_code import HandlerCode
from streamshark.conversations.object_slots import every_slot, set_slots, slot_values
from streamshark.conversations.outstanding import OutstandingIds
from streamshark.conversations.prefix_cases import Prefix, PrefixCase, chosen_prefix
from streamshark.conversations.prune import NeededTables, Requested, selection_of
from streamshark.conversations.resolve import TCP_COUNTED, HandlerKey, ResolvedTable, model_of
from streamshark.conversations.shared_tables import SharedTables, next_hour
from streamshark.conversations.split_code import SplitCode, fact_code, reference
from streamshark.conversations.state import (
    EMPTY,
    NO_OBJECT,
    UNSET,
    ConnectionState,
    PeerState,
    PendingRequest,
    Place,
    RequestQueue,
    TrackedObject,
    kind_of,
    null_slots,
)
from streamshark.conversations.summary import turn_of, turn_without_text
from streamshark.conversations.tables import Derived, Lifecycle, Pair
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.schema.problems import Problem
from streamshark.schema.secrets import scrubbed

if TYPE_CHECKING:
    from streamshark.conversations.engine_state import EngineState, ProtocolTables

MOST_REQUESTS: Final = 65_536
"""Most open requests of one pair on one side of a connection."""
LATE: Final = -1
"""Epoch of objects born of bytes that were buffered after a hole."""
SENDERS: Final = frozenset(("client", "server"))
"""Proved senders of frames, except between servers."""
NEVER: Final = 1 << 62
"""A frame number above all others: rows after a hole are still to come."""
MOST_CHAINED: Final = 1024
"""Most open requests with one key."""
LONGEST_NUMBER: Final = 8
"""Most bytes of a number that a problem may be about."""

_NO_PLACE: Final = HandlerKey("classes", "", None, None)
"""In the place of a kind of row: what is shared concerns none."""

Fire = Callable[[Any, ConnectionState, int, str | None], None]


class TcpRow(NamedTuple):
    """An event that the engine makes of TCP statistics; it is not output."""

    time_ns: int
    side: int
    file: int = 0
    packets: tuple[int, ...] = ()
    fields: Mapping[str, Any] = NOTHING


class ObjectKinds(dict[str, Any]):
    """By the name of a lifecycle, the class of its objects, made for the first of them."""

    def __init__(self, chosen: NeededTables) -> None:
        self._chosen = chosen
        null_slots(slot for slots in chosen.model.slots.values() for slot in slots)

    def __missing__(self, name: str) -> Any:  # noqa: ANN401 - a class
        model, timers = self._chosen.model, _timers_of(self._chosen, name)
        starts = model.lifecycles[name].starts
        made: Any = kind_of(TrackedObject, name, model.slots[name], starts, timers=timers)
        made.lifecycle = name
        self[name] = made
        return made


def _timers_of(chosen: NeededTables, *owners: str) -> list[int]:
    return [each.index for each in chosen.timers if each.table.of in owners]


class Program:
    """The tables of one protocol, ready to run."""

    def __init__(self, tables: "ProtocolTables", engine: "EngineState") -> None:
        self.wire = tables.wire
        self._store = tables.store
        self.engine: EngineState = proxy(engine)  # owned by it: a cycle would outlast the reading
        self.conversations = engine.conversations
        self._turn = turn_of if engine.summaries else turn_without_text
        self.only_annotates = not (engine.conversations or engine.watched)
        """Whether only annotations are needed."""
        self.chosen = _needed(tables, engine)
        """The part of the tables that is needed."""
        self.model = model = self.chosen.model
        self.watches = model.watches
        self.adapter = self.chosen.adapter
        needed = self.chosen.needed
        sees_windows, self.counts_repeats = (
            self._is_used("tcp", name) or ("me", f"{name}s") in needed for name in TCP_COUNTED
        )
        self.counts_tcp = sees_windows or self.counts_repeats
        """Whether zero windows, or retransmissions as well, are used."""
        self.kinds: ObjectKinds = self._once("kinds", partial(ObjectKinds, self.chosen))
        self.own = [
            name for name, lifecycle in model.lifecycles.items() if lifecycle.scope == "connection"
        ]
        """Lifecycles with objects of a connection."""
        self.asked = [each for each in model.pairs if each.table.scope != "capture"]
        """Pairs whose requests belong to a connection."""
        self.queued = [each for each in self.asked if each.values["key"] is None]
        self.keyed = [each for each in self.asked if each.values["key"] is not None]
        self.side: Any = self._once("side", self._side)
        self.connection: Any = self._once("connection", self._connection)
        self.deadlines = {
            name: [f"d{each.index}" for each in self.chosen.timers if each.table.of in owners]
            for name, owners in (*((name, (name,)) for name in model.lifecycles), ("side", SIDES))
        }
        """Names of timer slots, by lifecycle and for sides."""
        self.handlers: dict[str | None, dict[object, Callable[..., Annotation | None]]] = {
            "client": {}, "server": {}, "peer": {}, None: {},
        }  # fmt: skip
        """Handlers by sender, then by decoder (None for unknown frames) or name of an event."""
        self.quick: dict[str, dict[object, Callable[..., Annotation | None]]] = {
            sender: {} for sender in SENDERS
        }
        """Handlers of frames that change nothing in the knowledge of their connection: see
        `Engine.feed`."""
        self._problems: dict[tuple[str, str | None, object], Callable[..., None]] = {}
        self._triggers: dict[tuple[str, str], Fire | None] = {}
        self._facts: dict[str, Callable[..., None]] = {}
        self._ends: dict[tuple[str, str], Callable[[Any, ConnectionState], Any]] = {}
        self.shared = SharedTables(
            name for name, lifecycle in model.lifecycles.items() if lifecycle.scope == "capture"
        )
        self._is_ageing = False
        """Whether shared objects will be forgotten at a full hour."""
        self._scope = self._names()
        self._scope["f_context"] = self._context("conn", "conn")
        self.contexts: dict[str, Callable[[Any], dict[str, Any]]] = {
            name: self._context(name, "entity") for name in model.lifecycles if name != "conn"
        }

    # Classes

    def _side(self) -> type:
        of_tcp = {"zero_windows", "retransmissions"}  # of `PeerState.trouble`
        return kind_of(
            PeerState,
            "Side",
            self.model.slots["side"] - of_tcp,
            tables=[f"q{each.index}" for each in self.asked],
            timers=_timers_of(self.chosen, *SIDES),
        )

    def _connection(self) -> type:
        return kind_of(
            ConnectionState,
            "Conn",
            self.model.slots["conn"],
            self.model.lifecycles["conn"].starts,
            tables=[f"{letter}_{name}" for name in self.own for letter in "ox"],
            timers=_timers_of(self.chosen, "conn"),
        )

    def _requests(self) -> list[Any]:
        out: list[Any] = []
        for pair in self.model.pairs:
            out.append(kind_of(PendingRequest, f"Q{pair.index}", self.model.slots["req"]))
            out[-1].pair = pair.index
        return out

    def _once(self, what: str, make: Callable[[], Any], place: HandlerKey = _NO_PLACE) -> Any:  # noqa: ANN401 - what was made
        """Return what all programs with the same needs share, made for the first of them."""
        return self.chosen.once(what, place, None, make)

    def meet(self, flow: int, t: int, *, start: bool) -> ConnectionState:
        """Return the state of a new connection."""
        conn: ConnectionState = self.connection(self, flow, t, start=start)
        if start:
            conn.state = "absent"
            conn.begin_with()  # type: ignore[attr-defined]
        return conn

    @property
    def shares(self) -> bool:
        """Whether there are objects or requests that connections share."""
        return bool(self.shared) or any(self._open_shared.values())

    @property
    def classes(self) -> dict[str, type]:
        """The classes of requests and others, by their name in generated code."""
        return {name: each for name, each in self._scope.items() if isinstance(each, type)}

    @cached_property
    def _open_shared(self) -> dict[str, Any]:
        """The open requests that all connections share, by their name in generated code."""
        names = map("shared_{}".format, range(len(self.model.pairs)))
        return {name: self._scope[name] for name in names}

    def state(self) -> tuple[Any, Mapping[int, Any], Mapping[str, Any]]:
        """Return what all connections share: objects, counts of bursts and open requests."""
        return self.shared.state(), self._counters, self._open_shared

    def resume(self, state: tuple[Any, Mapping[int, Any], Mapping[str, Any]]) -> None:
        """Continue from the state of an equal program."""
        shared, counters, requests = state
        self.shared.resume(shared)
        self._is_ageing = bool(self.shared)
        self._counters.update(counters)
        for name, mine in self._open_shared.items():
            mine.update(requests[name]) if isinstance(mine, dict) else mine.extend(requests[name])

    def shared_slots(self) -> Iterator[tuple[str, Any, bool, dict[str, Any]]]:
        """Yield of each shared object lifecycle, key, whether it is recent, and its slots."""
        for name, key, is_recent, entity in self.shared.objects():
            kind = type(entity)
            fresh = self.kinds[name](None, key, "unknown", 0, None)
            yield name, key, is_recent, slot_values(entity, fresh, every_slot(kind))

    def put_shared(self, name: str, key: Any, values: Mapping[str, Any], *, is_recent: bool) -> Any:  # noqa: ANN401 - an object
        """Put back what `shared_slots` has yielded; return the object."""
        entity = self.kinds[name](None, key, "unknown", 0, None)
        set_slots(entity, values)
        self.shared.put(name, key, entity, is_recent=is_recent)
        return entity

    def continue_at(self, time_ns: int) -> None:
        """Continue at a time in ns with shared objects that were put back."""
        self.shared.continue_at(time_ns)
        if self.shared and not self._is_ageing:
            self._age_at(next_hour(time_ns))

    def bursts(self, now_ns: int) -> Iterator[tuple[int, Any, list[Any]]]:
        """Yield of each burst its number, a key, and what it counted in the window until now."""
        for index, counts in self._counters.items():
            for key, times in counts.seen.items():
                if times[-1][0] >= now_ns - counts.window:
                    yield index, key, list(times)

    def put_burst(self, index: int, key: Any, times: Iterable[Any]) -> None:  # noqa: ANN401 - any key
        """Put back what `bursts` has yielded."""
        counts = self._counters[index]
        counts.seen[key] = deque(times, maxlen=counts.limit)

    def clear_shared(self) -> None:
        """Drop what all connections share."""
        for each in (self.shared, *self._open_shared.values()):
            each.clear()
        for counts in self._counters.values():
            counts.seen.clear()

    def keep(self) -> None:
        """Store what was compiled for later processes."""
        if self._store is not None:
            from streamshark.conversations import compiled_tables  # noqa: PLC0415 - pickle is slow to import

            compiled_tables.keep(self.chosen, self._store)

    def let_go(self) -> None:
        """Drop all handlers: they refer to the program, and the program to them."""
        for each in (*self.handlers.values(), *self.quick.values()):
            each.clear()
        for known in (self._problems, self._triggers, self._ends, self.contexts, self._scope,
                      self._facts):  # fmt: skip
            known.clear()

    # Compiling

    def _names(self) -> dict[str, Any]:
        engine = self.engine
        scope: dict[str, Any] = expression_functions.FUNCTIONS | runtime.ACTS
        scope |= {"NO_OBJECT": NO_OBJECT, "EMPTY": EMPTY, "Annotation": Annotation, "Name": Name}
        scope["OutstandingIds"] = partial(OutstandingIds, capped=engine.capped)
        scope["f_put"] = partial(expression_functions.f_put, capped=engine.capped)
        scope |= {f"K_{name}": value for name, value in self.model.constants.items()}
        for pair, kind in zip(
            self.model.pairs, self._once("requests", self._requests), strict=True
        ):
            scope[f"Q{pair.index}"] = kind
            scope[f"shared_{pair.index}"] = RequestQueue() if pair.values["key"] is None else {}
        scope |= {f"all_{name}": objects for name, objects in self.shared.tables.items()}
        scope |= {f"predicate_{each.index}": each.table.predicate for each in self.watches}
        scope |= {
            "notice": partial(engine.notice, self), "f_open": self._open,
            "f_answered": self._answered, "f_meet": self._meet,
            "f_meet_shared": self._meet_shared, "f_renew": self._renew, "f_over": self._over,
            "f_retell": self.retell, "f_arm": self._arm, "f_repeat": self._repeat,
            "f_link": self._link, "f_adopt": self._adopt, "f_ended": EndedObject,
            "f_turn": self._turn, "f_queue": self._queue, "f_derived": self._derive,
            "f_ref": reference, "f_leave": partial(engine.leave_fact, self), "f_kept": self.kept,
            "f_side": side_of,
        }  # fmt: skip
        self._counters = {
            each.index: BurstCounts(each.values["window"], each.values["limit"], engine.capped)
            for each in self.chosen.repeats
        }
        return scope

    def _common(
        self,
        what: str,
        place: HandlerKey,
        text: Callable[[], str],
        given: object = None,
        **names: object,
    ) -> Any:  # noqa: ANN401 - a function of any kind
        """Compile a function whose code is shared by programs with the same needs.

        `names` are what it alone knows.
        """
        return self._run(self.chosen.code(what, place, given, text), names)

    def _run(self, code: CodeType, names: Mapping[str, object] = NOTHING) -> Any:  # noqa: ANN401 - a function of any kind
        scope = {**self._scope, **self.adapter.bound, **names}
        exec(code, scope)  # noqa: S102 - the point of this module
        return scope.pop("handle")  # a function in its own globals would be a cycle

    def _context(self, owner: str, local: str) -> Any:  # noqa: ANN401 - a function
        if owner not in self._once("owners", self._owners):
            return lambda _entity: {}
        place = HandlerKey("context", owner, None, None)
        return self._common("context of", place, partial(self._context_text, owner, local))

    def _owners(self) -> set[str]:
        """Return the lifecycles whose slots are contexts of rows."""
        return {slot.object for each in self.model.contexts for slot in each.values["slots"]}

    def _context_text(self, owner: str, local: str) -> str:
        lines = []
        for context in self.model.contexts:
            slots = [each for each in context.values["slots"] if each.object == owner]
            for each in reversed(slots):
                test = f"if {local}.{each.name} not in (None, ''): "
                lines.append(f"    {test}out[{context.table.name!r}] = {local}.{each.name}")
        return "\n".join([f"def handle({local}):", "    out = {}", *lines, "    return out"])

    def handler(self, row: Row) -> Callable[..., Annotation | None]:
        """Return the handler of rows of this kind, compiled for the first one."""
        sender, tree = row.sender, None
        what: object
        if isinstance(row, FrameRow):
            what = row.decoder
            tree = row.decoder.tree if row.decoder else None
            place = HandlerKey("row", row.name or "unknown", tree, sender)
        else:
            what = row.event if isinstance(row, EventRow) else ""
            kind = "tcp" if isinstance(row, EventRow) and row.protocol == "tcp" else "carrier"
            place = HandlerKey(kind, str(what), None, sender)
        found = self.handlers[sender][what] = self._handler(place)
        return found

    def _handler(self, place: HandlerKey) -> Callable[..., Annotation | None]:
        """Compile the handler of rows of a kind, or what chooses one of two."""
        prefix = self._once("prefix", partial(self._prefix, place), place)
        found: Callable[..., Annotation | None]
        if prefix is None:
            found = self._common("handler of", place, self._text_of("row", place))
        else:
            text = partial(_choosing, prefix, self.adapter.column(place.tree, prefix.path, ""))
            compiled = partial(self._case, place, prefix)
            found = self._common("choice of", place, text, f_known={}, f_compiled=compiled)
        return found

    def _prefix(self, place: HandlerKey) -> Prefix | None:
        """Return the prefix with and without which rows of a kind have handlers of their own."""
        counts = self.model.prefixes.get(place.name)
        if place.kind != "row" or place.tree is None or counts is None:
            return None
        prefix = chosen_prefix(counts)
        return prefix if prefix is not None and prefix.path in place.tree.at else None

    def _case(
        self,
        place: HandlerKey,
        prefix: Prefix,
        known: dict[bool, Any],
        holds: bool,  # noqa: FBT001 - from generated code
    ) -> Callable[..., Annotation | None]:
        """Compile the handler of one of two cases, and add it to those that are known."""
        text = self._text_of("row", place, case=PrefixCase(prefix, holds))
        found: Callable[..., Annotation | None] = self._common("handler of", place, text, holds)
        known[holds] = found
        return found

    def _text_of(
        self, what: str, place: HandlerKey, *given: str, case: PrefixCase | None = None
    ) -> Callable[[], str]:
        """Return what prints a function, where no other program has had it printed."""
        kind = SplitCode if self.chosen.wanted.split else HandlerCode

        def text() -> str:
            printed: str = getattr(kind(self.chosen, place, self.adapter, case), what)(*given)
            return printed

        return text

    def problems(
        self,
        row: Any,  # noqa: ANN401 - rows
        conn: ConnectionState,
        me: Any,  # noqa: ANN401 - sides
        peer: Any,  # noqa: ANN401 - sides
        inside: Sequence[Problem] | None = None,
    ) -> None:
        """Run conditions on the problems of a frame, or of an event of the carrier.

        With `inside`, these are the problems of the bodies in the frame.
        """
        decoder = row.decoder if row.__class__ is FrameRow else None
        kind = "problem" if inside is None else "body"
        key = kind, row.sender, decoder or row.name
        found = self._problems.get(key)
        tree = decoder.tree if decoder else None
        if found is None:
            place = HandlerKey(kind, row.name or "unknown", tree, row.sender)
            text = self._text_of("problem", place)
            found = self._problems[key] = self._common("problems of", place, text)
        problems = row.problems if inside is None else inside
        alone = len(problems) == 1
        for each in problems:
            field, value = None, None
            if tree is not None and each.node >= 0:
                path = tree.nodes[each.node].path
                field = ".".join(path) or None
                value = row.shallow.get(path[0]) if len(path) == 1 else None
            is_number = row.__class__ is FrameRow and 0 < each.length <= LONGEST_NUMBER
            if not isinstance(value, int) and is_number:
                value = int.from_bytes(row.data[each.offset : each.offset + each.length], "big")
            at = each.offset, each.length
            found(row, conn, me, peer, each.code.word, each.message, field, value, *at, alone)

    def fire(  # noqa: PLR0913, PLR0917 - what a trigger is
        self,
        kind: str,
        name: str,
        of: str,
        entity: Any,  # noqa: ANN401 - any object
        conn: ConnectionState,
        t: int,
        why: str | None,
    ) -> None:
        """Run what depends on a trigger: a timer, an end, a request without an answer."""
        key = kind, name
        if key not in self._triggers:
            self._triggers[key] = None
            if self._is_used(kind, name):
                place = HandlerKey(kind, name, None, None)
                text = self._text_of("trigger", place, of)
                self._triggers[key] = self._common(f"{kind} of {of}", place, text)
        found = self._triggers[key]
        if found is not None:
            found(entity, conn, t, why)

    def _is_used(self, kind: str, name: str) -> bool:
        return (kind, name) in self._once("triggers", self._triggering)

    def _triggering(self) -> set[tuple[str, str]]:
        """Return the triggers on which something depends."""
        chosen = self.chosen
        targets = [target for each in chosen.watches for target in each.on]
        for tables in (chosen.moves, chosen.repeats, chosen.links, chosen.timers):
            targets += [target for each in tables for target in each.on]
        targets += [target for each in chosen.timers for target in each.values["clear"]]
        steps = (step for each in self.model.steps.values() for step in each)
        targets += [target for step in steps for target in step.on]
        return {target[:2] for target in targets}

    # Facts

    def fact(self, text: str) -> Callable[..., None]:
        """Return the function of a fact, given its code."""
        found = self._facts.get(text)
        if found is None:
            found = self._facts[text] = self._run(fact_code(text))
        return found

    def kept(
        self, conn: ConnectionState, name: str, given: tuple[int, bool, bool, Any] | None
    ) -> Any:  # noqa: ANN401 - an object
        """Return the object that a fact names (see `split_code.reference`)."""
        if given is None:
            return NO_OBJECT
        number, over, is_gone, named = given
        entity = conn.kept.get(number)
        if entity is None:
            entity = conn.kept[number] = self.kinds[name](conn, number, "unknown", 0, None)
        entity.over = over
        if entity.name != named:
            entity.name = None if named is None else Name(*named)
        if is_gone and not over:
            entity.state = "absent"
        return entity

    # Functions that handlers call

    def _open(self, table: Any, request: PendingRequest) -> None:  # noqa: ANN401 - two kinds of table
        if isinstance(table, RequestQueue):
            if not table.ask(request):
                self._answered(request, None, "unknown")
            elif len(table) > MOST_REQUESTS:
                for each in table.doubt(request.t):
                    self._crowd(each)
            return
        first = table.get(request.key)
        if first is None:
            table[request.key] = request
            if len(table) > MOST_REQUESTS:
                for each in runtime.oldest(table, MOST_REQUESTS):
                    self._crowd(each)
            return
        tail = first.tail or first
        tail.later = first.tail = request
        first.waiting += 1
        if first.waiting > MOST_CHAINED:
            runtime.settle(table, first)
            self._crowd(first)

    def _queue(self, conn: ConnectionState) -> RequestQueue:
        """Return a new queue; requests before the first captured bytes are unknown."""
        seen = conn.start and conn.whole
        return RequestQueue(None if seen else max(conn.t, conn.lost_t or 0))

    def _crowd(self, request: PendingRequest) -> None:
        self.engine.capped["open requests"] += 1
        self._answered(request, None, "unknown")

    def _answered(self, request: PendingRequest, row: Row | None, state: str) -> None:
        """End a call, with the row that answers it, if any."""
        if row is None and self.engine.in_full:
            self.engine.unanswered[request.n] = state
        if not self.conversations or request.name is None:
            return
        request.state = state
        if row is not None:
            request.outcome = self._turn(row)
        self.engine.end_conversation(self._call(request), None, request.conn)

    def _meet(self, conn: ConnectionState, name: str, key: Any, t: int, n: int | None) -> Any:  # noqa: ANN401 - an object
        """Return an object that is not known, or whose connection has lost bytes since."""
        if key is None or (isinstance(key, tuple) and None in key):
            return NO_OBJECT
        table = self._table(conn, name)
        entity = table.get(key)
        if entity is not None and not entity.over and entity.state != "absent":
            return entity
        absent = conn.start and conn.whole and conn.both and not conn.continues
        entity = table[key] = self.kinds[name](conn, key, "absent" if absent else "unknown", t, n)
        most = self.model.lifecycles[name].most
        if len(table) > most:
            for oldest in runtime.oldest(table, most):
                if not oldest.over:
                    self.engine.capped["tracked objects of a connection"] += 1
                    self._end_entity(oldest, conn, t, "crowded")
        return entity

    def _table(self, conn: ConnectionState, name: str) -> dict[Any, Any]:
        """Return the objects of a lifecycle on a connection; the table is made on first use."""
        table: dict[Any, Any] = getattr(conn, f"o_{name}")
        if table is EMPTY:
            table = {}
            setattr(conn, f"o_{name}", table)
        return table

    def _meet_shared(self, name: str, key: Any, t: int, n: int | None) -> Any:  # noqa: ANN401 - an object
        if key is None or (isinstance(key, tuple) and None in key):
            return NO_OBJECT
        entity = self.shared.find(name, key)
        if entity is not None:
            return entity
        entity = self.kinds[name](None, key, "unknown", t, n)
        self.engine.meets(self.wire.id, name, key)
        if not self._is_ageing:
            self._age_at(next_hour(t))
        for each in self.shared.add(name, key, entity):
            self.engine.capped["tracked objects of all connections"] += 1
            self.engine.let_go(each, None)
        return entity

    def _age_at(self, hour_ns: int) -> None:
        """Forget shared objects at a full hour."""
        self._is_ageing = True
        engine = self.engine
        heappush(engine.heap, (hour_ns, next(engine.serial), None, AGES, self))

    def age(self, hour_ns: int) -> Iterator[Place]:
        """End the shared objects that no row has named for long; yield the place of each."""
        for name, entity in self.shared.turn(hour_ns):
            self._end_shared(name, entity, hour_ns)
            yield self.shared.place(entity)
        self._is_ageing = False
        if self.shared:
            self._age_at(next_hour(hour_ns))

    def _renew(
        self,
        conn: ConnectionState,
        name: str,
        entity: Any,  # noqa: ANN401
        t: int,
        n: int | None,
        side: int,
    ) -> Any:  # noqa: ANN401 - an object
        """Process a birth: of the object that was just made, or of a new one with the same key."""
        if entity is NO_OBJECT:
            return entity
        if entity.frames or entity.over:
            if not entity.over and entity.state == "unknown":
                self._end_entity(entity, conn, t, "lost")
            elif not entity.over:
                self.engine.let_go(entity, conn)
            key = entity.id
            shared = entity.conn is None
            entity = self.kinds[name](None if shared else conn, key, "absent", t, n)
            table = self.shared.tables[name] if shared else self._table(conn, name)
            table.pop(key, None)  # the new object is the last
            table[key] = entity
        entity.state = "absent"
        # Bytes after a hole come late and all at once, so what they create has an unknown past.
        entity.epoch = conn.epoch if t != conn.lost_t else LATE
        entity.born, entity.owner = True, side
        entity.begin_with()
        return entity

    def _over(self, entity: Any, conn: ConnectionState, t: int, n: int | None, why: str) -> None:  # noqa: ANN401 - an object
        """Process an object that reached a final state."""
        if entity is NO_OBJECT or entity.over:
            return
        entity.over, entity.ended_t, entity.ended_n = True, t, n
        if n is not None:
            entity.frames += 1
            entity.last_n, entity.last_t = n, t
        self._end_entity(entity, conn, t, why)
        entity.frames -= n is not None
        if entity.conn is None:
            return
        ended: Any = getattr(conn, f"x_{entity.lifecycle}")
        if ended is EMPTY:
            ended = deque()
            setattr(conn, f"x_{entity.lifecycle}", ended)
        ended.append(entity)
        if len(ended) > self.model.lifecycles[entity.lifecycle].remembered:
            oldest = ended.popleft()
            table = getattr(conn, f"o_{entity.lifecycle}")
            if table.get(oldest.id) is oldest:
                del table[oldest.id]

    def _end_entity(self, entity: Any, conn: ConnectionState, t: int, why: str) -> None:  # noqa: ANN401 - an object
        self.fire("end", entity.lifecycle, entity.lifecycle, entity, conn, t, why)
        if self.engine.in_full:
            self._wait(entity, conn, why)
        lifecycle = self.model.lifecycles[entity.lifecycle]
        if self.conversations and lifecycle.type and entity.name is not None:
            found = self._conversation(entity, conn, lifecycle, why)
            self.engine.end_conversation(found, entity, conn)
        self.engine.let_go(entity, conn)

    def _derive(
        self, conn: ConnectionState, found: Iterable[tuple[int, Any, bool] | None]
    ) -> tuple[DerivedValue, ...]:
        """Return the derived values of a row: the known ones, and those that cannot be known."""
        doubt = runtime.doubt(conn)
        return tuple(
            DerivedValue(self.model.derived[index].table, value, "" if known else doubt)
            for index, value, known in filter(None, found)
            if (value is not None if known else doubt)
        )

    def _wait(self, entity: Any, conn: ConnectionState, why: str) -> None:  # noqa: ANN401 - an object
        """Note the outstanding ids of an ended object as unanswered."""
        state = "open" if why == "end" else "unknown" if runtime.doubt(conn) else "unanswered"
        for owner, slot in self.model.outstanding_slots:
            if owner == entity.lifecycle and (outstanding := getattr(entity, slot)) is not None:
                self.engine.unanswered.update((run[3], state) for run in outstanding.runs)

    def retell(self, entity: Any, conn: ConnectionState) -> None:  # noqa: ANN401 - an object
        """Make the annotation of an object's rows again."""
        entity.base = context = conn.context
        if entity is not conn:
            own = self.contexts[entity.lifecycle](entity)
            context = {**context, **own} if own else context
        entity.annotation = Annotation(entity.name, context)

    def _arm(self, entity: Any, index: int, deadline: int) -> None:  # noqa: ANN401 - an object
        """Start a timer; each has one entry in the heap, unless its time becomes earlier."""
        setattr(entity, f"d{index}", deadline)
        if deadline < getattr(entity, f"h{index}"):
            setattr(entity, f"h{index}", deadline)
            engine = self.engine
            heappush(engine.heap, (deadline, next(engine.serial), entity, index, self))
            if len(engine.heap) > engine.heap_most:
                engine.sift()

    def ring(self, entity: Any, index: int, entry: int) -> None:  # noqa: ANN401 - an object
        """Process a timer's entry in the heap at its time."""
        if getattr(entity, f"h{index}") != entry:
            return
        deadline = getattr(entity, f"d{index}")
        setattr(entity, f"h{index}", UNSET)
        if not deadline or getattr(entity, "over", False):
            return
        if self.counts_tcp and entity.conn is not None:
            self.see_tcp(entity.conn, entry, (entry, NEVER, 0))
            deadline = getattr(entity, f"d{index}")
        if deadline > entry:
            self._arm(entity, index, deadline)
        if not deadline or deadline > entry:
            return
        setattr(entity, f"d{index}", 0)
        timer = self.model.timers[index].table
        self.fire("timer", timer.name, timer.of, entity, entity.conn, entry, None)

    def see_tcp(self, conn: ConnectionState, t: int, at: tuple[int, int, int]) -> None:
        """Make events of changes in TCP statistics up to a packet."""
        for side in conn.sides:
            side.reach(at)
        one, other = conn.sides[0].trouble, conn.sides[1].trouble
        again = self.counts_repeats
        counted = (one.zero_windows, again and one.retransmissions,
                   other.zero_windows, again and other.retransmissions)  # fmt: skip
        if counted == conn.counted:
            return
        before, conn.counted = conn.counted, counted
        for side in (0, 1):
            for place, name in enumerate(TCP_COUNTED, 2 * side):
                if counted[place] == before[place]:
                    continue
                me, peer = conn.sides[side], conn.sides[1 - side]
                sender = None
                if conn.C is not NO_OBJECT:
                    sender = "client" if me is conn.C else "server"
                handle = self.handlers[sender].get(name)
                if handle is None:
                    handle = self._handler(HandlerKey("tcp", name, None, sender))
                    self.handlers[sender][name] = handle
                file, packet = me.trouble.zero_window if name == "zero_window" else (conn.file, 0)
                handle(TcpRow(t, side, file, (packet,) if packet else ()), conn, me, peer)

    def _repeat(self, index: int, key: Any, t: int, n: int | None, distinct: Any) -> Any:  # noqa: ANN401 - any value
        return self._counters[index].see(key, t, n, distinct)

    def _link(
        self,
        kind: str,
        role: str,
        key: Any,  # noqa: ANN401 - an object
        entity: Any,  # noqa: ANN401 - an object
        conn: ConnectionState,
        t: int,
    ) -> None:
        if key is None or entity is NO_OBJECT or (isinstance(key, tuple) and None in key):
            return
        self.engine.links.see(kind, role, key, entity, conn.flow, t)

    def _adopt(self, conn: ConnectionState, name: str, flow: int | None, same: int | None) -> None:
        """Take over the objects of a lifecycle, with their open requests, from another connection.

        `same` is empty if frames of the other connection may be repeated on this one.
        """
        conn.continues = True
        left = self.engine.left.pop(flow, None)
        other = (
            left[0] if left is not None else self.engine.by_flow.get(-1 if flow is None else flow)
        )
        if other is None or other is conn or other.program is not self:
            return
        if other.C is NO_OBJECT or conn.C is NO_OBJECT or other.C.side != conn.C.side:
            if left is not None:
                self.end_left(*left)
            return  # which side began a stream depends on the numbers of sides
        for side, before in zip(conn.sides, other.sides, strict=True):
            for pair in self.asked:
                if pair.table.of == name:
                    place = f"q{pair.index}"
                    setattr(side, place, {**getattr(side, place), **getattr(before, place)})
                    setattr(before, place, EMPTY)
        if left is not None:
            self.engine.forget_findings(other)
        given = getattr(other, f"o_{name}")
        setattr(other, f"o_{name}", EMPTY)
        for key, entity in given.items():
            if not entity.is_gone:
                entity.past = (*entity.past, other.name)
                entity.born = bool(same and entity.born and entity.epoch == other.epoch)
                entity.conn, entity.epoch, entity.base = conn, conn.epoch, None
                self._table(conn, name)[key] = entity

    # The end of a connection, and conversations

    def gap(self, conn: ConnectionState, side: int) -> None:
        """Process lost bytes: open requests may have been answered in them."""
        for either in conn.sides:
            for pair in self.queued:
                place = f"q{pair.index}"
                queue = getattr(either, place)
                queue = self._queue(conn) if queue is EMPTY else queue
                setattr(either, place, queue)
                # Of lost answers it is known whose they were if no other request is open.
                if either.side == side or queue or queue.unsure_t is not None:
                    for each in queue.doubt(self.engine.now):
                        self._answered(each, None, "unknown")
        self._lose(conn, side)

    def _lose(self, conn: ConnectionState, side: int) -> None:
        """Mark the state before lost bytes as uncertain; requests with a key may be answered."""
        entities = [each for name in self.own for each in getattr(conn, f"o_{name}").values()]
        since = conn.sides[side].last_t
        self.engine.doubt(conn, 0 if since is None else since, entities)
        conn.epoch += 1
        conn.whole = False
        conn.lost_t = self.engine.now
        conn.lost_n = NEVER
        for either in conn.sides:
            for pair in self.keyed:
                for each in runtime.requests_of(getattr(either, f"q{pair.index}")):
                    self._answered(each, None, "unknown")
                setattr(either, f"q{pair.index}", EMPTY)
        for owner, slot in self.model.outstanding_slots:
            owners: dict[str, list[Any]] = {"conn": [conn], "side": list(conn.sides)}
            for entity in owners.get(owner) or getattr(conn, f"o_{owner}", {}).values():
                outstanding = getattr(entity, slot)
                if outstanding is not None:
                    outstanding.whole = False

    def settle(self, conn: ConnectionState) -> None:
        """Mark the rows buffered after a hole as past: their requests may be answered in it."""
        lost_t = conn.lost_t
        for side in (0, 1):
            self._lose(conn, side)
        conn.lost_t = lost_t
        conn.lost_n = self.engine.seen

    def end(self, conn: ConnectionState, t: int, why: str) -> None:
        """End a connection: its requests, then objects, then itself."""
        missing = runtime.doubt(conn)
        if missing and not conn.is_embedded:
            self.engine.incomplete[missing] += 1
        surviving = {
            name
            for name in self.model.survives
            if why in ("closed", "reset") and self._printed("survives", name)(conn, conn)
        }
        self._end_all(conn, t, why, set(self.own) - surviving, surviving)
        for name in surviving:
            for entity in getattr(conn, f"o_{name}").values():
                if not entity.over:
                    self.fire("left", name, name, entity, conn, t, why)
        if surviving:
            self.engine.leave(conn, t, why)
        self.fire("end", "conn", "conn", conn, conn, t, why)
        lifecycle = self.model.lifecycles["conn"]
        if self.conversations and lifecycle.type and conn.name is not None:
            found = self._conversation(conn, conn, lifecycle, why)
            self.engine.end_conversation(found, conn, conn)
        self.engine.let_go(conn, conn)
        if not surviving:
            self._part(conn)

    def _part(self, conn: ConnectionState) -> None:
        """Stop the timers of ended objects, and break reference cycles to free memory at once."""
        entities = [each for name in self.own for each in getattr(conn, f"o_{name}").values()]
        entities += [each for name in self.own for each in getattr(conn, f"x_{name}")]
        for each in (*entities, *conn.sides, conn):
            for slot in self.deadlines[each.lifecycle]:
                setattr(each, slot, 0)
            each.conn = None
        self.engine.forget_findings(conn)

    def _end_all(
        self, conn: ConnectionState, t: int, why: str, ending: set[str], others: set[str]
    ) -> None:
        """End requests and objects, except those of the lifecycles in `others`."""
        for side in conn.sides:
            for pair in self.asked:
                if pair.table.of not in others:
                    for each in runtime.requests_of(getattr(side, f"q{pair.index}")):
                        self._unanswered(pair, each, conn, t, why)
                    setattr(side, f"q{pair.index}", EMPTY)
        for name in self.own:
            if name in ending:
                for entity in getattr(conn, f"o_{name}").values():
                    if not entity.over:
                        self._end_entity(entity, conn, t, why)

    def end_left(self, conn: ConnectionState, t: int, why: str) -> None:
        """End the objects of a connection that no other one has taken over."""
        self._end_all(conn, t, why, set(self.model.survives), set())
        self.engine.let_go(conn, conn)
        self.engine.forget_findings(conn)

    def finish(self, t: int) -> Iterator[Place]:
        """End what all connections share, as the captures have ended; yield the place of each."""
        for pair in self.model.pairs:
            for each in runtime.requests_of(self._scope[f"shared_{pair.index}"]):
                self._unanswered(pair, each, each.conn, t, "end")
        for name in self.shared.tables:
            for entity in self.shared.of(name):
                self._end_shared(name, entity, t)
                yield self.shared.place(entity)

    def _end_shared(self, name: str, entity: Any, t: int) -> None:  # noqa: ANN401 - an object
        """End an object that connections share."""
        lifecycle = self.model.lifecycles[name]
        if self._is_used("end", name) and not entity.over:
            self.engine.meets(self.wire.id, name, entity.id)
            conn = self.meet(getattr(entity, "flow", None) or 0, t, start=False)
            self.fire("end", name, name, entity, conn, t, "end")
        if self.conversations and lifecycle.type and entity.name and not entity.over:
            conn = self.meet(entity.name.flow, entity.t, start=False)
            found = self._shared(entity, conn, lifecycle)
            self.engine.end_conversation(found, entity, conn)
        self.engine.let_go(entity, None)

    def opened(self, conn: ConnectionState) -> list[Conversation]:
        """Return the conversations of a connection that have not ended, its own last."""
        asked = [
            each
            for side in conn.sides
            for pair in self.asked
            for each in runtime.requests_of(getattr(side, f"q{pair.index}"))
        ]
        found = [self._call(each) for each in asked if each.name is not None]
        for name in self.own:
            lifecycle = self.model.lifecycles[name]
            entities = _open(getattr(conn, f"o_{name}").values()) if lifecycle.type else ()
            found += (self._conversation(each, conn, lifecycle, "end") for each in entities)
        lifecycle = self.model.lifecycles["conn"]
        if lifecycle.type and conn.name is not None:
            found.append(self._conversation(conn, conn, lifecycle, "end"))
        return found

    def opened_shared(self) -> list[Conversation]:
        """Return the open conversations of requests and objects that connections share."""
        asked = [
            each
            for pair in self.model.pairs
            for each in runtime.requests_of(self._scope[f"shared_{pair.index}"])
        ]
        found = [self._call(each) for each in asked if each.name is not None]
        for name in self.shared.tables:
            lifecycle = self.model.lifecycles[name]
            entities = _open(self.shared.of(name)) if lifecycle.type else ()
            for each in entities:
                flow = 0 if each.name is None else each.name.flow
                conn = self.meet(flow, each.t, start=False)
                found.append(self._shared(each, conn, lifecycle))
        return found

    def _unanswered(
        self,
        pair: ResolvedTable[Pair],
        request: PendingRequest,
        conn: ConnectionState,
        t: int,
        why: str,
    ) -> None:
        self.fire("unanswered", pair.table.name, "req", request, conn, t, why)
        if why in ("closed", "reset"):
            # A request after lost bytes is complete only after them, perhaps after its own answer.
            state = "unanswered" if conn.both and request.t != conn.lost_t else "unknown"
        else:
            state = "open" if why == "end" else "unknown"
        self._answered(request, None, state)

    def _call(self, request: PendingRequest) -> Conversation:
        conn, outcome = request.conn, request.outcome
        measures = {}
        if outcome is not None:
            measures["response_time_ns"] = request.last_t - request.t
        is_own = self.model.pairs[request.pair].values["key"] not in (None, ColumnRef(("flow",)))
        identity = _identity(request.key) if is_own else None
        return Conversation(
            id=str(request.name), protocols=(self.wire.id,), flows=(conn.flow,),
            type=request.name.type if request.name else "", correlation_id=identity,
            state=request.state, first_frame=request.n, last_frame=request.last_n,
            frame_count=request.frames, start=request.t, duration_ns=request.last_t - request.t,
            request=request.begin, outcome=outcome, measures=measures,
            parent=str(conn.name) if conn.name else None,
        )  # fmt: skip

    def _shared(self, entity: Any, conn: ConnectionState, lifecycle: Lifecycle) -> Conversation:  # noqa: ANN401 - an object
        """Return the conversation of a shared object that is open at the end."""
        found = self._conversation(entity, conn, lifecycle, "end")
        if entity.state in lifecycle.closing:
            found = replace(found, state=self._printed("closing", lifecycle.name)(entity, conn))
        return found

    def _conversation(
        self,
        entity: Any,  # noqa: ANN401 - an object
        conn: ConnectionState,
        lifecycle: Lifecycle,
        why: str,
    ) -> Conversation:
        measures = self._measured(lifecycle, entity, conn)
        identity = _identity(entity.id) if entity is not conn else None
        name: Name = entity.name
        parent = None
        if entity is not conn and entity.conn is not None:
            parent = (*entity.past, conn.name)[0]
        flows = [*(each.flow for each in entity.past), *(entity.flows or (conn.flow,))]
        return Conversation(
            id=str(name), protocols=(self.wire.id,),
            flows=tuple(dict.fromkeys([*flows, *(each.flow for each in entity.links or ())])),
            type=lifecycle.type, correlation_id=identity,
            state=self._state(lifecycle, entity, conn, why),
            first_frame=entity.n, last_frame=entity.last_n or entity.n,
            frame_count=entity.frames, start=entity.t, duration_ns=entity.last_t - entity.t,
            request=entity.begin, outcome=entity.outcome, measures=measures,
            parent=str(parent) if parent else None, links=tuple(map(str, entity.links or ())),
        )  # fmt: skip

    def _state(self, lifecycle: Lifecycle, entity: Any, conn: ConnectionState, why: str) -> str:  # noqa: ANN401 - an object
        """Return the state of an ended object's conversation."""
        if entity.state in lifecycle.failed.split():
            return "failed"
        if entity.state in lifecycle.final.split():
            return "done"
        if why == "closed" and entity.state in lifecycle.closing:
            whole = conn.whole if entity is conn else entity.epoch == conn.epoch
            seen = conn.both and whole and entity.t != conn.lost_t
            state: str = self._printed("closing", lifecycle.name)(entity, conn)
            return state if seen else "unknown"
        known = {"closed": "done", "reset": "failed", "end": "open"}
        return known.get(why, "unknown")

    def _measured(self, lifecycle: Lifecycle, entity: Any, conn: ConnectionState) -> dict[str, Any]:  # noqa: ANN401 - an object
        measures: dict[str, Any] = self._printed("measures", lifecycle.name)(entity, conn)
        return measures

    def _printed(self, what: str, lifecycle: str) -> Callable[[Any, ConnectionState], Any]:
        """Return a compiled function of the tables: `measures`, `closing` or `survives`."""
        found = self._ends.get((what, lifecycle))
        if found is None:
            place = HandlerKey("end", lifecycle, None, None)
            text = self._text_of(what, place, lifecycle)
            found = self._ends[what, lifecycle] = self._common(f"{what} of", place, text)
        return found


def _needed(tables: "ProtocolTables", engine: "EngineState") -> NeededTables:
    """Return the part of a protocol's tables that an engine needs."""
    if tables.store is not None:
        from streamshark.conversations import compiled_tables  # noqa: PLC0415 - as above

        return compiled_tables.kept_tables(tables, tables.store, partial(_requested, engine))
    model = model_of(tables.wire, tables.conversations, tables.watches, tables.embedded_records)
    return selection_of(model, _requested(engine, [each.table for each in model.derived]))


def _requested(engine: "EngineState", derived: Sequence[Derived]) -> Requested:
    """Return what an engine needs of tables with these derived values."""
    return Requested(
        engine.conversations,
        engine.linked,
        engine.watched,
        engine.annotates,
        engine.in_full,
        tuple(number for number, each in enumerate(derived) if engine.derives(each)),
        split=engine.splits,
    )


def _choosing(prefix: Prefix, column: str) -> str:
    """Return the code of a handler that calls that of the row's case, compiled for its first."""
    call = "    return (f_known.get(case) or f_compiled(f_known, case))(row, conn, me, peer)"
    return f"def handle(row, conn, me, peer):\n{prefix.choice(column)}{call}\n"


def side_of(conn: ConnectionState, side: int | None) -> Any:  # noqa: ANN401 - a side
    """Return a side of a connection; `NO_OBJECT` for None."""
    return NO_OBJECT if side is None else conn.sides[side]


def _open(objects: Iterable[TrackedObject]) -> list[TrackedObject]:
    """Return the objects that have conversations and have not ended, each once."""
    return [each for each in dict.fromkeys(objects) if each.name is not None and not each.is_gone]


def _identity(key: object) -> int | str | None:
    """Return the id shown for a conversation if it is one value, without credentials; else None."""
    if isinstance(key, str):
        return scrubbed(key)
    return key if isinstance(key, int) else None
