"""Values of AMQP 1.0 in their bytes: sections of a message, items of lists and maps, scalars.

For rules about a few properties of a message, which need no whole decoding. What is cut off or
unknown ends what is found.
"""

from collections.abc import Iterator
from typing import Final

PROPERTIES: Final = 0x73
"""Code of the section of properties."""
FIXED: Final = {0x4: 0, 0x5: 1, 0x6: 2, 0x7: 4, 0x8: 8, 0x9: 16}
"""Bytes of a value by the upper half of its constructor (AMQP 1.0 part 1, 1.2)."""
COUNTED: Final = {0xA: 1, 0xC: 1, 0xE: 1, 0xB: 4, 0xD: 4, 0xF: 4}
"""Bytes of the size before it."""
COMPOUND: Final = {0xC0: 1, 0xC1: 1, 0xD0: 4, 0xD1: 4}
"""Constructors of lists and maps, to the bytes of their sizes and of their counts."""
_NUMBERS: Final = (0x5, 0x6, 0x7, 0x8)
_OTHERS: Final = (0x72, 0x82, 0x83)
"""Floating-point numbers and times, which are as wide."""
_UUID: Final = 0x9
_MOST: Final = 64
"""Items of a list or map that are looked at."""


def size(message: bytes, at: int) -> int:
    """Return the bytes of a value with its constructor; of an unknown one all that follows."""
    kind = message[at] >> 4
    if kind in FIXED:
        return 1 + FIXED[kind]
    if kind not in COUNTED:
        return len(message)
    before = at + 1 + COUNTED[kind]
    return before - at + int.from_bytes(message[at + 1 : before], "big")


def sections(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the code of each section of a message, and its value with its constructor."""
    at = 0
    while message[at : at + 2] == b"\0\x53" and at + 2 < len(message):
        end = at + 3 + (size(message, at + 3) if at + 3 < len(message) else 0)
        yield message[at + 2], message[at + 3 : end]
        at = end


def items(value: bytes) -> list[bytes]:
    """Return the items of a list or map, each with its constructor."""
    width = COMPOUND.get(value[0]) if value else None
    found: list[bytes] = []
    if width is None:
        return found
    at = 1 + 2 * width
    while at < len(value) and len(found) < _MOST:
        end = at + size(value, at)
        found.append(value[at:end])
        at = end
    return found


def scalar(item: bytes) -> bytes:
    """Return the text, bytes or decimal number of an item; nothing of all others."""
    kind = item[0] >> 4 if item else 0
    if kind in (0xA, 0xB):
        return item[1 + COUNTED[kind] :]
    if item and kind in _NUMBERS and item[0] not in _OTHERS:
        return str(int.from_bytes(item[1:], "big")).encode()
    return item[1:].hex().encode() if kind == _UUID else b""
