"""Words for numbers: big-endian integers of 1 to 8 bytes, and groups of bits."""

from typing import Any

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.construct_import import construct
from streamshark.schema.problems import ProblemCode
from streamshark.schema.words import (
    DecodingError,
    FieldFacts,
    Member,
    ParsedValue,
    Values,
    Window,
    Word,
    facts_of,
    spelling_of,
    stored,
)

_FORMATS = {1: "b", 2: "h", 4: "l", 8: "q"}


class Int(Word):
    """A big-endian integer of `size` bytes (1, 2, 3, 4 or 8)."""

    def __init__(self, size: int, *, signed: bool = False) -> None:
        super().__init__()
        self.size = self.least = size
        self.signed = signed
        if size in _FORMATS:
            code = _FORMATS[size]
            self._format = construct.FormatField(">", code if signed else code.upper())
        elif size == 3:  # noqa: PLR2004 - the one width that struct lacks
            self._format = construct.BytesInteger(3, signed=signed)
        else:
            raise SchemaError(f"an integer has 1, 2, 3, 4 or 8 bytes, not {size}")

    def _parse(self, stream: Window, context: Any, path: str) -> int:
        start = stream.at
        try:
            return int(self._format._parse(stream, context, path))
        except construct.StreamError:
            raise DecodingError(ProblemCode.SHORT, start, path) from None

    def _build(self, obj: int, stream: Any, context: Any, path: str) -> int:
        self._format._build(obj, stream, context, path)
        return obj

    def __repr__(self) -> str:
        return f"{'I' if self.signed else 'U'}{self.size * 8}"


U8, U16, U24, U32, U64 = Int(1), Int(2), Int(3), Int(4), Int(8)
I8, I16, I32, I64 = (Int(size, signed=True) for size in (1, 2, 4, 8))


@record
class BitField:
    """Some bits of a group; a part without a name is reserved and shown only as such."""

    name: str | None
    width: int
    sentence: str
    facts: FieldFacts
    written: int = 0
    """What a part without a name is written as."""


def part(name: str, width: int, sentence: str, **facts: Any) -> BitField:
    """Declare a named number of `width` bits inside `Bits`."""
    return BitField(name, width, sentence, facts_of(name, **facts))


def reserved(width: int, *, written: int = 0) -> BitField:
    """Bits without a meaning of their own, ignored when read.

    They are written as 0, or as `written`: the bit that chose the arm of a union.
    """
    return BitField(None, width, "Reserved.", FieldFacts(), written)


class Bits(Member):
    """`size` bytes read as one big-endian integer and cut into parts, highest bits first."""

    def __init__(self, size: int, *parts: BitField) -> None:
        super().__init__()
        if sum(each.width for each in parts) != size * 8:
            raise SchemaError(f"the parts of Bits({size}) do not add up to {size * 8} bits")
        self.size = self.least = size
        self.parts = parts
        self._int = Int(size)

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the group and split it."""
        start = stream.at
        left = self.size * 8
        whole = self._int._parse(stream, scope, path)
        for each in self.parts:
            left -= each.width
            if each.name is not None:
                value = whole >> left & (1 << each.width) - 1
                scope[each.name] = out[each.name] = value
                stream.found.append(ParsedValue((*stream.path, each.name), start, stream.at, value))
        stream.keep(out, self, whole)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Join the parts."""
        whole, left, spelt = 0, self.size * 8, spelling_of(values, self)
        for each in self.parts:
            left -= each.width
            if each.name is None:
                value = each.written if spelt is None else spelt >> left & (1 << each.width) - 1
            else:
                name = each.name
                value = int(values[name] if name in values else stored(values, name, path))
            if not 0 <= value < 1 << each.width:
                raise construct.FormatFieldError(f"{each.name} has {each.width} bits", path=path)
            whole = whole << each.width | value
        self._int._build(whole, stream, scope, path)
