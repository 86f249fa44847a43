"""Partial evaluation of expressions before any row comes.

The name of the row, its sender, columns that it lacks and objects that do not exist are known when
a handler is generated, so most of a rule for many commands is removed for each of them.
"""

from collections.abc import Callable, Iterable
from operator import add, eq, floordiv, ge, gt, le, lt, mul, ne, sub
from typing import Any, Final

from streamshark.conversations.expressions import (
    Arithmetic,
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
    Truth,
    is_condition,
)

Known = Callable[[Expr], Scalar | None]
"""Returns the value of a name or call for the handler; None if it depends on the row."""
NONE: Final = Scalar(None)
TRUE: Final = Scalar(True)  # noqa: FBT003 - it is a value
FALSE: Final = Scalar(False)  # noqa: FBT003 - it is a value
_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv,
}  # fmt: skip
_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
    "in": lambda one, many: one in many, "not in": lambda one, many: one not in many,
}  # fmt: skip
_OF_BOTH: Final = ("max", "min", "min_nonzero")
"""Functions that are unknown if one of their arguments is unknown."""
_ASKED: Final = ("live", "fits")
"""Functions whose argument is the name of a lifecycle."""


def folded(node: Expr, known: Known) -> Expr:  # noqa: C901, PLR0911, PLR0912 - one row a kind
    """Return an equivalent expression, simplified with the known values."""
    match node:
        case ColumnRef() | SlotRef() | ObjectRef() | NamedConstant():
            return known(node) or node
        case Scalar():
            return node
        case Compare(symbol, left, right):
            return _compare(symbol, folded(left, known), folded(right, known))
        case FunctionCall(name, arguments) if name not in _ASKED:
            made = _call(name, tuple(folded(each, known) for each in arguments))
            return (known(made) or made) if isinstance(made, FunctionCall) else made
        case Items(items):
            return Items(tuple(folded(each, known) for each in items))
        case Arithmetic(symbol, left, right):
            return _arithmetic(symbol, folded(left, known), folded(right, known))
        case IsNone(of, negated):
            of = folded(of, known)
            if isinstance(of, Scalar):
                return Scalar((of.value is None) is not negated)
            return IsNone(of, negated)
        case Truth(of, negated):
            return _truth(folded(of, known), negated=negated)
        case Junction(symbol, parts):
            return _junction(symbol, (folded(each, known) for each in parts))
        case Choice(condition, yes, no):
            condition = folded(condition, known)
            if isinstance(condition, Scalar):
                return folded(yes if condition.value else no, known)
            return Choice(condition, folded(yes, known), folded(no, known))
        case _:
            return node


def conjuncts(node: Expr | None) -> list[Expr]:
    """Return the operands of a conjunction, nested ones included; empty for None."""
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
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        if symbol != "//" or right.value:
            return Scalar(_ARITHMETIC[symbol](left.value, right.value))
    elif symbol == "*" and isinstance(right, Scalar):
        match left:  # the factors after an unknown value are one number
            case Arithmetic("*", inner, Scalar(number)):
                return Arithmetic("*", inner, Scalar(mul(number, right.value)))
    return Arithmetic(symbol, left, right)


def _compare(symbol: str, left: Expr, right: Expr) -> Expr:
    if NONE in (left, right):
        return FALSE
    if isinstance(left, Scalar):
        if isinstance(right, Scalar):
            return Scalar(_COMPARISONS[symbol](left.value, right.value))
        if isinstance(right, Items) and all(isinstance(each, Scalar) for each in right.items):
            many = [each.value for each in right.items if isinstance(each, Scalar)]
            return Scalar(_COMPARISONS[symbol](left.value, many))
    return Compare(symbol, left, right)


def _truth(of: Expr, *, negated: bool) -> Expr:
    if isinstance(of, Scalar):
        return Scalar(of.value is not None and bool(of.value) is not negated)
    return Truth(of, negated)


def _junction(symbol: str, parts: Iterable[Expr]) -> Expr:
    """Return a junction without the operands that are constant, or the constant that decides it."""
    decides = symbol == "or"
    left = []
    for each in parts:
        if not isinstance(each, Scalar):
            left.append(each)
        elif bool(each.value) is decides:
            return Scalar(decides)
    if not left:
        return Scalar(not decides)
    return left[0] if len(left) == 1 else Junction(symbol, tuple(left))


def _call(name: str, arguments: tuple[Expr, ...]) -> Expr:
    first = arguments[0]
    if name == "coalesce":
        if first == NONE:
            return arguments[1]
        return first if isinstance(first, Scalar) else FunctionCall(name, arguments)
    if first == NONE or (name in _OF_BOTH and NONE in arguments):
        return FALSE if is_condition(FunctionCall(name, arguments)) else NONE
    return FunctionCall(name, arguments)
