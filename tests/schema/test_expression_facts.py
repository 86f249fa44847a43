"""What expressions say of the numbers of a tree."""

from streamshark.schema import (
    U8,
    U16,
    FrameKind,
    FrameSchema,
    Head,
    Many,
    Record,
    Region,
    Sender,
    Switch,
    When,
    any_of,
    crc32,
    field,
    len_,
    nodes,
    raw,
    this,
)
from streamshark.schema.expression_facts import (
    compared,
    filled,
    referred,
    regions,
    sizes,
    used,
    width,
)
from streamshark.schema.walk import walk, walk_word


def number(name: str) -> object:
    """Return a number's field."""
    return field(name, U8, "A number.")


def tree(*members: object) -> nodes.Tree:
    """Return the tree of members."""
    return walk_word(Record(*members), "any.tree")  # type: ignore[arg-type]


def named(of: nodes.Tree, values: set[int]) -> set[str | None]:
    """Return the names of values."""
    return {of.nodes[each].name for each in values}


def test_lengths_and_counts_are_sizes() -> None:
    """Of blobs and lists; lengths of drawn things do not count as numbers."""
    made = tree(
        number("a"), number("b"), number("c"),
        field("x", raw(this.a + this.b), "X."),
        field("l", Many(U8, count=this.c), "L."),
        field("y", raw(len_(this.x)), "Y."),
    )  # fmt: skip

    assert named(made, sizes(made)) == {"a", "b", "c"}


def test_what_follows_from_other_bytes_is_filled_in() -> None:
    """Lengths of regions, sums, claims, and what is left of a difference."""
    made = tree(
        number("total"), number("head"), number("sum"),
        field("claimed", U8, "A claim.", claims=this.total),
        Region(this.head, field("a", U16, "A."), checksum=crc32(this.sum)),
        field("rest", raw(this.total - this.head), "Rest."),
    )  # fmt: skip

    assert named(made, filled(made)[0]) == {"total", "head", "sum", "claimed"}


def test_the_total_of_a_head_is_filled_in() -> None:
    """Lengths that depend on the total are filled in with it."""
    head = Head((number("size"), number("flags")), this.size + 2, "", hidden=("size",))  # type: ignore[arg-type]
    body = (field("x", raw(this.size - (this.flags & 1)), "X."),)
    made = walk(FrameSchema("a", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x", body), head, "any")

    assert [named(made, each) for each in filled(made)] == [{"size"}, {"size"}]


def test_constants_that_numbers_are_compared_with() -> None:
    """In conditions, cases and `any_of`."""
    made = tree(
        number("a"), number("b"),
        When((this.a == 5) & any_of(this.b, 1, 2), field("x", U8, "X.")),
        Switch(this.b, {7: (field("y", U8, "Y."),)}, default=()),
    )  # fmt: skip
    told = {made.nodes[value].name: constants for value, constants in compared(made).items()}

    assert told["a"] == {5}
    assert told["b"] == {1, 2, 7}


def test_what_measures_a_region_and_what_an_expression_uses() -> None:
    """A claim is not left to a region; a length is a use."""
    made = tree(
        number("a"), number("b"),
        field("c", U8, "A claim.", claims=this.a),
        Region(this.b, field("x", raw(this.a), "X.")),
        Region(this.c, field("z", U8, "Z.")),
        When((len_(this.x) > 0) & any_of(this.a, 1), field("y", U8, "Y.")),
    )  # fmt: skip
    when = next(each for each in made.nodes if isinstance(each, nodes.WhenNode))

    assert named(made, regions(made)) == {"b"}
    assert named(made, used(when.condition)) == {"a", "x"}


def test_widths() -> None:
    """Bits of a number."""
    made = tree(number("a"), field("b", U16, "B."))

    assert [width(made.find(name)) for name in ("a", "b")] == [8, 16]
    assert referred(nodes.Const(1)) == set()
