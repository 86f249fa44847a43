"""The same thing several times within a window."""

from collections import Counter, OrderedDict, deque
from typing import Any, Final

MOST_KEYS: Final = 10_000
"""Most different things that are counted; more, and the one seen first is forgotten."""


class BurstCounts:
    """Counts by key; keeps the last `limit` times of each."""

    def __init__(self, window: int, limit: int, capped: Counter[str] | None = None) -> None:
        self.window = window
        """In ns."""
        self.limit = limit
        self.capped = capped
        """Where it is counted what was forgotten."""
        self.seen: OrderedDict[Any, deque[tuple[int, int | None, Any]]] = OrderedDict()

    def see(self, key: Any, t: int, n: int | None, distinct: Any) -> tuple[int, ...] | None:  # noqa: ANN401 - any values
        """Frames from the second to the last where it is one time too many; else None.

        `distinct` is what must differ to count; None: nothing.
        """
        if key is None or (isinstance(key, tuple) and None in key):
            return None
        times = self.seen.get(key)
        if times is None:
            times = self.seen[key] = deque(maxlen=self.limit)
            if len(self.seen) > MOST_KEYS:
                self.seen.popitem(last=False)
                if self.capped is not None:
                    self.capped["things that may be repeated"] += 1
        while times and times[0][0] < t - self.window:
            times.popleft()
        if distinct is not None and any(each[2] == distinct for each in times):
            return None
        times.append((t, n, distinct))
        if len(times) < self.limit:
            return None
        return tuple(each[1] for each in list(times)[1:] if each[1] is not None)
