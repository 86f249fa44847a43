"""Outstanding ids, such as published and not yet confirmed, or sent and not acknowledged.

Ids come in runs, one for each frame that brings them; memory and work are per run, not per id. Ids
in order are added at the end and taken at the head.
"""

from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

MOST_RUNS: Final = 4096
"""Most runs of one writer; beyond that, the oldest are dropped."""
MOST_TWICE: Final = 4096
"""Most ids that are outstanding more than once."""

Run = list[int]
"""First id, last id, time in ns, frame; the runs of one writer do not overlap, and are sorted."""
Frames = dict[int, None] | None
"""Receives frame numbers in order; None if they are not needed."""


class OutstandingIds:
    """The outstanding ids of one writer.

    `whole` is False if there may be outstanding ids that were not captured: then only those that
    were captured are known.
    """

    __slots__ = ("capped", "count", "disorder", "runs", "taken", "twice", "whole")

    def __init__(self, *, whole: bool, capped: Counter[str] | None = None) -> None:
        self.whole = whole
        self.capped = capped
        """Receives the number of dropped runs."""
        self.count = 0
        """Number of outstanding ids."""
        self.taken = 0
        """Number of ids that were taken so far."""
        self.runs: list[Run] = []
        self.twice: dict[int, int] = {}
        """Ids that are outstanding more than once, to how many times more."""
        self.disorder: deque[tuple[int, int, int, int]] | None = None
        """Additions, the oldest first, since ids came that are not above all others; None while the
        runs are in order of time as well as of ids."""

    def add(self, ids: Sequence[int], t: int, n: int) -> None:
        """Make ids outstanding."""
        runs = self.runs
        if len(ids) == 1:  # most frames bring one, above all others
            each = ids[0]
            if self.disorder is None and (not runs or each > runs[-1][1]):
                runs.append([each, each, t, n])
                self.count += 1
            else:
                self._add(each, each, t, n)
        else:
            for first, last in runs_of(ids):
                self._add(first, last, t, n)
        if len(runs) > MOST_RUNS:
            self._forget_oldest()

    def take(self, ids: Sequence[int], frames: Frames = None) -> tuple[int, int] | None:
        """Remove ids; return frame and time of the first one's adding, None if unknown.

        Frames that added some of them are put into `frames`.
        """
        found: tuple[int, int] | None = None
        runs = self.runs
        if len(ids) == 1 and runs and frames is None and not self.twice:
            first, last, t, n = runs[0]
            if first == last == ids[0]:  # most frames take the oldest
                del runs[0]
                self.count -= 1
                self.taken += 1
                return n, t
        for first, last in ((ids[0], ids[0]),) if len(ids) == 1 else runs_of(ids):
            at = 0 if runs and runs[0][0] == first else self._at(first)
            run = runs[at] if at >= 0 and runs else None
            if run is not None and run[0] == first and run[1] == last and not self.twice:
                del runs[at]
                count = last - first + 1
                self.count -= count
                self.taken += count
                found = found or (run[3], run[2])
                if frames is not None:
                    frames[run[3]] = None
            else:
                found = found or self._first(first, last)
                if frames is not None:
                    frames.update((run[3], None) for run in self._over(first, last))
                self._take(first, last)
        return found

    def take_upto(self, last: int, frames: Frames = None) -> tuple[int, int] | None:
        """Remove all ids up to this one; as `take`."""
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
        """Remove a number of ids, the lowest first; as `take`."""
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

    def missing(self, ids: Sequence[int]) -> int | None:
        """Return how many of these ids are not outstanding; None if that cannot be known."""
        if not self.whole:
            return None
        if len(ids) == 1:
            each, runs = ids[0], self.runs
            if runs and runs[0][0] <= each <= runs[0][1]:  # the oldest, nearly always
                return 0
            at = self._at(each)
            return 0 if at >= 0 and each <= runs[at][1] else 1
        return sum(last - first + 1 - self._held(first, last) for first, last in runs_of(ids))

    def held(self, ids: Sequence[int]) -> int:
        """Return how many of these ids are outstanding, as far as captured."""
        return sum(self._held(first, last) for first, last in runs_of(ids))

    def oldest(self) -> Run | None:
        """Return the run that is outstanding longest; None without runs."""
        if self.disorder is None:
            return self.runs[0] if self.runs else None
        while self.disorder:
            if left := self._left():
                return left[0]
            self.disorder.popleft()
        return None

    def forget(self) -> None:
        """Drop all ids: the outstanding ones are unknown from now on."""
        self.runs.clear()
        self.twice.clear()
        self.disorder = None
        self.count = 0
        self.whole = False

    def _took(self, count: int) -> None:
        self.count -= count
        self.taken += count

    def _at(self, value: int) -> int:
        """Return the index of the last run that begins at or before an id; -1 without one."""
        return bisect_left(self.runs, [value + 1]) - 1

    def _add(self, first: int, last: int, t: int, n: int) -> None:
        runs = self.runs
        self.count += last - first + 1
        if not runs:
            self.disorder = None
        if not runs or first > runs[-1][1]:
            runs.append([first, last, t, n])
            if self.disorder is not None:
                self.disorder.append((first, last, t, n))
            return
        if self.disorder is None or len(self.disorder) > 4 * MOST_RUNS:
            self.disorder = deque(sorted(map(_fixed, runs), key=_time))
        # Ids that are outstanding already keep their first time; the others fill the holes between.
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
            self.disorder.append(_fixed(hole))

    def _left(self) -> list[Run]:
        """Return the remaining runs of the oldest addition."""
        first, last, t, n = self.disorder[0] if self.disorder else (0, -1, 0, 0)
        return [run for run in self._over(first, last) if run[2] == t and run[3] == n]

    def _forget_oldest(self) -> None:
        """Drop the oldest runs above the limit."""
        self.whole = False
        runs = self.runs
        if self.capped is not None:
            self.capped["runs of outstanding ids"] += len(runs) - MOST_RUNS
        if self.disorder is None:
            forgotten = runs[: len(runs) - MOST_RUNS]
            del runs[: len(forgotten)]
            self.count -= sum(last - first + 1 for first, last, _, _ in forgotten)
            return
        while len(runs) > MOST_RUNS and self.disorder:
            for run in self._left()[: len(runs) - MOST_RUNS]:
                del runs[self._at(run[0])]
                self.count -= run[1] - run[0] + 1
            if not self._left():
                self.disorder.popleft()

    def _again(self, first: int, last: int) -> None:
        for each in range(first, last + 1):
            if len(self.twice) >= MOST_TWICE and each not in self.twice:
                self.whole = False
                self.count -= last - each + 1
                return
            self.twice[each] = self.twice.get(each, 0) + 1

    def _over(self, first: int, last: int) -> Iterator[Run]:
        """Yield the runs with some of these ids."""
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
            few: Iterable[int] = range(first, last + 1)
            if last - first > len(self.twice):
                few = sorted(each for each in self.twice if first <= each <= last)
            for each in [each for each in few if each in self.twice]:
                # It was added twice: one of the two is taken, the run remains.
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


def _time(added: tuple[int, int, int, int]) -> int:
    return added[2]


def _fixed(run: Run) -> tuple[int, int, int, int]:
    first, last, t, n = run
    return first, last, t, n


def runs_of(ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return ids as runs (first, last), in their order.

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
