"""Conditions about the values in requests that no expression can say.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold. None of them shows a secret.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

Values = Mapping[str, Any]

DEFAULT_SEGMENT: Final = 500_000_000
"""Bytes of a segment if `stream-max-segment-size-bytes` is not given."""
FILTER_SIZES: Final = range(16, 256)
"""Sizes of a Bloom filter that brokers accept."""
PARTS: Final = 3
"""Parts of a message of SASL PLAIN: authorisation identity, user, password."""
_AGE: Final = re.compile(r"(\d{1,18})(Y|M|D|h|m|s)")
_HEXADECIMAL: Final = re.compile(r"[0-9A-Fa-f-]+")
"""Numbers, UUIDs, and parts of words."""
_COUNT: Final = re.compile(r"\d{1,18}")
_ENCODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]{8,}={0,2}")


def arguments(row: Values) -> dict[str, str]:
    """Return the arguments of Create as a mapping, without null values."""
    pairs: Iterable[Mapping[str, Any]] = row["arguments"] or ()
    found = ((each.get("key"), each.get("value")) for each in pairs)
    return {key: value for key, value in found if key is not None and value is not None}


def has_bad_argument(row: Values) -> str:
    """Return the first argument whose value has no unit, a wrong unit, or is out of range."""
    given = arguments(row)
    age = given.get("max-age")
    if age is not None and age[:1].isdecimal() and _AGE.fullmatch(age) is None:
        return f"max-age is {age!r}, without one of the units Y, M, D, h, m, s"
    size = given.get("stream-filter-size-bytes")
    if size is not None and not (size.isdecimal() and _number(size) in FILTER_SIZES):
        return f"stream-filter-size-bytes is {size!r}, not 16 to 255"
    if _number(given.get("initial-cluster-size")) == 0:
        return "initial-cluster-size is 0"
    if _number(given.get("stream-max-segment-size-bytes")) == 0:
        return "stream-max-segment-size-bytes is 0"
    return ""


def is_below_a_segment(row: Values) -> str:
    """Return how a size limit is smaller than one segment, so that it cannot hold."""
    given = arguments(row)
    most = _number(given.get("max-length-bytes"))
    segment = _number(given.get("stream-max-segment-size-bytes"))
    if segment is None:
        segment = DEFAULT_SEGMENT
    if most is None or not 0 < most < segment:
        return ""
    return f"max-length-bytes is {most:,}, a segment {segment:,} bytes"


def _number(text: str | None) -> int | None:
    """Return decimal text as a number; None for any other."""
    return int(text) if text is not None and _COUNT.fullmatch(text) else None


def is_not_plain(row: Values) -> str:
    """Return how the data is not laid out as SASL PLAIN has it."""
    data = row["sasl_opaque_data"]
    if not data:
        return "is empty"
    parts = bytes(data).split(b"\0")
    if len(parts) == PARTS:
        return "" if parts[1] else "has no user"
    if _is_encoded(bytes(data)):
        return "is the Base64 of such a message"
    zeros = len(parts) - 1
    return f"has {zeros} zero byte{'' if zeros == 1 else 's'} instead of 2"


def _is_encoded(data: bytes) -> bool:
    """Return whether data is the Base64 of a message of PLAIN."""
    if _BASE64.fullmatch(data) is None:
        return False
    try:
        return base64.b64decode(data).count(b"\0") == PARTS - 1
    except (ValueError, binascii.Error):
        return False


def is_percent_encoded(row: Values) -> str:
    """Return what a percent-encoded name may mean."""
    name = row["virtual_host"]
    if _ENCODED.search(name) is None:
        return ""
    return _ENCODED.sub(lambda found: chr(int(found[0][1:], 16)), name)


def has_generated_name(row: Values) -> str:
    """Return the name of a consumer and one that differs from it in a generated part only."""
    pairs: Iterable[Mapping[str, Any]] = row["properties"] or ()
    name = next((each.get("value") for each in pairs if each.get("key") == "name"), None)
    return _differing(row["groups.latest"], name)


def has_generated_reference(row: Values) -> str:
    """Return the references of two publishers that differ in a generated part only."""
    return _differing(row["referring.latest"], row["publisher_reference"])


def _differing(one: str | None, other: str | None) -> str:
    """Return two names that differ in numbers or UUIDs only; empty for other ones."""
    alike = one and other and _without_numbers(one) == _without_numbers(other)
    return f"'{one}' and '{other}'" if alike else ""


def _without_numbers(name: str) -> str:
    """Return a name with a mark in the place of each number and UUID."""
    return _HEXADECIMAL.sub(lambda found: found[0] if found[0].isalpha() else "#", name)
