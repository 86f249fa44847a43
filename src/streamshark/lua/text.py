"""Python values and schema expressions as Lua text."""

import re
from collections.abc import Mapping
from typing import Final

from streamshark.lua.patterns import steps_of
from streamshark.schema import nodes

WIDTH: Final = 116
"""Most columns of a printed line."""
COMPARISONS: Final = {"==": "==", "!=": "~=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_WORDS: Final = frozenset(
    [
        "and",
        "break",
        "do",
        "else",
        "elseif",
        "end",
        "false",
        "for",
        "function",
        "goto",
        "if",
        "in",
        "local",
        "nil",
        "not",
        "or",
        "repeat",
        "return",
        "then",
        "true",
        "until",
        "while",
    ]
)


def quoted(text: str | bytes) -> str:
    r"""Return a Lua string; characters other than printable ASCII become decimal escapes.

    >>> quoted('a "b"\n')
    '"a \\"b\\"\\010"'
    """
    data = text if isinstance(text, bytes) else text.encode()
    out = "".join(
        f"\\{chr(byte)}"
        if byte in b'"\\'
        else chr(byte)
        if 0x20 <= byte < 0x7F  # noqa: PLR2004 - printable ASCII
        else f"\\{byte:03}"
        for byte in data
    )
    return f'"{out}"'


def key(name: object) -> str:
    """Return a key of a table constructor.

    >>> key("stream"), key("end"), key(7), key(False)
    ('stream', '["end"]', '[7]', '[false]')
    """
    if isinstance(name, str) and name.isidentifier() and name.isascii() and name not in _WORDS:
        return name
    return f"[{value(name)}]"


def value(given: object) -> str:  # noqa: PLR0911 - one line a kind
    """Return a Python value as a Lua expression; a `LuaCode` is copied."""
    match given:
        case LuaCode():
            return given.text
        case None:
            return "nil"
        case bool():
            return "true" if given else "false"
        case int() | float():
            return repr(given + 0)  # members of enumerations are numbers
        case str() | bytes():
            return quoted(given)
        case Mapping():
            return table([f"{key(name)} = {value(each)}" for name, each in given.items()])
        case list() | tuple():
            return table([value(each) for each in given])
        case re.Pattern():
            return value(steps_of(given))
        case set() | frozenset():
            return table([f"{key(name)} = true" for name in sorted(given)])
        case _:
            raise TypeError(given)


class LuaCode:
    """Text that is Lua already."""

    def __init__(self, text: str) -> None:
        self.text = text


def table(items: list[str]) -> str:
    """Return a table constructor in one line, or in one line per item."""
    if not items:
        return "{}"
    flat = f"{{ {', '.join(items)} }}"
    if len(flat) <= WIDTH - 20 and "\n" not in flat:
        return flat
    return "{\n" + "".join(f"{indented(each)},\n" for each in items) + "}"


def indented(text: str) -> str:
    """Indent every line by two blanks."""
    return "\n".join(f"  {line}" if line else line for line in text.split("\n"))


def place(node: nodes.Node) -> str:
    """Return the path of a node in its frame."""
    return ".".join(node.path)


def held(path: str) -> str:
    """Return the expression for the kept value at a path."""
    return f"v.{path}" if key(path) == path else f"v[{quoted(path)}]"


def sum_path(given: nodes.Sum) -> str:
    """Return the path under which the sum over a list is kept."""
    return f"sum of {place(given.member)}"


def number(given: nodes.Expr) -> str:  # noqa: PLR0911 - one line a kind
    """Return a schema expression over kept values as a number."""
    match given:
        case nodes.Const():
            return str(given.value)
        case nodes.Ref():
            return held(place(given.node))
        case nodes.Len():
            return held(f"#{place(given.node)}")
        case nodes.Sum():
            return held(sum_path(given))
        case nodes.Operation(symbol="&"):
            return f"band({number(given.left)}, {number(given.right)})"
        case nodes.Operation(symbol="|"):
            return f"bor({number(given.left)}, {number(given.right)})"
        case nodes.Operation(symbol="+" | "-" | "*"):
            left, right = (
                f"({number(each)})" if isinstance(each, nodes.Operation) and given.symbol != "+"
                and each.symbol in "+-" else number(each)
                for each in (given.left, given.right)
            )  # fmt: skip
            return f"{left} {given.symbol} {right}"
        case _:
            return f"({condition(given)} and 1 or 0)"


def condition(given: nodes.Expr) -> str:
    """Return a schema expression that is tested against 0 as a condition."""
    match given:
        case nodes.Operation() if given.symbol in COMPARISONS:
            return f"{number(given.left)} {COMPARISONS[given.symbol]} {number(given.right)}"
        case nodes.Operation(symbol="&" | "|") if _is_boolean(given.left) and _is_boolean(
            given.right
        ):
            word = "and" if given.symbol == "&" else "or"
            return f"({condition(given.left)}) {word} ({condition(given.right)})"
        case nodes.In():
            of = number(given.of)
            return " or ".join(f"{of} == {each}" for each in given.values)
        case _:
            return f"{number(given)} ~= 0"


def _is_boolean(given: nodes.Expr) -> bool:
    return isinstance(given, nodes.In) or (
        isinstance(given, nodes.Operation)
        and (
            given.symbol in COMPARISONS
            or (given.symbol in "&|" and _is_boolean(given.left) and _is_boolean(given.right))
        )
    )


def function(text: str) -> LuaCode:
    """Return a Lua function of the kept values."""
    return LuaCode(
        f"function(v) return {text} end" if "v" in text else f"function() return {text} end"
    )
