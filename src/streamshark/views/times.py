"""Times as text: RFC 3339 for JSON, and the formats of tshark's `-t` for lines."""

import time
from collections.abc import Callable

NS = 1_000_000_000
FIRST_SECOND = -62_135_596_800
"""0001-01-01, the first day that is written (RFC 3339 also has the year 0)."""
LAST_SECOND = 253_402_300_799
"""9999-12-31, the last day that RFC 3339 can write."""

STYLES = {
    "a": "time of day",
    "ad": "date and time",
    "adoy": "date by day of the year, and time",
    "d": "seconds since the previous row",
    "dd": "seconds since the previous row shown",
    "e": "seconds since 1970",
    "r": "seconds since the first packet",
    "u": "time of day, UTC",
    "ud": "date and time, UTC",
    "udoy": "date by day of the year, and time, UTC",
}
"""Values of `-t`, as in tshark; d and dd are the same, since every row is shown."""

_FORMATS = {
    "a": "%H:%M:%S", "ad": "%Y-%m-%d %H:%M:%S", "adoy": "%Y/%j %H:%M:%S",
    "u": "%H:%M:%S", "ud": "%Y-%m-%d %H:%M:%S", "udoy": "%Y/%j %H:%M:%S",
}  # fmt: skip
DIGITS = 6
"""Decimals of a second by default: the precision of pcap."""
WIDTH = 10
"""Least width of a number of seconds."""


class Rfc3339:
    """A formatter of times as RFC 3339, in UTC with nanoseconds; it caches the last second."""

    def __init__(self) -> None:
        self._second: int | None = None
        self._text = ""

    def __call__(self, time_ns: int) -> str | None:
        """Return `2023-11-14T22:13:20.000000001Z`; None for a year outside of RFC 3339."""
        second, ns = divmod(time_ns, NS)
        if second != self._second:
            if not FIRST_SECOND <= second <= LAST_SECOND:
                return None
            self._second = second
            parts = time.gmtime(second)
            self._text = (
                f"{parts.tm_year:04}-{parts.tm_mon:02}-{parts.tm_mday:02}"
                f"T{parts.tm_hour:02}:{parts.tm_min:02}:{parts.tm_sec:02}."
            )
        return f"{self._text}{ns:09}Z"


class Clock:
    """A formatter of the times of rows in one of the `STYLES`.

    For `r`, `start` returns the time of the first packet, once there is a row; without it, or if it
    returns None, the time of the first row is used.
    """

    def __init__(
        self,
        style: str = "r",
        start: Callable[[], int | None] = lambda: None,
        digits: int = DIGITS,
    ) -> None:
        self.style = style
        self.digits = digits
        self._unit: int = 10 ** (9 - digits)
        """Nanoseconds of the last digit."""
        self._form = f"%{WIDTH - 1 - digits}d.%0{digits}d" if digits else f"%{WIDTH}d"
        self._start = start
        self._start_ns: int | None = None
        self._before: int | None = None
        self._second: int | None = None
        self._text = ""

    def __call__(self, time_ns: int) -> str:
        """Return the time of the next row as text."""
        if self.style == "r":
            if self._start_ns is None:
                start = self._start()
                self._start_ns = time_ns if start is None else start
            return self._seconds(time_ns - self._start_ns)
        if self.style in _FORMATS:
            return self._date(time_ns)
        if self.style == "e":
            return self._seconds(time_ns)
        before, self._before = self._before, time_ns
        return self._seconds(0 if before is None else time_ns - before)

    def skip(self, time_ns: int) -> None:
        """Take the time of a row that is shown elsewhere as that of the row before the next one."""
        self._before = time_ns

    def _seconds(self, ns: int) -> str:
        if ns < 0:
            return f"-{self._seconds(-ns).lstrip()}".rjust(WIDTH)
        if not self.digits:
            return self._form % (ns // NS)
        return self._form % divmod(ns // self._unit, NS // self._unit)

    def _fraction(self, ns: int) -> str:
        return f".{ns // 10 ** (9 - self.digits):0{self.digits}}" if self.digits else ""

    def _date(self, time_ns: int) -> str:
        second, ns = divmod(time_ns, NS)
        if second != self._second:
            self._second = second
            if not FIRST_SECOND <= second <= LAST_SECOND:
                self._text = str(second)
            else:
                parts = time.gmtime(second) if self.style[0] == "u" else time.localtime(second)
                self._text = time.strftime(_FORMATS[self.style], parts)
        return self._text + self._fraction(ns)
