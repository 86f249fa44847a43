"""Whether bytes are a CBOR value, and which.

A value is a head (three bits of major type, five that say a number or where it is) and what it
says follows. One pass, never past the end; a length or count that the bytes cannot hold is wrong at
once, so nothing is ever made room for.

What becomes of the types: numbers are numbers, byte strings bytes, a map is a list of `{"key",
"value"}`, an empty one `{}`, a tag `{"tag", "value"}`, undefined and other simple values
`{"simple"}`.

Source: RFC 8949, section 3 and appendix C.
"""

from functools import lru_cache
from struct import unpack_from
from typing import Any, Final, NoReturn

from streamshark.decoding.payloads import MAX_DEPTH, ONLY_IF_DECLARED, DecodedPayload
from streamshark.schema import Problem, ProblemCode

MOST_VALUES: Final = 100_000
"""Most values that are read of one body."""
SURE: Final = 30
"""How sure it is of bytes that are a map whose keys are text."""
MARKED: Final = 90
"""How sure it is of bytes with the mark of section 3.4.6 before them."""
MARK: Final = b"\xd9\xd9\xf7"

UINT, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE = range(8)
INDEFINITE: Final = 31
BREAK: Final = b"\xff"
_FLOATS: Final = {25: (">e", 2), 26: (">f", 4), 27: (">d", 8)}
_CONSTANTS: Final = {20: False, 21: True, 22: None}
_LEAST_SIMPLE: Final = 32

Value = Any
"""Numbers, text, bytes, None, lists and dicts as the head of this module says."""


class _WrongError(ValueError):
    """The bytes are no value: an offset and a sentence."""


def decode(data: bytes) -> DecodedPayload:
    """Decode a value; never raise, whatever the bytes are."""
    value, wrong = _read(data)
    if wrong is None:
        return DecodedPayload(value, [])
    at, message = wrong
    return DecodedPayload(None, [Problem(ProblemCode.VALUE, -1, at, 0, message)])


def sure(data: bytes) -> int:
    """Confidence that the bytes are one CBOR value; cheap for most other bytes."""
    value, wrong = _read(data)
    if wrong is not None:
        return 0
    if data.startswith(MARK):
        return MARKED
    is_map = data[0] >> 5 == MAP and value and all(isinstance(each["key"], str) for each in value)
    return SURE if is_map else ONLY_IF_DECLARED


@lru_cache(maxsize=1)
def _read(data: bytes) -> tuple[Value, tuple[int, str] | None]:
    """Return the value, and the offset and reason of its first fault; cache the latest."""
    reader = _Reader(data)
    try:
        value = reader.value(0)
        if reader.at < len(data):
            reader.fail(f"{len(data) - reader.at} bytes left after the value")
    except _WrongError as error:
        return None, (reader.at, str(error))
    return value, None


class _Reader:
    """The bytes and the place of the next value."""

    __slots__ = ("at", "data", "room")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.room = MOST_VALUES

    def fail(self, message: str) -> NoReturn:
        """Stop at the present place."""
        raise _WrongError(message)

    def value(self, depth: int) -> Value:  # noqa: PLR0911 - one row a type
        """Read the next value."""
        major, low = self.head(depth)
        if major == SIMPLE:
            return self.simple(low)
        number = None if low == INDEFINITE else self.number(low)
        match major:
            case 0 if number is not None:
                return number
            case 1 if number is not None:
                return -1 - number
            case 2:
                return b"".join(self.strings(BYTES, number))
            case 3:
                return "".join(map(self.text, self.strings(TEXT, number)))
            case 4:
                return [self.value(depth + 1) for _ in self.items(number, 1)]
            case 5:
                pairs = [
                    {"key": self.value(depth + 1), "value": self.value(depth + 1)}
                    for _ in self.items(number, 2)
                ]
                return pairs or {}
            case 6 if number is not None:
                return {"tag": number, "value": self.value(depth + 1)}
        return self.fail(f"major type {major} has no indefinite length")

    def head(self, depth: int) -> tuple[int, int]:
        """Major type and low bits of the next value."""
        if depth > MAX_DEPTH:
            self.fail(f"values are nested more than {MAX_DEPTH} deep")
        self.room -= 1
        if self.room < 0:
            self.fail(f"more than {MOST_VALUES} values")
        head = self.take(1)[0]
        return head >> 5, head & 0x1F

    def take(self, count: int) -> bytes:
        """So many bytes."""
        end = self.at + count
        if end > len(self.data):
            self.fail(f"{count} bytes announced, {len(self.data) - self.at} left")
        found = self.data[self.at : end]
        self.at = end
        return found

    def number(self, low: int) -> int:
        """Read the number in the low bits of a head."""
        if low < 24:  # noqa: PLR2004 - the number itself
            return low
        if low > 27:  # noqa: PLR2004 - 1, 2, 4 or 8 bytes
            self.fail(f"{low} is not assigned")
        return int.from_bytes(self.take(1 << low - 24), "big")

    def strings(self, major: int, number: int | None) -> list[bytes]:
        """Read the bytes of a string, in chunks if its length is indefinite."""
        if number is not None:
            return [self.take(number)]
        found = []
        for _ in self.items(None, 1):
            inner, low = self.head(0)
            if inner != major or low == INDEFINITE:
                self.fail("a chunk of another type")
            found.append(self.take(self.number(low)))
        return found

    def text(self, data: bytes) -> str:
        """Text; each chunk is valid on its own."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise _WrongError("not valid utf-8") from None

    def items(self, number: int | None, least: int) -> "range | _UntilBreak":
        """So many turns, or as many as come before a break."""
        if number is None:
            return _UntilBreak(self)
        if number * least > len(self.data) - self.at:
            self.fail(f"{number} items announced, {len(self.data) - self.at} bytes left")
        return range(number)

    def simple(self, low: int) -> Value:
        """Booleans, null, floats, and what has no meaning of its own."""
        if low in _FLOATS:
            form, size = _FLOATS[low]
            return unpack_from(form, self.take(size))[0]
        if low in _CONSTANTS:
            return _CONSTANTS[low]
        if low == INDEFINITE:
            self.fail("a break outside of anything indefinite")
        number = self.number(low)
        if low == 24 and number < _LEAST_SIMPLE:  # noqa: PLR2004 - in the byte after
            self.fail(f"simple value {number} in two bytes")
        return {"simple": number}


class _UntilBreak:
    """Turns until a break comes, which is taken."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader

    def __iter__(self) -> "_UntilBreak":
        return self

    def __next__(self) -> None:
        reader = self.reader
        if reader.data[reader.at : reader.at + 1] == BREAK:
            reader.at += 1
            raise StopIteration
