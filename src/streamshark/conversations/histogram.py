"""Percentiles of any number of values in bounded memory, with a known error.

Values fall into buckets whose borders grow by a constant factor, as in DDSketch (Masson, Rim, Lee:
"DDSketch: A fast and fully-mergeable quantile sketch with relative-error guarantees", 2019).
"""

import math
from collections import Counter

RELATIVE_ERROR = 0.01
"""Largest relative difference of a percentile from the exact one."""

_GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
_LOG_GAMMA = math.log(_GAMMA)


class Histogram:
    """Distribution of values; count, sum, minimum and maximum are exact.

    From a nanosecond to a day there are some 1,600 buckets; only those with values need memory.
    """

    __slots__ = ("_buckets", "_zeros", "count", "greatest", "least", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.least: int | None = None
        self.greatest: int | None = None
        self._zeros = 0
        """Number of values below 1: too small for a logarithm to matter."""
        self._buckets: Counter[int] = Counter()

    def add(self, value: int) -> None:
        """Count a value; a negative one counts as zero."""
        value = max(value, 0)
        self.count += 1
        self.total += value
        if self.least is None or value < self.least:
            self.least = value
        if self.greatest is None or value > self.greatest:
            self.greatest = value
        if value < 1:
            self._zeros += 1
        else:
            self._buckets[math.ceil(math.log(value) / _LOG_GAMMA)] += 1

    def merge(self, other: "Histogram") -> None:
        """Add the values of another one."""
        self.count += other.count
        self.total += other.total
        least = [each.least for each in (self, other) if each.least is not None]
        greatest = [each.greatest for each in (self, other) if each.greatest is not None]
        self.least, self.greatest = min(least, default=None), max(greatest, default=None)
        self._zeros += other._zeros  # noqa: SLF001 - a histogram like this one
        self._buckets += other._buckets  # noqa: SLF001

    @property
    def mean(self) -> float | None:
        """The exact mean; None without values."""
        return self.total / self.count if self.count else None

    def percentile(self, percent: float) -> float | None:
        """Return the percentile of the values, within `RELATIVE_ERROR`.

        It is that of the value of rank `ceil(percent / 100 * count)`, the first being 1; None
        without values.
        """
        if self.least is None or self.greatest is None:
            return None
        left = max(math.ceil(percent / 100 * self.count), 1) - self._zeros
        if left <= 0:
            return 0.0
        for bucket in sorted(self._buckets):
            left -= self._buckets[bucket]
            if left <= 0:
                middle = 2 * _GAMMA**bucket / (_GAMMA + 1)
                return min(max(middle, self.least), self.greatest)
        return float(self.greatest)
