"""Where the values of CBOR are: for those who replace them and keep the rest.

Source: RFC 8949, section 3.
"""

from streamshark.decoding.payloads import MAX_DEPTH, Leaf, LeafKind

_BYTES, _TEXT, _ARRAY, _MAP, _TAG, _SIMPLE = 2, 3, 4, 5, 6, 7
_LEAST_WIDE = 26
"""Additional information of the first argument of four bytes."""
_INDEFINITE = 31
_BREAK = 0xFF
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

    def value(self, depth: int) -> None:
        """Pass over the next value."""
        self.room -= 1
        if self.room < 0 or depth > MAX_DEPTH:
            raise _Broken
        start = self.take(1)
        major, more = self.data[start] >> 5, self.data[start] & 31
        if more > 27 and more != _INDEFINITE:  # noqa: PLR2004 - 28 to 30 are not used
            raise _Broken
        if more == _INDEFINITE:
            self.indefinite(major, depth)
            return
        number = more if more < 24 else self.argument(more, major)  # noqa: PLR2004 - in the byte
        if major in (_BYTES, _TEXT):
            start = self.take(number)
            kind = LeafKind.TEXT if major == _TEXT else LeafKind.BYTES
            self.found += [Leaf(kind, start, self.at)] if number else []
        elif major in (_ARRAY, _MAP, _TAG):
            for _ in range(1 if major == _TAG else number * (major - 3)):
                self.value(depth + 1)

    def argument(self, more: int, major: int) -> int:
        """Pass over an argument, a leaf if it is a number or a float, and return it."""
        size = 1 << more - 24
        start = self.take(size)
        if more >= _LEAST_WIDE and (major in (0, 1) or major == _SIMPLE):
            self.found.append(Leaf(LeafKind.NUMBER, start, self.at))
        return int.from_bytes(self.data[start : self.at], "big")

    def indefinite(self, major: int, depth: int) -> None:
        """Pass over values up to a break."""
        if major not in (_BYTES, _TEXT, _ARRAY, _MAP):
            raise _Broken
        while self.data[self.at : self.at + 1] != bytes([_BREAK]):
            self.value(depth + 1)
        self.take(1)
