"""The part of a protocol's tables that a reading needs, and the code generated for it.

Readings with the same needs of the same tables share a `NeededTables`: handlers are generated and
compiled once for all of them.
"""

import marshal
from collections.abc import Callable, Iterable
from functools import cached_property
from types import CodeType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from streamshark.conversations.dependence import Dependence, RunTables
from streamshark.conversations.expressions import (
    SIDES,
    Assign,
    Expr,
    FunctionCall,
    ObjectRef,
    SlotRef,
    Statement,
    walk,
)
from streamshark.conversations.resolve import HandlerKey, ResolvedTables
from streamshark.conversations.row_access import SessionRowAccess
from streamshark.schema.nodes import Tree

if TYPE_CHECKING:
    from streamshark.conversations.tables import Watch


class Requested(NamedTuple):
    """The results that a reading needs of the tables: see `Engine`."""

    conversations: bool
    links: bool
    """Whether conversations are linked to those of other connections."""
    watched: bool
    annotates: bool
    in_full: bool
    derived: tuple[int, ...]
    """Numbers of the derived values that are needed."""
    split: bool = False
    """Whether what depends on objects that connections share is left as facts."""


_OF_PROCESS: Final = ("adapter", "_made", "codes", "has_new_code")
"""Attributes of `NeededTables` that each process makes again."""


