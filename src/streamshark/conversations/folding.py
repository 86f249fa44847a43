"""Works out, before any row comes, what an expression says in one place.

The name of the row, its sender, fields that it has not and objects that are not there are known
where a handler is printed, so most of a rule that stands on many commands falls away on each. What
is settled of its objects (see `steady`) is known where one is printed for their state.
"""

from collections.abc import Callable
from operator import add, eq, floordiv, ge, gt, le, lt, mul, ne, sub
from typing import Any, Final

from streamshark.conversations.language import (
    Arithmetic,
    Call,
    Choice,
    Column,
    Compare,
    Expr,
    IsNone,
    Items,
    Junction,
    Named,
    Slot,
    Truth,
    Value,
    Whole,
    is_condition,
)

Known = Callable[[Expr], Value | None]
"""What a name means in the place, or whether a condition holds; None where rows decide."""
NONE: Final = Value(None)
TRUE: Final = Value(True)  # noqa: FBT003 - it is a value
FALSE: Final = Value(False)  # noqa: FBT003 - it is a value
_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv,
}  # fmt: skip
_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
    "in": lambda one, many: one in many, "not in": lambda one, many: one not in many,
}  # fmt: skip
_OF_BOTH: Final = ("max", "min", "min_nonzero")
"""Functions that know nothing where one of their arguments is not known."""
_ASKED: Final = ("live", "fits")
"""Functions of the name of a life."""


def folded(node: Expr, known: Known) -> Expr:  # noqa: C901, PLR0911 - one row a kind
    """The same, as short as what is known makes it."""
    match node:
        case Column() | Slot() | Whole() | Named():
            return known(node) or node
        case Items(items):
            return Items(tuple(folded(each, known) for each in items))
        case Arithmetic(symbol, left, right):
            return _arithmetic(symbol, folded(left, known), folded(right, known))
        case Compare(symbol, left, right):
            short = _compare(symbol, folded(left, known), folded(right, known))
            return short if isinstance(short, Value) else known(short) or short
        case IsNone(of, negated):
            of = folded(of, known)
            if isinstance(of, Value):
                return Value((of.value is None) is not negated)
            return known(IsNone(of, negated)) or IsNone(of, negated)
        case Truth(of, negated):
            short = _truth(folded(of, known), negated=negated)
            return short if isinstance(short, Value) else known(short) or short
        case Junction(symbol, parts):
            return _junction(symbol, [folded(each, known) for each in parts])
        case Choice(condition, yes, no):
            condition = folded(condition, known)
            if isinstance(condition, Value):
                return folded(yes if condition.value else no, known)
            return Choice(condition, folded(yes, known), folded(no, known))
        case Call(name, arguments) if name not in _ASKED:
            return _call(name, tuple(folded(each, known) for each in arguments))
        case _:
            return node


def conjuncts(node: Expr | None) -> list[Expr]:
    """What must all hold for a condition to hold."""
    match node:
        case None:
            return []
        case Junction("and", parts):
            return [inner for each in parts for inner in conjuncts(each)]
        case _:
            return [node]


def _arithmetic(symbol: str, left: Expr, right: Expr) -> Expr:
    if NONE in (left, right):
        return NONE
    if isinstance(left, Value) and isinstance(right, Value):
        if symbol != "//" or right.value:
            return Value(_ARITHMETIC[symbol](left.value, right.value))
    elif symbol == "*" and isinstance(right, Value):
        match left:  # the numbers behind what is not known are one number
            case Arithmetic("*", inner, Value(number)):
                return Arithmetic("*", inner, Value(mul(number, right.value)))
    return Arithmetic(symbol, left, right)


def _compare(symbol: str, left: Expr, right: Expr) -> Expr:
    if NONE in (left, right):
        return FALSE
    if isinstance(left, Value):
        if isinstance(right, Value):
            return Value(_COMPARISONS[symbol](left.value, right.value))
        if isinstance(right, Items) and all(isinstance(each, Value) for each in right.items):
            many = [each.value for each in right.items if isinstance(each, Value)]
            return Value(_COMPARISONS[symbol](left.value, many))
    return Compare(symbol, left, right)


def _truth(of: Expr, *, negated: bool) -> Expr:
    if isinstance(of, Value):
        return Value(of.value is not None and bool(of.value) is not negated)
    return Truth(of, negated)


def _junction(symbol: str, parts: list[Expr]) -> Expr:
    """Without the parts that decide nothing; the one that decides all."""
    decides = symbol == "or"
    left = []
    for each in parts:
        if not isinstance(each, Value):
            left.append(each)
        elif bool(each.value) is decides:
            return Value(decides)
    if not left:
        return Value(not decides)
    return left[0] if len(left) == 1 else Junction(symbol, tuple(left))


def _call(name: str, arguments: tuple[Expr, ...]) -> Expr:
    first = arguments[0]
    if name == "coalesce":
        if first == NONE:
            return arguments[1]
        return first if isinstance(first, Value) else Call(name, arguments)
    if first == NONE or (name in _OF_BOTH and NONE in arguments):
        return FALSE if is_condition(Call(name, arguments)) else NONE
    return Call(name, arguments)
