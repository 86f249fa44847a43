"""Headers of JetStream: names that nearly are theirs, and values that they cannot have.

Source: nats-server v2.12.2, `server/stream.go` (JSMsgId and following); ADR-8, ADR-43, ADR-50.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from streamshark.findings.near_names import distance, plain

Values = Mapping[str, Any]

HEADERS: Final = (
    "Nats-Msg-Id", "Nats-Expected-Stream", "Nats-Expected-Last-Sequence",
    "Nats-Expected-Last-Subject-Sequence", "Nats-Expected-Last-Subject-Sequence-Subject",
    "Nats-Expected-Last-Msg-Id", "Nats-Rollup", "Nats-TTL", "Nats-Schedule",
    "Nats-Schedule-Target", "Nats-Schedule-TTL", "Nats-Incr", "Nats-Batch-Id",
    "Nats-Batch-Sequence", "Nats-Batch-Commit", "Nats-Service-Error", "Nats-Service-Error-Code",
    "KV-Operation",
)  # fmt: skip
"""Headers that servers and clients of JetStream read, as they are written."""
_COUNTS: Final = HEADERS[2:4]
"""Headers with a sequence."""
LONGEST_TTL: Final = 10**9
"""Seconds of a Nats-TTL, 31 years, above which it is in another unit."""


def has_odd_header(row: Values) -> str:
    """Return the first header that is nearly one of JetStream, or has a value that it cannot have.

    Servers compare the names of headers as they are written.
    """
    pairs = [(each["key"], each["value"]) for each in row["headers"] or ()]
    return next(filter(None, _odd_headers(pairs)), "")


def _odd_headers(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, value in pairs:
        if name not in HEADERS:
            near = _header(name)
            yield f"{name}, which is read only as {near}" if near else ""
        elif name in _COUNTS and not value.isdecimal():
            yield f"{name} with {json.dumps(value[:40])}, which is no sequence"
        elif name == "Nats-Rollup" and value not in ("sub", "all"):
            yield f"Nats-Rollup with {json.dumps(value[:40])}, which is neither sub nor all"
        elif name == "Nats-TTL" and value.isdecimal() and int(value[:20]) >= LONGEST_TTL:
            yield f"Nats-TTL with {value}, which are seconds"


def _header(name: str) -> str:
    """Return the header of JetStream that a name resembles."""
    if not name.lower().startswith(("nats", "kv")):
        return ""
    return next((e for e in HEADERS if plain(e) == plain(name) or distance(e, name) == 1), "")
