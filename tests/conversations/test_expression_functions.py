"""The functions of the tables' language."""

from collections import Counter
from itertools import permutations

import pytest
from tests.failures import every

from streamshark.conversations import expression_functions
from streamshark.conversations.expression_functions import FUNCTIONS, f_first, f_put
from streamshark.conversations.expressions import FUNCTIONS as NAMES
from streamshark.conversations.expressions import VERBS
from streamshark.schema.problems import Problem, ProblemCode


@every(
    ("name", "arguments", "expected"),
    [
        ("max", (1, 2), 2), ("min", (1, 2), 1), ("min_nonzero", (0, 5), 5),
        ("min_nonzero", (4, 5), 4), ("min_nonzero", (0, 0), 0),
        ("greatest", ([1, 3, None],), 3), ("least", ([],), None),
        ("len", (b"abc",), 3), ("len", (range(4),), 4),
        ("first", ([7, 8],), 7), ("last", ([7, 8],), 8), ("first", ([],), None),
        ("coalesce", (None, 2), 2), ("coalesce", (0, 2), 0),
        ("starts", ("amq.x", "amq."), True), ("starts", ("x", "amq."), False),
        ("item", ([{"key": "a", "value": "b"}], "a"), "b"), ("item", ([], "a"), None),
        ("lookup", (5, {1: "a", 4: "b", 6: "c"}), "b"), ("lookup", (0, {1: "a"}), None),
        ("strange", (["a", "filter.1"], ("a",), ("filter.",)), None),
        ("strange", (["a", "b", "c"], ("a",), ("filter.",)), "b"),
        ("beside", ([1, 6, 2], 1, ["a", "b", "c"]), "b"), ("beside", ([1], 1, ["a"]), None),
        ("multibyte", ("h\u00e9".encode(),), True), ("multibyte", (b"h\xf4tel",), False),
        ("multibyte", ("h\u00e9llo\u00e9".encode()[:-1],), True), ("multibyte", (b"h",), False),
        ("any_eq", ([1, 2], 2), True), ("any_eq", ([1], 2), False),
        ("any_ne", ([1, 1], 1), False), ("any_ne", ([1, 2], 1), True),
        ("any_above", ([1, 9], 5), True), ("any_above", ([1], 5), False),
        ("unordered", ([1, 2, 2],), True), ("unordered", ([1, 2],), False),
        ("number", ("5552",), 5552), ("number", ("x",), None), ("number", ("-1",), None),
        ("release", ("3.11",), 3_011_000), ("release", ("4.0.5+2",), 4_000_005),
        ("release", ("latest",), None),
        ("plain_user", (b"\0guest\0secret",), "guest"), ("plain_user", (b"guest",), None),
        ("non_ascii", ("h\u00e9",), True), ("non_ascii", ([{"a": ["h\u00e9"]}],), True),
        ("non_ascii", ([{"a": "h"}],), False),
        ("matching", ("a.b.c", "a.*.c"), True), ("matching", ("a.b", "a.>"), True),
        ("matching", ("a", "a.>"), False), ("matching", ("a.b", "a"), False),
    ],
)  # fmt: skip
def test_values(name: str, arguments: tuple[object, ...], expected: object) -> None:
    """As docs/conversations.md says."""
    assert FUNCTIONS[f"f_{name}"](*arguments) == expected


@every("subject", ["a.b", "a.b.c", "a", "a.", "", ".b", "x.b\n", "a.*", "a.+", "a.b.c.d", ">"])
def test_a_subject_is_called_as_the_first_pattern_that_matches(subject: str) -> None:
    """Also with wildcards and other signs in it, empty tokens and line feeds."""
    for order in permutations(("a.b", "a.*", "*.b", "a.>", "a.+", "*.*.c")):
        patterns = {each: f"as {each}" for each in order}
        first = next(
            (f"as {each}" for each in order if FUNCTIONS["f_matching"](subject, each)), None
        )
        assert FUNCTIONS["f_called"](subject, patterns) == first


def test_every_function_of_the_language_is_there() -> None:
    """`live` and `fits` are written by the generator, verbs by the engine."""
    assert {f"f_{name}" for name in NAMES} - FUNCTIONS.keys() == {"f_live", "f_fits"}
    assert not NAMES.keys() & VERBS.keys()


@every("name", sorted(NAMES.keys() - {"live", "fits"}))
def test_of_nothing_comes_nothing(name: str) -> None:
    """None, or false, and no exception."""
    arguments = [None] * NAMES[name]
    if name == "strange":
        arguments[1:] = [(), ()]  # type: ignore[list-item]
    assert FUNCTIONS[f"f_{name}"](*arguments) in (None, False)


def test_sets_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first value goes."""
    monkeypatch.setattr(expression_functions, "MOST_IN_SET", 2)
    values, capped = None, Counter[str]()
    for each in "abc":
        values = expression_functions.f_put(values, each, capped)

    assert list(values or ()) == ["b", "c"]
    assert capped.total() == 1
    assert expression_functions.f_has(values, "c")
    assert not expression_functions.f_has(expression_functions.f_drop(values, "c"), "c")


def test_paths_go_through_lists() -> None:
    """Lists in lists become one."""
    value = {"a": [{"b": [{"c": 1}, {"c": 2}]}, {"b": [{"c": 3}]}, {}]}

    assert expression_functions.f_path(value, "a", "b", "c") == [1, 2, 3]
    assert expression_functions.f_path(value, "x", "b") is None
    assert expression_functions.f_end(value["a"], 0, "b", "c") == [1, 2]


def test_what_was_cut_off_gives_nothing() -> None:
    """Items without a member that all have, those without a list that all have, and frames."""
    cut = {"a": [{"b": [{"c": 1}, {}]}, {}]}

    assert expression_functions.f_path(cut, "a", "b", "c") == [1, None]
    assert expression_functions.f_always(cut, "a", "b", "c") == [1]
    assert expression_functions.f_always({"a": [{}]}, "a", "b", "c") == []
    assert expression_functions.f_always({}, "a", "b") is None
    assert expression_functions.f_cut([Problem(ProblemCode.SHORT, 0, 0, 0, "")])
    assert not expression_functions.f_cut([Problem(ProblemCode.TRAILING, 0, 0, 0, "")])


def test_the_first_of_a_list_and_of_a_set() -> None:
    """In the order in which values came; nothing of an empty one."""
    values = f_put(f_put(None, "b"), "a")

    assert f_first(values) == f_first(["b", "a"]) == "b"
    assert f_first([]) is f_first({}) is f_first(None) is None
