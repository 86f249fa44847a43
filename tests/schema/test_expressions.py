"""Expressions: small objects that can be called and walked, and refuse what cannot."""

import pytest
from tests.failures import every

from streamshark.errors import SchemaError
from streamshark.schema.expressions import (
    OPERATORS,
    IntegerConstant,
    any_of,
    expression,
    len_,
    references,
    sum_,
    this,
)

CONTEXT = {
    "a": 5,
    "text": "grün",
    "list": [1, 2],
    "none": None,
    "items": [{"n": 3}, {}],
    "_": {"b": 7},
}


@every(
    ("given", "value"),
    [
        (this.a & 4, 4), (this.a | 2, 7), (this.a + 1, 6), (this.a - 1, 4), (this.a * 3, 15),
        (this.a == 5, 1), (this.a != 5, 0), (this.a < 5, 0), (this.a <= 5, 1), (this.a > 4, 1),
        (this.a >= 6, 0), (any_of(this.a, 4, 5), 1), (any_of(this.a, 4), 0), (this._.b, 7),
        (len_(this.text), 5), (len_(this.list), 2), (len_(this.none), 0), (len_(this.missing), 0),
        (sum_(this.items, "n"), 3), (sum_(this.items, "n", absent=2), 5),
        (sum_(this.missing, "n"), 0),
        (this.missing, 0), (this.missing == 0, 1), ((this.a > 4) & (this._.b > 6), 1),
    ],
)  # fmt: skip
def test_the_value_in_a_context(given: object, value: int) -> None:
    """Comparisons give 0 or 1; what is absent or null counts as 0."""
    assert expression(given)(CONTEXT) == value


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: bool(this.a), lambda: this.a in (1, 2), lambda: 1 in this.a, lambda: 1 < this.a < 2,
        lambda: this.a == 1 and this.b == 2, lambda: not this.a, lambda: this.a * this.b,
        lambda: expression(len), lambda: expression("a"), lambda: expression(1.5),
    ],
)  # fmt: skip
def test_what_cannot_be_walked_is_refused(wrong: object) -> None:
    """Construct's own `this` would be silently wrong here."""
    with pytest.raises(SchemaError):
        wrong()  # type: ignore[operator]


def test_every_operator_is_built() -> None:
    """The list of operators is closed."""
    built = (
        this.a & 1, this.a | 1, this.a + 1, this.a - 1, this.a * 1, this.a == 1, this.a != 1,
        this.a < 1, this.a <= 1, this.a > 1, this.a >= 1,
    )  # fmt: skip

    assert [each.operator for each in built] == list(OPERATORS)


def test_references_are_listed() -> None:
    """Name and how many records up."""
    given = any_of(len_(this.a) + this._.b, 1) & (this.c == IntegerConstant(2))

    assert references(given) == [("a", 0), ("b", 1), ("c", 0)]


def test_expressions_say_what_they_are() -> None:
    """For messages."""
    assert repr(any_of(this.a, 1, 2)) == "any_of(this.a, 1, 2)"
    assert repr(sum_(this.a, "n", absent=1)) == "sum_(this.a, 'n', absent=1)"
    assert repr(len_(this._.b) + 2) == "(len_(this._.b) + 2)"


def test_this_has_no_private_fields() -> None:
    """So that nothing takes it for something else."""
    with pytest.raises(AttributeError):
        _ = this._private
