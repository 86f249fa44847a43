"""Functions that generated decoders call: problems, encodings, checksums and ranges.

Shapes that are read by tables at run time, `protobuf` and `text_lines`, build on it. Their `sink`
is None in the strict form, where anything malformed raises `Stop`; in the lax form it is the pair
(ranges, problems) that they add to.
"""

import struct
from typing import Any

from streamshark.decoding.code_printer import UNDECODED
from streamshark.schema.composites import checksum
from streamshark.schema.problems import Problem, ProblemCode

Range = tuple[int, int, int, Any]
"""Node id, first byte, byte after the last, value (None for anonymous bytes)."""
Ranges = list[Range]
Problems = list[Problem]
Sink = tuple[Ranges, Problems] | None
Values = dict[str, Any]


class Stop(Exception):  # noqa: N818 - not an error: the decoder changes its way
    """Decoding cannot continue here."""


ODD = (Stop, UnicodeDecodeError, struct.error, IndexError, OverflowError)
"""What the fast form may raise; each means: ask careful."""

MESSAGES = {
    "SHORT": "{0} bytes needed, {length} left",
    "TRAILING": "{length} trailing bytes after the last field",
    "COUNT": "{0} items announced, {1} present",
    "CLAIM": "{0} written, but the bytes give {1}",
    "LIMIT": "{0} exceeds the limit of {1}",
    "NEGATIVE": "negative length or count {0}",
    "NULL": "length -1: null is not allowed here",
    "TEXT": "not valid {0}",
    "LITERAL": "fixed bytes differ from those expected",
    "VERB": "the line does not start with {0}",
    "ARGS": "{0} arguments do not match this line",
    "NUMBER": "{0} is not a decimal number of at most nine digits",
    "NO_FIT": "no known layout uses up these {length} bytes",
    "VALUE": "{0}",
    "VARINT": "a variable-length integer has no end",
    "WIRE_TYPE": "a protobuf tag of number {0} and wire type {1}",
    "CHECKSUM": "checksum mismatch: {0:#010x} in the frame, {1:#010x} computed",
}


def problem(
    problems: Problems, code: str, node: int, offset: int, length: int, *values: object
) -> None:
    """Note a problem."""
    message = MESSAGES[code].format(*values, length=length)
    problems.append(Problem(ProblemCode[code], node, offset, length, message))


def short(problems: Problems, node: int, offset: int, left: int, wanted: int) -> None:
    """Note that bytes are missing, and stop."""
    problem(problems, "SHORT", node, offset, left, wanted)
    raise Stop


def negative(problems: Problems, node: int, offset: int, length: int, value: int) -> None:
    """Note a negative length, and stop."""
    problem(problems, "NEGATIVE", node, offset, length, value)
    raise Stop


def undecoded(ranges: Ranges, start: int, end: int) -> None:
    """Mark the bytes after the last range as undecoded."""
    at = max(start, ranges[-1][2]) if ranges else start
    if at < end:
        ranges.append((UNDECODED, at, end, None))


def place(ranges: Ranges, node: int) -> tuple[int, int]:
    """Offset and length of a node's latest range."""
    for each in reversed(ranges):
        if each[0] == node:
            return each[1], each[2] - each[1]
    return 0, 0


def decoded(problems: Problems, node: int, offset: int, data: bytes, encoding: str) -> str:
    """Text, with U+FFFD and a problem where it is not valid."""
    try:
        return mutf8(data) if encoding == "mutf-8" else data.decode(encoding)
    except UnicodeDecodeError:
        problem(problems, "TEXT", node, offset, len(data), encoding)
        return data.decode("utf-8" if encoding == "mutf-8" else encoding, "replace")


def mutf8(data: bytes) -> str:
    """Java's modified UTF-8: NUL as C0 80, supplementary characters as two surrogates.

    A character in four bytes is an error, as it is to Java.
    """
    if data.isascii():
        return data.decode("ascii")
    if max(data) >= 0xF0:  # noqa: PLR2004 - where four bytes begin
        raise UnicodeDecodeError("mutf-8", data, 0, len(data), "four bytes for a character")
    text = data.replace(b"\xc0\x80", b"\x00").decode("utf-8", "surrogatepass")
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def measure(value: Any) -> int:  # noqa: ANN401 - whatever a node gave
    """Bytes or items of a value; 0 when it is absent or null."""
    if not value:
        return 0
    return len(value.encode()) if isinstance(value, str) else len(value)


def total(items: list[Values] | None, name: str, absent: int) -> int:
    """One member of a list's items, added up; an item without it counts `absent`."""
    return sum(item.get(name, absent) for item in items or ())


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli)."""
    return checksum("crc32c", data)


def fail(sink: Sink, code: str, node: int, offset: int, length: int, *values: object) -> None:
    """Stop, with a problem in the careful form."""
    if sink is not None:
        problem(sink[1], code, node, offset, length, *values)
    raise Stop


def filled(ranges: Ranges, own: Ranges, start: int, end: int, node: int) -> None:
    """Add ranges, and between them the anonymous bytes of the node around them."""
    at = start
    for each in own:
        if at < each[1]:
            ranges.append((node, at, each[1], None))
        ranges.append(each)
        at = each[2]
    if at < end:
        ranges.append((node, at, end, None))
