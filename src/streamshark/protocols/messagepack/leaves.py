"""Where the values of MessagePack are: for those who replace them and keep the rest.

Source: spec.md of msgpack/msgpack, "Formats".
"""

from streamshark.decoding.payloads import MAX_DEPTH, Leaf, LeafKind

_NUMBERS = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8,
            0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}  # fmt: skip
_LENGTHS = {
    0xC4: (1, LeafKind.BYTES), 0xC5: (2, LeafKind.BYTES), 0xC6: (4, LeafKind.BYTES),
    0xD9: (1, LeafKind.TEXT), 0xDA: (2, LeafKind.TEXT), 0xDB: (4, LeafKind.TEXT),
}  # fmt: skip
_EXTENSIONS = {0xC7: 1, 0xC8: 2, 0xC9: 4}
_FIXED_EXTENSIONS = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_COUNTS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}
_UNUSED = 0xC1
_LEAST_NUMBER = 4
_MOST_VALUES = 100_000


class _Broken(Exception):  # noqa: N818 - ends the walk
    """The bytes from here on are no values."""


def leaves(data: bytes) -> list[Leaf]:
    """Return the values, in the order of the bytes."""
    walk = _Walk(data)
    try:
        while walk.at < len(data):
            walk.value(0)
    except _Broken:
        if walk.at < len(data):
            walk.found.append(Leaf(LeafKind.REST, walk.at, len(data)))
    return walk.found


class _Walk:
    """The place in the bytes, and the leaves before it."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.found: list[Leaf] = []
        self.room = _MOST_VALUES

    def take(self, size: int) -> int:
        """Pass over some bytes, and return where they begin."""
        start = self.at
        if start + size > len(self.data):
            raise _Broken
        self.at += size
        return start

    def number(self, size: int) -> int:
        """Pass over a length or count, and return it."""
        start = self.take(size)
        return int.from_bytes(self.data[start : self.at], "big")

    def leaf(self, size: int, kind: LeafKind) -> None:
        """Pass over the bytes of a value."""
        start = self.take(size)
        if size:
            self.found.append(Leaf(kind, start, self.at))

    def many(self, count: int, depth: int) -> None:
        """Pass over values."""
        for _ in range(count):
            self.value(depth + 1)

    def value(self, depth: int) -> None:
        """Pass over the next value."""
        self.room -= 1
        if self.room < 0 or depth > MAX_DEPTH:
            raise _Broken
        first = self.data[self.take(1)]
        if first in _NUMBERS:
            size = _NUMBERS[first]
            if size < _LEAST_NUMBER:
                self.take(size)
            else:
                self.leaf(size, LeafKind.NUMBER)
        elif first in _LENGTHS:
            size, kind = _LENGTHS[first]
            self.leaf(self.number(size), kind)
        elif first in _COUNTS:
            size, per_item = _COUNTS[first]
            self.many(self.number(size) * per_item, depth)
        else:
            self.others(first, depth)

    def others(self, first: int, depth: int) -> None:
        """Pass over a value whose length or count is in its first byte, or an extension."""
        if first in _EXTENSIONS or first in _FIXED_EXTENSIONS:
            fixed = _FIXED_EXTENSIONS.get(first)
            size = self.number(_EXTENSIONS[first]) if fixed is None else fixed
            self.take(1)
            self.leaf(size, LeafKind.BYTES)
        elif 0x80 <= first < 0xA0:  # noqa: PLR2004 - fixmap, then fixarray
            self.many((first & 15) * (2 if first < 0x90 else 1), depth)  # noqa: PLR2004
        elif 0xA0 <= first < 0xC0:  # noqa: PLR2004 - fixstr
            self.leaf(first & 31, LeafKind.TEXT)
        elif first == _UNUSED:
            raise _Broken
