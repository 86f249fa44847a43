"""Events that occur several times within a window."""

from collections import Counter, OrderedDict, deque
from typing import Any, Final

LEAST_KEYS: Final = 1024
"""Fewest keys at which those are dropped whose window is over."""
MOST_KEYS: Final = 65_536
"""Most keys within a window; beyond that, the first one is dropped."""


class BurstCounts:
    """Occurrences by key, the last `limit` of each."""

    def __init__(self, window: int, limit: int, capped: Counter[str] | None = None) -> None:
        self.window = window
        """Length of the window in ns."""
        self.limit = limit
        self.capped = capped
        """Receives the number of dropped keys."""
        self._many = min(LEAST_KEYS, MOST_KEYS)
        """Number of keys at which those are dropped whose window is over."""
        self.seen: OrderedDict[Any, deque[tuple[int, int | None, Any]]] = OrderedDict()

    def see(self, key: Any, t: int, n: int | None, distinct: Any) -> tuple[int, ...] | None:  # noqa: ANN401 - any values
        """Count an occurrence.

        Return the frames, from the second to the last, if it reaches the limit. None below the
        limit. With `distinct` other than None, an occurrence whose value is already in the window
        is not counted.
        """
        if key is None or (isinstance(key, tuple) and None in key):
            return None
        times = self.seen.get(key)
        if times is None:
            if len(self.seen) >= self._many:
                self._forget(t)
            times = self.seen[key] = deque(maxlen=self.limit)
        while times and times[0][0] < t - self.window:
            times.popleft()
        if distinct is not None and any(each[2] == distinct for each in times):
            return None
        times.append((t, n, distinct))
        if len(times) < self.limit:
            return None
        return tuple(each[1] for each in list(times)[1:] if each[1] is not None)

    def _forget(self, t: int) -> None:
        """Drop the keys whose window is over at a time in ns; and some if there are too many."""
        for key in [key for key, times in self.seen.items() if times[-1][0] < t - self.window]:
            del self.seen[key]
        while len(self.seen) >= MOST_KEYS:
            self.seen.popitem(last=False)
            if self.capped is not None:
                self.capped["keys of repetition rules"] += 1
        self._many = min(MOST_KEYS, max(LEAST_KEYS, 2 * len(self.seen)))
