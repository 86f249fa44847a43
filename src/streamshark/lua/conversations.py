"""Prints a protocol's tables of conversations and rules, as far as a plugin runs them.

Handlers of what a plugin is not told of, or in Python without a counterpart in Lua, are omitted,
and so is what would be wrong without them: a slot that an omitted handler also assigns is stale,
one that no other handler assigns is never known, and no rule relies on either.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module, resources
from typing import Any, Final

from streamshark.conversations.expressions import (
    BUILT_IN,
    SIDES,
    VERBS,
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
    Scalar,
    SlotRef,
    Statement,
    walk,
)
from streamshark.conversations.lua_expressions import LUA_WORDS, LuaPrinter
from streamshark.conversations.resolve import (
    EventTarget,
    HandlerKey,
    MessageTemplate,
    ResolvedTable,
    ResolvedTables,
    TemplateValue,
    lists_on,
)
from streamshark.conversations.summary import WHOLE_VALUES
from streamshark.conversations.tables import (
    Action,
    Burst,
    Lifecycle,
    Pair,
    Relief,
    Timer,
    Transition,
)
from streamshark.conversations.unfolding import CAPTURES
from streamshark.fields.common_fields import CommonField
from streamshark.findings.draft import REPEATED, REPEATED_NS
from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule, field_names
from streamshark.lua.steps import FrameColumns, ValueNames
from streamshark.lua.text import LuaCode, key, quoted, table, value
from streamshark.protocols.protocol import Protocol
from streamshark.schema import nodes

ROWS: Final = frozenset(("row", "any"))
"""Kinds of targets that are frames."""
TAKES: Final = frozenset(("take", "take_upto", "take_oldest"))
SETS: Final = frozenset(("put", "drop"))
ADOPT: Final = "adopt"
TRIGGERS: Final = frozenset(("timer", "repeat", "end", "left", "unanswered"))
"""Kinds of targets that the tables themselves trigger."""
EVENTS: Final = frozenset(("open", "close", "reset", "gap", "resync", "zero_window"))
"""Events of TCP that a plugin is told of."""
COMPRESSED: Final = "Wireshark cannot decompress all sub-batches"
LEFT_OUT: Final = {
    "RMQ-F13": "Wireshark finds bytes missing only when a later packet of that side comes",
    "NATS-B9c": "Wireshark dissects TLS itself",
    "PRV-P25": "it needs fields of a malformed frame",
    "PRV-P73": "it compares lists that are inside items of lists",
    "RMQ-U3": COMPRESSED,
    "RMQ-D9": COMPRESSED,
}
"""Ids of rules that a plugin does not evaluate, or could not as `check` does; and why."""
COUNTED: Final = frozenset(("retransmissions",))
"""Slots of sides that only TCP analysis assigns."""
UNTOLD: Final = "pieces"
"""A column about the segments that brought a frame, of which a plugin is not told."""
TALLIED: Final = frozenset(("frames", "last_n", "last_t"))
"""Slots of all objects that change with every frame: kept only if they are read."""
GROUPS: Final = {Group.RESPONSE: "RESPONSE_CODE", Group.REQUEST: "REQUEST_CODE"}
"""Groups of findings that have another name in Wireshark."""
SEVERITIES: Final = {Severity.WARNING: "WARN"}
AGREED: Final = "agreed"
"""First part of the path of what the connection has agreed."""
CARRIER: Final = "carrier"
"""First part of the path of columns of the outer frame."""
BILLION: Final = 10**9
"""Numbers from which on constants are floats: times in ns overflow Lua's whole numbers."""
WIDE: Final = 6
"""Most bytes of a number that Lua represents exactly."""

ALWAYS_KNOWN: Final = tuple(ColumnRef((name,)) for name in ("t", "n", "name"))
"""Columns that are known of every row."""

FIXED_COLUMNS: Final = (("name",), ("sender",), ("key",))
"""Columns that have one value for all frames of a kind from one sender."""

FITS: Final = "fits_"
"""Prefix of the functions that return whether a row is a transition of a lifecycle."""
PREDICATES: Final = "predicates.lua"
"""File in a protocol's folder with predicates of rules in Lua."""
FOR_PLUGINS: Final = "FOR_PLUGINS"
"""Name in a module of predicates for what those in Lua share with them: `tables` there."""
KNOWN: Final = LUA_WORDS | {"f", "math", "names", "K", "LISTS"}
"""Names in functions that are not arguments."""
TAKEN: Final = KNOWN | BUILT_IN.keys() | {"c", "mark", "row"}
"""Names that objects cannot have in Lua."""

_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAME: Final = re.compile(r"(?<![.\w])[A-Za-z_]\w*")

ANALYSED: Final = "it needs the analysis of TCP"
SEGMENTS: Final = "Wireshark does not tell plugins which segments a frame came in"
UNREPORTED: Final = {
    "tcp.partial": "Wireshark does not report frames that the end of a connection cuts",
    "websocket.ping": "Wireshark does not pass PING frames of WebSocket to plugins",
    "websocket.close": "Wireshark does not pass CLOSE frames of WebSocket to plugins",
}
"""Events that Wireshark does not report, and how."""
GENERAL: Final = "it counts only if no other rule finds something in the frame"

Path = tuple[str, ...]
Obstacles = dict[tuple[str, str], str]
"""Owner and name of slots to why a plugin does not know them."""


@cache
def known_functions() -> frozenset[str]:
    """Return the functions of the tables' language that the reader has."""
    folder = resources.files("streamshark.lua") / "reader"
    parts = ("functions", "outstanding", "conversations")
    texts = ((folder / f"{name}.lua").read_text(encoding="utf-8") for name in parts)
    found_in = (re.findall(r"^function f\.(\w+)", text, re.MULTILINE) for text in texts)
    return frozenset(name for names in found_in for name in names) | {"fits"}


def predicates_of(rules: Iterable[Rule]) -> str:
    """Return the text of the predicates of a protocol's rules in Lua; empty if there are none."""
    modules = {each.predicate.__module__ for each in rules if each.predicate is not None}
    folders = sorted({each.rpartition(".")[0] for each in modules})
    files = (resources.files(each) / PREDICATES for each in folders)
    return next((each.read_text(encoding="utf-8") for each in files if each.is_file()), "")


def predicate_tables(rules: Iterable[Rule]) -> dict[str, object]:
    """Return what the predicates of a protocol's rules in Lua share with those in Python."""
    modules = {each.predicate.__module__ for each in rules if each.predicate is not None}
    found: dict[str, object] = {}
    for each in sorted(modules):
        found |= getattr(import_module(each), FOR_PLUGINS, {})
    return found


