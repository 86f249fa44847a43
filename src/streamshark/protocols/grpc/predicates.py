"""Conditions of rules that no expression can say, each over the columns that the rule names.

The text that they return is what they found; it is empty if the condition does not hold.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_TIMEOUT: Final = re.compile(r"([0-9]{1,8})([HMSmun])")
_NANOSECONDS: Final = {
    "H": 3600 * 10**9, "M": 60 * 10**9, "S": 10**9, "m": 10**6, "u": 10**3, "n": 1,
}  # fmt: skip
"""Units of a deadline."""
SHORTEST: Final = 1_000_000
"""Nanoseconds of a deadline that has passed before a server reads it."""


def has_bad_timeout(row: Mapping[str, Any]) -> str:
    """Return what is wrong with the deadline of a call."""
    value = next((each["value"] for each in row["metadata"] if each["key"] == "grpc-timeout"), None)
    if value is None:
        return ""
    found = _TIMEOUT.fullmatch(value)
    if found is None:
        return f"grpc-timeout {value!r} is not a number with a unit"
    if int(found[1]) * _NANOSECONDS[found[2]] < SHORTEST:
        return f"grpc-timeout {value} is less than 1 ms"
    return ""
