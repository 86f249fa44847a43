"""Trace contexts as text: W3C Trace Context and B3, wherever they are carried."""

import re
from collections.abc import Sequence
from typing import Final

_W3C: Final = re.compile(rb"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_B3: Final = re.compile(rb"([0-9a-f]{32}|[0-9a-f]{16})-([0-9a-f]{16})(?![0-9a-f])")


def trace_context(data: bytes) -> tuple[bytes, bytes] | None:
    """Return the ids of the trace and of the span in data, as hexadecimal digits."""
    found = _W3C.search(data) or (_B3.search(data) if b"b3" in data or b"B3" in data else None)
    return None if found is None else (found[1], found[2])


def context_fault(ids: tuple[bytes, bytes] | None) -> str:
    """Return which id of a trace context is zero, which says that it is invalid."""
    for what, each in zip(("trace id", "span id"), ids or (), strict=False):
        if not each.strip(b"0"):
            return f"the {what} is zero"
    return ""


def constant_context(contexts: Sequence[tuple[bytes, bytes] | None], least: int) -> str:
    """Return the ids that the last contexts have in common; empty if they differ."""
    latest = contexts[-least:]
    if len(latest) < least or latest[0] is None or any(each != latest[0] for each in latest):
        return ""
    trace, span = latest[0]
    return f"trace id {trace.decode()} and span id {span.decode()}"
