"""Whether bytes are text that people can read, and the text."""

import re
from typing import Final

from streamshark.decoding.payloads import DecodedPayload
from streamshark.schema import Problem, ProblemCode

SURE: Final = 20
"""How sure it is of bytes that are text: less than any format that looks closer."""
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that text does not have; tab, line feed and carriage return are left."""
_FIRST: Final = 4096
"""Bytes that are looked at first, so that large bodies of other kinds cost nothing."""
_RAW_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(data: bytes) -> DecodedPayload:
    """Decode text; invalid bytes become U+FFFD and a problem."""
    try:
        return DecodedPayload(data.decode(), [])
    except UnicodeDecodeError:
        problem = Problem(ProblemCode.VALUE, -1, 0, len(data), "not valid utf-8")
        return DecodedPayload(data.decode(errors="replace"), [problem])


def encode(value: object) -> bytes | None:
    """Return text as bytes."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else None


def sure(data: bytes) -> int:
    """Confidence that the bytes are text; no bytes are no text."""
    if not data or _RAW_CONTROLS.search(data, 0, _FIRST):
        return 0
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return 0
    return 0 if _CONTROLS.search(text) else SURE
