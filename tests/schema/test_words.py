"""What all words share: the window, fields and their facts, what is filled in."""

from enum import IntEnum

import construct
import pytest

from streamshark.errors import SchemaError
from streamshark.schema import U8, Many, ProblemCode, Record, Region, field, len_, raw, this
from streamshark.schema.reference import build_members, parse_members
from streamshark.schema.words import DecodingError, FieldFacts, Member, Window, Word, facts_of, fill


class Color(IntEnum):
    """Names of a number."""

    RED = 1
    DARK_RED = 2


def test_a_window_ends_where_it_is_told() -> None:
    """Not where the bytes end."""
    window = Window(b"abcdef", 1, 4)

    assert window.left == 3
    assert window.take(2, "") == b"bc"
    assert window.tell() == 3
    assert window.read(9) == b"d"
    with pytest.raises(DecodingError, match="short at byte 4") as caught:
        window.take(1, "a")
    assert (caught.value.code, caught.value.offset) == (ProblemCode.SHORT, 4)


def test_facts_are_facts_from_a_short_list() -> None:
    """An enumeration becomes numbers and names."""
    facts = facts_of("color", names=Color, unit="shades", secret=True)

    assert facts == FieldFacts(names={1: "red", 2: "dark_red"}, unit="shades", secret=True)


def test_numbers_in_a_range_share_a_name() -> None:
    """A name of their own comes first; ranges do not overlap."""
    facts = facts_of("color", names={3: "green"}, ranges={(1, 5): "plain", (9, 9): "odd"})

    assert [facts.name_of(each) for each in (0, 1, 3, 5, 6, 9)] == [
        None, "plain", "green", "plain", None, "odd",
    ]  # fmt: skip
    assert facts.is_coded
    assert not facts_of("color").is_coded
    for wrong in ({(5, 1): "a"}, {(1, 5): "a", (5, 6): "b"}):
        with pytest.raises(SchemaError, match="ranges"):
            facts_of("color", ranges=wrong)


def test_claims_are_computed_when_left_out_and_checked_when_read() -> None:
    """A given value wins, so a lie can be built."""
    members = (
        field("total", U8, "All of it.", claims=len_(this.data) + 1),
        field("data", raw(U8), "Data."),
    )

    assert build_members(members, {"data": b"ab"}) == b"\3\2ab"
    assert build_members(members, {"total": 9, "data": b"ab"}) == b"\x09\2ab"
    with pytest.raises(DecodingError, match="claim"):
        parse_members(members, b"\x09\2ab")


def test_lengths_that_stand_elsewhere_are_filled_in() -> None:
    """Also where something is added to them, and counts."""
    members = (
        field("size", U8, "One more than the bytes."),
        field("count", U8, "Items."),
        field("data", raw(this.size - 1), "Data."),
        field("list", Many(U8, count=this.count), "List."),
    )

    assert build_members(members, {"data": b"ab", "list": [7]}) == b"\3\1ab\7"


@pytest.mark.parametrize(
    ("measure", "given", "filled"),
    [
        (this.a, {}, {"a": 9}), (this.a + 2, {}, {"a": 7}), (this.b - this.a, {"b": 10}, {"a": 1}),
        (this.b - this.a, {}, {}), (this.a & 1, {}, {}), (this.a * 2, {}, {}),
        (this.a, {"a": 1}, {}),
    ],
)  # fmt: skip
def test_one_missing_member_is_solved_for(
    measure: object, given: dict[str, int], filled: dict[str, int]
) -> None:
    """None where there are two, or where it does not count one by one."""
    values = dict(given)

    fill(values, construct.Container(values), measure, 9)  # type: ignore[arg-type]

    assert values == given | filled


def test_a_length_in_the_record_around_is_filled_in() -> None:
    """By the only record that it measures something of."""
    inner = Record(
        field("data", raw(this._.size), "Data."), Region(this._.more, field("x", U8, "X."))
    )
    members = (
        field("size", U8, "Bytes."),
        field("more", U8, "More bytes."),
        field("inner", inner, "Inside."),
    )

    assert build_members(members, {"inner": {"data": b"ab", "x": 7}}) == b"\2\1ab\7"


def test_a_missing_value_is_named() -> None:
    """With the path to it."""
    with pytest.raises(construct.ConstructError, match="one"):
        build_members((field("one", U8, "One."),), {})


def test_a_field_holds_a_value_word_and_a_record_members() -> None:
    """The two sorts are two classes."""
    with pytest.raises(SchemaError):
        field("a", Member(), "A.")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError):
        Word().measure(0)
    with pytest.raises(NotImplementedError):
        Member().into(Window(b""), {}, "", {})
    with pytest.raises(NotImplementedError):
        Member().outof({}, None, {}, "")
