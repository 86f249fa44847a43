"""Code generator for the handlers of rows: one Python function for each kind of row.

A function does the engine's work on a row in the order that the tables promise: open request,
objects, conditions, actions, transitions, timers, bursts, new request, annotation. It reads only
the columns that some table needs; a `RowAccess` provides their text.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from streamshark.conversations.constant_folding import FALSE, NONE, TRUE, conjuncts, folded
from streamshark.conversations.expressions import (
    BUILT_IN,
    OF_SOME,
    SIDES,
    Assign,
    Choice,
    ColumnRef,
    Compare,
    Expr,
    FunctionCall,
    IsNone,
    Items,
    Junction,
    NamedConstant,
    ObjectRef,
    Printed,
    PythonPrinter,
    Scalar,
    SlotRef,
    Truth,
    owner_of,
    walk,
)
from streamshark.conversations.prefix_cases import PrefixCase
from streamshark.conversations.resolve import (
    EVENT_KINDS,
    PROBLEMS,
    HandlerKey,
    ResolvedTable,
    lists_on,
    mask_of,
)
from streamshark.conversations.row_access import RowAccess
from streamshark.conversations.tables import (
    Action,
    Burst,
    Lifecycle,
    Pair,
    Timer,
    Transition,
    Watch,
)
from streamshark.schema.nodes import Tree

if TYPE_CHECKING:
    from streamshark.conversations.prune import NeededTables

AnyTable = TypeVar("AnyTable", bound=ResolvedTable[Any])

_SIDE_TEXT = {"me": "me", "peer": "peer", "C": "conn.C", "S": "conn.S"}
_BORN = "{0}.born and {0}.epoch == conn.epoch"
"""Whether an object's birth was captured, and all bytes since."""
_SEEN = {need: Truth(SlotRef("conn", need), negated=False) for need in ("start", "whole", "both")}
"""What must have been captured of a connection."""
PAIRING = frozenset(("orphan", "duplicate", "duplicate_of"))
"""Columns that say how a row is paired."""
_PREFIX_TEST = re.compile(r"f_starts\((c\d+), ('[^'\\]*'|K_\w+)\)")
"""The test of a column for a prefix, as it is printed."""
_CALL = re.compile(
    r"f_(?:begins|between|called|digest|literal|matching|program|starts|token)"
    r"\(c\d+(?:, (?:'[^'\\]*'|\d+|K_\w+))*\)"
)
"""A call whose result is the same wherever it stands in a handler, as it is printed."""
MANY = 3
"""From how many equal tests in a handler on their result is kept."""
COSTLY = 20
"""Cost of a column that is collected from a list: more than all conditions before it."""
OFTEN_TRUE = 6
"""Cost of a condition that healthy rows often meet: that a value is unknown, or not a constant."""
_ABSENT = Printed("None", optional=True)
_ENDING = "conn.ending if why in ('closed', 'reset') else None"
"""The event that ended the object of a trigger, if the end of the connection did."""
_SURE = {"conn": {"state", "start", "whole", "both", "epoch"}}


