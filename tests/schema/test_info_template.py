"""Templates of the line that shows a frame."""

import pytest
from tests.failures import every

from streamshark.errors import SchemaError
from streamshark.schema.info_template import (
    FALSE,
    Hole,
    InfoWord,
    binary_size,
    joined,
    parse,
    ranges,
    shaped,
    some,
    span,
)


@every(
    ("template", "words"),
    [
        ("", []),
        ("{a}", [InfoWord(("", ""), (Hole("a"),))]),
        ("! {a.b}", [InfoWord(("!",), ()), InfoWord(("", ""), (Hole("a.b"),))]),
        ("→~{a}~ms", [InfoWord(("→ ", " ms"), (Hole("a"),))]),
        ("x={a:ranges}", [InfoWord(("x=", ""), (Hole("a", "ranges"),))]),
        ("{a:not b c?}", [InfoWord(("", ""), (Hole("a", "not", ("b", "c"), ("", "")),))]),
        ("{a?yes|no}", [InfoWord(("", ""), (Hole("a", words=("yes", "no")),))]),
        ("{a[b-c]?d}", [InfoWord(("", ""), (Hole("a", "pair", ("b-c",), ("d", "")),))]),
        ("{a+b}", [InfoWord(("", ""), (Hole("a", "range", ("b",)),))]),
        ("{a.b|c.d=a.e}", [InfoWord(("", ""), (Hole("a.b", "joined", ("c.d", "a.e")),))]),
        ("{a}@{b}", [InfoWord(("", "@", ""), (Hole("a"), Hole("b")))]),
    ],
)
def test_words(template: str, words: list[InfoWord]) -> None:
    """Literal text and holes."""
    assert list(parse(template)) == words


@pytest.mark.parametrize("template", ["{}", "{a:no_form}", "{a b}", "{a|b}"])
def test_what_is_no_hole(template: str) -> None:
    """Is an error of the schema."""
    with pytest.raises(SchemaError, match="has no hole"):
        parse(template)


@every(
    ("hole", "text", "shown"),
    [
        ("a:signed", "1", "+1"),
        ("a:signed", "-1", "-1"),
        ("a:size", "1048576", "1 MiB"),
        ("a:size", "many", "many"),
        ("a:not x", "x|y", "y"),
        ("a:not x?", "x", None),
        ("a:text", "[1,000 bytes]", None),
        ("a:text", "0a0b", "0a0b"),
        ("a:ok ok?", "ok", None),
        ("a:ok ok?", "failed", "failed"),
        ("a?yes|no", "1", "yes"),
        ("a?yes|no", "0", "no"),
        *(("a?", each, None) for each in sorted(FALSE)),
    ],
)
def test_forms(hole: str, text: str, shown: str | None) -> None:
    """The text of a value, as its hole says."""
    assert shaped(parse(f"{{{hole}}}")[0].holes[0], text) == shown


@every(
    ("numbers", "shown"),
    [
        ([7], "7"),
        ([1, 2, 3], "1-3"),
        ([1, 2, 4], "1-2,4"),
        ([3, 2, 1], "3,2,1"),
        ([5, 5], "5,5"),
        ([2**64 - 2, 2**64 - 1], f"{2**64 - 2}-{2**64 - 1}"),
        (list(range(0, 20, 2)), "0,2,4 and 7 more"),
    ],
)
def test_ranges(numbers: list[int], shown: str) -> None:
    """Numbers that follow each other are one range, in their order."""
    assert ranges(numbers) == shown


def test_lists_and_sizes() -> None:
    """The first items, what stands beside a key, binary units."""
    assert some(["a"], 1) == "a"
    assert some(["a", "b", "c"], 4) == "a,b,c and 1 more"
    assert list(joined(["x", "y", "z"], ["1", "2", "1"], ["1", "3", "2"])) == ["x", "", "y"]
    assert [binary_size(each) for each in (0, 1000, 1024, 3 << 20, 1 << 30)] == [
        "0", "1000", "1 KiB", "3 MiB", "1 GiB",
    ]  # fmt: skip
    assert [span(5, count) for count in (-1, 0, 1, 2)] == ["5", "5", "5", "5-6"]
