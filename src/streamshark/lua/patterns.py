"""Prints regular expressions of Python as steps that plugins match, since Lua has no alternatives.

A plugin reads text as bytes: each byte of a character beyond ASCII is a letter, as the character
mostly is.
"""

import re
from collections.abc import Iterable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

_WORD: Final = b"%w_"
_BEYOND: Final = b"\x80-\xff"
"""Bytes of characters beyond ASCII."""
_CLASSES: Final = {
    op.CATEGORY_DIGIT: b"%d", op.CATEGORY_NOT_DIGIT: b"%D", op.CATEGORY_SPACE: b"%s",
    op.CATEGORY_NOT_SPACE: b"%S", op.CATEGORY_WORD: _WORD,
}  # fmt: skip
_FLAGS: Final = re.IGNORECASE | re.UNICODE | re.DOTALL
"""Flags that are read; others change what a pattern means."""
_MAGIC: Final = frozenset(b"^$()%.[]*+-?")

Step = tuple[object, ...]
"""What has to match at a place: its kind, and its parts."""


def steps_of(pattern: re.Pattern[Any]) -> list[Step]:
    """Return the steps of a pattern, which `patterns.lua` matches one after the other."""
    if pattern.flags & ~_FLAGS:
        raise ValueError(f"plugins cannot match {pattern}")
    return list(_Steps(pattern).of(parser.parse(pattern.pattern, pattern.flags), pattern.flags))


class _Steps:
    """Prints the parts of one pattern."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self.pattern = pattern
        self.beyond = _BEYOND if isinstance(pattern.pattern, str) else b""

    def of(self, parts: Iterable[tuple[Any, Any]], flags: int) -> Iterator[Step]:
        """Yield the steps of a sequence; characters in a row are one step."""
        run = b""
        for kind, given in parts:
            one = self.one(kind, given, flags)
            if one is not None:
                run += one
                continue
            if run:
                yield ("text", run)
            run = b""
            yield from self.step(kind, given, flags)
        if run:
            yield ("text", run)

    def step(self, kind: Any, given: Any, flags: int) -> Iterator[Step]:  # noqa: ANN401 - of `re`
        """Yield the steps of a part that is no single character."""
        match kind, given:
            case op.BRANCH, (_, branches):
                yield ("either", [list(self.of(each, flags)) for each in branches])
            case op.SUBPATTERN, (group, added, removed, inner):
                steps = list(self.of(inner, (flags | added) & ~removed))
                if group is None:
                    yield from steps
                else:
                    yield ("group", group, steps)
            case ((op.MAX_REPEAT | op.MIN_REPEAT), (least, most, inner)):
                one = self.one(inner[0][0], inner[0][1], flags) if len(inner) == 1 else None
                name = "run" if one is not None else "repeat"
                what = one if one is not None else list(self.of(inner, flags))
                bound = -1 if most is op.MAXREPEAT else int(most)
                yield (name, what, int(least), bound)
            case op.AT, op.AT_BOUNDARY:
                yield ("edge", b"[" + _WORD + self.beyond + b"]")
            case op.ASSERT_NOT, (1, inner):
                yield ("unless", list(self.of(inner, flags)))
            case _:
                raise ValueError(f"plugins cannot match {kind} of {self.pattern}")

    def one(self, kind: Any, given: Any, flags: int) -> bytes | None:  # noqa: ANN401 - of `re`
        """Return the class of a part that is a single character, for Lua; None of all others."""
        match kind:
            case op.LITERAL:
                return self.literal(given, flags)
            case op.ANY:
                return b"." if flags & re.DOTALL else b"[^\n]"
            case op.IN:
                return self.members(given, flags)
        return None

    def literal(self, code: int, flags: int) -> bytes:
        """Return a character, in either case if the pattern ignores case."""
        printed = self.cases(code, flags)
        return printed[0] if len(printed) == 1 else b"[" + b"".join(printed) + b"]"

    def cases(self, code: int, flags: int) -> list[bytes]:
        """Return a character as itself, or in both cases if the pattern ignores case."""
        one = chr(code).encode() if self.beyond else bytes([code])
        every = {one.lower(), one.upper()} if flags & re.IGNORECASE else {one}
        return [_escaped(each) for each in sorted(every)]

    def members(self, given: list[tuple[Any, Any]], flags: int) -> bytes:
        """Return a class of characters."""
        out = b""
        for kind, each in given:
            match kind, each:
                case op.NEGATE, _:
                    out += b"^"
                case op.LITERAL, code:
                    out += b"".join(self.cases(code, flags))
                case op.RANGE, (low, high):
                    out += self.range(low, high, flags)
                case op.CATEGORY, name:
                    out += _CLASSES[name] + (self.beyond if name is op.CATEGORY_WORD else b"")
        return b"[" + out + b"]"

    @staticmethod
    def range(low: int, high: int, flags: int) -> bytes:
        """Return a range of characters, in both cases if the pattern ignores case."""
        both = [f"{chr(low)}-{chr(high)}"]
        if flags & re.IGNORECASE and chr(low).isalpha():
            both = [each for text in both for each in (text.lower(), text.upper())]
        return "".join(both).encode()


def _escaped(data: bytes) -> bytes:
    return b"".join(b"%%%c" % each if each in _MAGIC else b"%c" % each for each in data)
