"""What of a protocol's tables depends on objects that several connections share.

Everything else can be evaluated for each connection alone. What a connection says of a shared
object leaves it as a fact (`shared_code`), which is evaluated with the object, in order of time.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from streamshark.conversations.expressions import (
    Assign,
    ColumnRef,
    Expr,
    FunctionCall,
    Items,
    ObjectRef,
    SlotRef,
    owner_of,
    walk,
)
from streamshark.conversations.resolve import EventTarget, ResolvedTable, ResolvedTables
from streamshark.conversations.tables import Action, Burst, Pair, Timer

FOLLOWED: Final = frozenset(
    ("n", "t", "owner", "last_n", "last_t", "ended_n", "ended_t", "frames", "born", "state")
)
"""Slots that depend on every row of an object."""
ORDERED: Final = frozenset(("add", "take", "take_upto", "take_oldest", "forget"))
"""Verbs on outstanding ids, which a connection keeps."""


class RunTables(NamedTuple):
    """The tables that a reading runs."""

    model: ResolvedTables
    lifecycles: frozenset[str]
    moves: Sequence[ResolvedTable[Action]]
    timers: Sequence[ResolvedTable[Timer]]
    repeats: Sequence[ResolvedTable[Burst]]
    needed: frozenset[tuple[str, str]]
    """Slots that are read, by owner and name."""
    shown: Sequence[Expr]
    """What conversations and annotations show."""


class Dependence:
    """The slots, conditions and bursts of some tables that depend on shared objects.

    `reasons` are the parts that cannot be evaluated with the object alone: connections with them
    must be judged together.
    """

    def __init__(self, chosen: RunTables) -> None:
        self.chosen = chosen
        lifecycles = chosen.model.lifecycles
        self.shared = frozenset(
            name
            for name, each in lifecycles.items()
            if each.scope == "capture" and not each.gathers
        )
        """Lifecycles of the objects that several connections share."""
        self.bursts = frozenset(
            each.index for each in chosen.repeats if not self._is_own_burst(each)
        )
        """Numbers of the bursts that are counted over several connections."""
        self.slots: set[tuple[str, str]] = set()
        """Slots of a connection's objects that are assigned from shared ones."""
        self._spread()
        self.reasons = sorted(set(self._reasons()))

    def is_followed(self, name: str) -> bool:
        """Return whether each row of a shared object matters, and not only what it says."""
        chosen = self.chosen
        return bool(chosen.model.steps[name] or chosen.model.lifecycles[name].type) or any(
            owner == name and slot in FOLLOWED for owner, slot in chosen.needed
        )

    @cached_property
    def is_joint(self) -> bool:
        """Whether no connection can be judged alone.

        That is so if requests are answered on other connections, or conversations show what
        depends on shared objects.
        """
        pairs = self.chosen.model.pairs
        return any(each.table.scope == "capture" for each in pairs) or self.of(*self.chosen.shown)

    def of(self, *exprs: Expr | Assign | None) -> bool:
        """Return whether one of some expressions depends on a shared object."""
        for node in walk(*exprs):
            if isinstance(node, SlotRef):
                if node.object in self.shared or owner_of(node) in self.slots:
                    return True
            elif isinstance(node, ObjectRef) and node.object in self.shared:
                return True
        return False

    def triggered(self, on: Iterable[EventTarget]) -> bool:
        """Return whether a table stands on a trigger of shared objects."""
        bursts = {each.table.name for each in self.chosen.repeats if each.index in self.bursts}
        timers = {each.table.name for each in self.chosen.timers if each.table.of in self.shared}
        of_kind = {"end": self.shared, "left": self.shared, "repeat": bursts, "timer": timers}
        return any(each.name in of_kind.get(each.kind, ()) for each in on)

    def of_watch(self, watch: ResolvedTable[Any]) -> bool:
        """Return whether a condition depends on shared objects."""
        values = watch.values
        holes = [each.value for each in values["message"].holes]
        return (
            values["of"] in self.shared
            or self.triggered(watch.on)
            or self.of(
                watch.when, values["per"], values["by"],
                *values["evidence"], *values["reads"], *holes,
            )
        )  # fmt: skip

    def _is_own_burst(self, burst: ResolvedTable[Burst]) -> bool:
        """Return whether a burst is counted on one connection."""
        key = burst.values["key"]
        first = key.items[0] if isinstance(key, Items) else key
        return bool(first == ColumnRef(("flow",)))

    def _spread(self) -> None:
        """Add the slots that are assigned from shared objects, and those assigned from them."""
        while True:
            count = len(self.slots)
            for move in self.chosen.moves:
                for slot in self._spread_by(move):
                    self.slots.add(owner_of(slot))
            for pair in self.chosen.model.pairs:
                kept = pair.values["keep"].items()
                self.slots |= {("req", name) for name, value in kept if self.of(value)}
            if len(self.slots) == count:
                return

    def _spread_by(self, move: ResolvedTable[Action]) -> Iterator[SlotRef]:
        """Yield the slots of a connection's objects that an action assigns from shared ones."""
        is_all = self.of(move.when) or self.triggered(move.on)
        for statement in move.values["do"]:
            slot = statement.slot if isinstance(statement, Assign) else statement.arguments[0]
            if not isinstance(slot, SlotRef) or slot.object in self.shared:
                continue
            values = (
                (statement.value,) if isinstance(statement, Assign) else statement.arguments[1:]
            )
            if is_all or self.of(*values):
                yield slot

    def _reasons(self) -> Iterator[str]:
        """Yield what must be judged together, as sentences."""
        for pair in self.chosen.model.pairs:
            yield from self._of_pair(pair)
        for name in self.chosen.lifecycles - self.shared:
            yield from self._of_states(name)
        for timer in self.chosen.timers:
            yield from self._of_timer(timer)
        for move in self.chosen.moves:
            yield from self._of_ids(move)
        for watch in self.chosen.model.watches:
            if self.of_watch(watch) and any(each.kind in ("problem", "body") for each in watch.on):
                yield "a condition on problems depends on shared objects"
        yield from self._of_slots()

    def _of_pair(self, pair: ResolvedTable[Pair]) -> Iterator[str]:
        names = ("key", "answer_key", "answer_when", "done", "failed")
        if pair.table.scope == "capture":
            yield f"requests of {pair.table.name} are answered on other connections"
        elif self.of(pair.when, *(pair.values[each] for each in names)):
            yield f"requests of {pair.table.name} depend on shared objects"

    def _of_slots(self) -> Iterator[str]:
        if self.of(*self.chosen.shown):
            yield "conversations show what depends on shared objects"
        lifecycles = self.chosen.model.lifecycles
        for each in lifecycles.values():
            if each.gathers:
                yield f"connections may share a {each.name}"
        for owner, slot in self.slots:
            known = lifecycles[owner].starts if owner in lifecycles else ()
            if owner == "req" or slot in known:
                yield f"{owner}.{slot} depends on shared objects"

    def _of_states(self, name: str) -> Iterator[str]:
        model = self.chosen.model
        exprs: list[Expr | None] = [expr for _, expr in model.keys[name]]
        exprs += [each.when for each in (*model.steps[name], *model.each[name])]
        if self.of(*exprs, model.survives.get(name)):
            yield f"the states of {name} depend on shared objects"

    def _of_timer(self, timer: ResolvedTable[Timer]) -> Iterator[str]:
        if timer.table.of in self.shared:
            yield f"timer {timer.table.name} belongs to a shared object"
        elif self.of(timer.when, timer.values["limit"], timer.values["clear_when"]):
            yield f"timer {timer.table.name} depends on shared objects"

    def _of_ids(self, move: ResolvedTable[Action]) -> Iterator[str]:
        for statement in move.values["do"]:
            if isinstance(statement, FunctionCall) and statement.name in ORDERED:
                slot, *values = statement.arguments
                if self.of(slot, move.when, *values):
                    yield f"{statement.name} on {move.table.on} depends on shared objects"
