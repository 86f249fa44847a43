"""Tests of many cases try all of them, and fail with each that fails."""

import inspect

import pytest
from tests.failures import Failures, every


def tried() -> None:
    """Try a case that passes, and three that do not."""
    with Failures() as failures:
        for case in ("good", "raises", "asserts", "fails"):
            with failures.of(f"case {case}"):
                assert case != "asserts"
                if case == "raises":
                    raise KeyError(case)
                if case == "fails":
                    pytest.fail("as it says")


def test_all_that_fails_is_told() -> None:
    """Each failure is reported, whatever its exception; cases that pass are not."""
    with pytest.raises(pytest.fail.Exception) as told:
        tried()

    said = str(told.value)
    assert said.startswith("3 of 4 cases fail:\n")
    assert [f"case {each}: " in said for each in ("good", "raises", "asserts", "fails")] == [
        False, True, True, True,
    ]  # fmt: skip


def test_no_case_is_a_failure() -> None:
    """A list without cases fails, since it checks nothing."""
    with pytest.raises(AssertionError, match="no case was tried"), Failures():
        pass


def test_every_case_is_tried_with_its_names() -> None:
    """Fixtures fill the arguments that cases lack; cases may be made when the test runs."""
    seen = []

    def claim(a: int, b: int, tmp_path: str) -> None:
        seen.append((a, b, tmp_path))
        assert a < b

    one = every(("a", "b"), lambda: [(1, 2), (3, 3)], ids=lambda case: f"{case[0]} below")(claim)

    assert list(inspect.signature(one).parameters) == ["tmp_path"]
    with pytest.raises(pytest.fail.Exception, match=r"1 of 2 cases fail:\n3 below"):
        one(tmp_path="here")
    assert seen == [(1, 2, "here"), (3, 3, "here")]
