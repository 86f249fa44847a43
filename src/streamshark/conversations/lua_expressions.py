"""The tables' expressions as Lua.

They mean the same as the engine's Python: a comparison with an unknown value is false, so each
operand that may be nil is tested first.

Columns are `c["<path>"]`, objects tables of their slots, constants `K.<name>`, functions
`f.<name>`; the runtime of the plugins defines these.
"""

import json
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Final

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
    walk,
)

LUA_WORDS: Final = frozenset(
    ("and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
     "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while")
)  # fmt: skip
_LUA = {"==": "==", "!=": "~=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

_FAILING: Final = {"<": 0, "<=": 1, ">": 0, ">=": -1}
"""Symbol to the distance from a bound to the next whole number with which the comparison fails."""
_NEVER_NIL: Final = frozenset(("any_eq", "literal", "starts"))
"""Functions whose results are true or false, whatever is unknown."""
_NUMBERS_OR_TEXT: Final = frozenset(
    ("between", "count", "digest", "greatest", "least", "len", "live", "max", "min", "number",
     "release", "stem", "token")
)  # fmt: skip
"""Functions whose results are numbers or text, or nil."""
_COLUMNS: Final = frozenset(("flow", "mark", "n", "name", "sender", "side", "size", "t"))
"""Columns of every frame that are numbers or text, or nil."""


def lua_column(path: tuple[str, ...]) -> str:
    """Return the default text of a column."""
    return f'c["{".".join(path)}"]'


class LuaPrinter:
    """Code generator for Lua 5.2; `column` returns the text of a column."""

    def __init__(self, column: Callable[[tuple[str, ...]], str] = lua_column) -> None:
        self.column = column

    def condition(self, node: Expr) -> str:
        """Return text that is true exactly if the condition is known to hold."""
        match node:
            case Scalar(value):
                return "true" if value else "false"
            case Junction(symbol, parts):
                return "(" + f" {symbol} ".join(self.condition(each) for each in parts) + ")"
            case IsNone(of, negated):
                return f"({self.value(of)} {'~=' if negated else '=='} nil)"
            case Truth(of, negated):
                text = self.exact(of)
                return self._both(self._known(of), f"not {text}") if negated else text
            case Compare():
                return self._compare(node)
            case _:
                return self.exact(node)

    def exact(self, node: Expr) -> str:
        """Return the text of a value that may be false, where Lua distinguishes that from 0."""
        match node:
            case FunctionCall("coalesce", arguments) if not all(map(_is_number_or_text, arguments)):
                return f"f.coalesce({', '.join(map(self._list, arguments))})"
        return self.value(node)

    def value(self, node: Expr) -> str:  # noqa: C901, PLR0911, PLR0912 - one row a kind
        """Return the text of a value; it is nil if the value is unknown."""
        match node:
            case Scalar(None):
                return "nil"
            case Scalar(bool(value)):
                return "true" if value else "false"
            case Scalar(value):
                return json.dumps(value, ensure_ascii=True)
            case ColumnRef(path):
                return self.column(path)
            case SlotRef(owner, name):
                return f'{owner}["{name}"]' if name in LUA_WORDS else f"{owner}.{name}"
            case ObjectRef(name):
                return name
            case NamedConstant(name):
                return f"K.{name}"
            case Items():
                return self.joined(node)
            case Arithmetic():
                known, text = self._known(node), self._sum(node)
                return f"({known} and {text} or nil)" if known else text
            case Choice(condition, yes, no) if self._is_true(yes):
                return f"({self.condition(condition)} and {self.value(yes)} or {self.value(no)})"
            case Choice(condition, yes, no):
                arguments = self.condition(condition), self.value(yes), self.value(no)
                return f"f.choose({', '.join(arguments)})"
            case FunctionCall("coalesce", (one, other)) if _is_number_or_text(
                one
            ) or _is_number_or_text(other):  # the other is worked out only if it is needed
                return f"({self.value(one)} or {self.value(other)})"
            case FunctionCall(name, arguments):
                printed = self.member if name == "has" else self._list
                return f"f.{name}({', '.join(map(printed, arguments))})"
            case _:
                return self.condition(node)

    def member(self, node: Expr) -> str:
        """Return the text of a member of a set; several values may be unknown in it."""
        match node:
            case Items(items):
                return f"f.member({', '.join(map(self.value, items))})"
            case Choice(condition, Items() as yes, Scalar(None)):
                return f"({self.condition(condition)} and {self.member(yes)} or nil)"
        return self.value(node)

    def joined(self, node: Items) -> str:
        """Return the text of several values as one, which is nil if one of them is unknown.

        Tables of Lua are equal only to themselves.
        """
        joined = "f.key({0}, {1})".format
        return reduce(joined, map(self.value, node.items))

    def _sum(self, node: Expr) -> str:
        """Return the text of a value whose operands in `_known` are known."""
        if not isinstance(node, Arithmetic):
            return self.value(node)
        one, other = self._sum(node.left), self._sum(node.right)
        if node.symbol == "//":
            return f"math.floor({one} / {other})"
        symbol = ".." if _is_text(node) else node.symbol
        return f"({one} {symbol} {other})"

    def _known(self, *nodes: Expr) -> str:
        """Return the condition that all of these are known; empty if they always are."""
        texts = [self.value(each) for node in nodes for each in self._unknown(node)]
        return " and ".join(f"{each} ~= nil" for each in dict.fromkeys(texts))

    def _unknown(self, node: Expr) -> Iterator[Expr]:
        """Yield the operands of a value that may be unknown."""
        if isinstance(node, Arithmetic):
            yield from self._unknown(node.left)
            yield from self._unknown(node.right)
        elif isinstance(node, Items):
            if any(True for each in node.items for _ in self._unknown(each)):
                yield node
        elif isinstance(node, FunctionCall) and node.name == "coalesce":
            if any(True for _ in self._unknown(node.arguments[-1])):
                yield node
        elif isinstance(node, FunctionCall) and node.name in _NEVER_NIL:
            return
        elif not isinstance(node, (Scalar, NamedConstant)) or node == Scalar(None):
            yield node

    def _is_true(self, node: Expr) -> bool:
        """Return whether Lua takes a value for true, whatever is unknown."""
        has_number = any(each == ColumnRef(("n",)) for each in walk(node))  # unknown of some rows
        known = isinstance(node, ColumnRef) and node.path == ("t",)
        known = known or not (has_number or any(True for _ in self._unknown(node)))
        parts: tuple[Expr, ...] = (node,)
        if isinstance(node, FunctionCall) and node.name == "coalesce":
            parts = node.arguments
        return known and all(map(_is_number_or_text, parts))

    def _compare(self, node: Compare) -> str:
        if node.symbol in ("in", "not in"):
            test = f"f.one_of({self.value(node.left)}, {self._list(node.right)})"
            known = self._known(
                node.left, *(() if isinstance(node.right, Items) else (node.right,))
            )
            return test if node.symbol == "in" else self._both(known, f"not {test}")
        match node:
            case Compare("==", FunctionCall() | ColumnRef() | SlotRef() as one, other) if (
                _is_constant(other)
            ):  # nothing unknown equals a constant
                return f"({self.value(one)} == {self.value(other)})"
            case Compare(symbol, FunctionCall() as one, Scalar(int(bound))) if symbol in _FAILING:
                failing = self.value(Scalar(bound + _FAILING[symbol]))
                return f"(({self.value(one)} or {failing}) {symbol} {self.value(node.right)})"
        known = self._known(node.left, node.right)
        text = f"{self._sum(node.left)} {_LUA[node.symbol]} {self._sum(node.right)}"
        return self._both(known, text)

    def _list(self, node: Expr) -> str:
        """Return the text of a value where several values are a list, as arguments are."""
        if isinstance(node, Items):
            return "{" + ", ".join(self.value(each) for each in node.items) + "}"
        return self.value(node)

    @staticmethod
    def _both(known: str, text: str) -> str:
        return f"({known} and {text})" if known else f"({text})"


def _is_constant(node: Expr) -> bool:
    """Return whether an expression is a constant that is known."""
    return isinstance(node, NamedConstant) or (isinstance(node, Scalar) and node.value is not None)


def _is_text(node: Expr) -> bool:
    """Return whether a sum is text: an operand is a constant text."""
    if isinstance(node, Arithmetic):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, Scalar) and isinstance(node.value, str)


def _is_number_or_text(node: Expr) -> bool:
    """Return whether a value is a number or text if it is known, so that Lua takes it for true.

    The values between which an expression chooses are of one type.
    """
    match node:
        case Scalar(value):
            return value is not None and not isinstance(value, bool)
        case NamedConstant() | Arithmetic():
            return True
        case ColumnRef((name,)):
            return name in _COLUMNS
        case FunctionCall("coalesce", (one, other)) | Choice(_, one, other):
            return _is_number_or_text(one) or _is_number_or_text(other)
        case FunctionCall(name):
            return name in _NUMBERS_OR_TEXT
    return False
