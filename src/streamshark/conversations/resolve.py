"""The tables of one protocol, parsed and checked, as input of the code generators.

Every name is resolved here: a column must be a field of at least one frame of each command that is
named, a slot must be assigned somewhere, an object must exist on the row. Errors raise
`SchemaError` with table and text before any traffic is read.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from streamshark.conversations import expressions
from streamshark.conversations.expressions import (
    BUILT_IN,
    SIDES,
    Assign,
    ColumnRef,
    Expr,
    FunctionCall,
    Items,
    NamedConstant,
    ObjectRef,
    Parser,
    Scalar,
    SlotRef,
    walk,
)
from streamshark.conversations.state import (
    ConnectionState,
    PeerState,
    PendingRequest,
    TrackedObject,
)
from streamshark.conversations.tables import (
    Action,
    Burst,
    Constant,
    Context,
    CrossLink,
    Derived,
    Lifecycle,
    Pair,
    Timer,
    Transition,
    Watch,
)
from streamshark.conversations.unfolding import unfolded
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.dissection.row import EVENTS
from streamshark.errors import SchemaError
from streamshark.framing.wire_format import WireFormat
from streamshark.schema import ProblemCode
from streamshark.schema.nodes import Tree

T = TypeVar("T")

BASE: Final = frozenset(
    "state id n t owner last_n last_t ended_n ended_t frames born epoch".split()  # noqa: SIM905 - reads so
)
"""Slots of every object."""
SIDE_BASE: Final = frozenset(
    ("last_n", "last_t", "first_n", "first_t", "frames", "side", "zero_windows", "retransmissions")
)
"""Slots of each side of a connection."""
CONNECTION_BASE: Final = BASE | {"whole", "gapless", "start", "both", "encrypted", "carried"}
REQUEST_BASE: Final = frozenset(("n", "t", "name", "side"))
OUTSTANDING_VERBS: Final = frozenset(("add", "take", "take_upto", "take_oldest", "forget"))
SET_VERBS: Final = frozenset(("put", "drop"))

TCP_COUNTED: Final = ("zero_window", "retransmission")
"""Events made of TCP statistics."""
TCP: Final = (*EVENTS, *TCP_COUNTED)
"""Events of a connection, written `tcp.<name>`."""
EVENT_COLUMNS: Final = frozenset(("offset", "length", "reason", "skipped", "expected", "command"))
"""Columns of events."""
EVENT_KINDS: Final = ("tcp", "carrier")
"""Triggers of events of a connection: of TCP, and of the connection's carrier."""
PROBLEMS: Final = ("problem", "body")
"""Triggers of problems: in a frame, and in a body in it."""
_ANYWHERE: Final = frozenset((*BUILT_IN, "carrier", "agreed"))
"""First words of columns that are available in any protocol."""
NEEDS: Final = ("start", "whole", "both", "object", "since")

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_TIME = re.compile(r"(\d+(?:\.\d+)?) ?(ns|us|ms|s|min|h)")
_FORM = re.compile(
    r"(?P<total>(?:sum|most|least|each)\b)? ?(?:name|time|size|count [a-z]+(?: [a-z]+)?)?"
)
_HOLE = re.compile(r"\{([^{}]+)\}")

OF_HANDLERS: Final = frozenset(("row", "entity", "why"))
"""Local names in handlers (see `handler_code`)."""


_KINDS: Final = {"conn": ConnectionState, "side": PeerState, "req": PendingRequest}
"""Owners of slots to their classes; that of all others is `TrackedObject`."""
_GENERATED: Final = re.compile(r"[dhq]\d+|[ox]_.*|begin_with")
"""Names of the attributes that classes get beside their slots."""


class EventTarget(NamedTuple):
    """One name of an `on`."""

    kind: str
    """`row`, `any`, `tcp`, `carrier`, `timer`, `repeat`, `end`, `unanswered`, `problem`, `body`."""
    name: str
    """Name of the row, event or table, with its id before that of a carrier's event; for `any` the
    kind of frame, empty for all."""
    sender: str | None = None


class HandlerKey(NamedTuple):
    """Key of a handler: the frames of one schema sent by one side, or a trigger."""

    kind: str
    """As in `EventTarget`: `row` for any frame, of a known schema or not."""
    name: str
    tree: Tree | None
    sender: str | None


