"""Code generators for handlers of connections that are judged one by one.

What depends on objects that connections share is not evaluated there. In its place the handler
leaves a fact: the number of a function, and the values that the connection gives it. The functions,
which `FactCode` generates beside, are run in the order of all rows, where the objects are; another
function says which objects these are.

A fact is left only where the conditions hold that concern the connection alone; of the rest, each
largest part that concerns the connection alone is a value.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.constant_folding import FALSE, NONE, TRUE, conjuncts, folded
from streamshark.conversations.expressions import (
    OF_SOME,
    SIDES,
    Arithmetic,
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
    Scalar,
    SlotRef,
    Statement,
    Truth,
    is_condition,
    owner_of,
    walk,
)
from streamshark.conversations.handler_code import HandlerCode, needs_of
from streamshark.conversations.prefix_cases import PrefixCase
from streamshark.conversations.resolve import HandlerKey, ResolvedTable
from streamshark.conversations.row_access import RowAccess
from streamshark.conversations.state import NO_OBJECT
from streamshark.conversations.tables import Action, Burst, Lifecycle
from streamshark.errors import SchemaError

if TYPE_CHECKING:
    from streamshark.conversations.prune import NeededTables

GIVEN: Final = "given"
"""First part of the path of a column that stands for a value of a fact."""
LINKS: Final = "links"
"""In the place of a lifecycle: the objects that are linked by a kind and key."""
_PUT_OFF: Final = "..."
"""In the place of what leaves a fact of an item, until it is known whether there are others."""
_ONE_KEY: Final = re.compile(r"k_(?!i_)\w+")
"""A key that is found before the items of a list, and is the same for all of them."""
_ROW: Final = re.compile(r"\brow\b")
"""The row in the code of a fact."""
_VALUE: Final = re.compile(r"\bv\[(\d+)\]")
FOUND: Final = ColumnRef(("found",))
"""What the predicate of a rule gives, which is called where the fact is evaluated."""
_numbers = count(1)


def reference(entity: Any) -> tuple[int, bool, bool, Any] | None:  # noqa: ANN401 - any object
    """Return what stands for an object of a connection in facts; None for no object.

    It is its number, whether it is over, whether it has ended or never existed, and its name, all
    as plain values.
    """
    if entity is NO_OBJECT:
        return None
    if not entity.number:
        entity.number = next(_numbers)
    name = entity.name
    return entity.number, entity.over, entity.is_gone, None if name is None else tuple(name)


def number_objects_from(number: int) -> None:
    """Give objects numbers after this one, where other processes have numbered some."""
    global _numbers  # noqa: PLW0603 - one sequence for all engines of the process
    _numbers = count(number + 1)


def shared_reference(entity: Any) -> tuple[tuple[Any, ...], bool, bool, Any]:  # noqa: ANN401 - an object
    """Return what stands for an object that connections share, whichever process has met it."""
    number, *others = reference(entity) or (0,)
    return ((entity.lifecycle, entity.id, number), *others)


@lru_cache(1 << 12)
def fact_code(text: str) -> CodeType:
    """Return the functions of a fact, compiled once for all that learn it in this process."""
    return compile(text, "<fact>", "exec")


class SplitCode(HandlerCode):
    """Code generator of a handler that leaves facts."""

    def __init__(
        self,
        chosen: "NeededTables",
        place: HandlerKey,
        adapter: RowAccess,
        case: PrefixCase | None = None,
    ) -> None:
        super().__init__(chosen, place, adapter, case)
        self.dependence = chosen.dependence
        self.keys: dict[str, str] = {}
        """Lifecycle of shared objects to the text of the key of the one at hand: a local name, or,
        if the key depends on shared objects, where facts keep it."""
        self._late: dict[int, str] = {}
        """Number of a line that leaves a key, to the lifecycle."""
        self._of_items: list[tuple[FactCode, int]] | None = None
        """Facts of the items of a list, and the lines that leave them; None outside of a list."""
        self._left: dict[int, FactCode] = {}
        """Number of a line that leaves a fact, to the fact."""
        self.asked: set[str] = set()
        """Lifecycles whose keys are kept by facts, and used by further ones."""

    def _known(self, node: Expr) -> Scalar | None:
        if isinstance(node, (SlotRef, ObjectRef)) and self.dependence.of(node):
            there = node.object in self.keys or self._owner(node.object) is not None
            return None if there else NONE
        return super()._known(node)

    def _object(self, name: str, key: Expr | None, local: str | None = None) -> None:
        if name not in self.dependence.shared:
            super()._object(name, key, local)
            return
        if key is None or self._fold(key) == NONE:
            return
        if self.dependence.of(self._fold(key)):
            self._late_key(name, key, f"h_{local or name}")
            return
        self.keys[name] = text = f"k_{local or name}"
        match self._fold(key):
            case Choice(condition, found, Scalar(None)):
                self._emit(f"{text} = None")
                with self._if(self.printer.condition(condition)):
                    self._emit(f"{text} = {self.printer.value(found).text}")
            case found:
                self._emit(f"{text} = {self.printer.value(found).text}")

    def _late_key(self, name: str, key: Expr, has_key: str) -> None:
        """Generate the fact that finds a key, if the row may have one."""
        gate = None
        match self._fold(key):
            case Choice(condition, _, Scalar(None)):
                gate = self._necessary(condition)
        self._emit(f"{has_key} = {'True' if gate is None else self.printer.condition(gate)}")
        self.keys[name] = f"conn.keys[{name!r}] if {has_key} else None"
        with self._if(has_key):
            self._late[len(self.lines)] = name
            self._leave(partial(FactCode.key, name=name, key=key), joins=False)

    def _necessary(self, node: Expr) -> Expr | None:
        """Return what of a condition concerns the connection alone; None if nothing does.

        The condition can only hold if that does.
        """
        if not self.dependence.of(node):
            return node
        if not isinstance(node, Junction):
            return None
        parts = [self._necessary(each) for each in node.parts]
        known = tuple(each for each in parts if each is not None)
        if node.symbol == "or" and len(known) < len(parts):
            return None
        return Junction(node.symbol, known) if known else None

    def _function(self, arguments: str, first: list[str]) -> str:
        for at, fact in self._left.items():
            self._put(at, fact, fact.text())
        for at, name in self._late.items():
            if name not in self.asked:
                line = self.lines[at]
                self.lines[at] = line[: len(line) - len(line.lstrip())] + "pass"
        return super()._function(arguments, first)

    @contextmanager
    def _items(self, items: str) -> Iterator[None]:
        before = dict(self.keys)
        with super()._items(items):
            yield
        self.keys = before

    def _over_each(self, move: ResolvedTable[Action]) -> None:
        before = dict(self.keys)
        super()._over_each(move)
        self.keys = before

    def _births(self, lifecycle: Lifecycle) -> None:
        if lifecycle.name not in self.dependence.shared:
            super()._births(lifecycle)
        elif self._is_followed(lifecycle) and self.model.steps[lifecycle.name]:
            with self._if(self._has_key(lifecycle.name)):
                self._leave(partial(FactCode.births, lifecycle=lifecycle), joins=False)

    def _steps(self, lifecycle: Lifecycle) -> None:
        if lifecycle.name not in self.dependence.shared:
            super()._steps(lifecycle)
        elif self._is_followed(lifecycle):
            with self._if(self._has_key(lifecycle.name)):
                self._leave(partial(FactCode.steps, lifecycle=lifecycle), joins=False)

    def _has_key(self, name: str) -> str:
        """Return the test whether the row has a key of a lifecycle; empty if facts know it."""
        key = self.keys[name]
        return f"{key} is not None" if key.isidentifier() else key.split()[-3]

    def _is_followed(self, lifecycle: Lifecycle) -> bool:
        """Return whether every row of a shared object is a fact."""
        return lifecycle.name in self.keys and self.dependence.is_followed(lifecycle.name)

    def _watch(self, read: ResolvedTable[Any], also: str = "", frames: str = "") -> None:
        if not self.dependence.of_watch(read):
            super()._watch(read, also, frames)
            return
        parts = self._open_parts(read.when)
        needs = [self._fold(each) for each in self._needs(read)]
        if FALSE in (*parts, *needs):
            return
        parts.sort(key=self._cost)
        own, rest = self._parted(parts)
        own_needs, rest_needs = self._parted(needs)
        conditions = [*self._conditions(own), *(self.printer.condition(each) for each in own_needs)]
        if read.table.predicate is not None and self._is_frame:
            conditions.append("not (row.problems and f_cut(row.problems))")
        when = Junction("and", (*rest, *rest_needs)) if (*rest, *rest_needs) else None
        values = {**read.values, "needs": [e for e in read.values["needs"] if e == "since"]}
        left = replace(read, when=when, values=values)
        self.finds = read.table.predicate is not None
        with self._if(*conditions):
            self._leave(partial(FactCode.watch, read=left))
        self.finds = False

    def _needs(self, read: ResolvedTable[Any]) -> Iterator[Expr]:
        of = read.values["of"]
        there = of in self.keys or self._owner(of) is not None
        yield from needs_of(read, is_there=there)

    def _parted(self, parts: list[Expr]) -> tuple[list[Expr], list[Expr]]:
        """Return the conditions about the connection alone, and the others."""
        parts = [each for each in parts if each != TRUE]
        rest = [each for each in parts if self.dependence.of(each)]
        own = [each for each in parts if each not in rest]
        gates = [self._necessary(each) for each in rest]
        return [*own, *(each for each in gates if each is not None)], rest

    def _may_guard(self, part: Expr) -> bool:
        return super()._may_guard(part) and not self.dependence.of(part)

    def _own(self, parts: list[Expr]) -> list[Expr]:
        return self._parted(parts)[0]

    def _do(self, move: ResolvedTable[Action]) -> None:
        parts = self._parts(move)
        if FALSE in parts:
            self._emit("pass")
            return
        own, rest = self._parted(parts)
        with self._where(own):
            start = len(self.lines)
            for is_left, run in self._runs(move, is_all=bool(rest)):
                part = replace(move, values={**move.values, "do": run})
                part.when = Junction("and", tuple(rest)) if rest else None
                if is_left:
                    self._leave(partial(FactCode.do, move=part))
                else:
                    self._statements(part)
            if len(self.lines) == start:
                self._emit("pass")

    def _runs(
        self, move: ResolvedTable[Action], *, is_all: bool
    ) -> Iterator[tuple[bool, tuple[Statement, ...]]]:
        """Yield the steps of an action one after the other; True with those that are left."""
        runs: list[tuple[bool, list[Statement]]] = []
        for each in move.values["do"]:
            slot = each.slot if isinstance(each, Assign) else each.arguments[0]
            is_left = is_all
            if isinstance(slot, SlotRef):
                if (slot.object, slot.name) not in self.chosen.needed:
                    continue
                if slot.object in self.dependence.shared and slot.object not in self.keys:
                    continue
                is_left |= self.dependence.of(slot)
            if not runs or runs[-1][0] is not is_left:
                runs.append((is_left, []))
            runs[-1][1].append(each)
        return ((is_left, tuple(run)) for is_left, run in runs)

    def _repeat(self, repeat: ResolvedTable[Burst]) -> None:
        if repeat.index not in self.dependence.bursts:
            super()._repeat(repeat)
            return
        parts = [] if repeat.when is None else conjuncts(self._fold(repeat.when))
        if FALSE in parts:
            return
        own, rest = self._parted(parts)
        left = replace(repeat, when=Junction("and", tuple(rest)) if rest else None)
        with self._if(*(self.printer.condition(each) for each in own)):
            self._leave(partial(FactCode.repeat, repeat=left), joins=False)

    def _link(self, link: Any) -> None:  # noqa: ANN401 - a link read
        if self._owner(link.table.of or "conn") is None:
            self._emit("pass")
            return
        parts = [] if link.when is None else conjuncts(self._fold(link.when))
        if FALSE in parts:
            self._emit("pass")
            return
        own, rest = self._parted(parts)
        left = replace(link, when=Junction("and", tuple(rest)) if rest else None)
        with self._if(*(self.printer.condition(each) for each in own)):
            self._leave(partial(FactCode.link, link=left), joins=False)

    def _over_items(self, move: ResolvedTable[Action]) -> None:
        at, self._of_items = len(self.lines), []
        self._emit("left = []")
        super()._over_items(move)
        found, self._of_items = self._of_items, None
        if len(found) == 1:  # then facts of the items come one after the other
            (fact, line), *_ = found
            indent = self.lines[line][: -len(self.lines[line].lstrip())]
            self.lines[line] = f"{indent}left.append({fact.values})"
            with self._if("left"):
                number = self._numbered(fact.text_of_items())
                self._emit(f"f_leave({number}, {self._at(fact)}, left)")
            return
        for fact, line in found:
            self._put(line, fact, fact.text())
        self.lines[at] = self.lines[at].replace("left = []", "pass")

    def _leave(self, fill: "Callable[[FactCode], None]", *, joins: bool = True) -> None:
        """Generate a fact: `fill` generates what is done with it.

        If it `joins` others, it is one with the fact before it that is left under the same
        conditions and concerns its objects, or some of them.
        """
        fact = FactCode(self, joins=joins)
        self._fill(fact, fill)
        if self._of_items is not None and self.item is not None:
            self._of_items.append((fact, len(self.lines)))
            self._emit(_PUT_OFF)
            return
        before, drops = self._before() if joins else (None, 0)
        if before is not None and fact.concerns <= before.concerns:
            self._fill(before, fill)
            del self.lines[len(self.lines) - drops :]
            return
        self._left[len(self.lines)] = fact
        self._emit(_PUT_OFF)

    def _fill(self, fact: "FactCode", fill: "Callable[[FactCode], None]") -> None:
        inline, self.inline = self.inline, True
        fill(fact)
        self.inline = inline

    def _before(self) -> "tuple[FactCode | None, int]":
        """Return the fact that is left just before, under the conditions of the next line.

        With it is the number of last lines that say these conditions again.
        """
        lines, inner = self.lines, "    " * self.indent + _PUT_OFF
        at = len(lines) - 1
        head = lines[at] if lines and lines[at].lstrip().startswith("if ") else None
        at -= head is not None
        found = self._left.get(at)
        if found is None or not found.joins or lines[at] != inner:
            return None, 0
        while at in self._left and lines[at] == inner:
            at -= 1
        return (found, int(head is not None)) if head in {None, lines[at]} else (None, 0)

    def _put(self, at: int, fact: "FactCode", text: str) -> None:
        """Put what leaves a fact, with the text of its code, in the place of a line."""
        left = f"f_leave({self._numbered(text)}, {self._at(fact)}, {fact.values})"
        indent, found, _ = self.lines[at].partition(_PUT_OFF)
        if not found:
            raise ValueError(f"no fact is left at {self.lines[at]}")
        self.lines[at] = indent + left

    def _at(self, fact: "FactCode") -> str:
        """Return the arguments of every fact; the row is left only if the fact may match."""
        return f"conn, t, n, {self._row if fact.names_row else 'None'}"

    def _numbered(self, text: str) -> int:
        """Return the number of the code of a fact."""
        return self.chosen.fact(text)

    # For `FactCode`

    def owner(self, name: str) -> str | None:
        """Return the local name of an object of the connection; None if there is none."""
        return self._owner(name)

    def reduced(self, node: Expr) -> Expr:
        """Return an expression with what is known of the row."""
        return folded(node, self._known)

    def text_of(self, node: Expr) -> str:
        """Return the text of an expression about the connection alone."""
        if is_condition(node):
            return self.printer.condition(node)
        return self.printer.value(node).text


class FactCode(HandlerCode):
    """Code generator of what is done with a fact: `handle(conn, t, n, row, v)`.

    Beside it is `objects(flow, t, n, v)`: the objects that facts change or depend on, as name and
    key, or of the connection as name, flow and what names one there. Keys that depend on other
    objects are not there; the facts of a row that find and use such a key have its name, flow, time
    and frame.
    """

    def __init__(self, source: SplitCode, *, joins: bool) -> None:
        super().__init__(source.chosen, source.place, source.adapter)
        self.source = source
        self.joins = joins
        """Whether it ends no object, so that further facts may be one with it."""
        self.dependence = source.dependence
        self.given: list[str] = []
        """Texts of the values that the connection gives, in its handler."""
        self._found: dict[str, list[str]] = {}
        """Name of an object to the lines that find it."""
        self._touched: dict[str, None] = {}
        """Texts of the objects, of `objects`."""

    @property
    def values(self) -> str:
        """Text of the tuple of the values."""
        values = "".join(f"{each}, " for each in self.given)
        return f"({values.rstrip()})"

    @property
    def concerns(self) -> set[str]:
        """The objects that it changes or depends on, by the texts of their keys in the handler."""
        return {_VALUE.sub(lambda value: self.given[int(value[1])], each) for each in self._touched}

    @property
    def names_row(self) -> bool:
        """Whether it needs the row."""
        return any(map(_ROW.search, self.lines))

    def text(self) -> str:
        """Return the code of the functions."""
        found = [f"    {line}" for lines in self._found.values() for line in lines]
        body = "\n".join([*found, *self.lines, "    return None"])
        touched = "".join(f"{each}, " for each in self._touched)
        return (
            f"def handle(conn, t, n, row, v):\n{body}\n"
            f"def objects(flow, t, n, v):\n    return ({touched.rstrip()})\n"
        )

    def text_of_items(self) -> str:
        """Return the code of the functions for a list of values: what is done with each of them."""
        found = [f"        {line}" for lines in self._found.values() for line in lines]
        body = "\n".join([*found, *(f"    {line}" for line in self.lines)])
        touched = "".join(f"{each}, " for each in self._touched)
        is_one = all(_ONE_KEY.fullmatch(self.given[int(at)]) for at in _VALUE.findall(touched))
        some = "left[:1]" if is_one else "left"
        return (
            f"def handle(conn, t, n, row, left):\n    for v in left:\n{body}\n"
            f"def objects(flow, t, n, left):\n"
            f"    return tuple({{each: None for v in {some} for each in ({touched.rstrip()})}})\n"
        )

    def key(self, name: str, key: Expr) -> None:
        """Generate the key of a shared object, for the further facts of the row."""
        self._touch(f"{name!r}, flow, (t, n or 0)")
        self._emit(f"conn.keys[{name!r}] = {self._value(key)}")

    def births(self, lifecycle: Lifecycle) -> None:
        """Generate the births of a shared object."""
        self._owner(lifecycle.name)
        self._births(lifecycle)

    def steps(self, lifecycle: Lifecycle) -> None:
        """Generate the transitions of a shared object."""
        self._owner(lifecycle.name)
        self._steps(lifecycle)

    def watch(self, read: ResolvedTable[Any]) -> None:
        """Generate a condition."""
        self._watch(read)

    def do(self, move: ResolvedTable[Action]) -> None:
        """Generate an action."""
        for each in move.values["do"]:
            slot = each.slot if isinstance(each, Assign) else each.arguments[0]
            if isinstance(slot, SlotRef):
                self._touch_own(slot)
        self._do(move)

    def repeat(self, repeat: ResolvedTable[Burst]) -> None:
        """Generate the count of a burst, and what it triggers."""
        self._touch_counted(repeat.table.name, repeat.values["key"])
        self._repeat(repeat)

    def link(self, link: Any) -> None:  # noqa: ANN401 - a link read
        """Generate a link."""
        self._touch_counted(LINKS, link.values["key"], repr(link.table.kind))
        self._link(link)

    def _touch(self, text: str) -> None:
        """Note an object, by the text of its name and key."""
        self._touched[f"({text})"] = None

    def _touch_counted(self, name: str, key: Expr, kind: str = "") -> None:
        """Note what a burst or link counts by its key; everything, if that is known only later."""
        text = "0" if self.dependence.of(key) else self._value(key)
        self._touch(f"{name!r}, ({kind}, {text})" if kind else f"{name!r}, {text}")

    def _touch_own(self, slot: SlotRef) -> None:
        """Note an object of the connection, one of whose slots depends on shared ones."""
        name = slot.object
        if name in self.dependence.shared:
            return
        local = self.source.owner(name)
        if name == "conn":
            self._touch("'conn', flow, 0")
        elif name in SIDES and local is not None:
            self._touch(f"'side', flow, {self._give(f'{local}.side')}")
        elif local is not None:
            given = self._give(f"f_ref({local})")
            self._touch(f"{name!r}, flow, {given} and {given}[0]")

    # What differs from a handler of rows

    @property
    def _is_frame(self) -> bool:
        return False

    @property
    def _row(self) -> str:
        return "row"

    @property
    def _last_lost(self) -> str:
        return self._give("conn.lost_n")

    @property
    def _side(self) -> str:
        return self._give("row.side")

    def _needs(self, read: ResolvedTable[Any]) -> Iterator[Expr]:
        of = read.values["of"]
        there = of in self.source.keys or self.source.owner(of) is not None
        yield from needs_of(read, is_there=there)

    def _fold(self, node: Expr) -> Expr:
        if not any(map(_is_given, walk(node))):
            node = self.source.reduced(node)
        return folded(self._cut(node), self._known)

    def _known(self, node: Expr) -> Scalar | None:
        match node:
            case NamedConstant(name):
                value = self.model.constants[name]
                return Scalar(value) if isinstance(value, (int, str)) else None
            case SlotRef(owner) | ObjectRef(owner):
                there = owner in self.source.keys or self.source.owner(owner) is not None
                return None if there else NONE
        return None

    def _column(self, path: tuple[str, ...], part: str) -> Printed:
        if path == FOUND.path:
            return Printed("found", optional=False)
        if path[0] != GIVEN:
            raise SchemaError(f"{'.'.join(path)}: a column in a fact")
        return self._part(Printed(f"v[{path[1]}]", optional=True), part)

    def _owner(self, name: str) -> str | None:
        if name == "conn":
            return "conn"
        if name not in self.objects:
            lines = self._lines(name)
            if lines is None:
                return None
            self.objects[name] = f"x_{name}"
            self._found[name] = [each.replace("{0}", f"x_{name}") for each in lines]
        return self.objects[name]

    def _lines(self, name: str) -> list[str] | None:
        """Return the lines that find an object; None if there is none."""
        if name in self.dependence.shared:
            key = self.source.keys.get(name)
            if key is None:
                return None
            if key.isidentifier():
                given = self._give(key)
                self._touch(f"{name!r}, {given}")
            else:  # `conn.keys[...] if has_key else None`
                self.source.asked.add(name)
                kept, _, has_key, *_ = key.split()
                given = f"({kept} if {self._give(has_key)} else None)"
                self._touch(f"{name!r}, flow, (t, n or 0)")
            made = f"f_meet_shared({name!r}, {given}, t, n)"
            lines = [f"{{0}} = all_{name}.get({given})", f"if {{0}} is None: {{0}} = {made}"]
            if self.model.lifecycles[name].type:
                lines.append("f_on({0}, conn.flow)")
            return lines
        local = self.source.owner(name)
        if local is None:
            return None
        if name in SIDES:
            return [f"{{0}} = f_side(conn, {self._give(f'{local}.side')})"]
        return [f"{{0}} = f_kept(conn, {name!r}, {self._give(f'f_ref({local})')})"]

    # Cutting

    def _give(self, text: str) -> str:
        """Return the text of a value that the connection gives, by its text there."""
        if text not in self.given:
            self.given.append(text)
        return f"v[{self.given.index(text)}]"

    def _value_of(self, node: Expr, text: str | None = None) -> Expr:
        """Return the column that stands for a value of the connection."""
        if isinstance(node, SlotRef) and owner_of(node) in self.model.outstanding_slots:
            raise SchemaError(f"{node.object}.{node.name}: outstanding ids cannot leave as a value")
        self._give(text := text or self.source.text_of(node))
        return ColumnRef((GIVEN, str(self.given.index(text))))

    def _cut(self, node: Expr) -> Expr:  # noqa: C901, PLR0911, PLR0912 - a row a kind
        """Return an expression with columns in the place of what concerns the connection alone."""
        if isinstance(node, (Scalar, NamedConstant)) or _is_constant(node) or _is_given(node):
            return node
        if node == FOUND:
            return node
        if not self.dependence.of(node) and not any(
            each == FOUND or _is_given(each) for each in walk(node)
        ):
            return self._value_of(node)
        match node:
            case FunctionCall(name, (ColumnRef((first, *_)) as column, *rest)) if (
                name in OF_SOME and first != GIVEN
            ):
                some = self.source.printer.look(FunctionCall(name, (column,)))
                found = self._value_of(column, some.text)
                return FunctionCall(name, (found, *map(self._cut, rest)))
            case FunctionCall(name, arguments):
                return FunctionCall(name, tuple(map(self._cut, arguments)))
            case Items(items):
                return Items(tuple(map(self._cut, items)))
            case Arithmetic(symbol, left, right):
                return Arithmetic(symbol, self._cut(left), self._cut(right))
            case Compare(symbol, left, right):
                return Compare(symbol, self._cut(left), self._cut(right))
            case IsNone(of, negated):
                return IsNone(self._cut(of), negated)
            case Truth(of, negated):
                return Truth(self._cut(of), negated)
            case Junction(symbol, parts):
                return Junction(symbol, tuple(map(self._cut, parts)))
            case Choice(condition, yes, no):
                return Choice(self._cut(condition), self._cut(yes), self._cut(no))
            case SlotRef():
                self._touch_own(node)
        return node


def _is_given(node: Expr) -> bool:
    """Return whether a node stands for a value that the connection gives."""
    return isinstance(node, ColumnRef) and node.path[0] == GIVEN


def _is_constant(node: Expr) -> bool:
    """Return whether a node is a tuple of constants."""
    return isinstance(node, Items) and all(isinstance(each, Scalar) for each in node.items)
