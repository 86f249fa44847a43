"""The tables' conditions as Lua and as SQL.

Both mean the same as the engine's Python: a comparison with what is not known is false. SQL has
that of its own; in Lua each operand that may be nil is looked at first. What one of them cannot
say raises `NoLuaForm` with the reason.

Lua: columns are `c["<path>"]`, objects tables of their slots, constants `K.<name>`, functions
`f.<name>`; whoever runs it gives these. SQL is Spark's, over the table of one command.
"""

import json
from collections.abc import Callable, Iterator
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
    is_condition,
)
from streamshark.errors import StreamsharkError

LUA_WORDS: Final = frozenset(
    ("and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
     "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while")
)  # fmt: skip
_LUA = {"==": "==", "!=": "~=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_SQL = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "//": "div"}
_ENGINE: Final = frozenset(
    ("has", "live", "fits", "missing", "held", "count", "oldest_t", "oldest_n")
)
"""Functions that ask the engine."""


class NoLuaForm(StreamsharkError):  # noqa: N818 - it is a reason
    """A condition that a dialect cannot say, and why."""


def lua_column(path: tuple[str, ...]) -> str:
    """A column where nothing else is said."""
    return f'c["{".".join(path)}"]'


class LuaPrinter:
    """Writes nodes as Lua 5.2; `column` says how a column is written."""

    def __init__(self, column: Callable[[tuple[str, ...]], str] = lua_column) -> None:
        self.column = column

    def condition(self, node: Expr) -> str:
        """Text that is true exactly where the condition is known to hold."""
        match node:
            case Scalar(value):
                return "true" if value else "false"
            case Junction(symbol, parts):
                return "(" + f" {symbol} ".join(self.condition(each) for each in parts) + ")"
            case IsNone(of, negated):
                return f"({self.value(of)} {'~=' if negated else '=='} nil)"
            case Truth(of, negated):
                text = self.value(of)
                return f"({text} ~= nil and not {text})" if negated else text
            case Compare():
                return self._compare(node)
            case _:
                return self.value(node)

    def value(self, node: Expr) -> str:  # noqa: C901, PLR0911 - one row a kind
        """Text of a value; nil where it is not known."""
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
            case Items(items):
                return "{" + ", ".join(self.value(each) for each in items) + "}"
            case Arithmetic():
                known, text = self._known(node), self._sum(node)
                return f"({known} and {text} or nil)" if known else text
            case Choice(condition, yes, no):
                arguments = self.condition(condition), self.value(yes), self.value(no)
                return f"f.choose({', '.join(arguments)})"
            case FunctionCall(name, arguments):
                return f"f.{name}({', '.join(self.value(each) for each in arguments)})"
            case _:
                return self.condition(node)

    def _sum(self, node: Expr) -> str:
        """A value of which all that `_known` names is known."""
        if not isinstance(node, Arithmetic):
            return self.value(node)
        one, other = self._sum(node.left), self._sum(node.right)
        if node.symbol == "//":
            return f"math.floor({one} / {other})"
        return f"({one} {node.symbol} {other})"

    def _known(self, *nodes: Expr) -> str:
        """The condition that all of these are known; empty where they always are."""
        texts = [self.value(each) for node in nodes for each in self._unknown(node)]
        return " and ".join(f"{each} ~= nil" for each in dict.fromkeys(texts))

    def _unknown(self, node: Expr) -> Iterator[Expr]:
        """What a value is computed from that may not be known."""
        if isinstance(node, Arithmetic):
            yield from self._unknown(node.left)
            yield from self._unknown(node.right)
        elif not isinstance(node, (Scalar, NamedConstant, Items)):
            yield node

    def _compare(self, node: Compare) -> str:
        known = self._known(node.left, node.right)
        if node.symbol in ("in", "not in"):
            told = f"f.one_of({self.value(node.left)}, {self.value(node.right)})"
            return told if node.symbol == "in" else self._both(known, f"not {told}")
        text = f"{self._sum(node.left)} {_LUA[node.symbol]} {self._sum(node.right)}"
        return self._both(known, text)

    @staticmethod
    def _both(known: str, text: str) -> str:
        return f"({known} and {text})" if known else f"({text})"


class SqlPrinter:
    """Writes nodes as Spark's SQL; `is_list` says whether a column is a list.

    Only what stands in the row itself can be said: no object, no earlier row.
    """

    def __init__(
        self,
        constants: dict[str, object] | None = None,
        is_list: Callable[[tuple[str, ...]], bool] = lambda _: False,
    ) -> None:
        self.constants = constants or {}
        self.is_list = is_list

    def condition(self, node: Expr) -> str:
        """Text for a `where`: true, false, or null where it is not known."""
        match node:
            case Junction(symbol, parts):
                return "(" + f" {symbol} ".join(self.condition(each) for each in parts) + ")"
            case IsNone(of, negated):
                return f"({self.value(of)} is {'not ' if negated else ''}null)"
            case Truth(of, negated):
                return f"(not {self.value(of)})" if negated else self.value(of)
            case Compare("in" | "not in" as symbol, left, right):
                return f"({self.value(left)} {symbol} {self.value(right)})"
            case Compare(symbol, left, right):
                return f"({self.value(left)} {_SQL[symbol]} {self.value(right)})"
            case _:
                return self.value(node)

    def value(self, node: Expr) -> str:  # noqa: C901, PLR0911, PLR0912 - one row a kind
        """Text of a value."""
        match node:
            case Scalar(None):
                return "null"
            case Scalar(bool(value)):
                return "true" if value else "false"
            case Scalar(int(value)):
                return str(value)
            case Scalar(value):
                return quoted(str(value))
            case ColumnRef(("orphan" | "duplicate" | "why" as name,)):
                raise NoLuaForm(f"{name} is what the engine knows of other rows")
            case ColumnRef(path):
                return ".".join(f"`{each}`" for each in path)
            case SlotRef(owner, name):
                raise NoLuaForm(f"{owner}.{name} is what the engine remembers")
            case ObjectRef(name):
                raise NoLuaForm(f"{name} is what the engine remembers")
            case NamedConstant(name):
                return self._constant(name, self.constants.get(name))
            case Items(items):
                return "(" + ", ".join(self.value(each) for each in items) + ")"
            case Arithmetic(symbol, left, right):
                return f"({self.value(left)} {_SQL.get(symbol, symbol)} {self.value(right)})"
            case Choice(condition, yes, no):
                test = self.condition(condition)
                return f"case when {test} then {self.value(yes)} else {self.value(no)} end"
            case FunctionCall():
                return self._call(node)
            case _:
                return self.condition(node)

    def _constant(self, name: str, value: object) -> str:
        if isinstance(value, (bool, int, str)):
            return self.value(Scalar(value))
        if isinstance(value, (tuple, list, set, frozenset)):
            return "(" + ", ".join(self._constant(name, each) for each in value) + ")"
        raise NoLuaForm(f"{name} is a table")

    def _call(self, node: FunctionCall) -> str:  # noqa: C901, PLR0911, PLR0912 - one row a function
        name = node.name
        if name in _ENGINE:
            raise NoLuaForm(f"{name}() asks the engine")
        if any(is_condition(each) for each in node.arguments):
            raise NoLuaForm(f"{name}() of a condition")
        first = node.arguments[0]
        texts = [self.value(each) for each in node.arguments]
        match name, texts:
            case "len", [one]:
                listed = isinstance(first, ColumnRef) and self.is_list(first.path)
                return f"{'cardinality' if listed else 'length'}({one})"
            case "max" | "min", [one, other]:
                word = "greatest" if name == "max" else "least"
                return f"if({one} is null or {other} is null, null, {word}({one}, {other}))"
            case "min_nonzero", [one, other]:
                return f"coalesce(nullif(least({one}, {other}), 0), greatest({one}, {other}))"
            case "coalesce", [one, other]:
                return f"coalesce({one}, {other})"
            case "greatest" | "least", [one]:
                return f"array_{'max' if name == 'greatest' else 'min'}({one})"
            case "first" | "last", [one]:
                return f"try_element_at({one}, {1 if name == 'first' else -1})"
            case "starts", [one, other]:
                return f"startswith({one}, {other})"
            case "item", [one, other]:
                return f"try_element_at(filter({one}, e -> e.key = {other}), 1).value"
            case "any_eq" | "any_ne" | "any_above", [one, other]:
                symbol = {"any_eq": "=", "any_ne": "<>", "any_above": ">"}[name]
                return f"exists({one}, e -> e {symbol} {other})"
            case "number", [one]:
                return f"try_cast({one} as bigint)"
            case "non_ascii", [one]:
                return f"({one} rlike '[^\\\\x00-\\\\x7f]')"
        raise NoLuaForm(f"{name}() has no form in SQL")


def quoted(text: str) -> str:
    """Text as a literal of SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
