"""Conditions in Lua: the same as in Python."""

import shutil
import subprocess
from typing import Any

import pytest
from tests.failures import every

from streamshark.conversations.expression_functions import FUNCTIONS
from streamshark.conversations.expressions import (
    ColumnRef,
    Expr,
    FunctionCall,
    NamedConstant,
    ObjectRef,
    Parser,
    Printed,
    PythonPrinter,
    SlotRef,
)
from streamshark.conversations.lua_expressions import LuaPrinter
from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.catalog import catalog

PARSER = Parser(frozenset({"sub"}))
ROWS: list[dict[str, Any]] = [
    {"a": a, "b": b, "s": s}
    for a in (None, 0, 3)
    for b in (None, 3, 7)
    for s in (None, "x", "amq.x")
]
TEXTS = [
    "a == b", "a != b", "0 < a < b", "not 0 < a < b", "a in (0, 1)", "a not in (0, 1)",
    "not (a == 3 and b > 3)", "a + 1 == 4 or b // 2 == 3", "(a if b > 3 else b) == 3", "a is None",
    "not a is None and s != 'x'", "a * 2 - b >= 0", "s == 'amq.x'", "(a, b) == (3, 7)",
    "(1 if b > 3 else a) == 1", "(1 if b > 3 else a) is None", "coalesce(a, 0) == 0",
    "not starts(s, 'amq')", "coalesce(a, b) > 2", "len(s) > 1", "len(s) >= 1", "len(s) < 2",
    "len(s) <= 1", "not len(s) <= 1", "coalesce(a, b) is None",
]  # fmt: skip
LUA = shutil.which("lua5.2")
"""Wireshark's own, up to 4.2; `make test` installs it."""
HELPERS = """
local f = {}
function f.one_of(x, t) for _, v in ipairs(t) do if v == x then return true end end return false end
function f.key(x, y) if x ~= nil and y ~= nil then return x .. ";" .. y end end
function f.coalesce(a, b) if a ~= nil then return a end return b end
function f.len(x) return x and #x end
function f.starts(x, y) return x ~= nil and x:sub(1, #y) == y end
function f.choose(c, a, b) if c then return a end return b end
"""


def in_python(node: Expr, row: dict[str, Any]) -> bool:
    """What the engine would say."""

    def look(each: Expr) -> Printed:
        if each == FunctionCall("len", (ColumnRef(("s",)),)):
            return Printed("(None if s is None else len(s))", optional=True)
        assert isinstance(each, ColumnRef)
        return Printed(each.path[0], optional=True)

    return bool(eval(PythonPrinter(look).condition(node), {**FUNCTIONS, **row}))  # noqa: S307 - see engine


def in_lua(value: object) -> str:
    """A value as Lua."""
    return "nil" if value is None else repr(value)


@pytest.mark.process
@every("text", TEXTS)
def test_lua_says_the_same(text: str) -> None:
    """For every row."""
    assert LUA is not None, "lua5.2 is not installed"
    node = PARSER.condition(text)
    assert node is not None
    condition = LuaPrinter().condition(node)
    lines = [HELPERS]
    for row in ROWS:
        columns = ", ".join(f"{name} = {in_lua(value)}" for name, value in row.items())
        lines.append(f"do local c = {{{columns}}}; print({condition} and 1 or 0) end")
    done = subprocess.run(
        [LUA, "-"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    assert [each == "1" for each in done.stdout.split()] == [in_python(node, row) for row in ROWS]


@pytest.mark.parametrize(
    ("text", "lua"),
    [
        ("sub.end == 1", '(sub["end"] == 1)'),
        ("a.b in (1, 'x')", 'f.one_of(c["a.b"], {1, "x"})'),
        ("len(a) > MOST", '(f.len(c["a"]) ~= nil and f.len(c["a"]) > K.MOST)'),
        ("has(sub.set, (a, b))", 'f.has(sub.set, f.member(c["a"], c["b"]))'),
        ("not has(sub.set, a)", '(f.has(sub.set, c["a"]) ~= nil and not f.has(sub.set, c["a"]))'),
    ],
)  # fmt: skip
def test_lua_text(text: str, lua: str) -> None:
    """Reserved words are no names."""
    text = text.replace("sub.end", "sub.end_")
    node = PARSER.condition(text)
    assert node is not None
    if "end_" in text:
        node = _renamed(node)
    assert LuaPrinter().condition(node) == lua


def _renamed(node: Any) -> Any:  # noqa: ANN401 - any node
    from dataclasses import fields, is_dataclass, replace  # noqa: PLC0415 - here alone

    if isinstance(node, SlotRef):
        return replace(node, name=node.name.rstrip("_"))
    if isinstance(node, tuple):
        return tuple(map(_renamed, node))
    if not is_dataclass(node) or isinstance(node, type):
        return node
    return replace(node, **{each.name: _renamed(getattr(node, each.name)) for each in fields(node)})


@pytest.mark.parametrize("protocol", [each for each in catalog() if each.rules],
                         ids=lambda each: each.wire.id)  # fmt: skip
def test_every_rule_prints_in_both_languages(protocol: Any) -> None:  # noqa: ANN401 - a protocol
    """Python that compiles, and Lua."""
    heard = [each for each in protocol.embedded_records if each.slots & protocol.embedded_slots]
    model = ResolvedTables(protocol.wire, protocol.conversations, protocol.rules, heard)

    def look(each: Expr) -> Printed:
        assert isinstance(each, (ColumnRef, SlotRef, NamedConstant, ObjectRef)) or each
        return Printed("None", optional=True)

    printed = 0
    for read in model.watches:
        if read.when is None:
            continue
        compile(PythonPrinter(look).condition(read.when), "rule", "eval")
        assert LuaPrinter().condition(read.when)
        printed += 1
    assert printed
