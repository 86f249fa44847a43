"""The parser: precedence, chains, errors, limits."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.failures import every

from streamshark.filters.error import FilterError
from streamshark.filters.nodes import written
from streamshark.filters.syntax import MOST_BYTES, MOST_DEPTH, parse


def again(text: str) -> str:
    """The filter as its tree is written."""
    node = parse(text)
    assert node is not None
    return written(node)


@every(
    ("text", "expected"),
    [
        ("a or b xor c and not d", "a or (b xor (c and (not d)))"),
        ("!a&&b||c^^d", "((not a) and b) or (c xor d)"),
        ("(a or b) and c", "(a or b) and c"),
        ("not not a", "not (not a)"),
        ("1 < a <= 5", "1 < a and a <= 5"),
        ("a any_eq 1", "a == 1"),
        ("a all_ne 1", "a != 1"),
        ("any a ne 1", "any a != 1"),
        ("all a in {1, 2..5}", "all a in {1, 2 .. 5}"),
        ("a not in {aa:bb}", "a not in {aa:bb}"),
        ('a ~ r"\\d"', 'a matches "\\x5cd"'),
        ("a + 2 * 3 & 1 == 4", "{a + {2 * 3}} & 1 == 4"),
        ("{a + 2} * 3 == -b", "{a + 2} * 3 == -b"),
        ("a == -80", "a == -80"),
        ("len (a[0:2][1]) > 3", "len(a[0:2][1]) > 3"),
        ("@a#2[0] == 01", "@a#[2][0] == 01"),
        ("max(a, b, 5) == ${c}", "max(a, b, 5) == ${c}"),
        (".tcp or x == :tcp", ".tcp or x == :tcp"),
        ('a == "é\\x00"', 'a == "é\\x00"'),
    ],
)
def test_structure(text: str, expected: str) -> None:
    """As Wireshark's grammar has it; what is written is parsed to the same tree."""
    assert again(text) == expected
    assert again(expected) == expected


@every(
    ("text", "start", "message"),
    [
        ("tcp &&", 6, "the filter ends too early: a field, a value or a function goes here"),
        ("(tcp", 4, 'the filter ends too early: expected ")"'),
        ("tcp)", 3, 'unexpected ")"'),
        ("tcp udp", 4, 'unexpected "udp"'),
        ("tcp AND udp", 4, 'unexpected "AND"; did you mean "and"?'),
        ("tcp.port in 80", 12, 'unexpected "80": expected "{"'),
        ("tcp.port in {80 90}", 16, 'unexpected "90": expected "}"'),
        ("any tcp", 7, 'the filter ends too early: "any" needs a comparison'),
        ("a == (1)", 5, 'unexpected "(": a field, a value or a function goes here'),
        ("@5 == 1", 1, 'unexpected "5": @ goes before a field'),
    ],
)
def test_errors(text: str, start: int, message: str) -> None:
    """One sentence and the position."""
    with pytest.raises(FilterError) as caught:
        parse(text)
    assert (caught.value.start, str(caught.value)) == (start, message)


def test_an_empty_filter_has_no_tree() -> None:
    """It selects everything."""
    assert parse("  \n") is None


@every("text", [
    "(" * 5000 + "a" + ")" * 5000,
    "not " * 5000 + "a",
    "a == " + "{" * 5000 + "1" + "}" * 5000,
    "a == " + "-" * 5000 + "b",
    "a" + " + 1" * 5000 + " == 1",
    "len(" * 5000 + "a" + ")" * 5000 + " == 1",
    "a" + "[0]" * 5000,
    "a or " * (MOST_BYTES // 5) + "abcdef",
])  # fmt: skip
def test_depth_and_length_are_bounded(text: str) -> None:
    """An error, soon, and never a traceback."""
    start = time.process_time()
    with pytest.raises(FilterError):
        parse(text)
    assert time.process_time() - start < 1


def test_the_deepest_and_the_longest_filters_are_parsed() -> None:
    """What is within the limits."""
    assert parse("(" * (MOST_DEPTH - 5) + "a" + ")" * (MOST_DEPTH - 5)) is not None
    assert parse(" or ".join(["a.b.c == 1"] * (MOST_BYTES // 16))) is not None


PIECES = st.sampled_from([
    "tcp", "a.b", "==", "!=", "in", "{", "}", "(", ")", "[0:2]", "not", "and", "xor", "5", '"x"',
    "matches", "..", ",", "#1", "@", "-", "+", "&", "len", "any", "aa:bb", "${x}", "1.5",
    "'c'", "\\",
])  # fmt: skip


@given(st.one_of(st.lists(PIECES, max_size=12).map(" ".join), st.text(max_size=30)))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """What is parsed is written, and parsed again to the same."""
    try:
        node = parse(text)
    except FilterError:
        return
    if node is not None:
        assert again(written(node)) == written(node)
