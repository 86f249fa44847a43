"""Predicates of rules: what blocks, tokens and keys hold."""

import base64
import struct
import tracemalloc
from typing import Any

import pytest
from tests.failures import every
from tests.protocols.pravega.traffic import record

from streamshark.protocols.pravega import predicates

EVENT = record(0, b"event")


def ended(block: bytes | None, size: int, data: bytes = b"", count: int = 1) -> dict[str, Any]:
    """The columns of the end of a block."""
    return {"C.block": block, "size_of_whole_events": size, "data": data, "num_events": count}


def test_an_end_without_a_block_misfits_nothing() -> None:
    """It is whole by itself; the bytes after a block must fit it."""
    assert not predicates.misfits(ended(None, 0, EVENT))
    assert not predicates.misfits(ended(EVENT, len(EVENT)))
    assert f"its block has {len(EVENT)}" in predicates.misfits(ended(EVENT, len(EVENT) + 1))


@pytest.mark.parametrize(
    ("block", "data", "count", "found"),
    [(None, EVENT * 2, 1, "2"), (None, EVENT * 2, 2, ""), (EVENT, EVENT, 1, "2"),
     (b"plain bytes", b"", 1, ""), (None, b"", 1, ""), (None, EVENT + b"x", 1, "")],
)  # fmt: skip
def test_more_events_than_are_said(
    block: bytes | None, data: bytes, count: int, found: str
) -> None:  # fmt: skip
    """In the block, in its end, or in both; of plain bytes nobody can tell."""
    assert predicates.is_miscounted(ended(block, len(block or b""), data, count)) == found


def test_a_torn_event() -> None:
    """After whole events, part of one that continues with other bytes."""
    block = EVENT + record(-2, EVENT[:9])

    assert predicates.is_torn(ended(block, len(EVENT), EVENT[10:]))
    assert not predicates.is_torn(ended(block, len(EVENT), EVENT[9:]))
    assert not predicates.is_torn(ended(None, 0, EVENT))


def token(claims: str) -> str:
    """Return a JWT of a text."""
    return f"a.{base64.urlsafe_b64encode(claims.encode()).decode().rstrip('=')}.c"


@every(
    "given, ago",
    [
        *((each, "") for each in (None, "", "a", "a.b", "a.!.c", token("[]"), token("null"))),
        (token('{"exp": -Infinity}'), ""),
        (token('{"exp": "x"}'), ""),
        (token('{"exp": ["x"]}'), ""),
        (token("[" * 40_000), ""),
        (token('{"exp": 7}'), ""),
        (token('{"exp": 5.5}'), "1.5 s"),
        (token('{"exp": 4}'), "3 s"),
    ],
)
def test_tokens_of_any_shape(given: str | None, ago: str) -> None:
    """Only a JWT with a time of expiry is judged; a hostile one takes no memory."""
    tracemalloc.start()
    try:
        assert predicates.has_expired({"delegation_token": given, "t": 7_000_000_000}) == ago
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 5_000_000


def test_an_empty_key() -> None:
    """Among the columns of keys that there are."""
    assert predicates.has_empty_key({"keys.data": None, "entries.key.data": [b"a", b""]}) == "2"
    assert not predicates.has_empty_key({"keys.data": [b"a"], "entries.key.data": None})


LONG = struct.pack(">ii", 0, 64) + b"nine bytes"


@every(
    ("block", "size", "data", "found"),
    [
        (None, 0, EVENT, ""),
        (None, 0, EVENT + LONG, "64 bytes, of which 10 are"),
        (EVENT + LONG, len(EVENT + LONG), b"", "64 bytes, of which 10 are"),
        (EVENT + LONG, len(EVENT), bytes(54), ""),
        (None, 0, bytes(100), ""),
        (None, 0, b"plain bytes of a byte stream", ""),
        (None, 0, b"", ""),
    ],
)
def test_an_event_that_is_too_long(block: bytes | None, size: int, data: bytes, found: str) -> None:
    """The last whole one; not one that is cut by the end of its block, nor plain bytes."""
    assert predicates.has_long_event(ended(block, size, data)) == found
