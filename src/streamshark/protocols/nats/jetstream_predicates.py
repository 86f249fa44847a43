"""Conditions about the bodies of JetStream that no expression can say.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold. Bodies are searched, not decoded: pull requests are frequent.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

Values = Mapping[str, Any]

DURATIONS: Final = (
    "ack_wait", "idle_heartbeat", "inactive_threshold", "max_age", "duplicate_window", "expires",
    "max_expires", "priority_timeout", "backoff", "delay", "subject_delete_marker_ttl",
)  # fmt: skip
"""Members of requests that are durations in nanoseconds."""
SHORTEST: Final = 1_000_000
"""Durations in ns below it, a millisecond, are in another unit: no server or network keeps them."""
LONGEST: Final = 10**16
"""Durations in ns above it, four months, are in another unit where they are times to wait."""
LONGEST_SEARCHED: Final = 64 * 1024
"""Bytes of a body that are searched."""
_NUMBER: Final = re.compile(
    rb'"(%s)"\s*:\s*(?:\[\s*)?(\d{1,6}(?:\.\d*)?)\s*[,}\]]' % "|".join(DURATIONS).encode()
)
_LONG: Final = re.compile(
    rb'"(ack_wait|idle_heartbeat|expires|max_expires|delay)"\s*:\s*(\d{16,30})\s*[,}]'
)
_TEXT: Final = re.compile(rb'"(%s)"\s*:\s*(?:\[\s*)?"([^"]{0,40})"' % "|".join(DURATIONS).encode())
_WORDS: Final = (b"", b"+ACK", b"+OK", b"+WPI")
"""Payloads of acks that are compared as a whole."""
_PREFIXES: Final = (b"-NAK", b"+NXT", b"+TERM", b"{")
"""Beginnings of the others."""
_DELAY: Final = re.compile(rb"(?:\d+(?:\.\d*)?(?:ns|us|\xc2\xb5s|ms|s|m|h))*")
"""A duration of Go, which may follow -NAK, as JSON may."""


def has_odd_duration(row: Values) -> str:
    """Return the first duration that is too short or too long for nanoseconds, or is text."""
    payload = row["payload"][:LONGEST_SEARCHED]
    if payload.startswith(b"-NAK"):
        delay = bytes(payload[4:128]).strip()
        if not delay.startswith(b"{") and not _DELAY.fullmatch(delay):
            return f"the delay {delay[:20].decode('utf-8', 'replace')} without a unit"
    for found in _NUMBER.finditer(payload):
        if 0 < float(found[2]) < SHORTEST:
            return f"{found[1].decode()} is {found[2].decode()} ns"
    long = _LONG.search(payload)
    if long is not None and int(long[2]) >= LONGEST:
        return f"{long[1].decode()} is {long[2].decode()} ns"
    if (text := _TEXT.search(payload)) is not None:
        value = text[2].decode("utf-8", "replace")
        return f"{text[1].decode()} is the text {value!r}"
    return ""


def is_unknown_ack(row: Values) -> str:
    """Return the payload of an ack that the server does not know, as text."""
    payload = row["payload"]
    if payload in _WORDS or payload.startswith(_PREFIXES):
        return ""
    return repr(bytes(payload[:20]).decode("utf-8", "replace"))
