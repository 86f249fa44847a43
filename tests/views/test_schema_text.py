"""Expressions and types read as sentences do."""

import pytest

from streamshark.schema import (
    I16,
    U8,
    Many,
    Member,
    Record,
    Tail,
    When,
    any_of,
    field,
    len_,
    nodes,
    raw,
    sum_,
    this,
)
from streamshark.schema.expressions import Expression
from streamshark.schema.walk import walk_word
from streamshark.views.schema_text import condition, expression, notes, table

FLAGS = field("flags", U8, "Bits.", flags={1: "more"})
KIND = field("kind", U8, "Which.", names={1: "first", 2: "second"})
BODY = field("body", raw(U8), "Bytes.")
ITEMS = field("items", Many(Record(field("n", U8, "N.")), count=U8), "Items.")


def tree(*members: Member) -> nodes.Tree:
    """Return the tree of these members."""
    return walk_word(Record(*members), "made.x")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (this.flags & 1, "flags has more"),
        (this.flags & 6, "flags has 0x6"),
        ((this.flags & 1) != 0, "flags has more"),
        (this.kind == 1, "kind is 1 (first)"),
        (this.kind == 7, "kind is 7"),
        (this.kind, "kind is set"),
        (any_of(this.kind, 1), "kind is 1 (first)"),
        (any_of(this.kind, 1, 2, 3), "kind is 1 (first), 2 (second) or 3"),
        ((this.kind == 1) & (this.flags & 1), "kind is 1 (first) and flags has more"),
        ((this.kind == 1) | (this.kind == 2), "kind is 1 (first) or kind is 2 (second)"),
        (len_(this.body) > this.kind, "length of body > kind"),
    ],
)
def test_conditions(given: Expression, told: str) -> None:
    """Names of flags and values stand where they are known."""
    found = tree(FLAGS, KIND, BODY, When(given, field("extra", U8, "Extra.")))
    [node] = [each for each in found.nodes if isinstance(each, nodes.WhenNode)]

    assert condition(node.condition) == told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (this.kind - 4, "kind - 4"),
        ((this.kind + 1) * 2, "(kind + 1) * 2"),
        (len_(this.body), "length of body"),
        (sum_(this.items, "n"), "sum of n in items"),
        (sum_(this.items, "n", absent=1), "sum of n in items, 1 where there is none"),
        (any_of(this.kind, 1), "kind is 1"),
        (any_of(this.kind, 1, 2), "kind is 1 or 2"),
    ],
)
def test_expressions(given: Expression, told: str) -> None:
    """Operands that are expressions themselves stand in parentheses."""
    found = tree(KIND, BODY, ITEMS, field("more", raw(given), "More."))
    node = found.find("more")

    assert isinstance(node, nodes.BlobNode)
    assert node.length is not None
    assert expression(node.length) == told


def test_notes() -> None:
    """Secrets, limits, null, claims, slots and what absence means are said."""
    found = tree(
        field("count", U8, "How many.", claims=len_(this.items)),
        field("items", Many(U8, count=U8, limit=9), "Items.", since="2.0"),
        field("token", raw(I16, null=True, limit=5, slot="body"), "Proof.", secret=True),
        Tail(field("late", U8, "Late."), default=0),
    )
    told = {node.name: " ".join(notes(node, found)) for node in found.named()}

    assert told == {
        "count": "Should be length of items.",
        "items": "Since 2.0. At most 9 items.",
        "token": "A secret: masked in every output unless the user asks for it. At most 5 bytes. "
        "Null when its length is -1. A place for other formats (`body`).",
        "late": "Absent means 0.",
    }


def test_tables_take_any_text() -> None:
    """Bars and line ends stay inside their cell."""
    assert table(["A", "B"], [["x|y", "one\ntwo"]]) == [
        "| A | B |",
        "| --- | --- |",
        "| x\\|y | one two |",
    ]
