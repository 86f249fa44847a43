"""Python values and expressions as Lua text."""

import pytest

from streamshark.lua.text import condition, indented, key, number, quoted, table, value
from streamshark.schema import U8, FrameKind, FrameSchema, Head, Sender, field, nodes
from streamshark.schema.walk import walk


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (None, "nil"), (True, "true"), (7, "7"), ("a", '"a"'), (b"\xff", '"\\255"'),
        ({}, "{}"), ({"a": 1, 2: "b"}, '{ a = 1, [2] = "b" }'), ([1, "x"], '{ 1, "x" }'),
        (frozenset({"b", "a"}), "{ a = true, b = true }"),
    ],
)  # fmt: skip
def test_values(given: object, text: str) -> None:
    """Values."""
    assert value(given) == text


def test_text_from_the_wire_cannot_leave_its_string() -> None:
    """Text from the wire cannot leave its string."""
    assert quoted('"]]\\\n--') == '"\\"]]\\\\\\010--"'


def test_words_of_lua_are_no_bare_keys() -> None:
    """Words of lua are no bare keys."""
    assert (key("end"), key("stream"), key("a b")) == ('["end"]', "stream", '["a b"]')


def test_long_tables_have_a_line_for_each_item() -> None:
    """Long tables have a line for each item."""
    assert table(["x" * 60, "y" * 60]) == f"{{\n  {'x' * 60},\n  {'y' * 60},\n}}"
    assert indented("a\n\nb") == "  a\n\n  b"


def test_expressions() -> None:
    """Expressions."""
    schema = FrameSchema("say", 1, FrameKind.COMMAND, Sender.BOTH, "", "", (field("a", U8, "A."),))
    a = nodes.Ref(walk(schema, Head((), None, ""), "x").find("a"))
    two = nodes.Const(2)
    assert number(nodes.Operation("+", a, two)) == "v.a + 2"
    assert number(nodes.Operation("*", nodes.Operation("&", a, two), two)) == "band(v.a, 2) * 2"
    assert condition(nodes.Operation("&", a, two)) == "band(v.a, 2) ~= 0"
    both = nodes.Operation("&", nodes.Operation("==", a, two), nodes.In(a, (1, 2)))
    assert condition(both) == "(v.a == 2) and (v.a == 1 or v.a == 2)"
    assert number(nodes.Operation("<", a, two)) == "(v.a < 2 and 1 or 0)"
