"""Formats that are not captures are named where that is simple."""

import struct

import pytest
from tests.builders import Conversation

from streamshark.capture.unsupported_formats import describe


def erf(seconds: int, kind: int, size: int) -> bytes:
    """Make an ERF record."""
    head = struct.pack("<Q", seconds << 32) + struct.pack(">BBHHH", kind, 4, size, 0, 60)
    return head + bytes(size - len(head))


KNOWN = {
    "snoop": (b"snoop\0\0\0\0\0\0\2", "snoop"),
    "lz4": (b"\x02\x21\x4c\x18\x04", "legacy format"),
    "zip": (b"PK\x03\x04", "zip archive"),
    "tar": (b"x" * 257 + b"ustar", "tar archive"),
    "text": ("naïve, across lines\n".encode(), "text"),
    "text cut in a letter": (b"x" * 511 + "é".encode(), "text"),
    "erf": (erf(1_700_000_000, 2, 80) + erf(1_700_000_001, 2, 80), "ERF"),
    "transferred as text": (b"\x0d\x0a\x0d\x0a\x1c", "text mode"),
}


@pytest.mark.parametrize(("head", "name"), KNOWN.values(), ids=KNOWN.keys())
def test_known_formats_are_named(head: bytes, name: str) -> None:
    """The name is in the description."""
    assert name in (describe(head) or "")


UNKNOWN = {
    "few bytes": b"\xff\xfe",
    "a bare packet": Conversation().raw(0, 1, b"x").data,
    "erf of no type": erf(1, 0, 80) * 2,
    "erf of one record": erf(1, 2, 80),
    "erf with a jump": erf(1, 2, 80) + erf(1_700_000_000, 2, 80),
    "erf and other bytes": erf(1, 2, 80) + bytes(16),
    "nothing": b"",
}


@pytest.mark.parametrize("head", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_others_are_not_named(head: bytes) -> None:
    """No name is reported if the format is not certain."""
    assert describe(head) is None