class NeededTables:
    """Actions, timers and bursts with visible results, and the lifecycles that they touch."""

    def __init__(self, model: ResolvedTables, wanted: Requested) -> None:
        self.model = model
        self.wanted = wanted
        self._begin()
        contexts = model.contexts if wanted.annotates else []
        self.annotated_slots = {
            (slot.object, slot.name) for context in contexts for slot in context.values["slots"]
        }
        self.watches = model.watches
        self.facts: list[str] = []
        """Code of what is done with facts that connections leave, by number."""
        on = [t for each in self.watches for t in each.on]
        on += [t for each in model.moves for t in each.on]
        on += [t for steps in model.steps.values() for step in steps for t in step.on]
        self.timers = [
            each for each in model.timers if any(t[:2] == ("timer", each.table.name) for t in on)
        ]
        self.repeats = [
            each for each in model.repeats if any(t[:2] == ("repeat", each.table.name) for t in on)
        ]
        self.links = model.links if wanted.links else []
        self.derived = [model.derived[index] for index in wanted.derived]
        self.lifecycles = {"conn", *(owner for owner, _ in self.annotated_slots)} & set(
            model.lifecycles
        )
        """Names of lifecycles whose objects are needed: at first those in results; then also those
        that conditions and actions read."""
        if wanted.conversations or wanted.annotates:
            self.lifecycles |= {
                name for name, lifecycle in model.lifecycles.items() if lifecycle.type
            }
        self.lifecycles |= {each.values["of"] for each in self.watches} & set(model.lifecycles)
        self.lifecycles |= {each.table.of for each in self.timers} & set(model.lifecycles)
        self.lifecycles |= {each.table.of for each in self.links} & set(model.lifecycles)
        self.lifecycles |= {name for kind, name, _ in on if kind == "end"} & set(model.lifecycles)
        exprs: list[Expr | None] = [slot for each in contexts for slot in each.values["slots"]]
        exprs += model.survives.values()
        for pair in model.pairs:
            exprs += [pair.when, *pair.values["keep"].values()]
            exprs += [
                pair.values[n] for n in ("key", "answer_key", "answer_when", "done", "failed")
            ]
        if wanted.conversations:
            for table in (model.measures, model.closing):
                exprs += [each for values in table.values() for each in values.values()]
        for timer in self.timers:
            exprs += [timer.when, timer.values["limit"], timer.values["clear_when"]]
        for repeat in self.repeats:
            exprs += [repeat.when, repeat.values["key"], repeat.values["distinct"]]
        for derived in self.derived:
            exprs += [derived.when, derived.values["value"]]
        for link in self.links:
            exprs += [link.when, link.values["key"]]
        for watch in self.watches:
            exprs += [watch.when, watch.values["per"], *watch.values["evidence"]]
            exprs += [hole.value for hole in watch.values["message"].holes]
            exprs += [watch.values["by"], *watch.values["reads"]]
        self._choose_moves(exprs)

    def _begin(self) -> None:
        """Begin without handlers."""
        self.adapter = SessionRowAccess()
        """How handlers of rows, which are shared, read columns."""
        self._made: dict[object, tuple[object, Any]] = {}
        self.codes: dict[object, CodeType | bytes] | None = None
        """Code of functions, or its bytes, by a key that all processes have for it; None if other
        processes do not use it."""
        self.has_new_code = False
        """Whether this process has generated code that is not stored yet."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what all processes may share, without code."""
        return {name: value for name, value in vars(self).items() if name not in _OF_PROCESS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin with what another process has chosen."""
        vars(self).update(state)
        self._begin()

    def _of_lifecycles(self, names: set[str]) -> list[Expr | None]:
        """Return the expressions that find objects of lifecycles and choose transitions."""
        model = self.model
        out: list[Expr | None] = [expr for name in names for _, expr in model.keys[name]]
        steps = [s for t in (model.steps, model.each) for name in names for s in t[name]]
        return out + [each.when for each in steps]

    def _choose_moves(self, exprs: list[Expr | None]) -> None:
        """Choose the actions, and of each the steps, whose results are read in the end."""
        read = [*exprs, *self._of_lifecycles(self.lifecycles)]
        needed = _slots(read)
        rest = [(move, statement) for move in self.model.moves for statement in move.values["do"]]
        chosen: set[int] = set()
        while True:
            lifecycles = _objects(read) & set(self.model.lifecycles) - self.lifecycles
            self.lifecycles |= lifecycles
            read = self._of_lifecycles(lifecycles)
            needed |= _slots(read)
            more = [each for each in rest if _matters(each[1], needed)]
            if not more and not lifecycles:
                break
            rest = [each for each in rest if not _matters(each[1], needed)]
            for move, statement in more:
                chosen.add(move.index)
                read += [statement.value] if isinstance(statement, Assign) else statement.arguments
                read.append(move.when)
            needed |= _slots(read)
        self.moves = [each for each in self.model.moves if each.index in chosen]
        self.needed = needed

    def keeps(self, owner: str, slot: str) -> bool:
        """Return whether an object's frame count, last frame or last time is needed."""
        if (owner, slot) in self.needed:
            return True
        lifecycle = self.model.lifecycles.get(owner)
        if self.wanted.conversations and (
            owner == "req" or (lifecycle is not None and lifecycle.type)
        ):
            return True
        if slot == "frames":  # decides who was seen first, and whether an object is reborn
            return owner == "me" or (lifecycle is not None and bool(lifecycle.steps))
        return slot == "last_t" and (owner == "conn" or (owner == "me" and self.wanted.watched))

    def touched(self, place: HandlerKey, items: str = "") -> list[str]:
        """Return the needed lifecycles whose objects a handler touches, except the connection."""
        return [each for each in self.model.touched(place, items) if each in self.lifecycles]

    def is_embedded(self, tree: Tree | None) -> bool:
        """Return whether a record is embedded in frames: parts of its head may be missing."""
        return any(each.decoder.tree is tree for each in self.model.embedded_records)

    @cached_property
    def dependence(self) -> Dependence:
        """What of the tables depends on objects that connections share."""
        tables = RunTables(
            self.model, frozenset(self.lifecycles), self.moves, self.timers, self.repeats,
            frozenset(self.needed), self._shown(),
        )  # fmt: skip
        return Dependence(tables)

    def _shown(self) -> list[Expr]:
        """Return what conversations and annotations show."""
        model, found = self.model, list[Expr]()
        if self.wanted.conversations:
            for table in (model.measures, model.closing):
                found += [each for values in table.values() for each in values.values()]
        if self.wanted.annotates:
            found += [slot for each in model.contexts for slot in each.values["slots"]]
        return found

    def fact(self, text: str) -> int:
        """Return the number of the code of a fact."""
        if text not in self.facts:
            self.facts.append(text)
        return self.facts.index(text)

    # Generated code

    def once(self, what: str, place: HandlerKey, given: object, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - what was made
        """Return the result of `make` for a handler, made once for all.

        `given` is a further key.
        """
        key = what, place.kind, place.name, id(place.tree), place.sender, given
        if key not in self._made:
            self._made[key] = place, make()  # keeps the objects whose ids are in the key
        return self._made[key][1]

    def code(
        self, what: str, place: HandlerKey, given: object, text: Callable[[], str]
    ) -> CodeType:
        """Return the code of a function, compiled on first use."""

        def make() -> CodeType:
            if self.codes is None:
                return self._compiled(what, place, text)
            key = what, *place[:2], self._tree_key(place.tree), place.sender, given
            known = self.codes.get(key)
            if known is None:
                self.has_new_code = True
                known = self.codes[key] = self._compiled(what, place, text)
            elif isinstance(known, bytes):
                known = self.codes[key] = marshal.loads(known)  # noqa: S302 - of the user's cache
                self.adapter.bind(place.tree, known)
            return known

        code: CodeType = self.once(what, place, given, make)
        return code

    def _compiled(self, what: str, place: HandlerKey, text: Callable[[], str]) -> CodeType:
        return compile(text(), f"<{what} {place.name} of {self.model.wire.short}>", "exec")

    def _tree_key(self, tree: Tree | None) -> object:
        """Return what tells a tree from all others of the protocol, in every process."""
        if tree is None:
            return None
        wire, schema = self.model.wire, tree.schema
        heads = [
            (is_bare, dialect)
            for is_bare, known in ((False, wire.heads), (True, wire.bare))
            for dialect, head in known.items()
            if head is tree.head
        ]
        return (
            tree.prefix, *heads[:1], schema.dialect, schema.kind.value, schema.sender.value,
            schema.version, str(schema.key), schema.responses,
        )  # fmt: skip


class TableStore(Protocol):
    """Keeper of the compiled tables of one protocol, with or without its rules."""

    made: dict[Requested, NeededTables]
    """Tables that this process has compiled or loaded."""
    unfolded: "tuple[tuple[object, ...], tuple[Watch, ...]] | None"
    """The protocol's tables and watches without behaviours; None before the first reading."""

    def load(self, wanted: Requested) -> bytes | None:
        """Return what was kept for some needs; None if nothing was."""

    def save(self, wanted: Requested, data: bytes) -> None:
        """Keep bytes for some needs."""


def selection_of(model: ResolvedTables, wanted: Requested) -> NeededTables:
    """Return the part of the tables that all readings with the same needs share."""
    found: NeededTables | None = model.selections.get(wanted)
    if found is None:
        found = model.selections[wanted] = NeededTables(model, wanted)
    return found


def _matters(statement: Statement, needed: set[tuple[str, str]]) -> bool:
    """Return whether the result of a step is read; steps on outstanding ids always are."""
    if isinstance(statement, FunctionCall) and statement.name not in ("put", "drop"):
        return True
    slot = statement.slot if isinstance(statement, Assign) else statement.arguments[0]
    return isinstance(slot, SlotRef) and (slot.object, slot.name) in needed


def _slots(exprs: Iterable[Expr | None]) -> set[tuple[str, str]]:
    """Return the slots in expressions; a slot of a side under the names of all sides."""
    out: set[tuple[str, str]] = set()
    for node in walk(*exprs):
        if isinstance(node, SlotRef):
            names = SIDES if node.object in SIDES else (node.object,)
            out |= {(name, node.name) for name in names}
    return out


def _objects(exprs: Iterable[Expr | None]) -> set[str]:
    """Return the names of the objects in expressions."""
    return {node.object for node in walk(*exprs) if isinstance(node, (SlotRef, ObjectRef))}
