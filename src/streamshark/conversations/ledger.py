"""Running ids that wait for something: published and not yet confirmed, sent and not acknowledged.

Ids come in runs, one for each frame that brings them; memory and work are by run, not by id. What
comes in order is added at the end and taken at the head.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from typing import Final

MOST_RUNS: Final = 4096
"""Most runs of one ledger; more, and the oldest are forgotten."""
MOST_TWICE: Final = 4096
"""Most ids that wait more than once."""

Run = list[int]
"""First id, last id, time, frame; runs of one ledger do not overlap, and are sorted."""
Frames = dict[int, None] | None
"""Frames in their order, to be filled; None where nobody wants them."""


class Ledger:
    """What waits of one writer.

    `whole` is False where ids may wait that nobody saw: then only what was seen can be told.
    """

    __slots__ = ("count", "runs", "taken", "twice", "whole")

    def __init__(self, *, whole: bool) -> None:
        self.whole = whole
        self.count = 0
        """Ids that wait."""
        self.taken = 0
        """Ids that were taken so far."""
        self.runs: list[Run] = []
        self.twice: dict[int, int] = {}
        """Ids that wait more than once, and how many times more."""

    def add(self, ids: Iterable[int], t: int, n: int) -> None:
        """These ids wait from now on."""
        for first, last in runs_of(ids):
            self._add(first, last, t, n)
        while len(self.runs) > MOST_RUNS:
            oldest = min(range(len(self.runs)), key=lambda at: self.runs[at][2])
            first, last, _, _ = self.runs.pop(oldest)
            self.count -= last - first + 1
            self.whole = False

    def take(self, ids: Iterable[int], frames: Frames = None) -> tuple[int, int] | None:
        """These ids wait no more; frame and time of the first one's adding, None if unknown.

        Frames that added some of them are put into `frames`.
        """
        found: tuple[int, int] | None = None
        for first, last in runs_of(ids):
            head = self.runs[0] if self.runs else None
            if head is not None and head[0] == first and head[1] == last and not self.twice:
                del self.runs[0]
                self._took(last - first + 1)
                found = found or (head[3], head[2])
                if frames is not None:
                    frames[head[3]] = None
            else:
                found = found or self._first(first, last)
                if frames is not None:
                    frames.update((run[3], None) for run in self._over(first, last))
                self._take(first, last)
        return found

    def take_upto(self, last: int, frames: Frames = None) -> tuple[int, int] | None:
        """All ids up to this one wait no more; as `take`."""
        found = (
            (self.runs[0][3], self.runs[0][2]) if self.runs and self.runs[0][0] <= last else None
        )
        while self.runs and self.runs[0][0] <= last:
            run = self.runs[0]
            if frames is not None:
                frames[run[3]] = None
            self._took(min(run[1], last) - run[0] + 1)
            if run[1] <= last:
                del self.runs[0]
            else:
                run[0] = last + 1
        for each in [each for each in self.twice if each <= last]:
            self._took(self.twice.pop(each))
        return found

    def take_oldest(self, count: int, frames: Frames = None) -> tuple[int, int] | None:
        """So many ids wait no more, the lowest first; as `take`."""
        found = (self.runs[0][3], self.runs[0][2]) if self.runs and count > 0 else None
        while self.runs and count > 0:
            run = self.runs[0]
            if frames is not None:
                frames[run[3]] = None
            size = min(run[1] - run[0] + 1, count)
            run[0] += size
            count -= size
            self._took(size)
            if run[0] > run[1]:
                del self.runs[0]
        return found

    def missing(self, ids: Iterable[int]) -> int | None:
        """How many of these ids do not wait; None if that cannot be known."""
        if not self.whole:
            return None
        return sum(last - first + 1 - self._held(first, last) for first, last in runs_of(ids))

    def held(self, ids: Iterable[int]) -> int:
        """How many of these ids wait, as far as was seen."""
        return sum(self._held(first, last) for first, last in runs_of(ids))

    def oldest(self) -> Run | None:
        """The run that waits longest."""
        return min(self.runs, key=lambda run: run[2], default=None)

    def forget(self) -> None:
        """Nothing is known of what waits."""
        self.runs.clear()
        self.twice.clear()
        self.count = 0
        self.whole = False

    def _took(self, count: int) -> None:
        self.count -= count
        self.taken += count

    def _at(self, value: int) -> int:
        """Index of the last run that begins at or before an id; -1 for none."""
        return bisect_right(self.runs, value, key=_first) - 1

    def _add(self, first: int, last: int, t: int, n: int) -> None:
        runs = self.runs
        self.count += last - first + 1
        if not runs or first > runs[-1][1]:
            runs.append([first, last, t, n])
            return
        # Ids that wait already keep their first time; the others fill the holes between.
        at, free = max(self._at(first), 0), first
        holes: list[Run] = []
        while at < len(runs) and runs[at][0] <= last:
            run = runs[at]
            if run[1] >= free:
                if run[0] > free:
                    holes.append([free, run[0] - 1, t, n])
                self._again(max(run[0], free), min(run[1], last))
                free = run[1] + 1
            at += 1
        if free <= last:
            holes.append([free, last, t, n])
        for hole in holes:
            insort(runs, hole, key=_first)

    def _again(self, first: int, last: int) -> None:
        for each in range(first, last + 1):
            if len(self.twice) >= MOST_TWICE and each not in self.twice:
                self.whole = False
                self.count -= last - each + 1
                return
            self.twice[each] = self.twice.get(each, 0) + 1

    def _over(self, first: int, last: int) -> Iterator[Run]:
        """Runs with some of these ids."""
        at = max(self._at(first), 0)
        while at < len(self.runs) and self.runs[at][0] <= last:
            if self.runs[at][1] >= first:
                yield self.runs[at]
            at += 1

    def _first(self, first: int, last: int) -> tuple[int, int] | None:
        return next(((run[3], run[2]) for run in self._over(first, last)), None)

    def _held(self, first: int, last: int) -> int:
        return sum(min(run[1], last) - max(run[0], first) + 1 for run in self._over(first, last))

    def _take(self, first: int, last: int) -> None:
        if self.twice:
            for each in sorted(each for each in self.twice if first <= each <= last):
                # It was added twice: one of the two is taken, the run stays.
                left = self.twice.pop(each) - 1
                if left:
                    self.twice[each] = left
                self._took(1)
                if first < each:
                    self._take(first, each - 1)
                first = each + 1
            if first > last:
                return
        at = max(self._at(first), 0)
        runs = self.runs
        while at < len(runs) and runs[at][0] <= last:
            run = runs[at]
            if run[1] < first:
                at += 1
                continue
            low, high = max(run[0], first), min(run[1], last)
            self._took(high - low + 1)
            rest = [[run[0], low - 1, run[2], run[3]], [high + 1, run[1], run[2], run[3]]]
            runs[at : at + 1] = [each for each in rest if each[0] <= each[1]]
            at += sum(each[0] <= each[1] for each in rest)


def _first(run: Run) -> int:
    return run[0]


def runs_of(ids: Iterable[int]) -> list[tuple[int, int]]:
    """Ids as runs of first and last, in their order.

    >>> runs_of([4, 5, 6, 9])
    [(4, 6), (9, 9)]
    """
    ids = ids if isinstance(ids, (list, range)) else list(ids)
    if not ids:
        return []
    first, last = ids[0], ids[-1]
    if last - first + 1 == len(ids) and (len(ids) == 1 or ids == list(range(first, last + 1))):
        return [(first, last)]
    out = []
    start = previous = first
    for each in ids[1:]:
        if each != previous + 1:
            out.append((start, previous))
            start = each
        previous = each
    out.append((start, previous))
    return out
