"""Single values at random, boundaries often: what `samples` draws from."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from random import Random
from typing import Any, Final, TypeVar

from streamshark.schema.protobuf import FIXED

T = TypeVar("T")
SIZES = (0, 1, 2, 3, 7, 16, 127, 128, 255, 256, 300)
"""Lengths at which something changes, and a few others."""
PIECES = {
    "utf-8": ("a", "z", "ß", "流", "🦈", " "),
    "ascii": ("a", "z", "/", " "),
    "mutf-8": ("a", "z", "ß", "流", "🦈", "\0"),
}
"""Encoding to characters of every length that it has."""
MAX_DEPTH = 5
"""Most drawn messages inside messages."""


class RandomValues:
    """A source of values; `lean` draws the least of everything, `full` whatever may be there."""

    def __init__(self, random: Random, mode: Sequence[str] = ()) -> None:
        self.random = random
        self.mode = mode[0] if mode else "any"
        self.least = 0
        """Fewest bytes or items of the next blob or list."""
        self._depth = 0
        self._ended = False

    def loosen(self) -> None:
        """After draws that did not go together: be random."""
        self.mode = "any"
        self._ended = False

    # Choices

    def coin(self) -> bool:
        """Draw true or false with equal probability."""
        if self.mode == "any":
            return self.random.random() < 0.5  # noqa: PLR2004
        return self.mode == "full"

    def rarely(self) -> bool:
        """Draw true with a probability of one in eight."""
        return self.mode == "any" and self.random.random() < 0.125  # noqa: PLR2004

    def choice(self, of: Sequence[T]) -> T:
        """One of several: the first when lean, the last when full."""
        if self.mode == "any":
            return self.random.choice(of)
        return of[0] if self.mode == "lean" else of[-1]

    def few(self, most: int) -> int:
        """Draw a number up to and including `most`."""
        return self.choice(range(most + 1))

    def items(self) -> int:
        """How many items a list has."""
        return 20 if self.rarely() else self.choice((0, 1, 2, 3))

    def ends_here(self) -> bool:
        """Whether the region's tails end here; once they do, they have ended."""
        if not self._ended:
            self._ended = self.mode == "lean" or (self.mode == "any" and self.few(3) == 0)
        return self._ended

    @contextmanager
    def region(self) -> Iterator[None]:
        """Draw a region with tails of its own."""
        outer, self._ended = self._ended, False
        yield
        self._ended = outer

    def deeper(self) -> bool:
        """Go into a nested message, if it is not too deep; `shallower` comes back."""
        if self._depth >= MAX_DEPTH:
            return False
        self._depth += 1
        return True

    def shallower(self) -> None:
        """Come back from `deeper`."""
        self._depth -= 1

    # Values

    def number(self, least: int, most: int, compared: AbstractSet[int] | tuple[int, ...]) -> int:
        """Draw a number: one of a comparison, a boundary, or any."""
        fitting = sorted(each for each in compared if least <= each <= most)
        if fitting and self.mode == "any" and self.coin():
            return self.random.choice(fitting)
        if self.mode == "any" and self.coin():
            return self.random.randint(least, most)
        return self.choice(sorted({max(least, 0), least, min(1, most), most}, key=abs))

    def size(self, most: int) -> int:
        """Draw a length."""
        if self.mode == "any" and not self.rarely():
            return min(most, self.random.randint(0, 12))
        return self.choice([each for each in SIZES if each <= most])

    def bytes(self, size: int) -> bytes:
        """Any bytes."""
        return bytes(size) if self.mode == "lean" else self.random.randbytes(size)

    def text(self, size: int, encoding: str) -> str:
        """Text of exactly `size` bytes in its encoding."""
        out = ""
        pieces = PIECES[encoding]
        while size:
            piece = self.choice(pieces)
            taken = _size(piece, encoding)
            if taken > size:
                piece, taken = "a", 1
            out += piece
            size -= taken
        return out

    def token(self) -> str:
        """Characters without blanks, as in a text line."""
        return "".join(self.random.choice("abz.>*$_ß") for _ in range(1 + self.few(8)))

    def argument(self, kind: str) -> Any:
        """Draw an argument of a text line, or a member of its JSON object."""
        if kind in _ARGUMENTS:
            return self.choice(_ARGUMENTS[kind])
        match kind:
            case "tokens":
                return [self.token() for _ in range(self.few(3))]
            case "rest" | "quoted":
                return " ".join(self.token() for _ in range(self.few(3)))
            case _:
                return self.token()

    def proto(self, kind: str) -> Any:
        """Draw a protobuf scalar, text or bytes."""
        match kind:
            case "string":
                return self.text(self.size(300), "utf-8")
            case "bytes":
                return self.bytes(self.size(300))
            case "bool":
                return int(self.coin())
            case "float" | "double":
                form = FIXED[kind]
                return struct.unpack(form, struct.pack(form, self.random.uniform(-9, 9)))[0]
            case _:
                bits = 64 if kind.endswith("64") else 32
                if kind.startswith(("u", "fixed")):
                    return self.number(0, (1 << bits) - 1, ())
                return self.number(-(1 << bits - 1), (1 << bits - 1) - 1, ())

    def unknown_field(self, number: int) -> dict[str, Any]:
        """Draw a protobuf field that no schema declares."""
        wire_type = self.choice((0, 1, 2, 5))
        value: Any = self.number(0, (1 << 64) - 1, ())
        if wire_type:
            value = self.bytes({1: 8, 5: 4}.get(wire_type) or self.size(300))
        return {"number": number, "wire_type": wire_type, "value": value}


def _size(piece: str, encoding: str) -> int:
    """Bytes of one character."""
    if encoding == "mutf-8":
        return {"\0": 2, "🦈": 6}.get(piece, len(piece.encode()))
    return len(piece.encode(encoding))


_ARGUMENTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "number": (0, 1, 10, 999_999_999),
    "integer": (0, -1, 1 << 31, (1 << 63) - 1, -(1 << 63)),
    "boolean": (False, True),
    "json": ('""', "[]", '{"a":[1.5e3,null]}', "true", '"\\u00e4"'),
}
"""Kind of an argument to values of it."""
