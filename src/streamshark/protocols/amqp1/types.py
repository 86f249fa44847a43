"""The type system of AMQP 1.0: every encoding of every primitive, described values, compounds.

A value is a constructor byte and what it says follows: nothing, a fixed number of bytes, a length
and bytes, or a size, a count and items. `Reader` reads them one after the other, in one pass over
the bytes, and never past the end that it is given. What breaks the rules is a problem: an item that
does not fit ends the list it is in, whose size says where to continue.

What becomes of the types: numbers are numbers, strings and symbols text, binary stays bytes. A map
is a list of `{"key", "value"}`, an empty one `{}`, a described value `{"descriptor", "value"}`, an
array its items. A char is text of one character, a timestamp milliseconds since 1970, a UUID its
canonical text, a decimal its digits as text. Numbers that are not finite are "NaN", "Infinity" and
"-Infinity".

Source: OASIS AMQP 1.0, part 1, section 1.6 (primitive types) and 1.2 (encodings).
"""

from collections.abc import Callable, Mapping
from struct import Struct
from typing import Any, Final, NamedTuple

from streamshark.decoding.payloads import MAX_DEPTH
from streamshark.schema import Problem, ProblemCode

MOST_VALUES: Final = 100_000
"""Most values that are read of one message: of zero-width items, a few bytes can hold billions."""

MOST_PROBLEMS: Final = 64
"""Most problems that are noted of one message."""

NULL: Final = 0x40
DESCRIBED: Final = 0x00
BINARY: Final = frozenset({0xA0, 0xB0})
STRING: Final = frozenset({0xA1, 0xB1})
SYMBOL: Final = frozenset({0xA3, 0xB3})
BOOLEAN: Final = frozenset({0x41, 0x42, 0x56})
UBYTE: Final = frozenset({0x50})
UINT: Final = frozenset({0x43, 0x52, 0x70})
ULONG: Final = frozenset({0x44, 0x53, 0x80})
TIMESTAMP: Final = frozenset({0x83})
UUID: Final = frozenset({0x98})
LIST: Final = frozenset({0x45, 0xC0, 0xD0})
MAP: Final = frozenset({0xC1, 0xD1})
ARRAY: Final = frozenset({0xE0, 0xF0})
_EMPTY_LIST: Final = 0x45
_FIRST_WIDE: Final = 0xD0
_NARROW: Final = Struct(">BB")
_WIDE: Final = Struct(">II")

Value = Any
"""Numbers, text, bytes, None, lists, dicts as the head of this module says."""
Read = Callable[["Reader", int, int, int], Value]
"""Reads what follows a constructor: reader, first byte, end, depth."""