class TemplateValue(NamedTuple):
    """A value in a message."""

    value: Expr
    form: str
    """`name`, `time`, `size`, `count NOUN`, `count NOUN NOUNS` or empty; before it, for values that
    are combined, optionally `sum`, `most`, `least` or `each`."""


@dataclass(slots=True, eq=False)
class MessageTemplate:
    """A message template: texts with values between them."""

    texts: list[str]
    holes: list[TemplateValue]


@dataclass(slots=True)
class ResolvedTable(Generic[T]):
    """A table with its texts parsed."""

    table: T
    index: int
    on: tuple[EventTarget, ...]
    when: Expr | None = None
    values: dict[str, Any] = field(default_factory=dict)
    """Parsed members of the table: expressions, tuples of them, assignments and calls."""
    _packed: bytes = b""
    """`when` and `values` as bytes, until one of them is needed."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it again, without its parsed members until one is needed."""
        import pickle  # noqa: PLC0415 - only compiled tables need it

        return _packed_table, (
            self.table,
            self.index,
            self.on,
            pickle.dumps((self.when, self.values), pickle.HIGHEST_PROTOCOL),
        )

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of either kind
        """Return a parsed member of a table that was packed."""
        if name not in ("when", "values"):
            raise AttributeError(name)
        import pickle  # noqa: PLC0415 - as above

        self.when, self.values = pickle.loads(self._packed)  # noqa: S301 - by `__reduce__`
        return getattr(self, name)


def _packed_table(
    table: T, index: int, on: tuple[EventTarget, ...], packed: bytes
) -> ResolvedTable[T]:
    made = ResolvedTable(table, index, on, _packed=packed)
    del made.when, made.values
    return made


def duration(text: str) -> int | None:
    """Return the nanoseconds of a time such as `3 s`; None for other text.

    >>> duration("250 ms")
    250000000
    """
    match = _TIME.fullmatch(text.strip())
    return round(float(match[1]) * _UNITS[match[2]]) if match else None


_OF_PROCESS: Final = ("_columns", "_targets", "parser", "selections", "sources", "trees")
"""Attributes of `ResolvedTables` that only serve to make them, or that each process makes again."""