def known_predicates(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the names of the predicates that a plugin has; none that two modules have."""
    every = tuple(rules)
    names = re.findall(r"^function P\.(\w+)", predicates_of(every), re.MULTILINE)
    found = {(e.predicate.__name__, e.predicate.__module__) for e in every if e.predicate}
    modules = [name for name, _ in found]
    return frozenset(name for name in names if modules.count(name) == 1)


class LuaFunctionPrinter(LuaPrinter):
    """A printer of expressions as functions of what they read, which the reader passes by name.

    `c` has the frame's own columns; columns that every frame has, and objects, are passed by their
    names. `trees` are those of the frames that the table is about, `items` the list whose items are
    the rows. Sets of constants are added to `lists`, conditions on columns alone to `guards`.
    """

    def __init__(
        self, trees: Iterable[nodes.Tree], items: str, lists: list[str], guards: list[str]
    ) -> None:
        super().__init__(self._column)
        self.lists = lists
        self.guards = guards
        self.trees = tuple(trees)
        self.items = items

    def _column(self, path: Path) -> str:
        if path[0] in BUILT_IN:
            return path[0]
        if path[0] == AGREED:
            return ".".join(path)
        return _at("c", column_name(self.trees, bare(path), self.items))

    def value(self, node: Expr) -> str:  # noqa: PLR0911 - one row a kind
        """Print an expression; see `LuaPrinter`."""
        match node:
            case Scalar(str(text)):
                return quoted(text)
            case Scalar(int(number)) if abs(number) >= BILLION:
                return f"{number}.0"
            case SlotRef(owner, name):
                return _at(object_name(owner), name)
            case ObjectRef(name):
                return object_name(name)
            case FunctionCall("live", (ObjectRef(lifecycle),)):
                return f"f.live(conn, {quoted(object_name(lifecycle))})"
            case FunctionCall("fits", (ObjectRef(lifecycle),)):
                return f"{FITS}{object_name(lifecycle)}"
            case FunctionCall("first", (ColumnRef() as column,)) if (
                text := self.value(column)
            ).endswith('[]"]'):
                return f"({text} and {text}[1])"
            case FunctionCall("len", (ColumnRef(path),)) if is_counted(
                self.trees, path, self.items
            ):
                return _at("c", f"#{'.'.join(bare(path))}")
            case FunctionCall(
                "len", (FunctionCall("first" | "last", (ColumnRef(path),)) as one,)
            ) if has_bytes(self.trees, path):
                return f"f.size_of({self.value(one)})"
            case _:
                return super().value(node)

    def _compare(self, node: Compare) -> str:
        match node:
            case Compare("in" | "not in", left, Items(items)) if all(
                isinstance(each, Scalar) for each in items
            ):
                printed = "{" + ", ".join(f"[{self.value(each)}] = true" for each in items) + "}"
                if printed not in self.lists:
                    self.lists.append(printed)
                one = self.value(left)
                lookup = f"LISTS[{self.lists.index(printed) + 1}][{one}]"
                return (
                    lookup
                    if node.symbol == "in"
                    else self._both(self._known(left), f"not {lookup}")
                )
            case _:
                return super()._compare(node)

    def _unknown(self, node: Expr) -> Iterator[Expr]:
        return (each for each in super()._unknown(node) if each not in ALWAYS_KNOWN)

    def key(self, node: Expr) -> object:
        """Return the key of a pair or object: the name of a column, or a function."""
        if isinstance(node, ColumnRef) and node.path[0] not in BUILT_IN:
            return column_name(self.trees, bare(node.path), self.items)
        return code(self._key(node))

    def _key(self, node: Expr) -> str:
        """Return the text of a key: several values are joined to one, unknown if one of them is."""
        match node:
            case Items():
                return self.joined(node)
            case Choice(condition, yes, no):
                return self._chosen(self.condition(condition), self._key(yes), yes, no)
        return self.value(node)

    def _chosen(self, condition: str, text: str, yes: Expr, no: Expr) -> str:
        """Return the text of a choice; what is costly is worked out only if it is chosen."""
        other = self._key(no)
        if not isinstance(yes, (Items, Choice, FunctionCall)):  # may be false
            return f"f.choose({condition}, {text}, {other})"
        rest = "" if no == Scalar(None) else f"not {condition} and {other} or "
        return f"({condition} and {text} or {rest}nil)"

    def keyed(self, node: Expr) -> dict[str, object]:
        """Return a key as `guard`, without which it is unknown, and `key`, the rest."""
        guards: list[str] = []
        while isinstance(node, Choice) and not self.items and Scalar(None) in (node.yes, node.no):
            if node.no != Scalar(None):
                if not self._is_guard(node.condition):
                    break
                guards.append(f"not {self.condition(node.condition)}")
                node = node.no
                continue
            alone, others = self.split(node.condition)
            guards += map(self.condition, alone)
            if others:
                node = Choice(_all_of(others), node.yes, node.no)
                break
            node = node.yes
        return {"key": self.key(node), **_given(guard=self._guard(guards))}

    def test(self, node: Expr | None) -> LuaCode | None:
        """Return a condition as a function; None for None."""
        return None if node is None else code(self.condition(node))

    def tests(self, node: Expr | None) -> dict[str, object]:
        """Return the parts of a condition: `guard`, `fixed`, and `when`, the rest.

        A guard depends on columns alone: the reader evaluates it once for a frame, however many
        conditions share it. What is fixed is the same for all frames of a kind from one sender.
        """
        if node is None:
            return {}
        if self.items:
            return {"when": self.test(node)}
        alone, others = self.split(node)
        fixed = [each for each in others if _is_fixed(each)]
        others = [each for each in others if each not in fixed]
        tests = {
            name: self.test(_all_of(parts)) if parts else None
            for name, parts in (("fixed", fixed), ("when", others))
        }
        return _given(guard=self._guard(list(map(self.condition, alone))), **tests)

    def split(self, node: Expr) -> tuple[list[Expr], list[Expr]]:
        """Return the parts of a condition that depend on columns of the frame alone, and others."""
        parts = node.parts if isinstance(node, Junction) and node.symbol == "and" else (node,)
        alone = [each for each in parts if self._is_guard(each)]
        return alone, [each for each in parts if each not in alone]

    def _is_guard(self, node: Expr) -> bool:
        """Return whether an expression depends on columns of the frame alone."""
        all_nodes = list(walk(node))
        return any(isinstance(each, ColumnRef) for each in all_nodes) and not any(
            isinstance(each, (SlotRef, ObjectRef))
            or (isinstance(each, ColumnRef) and each.path[0] in BUILT_IN)
            for each in all_nodes
        )

    def _guard(self, conditions: list[str]) -> int | None:
        """Return the number of the guard that all these conditions are; None for none."""
        if not conditions:
            return None
        printed = code(" and ".join(conditions)).text
        if printed not in self.guards:
            self.guards.append(printed)
        return self.guards.index(printed) + 1


def _is_fixed(node: Expr) -> bool:
    """Return whether a condition is the same for all frames of a kind from one sender."""
    leaves = [each for each in walk(node) if isinstance(each, (ColumnRef, SlotRef, ObjectRef))]
    return bool(leaves) and all(
        isinstance(each, ColumnRef) and each.path in FIXED_COLUMNS for each in leaves
    )


def _all_of(parts: list[Expr]) -> Expr:
    """Return the conjunction of conditions."""
    return Junction("and", tuple(parts)) if len(parts) > 1 else parts[0]


def bare(path: Path) -> Path:
    """Return a field's path without the word that distinguishes it from a column of that name."""
    return path[1:] if path[0] == "fields" else path


def object_name(name: str) -> str:
    """Return the name of an object in Lua, where some names are taken."""
    return f"{name}_object" if name in TAKEN else name


def _at(table_of: str, name: str) -> str:
    return f"{table_of}.{name}" if key(name) == name else f"{table_of}[{quoted(name)}]"


def code(body: str) -> LuaCode:
    """Return an expression, or statements, as text with the names of what it reads.

    The reader writes the text into the code for a kind of frame, with what has these names there.
    """
    names = (each for each in _NAME.findall(_TEXT.sub("", body)) if each not in KNOWN)
    given = " ".join(sorted(dict.fromkeys(names), key=lambda each: each != "c"))
    fence = "=" * ("]]" in f"{body}]")
    text = f"[{fence}[{body}]{fence}]"
    return LuaCode(table([text, quoted(given)] if given else [text]))


def found(trees: Iterable[nodes.Tree], path: Path) -> tuple[nodes.Tree, nodes.Node] | None:
    """Return the first tree with a node at a path, and the node; None if there is none."""
    for tree in trees:
        node = _by_path(tree).get(path)
        if node is not None:
            return tree, node
    return None


_NAMED: Final[dict[nodes.Node, dict[Path, nodes.Node]]] = {}


def _by_path(tree: nodes.Tree) -> dict[Path, nodes.Node]:
    """Return the named nodes of a tree by path, the first of each."""
    known = _NAMED.get(tree.root)
    if known is None:
        known = _NAMED[tree.root] = {}
        for node in tree.named():
            known.setdefault(node.path, node)
    return known


def is_counted(trees: Iterable[nodes.Tree], path: Path, items: str = "") -> bool:
    """Return whether a column, as an argument of `len`, is read as a number of bytes or items.

    Of the items of a list that a table goes through only lists are counted.
    """
    if path[0] in BUILT_IN:
        return False
    there = found(trees, bare(path))
    around = len(items.split(".")) if items and is_inside(bare(path), items) else 0
    if there is None or any(lists_on(there[0], bare(path))[around:-1]):
        return False
    if around:
        return isinstance(there[1], nodes.ListNode)
    return isinstance(there[1], nodes.ListNode) or is_repeated(there[1]) or is_bytes(there[1])


def is_inside(path: Path, items: str) -> bool:
    """Return whether a column is a member of the items of a list."""
    return ".".join(path).startswith(f"{items}.")


def has_bytes(trees: Iterable[nodes.Tree], path: Path) -> bool:
    """Return whether the values of a column are bytes."""
    there = None if path[0] in BUILT_IN else found(trees, bare(path))
    return there is not None and is_bytes(there[1]) and not is_repeated(there[1])


def column_name(trees: Iterable[nodes.Tree], path: Path, items: str = "") -> str:
    """Return the name of a column among the values that the reader keeps."""
    name = ".".join(path)
    if items and (name == items or name.startswith(f"{items}.")):
        return name
    there = found(trees, path)
    if there is None:
        return name
    tree, node = there
    kept = f"{name} raw" if is_bytes(node) else name
    return f"{kept}[]" if any(lists_on(tree, path)) or is_repeated(node) else kept


def is_bytes(node: nodes.Node) -> bool:
    """Return whether a node's values, or those of its items, are bytes."""
    match node:
        case nodes.BlobNode(encoding=encoding):
            return not encoding
        case nodes.ProtoNode(kind=kind):
            return kind == "bytes"
    return False


def is_repeated(node: nodes.Node) -> bool:
    """Return whether a node is a repeated field of protobuf, or a list of text in JSON."""
    if isinstance(node, nodes.ArgumentNode):
        return node.kind == "tokens"
    return isinstance(node, nodes.ProtoNode) and node.repeated


class LuaTables:
    """The tables of one protocol, as far as a plugin runs them."""

    def __init__(self, protocol: Protocol, names: ValueNames) -> None:
        self.names = names
        self.protocol = protocol
        self.lists: list[str] = []
        """Sets of constants in expressions, as Lua."""
        self.guards: list[str] = []
        """Conditions on columns of a frame alone, as functions of Lua."""
        self.model = ResolvedTables(
            protocol.wire,
            protocol.conversations,
            protocol.rules,
            (each for each in protocol.embedded_records if each.slots & protocol.embedded_slots),
        )
        self.never, self.stale, self.stale_lifecycles = self._left_out()
        self.predicates = known_predicates(protocol.rules)
        """Names of the predicates that the plugin has."""
        text = predicates_of(protocol.rules)
        self.words = frozenset(re.findall(r"\w+", text) + re.findall(r"\"(\w+[.]\w+)\"", text))
        """Words in their text, among them the members of list items that they read."""
        self.rules: list[ResolvedTable[Any]] = [
            each
            for each in self.model.watches
            if isinstance(each.table, Rule) and not self.obstacle(each)
        ]
        self.eased = {e.table.eases for e in self.model.watches if isinstance(e.table, Relief)}
        """Numbers of the watches whose findings may become notes in `check`."""
        self.actions: list[tuple[ResolvedTable[Action], list[Statement]]] = []
        self.lifecycles: list[Lifecycle] = []
        self._choose()

    # Omitted handlers

    @cached_property
    def contexts(self) -> dict[str, list[SlotRef]]:
        """Slots with the values of fields that span commands, as far as they are known here.

        By the name of the field.
        """
        fields = {
            each.context: each.name
            for each in self.protocol.fields
            if isinstance(each, CommonField) and each.context
        }
        return {
            fields[each.table.name]: [
                slot
                for slot in each.values["slots"]
                if owned(slot) not in self.stale and owned(slot) not in self.never
            ]
            for each in self.model.contexts
            if each.table.name in fields
        }

    def _left_out(self) -> tuple[Obstacles, Obstacles, dict[str, str]]:
        """Return slots that are never known here, stale slots, and stale lifecycles, with why."""
        assigned: dict[tuple[str, str], list[tuple[ResolvedTable[Action], Statement]]] = {}
        for action in self.model.moves:
            for statement in action.values["do"]:
                slot = slot_of(statement)
                if slot is not None and slot.object != CAPTURES:  # plugins hold no needs
                    assigned.setdefault(owned(slot), []).append((action, statement))
        self.never = {("side", name): ANALYSED for name in COUNTED}
        for key_of_slot, by in assigned.items():
            targets = [target for action, _ in by for target in action.on]
            if not any(map(comes, targets)):
                self.never[key_of_slot] = _no_event(targets[0])
        self.stale, self.stale_lifecycles = {}, {}
        while True:
            stale = {
                slot: why for slot, by in assigned.items()
                if slot not in self.never and (why := first(
                    why for action, statement in by for why in (
                        self._missed(action.on), self._obstacle(action.when, *_parts(statement))
                    )
                ))
            }  # fmt: skip
            lifecycles = {
                name: why for name in self.model.lifecycles
                if (why := first(
                    why for step in (*self.model.steps[name], *self.model.each[name])
                    for why in (self._missed(step.on), self._obstacle(step.when))
                ))
            }  # fmt: skip
            if (stale.keys(), lifecycles.keys()) == (
                self.stale.keys(),
                self.stale_lifecycles.keys(),
            ):
                return self.never, self.stale, self.stale_lifecycles
            self.stale, self.stale_lifecycles = stale, lifecycles

    def _missed(self, on: Iterable[EventTarget]) -> str | None:
        """Return why a plugin does not trigger all of some targets; None if it does."""
        return first(map(self._unsure, on))

    def _unsure(self, target: EventTarget) -> str | None:
        """Return why a plugin does not trigger what a target names exactly when all handlers do."""
        if target.kind == "timer":
            timer = next(each for each in self.model.timers if each.table.name == target.name)
            values = timer.values
            return self._obstacle(timer.when, values["limit"], values["clear_when"])
        if target.kind == "repeat":
            burst = next(each for each in self.model.repeats if each.table.name == target.name)
            counted = [burst.when, burst.values["key"], burst.values["distinct"]]
            return self._missed(burst.on) or self._obstacle(*counted)
        if target.kind in ("end", "left") and target.name in self.stale_lifecycles:
            return self.stale_lifecycles[target.name]
        return None if comes(target) else _no_event(target)

    def _obstacle(self, *exprs: Expr | None) -> str | None:
        """Return why an expression may hold here where it does not when all handlers run."""
        return first(map(self._obstacle_at, walk(*exprs)))

    def _obstacle_at(self, node: Expr) -> str | None:
        """Return why one part of an expression is not as when all handlers run; None if it is."""
        match node:
            case FunctionCall(name) if name not in known_functions() | VERBS.keys():
                return f"the plugins lack the function `{name}`"
            case ColumnRef((name, *_)) if name == UNTOLD:
                return SEGMENTS
            case SlotRef() if owned(node) in self.stale:
                return self.stale[owned(node)]
            case SlotRef(owner, "state") if owner in self.stale_lifecycles:
                return self.stale_lifecycles[owner]
            case IsNone(negated=False) | FunctionCall("coalesce" | "has" | "count"):
                slots = (owned(each) for each in walk(node) if isinstance(each, SlotRef))
                return first(self.never.get(slot) for slot in slots)
        return None

    def obstacle(self, watch: ResolvedTable[Any]) -> str | None:
        """Return why a plugin does not evaluate a rule as `check` does; None if it does."""
        rule, values = watch.table, watch.values
        if rule.id in LEFT_OUT:
            return LEFT_OUT[rule.id]
        if rule.is_general:
            return "the problem itself is shown" if rule.predicate is None else GENERAL
        if rule.predicate is not None and (
            rule.predicate.__name__ not in self.predicates
            or any(target.kind == "problem" for target in watch.on)
        ):
            return "its condition is written in Python"
        found = self._obstacle(watch.when, *values["reads"])
        if found:
            return found
        if {target.kind for target in watch.on} == {"problem"}:
            exprs = [watch.when, *values["evidence"], *(h.value for h in values["message"].holes)]
            state = any(isinstance(each, (SlotRef, ObjectRef)) for each in walk(*exprs))
            return "it needs the state of the connection at a problem" if state else None
        missed = list(map(self._unsure, watch.on))
        return missed[0] if all(missed) else None

    def silenced(self, watch: ResolvedTable[Any]) -> str | None:
        """Return why a rule never matches here; None if it may: it may read what is never known."""
        slots = (owned(each) for each in walk(watch.when) if isinstance(each, SlotRef))
        return first(self.never.get(slot) for slot in slots)

    # Chosen handlers

    def _choose(self) -> None:
        """Choose the lifecycles and actions whose results are read."""
        model = self.model
        exprs, objects = self._asked()
        taken = {owned(slot) for action in model.moves for statement in action.values["do"]
                 if isinstance(statement, FunctionCall) and statement.name in TAKES
                 and (slot := slot_of(statement)) is not None}  # fmt: skip
        needed = set(taken)
        objects |= {owner for owner, _ in taken}
        chosen: dict[int, list[Statement]] = {}
        lifecycles: set[str] = set()
        while True:
            needed |= {owned(e) for e in walk(*exprs) if isinstance(e, SlotRef)}
            objects |= {e.object for e in walk(*exprs) if isinstance(e, (SlotRef, ObjectRef))}
            more = objects & model.lifecycles.keys() - lifecycles
            lifecycles |= more
            exprs = [expr for name in more for _, expr in model.keys[name]]
            exprs += [
                step.when for name in more for step in (*model.steps[name], *model.each[name])
            ]
            for action, statement in self._statements(needed, chosen):
                chosen.setdefault(action.index, []).append(statement)
                exprs += [action.when, *_parts(statement), slot_of(statement)]
                objects |= {action.table.each} - {""}
            if not exprs and not more:
                break
        self.tallied = {
            name: {owner for owner, slot in needed if slot == name}
            for name in sorted(TALLIED & {slot for _, slot in needed})
        }
        self.actions = [
            (
                action,
                [
                    statement
                    for statement in action.values["do"]
                    if statement in chosen[action.index]
                ],
            )
            for action in model.moves
            if action.index in chosen
        ]
        self.lifecycles = [
            lifecycle for name, lifecycle in model.lifecycles.items() if name in lifecycles
        ]

    def _asked(self) -> tuple[list[Expr | None], set[str]]:
        """Return what pairs and rules read, and the objects that they name or that are shown."""
        exprs: list[Expr | None] = []
        objects = {"conn", *(e.name for e in self.model.lifecycles.values() if e.type)}
        exprs += [slot for slots in self.contexts.values() for slot in slots]
        for pair in self.model.pairs:
            exprs += [pair.when, *pair.values["keep"].values()]
            exprs += [pair.values[n] for n in ("key", "answer_key", "answer_when", "done")]
        exprs += self.model.survives.values()
        for rule in self.rules:
            exprs += [rule.when, *(hole.value for hole in rule.values["message"].holes)]
            exprs += [*rule.values["evidence"], rule.values["by"], *rule.values["reads"]]
            exprs.append(self._counted_by(rule))
            objects.add(rule.values["of"])
        for timer in self.timers:
            exprs += [timer.when, timer.values["limit"], timer.values["clear_when"]]
            objects.add(timer.table.of)
        for burst in self.bursts:
            exprs += [burst.when, burst.values["key"], burst.values["distinct"]]
        return exprs, objects

    @cached_property
    def timers(self) -> list[ResolvedTable[Timer]]:
        """Timers on which something depends."""
        asked = {target[:2] for target in self._targets()}
        return [each for each in self.model.timers if ("timer", each.table.name) in asked]

    @cached_property
    def bursts(self) -> list[ResolvedTable[Burst]]:
        """Bursts on which a rule depends."""
        asked = {target[:2] for rule in self.rules for target in rule.on}
        return [each for each in self.model.repeats if ("repeat", each.table.name) in asked]

    def _targets(self) -> Iterator[EventTarget]:
        """Yield the targets of rules, actions and transitions."""
        for each in (*self.rules, *self.model.moves):
            yield from each.on
        for steps in self.model.steps.values():
            for step in steps:
                yield from step.on

    def _statements(
        self, needed: set[tuple[str, str]], chosen: Mapping[int, list[Statement]]
    ) -> list[tuple[ResolvedTable[Action], Statement]]:
        """Return statements of actions on frames that change needed slots, not chosen yet."""
        return [
            (action, statement)
            for action in self.model.moves
            if any(map(comes, action.on))
            for statement in action.values["do"]
            if (
                adopts(statement)
                or ((slot := slot_of(statement)) is not None and owned(slot) in needed)
            )
            and statement not in chosen.get(action.index, ())
        ]

    @property
    def has_outstanding(self) -> bool:
        """Whether a table tracks outstanding ids."""
        return any(
            isinstance(statement, FunctionCall) and statement.name not in {*SETS, ADOPT}
            for _, statements in self.actions for statement in statements
        )  # fmt: skip

    def trees(self, on: Iterable[EventTarget]) -> list[nodes.Tree]:
        """Return the trees of the frames that some targets match."""
        out: list[nodes.Tree] = []
        for target in on:
            if target.kind == "row":
                out += self.model.trees[target.name]
            elif target.kind == "repeat":
                bursts = (e for e in self.model.repeats if e.table.name == target.name)
                out += self.trees(next(bursts).on)
            elif target.kind in ("any", "problem"):
                out += [tree for trees in self.model.trees.values() for tree in trees]
        return out

    def _printer(self, trees: Iterable[nodes.Tree], items: str = "") -> LuaFunctionPrinter:
        return LuaFunctionPrinter(trees, items, self.lists, self.guards)

    # Columns

    def columns(self, tree: nodes.Tree) -> FrameColumns:
        """Return the columns of a frame that conversations read, even if it is not displayed."""
        out, places = FrameColumns(), list(_places(tree))
        for targets, exprs, items in self._reads:
            if any(self.model.matches(targets, place) for place in places):
                _add_columns(out, tree, exprs, items, self._is_kept)
        given = self.protocol.wire.stream_types
        if given is not None and found([tree], (given.metadata,)) is not None:
            out.once.add(given.by)
            out.raw.add(given.metadata)
        return out

    def judged(self, tree: nodes.Tree) -> FrameColumns:
        """Return the columns of a displayed frame that rules about problems read."""
        out = FrameColumns()
        for rule in self.rules:
            if any(target.kind == "problem" for target in rule.on):
                holes = [hole.value for hole in rule.values["message"].holes]
                _add_columns(out, tree, [rule.when, *holes, rule.values["by"]], "", self._is_kept)
        return out

    @cached_property
    def _reads(self) -> list[tuple[tuple[EventTarget, ...], list[Expr | None], str]]:
        """All that is read of rows; the same for every frame."""
        return [*self._read(), *self._read_by_predicates()]

    @cached_property
    def _read_as_a_whole(self) -> frozenset[Path]:
        """Lists of which expressions may read all; of others only what predicates name is kept."""
        exprs = (expr for _, each, _ in self._read() for expr in each)
        return frozenset(path for path, is_counted in _columns(exprs) if not is_counted)

    def _read(self) -> Iterator[tuple[tuple[EventTarget, ...], list[Expr | None], str]]:
        """Yield what is read of rows of some targets, and the list whose items it is read of."""
        for pair in self.model.pairs:
            values = pair.values
            yield pair.on, [values["key"], pair.when, *values["keep"].values()], ""
            answered = [values[each] for each in ("answer_key", "answer_when", "done")]
            yield values["answers"], answered, ""
        for lifecycle in self.lifecycles:
            for targets, expr in self.model.keys[lifecycle.name]:
                yield targets, [expr], self._items(targets, expr)
            for step in (*self.model.steps[lifecycle.name], *self.model.each[lifecycle.name]):
                yield step.on, [step.when], ""
        for action, statements in self.actions:
            parts = [part for statement in statements for part in _parts(statement)]
            yield action.on, [action.when, *parts], action.table.items
        for timer in self.timers:
            yield timer.on, [timer.when, timer.values["limit"]], ""
            yield timer.values["clear"], [timer.values["clear_when"]], ""
        for burst in self.bursts:
            yield burst.on, [burst.when, burst.values["key"], burst.values["distinct"]], ""
        yield from self._read_by_rules()

    def _counted_by(self, rule: ResolvedTable[Any]) -> Expr | None:
        """Return the value by which the matches of a rule that may become worse are counted."""
        per: Expr | None = rule.values["per"]
        return per if self._may_worsen(rule) else None

    def _is_kept(self, path: Path, member: str) -> bool:
        """Return whether a member of the items of a list is kept for what reads all of the list."""
        return path in self._read_as_a_whole or member in self.words

    def _read_by_rules(self) -> Iterator[tuple[tuple[EventTarget, ...], list[Expr | None], str]]:
        """Yield what rules read of rows, as `_read` does."""
        for rule in self.rules:
            holes = [hole.value for hole in rule.values["message"].holes]
            if targets := self._rows_of(rule):
                yield targets, [rule.when, *holes, rule.values["by"], self._counted_by(rule)], ""

    def _read_by_predicates(
        self,
    ) -> Iterator[tuple[tuple[EventTarget, ...], list[Expr | None], str]]:
        """Yield what predicates of rules read of rows, as `_read` does."""
        for rule in self.rules:
            if rule.values["reads"] and (targets := self._rows_of(rule)):
                yield targets, list(rule.values["reads"]), ""

    def _rows_of(self, rule: ResolvedTable[Any]) -> tuple[EventTarget, ...]:
        """Return the targets of a rule that are frames, and those of its bursts."""
        targets = tuple(target for target in rule.on if target.kind in ROWS)
        for burst in self.bursts:
            if any(target[:2] == ("repeat", burst.table.name) for target in rule.on):
                targets += burst.on
        return targets

    def of_carrier(self) -> frozenset[str]:
        """Return the columns of the outer frame that the tables read."""
        exprs = [expr for _, each, _ in self._reads for expr in each]
        for rule in self.rules:
            exprs += [rule.when, *(hole.value for hole in rule.values["message"].holes)]
            exprs.append(rule.values["by"])
        return frozenset(
            ".".join(node.path[1:]) for node in walk(*exprs)
            if isinstance(node, ColumnRef) and node.path[0] == CARRIER
        )  # fmt: skip

    def _items(self, targets: tuple[EventTarget, ...], expr: Expr) -> str:
        """Return the list whose items a key reads; empty if it reads the row."""
        for action, _ in self.actions:
            path = tuple(action.table.items.split("."))
            same = {t.name for t in action.on} & {t.name for t in targets}
            if (
                action.table.items
                and same
                and any(
                    isinstance(e, ColumnRef) and e.path[: len(path)] == path for e in walk(expr)
                )
            ):
                return action.table.items
        return ""

    # Text

    def text(self) -> str:
        """Return all tables as Lua."""
        parts = [
            ("PAIRS", [self._pair(pair) for pair in self.model.pairs]),
            ("LIVES", [self._lifecycle(lifecycle) for lifecycle in self.lifecycles]),
            ("MOVES", [self._action(action, statements) for action, statements in self.actions]),
            ("TIMERS", [self._timer(timer) for timer in self.timers]),
            ("BURSTS", [self._burst(burst) for burst in self.bursts]),
            ("RULES", self._rules()),
        ]
        # Lists in lists need registers, of which the locals of a whole plugin leave too few.
        printed = [
            f"local {name} = (function() return {table(rows)} end)()\n" for name, rows in parts
        ]
        used = {
            node.name: self.model.constants[node.name]
            for _, exprs,
            _ in self._reads for node in walk(*exprs) if isinstance(node, NamedConstant)
        }  # fmt: skip
        for rule in self.rules:
            holes = [hole.value for hole in rule.values["message"].holes]
            for node in walk(rule.when, *holes, *rule.values["evidence"], rule.values["by"]):
                if isinstance(node, NamedConstant):
                    used[node.name] = self.model.constants[node.name]
        owners = {
            name: {each if each == "side" else object_name(each) for each in own}
            for name, own in self.tallied.items()
        }
        tallied = f"local TALLIED = {value(owners)}\n"
        known: dict[str, dict[str, str]] = {}
        for name, slots in self.contexts.items():
            for slot in slots:
                known.setdefault(object_name(slot.object), {}).setdefault(name, slot.name)
        contexts = f"local CONTEXT = {value(known)} -- object, field, slot with its value\n"
        constants = f"local K = {value(dict(sorted(used.items())))}\n"
        lists = f"local LISTS = {table(self.lists)}\n"
        guards = f"local GUARDS = {table(self.guards)}\n"
        return "\n".join([constants, lists, guards, tallied, contexts, *printed])

    def _pair(self, pair: ResolvedTable[Pair]) -> str:
        given, values = pair.table, pair.values
        asked = self._printer(self.trees(pair.on))
        answered = self._printer(self.trees(values["answers"]))
        own: dict[str, object] = {
            "name": given.name, "asks": _on(given.request), "answers": _on(given.answers),
        }  # fmt: skip
        own |= _given(type=given.type)
        if values["key"] is not None:
            own["key"] = asked.key(values["key"])
            answer = answered.key(values["answer_key"])
            own |= {} if answer == own["key"] else {"answer_key": answer}
        own |= asked.tests(pair.when)
        answer = answered.tests(values["answer_when"])
        own |= {f"answer_{name}": each for name, each in answer.items()}
        own |= _given(done=answered.test(values["done"]))
        if values["keep"]:
            own["keep"] = {name: asked.key(expr) for name, expr in values["keep"].items()}
        if given.scope == "capture":
            own["scope"] = "capture"
        if given.of and any(
            adopts(statement) for _, statements in self.actions for statement in statements
        ):
            own["of"] = object_name(given.of)
        return _row(own)

    def _lifecycle(self, lifecycle: Lifecycle) -> str:
        keys = []
        for (targets, expr), on in zip(self.model.keys[lifecycle.name], lifecycle.key, strict=True):
            if _on(on):
                items = self._items(targets, expr)
                printer = self._printer(self.trees(targets), items)
                own_key = {"on": _on(on), **printer.keyed(expr), **_given(items=items)}
                keys.append(LuaCode(_row(own_key)))
        own: dict[str, object] = {
            "name": object_name(lifecycle.name),
            **_given(type=lifecycle.type),
            "scope": lifecycle.scope.partition(":")[0],
            "keys": keys,
            "steps": self._steps(self.model.steps[lifecycle.name]),
            "each": self._steps(self.model.each[lifecycle.name]),
            "final": set(lifecycle.final.split()),
            "live": set(lifecycle.live.split()),
            "starts": dict(lifecycle.starts),
        }  # fmt: skip
        own |= _given(survives=self._printer(()).test(self.model.survives.get(lifecycle.name)))
        return _row(own)

    def _steps(self, steps: Iterable[ResolvedTable[Transition]]) -> list[dict[str, object]]:
        return [self._step(step) for step in steps if _on(step.table.on)]

    def _step(self, step: ResolvedTable[Transition]) -> dict[str, object]:
        given = step.table
        from_states: object = "*" if given.states == "*" else set(given.states.split())
        tests = self._printer(self.trees(step.on)).tests(step.when)
        return {"from": from_states, "on": _on(given.on), "to": given.to, **tests}

    def _action(self, action: ResolvedTable[Action], statements: list[Statement]) -> str:
        given = action.table
        printer = self._printer(self.trees(action.on), given.items)
        own: dict[str, object] = {"on": _on(given.on)}
        each = object_name(given.each)
        own |= _given(each=each, items=given.items) | printer.tests(action.when)
        if given.items and not self._has_item_keys(action):
            own |= _given(before=printer.test(self._before_items(action)))
        lines = [_statement(printer, statement) for statement in statements]
        own["does"] = code("; ".join(lines))
        return _row(own)

    def _has_item_keys(self, action: ResolvedTable[Action]) -> bool:
        """Return whether an object is one of the items that an action goes through."""
        keys = (key for each in self.lifecycles for key in self.model.keys[each.name])
        return any(self._items(targets, expr) == action.table.items for targets, expr in keys)

    @staticmethod
    def _before_items(action: ResolvedTable[Action]) -> Expr | None:
        """Return the parts of an action's condition that read no items; None if all do."""
        when, items = action.when, tuple(action.table.items.split("."))
        parts = when.parts if isinstance(when, Junction) and when.symbol == "and" else (when,)
        alone = [each for each in parts if each is not None and not _reads(each, items)]
        return _all_of(alone) if alone else None

    def _timer(self, timer: ResolvedTable[Timer]) -> str:
        given, values = timer.table, timer.values
        own: dict[str, object] = {"name": given.name, "of": object_name(given.of)}
        own |= {"on": _on(given.on), "clear": _on(given.clear)}
        own |= _given(again=given.mode == "again")
        asked, cleared = (
            self._printer(self.trees(timer.on)),
            self._printer(self.trees(values["clear"])),
        )
        own["limit"] = code(asked.value(values["limit"]))
        own |= _given(when=asked.test(timer.when), clear_when=cleared.test(values["clear_when"]))
        return _row(own)

    def _burst(self, burst: ResolvedTable[Burst]) -> str:
        given, values = burst.table, burst.values
        printer = self._printer(self.trees(burst.on))
        own: dict[str, object] = {"name": given.name, "on": _on(given.on)}
        own |= {
            "window": values["window"],
            "limit": values["limit"],
            "key": printer.key(values["key"]),
        }
        own |= printer.tests(burst.when)
        if values["distinct"] is not None:
            own["distinct"] = printer.key(values["distinct"])
        return _row(own)

    def _rules(self) -> list[str]:
        out = []
        names = field_names(read.table.id for read in self.rules)
        for read, name in zip(self.rules, names, strict=True):
            rule: Rule = read.table
            printer = self._printer(self.trees(read.on))
            own: dict[str, object] = {
                "id": rule.id, "name": name,
                "severity": SEVERITIES.get(rule.severity, rule.severity.name),
                "group": GROUPS.get(rule.group, rule.group.name),
                "title": rule.title[:1].upper() + rule.title[1:],  # as Wireshark writes its own
            }  # fmt: skip
            own |= _given(on=_on(rule.on), problem={t.name for t in read.on if t.kind == "problem"})
            evidence = ", ".join(printer.value(each) for each in read.values["evidence"])
            if any(target.kind in (*TRIGGERS, "tcp") for target in read.on):
                own["evidence"] = code(f"f.first_known({evidence})")
            if "since" in read.values["needs"]:
                own["since"] = code(f"f.since(conn, {evidence})")
            own |= {"needs": read.values["needs"], "of": object_name(read.values["of"])}
            own |= _given(again=bool(rule.per)) | self._worsening(printer, read)
            own |= printer.tests(read.when)
            if rule.predicate is not None:
                values = [quoted(rule.reads), *map(printer.value, read.values["reads"])]
                own["finds"] = code(f"f.predicates.{rule.predicate.__name__}({', '.join(values)})")
            own["says"] = self._message(printer, read.values["message"])
            own |= _given(cause=rule.cause)
            if rule.by:
                own |= {"by": code(printer.value(read.values["by"])), "causes": rule.causes}
            out.append(_row(own))
        return out

    def _worsening(
        self, printer: LuaFunctionPrinter, rule: ResolvedTable[Any]
    ) -> dict[str, object]:
        """Return with which matches a rule becomes worse, and how much; empty if it does not."""
        if not self._may_worsen(rule):
            return {}
        table_of_rule: Rule = rule.table
        worse = table_of_rule.severity.worse
        own: dict[str, object] = {
            "worse": SEVERITIES.get(worse, worse.name),
            "worse_from": table_of_rule.worse_from or REPEATED,
        }
        own |= _given(worse_within=0 if table_of_rule.worse_from else float(REPEATED_NS))
        per = rule.values["per"]
        if per is not None:
            parts = per.items if isinstance(per, Items) else (per,)
            own["per"] = code(f"f.member({', '.join(map(printer.value, parts))})")
        return own

    def _may_worsen(self, rule: ResolvedTable[Any]) -> bool:
        """Return whether the severity of a rule rises here as in `check`.

        Reliefs are not in plugins, so what they ease keeps its own severity.
        """
        if not (rule.table.worsens or rule.table.worse_from) or rule.index in self.eased:
            return False
        slots = (owned(each) for each in walk(rule.values["per"]) if isinstance(each, SlotRef))
        is_known = not any(slot in self.never for slot in slots)
        on_rows = all(target.kind != "problem" for target in rule.on)
        return on_rows and is_known and self._obstacle(rule.values["per"]) is None

    def _message(self, printer: LuaFunctionPrinter, message: MessageTemplate) -> LuaCode:
        text = "%s".join(each.replace("%", "%%") for each in message.texts)
        values = [self._template_value(printer, hole) for hole in message.holes]
        return code(f"f.say({', '.join([quoted(text), *values])})")

    def _template_value(self, printer: LuaFunctionPrinter, hole: TemplateValue) -> str:
        text = printer.value(hole.value)
        if hole.value in WHOLE_VALUES:
            return f"f.whole({text})"
        kind, *nouns = hole.form.split() or [""]
        match kind:
            case "time" | "size":
                return f"f.{kind}({text})"
            case "count":
                plural = nouns[1] if nouns[1:] else f"{nouns[0]}s"
                return f"f.counted({text}, {quoted(nouns[0])}, {quoted(plural)})"
            case "name":
                columns = (each for each in walk(hole.value) if isinstance(each, ColumnRef))
                places = (found(printer.trees, bare(each.path)) for each in columns)
                for there in filter(None, places):
                    if there[1].facts.names:
                        names = self.names.of(there[1].name or "", there[1].facts.names)
                        return f"f.named({text}, {names.text})"
        return text


def slot_of(statement: Statement) -> SlotRef | None:
    """Return the slot that a statement changes; None if it changes no slot."""
    slot = statement.slot if isinstance(statement, Assign) else statement.arguments[0]
    return slot if isinstance(slot, SlotRef) else None


def first(reasons: Iterable[str | None]) -> str | None:
    """Return the first reason of some; None if there is none."""
    return next(filter(None, reasons), None)


def _no_event(target: EventTarget) -> str:
    """Return the reason why a plugin is not told of a target."""
    event = target.name if target.kind != "tcp" else f"tcp.{target.name}"
    return UNREPORTED.get(event, f"Wireshark does not report `{event}` to plugins")


def owned(slot: SlotRef) -> tuple[str, str]:
    """Return owner and name of a slot, with the same owner for both sides."""
    return ("side" if slot.object in SIDES else slot.object), slot.name


def adopts(statement: Statement) -> bool:
    """Return whether a statement takes over objects of a resumed connection."""
    return isinstance(statement, FunctionCall) and statement.name == ADOPT


def _parts(statement: Statement) -> list[Expr]:
    if adopts(statement):
        return []  # the session identifies the connection
    return [statement.value] if isinstance(statement, Assign) else list(statement.arguments[1:])


def _statement(printer: LuaFunctionPrinter, statement: Statement) -> str:
    """Return one statement."""
    if isinstance(statement, FunctionCall) and isinstance(statement.arguments[0], ObjectRef):
        return f"f.adopt(conn, {quoted(object_name(statement.arguments[0].object))})"
    slot = slot_of(statement)
    assert slot is not None  # noqa: S101 - others are not chosen
    place = printer.value(slot)
    if isinstance(statement, Assign):
        return _assigned(printer, place, statement.value)
    printed = printer.member if statement.name in SETS else printer.value
    given = printed(statement.arguments[1]) if len(statement.arguments) > 1 else ""
    match statement.name:
        case "put" | "drop":
            return f"{place} = f.{statement.name}({place}, {given})"
        case "add":
            outstanding = (
                f"f.outstanding_ids(conn, {object_name(slot.object)}, {quoted(slot.name)})"
            )
            return f"f.add({outstanding}, {given}, t, n, mark)"
        case "forget":
            return f"f.forget({place})"
        case _:
            return f"took = took or f.{statement.name}({place}, {given})"


def _assigned(printer: LuaFunctionPrinter, place: str, node: Expr) -> str:
    """Return the assignment of a value to a slot; of a choice only what is chosen is worked out."""
    text = printer.exact(node)
    if not isinstance(node, Choice) or not text.startswith("f.choose("):
        return f"{place} = {text}"
    yes, no = (
        "" if printer.value(each) == place else f"{_assigned(printer, place, each)} "
        for each in (node.yes, node.no)
    )
    condition = printer.condition(node.condition)
    if not yes:
        return f"if not {condition} then {no}end"
    return f"if {condition} then {yes}{f'else {no}' if no else ''}end"


def comes(target: EventTarget) -> bool:
    """Return whether a plugin is told of what a target names."""
    if target.kind == "tcp":
        return target.name in EVENTS
    return target.kind in ROWS or target.kind in TRIGGERS


def _on(on: str) -> str:
    """Return the names in an `on` that a plugin is told of, without problems."""

    def is_told(word: str) -> bool:
        bare_word = word.removeprefix("client:").removeprefix("server:")
        if "." in bare_word:
            return bare_word.startswith("tcp.") and bare_word.removeprefix("tcp.") in EVENTS
        kind, colon, _ = bare_word.partition(":")
        return not colon or kind == "any" or kind in TRIGGERS

    return " ".join(word for word in on.split() if is_told(word))


def _given(**own: Any) -> dict[str, object]:  # noqa: ANN401 - any values
    return {name: each for name, each in own.items() if each}


def _row(own: dict[str, object]) -> str:
    return table([f"{key(name)} = {value(each)}" for name, each in own.items()])


def _places(tree: nodes.Tree) -> Iterator[HandlerKey]:
    name = tree.prefix.partition(".")[2]
    for sender in ("client", "server", None):
        yield HandlerKey("row", name, tree, sender)


def _add_columns(
    out: FrameColumns,
    tree: nodes.Tree,
    exprs: Iterable[Expr | None],
    items: str,
    is_kept: Callable[[Path, str], bool],
) -> None:
    """Add the columns of a frame that expressions read, of whole lists the members to be kept."""
    flags = getattr(tree.head, "flags", None)
    for node in _columns(exprs):
        path, counted = node
        name = ".".join(path)
        there = found([tree], path)
        if there is None:
            if flags and len(path) == 2 and path[0] == flags:  # noqa: PLR2004 - flags and one of them
                out.flags = flags
            continue
        listed = lists_on(tree, path)
        inside = bool(items) and is_inside(path, items)
        if inside and counted and is_counted([tree], path, items):
            out.records.setdefault(items, set()).add(f"#{name[len(items) + 1 :]}")
            out.once.add(name)
        elif inside:
            _add_member(out, items, name, there[1])
        elif counted and is_counted([tree], path):
            out.once.add(name)
        elif any(listed) or is_repeated(there[1]):
            _add_listed(out, tree, path, listed, is_kept)
        elif is_bytes(there[1]):
            out.raw.add(name)
        else:
            out.once.add(name)
        if isinstance(there[1], nodes.IntNode) and there[1].size > WIDE:
            out.wide.add(name)


def _add_member(out: FrameColumns, items: str, name: str, node: nodes.Node) -> None:
    """Add a member of the items of a list that a table goes through, of bytes the content."""
    kept = name
    if is_bytes(node):
        out.raw.add(name)
        kept = f"{name} raw"
    if is_repeated(node) and not _members(node):
        out.gathers.setdefault(name, set()).add(kept)
        kept = f"{kept}[]"
    out.records.setdefault(items, set()).add(kept[len(items) + 1 :])


def _inside(tree: nodes.Tree, path: Path) -> Iterator[nodes.Node]:
    """Yield what the items of a list consist of, without what is in lists inside of them."""
    for each in tree.named():
        is_within = len(each.path) > len(path) and each.path[: len(path)] == path
        is_group = isinstance(each, (nodes.RecordNode, nodes.ListNode)) or is_repeated(each)
        if is_within and not is_group and not any(lists_on(tree, each.path)[len(path) :]):
            yield each


def _add_listed(
    out: FrameColumns,
    tree: nodes.Tree,
    path: Path,
    listed: list[bool],
    is_kept: Callable[[Path, str], bool],
) -> None:
    """Add a column that is read of the items of a list: one member, or all that are to be kept."""
    node, name = _by_path(tree)[path], ".".join(path)
    if listed[-1] and _members(node):
        for each in _inside(tree, path):
            if is_kept(path, ".".join(each.path[len(path) :])):
                _add_member(out, name, ".".join(each.path), each)
        return
    last = len(path) - 1 if is_repeated(node) else max(at for at, one in enumerate(listed) if one)
    if is_bytes(node):
        out.raw.add(name)
        name = f"{name} raw"
    out.gathers.setdefault(".".join(path[: last + 1]), set()).add(name)


def _members(node: nodes.Node) -> list[nodes.Node]:
    """Return the named members of the items of a list; none if they are single values."""
    item: nodes.Node | None = node.item if isinstance(node, nodes.ListNode) else node
    if isinstance(node, nodes.ProtoNode):
        item = node.message
    inner = nodes.children(item) if isinstance(item, (nodes.RecordNode, nodes.MessageNode)) else []
    return [each for each in inner if each.name]


def _reads(expr: Expr, items: Path) -> bool:
    """Return whether an expression reads the items of a list."""
    columns = (bare(each.path) for each in walk(expr) if isinstance(each, ColumnRef))
    return any(path[: len(items)] == items for path in columns)


def _columns(exprs: Iterable[Expr | None]) -> Iterator[tuple[Path, bool]]:
    """Yield the columns of expressions, each with whether only its length is read."""
    measured = False
    for node in walk(*exprs):
        if isinstance(node, ColumnRef) and node.path[0] not in BUILT_IN:
            yield bare(node.path), measured
        measured = isinstance(node, FunctionCall) and node.name == "len"
