"""Where the values of an AMQP 1.0 message are: for those who replace them and keep the rest.

The upper half of a constructor says how wide a value is (OASIS AMQP 1.0, part 1, 1.2.3). What
follows one that no type has is not read. Descriptors that the document defines are no leaves.
"""

from streamshark.decoding.payloads import MAX_DEPTH, Leaf, LeafKind
from streamshark.protocols.amqp1.types import DESCRIBED, MOST_VALUES, STRING, SYMBOL

_FIXED = {0x4: 0, 0x5: 1, 0x6: 2, 0x7: 4, 0x8: 8, 0x9: 16}
"""Upper half of a constructor to the bytes of a value of fixed width."""
_LENGTHS = {0xA: 1, 0xB: 4, 0xC: 1, 0xD: 4, 0xE: 1, 0xF: 4}
"""Upper half of a constructor to the bytes of the length."""
_COMPOUND, _ARRAY = (0xC, 0xD), (0xE, 0xF)
_LEAST_NUMBER = 4
_KNOWN = frozenset(
    bytes.fromhex(
        "00 40414243444556 5051525354555660617071727374808182838494 98 a0a1a3b0b1b3 c0c1d0d1e0f0"
    )
)
"""Constructors of all types."""
_BOOLEAN = 0x56
_DEFINED = b"amqp:"
"""What the descriptors of the document begin with, where they are symbols."""


class _Broken(Exception):  # noqa: N818 - ends the walk
    """The bytes from here on are no values."""


def leaves(data: bytes) -> list[Leaf]:
    """Return the values of a message, in the order of its bytes."""
    walk = _Walk(data)
    try:
        while walk.at < len(data):
            walk.value(len(data), 0)
    except _Broken:
        walk.rest(len(data))
    return walk.found


class _Walk:
    """The place in a message, and the leaves before it."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.found: list[Leaf] = []
        self.room = MOST_VALUES

    def rest(self, end: int) -> None:
        """Add what is left as one leaf."""
        if self.at < end:
            self.found.append(Leaf(LeafKind.REST, self.at, end))
        self.at = end

    def take(self, size: int, end: int) -> int:
        """Pass over some bytes, and return where they begin."""
        start = self.at
        if start + size > end:
            raise _Broken
        self.at += size
        return start

    def value(self, end: int, depth: int, *, is_leaf: bool = True) -> None:
        """Pass over the next value."""
        self.of(self.data[self.take(1, end)], end, depth, is_leaf=is_leaf)

    def of(self, code: int, end: int, depth: int, *, is_leaf: bool = True) -> None:
        """Pass over what follows a constructor."""
        self.room -= 1
        if self.room < 0 or depth > MAX_DEPTH or code not in _KNOWN:
            raise _Broken
        if code == DESCRIBED:
            self.value(end, depth + 1, is_leaf=False)
            self.value(end, depth + 1)
            return
        half = code >> 4
        if half in _FIXED:
            start = self.take(_FIXED[half], end)
            if is_leaf and _FIXED[half] >= _LEAST_NUMBER:
                self.found.append(Leaf(LeafKind.NUMBER, start, self.at))
            return
        if half not in _LENGTHS:
            raise _Broken
        start = self.take(_LENGTHS[half], end)
        size = int.from_bytes(self.data[start : self.at], "big")
        if half in _COMPOUND or half in _ARRAY:
            self.compound(half, min(self.at + size, end), depth)
            return
        start = self.take(size, end)
        if size and (is_leaf or not self.data.startswith(_DEFINED, start)):
            kind = LeafKind.TEXT if code in STRING | SYMBOL else LeafKind.BYTES
            self.found.append(Leaf(kind, start, self.at))

    def compound(self, half: int, end: int, depth: int) -> None:
        """Pass over the items of a list, map or array; what is left of it is one leaf."""
        try:
            start = self.take(_LENGTHS[half], end)
            count = int.from_bytes(self.data[start : self.at], "big")
            if half in _ARRAY:
                self.array(count, end, depth)
            else:
                for _ in range(count):
                    if self.at >= end:
                        break
                    self.value(end, depth + 1)
        except _Broken:
            pass
        self.rest(end)

    def array(self, count: int, end: int, depth: int) -> None:
        """Pass over the items of an array, which have one constructor."""
        code = self.data[self.take(1, end)]
        while code == DESCRIBED:
            self.value(end, depth + 1, is_leaf=False)
            code = self.data[self.take(1, end)]
        width = _FIXED.get(code >> 4)
        if width is not None and width < _LEAST_NUMBER and code in _KNOWN:
            start = self.take(min(width * count, end - self.at), end)
            if code != _BOOLEAN and self.at > start:
                self.found.append(Leaf(LeafKind.BYTES, start, self.at))
            return
        for _ in range(count):
            self.of(code, end, depth + 1)