class ResolvedTables:
    """The tables of one protocol, with the conditions over them."""

    def __init__(
        self,
        wire: WireFormat,
        tables: Iterable[object],
        watches: Iterable[Watch] = (),
        embedded_records: Iterable[EmbeddedRecord] = (),
    ) -> None:
        self.wire = wire
        self._begin()
        self.embedded_records = tuple(embedded_records)
        self.prefixes: dict[str, Counter[tuple[tuple[str, ...], str]]] = {}
        """Name of a frame to how many conditions ask whether a column begins with a text."""
        tables, watches = unfolded(tables, watches)
        self.sources: list[object] = [wire, *self.embedded_records, *tables, *watches]
        """What the tables were made of."""
        self.constants: dict[str, Any] = {}
        for each in _of(tables, Constant):
            if each.name in self.constants:
                raise SchemaError(f"{wire.short}: there are two constants {each.name}")
            value = each.value
            timed = duration(value) if isinstance(value, str) else None
            self.constants[each.name] = value if timed is None else timed
        self.lifecycles = {each.name: each for each in _of(tables, Lifecycle)}
        self.lifecycles.setdefault(
            "conn", Lifecycle(name="conn", scope="connection:one", type="connection")
        )
        self._check_names()
        self.parser = Parser(frozenset((*self.lifecycles, *SIDES, "req")))
        self.slots: dict[str, set[str]] = {
            name: set(CONNECTION_BASE if name == "conn" else BASE) for name in self.lifecycles
        }
        self.slots |= {"side": set(SIDE_BASE), "req": set(REQUEST_BASE)}
        self.outstanding_slots: set[tuple[str, str]] = set()
        self.sets: set[tuple[str, str]] = set()
        self._assigned: dict[tuple[str, str], tuple[str, str]] = {}
        """Slot to the type of the values that it is given, if one is known, and the action."""
        self.pairs = [self._pair(each, index) for index, each in enumerate(_of(tables, Pair))]
        self.moves = [self._move(each, index) for index, each in enumerate(_of(tables, Action))]
        for lifecycle in self.lifecycles.values():
            for name, value in lifecycle.starts.items():
                _check_slot(f"lifecycle {lifecycle.name}", lifecycle.name, name)
                self._note_type((lifecycle.name, name), expressions.Scalar(value), "starts")
            self.slots[lifecycle.name] |= set(lifecycle.starts)
        self.keys = {
            lifecycle.name: self._keys(lifecycle) for lifecycle in self.lifecycles.values()
        }
        self.also = {
            lifecycle.name: [
                (self.targets(on), self.parser.value(text)) for on, text in lifecycle.also.items()
            ]
            for lifecycle in self.lifecycles.values()
        }
        self.steps = {
            lifecycle.name: [self._step(step) for step in lifecycle.steps]
            for lifecycle in self.lifecycles.values()
        }
        self.each = {
            lifecycle.name: [self._step(step) for step in lifecycle.each]
            for lifecycle in self.lifecycles.values()
        }
        self.measures = {
            lifecycle.name: {
                name: self.parser.value(text) for name, text in lifecycle.measures.items()
            }
            for lifecycle in self.lifecycles.values()
        }
        self.closing = {
            lifecycle.name: {
                state: self.parser.value(text) for state, text in lifecycle.closing.items()
            }
            for lifecycle in self.lifecycles.values()
        }
        self.survives = {
            lifecycle.name: self.parser.condition(lifecycle.survives)
            for lifecycle in self.lifecycles.values()
            if lifecycle.survives
        }
        self.timers = [self._timer(each, index) for index, each in enumerate(_of(tables, Timer))]
        self.repeats = [self._repeat(each, index) for index, each in enumerate(_of(tables, Burst))]
        self.contexts = [self._context(each) for each in _of(tables, Context)]
        self.derived = [
            self._derived(each, index) for index, each in enumerate(_of(tables, Derived))
        ]
        self.links = [self._link(each, index) for index, each in enumerate(_of(tables, CrossLink))]
        self.watches = [self._watch(each, index) for index, each in enumerate(watches)]
        self._check()

    def _begin(self) -> None:
        """Begin with nothing looked up."""
        self._columns: dict[tuple[EventTarget, tuple[str, ...]], bool] = {}
        """Rows and paths that were looked up, to whether there is such a field."""
        self._targets: dict[str, tuple[EventTarget, ...]] = {}
        self.selections: dict[Any, Any] = {}
        """`Requested` to the `NeededTables` that readings share."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what all processes may share."""
        return {name: value for name, value in vars(self).items() if name not in _OF_PROCESS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin with what another process has resolved."""
        vars(self).update(state)
        self._begin()

    # Parsing each table

    def targets(self, on: str) -> tuple[EventTarget, ...]:
        """Return the targets of an `on`; SchemaError for an unknown one."""
        found = self._targets.get(on)
        if found is None:
            found = self._targets[on] = tuple(self._target(word, on) for word in on.split())
        return found

    def _target(self, word: str, on: str) -> EventTarget:
        sender = None
        for side in ("client", "server"):
            if word.startswith(f"{side}:"):
                sender, word = side, word.removeprefix(f"{side}:")
        kind, colon, name = word.partition(":")
        if word.startswith("tcp."):
            event = word.removeprefix("tcp.")
            if event not in TCP:
                raise SchemaError(f"{self.wire.short}, {on!r}: no event {event}")
            return EventTarget("tcp", event, sender)
        carrier, dot, _ = word.partition(".")
        if dot and any(slot.startswith(f"{carrier}.") for slot in self.wire.carried_in):
            return EventTarget("carrier", word, sender)
        if kind == "any":
            if name not in ("", "request", "response", "command", "coded", "unknown"):
                raise SchemaError(f"{self.wire.short}, {on!r}: no kind of row {name}")
            return EventTarget("any", name, sender)
        if colon:
            return EventTarget(kind, name, sender)
        if word not in self.trees:
            raise SchemaError(f"{self.wire.short}, {on!r}: {self._no_frame(word)}")
        return EventTarget("row", word, sender)

    def _no_frame(self, word: str) -> str:
        """Return why no frame has this name, with all names."""
        name, response, _ = word.rpartition("_response")
        why = ""
        if response and name in self.trees:
            has_bit = any(getattr(head, "response", None) for head in self.wire.heads.values())
            why = (
                f": declare a frame {name!r} of the kind RESPONSE"
                if has_bit
                else f": the head has no response bit, so declare a frame whose name is {word!r}"
            )
        return f"no frame {word}{why} (frames: {', '.join(sorted(self.trees))})"

    @cached_property
    def trees(self) -> dict[str, list[Tree]]:
        """Row name to the trees of its frames in all versions and dialects."""
        out: dict[str, list[Tree]] = {}
        for dialect in self.wire.dialects:
            for decoder in self.wire.table(dialect).all:
                name = decoder.tree.prefix.partition(".")[2]
                found = out.setdefault(name, [])
                if all(each.schema is not decoder.tree.schema for each in found):
                    found.append(decoder.tree)
        for embedded in self.embedded_records:
            out[embedded.id.rpartition(".")[2]] = [embedded.decoder.tree]
        return out

    def _pair(self, table: Pair, index: int) -> ResolvedTable[Pair]:
        read = ResolvedTable(table, index, self.targets(table.request))
        read.when = self.parser.condition(table.when)
        read.values = {
            "answers": self.targets(table.answers),
            "key": self.parser.value(table.key) if table.key else None,
            "answer_key": self._answer_key(table),
            "answer_when": self.parser.condition(table.answer_when),
            "keep": dict(_kept(table.keep, self.parser)),
            "done": self.parser.condition(table.done),
            "failed": self.parser.condition(table.failed),
        }
        for name in read.values["keep"]:
            _check_slot(f"pair {table.name}", "req", name)
        self.slots["req"] |= set(read.values["keep"])
        return read

    def _answer_key(self, table: Pair) -> Expr | None:
        text = table.key if table.answer_key is None else table.answer_key
        return self.parser.value(text) if text else None

    def _move(self, table: Action, index: int) -> ResolvedTable[Action]:
        read = ResolvedTable(
            table, index, self.targets(table.on), self.parser.condition(table.when)
        )
        statements = read.values["do"] = self.parser.statements(table.do)
        for statement in statements:
            slot = statement.slot if isinstance(statement, Assign) else statement.arguments[0]
            if isinstance(slot, SlotRef):
                owner = "side" if slot.object in SIDES else slot.object
                _check_slot(repr(table.do), owner, slot.name)
                self.slots[owner].add(slot.name)
                if isinstance(statement, Assign):
                    self._note_type((owner, slot.name), statement.value, table.do)
                if isinstance(statement, FunctionCall):
                    place = (
                        self.outstanding_slots if statement.name in OUTSTANDING_VERBS else self.sets
                    )
                    place.add((owner, slot.name))
        if table.each and table.each not in self.lifecycles:
            raise SchemaError(f"{table.do!r}: no lifecycle {table.each}")
        return read

    def _note_type(self, slot: tuple[str, str], value: Expr, action: str) -> None:
        """Note the type of a value of a slot; raise SchemaError if others have another one."""
        found = expressions.type_of(value)
        known, other = self._assigned.setdefault(slot, (found, action)) if found else ("", "")
        if known != found:
            raise SchemaError(
                f"{'.'.join(slot)}: a {known} in {other!r}, a {found} in {action!r}: take two slots"
            )

    def _keys(self, lifecycle: Lifecycle) -> list[tuple[tuple[EventTarget, ...], Expr]]:
        return [(self.targets(on), self.parser.value(text)) for on, text in lifecycle.key.items()]

    def _step(self, step: Transition) -> ResolvedTable[Transition]:
        return ResolvedTable(step, 0, self.targets(step.on), self.parser.condition(step.when))

    def _time(self, text: str) -> Expr:
        known = duration(text)
        return self.parser.value(text) if known is None else expressions.Scalar(known)

    def _timer(self, table: Timer, index: int) -> ResolvedTable[Timer]:
        read = ResolvedTable(
            table, index, self.targets(table.on), self.parser.condition(table.when)
        )
        if table.of not in self.lifecycles and table.of not in SIDES:
            raise SchemaError(f"timer {table.name}: no object {table.of}")
        if table.mode not in ("first", "again"):
            raise SchemaError(f"timer {table.name}: first or again, not {table.mode}")
        read.values = {
            "limit": self._time(table.limit),
            "clear": self.targets(table.clear),
            "clear_when": self.parser.condition(table.clear_when),
        }
        return read

    def _repeat(self, table: Burst, index: int) -> ResolvedTable[Burst]:
        read = ResolvedTable(
            table, index, self.targets(table.on), self.parser.condition(table.when)
        )
        limit = table.limit if isinstance(table.limit, int) else self.constants.get(table.limit)
        window = duration(table.window)
        window = self.constants.get(table.window) if window is None else window
        if not isinstance(limit, int) or not isinstance(window, int):
            raise SchemaError(f"burst {table.name}: window and limit are numbers or constants")
        read.values = {
            "key": self.parser.value(table.key),
            "limit": limit,
            "window": window,
            "distinct": self.parser.value(table.distinct) if table.distinct else None,
        }
        return read

    def _context(self, table: Context) -> ResolvedTable[Context]:
        slots = [self.parser.value(word) for word in table.value.split()]
        if not all(isinstance(each, SlotRef) for each in slots):
            raise SchemaError(f"context {table.name}: slots only")
        return ResolvedTable(table, 0, (), values={"slots": slots})

    def _derived(self, table: Derived, index: int) -> ResolvedTable[Derived]:
        read = ResolvedTable(
            table, index, self.targets(table.on), self.parser.condition(table.when)
        )
        value = self.parser.value(table.value)
        read.values = {
            "value": value,
            "needs": _needs(table.needs, f"derived {table.name}"),
            "of": self._meant_in(value),
        }
        return read

    def _link(self, table: CrossLink, index: int) -> ResolvedTable[CrossLink]:
        read = ResolvedTable(
            table, index, self.targets(table.on), self.parser.condition(table.when)
        )
        if table.role not in ("leads", "follows", "both"):
            raise SchemaError(f"link {table.kind}: leads, follows or both, not {table.role}")
        read.values["key"] = self.parser.value(table.key)
        return read

    def _watch(self, table: Watch, index: int) -> ResolvedTable[Watch]:
        read = ResolvedTable(
            table, index, self.targets(table.on), self.parser.condition(table.when)
        )
        evidence = self.parser.value(table.evidence)
        read.values = {
            "needs": _needs(table.needs, watch_name(table)),
            "evidence": evidence.items if isinstance(evidence, Items) else (evidence,),
            "per": self.parser.value(table.per) if table.per else None,
            "of": table.of or self._meant(read),
            "message": message(getattr(table, "message", ""), self.parser, adds_up=table.adds_up),
            "by": self.parser.value(by) if (by := getattr(table, "by", "")) else None,
            "reads": [self.parser.value(word) for word in table.reads.split()],
        }
        return read

    def _meant(self, read: ResolvedTable[Watch]) -> str:
        for target in read.on:
            if target.kind in ("end", "left") and target.name in self.lifecycles:
                return target.name
            if target.kind == "timer":
                timer = next((each for each in self.timers if each.table.name == target.name), None)
                if timer is not None:
                    return timer.table.of
        return self._meant_in(read.when)

    def _meant_in(self, expr: Expr | None) -> str:
        for node in walk(expr):
            if isinstance(node, (SlotRef, ObjectRef)) and node.object in self.lifecycles:
                return node.object
        return "conn"

    # Targets of a handler

    def matches(self, targets: Iterable[EventTarget], place: HandlerKey) -> bool:
        """Return whether one of the names of an `on` is that of a handler."""
        for target in targets:  # asked for every table and handler
            if target.kind == "any":
                if _matches(target, place):
                    return True
            elif (
                target.kind == place.kind
                and target.name == place.name
                and target.sender in (None, place.sender)
            ):
                return True
        return False

    def key(self, lifecycle: str, place: HandlerKey) -> Expr | None:
        """Return the key of an object in a handler; None if the handler does not touch it."""
        for targets, expr in self.keys[lifecycle]:
            if self.matches(targets, place):
                return expr
        return None

    def touched(self, place: HandlerKey, items: str = "") -> list[str]:
        """Return the lifecycles, except the connection's, whose objects a handler touches.

        With `items`, those whose key is in the items of this list; else the others.
        """
        lists = (items,) if items else self._lists(place)
        out = []
        for name in self.lifecycles:
            key = None if name == "conn" else self.key(name, place)
            if key is None:
                continue
            is_of_items = any(
                _inside(key, each) and self._is_of_items(name, place, each) for each in lists
            )
            if is_of_items is bool(items):
                out.append(name)
        return out

    def _is_of_items(self, lifecycle: str, place: HandlerKey, items: str) -> bool:
        """Return whether an action or a link over a list names an object of its items."""
        tables: list[ResolvedTable[Any]] = [*self.moves, *self.links]
        return any(
            each.table.items == items
            and self.matches(each.on, place)
            and lifecycle in _mentioned(each)
            for each in tables
        )

    def _lists(self, place: HandlerKey) -> set[str]:
        """Return the lists whose items the actions of a handler go through."""
        moves = (each for each in self.moves if each.table.items)
        return {each.table.items for each in moves if self.matches(each.on, place)}

    # Checks

    def _check_names(self) -> None:
        embedded = {id(each.decoder.tree) for each in self.embedded_records}
        fields = {node.path[0] for trees in self.trees.values() for tree in trees
                  for node in tree.named() if id(tree) not in embedded}  # fmt: skip
        for name, lifecycle in self.lifecycles.items():
            if name in fields or name in BUILT_IN or name in (*SIDES, "req"):
                raise SchemaError(f"{self.wire.short}: lifecycle {name} has the name of a column")
            if name in OF_HANDLERS:
                raise SchemaError(
                    f"{self.wire.short}: lifecycle {name} has a name that handlers use"
                )
            if lifecycle.scope not in ("connection", "connection:one", "capture"):
                raise SchemaError(
                    f"{self.wire.short}: lifecycle {name} has no scope {lifecycle.scope}"
                )
            if lifecycle.also and lifecycle.scope != "capture":
                raise SchemaError(f"{self.wire.short}: lifecycle {name} may have one key alone")
            if (lifecycle.scope == "connection:one") is not (name == "conn"):
                raise SchemaError(f"{self.wire.short}: conn is the connection, and it alone")

    def _check(self) -> None:
        pairs = {each.table.name for each in self.pairs}
        known = {
            "timer": {each.table.name for each in self.timers},
            "repeat": {each.table.name for each in self.repeats},
            "end": set(self.lifecycles),
            "left": set(self.survives),
            "unanswered": pairs,
            **{each: {"any"} | {code.word for code in ProblemCode} for each in PROBLEMS},
        }
        for lifecycle in self.lifecycles.values():
            _check_names(lifecycle)
        for what, targets, texts in self._texts():
            for target in targets:
                if target.kind in known and target.name not in known[target.kind]:
                    raise SchemaError(f"{what}: no {target.kind} {target.name}")
                if target.kind not in (*known, "row", "any", *EVENT_KINDS):
                    raise SchemaError(f"{what}: no trigger {target.kind}")
            for node in walk(*texts):
                if node.__class__ is not Scalar:
                    self._check_node(what, node, targets)

    def _texts(  # noqa: C901, PLR0912 - one row a table
        self,
    ) -> Iterator[tuple[str, tuple[EventTarget, ...], list[Any]]]:
        """Yield all expressions with their table and targets."""
        for pair in self.pairs:
            kept = list(pair.values["keep"].values())
            name = f"pair {pair.table.name}"
            yield name, pair.on, [pair.values["key"], pair.when, *kept]
            answered = [
                pair.values[each] for each in ("answer_key", "answer_when", "done", "failed")
            ]
            yield name, pair.values["answers"], answered
        for name, keys in self.keys.items():
            for targets, expr in keys:
                yield f"lifecycle {name}", targets, [expr]
        for name, further in self.also.items():
            for targets, expr in further:
                yield f"lifecycle {name}", targets, [expr]
        for name in self.lifecycles:
            for step in (*self.steps[name], *self.each[name]):
                yield f"lifecycle {name}, {step.table}", step.on, [step.when]
            ends = [*self.measures[name].values(), *self.closing[name].values()]
            yield f"lifecycle {name}", (), [*ends, self.survives.get(name)]
        for move in self.moves:
            what = f"move {move.table.do!r}"
            yield what, move.on, [move.when, *move.values["do"]]
        for timer in self.timers:
            what = f"timer {timer.table.name}"
            yield what, timer.on, [timer.when, timer.values["limit"]]
            yield what, timer.values["clear"], [timer.values["clear_when"]]
        for repeat in self.repeats:
            values = [repeat.when, repeat.values["key"], repeat.values["distinct"]]
            yield f"burst {repeat.table.name}", repeat.on, values
        for context in self.contexts:
            yield f"context {context.table.name}", (), context.values["slots"]
        for derived in self.derived:
            yield (
                f"derived {derived.table.name}",
                derived.on,
                [derived.when, derived.values["value"]],
            )
        for link in self.links:
            what = f"link {link.table.kind}"
            yield what, link.on, [link.when, link.values["key"]]
        for watch in self.watches:
            values = [watch.when, watch.values["per"], *watch.values["evidence"]]
            values += [hole.value for hole in watch.values["message"].holes]
            values += [watch.values["by"], *watch.values["reads"]]
            yield watch_name(watch.table), watch.on, values

    def _check_node(self, what: str, node: Expr, on: tuple[EventTarget, ...]) -> None:
        if isinstance(node, SlotRef):
            owner = "side" if node.object in SIDES else node.object
            if node.name not in self.slots[owner]:
                raise SchemaError(f"{what}: {node.object}.{node.name} is assigned nowhere")
        elif isinstance(node, NamedConstant):
            if node.name not in self.constants:
                raise SchemaError(f"{what}: no constant {node.name}")
        elif isinstance(node, ColumnRef):
            self._check_column(what, node, on)
        elif isinstance(node, FunctionCall) and node.name in ("live", "fits"):
            lifecycle = node.arguments[0]
            if not isinstance(lifecycle, ObjectRef) or lifecycle.object not in self.lifecycles:
                raise SchemaError(f"{what}: {node.name} takes the name of a lifecycle")
        elif isinstance(node, FunctionCall) and node.name == "starts":
            self._count_prefix(node, on)

    def _count_prefix(self, node: FunctionCall, on: tuple[EventTarget, ...]) -> None:
        match node.arguments:
            case (ColumnRef(path), Scalar(str(prefix))):
                for target in on:
                    if target.kind == "row":
                        self.prefixes.setdefault(target.name, Counter())[path, prefix] += 1

    def _check_column(self, what: str, node: ColumnRef, on: tuple[EventTarget, ...]) -> None:
        if node.path[0] in _ANYWHERE:
            return
        path = node.path[1:] if node.path[0] == "fields" else node.path
        wanted = ".".join(path)
        targets = list(self._repeated(on))
        has = [
            target.kind == "carrier"
            or (target.kind == "tcp" and path[0] in EVENT_COLUMNS)
            or self._has_column(target, path)
            for target in targets
        ]
        # Answers of a request may be of several commands; each has its own columns.
        if what.startswith("pair ") and any(has):
            return
        for target, is_there in zip(targets, has, strict=True):
            if not is_there:
                where = target.name or "no frame"
                if target.kind not in ("row", "any", *PROBLEMS, "tcp"):
                    where = f"{target.kind} {target.name}"
                raise SchemaError(f"{what}: {where} has no field {wanted}")
        if not targets:
            raise SchemaError(f"{what}: {wanted} is no slot, and there is no row here")

    def _has_column(self, target: EventTarget, path: tuple[str, ...]) -> bool:
        """Return whether a frame that a target may match has a field at a path."""
        known = self._columns.get((target, path))
        if known is None:
            known = any(has_column(tree, path) for tree in self._trees_of(target))
            self._columns[target, path] = known
        return known

    def _repeated(self, on: Iterable[EventTarget]) -> Iterator[EventTarget]:
        """Yield targets; a burst is replaced by the rows that it counts."""
        for target in on:
            if target.kind == "repeat":
                yield from next(each.on for each in self.repeats if each.table.name == target.name)
            else:
                yield target

    def _trees_of(self, target: EventTarget) -> list[Tree]:
        """Return the trees of the frames that a target may match."""
        if target.kind == "row":
            return self.trees[target.name]
        if target.kind in ("any", *PROBLEMS):
            return [tree for each in self.trees.values() for tree in each]
        return []


def _of(tables: Iterable[object], kind: type[T]) -> list[T]:
    return [each for each in tables if isinstance(each, kind)]


def _check_slot(what: str, owner: str, name: str) -> None:
    """Raise SchemaError if a slot has the name of one of the engine's attributes."""
    if hasattr(_KINDS.get(owner, TrackedObject), name) or _GENERATED.fullmatch(name):
        raise SchemaError(f"{what}: {owner}.{name} is the engine's; take another name")


def _needs(text: str, what: str) -> list[str]:
    """Return the needs of a table; SchemaError for an unknown one."""
    needs = text.split()
    if unknown := set(needs) - set(NEEDS):
        raise SchemaError(f"{what}: no need {', '.join(sorted(unknown))}")
    return needs


def watch_name(table: Watch) -> str:
    """Return the name of a watch for errors: the id of a rule, else its `on`."""
    return f"rule {table.id}" if hasattr(table, "id") else f"condition on {table.on}"


def message(text: str, parser: Parser, *, adds_up: bool = False) -> MessageTemplate:
    """Parse a template with values `{expression}` or `{expression:form}`."""
    texts, holes, at = [], [], 0
    for match in _HOLE.finditer(text):
        texts.append(text[at : match.start()])
        value, _, form = match[1].partition(":")
        found = _FORM.fullmatch(form)
        if not found or (found["total"] and not adds_up):
            raise SchemaError(f"{text!r}: no form {form}")
        holes.append(TemplateValue(parser.value(value), form))
        at = match.end()
    return MessageTemplate([*texts, text[at:]], holes)


def _kept(text: str, parser: Parser) -> Iterator[tuple[str, Expr]]:
    words = text.split()
    at = 0
    while at < len(words):
        path = words[at]
        if words[at + 1 : at + 2] == ["as"]:
            name, at = words[at + 2], at + 3
        else:
            name, at = path.rpartition(".")[2], at + 1
        yield name, parser.value(path)


def _matches(target: EventTarget, place: HandlerKey) -> bool:
    if target.sender is not None and target.sender != place.sender:
        return False
    if target.kind == "any":
        if place.kind != "row":
            return False
        if target.name == "unknown" or place.tree is None:
            return (target.name == "unknown") is (place.tree is None) or not target.name
        if target.name == "coded":
            return any(each.facts.has_role("response_code") for each in place.tree.nodes)
        return not target.name or place.tree.schema.kind.value == target.name
    return target.kind == place.kind and target.name == place.name


def _inside(expr: Expr, items: str) -> bool:
    """Return whether an expression reads the items of a list."""
    path = tuple(items.split("."))
    return any(
        isinstance(each, ColumnRef) and each.path[: len(path)] == path for each in walk(expr)
    )


def _mentioned(read: ResolvedTable[Any]) -> set[str]:
    """Return the names of the objects in an action or a link."""
    exprs = [read.when, read.values.get("key")]
    for statement in read.values.get("do", ()):
        exprs += [statement.slot, statement.value] if isinstance(statement, Assign) else [statement]
    found = {each.object for each in walk(*exprs) if isinstance(each, (SlotRef, ObjectRef))}
    return found | {getattr(read.table, "of", None) or ""}


def has_column(tree: Tree, path: tuple[str, ...]) -> bool:
    """Return whether a frame has a field, or a flag, at a path."""
    if any(node.path == path for node in tree.named()):
        return True
    flags = getattr(tree.head, "flags", None)
    return len(path) == 2 and path[0] == flags and path[1] in tree.schema.flags.values()  # noqa: PLR2004


def lists_on(tree: Tree, path: tuple[str, ...]) -> list[bool]:
    """Return for each part of a path whether it is a list."""
    return [path[: at + 1] in tree.lists for at in range(len(path))]


def mask_of(tree: Tree, flag: str) -> int:
    """Return the bits of a flag in a frame; 0 if the frame has no flag of that name."""
    return next((mask for mask, name in tree.schema.flags.items() if name == flag), 0)


def _check_names(lifecycle: Lifecycle) -> None:
    """Raise if a lifecycle names a state that it never reaches, or a measure that it lacks."""
    states = {"absent", "unknown", *(each.to for each in (*lifecycle.steps, *lifecycle.each))}
    named = f"{lifecycle.final} {lifecycle.failed} {lifecycle.live}".split()
    for name in (*named, *lifecycle.closing):
        if name not in states:
            raise SchemaError(f"lifecycle {lifecycle.name}: no transition leads to {name}")
    for name in lifecycle.counted.split():
        if name not in lifecycle.measures:
            raise SchemaError(f"lifecycle {lifecycle.name}: no measure {name}")


MOST_MODELS: Final = 32
"""Most resolved tables that are kept for later readings."""
_MADE: Final[dict[tuple[tuple[int, ...], ...], tuple[object, ResolvedTables]]] = {}


def model_of(
    wire: WireFormat,
    tables: Iterable[object],
    watches: Iterable[Watch],
    embedded_records: Iterable[EmbeddedRecord],
) -> ResolvedTables:
    """Return the `ResolvedTables`, which all readings with the same tables share."""
    given = (wire,), tuple(tables), tuple(watches), tuple(embedded_records)
    key = tuple(tuple(map(id, each)) for each in given)
    _, made = _MADE.pop(key, (None, None))
    made = made or ResolvedTables(wire, *given[1:])
    _MADE[key] = given, made  # keeps the objects whose ids are in the key
    while len(_MADE) > MOST_MODELS:
        del _MADE[next(iter(_MADE))]
    return made
