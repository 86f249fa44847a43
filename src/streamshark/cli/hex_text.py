r"""Parses bytes pasted as hex, in any of the usual notations.

Supported are plain hex in any grouping (blanks, colons, commas, dashes, `0x`, brackets, C braces);
`\x41` escapes and Python's bytes literals; and dumps with an offset column, whose ASCII column is
dropped: xxd, `hexdump -C`, `od -A x -t x1`, tcpdump -x and -X, tshark -x and Wireshark's copies.
"""

import ast
import itertools
import re
from typing import NamedTuple

from streamshark.errors import StreamsharkError

_LITERAL = re.compile(
    r"""\bb(?P<quote>'''|\"\"\"|'|")(?:\\.|(?!(?P=quote)).)*(?P=quote)""", re.DOTALL
)
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")
_ESCAPED_ONLY = re.compile(r"(?:\\x[0-9a-fA-F]{2}|[\s\"',;+\\])*")
_COMMENT = re.compile(r"^\s*(?:#|//).*$", re.MULTILINE)
_BETWEEN = re.compile(r"[\s:,;{}()\[\]\"'_-]+")
_PREFIX = re.compile(r"\b0[xX](?=[0-9a-fA-F])")
_DUMP = re.compile(
    r"^\s*(?:0x)?(?P<offset>[0-9a-fA-F]{4,16})(?P<parted>:[ \t]*|[ \t]+)(?P<rest>.*)$"
)
_OFFSET_ALONE = re.compile(r"^\s*(?:0x)?[0-9a-fA-F]{4,16}:?\s*$")
_GROUP = re.compile(r"(?:[0-9a-fA-F]{2})+")
_SWAPPED = re.compile(r"^[0-9a-f]{7}(?: [0-9a-f]{4})+\s*$")


class _Line(NamedTuple):
    """One line of a dump."""

    offset: int
    data: bytes
    certain: bool
    """True if the offset is recognisable as one: a colon or two blanks follow it."""


def bytes_of(text: str, name: str) -> bytes:
    """Return the bytes that a text spells.

    >>> bytes_of("00 00:00,0x1d", "").hex()
    '0000001d'

    Raises:
        StreamsharkError: The text is not hex; the message names the place.
    """
    if found := list(_LITERAL.finditer(text)):
        return _literals([each[0] for each in found], name)
    if "\\x" in text:
        return _escapes(text, name)
    lines = text.splitlines()
    dump = [each for each in map(_dump_line, lines) if each]
    if _is_dump(dump, lines):
        if any(_SWAPPED.match(line) for line in lines):
            raise StreamsharkError(
                f"{_label(name)}looks like hexdump without -C, which swaps bytes; use hexdump -C"
            )
        return _dumped(dump, lines, name)
    return _plain(text, name)


def _label(name: str) -> str:
    return f"{name}: " if name else ""


def _literals(found: list[str], name: str) -> bytes:
    """Return the bytes of Python's bytes literals, one after the other."""
    try:
        return b"".join(ast.literal_eval(each) for each in found)
    except (SyntaxError, ValueError) as error:
        raise StreamsharkError(f"{_label(name)}invalid bytes literal: {error}") from None


def _escapes(text: str, name: str) -> bytes:
    r"""Parse `\x41` escapes; as in C, other characters between them are themselves."""
    if _ESCAPED_ONLY.fullmatch(text):
        return bytes(int(each, 16) for each in _ESCAPE.findall(text))
    try:
        inside = text.strip()
        if len(inside) > 1 and inside[0] == inside[-1] and inside[0] in "\"'":
            inside = inside[1:-1]
        return ast.literal_eval(f'b"{_unquoted(inside)}"')  # type: ignore[no-any-return]
    except (SyntaxError, ValueError) as error:
        raise StreamsharkError(f"{_label(name)}invalid \\x escapes: {error}") from None


def _unquoted(text: str) -> str:
    return re.sub(r'(?<!\\)"', r'\\"', text).replace("\n", "\\n")


def _plain(text: str, name: str) -> bytes:
    """Parse hex digits with any of the usual separators between them."""
    bare = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    bare = _PREFIX.sub("  ", bare)
    for number, line in enumerate(bare.splitlines(), 1):
        for column, letter in enumerate(line, 1):
            if not (letter in "0123456789abcdefABCDEF" or _BETWEEN.match(letter)):
                message = f"{letter!r} is not a hex digit (line {number}, column {column})"
                raise StreamsharkError(f"{_label(name)}{message}")
    words = [each for each in _BETWEEN.split(bare) if each]
    joined = "".join(words)
    if any(len(each) % 2 for each in words) and all(len(each) <= 2 for each in words):  # noqa: PLR2004
        joined = "".join(each.zfill(2) for each in words)
    if len(joined) % 2:
        raise StreamsharkError(f"{_label(name)}{len(joined)} hex digits: an even number is needed")
    return bytes.fromhex(joined)


# Dumps


def _dump_line(line: str) -> _Line | None:
    found = _DUMP.match(line)
    if not found or not _GROUP.match(found["rest"]):
        return None
    parted = found["parted"]
    certain = parted[0] == ":" or len(parted) > 1
    return _Line(int(found["offset"], 16), _columns(found["rest"]), certain)


def _columns(rest: str) -> bytes:
    """Parse the hex column of a line: groups with one blank between them, up to two blanks.

    `hexdump -C` and `od` have two blanks in the middle as well; there the ASCII column is
    delimited.
    """
    marked = re.search(r"\s[|>]", rest) if rest.rstrip()[-1:] in ("|", "<") else None
    if marked:
        rest = " ".join(rest[: marked.start()].split())
    digits, at = "", 0
    while (found := _GROUP.match(rest, at)) and rest[found.end() : found.end() + 1].strip() == "":
        digits += found[0]
        at = found.end() + 1
    return bytes.fromhex(digits)


def _is_dump(dump: list[_Line], lines: list[str]) -> bool:
    """Return whether the first column counts the bytes of the lines."""
    if not dump:
        return False
    steps = [
        (after.offset - before.offset, len(before.data))
        for before, after in itertools.pairwise(dump)
        if after.offset
    ]
    if not steps:
        certain = dump[0].offset == 0 and all(each.certain for each in dump)
        return certain or any(_ends(lines))
    repeats = any(line.strip() == "*" for line in lines)
    return all(0 < step <= size or (repeats and step > 0) for step, size in steps)


def _ends(lines: list[str]) -> list[int]:
    """Return the offsets on lines of their own, which give the number of bytes dumped."""
    return [int(line.strip(" :\t\r"), 16) for line in lines if _OFFSET_ALONE.match(line)]


def _dumped(dump: list[_Line], lines: list[str], name: str) -> bytes:
    """Return the bytes of a dump, without its offset and ASCII columns."""
    repeats = any(line.strip() == "*" for line in lines)
    ends = _ends(lines)
    out = b""
    for index, line in enumerate(dump):
        last = index + 1 == len(dump)
        after = (ends[-1] if ends else 0) if last else dump[index + 1].offset
        room = after - line.offset
        data = line.data
        if room > len(data) and not repeats:
            message = f"the line at offset {line.offset:#x} has {len(data)} bytes, not {room}"
            raise StreamsharkError(f"{_label(name)}{message}")
        if room > len(data) > 0:
            data *= room // len(data)
        out += data[:room] if room > 0 else data
    return out
