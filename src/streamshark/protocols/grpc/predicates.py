"""Conditions of rules that no expression can say, each over the columns that the rule names.

The text that they return is what they found; it is empty if the condition does not hold.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final

from streamshark.findings.internals import stack_trace
from streamshark.findings.web_tokens import token_fault

_TIMEOUT: Final = re.compile(r"([0-9]{1,8})([HMSmun])")
_NANOSECONDS: Final = {
    "H": 3600 * 10**9, "M": 60 * 10**9, "S": 10**9, "m": 10**6, "u": 10**3, "n": 1,
}  # fmt: skip
"""Units of a deadline."""
SHORTEST: Final = 1_000_000
"""Nanoseconds of a deadline that has passed before a server reads it."""

MOST_METADATA: Final = 8192
"""Bytes of metadata that servers accept at least (`SETTINGS_MAX_HEADER_LIST_SIZE`)."""
PER_HEADER: Final = 32
"""Bytes that each header counts beside its name and value (RFC 9113, 6.5.2)."""
LONGEST: Final = 24 * 3600 * 10**9
"""Nanoseconds of a deadline for which no caller waits."""
_VALUES: Final = frozenset({"null", "none", "undefined", "nil", "nan", "[object object]"})
"""What programs write in place of a value that they do not have."""


def _timeout(row: Mapping[str, Any]) -> str | None:
    """Return the deadline of a call, as it is in its metadata."""
    return next((each["value"] for each in row["metadata"] if each["key"] == "grpc-timeout"), None)


def has_bad_timeout(row: Mapping[str, Any]) -> str:
    """Return what is wrong with the deadline of a call."""
    value = _timeout(row)
    if value is None:
        return ""
    found = _TIMEOUT.fullmatch(value)
    if found is None:
        return f"grpc-timeout {value!r} is not a number with a unit"
    if int(found[1]) * _NANOSECONDS[found[2]] < SHORTEST:
        return f"grpc-timeout {value} is less than 1 ms"
    return ""


def has_long_timeout(row: Mapping[str, Any]) -> str:
    """Return the deadline of a call, if it is longer than anyone waits."""
    found = _TIMEOUT.fullmatch(_timeout(row) or "")
    if found is None:
        return ""
    hours = int(found[1]) * _NANOSECONDS[found[2]] / _NANOSECONDS["H"]
    return f"grpc-timeout {found[0]} is {hours:,.0f} hours" if hours * 3600e9 > LONGEST else ""


def has_large_metadata(row: Mapping[str, Any]) -> str:
    """Return the bytes of a call's headers, and the largest one, if servers may refuse them."""
    sizes = {each["key"]: len(each["value"].encode()) for each in row["metadata"]}
    sizes["authorization"] = len(row["authorization"].encode())
    total = sum(len(name) + size + PER_HEADER for name, size in sizes.items())
    if total <= MOST_METADATA:
        return ""
    largest = max(sizes, key=lambda name: sizes[name])
    return f"{total:,} bytes, of which {largest} has {sizes[largest]:,}"


def has_bad_credentials(row: Mapping[str, Any]) -> str:
    """Return what is wrong with the form of a call's credentials, without showing them."""
    scheme, _, value = row["authorization"].strip().partition(" ")
    value, kind = value.strip(), scheme.lower()
    if kind not in {"bearer", "basic"}:
        return ""
    if not value:
        return f"{scheme} without a value"
    if value.lower() in _VALUES:
        return f"{scheme} with the word {value} as its value"
    if value.partition(" ")[0].lower() == kind:
        return f"{scheme} twice"
    if value[0] in "'\"" or " " in value:
        return f"a value of {scheme} with quotes or blanks"
    return _bad_password(value) if kind == "basic" else ""


def _bad_password(value: str) -> str:
    """Return what is wrong with the value of Basic."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        return "a value of Basic that is not base64"
    return "" if b":" in pair else "a value of Basic without a colon after the user"


def has_invalid_token(row: Mapping[str, Any]) -> str:
    """Return why the token of a call is not valid at its time."""
    return token_fault(row["authorization"].encode(), row["t"])


def has_trace(row: Mapping[str, Any]) -> str:
    """Return the language of a stack trace in a text."""
    return stack_trace(row["status_message"])
