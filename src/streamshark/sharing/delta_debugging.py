"""Delta debugging: leave out as much of a list as possible, such that something still holds.

Spec: A. Zeller, R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE Transactions
on Software Engineering 28 (2002); complements alone, from the end of the list.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class EffortSpentError(Exception):
    """Raised by a test that must not run any more: the shortest list so far is the result."""


def fewest(
    items: Sequence[T], holds: Callable[[list[T]], bool], *, singly: bool = False
) -> list[T]:
    """Return items for which `holds` is true, of which no single one can be left out.

    Args:
        items: All items; `holds` is true for them.
        holds: Returns whether some of the items are enough. If it raises `EffortSpentError`, the
            result may have items that could be left out.
        singly: Whether items are only left out one by one: few can be.
    """
    kept = list(items)
    size = 1 if singly else len(kept)
    with suppress(EffortSpentError):
        while kept:
            before = len(kept)
            _leave_out(kept, size, holds)
            if size == 1 and len(kept) == before:
                break
            size = max(1, size // 2)
    return kept


def _leave_out(kept: list[T], size: int, holds: Callable[[list[T]], bool]) -> None:
    """Leave out every run of so many items that is not needed, the last first."""
    end = len(kept)
    while end > 0:
        start = max(0, end - size)
        fewer = kept[:start] + kept[end:]
        if holds(fewer):
            kept[:] = fewer
        end = start
