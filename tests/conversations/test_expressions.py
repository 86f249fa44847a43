"""The language of the tables: what is read, what is refused, and what None does."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from tests.failures import every

from streamshark.conversations.expression_functions import FUNCTIONS
from streamshark.conversations.expressions import (
    ColumnRef,
    Expr,
    FunctionCall,
    Parser,
    Printed,
    PythonPrinter,
    SlotRef,
)
from streamshark.conversations.outstanding import OutstandingIds
from streamshark.errors import SchemaError

PARSER = Parser(frozenset({"sub"}))


class Sub:
    """An object with slots."""

    def __init__(self, **slots: int | None) -> None:
        self.__dict__.update(slots)


def look(node: Expr) -> Printed:
    """Columns and slots under their own names."""
    match node:
        case ColumnRef(path):
            return Printed(path[0], optional=True)
        case SlotRef(owner, name):
            return Printed(f"{owner}.{name}", optional=True)
        case FunctionCall(name, (ColumnRef(path),)):
            return Printed(f"f_{name}({path[0]})", optional=True)
    raise TypeError(node)


def holds(text: str, **names: object) -> bool:
    """Whether a condition holds for these columns."""
    node = PARSER.condition(text)
    assert node is not None
    return bool(eval(PythonPrinter(look).condition(node), {**FUNCTIONS, **names}))  # noqa: S307 - what the engine does


@every(
    ("text", "names", "expected"),
    [
        ("0 < a <= 5", {"a": 5}, True),
        ("0 < a <= 5", {"a": 0}, False),
        ("a == 1 or b == 2", {"a": 3, "b": 2}, True),
        ("not (a == 1 or b == 2)", {"a": 3, "b": 3}, True),
        ("not (a == 1 or b == 2)", {"a": 3, "b": 2}, False),
        ("a in (1, 2)", {"a": 2}, True),
        ("a not in (1, 2)", {"a": 3}, True),
        ("a in ('x',)", {"a": "x"}, True),
        ("sub.balance == a - 1", {"a": 3, "sub": Sub(balance=2)}, True),
        ("len(a) > 2", {"a": [1, 2, 3]}, True),
        ("a // 2 * 3 + 1 == 7", {"a": 5}, True),
        ("a", {"a": True}, True),
        ("not a", {"a": False}, True),
        ("starts(a, 'amq.')", {"a": "amq.x"}, True),
        ("a == -1", {"a": -1}, True),
    ],
)
def test_conditions_hold_as_in_python(text: str, names: dict[str, Any], expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """Where all is known."""
    assert holds(text, **names) is expected


@every(
    "text",
    [
        "a == 1", "a != 1", "a < 1", "a <= 1", "a > 1", "a >= 1", "a in (1,)", "a not in (1,)",
        "not a == 1", "not a != 1", "not a < 1", "not a in (1,)", "not a not in (1,)",
        "not (a == 1 and b == 1)", "not not a < 1", "a", "not a", "a == sub.balance",
        "a != sub.balance", "a + 1 > 0", "0 < a < 9", "not 0 < a < 9", "len(a) == 0",
        "not len(a) == 0", "max(a, b) > 0", "starts(a, 'x')", "b in sub.balance",
    ],
)  # fmt: skip
def test_none_makes_every_comparison_false(text: str) -> None:
    """Under `not` as well."""
    assert not holds(text, a=None, b=1, sub=Sub(balance=None))


def test_only_is_none_sees_none() -> None:
    """It is how unknown is told."""
    assert holds("a is None", a=None)
    assert not holds("not a is None", a=None)
    assert holds("a is not None", a=0)


def test_what_is_known_decides_though_the_rest_is_not() -> None:
    """As in SQL."""
    assert holds("a == 1 or b == 1", a=None, b=1)
    assert not holds("a == 1 and b == 1", a=None, b=1)


def test_a_choice_is_a_value() -> None:
    """So it can be compared."""
    assert holds("(a if b else c) == 1", a=1, b=True, c=2)
    assert not holds("(a if b else c) == 1", a=1, b=False, c=2)


@every(
    "text",
    [
        "a == None", "a is 1", "open(a)", "a.b()", "[a]", "{a}", "lambda: 1", "a / 2", "a % 2",
        "f'{a}'", "a[0]", "a := 1", "len(a, b)", "len(x=1)", "1.5 < a", "a <", "sub.x.y == 1",
        "await a", "a and", "*a", "b'x' == a",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    """The list is closed."""
    with pytest.raises(SchemaError):
        PARSER.condition(text)


@pytest.mark.parametrize(
    "text", ["a = 1", "sub.x += 1", "len(sub.x)", "sub.x = 1; import os", "sub.x = yes()", "del a"]
)
def test_moves_assign_slots_and_nothing_else(text: str) -> None:
    """Or are verbs."""
    with pytest.raises(SchemaError):
        PARSER.statements(text)


def known(node: Expr) -> str:
    """Slots are outstanding ids, `ids` is a list."""
    match node:
        case SlotRef():
            return "outstanding"
        case ColumnRef(("ids",)):
            return "list"
    return ""


def outstanding_ids() -> Iterator[OutstandingIds | None]:
    """In the states that make a difference."""
    yield None
    for whole in (True, False):
        yield OutstandingIds(whole=whole)
        for added in (((5,),), ((5, 6), (9,)), ((9,), (5,)), ((5,), (5,))):
            outstanding = OutstandingIds(whole=whole)
            for n, ids in enumerate(added, 1):
                outstanding.add(ids, 100 * n, n)
            yield outstanding


@pytest.mark.parametrize(
    "text",
    ["count(sub.l)", "oldest_t(sub.l)", "oldest_n(sub.l)", "missing(sub.l, ids)",
     "any_eq(ids, 5)", "t - oldest_t(sub.l)", "max(count(sub.l), 1) + 1"],
)  # fmt: skip
def test_functions_printed_in_place_give_what_the_functions_give(text: str) -> None:
    """Of outstanding ids and lists."""
    node = PARSER.value(text)
    quick = PythonPrinter(look_surely, kind=known).value(node)
    plain = PythonPrinter(look_surely).value(node)
    assert quick.text != plain.text
    for outstanding in outstanding_ids():
        for ids in ([], [5], [6, 5], [7, 8]):
            names = {**FUNCTIONS, "sub": SimpleNamespace(l=outstanding), "ids": ids, "t": 1000}
            found, expected = eval(quick.text, dict(names)), eval(plain.text, dict(names))  # noqa: S307 - what the engine does
            assert found == expected
            assert quick.optional or found is not None


def look_surely(node: Expr) -> Printed:
    """As `look`, where columns are there."""
    match node:
        case FunctionCall("any_eq" | "greatest" | "least", (ColumnRef(path), *_)) | ColumnRef(path):
            return Printed(path[0], optional=False)
    return look(node)


def test_what_is_known_is_asked_once() -> None:
    """Of all that a value is made of, before it."""
    node = PARSER.condition("a - b > c")
    assert node is not None
    text = PythonPrinter(look).condition(node)

    assert text == "(a is not None and b is not None and c is not None and (a - b) > c)"