class HandlerCode:
    """Code generator of one function."""

    def __init__(
        self,
        chosen: "NeededTables",
        place: HandlerKey,
        adapter: RowAccess,
        case: PrefixCase | None = None,
    ) -> None:
        self.chosen = chosen
        self.case = case
        """The rows that it is for; None for all of the kind."""
        self.model = chosen.model
        self.wanted = chosen.wanted
        self.place = place
        self.adapter = adapter
        self.printer = PythonPrinter(self._look, kind=self._kind)
        self.lines: list[str] = []
        self.indent = 1
        self.read: dict[str, str] = {}
        """Text of a column to the local name that holds it."""
        self._absent: dict[Any, bool] = {}
        """Column, with what else decides it, to whether the handler lacks it."""
        self.objects: dict[str, str] = {"conn": "conn"}
        """Name of an object to the local name that holds it."""
        self.requested = False
        self.item: tuple[tuple[str, ...], str] | None = None
        """Path of the list that an action iterates over, and the local name of its item."""
        self.takes = False
        self.inline = False
        """Whether columns are read where they are used, since they are seldom needed."""
        self.is_conditional = False
        """Whether what is read of list items is read where it is used: a condition precedes it."""
        self.finds = False
        """Whether the current condition has a predicate."""
        self.tested: tuple[Expr, ...] = ()
        """Conditions that hold in the current block."""

    def row(self) -> str:
        """Return the code of `handle(row, conn, me, peer)`, which returns the row's annotation."""
        if self._is_frame:
            self._emit("if not me.frames: f_begin(conn, me, n, t)")
        self._body(self.chosen.touched(self.place))
        return self._function("row, conn, me, peer", self._first())

    def _first(self) -> list[str]:
        number = self.adapter.built_in("n") if self._is_frame else "None"
        first = [f"t = {self.adapter.built_in('t')}", f"n = {number}"]
        if self.takes:
            first.append("took = None" + ("; frames = {}" if self.wanted.in_full else ""))
        return first

    def _body(self, touched: list[str]) -> None:
        """Generate everything that is done on a row."""
        answers = [pair for pair in self.model.pairs if self._is(pair.values["answers"])]
        requests = [pair for pair in self.model.pairs if self._is(pair.on)]
        self._requests(answers, requests)
        for name in touched:
            self._object(name, self.model.key(name, self.place))
        self._watches([each for each in self.chosen.watches if self._is(each.on)])
        for name in touched:
            self._births(self.model.lifecycles[name])
        self._moves()
        for name in ("conn", *touched):
            self._steps(self.model.lifecycles[name])
        self._each()
        self._timers()
        self._repeats()
        self._links()
        self._settle(answers)
        self._ask(requests)
        self._derive()
        if self._is_frame:
            self._count("conn", "conn")
            self._count("me", "me")
        if self._is_frame and self.wanted.annotates:
            self._annotate(answers, requests, touched)

    def problem(self) -> str:
        """Return the code for the problems of a row: `handle(row, conn, me, peer, ...)`."""
        for name in self.model.touched(self.place._replace(kind="row")):
            key = self.model.key(name, self.place._replace(kind="row"))
            if key is not None and self.model.lifecycles[name].scope == "connection":
                self.objects[name] = name
                self._emit(f"{name} = conn.o_{name}.get({self._value(key)}) or NO_OBJECT")
        for each in self.chosen.watches:
            for target in each.on:
                if target.kind == self.place.kind and target.sender in (None, self.place.sender):
                    word = "" if target.name == "any" else f"problem == {target.name!r}"
                    self._watch(each, word)
        names = (
            "problem, problem_text, problem_field, problem_value, problem_offset, problem_length, "
            "problem_alone"
        )
        return self._function(f"row, conn, me, peer, {names}", [
            "t = " + self.adapter.built_in("t"), "n = " + self.adapter.built_in("n")])  # fmt: skip

    def trigger(self, of: str) -> str:
        """Return the code for a timer, an end or a request without an answer.

        It is `handle(entity, conn, t, why)`; `of` is the name of the object in expressions.
        """
        if of == "req":
            self.requested = True
            self._emit("req = entity")
            self._emit("me = conn.sides[req.side]; peer = conn.sides[1 - req.side]")
        elif of in SIDES:
            self._emit("me = entity; peer = conn.sides[1 - entity.side]")
        elif of != "conn":
            self.objects[of] = of
            self._emit(f"{of} = entity")
        own = list(self.objects)
        for name in self.chosen.touched(self.place):
            if name != of:
                self._object(name, self.model.key(name, self.place))
        self._watches([each for each in self.chosen.watches if self._is(each.on)])
        self._moves()
        for name in own:
            self._steps(self.model.lifecycles[name])
        self._timers()
        self._repeats()
        self._links()
        return self._function("entity, conn, t, why", ["row = n = None"])

    def measures(self, name: str) -> str:
        """Return the code of `handle(entity, conn)`, which returns the measures of an object."""
        if name != "conn":
            self.objects[name] = name
        lifecycle, members = self.model.lifecycles[name], []
        seen = "conn.start and conn.whole" if name == "conn" else _BORN.format(name)
        counted = lifecycle.counted.split()
        for label, node in self.model.measures[name].items():
            value = self._value(node)
            if label in counted:
                value = f"{value} if {seen} and conn.both else None"
            members.append(f"({label!r}, {value}), ")
        first = "" if name == "conn" else f"    {name} = entity\n"
        text = f"    found = ({''.join(members)})\n"
        known = "    return {name: value for name, value in found if value is not None}\n"
        return f"def handle(entity, conn):\n    t = n = row = why = None\n{first}{text}{known}"

    def closing(self, name: str) -> str:
        """Return the code for the state of a conversation that the connection's end cuts off.

        It is `handle(entity, conn)`, which returns None if the table has no state for that of the
        object.
        """
        if name != "conn":
            self.objects[name] = name
        first = "" if name == "conn" else f"    {name} = entity\n"
        tests = "".join(
            f"    if entity.state == {state!r}: return {self._value(node)}\n"
            for state, node in self.model.closing[name].items()
        )
        head = "def handle(entity, conn):\n    t = n = row = why = None\n"
        return f"{head}{first}{tests}    return None\n"

    def survives(self, name: str) -> str:
        """Return the code of `handle(entity, conn)`: whether objects outlive their connection."""
        test = self._test(self.model.survives[name] or FALSE)
        head = "def handle(entity, conn):\n    t = n = row = why = None\n"
        return f"{head}    return bool({test})\n"

    # Text

    @property
    def _is_frame(self) -> bool:
        return self.place.kind in ("row", *PROBLEMS)

    def _is(self, targets: Iterable[Any]) -> bool:
        return self.model.matches(targets, self.place)

    def _function(self, arguments: str, first: list[str]) -> str:
        body = "\n".join([*self.lines, "    return None"])
        for text, name in sorted(self.read.items(), key=lambda each: -len(each[0])):
            body = body.replace(text, name)  # if it was read in place before
        columns = self.adapter.lines(self.place.tree, self.read)
        for number, (test, count) in enumerate(Counter(_PREFIX_TEST.findall(body)).items()):
            if count >= MANY:  # as `f_starts` does, without a call
                column, prefix = test
                line = f"s{number} = {column} is not None and {column}.startswith({prefix})"
                columns = [*columns, line]
                body = body.replace(f"f_starts({column}, {prefix})", f"s{number}")
        first, body = self._remembered(first, body)
        body = "\n".join([*(f"    {each}" for each in (*first, *columns)), body])
        for text, name in self.adapter.common(body):
            body = f"    {name} = {text}\n{body.replace(text, name)}"
        return f"def handle({arguments}):\n{body}\n"

    @staticmethod
    def _remembered(first: list[str], body: str) -> tuple[list[str], str]:
        """Return code in which a call that stands in several places is made once, if at all."""
        counts = Counter(_CALL.findall(body))
        often = [text for text, count in counts.items() if count > 1]
        for number, text in enumerate(often):
            name = f"m{number}"
            body = body.replace(text, f"({name} if {name} is not ... else ({name} := {text}))")
        if often:
            first = [*first, " = ".join([*(f"m{number}" for number in range(len(often))), "..."])]
        return first, body

    def _emit(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def _block(self, head: str) -> Iterator[None]:
        self._emit(head)
        self.indent += 1
        yield
        self.indent -= 1

    @contextmanager
    def _if(self, *conditions: str | None) -> Iterator[None]:
        parts = [each for each in conditions if each]
        if parts:
            with self._block(f"if {' and '.join(parts)}:"):
                yield
        else:
            yield

    def _test(self, node: Expr) -> str:
        return self.printer.condition(self._fold(node))

    def _condition(self, node: Expr | None) -> str:
        """Return the text of a condition; empty if it always holds."""
        node = None if node is None else self._fold(node)
        return "" if node in (None, TRUE) else self.printer.condition(node)

    def _value(self, node: Expr) -> str:
        return self._printed(node).text

    def _printed(self, node: Expr) -> Printed:
        return self.printer.value(self._fold(node))

    def _fold(self, node: Expr) -> Expr:
        return folded(node, self._known)

    def _known(self, node: Expr) -> Scalar | None:  # noqa: PLR0911 - one row a kind
        """Return the value of a name or call in this handler; None if it depends on the row."""
        match node:
            case FunctionCall():
                return None if self.case is None else self.case.known(node, self.model.constants)
            case NamedConstant(name):
                value = self.model.constants[name]
                return Scalar(value) if isinstance(value, (int, str)) else None
            case ColumnRef(("sender",)):
                return Scalar(self.place.sender)
            case ColumnRef(("name",)):
                return Scalar(self._name)
            case ColumnRef(("version",)) if (
                self._is_frame and self.place.tree is not None
                and (version := self.place.tree.schema.version) is not None
                and not self.chosen.is_embedded(self.place.tree)
            ):  # fmt: skip
                return Scalar(version)
            case ColumnRef(("key",)) if self.place.tree is not None:
                key = self.place.tree.schema.key
                return Scalar(int(key) if isinstance(key, int) else key)
            case SlotRef(owner) | ObjectRef(owner):
                return NONE if self._owner(owner) is None else None
        return NONE if self._is_absent(node) else None

    def _is_absent(self, node: Expr) -> bool:
        """Return whether this handler has no such column."""
        key = getattr(node, "path", node), self.finds, self.item and self.item[0]
        found = self._absent.get(key)
        if found is None:
            read = len(self.read)
            found = self._absent[key] = self._look(node).text == "None"
            while len(self.read) > read:  # forget what was only tried
                self.read.popitem()
        return found

    @property
    def _name(self) -> str:
        """Name of the row."""
        return f"tcp.{self.place.name}" if self.place.kind == "tcp" else self.place.name

    # Names

    def _look(self, node: Expr) -> Printed:  # noqa: PLR0911 - one row a kind
        match node:
            case ColumnRef(path):
                return self._column(path, "")
            case SlotRef(owner, name):
                return self._slot(owner, name)
            case NamedConstant(name):
                value = self.model.constants[name]
                simple = isinstance(value, (int, str))
                return Printed(repr(value) if simple else f"K_{name}", optional=False)
            case ObjectRef(name):
                return Printed(self._owner(name) or "None", optional=True)
            case FunctionCall("live", (ObjectRef(name),)):
                states = frozenset(self.model.lifecycles[name].live.split())
                return Printed(f"f_live(conn.o_{name}, {set(states)!r})", optional=False)
            case FunctionCall("fits", (ObjectRef(name),)):
                return Printed(self._fits(name), optional=False)
            case FunctionCall(name, (ColumnRef(path), *_)) if name in OF_SOME:
                return self._column(path, "some")
            case FunctionCall(part, (ColumnRef(path),)):
                return self._column(path, part)
            case _:
                raise TypeError(node)

    def _kind(self, node: Expr) -> str:
        """Return the type of a value (see `expressions.Kind`)."""
        match node:
            case SlotRef(owner, _) if owner != "req":
                are_ids = owner_of(node) in self.model.outstanding_slots - self.model.sets
                return "outstanding" if are_ids else ""
            case ColumnRef() if self._is_list(node):
                return "list"
        return ""

    def _column(self, path: tuple[str, ...], part: str) -> Printed:  # noqa: PLR0911 - one row a kind
        if path[0] == "fields":
            path = path[1:]
        elif path[0] in BUILT_IN:
            return self._part(self._built_in(path[0]), part)
        if path[0] == "carrier":
            return self._local(self.adapter.around(path[1:])) if self._is_frame else _ABSENT
        if path[0] == "agreed":
            return self._local(self.adapter.agreed(path[1])) if self._is_frame else _ABSENT
        if self.item is not None and path[: len(self.item[0])] == self.item[0]:
            rest = "".join(f", {each!r}" for each in path[len(self.item[0]) :])
            return self._part(Printed(f"f_path({self.item[1]}{rest})", optional=True), part)
        if self.place.kind in EVENT_KINDS:
            return self._local(self.adapter.column(None, path, part))
        if self.place.tree is None or not self._is_frame:
            return _ABSENT
        return self._field(self.place.tree, path, part)

    def _field(self, tree: Tree, path: tuple[str, ...], part: str) -> Printed:
        """Return the text of a field, or flag, of a frame."""
        is_flag = path not in tree.at
        if is_flag:
            flags = getattr(tree.head, "flags", None)
            if len(path) != 2 or path[0] != flags or not mask_of(tree, path[1]):  # noqa: PLR2004
                return _ABSENT
            part = ""
        text = self.adapter.column(tree, path, part)
        return Printed(self._local(text).text, optional=not is_flag)

    def _local(self, text: str) -> Printed:
        seldom = self.inline or (self.is_conditional and text.startswith("f_"))
        if seldom and text not in self.read:
            return Printed(text, optional=True)
        return Printed(self.read.setdefault(text, f"c{len(self.read)}"), optional=True)

    @staticmethod
    def _part(printed: Printed, part: str) -> Printed:
        part = part.removesuffix("some")
        return Printed(f"f_{part}({printed.text})", optional=True) if part else printed

    def _built_in(self, name: str) -> Printed:  # noqa: C901, PLR0911, PLR0912 - one row a column
        match name:
            case "t":
                return Printed("t", optional=False)
            case "n":
                return Printed("n", optional=not self._is_frame)
            case "sender":
                return Printed(repr(self.place.sender), optional=self.place.sender is None)
            case "name":
                return Printed(repr(self._name), optional=False)
            case "key":
                tree = self.place.tree
                if tree is None:
                    return Printed("row.key" if self._is_frame else "None", optional=True)
                key = tree.schema.key
                return Printed(repr(int(key) if isinstance(key, int) else key), optional=False)
            case "flow" | "server" | "client":
                return Printed(f"conn.{name}", optional=name != "flow")
            case "side" if self._is_frame or self.place.kind in EVENT_KINDS:
                text = self._local(self.adapter.built_in("side")).text
                return Printed(text, optional=False)
            case "size" | "octets" | "pieces" | "version" | "dialect" | "complete" if (
                self._is_frame
            ):
                text = self._local(self.adapter.built_in(name)).text
                return Printed(text, optional=name in ("version", "dialect"))
            case "orphan" | "duplicate" if self.place.kind == "row":
                return Printed(name, optional=False)
            case "duplicate_of" if self.place.kind == "row":
                return Printed(name, optional=True)
            case "found" if self.finds:
                return Printed(name, optional=False)
            case "took" if self.place.kind == "row":
                return Printed(self._took(), optional=True)
            case "why" if self.place.kind in ("end", "left", "unanswered", "timer"):
                return Printed("why", optional=True)
            case _ if name.startswith("problem") and self.place.kind in PROBLEMS:
                return Printed(name, optional=True)
        return Printed("None", optional=True)

    def _owner(self, name: str) -> str | None:
        """Return the local name of an object; None if this handler has none."""
        if name in ("me", "peer"):
            known = self.place.kind in ("row", *EVENT_KINDS, *PROBLEMS, "unanswered", "timer")
            return name if known else None
        if name in SIDES:
            return _SIDE_TEXT[name]
        if name == "req":
            return "req" if self.requested else None
        return self.objects.get(name)

    def _slot(self, owner: str, name: str) -> Printed:
        found = self._owner(owner)
        if found is None:
            return Printed("None", optional=True)
        if owner in SIDES and name in ("zero_windows", "retransmissions"):
            return Printed(f"{found}.trouble.{name}", optional=owner in ("C", "S"))
        sure = name in _SURE.get(owner, ())
        return Printed(f"{found}.{name}", optional=not sure)

    def _fits(self, name: str) -> str:
        found = self._owner(name)
        steps = [each for each in self.model.steps[name] if self._is(each.on)]
        if found is None or not steps:
            return "False"
        lifecycle = self.model.lifecycles[name]
        parts = [
            self._test(_both(_states(lifecycle, each.table.states, births=True), each.when))
            for each in steps
        ]
        return "(" + " or ".join(f"({each})" for each in parts) + ")"

    # Requests and answers

    def _table(self, pair: ResolvedTable[Pair], *, answer: bool) -> str:
        if pair.table.scope == "capture":
            return f"shared_{pair.index}"
        return f"{'peer' if answer else 'me'}.q{pair.index}"

    def _requests(
        self, answers: list[ResolvedTable[Pair]], requests: list[ResolvedTable[Pair]]
    ) -> None:
        self.requested = bool(answers)
        used = self._pairing()
        if answers:
            self._emit("req = NO_OBJECT")
        if "orphan" in used:
            self._emit("orphan = False")
        for pair in answers:
            key, when = pair.values["answer_key"], pair.values["answer_when"]
            with self._if("req is NO_OBJECT", self._condition(when)):
                table = self._table(pair, answer=True)
                if key is None:
                    self._emit(f"if {table} is EMPTY: {table} = f_queue(conn)")
                    self._emit(f"req = {table}.oldest(t)")
                else:
                    self._emit(f"req = {table}.get({self._value(key)}, NO_OBJECT)")
                if "orphan" in used:
                    self._emit("orphan = req is NO_OBJECT")
        self._duplicates(used, requests)

    def _duplicates(self, used: set[str], requests: list[ResolvedTable[Pair]]) -> None:
        """Generate whether a request has the key of another open one, and of which."""
        if "duplicate" in used:
            self._emit("duplicate = False")
            for pair in requests:
                key = pair.values["key"]
                if key is not None:
                    with self._if(self._condition(pair.when)):
                        found = f"{self._value(key)} in {self._table(pair, answer=False)}"
                        self._emit(f"duplicate = duplicate or {found}")
        if "duplicate_of" in used:
            self._emit("duplicate_of = None")
            for pair in requests:
                key = pair.values["key"]
                if key is not None:
                    found = (
                        f"{self._table(pair, answer=False)}.get({self._value(key)}, NO_OBJECT).n"
                    )
                    with self._if("duplicate_of is None", self._condition(pair.when)):
                        self._emit(f"duplicate_of = {found}")

    def _pairing(self) -> set[str]:
        """Return which columns about requests and answers the tables read on this row."""
        used: set[str] = set()
        for each in self.chosen.watches:
            if self._is(each.on) and not used >= self._names_of(each):
                when = TRUE if each.when is None else folded(each.when, self._known)
                if when != FALSE:
                    holes = [hole.value for hole in each.values["message"].holes]
                    used |= _pairing(when, *holes, each.values["by"], *each.values["evidence"])
        for derived in self.chosen.derived:
            if self._is(derived.on):
                used |= _pairing(derived.when, derived.values["value"])
        for move in self.chosen.moves:
            if self._is(move.on):
                used |= self._names_in(move)
        return used

    @staticmethod
    def _names_in(move: ResolvedTable[Action]) -> frozenset[str]:
        """Return the columns about requests and answers in an action, whatever the row."""
        known: frozenset[str] | None = move.values.get("pairing")
        if known is None:
            known = move.values["pairing"] = frozenset(_pairing(move.when, *move.values["do"]))
        return known

    @staticmethod
    def _names_of(watch: ResolvedTable[Watch]) -> frozenset[str]:
        """Return the columns about requests and answers in a watch, whatever the row."""
        known: frozenset[str] | None = watch.values.get("pairing")
        if known is None:
            holes = [hole.value for hole in watch.values["message"].holes]
            exprs = (watch.when, *holes, watch.values["by"], *watch.values["evidence"])
            known = watch.values["pairing"] = frozenset(_pairing(*exprs))
        return known

    def _settle(self, answers: list[ResolvedTable[Pair]]) -> None:
        for pair in answers:
            with self._block(f"if req is not NO_OBJECT and req.pair == {pair.index}:"):
                self._count("req", "req")
                done = self._condition(pair.values["done"])
                failed = self._test(pair.values["failed"] or FALSE)
                with self._if(done):
                    self._emit(f"f_settle({self._table(pair, answer=True)}, req)")
                    if self.wanted.conversations and pair.table.type:
                        self._emit(f"f_answered(req, row, 'failed' if {failed} else 'done')")

    def _ask(self, requests: list[ResolvedTable[Pair]]) -> None:
        if any(pair.table.type for pair in requests):
            self._emit("asked = None")
        for pair in requests:
            key = pair.values["key"]
            text = "n" if key is None else self._value(key)
            with self._if(self._condition(pair.when), f"{text} is not None"):
                self._emit(f"q{pair.index} = Q{pair.index}(conn, {text}, t, n, me.side)")
                for name, kept in pair.values["keep"].items():
                    self._emit(f"q{pair.index}.{name} = {self._value(kept)}")
                if pair.table.type:
                    name = f"Name(conn.flow, conn.position, {pair.table.type!r})"
                    self._emit(f"asked = q{pair.index}; asked.name = {name}")
                if self.wanted.annotates:
                    context = self._call_context(f"q{pair.index}", pair)
                    self._emit(f"q{pair.index}.context = {context}")
                if self.wanted.conversations:
                    self._emit(f"q{pair.index}.begin = f_turn(row, q{pair.index}.context)")
                table = self._table(pair, answer=False)
                if pair.table.scope != "capture":
                    empty = "f_queue(conn)" if key is None else "{}"
                    self._emit(f"if {table} is EMPTY: {table} = {empty}")
                self._emit(f"f_open({table}, q{pair.index})")

    def _call_context(self, name: str, pair: ResolvedTable[Pair]) -> str:
        known = [
            (context.table.name, slot.name)
            for context in self.model.contexts
            for slot in context.values["slots"]
            if slot.object == "req" and slot.name in pair.values["keep"]
        ]
        if not known:
            return "conn.context"
        members = ", ".join(f"({label!r}, {name}.{slot})" for label, slot in known)
        return f"f_with(conn.context, ({members},))"

    # Objects

    def _object(self, name: str, key: Expr | None, local: str | None = None) -> None:
        lifecycle = self.model.lifecycles[name]
        folded_key = NONE if key is None else self._fold(key)
        if key is None or (folded_key == NONE and not lifecycle.type):
            return
        local = local or name
        self.objects[name] = local
        match folded_key:
            case Choice(condition, found, Scalar(None)):  # rows that do not matter cost a test
                self._emit(f"{local} = NO_OBJECT")
                with self._if(self.printer.condition(condition)):
                    self._find(lifecycle, found, local)
            case _:
                self._find(lifecycle, folded_key, local)

    def _find(self, lifecycle: Lifecycle, key: Expr, local: str) -> None:
        """Generate the look-up of an object by its key."""
        name = lifecycle.name
        self._emit(f"k_{local} = {self.printer.value(key).text}")
        if lifecycle.scope == "capture":
            self._emit(f"{local} = all_{name}.get(k_{local})")
            made = f"f_meet_shared({name!r}, k_{local}, t, n)"
            self._emit(f"if {local} is None: {local} = {_unless_unknown(key, local)}{made}")
            if lifecycle.type:
                self._emit(f"f_on({local}, conn.flow)")
        else:
            self._emit(f"{local} = conn.o_{name}.get(k_{local})")
            test = f"if {local} is None or {local}.epoch != conn.epoch: "
            made = f"f_meet(conn, {name!r}, k_{local}, t, n)"
            self._emit(f"{test}{local} = {_unless_unknown(key, local)}{made}")

    def _count(self, local: str, owner: str) -> None:
        """Generate the count of an object's frames, and its last frame and time, if needed."""
        counted = {"frames": f"{local}.frames + 1", "last_n": "n", "last_t": "t"}
        texts = [
            f"{local}.{slot} = {value}"
            for slot, value in counted.items()
            if self.chosen.keeps(owner, slot)
        ]
        if texts:
            there = "" if local in ("conn", "me", "req") else f"if {local} is not NO_OBJECT: "
            self._emit(there + "; ".join(texts))

    def _births(self, lifecycle: Lifecycle) -> None:
        births = [
            each
            for each in self.model.steps[lifecycle.name]
            if "absent" in each.table.states.split() and self._is(each.on)
        ]
        local = self.objects.get(lifecycle.name)
        for each in births if local else ():
            test = _in_state(lifecycle, ("absent", "unknown", *lifecycle.final.split()))
            if (
                lifecycle.scope == "connection" and lifecycle.name != "conn"
            ):  # bytes with its end may be lost
                lost = Compare("!=", SlotRef(lifecycle.name, "epoch"), SlotRef("conn", "epoch"))
                test = Junction("or", (test, lost))
            test = _both(test, each.when)
            if self._fold(test) == FALSE:
                continue
            with self._if(self._condition(test)):
                made = f"f_renew(conn, {lifecycle.name!r}, {local}, t, n, {self._side})"
                self._emit(f"{local} = {made}")
                if self.wanted.conversations and lifecycle.type:
                    self._emit(f"{local}.begin = f_turn(row, conn.context)")
                if lifecycle.type:  # it may end in this row
                    self._emit(f"f_name({local}, conn, n, {lifecycle.type!r})")

    def _steps(self, lifecycle: Lifecycle) -> None:
        steps = [each for each in self.model.steps[lifecycle.name] if self._is(each.on)]
        local = self.objects.get(lifecycle.name)
        if steps and local:
            self._chain(lifecycle, steps, local)
        if local and local != "conn" and self.place.kind == "row":
            self._count(local, lifecycle.name)
            if lifecycle.type:
                unnamed = IsNone(SlotRef(lifecycle.name, "name"), negated=False)
                there = Compare("!=", SlotRef(lifecycle.name, "state"), Scalar("absent"))
                with self._if(self._condition(Junction("and", (unnamed, there)))):
                    self._emit(f"f_name({local}, conn, n, {lifecycle.type!r})")
            self._also(lifecycle.name, local)

    def _also(self, name: str, local: str) -> None:
        """Generate further keys under which the object of a row is found from now on."""
        for targets, expr in self.model.also[name]:
            if self._is(targets):
                with self._if(f"{local} is not NO_OBJECT", f"{local}.state != 'absent'"):
                    self._emit(f"all_{name}[{self._value(expr)}] = {local}")

    def _chain(
        self, lifecycle: Lifecycle, steps: list[ResolvedTable[Transition]], local: str
    ) -> None:
        word = "if"
        for each in steps:
            test = _both(_states(lifecycle, each.table.states, births=False), each.when)
            if self._fold(test) == FALSE:
                continue
            with self._block(f"{word} {self._test(test)}:"):
                self._emit(f"{local}.state = {each.table.to!r}")
                if lifecycle.name != "conn" and each.table.to in (
                    "absent",
                    *lifecycle.final.split(),
                ):
                    if self.wanted.conversations and lifecycle.type:
                        self._emit(f"{local}.outcome = f_turn(row)")
                    self._emit(f"f_over({local}, conn, t, n, {each.table.to!r})")
            word = "elif"

    def _each(self) -> None:
        for lifecycle in self.model.lifecycles.values():
            steps = [each for each in self.model.each[lifecycle.name] if self._is(each.on)]
            if steps and lifecycle.scope == "connection":
                with self._all(lifecycle.name):
                    self._chain(lifecycle, steps, "one")

    @contextmanager
    def _all(self, name: str) -> Iterator[None]:
        with (
            self._as_one(name),
            self._block(f"for one in list(conn.o_{name}.values()):"),
        ):
            self._emit("if one.over: continue")
            yield

    @contextmanager
    def _as_one(self, name: str) -> Iterator[None]:
        """Generate for one of all objects of a kind."""
        before = self.objects.get(name)
        self.objects[name] = "one"
        yield
        if before is None:
            del self.objects[name]
        else:
            self.objects[name] = before

    # Conditions

    def _watches(self, watches: list[ResolvedTable[Watch]]) -> None:
        parts = [self._guards(each.when) for each in watches]
        self._in_groups(watches, parts, self._watch, lambda _watch, _part: True)

    def _guards(self, when: Expr | None) -> list[Expr]:
        """Return the cheapest conditions of a table: those that are tested first."""
        parts = [each for each in self._open_parts(when) if self._may_guard(each)]
        costs = [self._cost(each) for each in parts]
        least = min(costs, default=COSTLY)
        return [each for each, cost in zip(parts, costs, strict=True) if cost == least < COSTLY]

    def _may_guard(self, part: Expr) -> bool:
        """Return whether a condition can be tested for several tables at once."""
        return part not in (TRUE, FALSE)

    def _open_parts(self, when: Expr | None) -> list[Expr]:
        """Return the conditions of a table that are not known to hold in this block."""
        parts: list[Expr] = [TRUE] if when is None else conjuncts(self._fold(when))
        return [each for each in parts if each not in self.tested] if self.tested else parts

    def _in_groups(
        self,
        tables: Sequence[AnyTable],
        guards: Sequence[list[Expr]],
        generate: Callable[[AnyTable], object],
        keeps: Callable[[AnyTable, Expr], bool],
    ) -> None:
        """Generate tables in order; a condition that neighbours begin with is tested once.

        Args:
            tables: The tables.
            guards: Of each, the conditions that it may begin with.
            generate: Generates a table.
            keeps: Whether a condition that holds before a table holds after it.
        """
        at = 0
        while at < len(tables):
            guard, end = self._group(tables, guards, at, keeps)
            if guard is None:
                generate(tables[at])
                at += 1
                continue
            before = self.tested, self.is_conditional
            with self._block(f"if {self.printer.condition(guard)}:"):
                self.tested, self.is_conditional = (*self.tested, guard), True
                rest = [[each for each in known if each != guard] for known in guards[at:end]]
                start = len(self.lines)
                self._in_groups(tables[at:end], rest, generate, keeps)
                if len(self.lines) == start:
                    self._emit("pass")
            self.tested, self.is_conditional = before
            at = end

    @staticmethod
    def _group(
        tables: Sequence[AnyTable],
        guards: Sequence[list[Expr]],
        start: int,
        keeps: Callable[[AnyTable, Expr], bool],
    ) -> tuple[Expr | None, int]:
        """Return the condition that most tables from a place on begin with, and their end."""
        found: Expr | None = None
        most = start + 1
        for guard in guards[start]:
            end = start + 1
            while end < len(tables) and guard in guards[end] and keeps(tables[end - 1], guard):
                end += 1
            if end > most:
                found, most = guard, end
        return found, most

    def _watch(self, read: ResolvedTable[Watch], also: str = "", frames: str = "") -> None:
        table = read.table
        parts = self._open_parts(read.when)
        costs = [self._cost(each) for each in parts]
        order = sorted(range(len(parts)), key=costs.__getitem__)
        parts = [parts[at] for at in order]
        needed = [self._fold(each) for each in self._needs(read)]
        if FALSE in (*parts, *needed):
            return
        needs = [self.printer.condition(each) for each in needed if each != TRUE]
        # Cheap conditions come first; what must be captured nearly always is.
        cheap = parts[: sum(cost < COSTLY for cost in costs)]
        conditions = [also, *self._conditions(cheap), *needs]
        self.inline = bool(cheap)
        conditions += self._conditions(parts[len(cheap) :])
        self.inline = True
        if table.predicate is not None:
            given = ", ".join(
                f"{text!r}: {self._value(node)}"
                for text, node in zip(table.reads.split(), read.values["reads"], strict=True)
            )
            if self._is_frame:  # a predicate expects members that frames always have
                conditions.append("not (row.problems and f_cut(row.problems))")
            conditions.append(f"(found := predicate_{read.index}({{{given}}}))")
        self.finds = table.predicate is not None
        meant = self._owner(read.values["of"])
        per = read.values["per"]
        subject = "conn" if meant is None else meant
        if per is not None:
            subject = f"('per', {self._value(per)})"
        if not frames:
            values = ", ".join(self._value(each) for each in read.values["evidence"])
            frames = f"({values},)"
        shown = [hole.value for hole in read.values["message"].holes]
        shown += [] if read.values["by"] is None else [read.values["by"]]
        values = "".join(f"{self._value(each)}, " for each in shown)
        whole = self._fold(_SEEN["whole"])
        if "since" in read.values["needs"] and whole != TRUE:
            since = f"f_since({self._last_lost}, {frames})"
            conditions.append(since if whole == FALSE else f"({self._test(whole)} or {since})")
        with self._if(*conditions):
            self._emit(
                f"notice({read.index}, {subject}, conn, t, {self._row}, {frames}, "
                f"({values.rstrip()}))"
            )
        self.inline = False

    @property
    def _row(self) -> str:
        """Text of the row of a match."""
        return _ENDING if self.place.kind in ("end", "left", "unanswered") else "row"

    @property
    def _last_lost(self) -> str:
        """Text of the number of the last frame after the latest hole."""
        return "conn.lost_n"

    @property
    def _side(self) -> str:
        """Text of the side that sent the row."""
        return self.adapter.built_in("side")

    def _conditions(self, parts: Iterable[Expr]) -> Iterator[str]:
        """Yield tests in order; columns that only later ones need are read in place."""
        for each in parts:
            if each != TRUE:
                yield self.printer.condition(each)
                self.inline = True
        self.inline = False

    def _cost(self, node: Expr) -> int:
        """Return the approximate cost of a condition, in lookups."""
        cost = 0
        for each in walk(node):
            match each:
                case ColumnRef(path):
                    cost += COSTLY if self._is_listed(path) else 2
                case FunctionCall("coalesce" | "max" | "min" | "len"):
                    cost += 1
                case FunctionCall():
                    cost += 4
                case Compare("!=", _, Scalar()) | IsNone(negated=False):
                    cost += OFTEN_TRUE
                case SlotRef() | Compare() | IsNone() | Truth():
                    cost += 1
        return cost

    def _is_listed(self, path: tuple[str, ...]) -> bool:
        """Return whether a column is collected from the items of a list."""
        tree = self.place.tree
        return tree is not None and any(lists_on(tree, path))

    def _needs(self, read: ResolvedTable[Any]) -> Iterator[Expr]:
        """Yield tests of what must have been captured."""
        yield from needs_of(read, is_there=self._owner(read.values["of"]) is not None)

    # Actions

    def _moves(self) -> None:
        moves = [each for each in self.chosen.moves if self._is(each.on)]
        is_plain = [not each.table.items and not each.table.each for each in moves]
        guards = [
            self._guards(each.when) if plain else []
            for each, plain in zip(moves, is_plain, strict=True)
        ]
        self._in_groups(moves, guards, self._move, _leaves)

    def _move(self, move: ResolvedTable[Action]) -> None:
        table: Action = move.table
        if table.items:
            self._over_items(move)
        elif table.each:
            self._over_all(move)
        elif move.when is None or self._fold(move.when) != FALSE:
            self._do(move)

    def _do(self, move: ResolvedTable[Action]) -> None:
        """Generate an action for the objects at hand."""
        with self._where(self._own(self._parts(move))):
            self._statements(move)

    def _parts(self, move: ResolvedTable[Action]) -> list[Expr]:
        """Return the conditions of an action that must be tested."""
        return [each for each in self._open_parts(move.when) if each != TRUE]

    def _own(self, parts: list[Expr]) -> list[Expr]:
        """Return the conditions that this handler can test."""
        return parts

    @contextmanager
    def _where(self, parts: Iterable[Expr]) -> Iterator[None]:
        """Generate a test; what only its later parts or its block need of lists is read there."""
        before = self.is_conditional
        tests = []
        for each in parts:
            tests.append(self.printer.condition(each))
            self.is_conditional = True
        with self._if(*tests):
            yield
        self.is_conditional = before

    @contextmanager
    def _where_once(self, parts: list[Expr], move: ResolvedTable[Action]) -> Iterator[None]:
        """Generate a test before a loop; in it only what the action may change is tested again."""
        with self._where(parts):
            tested = self.tested
            self.tested = (*tested, *(each for each in parts if _leaves(move, each)))
            yield
            self.tested = tested

    def _over_all(self, move: ResolvedTable[Action]) -> None:
        """Generate an action for all objects of a kind, which are looked at if one may count."""
        with self._as_one(move.table.each):
            parts = self._own(self._parts(move))
        if FALSE in parts:
            return
        theirs = {move.table.each, *self._led_to(move)}
        before = [each for each in parts if not theirs & set(_objects(each))]
        with self._where_once(before, move), self._all(move.table.each):
            self._over_each(move)

    def _led_to(self, move: ResolvedTable[Action]) -> dict[str, Expr]:
        """Return the objects that slots of one of many objects lead to, with their keys."""
        keys = {name: self.model.key(name, self.place) for name in self.chosen.touched(self.place)}
        return {name: key for name, key in keys.items() if key and move.table.each in _objects(key)}

    def _over_each(self, move: ResolvedTable[Action]) -> None:
        """Generate an action for one of many objects, with the others that its slots lead to."""
        before = dict(self.objects)
        for name, key in self._led_to(move).items():
            self._object(name, key, f"e_{name}")
        self._do(move)
        self.objects = before

    @contextmanager
    def _items(self, items: str) -> Iterator[None]:
        path = tuple(items.split("."))
        text = self._column(path, "").text
        self.item = (path, "item")
        before = dict(self.objects)
        with self._block(f"for item in {text} or ():"):
            for name in self.chosen.touched(self.place, items):
                self._object(name, self.model.key(name, self.place), f"i_{name}")
            yield
        self.item = None
        self.objects = before

    def _over_items(self, move: ResolvedTable[Action]) -> None:
        """Generate an action for the items of a list, which is read if one of them may count."""
        before = list[Expr]()
        if not self.chosen.touched(self.place, move.table.items):
            path = tuple(move.table.items.split("."))
            parts = self._parts(move)
            if FALSE in parts:
                return
            before = [each for each in self._own(parts) if not _reads(each, path)]
        with self._where_once(before, move), self._items(move.table.items):
            self._do(move)

    def _statements(self, move: ResolvedTable[Action]) -> None:
        start = len(self.lines)
        for statement in move.values["do"]:
            slot = statement.slot if isinstance(statement, Assign) else statement.arguments[0]
            owner = self._owner(slot.object) if isinstance(slot, SlotRef) else None
            if not isinstance(slot, SlotRef):
                self._adopt(statement)
                continue
            if owner is None or (slot.object, slot.name) not in self.chosen.needed:
                continue
            if isinstance(statement, Assign):
                if not self._assign(f"{owner}.{slot.name}", slot, statement.value):
                    continue
            else:
                self._verb(statement, owner, slot)
            if (slot.object, slot.name) in self.chosen.annotated_slots:
                renewed = (
                    "conn.context = f_context(conn)" if owner == "conn" else f"{owner}.base = None"
                )
                self._emit(renewed)
        if len(self.lines) == start:
            self._emit("pass")

    def _assign(self, place: str, slot: SlotRef, value: Expr) -> bool:
        """Generate an assignment; return False if it has no effect."""
        if keeps_first(value, slot):
            if self._fold(IsNone(slot, negated=False)) == FALSE:
                return False
            with self._block(f"if {place} is None:"):
                self._emit(f"{place} = {self._value(value.arguments[1])}")
            return True
        self._emit(f"{place} = {self._value(value)}")
        return True

    def _verb(self, statement: FunctionCall, owner: str, slot: SlotRef) -> None:
        value = self._value(statement.arguments[1]) if len(statement.arguments) > 1 else ""
        place = f"{owner}.{slot.name}"
        match statement.name:
            case "put" | "drop":
                self._emit(f"{place} = f_{statement.name}({place}, {value})")
            case "add":
                known = _BORN.format(owner)
                if owner not in self.objects.values():
                    known = "conn.start and conn.whole"
                self._emit(f"if {place} is None: {place} = OutstandingIds(whole={known})")
                if self._is_list(statement.arguments[1]):
                    self._emit(f"if {value}: {place}.add({value}, t, n)")
                else:
                    self._emit(f"f_add({place}, {value}, t, n)")
            case "forget":
                self._emit(f"if {place} is not None: {place}.forget()")
            case _:
                self.takes = True
                frames = ", frames" if self.wanted.in_full else ""
                if statement.name == "take" and self._is_list(statement.arguments[1]):
                    taken = f"{place}.take({value}{frames})"
                    self._emit(f"if {place} is not None and {value}: took = {taken} or took")
                else:
                    self._emit(f"took = f_{statement.name}({place}, {value}{frames}) or took")

    def _is_list(self, node: Expr) -> bool:
        """Return whether a value is a column with a list, or absent."""
        return isinstance(node, ColumnRef) and self.item is None and self._is_listed(node.path)

    def _adopt(self, statement: FunctionCall) -> None:
        lifecycle, other, same = statement.arguments
        if isinstance(lifecycle, ObjectRef):
            values = f"{self._value(other)}, {self._value(same)}"
            self._emit(f"f_adopt(conn, {lifecycle.object!r}, {values})")

    # Timers and bursts

    def _timers(self) -> None:
        for timer in self.chosen.timers:
            table: Timer = timer.table
            owner = self._owner(table.of)
            if owner is None:
                continue
            slot = f"{owner}.d{timer.index}"
            if self._is(timer.values["clear"]):
                with self._if(self._condition(timer.values["clear_when"])):
                    self._emit(f"{slot} = 0")
            if not self._is(timer.on) or (timer.when and self._fold(timer.when) == FALSE):
                continue
            idle = f"not {slot}" if table.mode == "first" else ""
            there = "" if owner in ("me", "peer", "conn") else f"{owner} is not NO_OBJECT"
            with self._if(there, idle, self._condition(timer.when)):
                limit = self._printed(timer.values["limit"])
                text = limit.text
                if limit.optional:
                    self._emit(f"limit = {text}")
                    text = "limit"
                with self._if("limit is not None" if limit.optional else ""):
                    entry = f"{owner}.h{timer.index}"
                    self._emit(f"{slot} = ring = t + {text}")
                    self._emit(f"if ring < {entry}: f_arm({owner}, {timer.index}, ring)")

    def _repeats(self) -> None:
        for repeat in self.chosen.repeats:
            if self._is(repeat.on):
                self._repeat(repeat)

    def _repeat(self, repeat: ResolvedTable[Burst]) -> None:
        values = repeat.values
        watches = [
            each
            for each in self.chosen.watches
            if any(target == ("repeat", repeat.table.name, None) for target in each.on)
        ]
        with self._if(self._condition(repeat.when)):
            distinct = "None" if values["distinct"] is None else self._value(values["distinct"])
            key = self._value(values["key"])
            self._emit(f"seen = f_repeat({repeat.index}, {key}, t, n, {distinct})")
            with self._block("if seen is not None:"):
                self._emit("pass")
                for each in watches:
                    plain = each.table.evidence == "n"
                    self._watch(each, frames="seen" if plain else "")

    def _links(self) -> None:
        for link in self.chosen.links:
            if not self._is(link.on):
                continue
            table = link.table
            if table.items:
                with self._items(table.items):
                    self._link(link)
            else:
                self._link(link)

    def _link(self, link: Any) -> None:  # noqa: ANN401 - a link read
        owner = self._owner(link.table.of or "conn")
        if owner is None:
            self._emit("pass")
            return
        with self._if(self._condition(link.when)):
            key = self._value(link.values["key"])
            if self.place.kind == "end":
                owner = f"f_ended({owner}.name)"
            self._emit(f"f_link({link.table.kind!r}, {link.table.role!r}, {key}, {owner}, conn, t)")

    # Annotations

    def _took(self) -> str:
        """Return the text of the response time in ns."""
        asked = "t - req.t if req is not NO_OBJECT else None" if self.requested else "None"
        return f"(t - took[1] if took is not None else {asked})" if self.takes else f"({asked})"

    def _derive(self) -> None:
        """Generate the derived values of the row."""
        found = []
        for each in self.chosen.derived:
            if not self._is(each.on):
                continue
            needs = [self._fold(need) for need in self._needs(each)]
            known = " and ".join(map(self.printer.condition, needs)) or "True"
            meant = self._owner(each.values["of"])
            there = [f"{meant} is not NO_OBJECT"] if meant not in (None, "conn", *SIDES) else []
            test = " and ".join(part for part in (*there, self._condition(each.when)) if part)
            value = self._value(each.values["value"])
            found.append(f"({each.index}, {value}, {known}) if {test or 'True'} else None, ")
        if found:
            self._emit(f"row.derived = f_derived(conn, ({''.join(found)}))")

    def _annotate(
        self,
        answers: list[ResolvedTable[Pair]],
        requests: list[ResolvedTable[Pair]],
        touched: list[str],
    ) -> None:
        inner = [name for name in touched if self.model.lifecycles[name].type]
        if self.takes:
            with self._block("if took is not None:"):
                owner = self.objects[inner[-1]] if inner else "conn"
                frames = ", frames" if self.wanted.in_full else ""
                self._emit(f"return f_took({owner}, conn, took, t{frames})")
        part_of = f", part_of={self.objects[inner[-1]]}.name" if inner else ""
        if any(pair.table.type for pair in requests):
            with self._block("if asked is not None:"):
                if answers:
                    arguments = f"asked.name, asked.context, req.n, t - req.t{part_of}"
                    self._emit(f"if req is not NO_OBJECT: return Annotation({arguments})")
                self._emit(f"return Annotation(asked.name, asked.context{part_of})")
        if answers:
            with self._block("if req is not NO_OBJECT and req.name is not None:"):
                self._emit(f"return Annotation(req.name, req.context, req.n, t - req.t{part_of})")
        for name in reversed(inner):
            local = self.objects[name]
            with self._block(f"if {local}.name is not None:"):
                self._emit(f"if {local}.base is not conn.context: f_retell({local}, conn)")
                if answers:
                    with self._block("if req is not NO_OBJECT:"):
                        arguments = f"{local}.name, {local}.annotation.context, req.n, t - req.t"
                        self._emit(f"return Annotation({arguments})")
                self._emit(f"return {local}.annotation")
        if answers:
            with self._block("if req is not NO_OBJECT:"):
                self._emit("return Annotation(conn.name, conn.context, req.n, t - req.t)")
        self._emit("if conn.base is not conn.context: f_retell(conn, conn)")
        self._emit("return conn.annotation")


def _leaves(move: ResolvedTable[Action], condition: Expr) -> bool:
    """Return whether an action assigns nothing that a condition reads."""
    read = {owner_of(each) for each in walk(condition) if isinstance(each, SlotRef)}
    for statement in move.values["do"]:
        slot = statement.slot if isinstance(statement, Assign) else statement.arguments[0]
        if not isinstance(slot, SlotRef) or owner_of(slot) in read:
            return False
    return True


def _pairing(*exprs: Expr | Assign | None) -> set[str]:
    """Return the columns about requests and answers in expressions."""
    return {
        node.path[0]
        for node in walk(*exprs)
        if isinstance(node, ColumnRef) and node.path[0] in PAIRING
    }


def needs_of(read: ResolvedTable[Any], *, is_there: bool) -> Iterator[Expr]:
    """Yield tests of what must have been captured; `is_there` says if a row has the object."""
    of = read.values["of"]
    for need in read.values["needs"]:
        if need == "since":
            continue  # tested last, with the evidence
        if need != "object":
            yield _SEEN[need]
        elif not is_there:
            yield FALSE
        elif of == "conn" or of in SIDES:
            yield Junction("and", (_SEEN["start"], _SEEN["whole"]))
        else:
            yield _born(of)


def keeps_first(value: Expr, slot: SlotRef) -> TypeGuard[FunctionCall]:
    """Return whether a slot is only assigned while it is unknown."""
    return (
        isinstance(value, FunctionCall) and value.name == "coalesce" and value.arguments[0] == slot
    )


def _unless_unknown(key: Expr, local: str) -> str:
    """Return the text that spares the call that makes an object, if its key is unknown."""
    if isinstance(key, Items):
        return f"NO_OBJECT if None in k_{local} else "
    return f"NO_OBJECT if k_{local} is None else "


def _objects(node: Expr) -> Iterator[str]:
    """Yield the names of the objects that an expression reads."""
    for each in walk(node):
        if isinstance(each, ObjectRef | SlotRef):
            yield each.object


def _reads(node: Expr, path: tuple[str, ...]) -> bool:
    """Return whether an expression has a column of the items of a list."""
    columns = [each.path for each in walk(node) if isinstance(each, ColumnRef)]
    return any(each[each[0] == "fields" :][: len(path)] == path for each in columns)


def _states(lifecycle: Lifecycle, states: str, *, births: bool) -> Expr:
    """Return the test whether an object is in one of the states of a transition."""
    words = states.split()
    ended = ("absent", *lifecycle.final.split())
    if "*" in words:
        return _in_state(lifecycle, ended, "not in")
    if births and "absent" in words:
        words = [*words, *lifecycle.final.split()]
    return _in_state(lifecycle, words)


def _in_state(lifecycle: Lifecycle, states: Sequence[str], symbol: str = "in") -> Expr:
    slot, values = SlotRef(lifecycle.name, "state"), tuple(map(Scalar, states))
    if len(states) == 1 and symbol == "in":
        return Compare("==", slot, values[0])
    return Compare(symbol, slot, Items(values))


def _both(one: Expr, other: Expr | None) -> Expr:
    return one if other is None else Junction("and", (one, other))


def _born(lifecycle: str) -> Expr:
    """Return the test whether an object's birth was captured, and all bytes since."""
    same = Compare("==", SlotRef(lifecycle, "epoch"), SlotRef("conn", "epoch"))
    return Junction("and", (Truth(SlotRef(lifecycle, "born"), negated=False), same))
