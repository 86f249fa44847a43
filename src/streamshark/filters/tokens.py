"""The tokens of a display filter."""

import re
import sys
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from streamshark.filters.error import FilterError
from streamshark.filters.nodes import ARITHMETIC, JUNCTIONS, RELATIONS, SEARCHES, Interval

MOST_LAYER: Final = 255
"""The highest layer that `#` takes."""
_WIDEST: Final = 2**31
"""Offsets of slices are smaller."""

KEYWORDS: Final = frozenset(
    each
    for table in (RELATIONS, SEARCHES, JUNCTIONS, ARITHMETIC)
    for each in table
    if each.isidentifier()
) | {"not", "in", "any", "all"}
"""Words that are operators."""
_OPERATORS: Final = (
    "===", "!==", "==", "!=", ">=", "<=", "&&", "||", "^^", "..",
    "!", ">", "<", "~", "&", "+", "-", "*", "/", "%", "(", ")", "{", "}", ",", "@",
)  # fmt: skip
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>[rR]?"(?:[^"\\]|\\.)*")
    |(?P<character>'(?:[^'\\]|\\.)*')
    |(?P<layers>\#(?:\[[^\]]*\]|\d+))
    |(?P<range>\[[^\]]*\])
    |(?P<reference>\$(?:\{[^}]*\}|[A-Za-z_](?:[\w-]|\.(?!\.))*))
    |(?P<float>\d+(?:\.\d+)?[eE]\+\d+)
    |(?P<word>(?:[A-Za-z0-9_:]|\.(?=[A-Za-z0-9_]))(?:[\w:-]|\.(?!\.))*)
    |(?P<operator>"""
    + "|".join(map(re.escape, _OPERATORS))
    + ")",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_ADDRESS: Final = re.compile(r"(?:\d+\.){3}\d+|[0-9A-Fa-f:.]*::?[0-9A-Fa-f:.]*", re.ASCII)
_PREFIX: Final = re.compile(r"/\d+", re.ASCII)
_INTEGER: Final = re.compile(r"0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*", re.ASCII)
_FLOAT: Final = re.compile(r"\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+", re.ASCII)
_PART: Final = re.compile(
    r"\s*(?P<first>[+-]?\w+)?\s*(?:(?P<mark>[:-])\s*(?P<second>[+-]?\w+)?)?\s*", re.ASCII
)
_ESCAPE: Final = re.compile(
    rb"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{1,2})|u(?P<u4>[0-9a-fA-F]{4})"
    rb"|U(?P<u8>[0-9a-fA-F]{8})|(?P<one>.))",
    re.DOTALL,
)
_NAMED: Final = {
    b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v",
    b"'": b"'", b'"': b'"', b"\\": b"\\",
}  # fmt: skip
_FIRST_UNIVERSAL: Final = 0xA0
"""The lowest code point that an escape may name, but for `$`, `@` and a backtick."""


class Token(NamedTuple):
    """A token: `text[start:end]` of the filter."""

    kind: str
    """`operator` (keywords too), `word`, `integer`, `float`, `string`, `character`, `range`,
    `layers`, `reference` or `end`."""
    text: str
    value: Any
    """The text of a string, the number, the intervals of a range, the name of a reference."""
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a filter; the last one is of the kind `end`.

    Raises:
        FilterError: A character begins no token, or a value is malformed.
    """
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _malformed(text, at)
        kind, end = str(found.lastgroup), found.end()
        if kind == "word" and _ADDRESS.fullmatch(found[0]):
            prefix = _PREFIX.match(text, end)
            end = prefix.end() if prefix else end
        if kind != "space":
            yield _token(kind, text, at, end)
        at = end
    yield Token("end", "", None, len(text), len(text))


def _malformed(text: str, at: int) -> FilterError:
    """Return the error of a character that begins no token."""
    unfinished = {'"': "string", "'": "character", "[": "slice", "$": "reference"}
    what = unfinished.get(text[at])
    if what is not None:
        return FilterError(f"this {what} is not ended", text, at, len(text))
    if text[at] == "#":
        return FilterError("# needs the number of a layer: #2, or #[1-2]", text, at, at + 1)
    if text[at] == "=":
        return FilterError('"=" is no operator', text, at, at + 1, suggestion="==")
    if text[at] == "|":
        return FilterError('"|" is no operator', text, at, at + 1, suggestion="||")
    return FilterError(f"unexpected character {text[at]!a}", text, at, at + 1)


def _token(kind: str, text: str, start: int, end: int) -> Token:
    """Return a token with its value."""
    own = text[start:end]
    value: Any = None
    match kind:
        case "word":
            kind, value = _word(own)
        case "float":
            value = float(own)
        case "string":
            value = own[2:-1] if own[0] in "rR" else _unescaped(text, start, end)
            value = value.replace('\\"', '"') if own[0] in "rR" else value
        case "character":
            value = _unescaped(text, start, end)
            if len(value.encode(errors="surrogateescape")) != 1:
                raise FilterError("a character is one byte", text, start, end)
        case "range":
            value = _intervals(text, start, end)
        case "layers":
            value = _layers(text, start, end)
        case "reference":
            value = own.strip("${}")
    return Token(kind, own, value, start, end)


def _word(own: str) -> tuple[str, int | float | None]:
    """Return the kind of a word, and its value if it is a number."""
    if own in KEYWORDS:
        return "operator", None
    if _INTEGER.fullmatch(own):
        is_octal = own[0] == "0" and own.isdecimal()
        return "integer", int(own, 8 if is_octal else 0)
    if _FLOAT.fullmatch(own):
        return "float", float(own)
    return "word", None


def _unescaped(text: str, start: int, end: int) -> str:
    """Return the value of a string or character; bytes that are no UTF-8 as surrogates."""

    def escaped(found: re.Match[bytes]) -> bytes:
        if found["octal"]:
            return bytes([int(found["octal"], 8) & 0xFF])
        if found["hex"]:
            return bytes([int(found["hex"], 16)])
        if found["one"] in _NAMED:
            return _NAMED[found["one"]]
        code = int(found["u4"] or found["u8"] or b"0", 16)
        if _is_universal(code):
            return chr(code).encode()
        shown = found[0].decode(errors="replace")
        raise FilterError(f"{shown} is no escape sequence", text, start, end)

    data = text[start + 1 : end - 1].encode(errors="surrogateescape")
    return _ESCAPE.sub(escaped, data).decode(errors="surrogateescape")


def _is_universal(code: int) -> bool:
    """Return whether an escape may name a code point, as in C."""
    if code < _FIRST_UNIVERSAL:
        return code in b"$@`"
    return code <= sys.maxunicode and not 0xD800 <= code <= 0xDFFF  # noqa: PLR2004 - surrogates


def _intervals(text: str, start: int, end: int) -> tuple[Interval, ...]:
    """Return the parts of `[0:2, 4-5, 9:]`."""
    inside = text[start + 1 : end - 1]
    return tuple(_interval(part, text, start, end) for part in inside.split(","))


def _interval(part: str, text: str, start: int, end: int) -> Interval:
    found = _PART.fullmatch(part)
    if found is None or not part.strip():
        raise FilterError(
            "a slice is [i:length], [i-end], [i], [:length] or [i:]", text, start, end
        )
    first = _offset(found["first"], text, start, end) if found["first"] else None
    second = _offset(found["second"], text, start, end) if found["second"] else None
    if found["mark"] is None:
        return Interval(first or 0, 1)
    if found["mark"] == ":":
        if second is not None and second <= 0:
            raise FilterError(f"the length {second} is not positive", text, start, end)
        return Interval(first or 0, second)
    if first is None or second is None:
        raise FilterError("a range has two ends: [2-5]", text, start, end)
    if (first < 0) == (second < 0) and first > second:
        raise FilterError(f"the range {first}-{second} ends before it begins", text, start, end)
    return Interval(first, None, second)


def _offset(written: str, text: str, start: int, end: int) -> int:
    try:
        value = int(written, 0)
    except ValueError:
        raise FilterError(f'"{written}" is no offset', text, start, end) from None
    if not -_WIDEST < value < _WIDEST:
        raise FilterError(f"the offset {written} is too large", text, start, end)
    return value


def _layers(text: str, start: int, end: int) -> tuple[Interval, ...]:
    """Return the layers of `#2` or `#[1-2, 4]`."""
    if text[start + 1] == "[":
        return _intervals(text, start + 1, end)
    number = text[start + 1 : end]
    if len(number) > len(str(MOST_LAYER)) or int(number) > MOST_LAYER:
        raise FilterError(f"a layer is at most {MOST_LAYER}", text, start, end)
    return (Interval(int(number), 1),)