class Reader:
    """The bytes of one message, the place of the next value, and what was wrong so far."""

    __slots__ = ("at", "cut", "data", "problems", "room")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        """Of the next value."""
        self.cut = False
        """True when a value did not fit: its neighbours cannot be found."""
        self.problems: list[Problem] = []
        self.room = MOST_VALUES
        """Values that may still be read."""

    def value(self, end: int, depth: int = 0) -> Value:
        """Read the next value; return None and set `cut` if there is none."""
        at = self.at
        if at >= end:
            return self.short(at, end, 1)
        return _READ[self.data[at]](self, at + 1, end, depth)

    def places(self, end: int) -> list[tuple[int, Value]]:
        """Read the next list or map; return its values, each with the offset of its constructor."""
        code = self.data[self.at]
        at = self.at = self.at + 1
        if code == _EMPTY_LIST:
            return []
        sizes = _NARROW if code < _FIRST_WIDE else _WIDE
        found = self.opened(at, end, sizes)
        if found is None:
            return []
        stop, count = found
        is_map = code & 0xF == 1
        if is_map and count & 1:
            self.odd(at, sizes, count)
        inner = self.bounded(stop, end)
        items: list[tuple[int, Value]] = []
        for _ in range(self.most(min(count, inner - self.at), at)):
            start = self.at
            if start >= inner:
                break
            value = _READ[self.data[start]](self, start + 1, inner, 1)
            if self.cut:
                break
            items.append((start, value))
        self.counted(at, inner, count, len(items))
        self.left(stop, end)
        return items

    def odd(self, at: int, sizes: Struct, count: int) -> None:
        """Note that a map has a key without a value."""
        self.problem(at, sizes.size, f"a map of {count} values: one key has no value")

    def counted(self, at: int, end: int, count: int, found: int) -> None:
        """Note that a compound ends before its last item."""
        if found < count and not self.cut and self.at >= end:
            self.problem(at, 0, f"{count} items announced, {found} present")

    def problem(self, at: int, length: int, message: str) -> None:
        """Note what breaks a rule."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(ProblemCode.VALUE, -1, at, length, message))

    def short(self, at: int, end: int, wanted: int) -> None:
        """Note that a value runs past its end; nothing after it can be read."""
        left = max(0, end - at)
        self.problem(min(at, end), left, f"{wanted} bytes needed, {left} left")
        self.cut = True
        self.at = end

    def opened(self, at: int, end: int, sizes: Struct) -> tuple[int, int] | None:
        """Size and count of a compound: where it ends, and how many items it says it has.

        None, with `cut` set, where they do not fit. A size that leads past the end is a problem,
        and what is there is read.
        """
        start = at + sizes.size
        if start > end:
            self.short(at, end, sizes.size)
            return None
        size, count = sizes.unpack_from(self.data, at)
        stop: int = start + size - sizes.size // 2
        if stop < start:
            self.problem(at, sizes.size, f"a size of {size} has no room for the count")
            stop = start
        self.at = start
        return stop, count

    def bounded(self, stop: int, end: int) -> int:
        """Return the end of what can be read of a compound."""
        if stop <= end:
            return stop
        left = end - self.at
        self.problem(self.at, left, f"{stop - self.at} bytes needed, {left} left")
        return end

    def left(self, stop: int, end: int) -> None:
        """Go on after a compound, whatever became of its items."""
        if self.at < stop <= end and not self.cut:
            self.problem(self.at, stop - self.at, f"{stop - self.at} bytes left in a value")
        self.at, self.cut = min(stop, end), stop > end

    def most(self, count: int, at: int) -> int:
        """How many of so many values may be read; what is over the bound is a problem."""
        most = min(count, self.room)
        if most < count:
            self.problem(at, 0, f"over {MOST_VALUES} values in one message")
        self.room -= most
        return most


# What has a fixed width


def _constant(value: Value) -> Read:
    def read(reader: Reader, at: int, _end: int, _depth: int) -> Value:
        reader.at = at
        return value

    return read


def _fixed(form: str, shown: Callable[[Any], Value] | None = None) -> Read:
    layout = Struct(form)
    size, unpack = layout.size, layout.unpack_from

    def read(reader: Reader, at: int, end: int, _depth: int) -> Value:
        stop = at + size
        if stop > end:
            return reader.short(at, end, size)
        reader.at = stop
        value = unpack(reader.data, at)[0]
        return shown(value) if shown else value

    return read


def _boolean(reader: Reader, at: int, end: int, _depth: int) -> Value:
    if at >= end:
        return reader.short(at, end, 1)
    reader.at = at + 1
    value = reader.data[at]
    if value > 1:
        reader.problem(at, 1, f"a boolean of {value}")
    return value != 0


_CHAR = Struct(">I")


def _char(reader: Reader, at: int, end: int, _depth: int) -> Value:
    if at + 4 > end:
        return reader.short(at, end, 4)
    reader.at = at + 4
    (value,) = _CHAR.unpack_from(reader.data, at)
    if value > 0x10FFFF or 0xD800 <= value < 0xE000:  # noqa: PLR2004 - the range of Unicode
        reader.problem(at, 4, f"{value:#x} is not a character")
        return "\ufffd"
    return chr(value)


def _finite(value: float) -> Value:
    if value != value:  # noqa: PLR0124 - only NaN differs from itself
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


_SINGLE = Struct(">f")


def _single(value: float) -> Value:
    """Return a 32-bit float with the fewest digits that identify it."""
    if value - value != 0:
        return _finite(value)
    for digits in (6, 7, 8):
        near = float(f"{value:.{digits}g}")
        if _SINGLE.pack(near) == _SINGLE.pack(value):
            return near
    return float(f"{value:.9g}")


def _uuid(value: bytes) -> str:
    text = value.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


class _Width(NamedTuple):
    """How a decimal of some width is composed (IEEE 754-2008, binary integer coefficient)."""

    bits: int
    exponent: int
    """Bits of the exponent."""
    bias: int
    digits: int


def _decimal(width: _Width) -> Callable[[bytes], str]:
    def shown(data: bytes) -> str:
        whole = int.from_bytes(data, "big")
        sign = whole >> width.bits - 1
        top = whole >> width.bits - 6 & 0b11111
        if top >> 1 == 0b1111:  # noqa: PLR2004 - no number
            return "NaN" if top & 1 else ("-" if sign else "") + "Infinity"
        large = top >> 3 == 0b11  # noqa: PLR2004 - the exponent is two bits further on
        at = width.bits - 1 - width.exponent - (2 if large else 0)
        coefficient = whole & (1 << at) - 1 | (0b100 << at if large else 0)
        if coefficient >= 10**width.digits:
            coefficient = 0
        from decimal import Decimal  # noqa: PLC0415 - decimals are rare, and it loads slowly

        exponent = (whole >> at & (1 << width.exponent) - 1) - width.bias
        return str(Decimal((sign, tuple(map(int, str(coefficient))), exponent)))

    return shown


# What has a length


def _blob(sizes: str) -> Read:
    layout = Struct(sizes)

    def read(reader: Reader, at: int, end: int, _depth: int) -> Value:
        start = at + layout.size
        if start > end:
            return reader.short(at, end, layout.size)
        stop = start + layout.unpack_from(reader.data, at)[0]
        if stop > end:
            return reader.short(start, end, stop - start)
        reader.at = stop
        return reader.data[start:stop]

    return read


def _text(sizes: str, encoding: str) -> Read:
    layout = Struct(sizes)

    def read(reader: Reader, at: int, end: int, _depth: int) -> Value:
        start = at + layout.size
        if start > end:
            return reader.short(at, end, layout.size)
        stop = start + layout.unpack_from(reader.data, at)[0]
        if stop > end:
            return reader.short(start, end, stop - start)
        reader.at = stop
        try:
            return str(reader.data[start:stop], encoding)
        except UnicodeDecodeError:
            reader.problem(start, stop - start, f"not valid {encoding}")
            return str(reader.data[start:stop], "utf-8", "replace")

    return read


# What holds other values


def _deep(reader: Reader, at: int, stop: int) -> None:
    """Note that values are nested too deeply, and continue after them."""
    reader.problem(at, stop - at, f"over {MAX_DEPTH} values inside values")
    reader.at = stop


def _list(sizes: Struct) -> Read:
    def read(reader: Reader, at: int, end: int, depth: int) -> Value:
        found = reader.opened(at, end, sizes)
        if found is None:
            return None
        stop, count = found
        if depth >= MAX_DEPTH:
            return _deep(reader, at, min(stop, end))
        inner = reader.bounded(stop, end)
        items: list[Value] = []
        for _ in range(reader.most(min(count, inner - reader.at), at)):
            if reader.at >= inner:
                break
            item = reader.value(inner, depth + 1)
            if reader.cut:
                break
            items.append(item)
        reader.counted(at, inner, count, len(items))
        reader.left(stop, end)
        return items

    return read


def _map(sizes: Struct) -> Read:
    def read(reader: Reader, at: int, end: int, depth: int) -> Value:
        found = reader.opened(at, end, sizes)
        if found is None:
            return None
        stop, count = found
        if depth >= MAX_DEPTH:
            return _deep(reader, at, min(stop, end))
        if count & 1:
            reader.odd(at, sizes, count)
        inner = reader.bounded(stop, end)
        pairs: list[Value] = []
        for _ in range(reader.most(min(count, inner - reader.at), at) // 2):
            if reader.at >= inner:
                break
            key = reader.value(inner, depth + 1)
            if reader.cut:
                break
            pair = {"key": key, "value": None}
            pairs.append(pair)
            pair["value"] = reader.value(inner, depth + 1)
            if reader.cut:
                break
        reader.counted(at, inner, count & ~1, 2 * len(pairs))
        reader.left(stop, end)
        return pairs or {}

    return read


def _array(sizes: Struct) -> Read:
    def read(reader: Reader, at: int, end: int, depth: int) -> Value:
        found = reader.opened(at, end, sizes)
        if found is None:
            return None
        stop, count = found
        if depth >= MAX_DEPTH:
            return _deep(reader, at, min(stop, end))
        inner = reader.bounded(stop, end)
        items = _elements(reader, inner, count, depth)
        reader.left(stop, end)
        return items

    return read


def _elements(reader: Reader, end: int, count: int, depth: int) -> list[Value]:
    """Read the items of an array: one constructor, perhaps with descriptors, then all data."""
    at = reader.at
    descriptors: list[Value] = []
    while reader.at < end and reader.data[reader.at] == DESCRIBED:
        reader.at += 1
        if len(descriptors) + depth >= MAX_DEPTH:
            _deep(reader, at, end)
            return []
        descriptors.append(reader.value(end, depth + 1))
    if reader.at >= end:
        if not reader.cut:
            reader.short(reader.at, end, 1)
        return []
    code = reader.data[reader.at]
    reader.at += 1
    read, items = _READ[code], []
    room = count if code in _ZERO_WIDTH else min(count, end - reader.at)
    for _ in range(reader.most(room, at)):
        item = read(reader, reader.at, end, depth + 1)
        if reader.cut:
            break
        for descriptor in reversed(descriptors):
            item = {"descriptor": descriptor, "value": item}
        items.append(item)
    if len(items) < count and not reader.cut and reader.room:
        reader.problem(at, 0, f"{count} items announced, {len(items)} present")
    return items


def _described(reader: Reader, at: int, end: int, depth: int) -> Value:
    """Read a descriptor and the value that it describes."""
    if depth >= MAX_DEPTH:
        _deep(reader, at, end)
        reader.cut = True
        return None
    reader.at = at
    descriptor = reader.value(end, depth + 1)
    if reader.cut:
        return None
    return {"descriptor": descriptor, "value": reader.value(end, depth + 1)}


def _unknown(reader: Reader, at: int, end: int, depth: int) -> Value:
    """Skip an unknown constructor; its upper half still gives the width of the data (1.2)."""
    code = reader.data[at - 1]
    reader.problem(at - 1, 1, f"no type has the constructor {code:#04x}")
    skip = _WIDTHS.get(code >> 4)
    if skip is not None:
        return skip(reader, at, end, depth)
    reader.cut = True
    reader.at = end
    return None


def _empty(reader: Reader, at: int, _end: int, _depth: int) -> list[Value]:
    reader.at = at
    return []


_WIDTHS: Mapping[int, Read] = {
    0x4: _constant(None), 0x5: _fixed("1s"), 0x6: _fixed("2s"), 0x7: _fixed("4s"),
    0x8: _fixed("8s"), 0x9: _fixed("16s"), 0xA: _blob(">B"), 0xB: _blob(">I"),
    0xC: _blob(">B"), 0xD: _blob(">I"), 0xE: _blob(">B"), 0xF: _blob(">I"),
}  # fmt: skip
"""Upper half of a constructor to what passes over its data."""
_KNOWN: Mapping[int, Read] = {
    DESCRIBED: _described,
    NULL: _constant(None),
    0x41: _constant(value=True), 0x42: _constant(value=False), 0x56: _boolean,
    0x50: _fixed(">B"), 0x60: _fixed(">H"),
    0x70: _fixed(">I"), 0x52: _fixed(">B"), 0x43: _constant(0),
    0x80: _fixed(">Q"), 0x53: _fixed(">B"), 0x44: _constant(0),
    0x51: _fixed(">b"), 0x61: _fixed(">h"),
    0x71: _fixed(">i"), 0x54: _fixed(">b"),
    0x81: _fixed(">q"), 0x55: _fixed(">b"),
    0x72: _fixed(">f", _single), 0x82: _fixed(">d", _finite),
    0x74: _fixed("4s", _decimal(_Width(32, 8, 101, 7))),
    0x84: _fixed("8s", _decimal(_Width(64, 10, 398, 16))),
    0x94: _fixed("16s", _decimal(_Width(128, 14, 6176, 34))),
    0x73: _char, 0x83: _fixed(">q"), 0x98: _fixed("16s", _uuid),
    0xA0: _blob(">B"), 0xB0: _blob(">I"),
    0xA1: _text(">B", "utf-8"), 0xB1: _text(">I", "utf-8"),
    0xA3: _text(">B", "ascii"), 0xB3: _text(">I", "ascii"),
    0x45: _empty,
    0xC0: _list(_NARROW), 0xD0: _list(_WIDE),
    0xC1: _map(_NARROW), 0xD1: _map(_WIDE),
    0xE0: _array(_NARROW), 0xF0: _array(_WIDE),
}  # fmt: skip
"""Constructor to what reads the data after it."""
_READ: Final = [_KNOWN.get(code, _unknown) for code in range(256)]
_ZERO_WIDTH: Final = frozenset({NULL, 0x41, 0x42, 0x43, 0x44, 0x45})
