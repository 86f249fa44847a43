"""What is settled of an object while messages flow, and the short handlers that this allows.

Nearly all that rules ask of a Publish has one answer as long as nothing but messages comes: what
the connection has agreed, how the publisher stands, whether anything was lost. A *case* is what all
these conditions say. Its handler is printed with them known, so that only what may change from
frame to frame is left in it; every object remembers its case for each kind of row (`Thing.calm`).

A slot is settled unless messages themselves change it. Whoever changes a settled slot says so: of
an object by dropping its `calm`, of the connection and its sides by a new `Conn.stamp`. Then rows
take the long way, the whole handler, until the case has been looked up again.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeGuard

from streamshark.conversations.expressions import (
    SIDES,
    Assign,
    ColumnRef,
    Compare,
    Expr,
    FunctionCall,
    IsNone,
    ObjectRef,
    SlotRef,
    Truth,
    parts_of,
    walk,
)
from streamshark.conversations.resolve import HandlerKey, ResolvedTable, ResolvedTables
from streamshark.conversations.tables import Action
from streamshark.schema import FrameKind

MOST_KINDS: Final = 8
"""Most kinds of rows of which an object of a life remembers its case."""
MOST_CASES: Final = 16
"""Most cases of one kind of row; others take the long way."""
WARM: Final = 256
"""Rows of a kind that take the long way before anything is looked up."""
TURNS: Final = 8
"""Rows that take it from then on for each time that a case is looked up."""
_FIXED: Final = frozenset((("server",), ("client",), ("flow",)))
"""Columns that are the connection's."""
_COUNTED: Final = frozenset(("last_n", "last_t", "frames", "encrypted"))
"""Slots that each frame may change."""

Facts = dict[Expr, bool]
"""Settled conditions, and whether they hold."""


class NotSettled(Exception):  # noqa: N818 - no error: it tells to go the long way
    """The handler that was to be printed would change what it takes for settled."""


class Steady:
    """One kind of row, and the cases of it that have been met."""

    def __init__(self, place: HandlerKey, life: str, at: int) -> None:
        self.place = place
        self.life = life
        """Of the object that remembers its case."""
        self.at = at
        """Where it does, in `Thing.calm`."""
        self.turns = 0
        self.conditions: tuple[Expr, ...] = ()
        self.shared: tuple[str, ...] = ()
        """Lives whose objects, which connections share, are the same as long as the case is."""
        self.ask: Callable[..., tuple[Any, ...]] | None = None
        """Tells whether the conditions hold, and the keys of these objects."""
        self.cases: dict[
            tuple[Any, ...], tuple[Callable[..., Any], Callable[..., tuple[Any, ...]]] | None
        ] = {}
        """What the conditions say to the handler, and to what gives the settled values that it
        asks for; None where nothing is settled by them."""

    def forget(self) -> None:
        """Something is less settled than it seemed."""
        self.ask = None
        self.cases.clear()


def lively(model: ResolvedTables, moves: Iterable[ResolvedTable[Action]]) -> set[tuple[str, str]]:
    """Owner and name of the slots that messages change each time."""
    out = set(model.ledgers | model.sets)
    for move in moves:
        if move.when is not None or not any(_of_messages(model, each) for each in move.on):
            continue
        for deed in move.values["do"]:
            if isinstance(deed, Assign) and not keeps_first(deed.value, deed.slot):
                out.add(owner_of(deed.slot))
    return out


def owner_of(slot: SlotRef) -> tuple[str, str]:
    """Whose slot it is, with one name for both sides."""
    return ("side" if slot.object in SIDES else slot.object), slot.name


def keeps_first(value: Expr, slot: SlotRef) -> TypeGuard[FunctionCall]:
    """Whether a slot is only told what is not known yet."""
    return (
        isinstance(value, FunctionCall) and value.name == "coalesce" and value.arguments[0] == slot
    )


def is_message(place: HandlerKey) -> bool:
    """Whether rows of a kind are those of which most of a capture is made."""
    tree = place.tree
    is_plain = place.kind == "row" and place.sender in ("client", "server")
    return is_plain and tree is not None and tree.schema.kind is FrameKind.COMMAND


def conditions(node: Expr | None, settled: Callable[[SlotRef], bool]) -> Iterator[Expr]:
    """The settled conditions in an expression, and of other settled slots whether they are known.

    What is negated is told as what it negates.
    """
    if node is None:
        return
    if isinstance(node, (Compare, IsNone, Truth)) and is_settled(node, settled):
        yield positive(node)[0]
        return
    if isinstance(node, SlotRef) and settled(node):
        yield IsNone(node, negated=False)
    for each in parts_of(node):
        yield from conditions(each, settled)


def positive(node: Expr) -> tuple[Expr, bool]:
    """Whether something is known, asked without a negation; and whether there was one."""
    match node:
        case IsNone(of, negated):
            return IsNone(of, negated=False), negated
    return node, False


def is_settled(node: Expr, settled: Callable[[SlotRef], bool]) -> bool:
    """Whether no frame decides an expression, but slots do."""
    names = [each for each in walk(node) if isinstance(each, (SlotRef, ColumnRef, ObjectRef))]
    return any(isinstance(each, SlotRef) for each in names) and all(
        settled(each)
        if isinstance(each, SlotRef)
        else isinstance(each, ColumnRef) and each.path in _FIXED
        for each in names
    )


def _of_messages(model: ResolvedTables, target: Any) -> bool:  # noqa: ANN401 - a target
    """Whether an `on` means messages."""
    if target.kind == "any":
        return target.name in ("", "command")
    trees = model.trees.get(target.name, []) if target.kind == "row" else []
    return any(tree.schema.kind is FrameKind.COMMAND for tree in trees)


def is_counted(slot: SlotRef) -> bool:
    """Whether each frame may change a slot, without any table saying so."""
    return slot.name in _COUNTED
