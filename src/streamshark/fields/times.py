"""Numbers that are points in time: the field of such a time, beside that of the number.

`rmqstream.deliver.chunk.timestamp.time` is the time that `rmqstream.deliver.chunk.timestamp` counts
in milliseconds since 1970.
"""

from typing import Final

from streamshark.fields.types import FieldType
from streamshark.schema import nodes

SUFFIX: Final = "time"
"""Last part of the name of such a field."""
TIME: Final = FieldType("time", "time")
SCALES: Final = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
"""Unit to its nanoseconds."""
LAST: Final = 253_402_300_800 * 10**9
"""The end of the year 9999 in ns since 1970: later ones cannot be written."""


def scale_of(node: nodes.Node) -> int | None:
    """Return the nanoseconds of the unit of a node that is a point in time; None for others."""
    return SCALES[node.facts.unit or ""] if node.facts.has_role("time") else None


def time_ns(value: int | None, factor: int) -> int | None:
    """Return a number of units since 1970 in ns; None where it states no time that can be shown.

    Zero and negative numbers are what programs write that know no time.

    >>> time_ns(1_700_000_000_000, SCALES["ms"]), time_ns(0, 1), time_ns(-1, 1), time_ns(None, 1)
    (1700000000000000000, None, None, None)
    """
    return value * factor if value is not None and 0 < value * factor < LAST else None
