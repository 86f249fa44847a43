"""Many cases in one test: all are tried, and the test reports every failure."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from traceback import extract_tb
from typing import Any, Self

import pytest

LONGEST = 2000
"""Most characters of one failure that are shown."""


class Failures:
    """Collects the failures of many cases; leaving the block raises them together.

    with Failures() as failures:
        for each in CASES:
            with failures.of(each.name):
                assert ...
    """

    def __init__(self) -> None:
        self.cases = 0
        """Cases that were tried."""
        self.told: list[str] = []
        """Text of each failure."""

    @contextmanager
    def of(self, case: object) -> Iterator[None]:
        """Try one case; an exception in the block is its failure."""
        self.cases += 1
        try:
            yield
        except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - told at the end
            here = extract_tb(failure.__traceback__)[-1]
            said = f"{type(failure).__name__}: {failure}"[:LONGEST]
            self.told.append(f"{case}: {here.filename}:{here.lineno}: {said}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, failure: object, trace: object) -> None:
        if kind is not None:
            return
        assert self.cases, "no case was tried"
        if self.told:
            pytest.fail(
                f"{len(self.told)} of {self.cases} cases fail:\n" + "\n".join(self.told),
                pytrace=False,
            )


def every(
    names: str | tuple[str, ...],
    cases: Iterable[Any] | Callable[[], Iterable[Any]],
    ids: Callable[[Any], object] | Iterable[object] = repr,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of many cases, like `pytest.mark.parametrize` for cases that take no time.

    All cases are tried, and the test reports every one that failed. Cases that a function returns
    are made when the test runs, not when it is collected. Other arguments stay fixtures, which all
    cases share.
    """
    given = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)

    def one_test(claim: Callable[..., None]) -> Callable[..., None]:
        @wraps(claim)
        def test(**fixtures: Any) -> None:  # noqa: ANN401 - whatever fixtures there are
            with Failures() as failures:
                made = list(cases() if callable(cases) else cases)
                told = map(ids, made) if callable(ids) else ids
                for case, name in zip(made, told, strict=True):
                    values = (case,) if len(given) == 1 else case
                    with failures.of(name):
                        claim(**dict(zip(given, values, strict=True)), **fixtures)

        signature = inspect.signature(claim)
        kept = [each for name, each in signature.parameters.items() if name not in given]
        test.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return test

    return one_test
