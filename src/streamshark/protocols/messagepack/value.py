"""Whether bytes are a MessagePack value, and which.

A value is a byte that says its type, with a small number or length in it or after it, and what it
announces. One pass, never past the end; a length or count that the bytes cannot hold is wrong at
once, so nothing is ever made room for.

What becomes of the types: numbers are numbers, str text, bin bytes, a map is a list of `{"key",
"value"}`, an empty one `{}`, an extension `{"ext", "value"}` with its number and bytes.

Source: spec.md of msgpack/msgpack, "Formats".
"""

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Any, Final, NoReturn

from streamshark.decoding.payloads import MAX_DEPTH, ONLY_IF_DECLARED, DecodedPayload
from streamshark.schema import Problem, ProblemCode

MOST_VALUES: Final = 100_000
"""Most values that are read of one body."""
SURE: Final = 25
"""How sure it is of bytes that are a map whose keys are text; less than CBOR is."""

Value = Any
"""Numbers, text, bytes, None, lists and dicts as the head of this module says."""

_MAPS: Final = frozenset({*range(0x80, 0x90), 0xDE, 0xDF})
_CONSTANTS: Final = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS: Final = {
    0xCA: Struct(">f"), 0xCB: Struct(">d"),
    0xCC: Struct(">B"), 0xCD: Struct(">H"), 0xCE: Struct(">I"), 0xCF: Struct(">Q"),
    0xD0: Struct(">b"), 0xD1: Struct(">h"), 0xD2: Struct(">i"), 0xD3: Struct(">q"),
}  # fmt: skip


class _WrongError(ValueError):
    """The bytes are no value: a sentence."""


def decode(data: bytes) -> DecodedPayload:
    """Decode a value; never raise, whatever the bytes are."""
    value, wrong = _read(data)
    if wrong is None:
        return DecodedPayload(value, [])
    at, message = wrong
    return DecodedPayload(None, [Problem(ProblemCode.VALUE, -1, at, 0, message)])


def sure(data: bytes) -> int:
    """Confidence that the bytes are one MessagePack value; cheap for most other bytes."""
    value, wrong = _read(data)
    if wrong is not None:
        return 0
    is_map = data[0] in _MAPS and value and all(isinstance(each["key"], str) for each in value)
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

    def take(self, count: int) -> bytes:
        """So many bytes."""
        end = self.at + count
        if end > len(self.data):
            self.fail(f"{count} bytes announced, {len(self.data) - self.at} left")
        found = self.data[self.at : end]
        self.at = end
        return found

    def number(self, size: int) -> int:
        """Read a length or count after the type."""
        return int.from_bytes(self.take(size), "big")

    def value(self, depth: int) -> Value:
        """Read the next value."""
        if depth > MAX_DEPTH:
            self.fail(f"values are nested more than {MAX_DEPTH} deep")
        self.room -= 1
        if self.room < 0:
            self.fail(f"more than {MOST_VALUES} values")
        first = self.take(1)[0]
        if first in _CONSTANTS:
            return _CONSTANTS[first]
        if (form := _NUMBERS.get(first)) is not None:
            return form.unpack(self.take(form.size))[0]
        for start, end, read in _RANGES:
            if start <= first < end:
                return read(self, first - start, depth)
        return self.fail(f"type {first:#x} is not used")

    def text(self, length: int) -> str | bytes:
        """Read a str; bytes if it is not UTF-8: before 2013 there was one type for both."""
        data = self.take(length)
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data

    def many(self, count: int, depth: int) -> list[Value]:
        """Read the items of an array."""
        self.check(count, 1)
        return [self.value(depth + 1) for _ in range(count)]

    def pairs(self, count: int, depth: int) -> list[Value] | dict[str, Value]:
        """Read the keys and values of a map; an empty map is not shown as an empty array."""
        self.check(count, 2)
        pairs = [
            {"key": self.value(depth + 1), "value": self.value(depth + 1)} for _ in range(count)
        ]
        return pairs or {}

    def check(self, count: int, least: int) -> None:
        """Whether so many items of at least so many bytes can follow."""
        if count * least > len(self.data) - self.at:
            self.fail(f"{count} items announced, {len(self.data) - self.at} bytes left")

    def extension(self, length: int) -> Value:
        """Read an extension: number, then bytes."""
        kind = int.from_bytes(self.take(1), "big", signed=True)
        return {"ext": kind, "value": self.take(length)}


_RANGES: Final[tuple[tuple[int, int, Callable[[_Reader, int, int], Value]], ...]] = (
    (0x00, 0x80, lambda _, low, __: low),
    (0x80, 0x90, lambda reader, low, depth: reader.pairs(low, depth)),
    (0x90, 0xA0, lambda reader, low, depth: reader.many(low, depth)),
    (0xA0, 0xC0, lambda reader, low, _: reader.text(low)),
    (0xC4, 0xC7, lambda reader, low, _: reader.take(reader.number(1 << low))),
    (0xC7, 0xCA, lambda reader, low, _: reader.extension(reader.number(1 << low))),
    (0xD4, 0xD9, lambda reader, low, _: reader.extension(1 << low)),
    (0xD9, 0xDC, lambda reader, low, _: reader.text(reader.number(1 << low))),
    (0xDC, 0xDE, lambda reader, low, depth: reader.many(reader.number(2 << low), depth)),
    (0xDE, 0xE0, lambda reader, low, depth: reader.pairs(reader.number(2 << low), depth)),
    (0xE0, 0x100, lambda _, low, __: low - 0x20),
)
"""First type and the one after the last, and what reads a value from how far it is into them."""
