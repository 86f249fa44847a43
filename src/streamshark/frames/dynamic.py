"""What the generated decoders call: complaints, encodings, and shapes that go by tables at run time.

`sink` is None in the fast form, where anything odd raises `Stop`; in the careful form it is the
pair (ranges, problems) that the function adds to.
"""

import struct
import zlib
from typing import Any

import google_crc32c

from streamshark.frames.printer import UNDECODED
from streamshark.schema import nodes
from streamshark.schema.lines import BLANKS, MAX_DIGITS
from streamshark.schema.problems import Code, Problem
from streamshark.schema.protobuf import FIXED, LENGTHS, MAX_VARINT, UNKNOWN, VARINTS, WIRE_TYPES

Range = tuple[int, int, int, Any]
"""Node id, first byte, byte after the last, value (None for anonymous bytes)."""
Ranges = list[Range]
Problems = list[Problem]
Sink = tuple[Ranges, Problems] | None
Values = dict[str, Any]


class Stop(Exception):  # noqa: N818 - not an error: the decoder changes its way
    """Decoding cannot go on here."""


ODD = (Stop, UnicodeDecodeError, struct.error, IndexError, OverflowError)
"""What the fast form may raise; each means: ask careful."""

MESSAGES = {
    "SHORT": "{0} bytes are needed, {length} are left",
    "TRAILING": "{length} bytes are left when every field has been read",
    "COUNT": "{0} items are announced, {1} are there",
    "CLAIM": "{0} is written, the bytes say {1}",
    "LIMIT": "{0} is over the limit of {1}",
    "NEGATIVE": "a length or count of {0}",
    "TEXT": "not valid {0}",
    "LITERAL": "the fixed bytes differ",
    "VERB": "the line does not start with {0}",
    "ARGS": "{0} arguments do not fit this line",
    "NUMBER": "{0} is not a decimal number of at most nine digits",
    "NO_FIT": "no known layout uses up these {length} bytes",
    "VARINT": "a variable-length integer has no end",
    "WIRE_TYPE": "a protobuf tag of number {0} and wire type {1}",
    "CHECKSUM": "{0:#010x} is written, the bytes give {1:#010x}",
}


def problem(  # noqa: PLR0913 - code, place and values, from one line of generated text
    problems: Problems, code: str, node: int, offset: int, length: int, *values: object
) -> None:
    """Note a problem."""
    message = MESSAGES[code].format(*values, length=length)
    problems.append(Problem(Code[code], node, offset, length, message))


def short(problems: Problems, node: int, offset: int, left: int, wanted: int) -> None:
    """Note that bytes are missing, and stop."""
    problem(problems, "SHORT", node, offset, left, wanted)
    raise Stop


def negative(problems: Problems, node: int, offset: int, length: int, value: int) -> None:
    """Note a negative length, and stop."""
    problem(problems, "NEGATIVE", node, offset, length, value)
    raise Stop


def undecoded(ranges: Ranges, start: int, end: int) -> None:
    """Give the bytes after the last range to nobody."""
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
    """Java's modified UTF-8: NUL as C0 80, supplementary characters as two surrogates."""
    if data.isascii():
        return data.decode("ascii")
    text = data.replace(b"\xc0\x80", b"\x00").decode("utf-8", "surrogatepass")
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def measure(value: Any) -> int:
    """Bytes or items of a value; 0 when it is absent or null."""
    if not value:
        return 0
    return len(value.encode()) if isinstance(value, str) else len(value)


def crc32(data: bytes) -> int:
    """CRC-32 (IEEE 802.3)."""
    return zlib.crc32(data)


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli)."""
    return int(google_crc32c.value(data))


def fail(sink: Sink, code: str, node: int, offset: int, length: int, *values: object) -> None:  # noqa: PLR0913
    """Stop, with a problem in the careful form."""
    if sink is not None:
        problem(sink[1], code, node, offset, length, *values)
    raise Stop


# Protobuf


def varint(b: bytes, p: int, e: int, node: int, sink: Sink) -> tuple[int, int]:
    """A base-128 number and where it ends."""
    value, shift, start = 0, 0, p
    while p < e:
        byte = b[p]
        p += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            return value & 0xFFFF_FFFF_FFFF_FFFF, p
        shift += 7
        if p - start == MAX_VARINT:
            fail(sink, "VARINT", node, start, p - start)
    fail(sink, "SHORT", node, start, e - start, e - start + 1)
    raise Stop


def message(b: bytes, p: int, e: int, node: nodes.MessageNode, out: Values, sink: Sink) -> int:  # noqa: PLR0913
    """Fields by number up to `e`; returns `e`."""
    while p < e:
        start = p
        tag, p = varint(b, p, e, node.id, sink)
        number, wire_type = tag >> 3, tag & 7
        if not number or wire_type not in (0, 1, 2, 5):
            fail(sink, "WIRE_TYPE", node.id, start, p - start, number, wire_type)
        each = node.fields.get(number)
        if each is None:
            p = _unknown(b, (start, p, e), (number, wire_type), node, out, sink)
        elif wire_type == WIRE_TYPES[each.kind]:
            value, p = _value(b, (start, p, e), each, sink, out)
            if each.repeated:
                out.setdefault(each.name, []).append(value)
            elif each.message is None:
                out[str(each.name)] = value
        elif each.repeated and wire_type == 2 and each.kind not in LENGTHS:  # noqa: PLR2004
            p = _packed(b, (start, p, e), each, out, sink)
        else:
            p = _unknown(b, (start, p, e), (number, wire_type), node, out, sink)
    return p


Place = tuple[int, int, int]
"""Where the tag starts, where it ends, where the message ends."""


def _bounded(b: bytes, at: Place, node: int, sink: Sink) -> tuple[int, int]:
    """Start and end of a length-delimited value."""
    _, p, e = at
    count, p = varint(b, p, e, node, sink)
    if count > e - p:
        fail(sink, "SHORT", node, p, e - p, count)
    return p, p + count


def _value(  # noqa: C901 - one branch a wire shape
    b: bytes, at: Place, each: nodes.ProtoNode, sink: Sink, out: Values
) -> tuple[Any, int]:
    start, p, e = at
    value: Any
    if each.kind in VARINTS:
        begin = p
        value, p = varint(b, p, e, each.id, sink)
        value = _number(each.kind, value)
    elif each.kind in FIXED:
        begin = p
        size = 4 if WIRE_TYPES[each.kind] == 5 else 8  # noqa: PLR2004
        if e - p < size:
            fail(sink, "SHORT", each.id, p, e - p, size)
        value = struct.unpack_from(FIXED[each.kind], b, p)[0]
        p += size
    else:
        begin, end = _bounded(b, at, each.id, sink)
        if each.message is not None:
            return _nested(b, (start, begin, end), each, sink, out), end
        p = end
        value = b[begin:end]
        if each.kind == "string":
            value = value.decode() if sink is None else decoded(
                sink[1], each.id, begin, value, "utf-8"
            )  # fmt: skip
    if sink is not None:
        sink[0].append((each.id, start, begin, None))
        sink[0].append((each.id, begin, p, value))
    return value, p


def _nested(b: bytes, at: Place, each: nodes.ProtoNode, sink: Sink, out: Values) -> Values:
    """A message inside; a stop inside ends only it. A repeated singular one starts anew."""
    start, begin, end = at
    inner: Values = {}
    if not each.repeated:
        out[str(each.name)] = inner
    if sink is None:
        message(b, begin, end, _message(each), inner, None)
        return inner
    sink[0].append((each.id, start, begin, None))
    try:
        message(b, begin, end, _message(each), inner, sink)
    except Stop:
        undecoded(sink[0], begin, end)
    return inner


def _message(each: nodes.ProtoNode) -> nodes.MessageNode:
    if each.message is None:
        raise Stop
    return each.message


def _packed(b: bytes, at: Place, each: nodes.ProtoNode, out: Values, sink: Sink) -> int:
    p, end = _bounded(b, at, each.id, sink)
    if sink is not None:
        sink[0].append((each.id, at[0], p, None))
    items = out.setdefault(each.name, [])
    while p < end:
        value, p = _value(b, (p, p, end), each, sink, out)
        items.append(value)
    return end


def _unknown(  # noqa: PLR0913
    b: bytes, at: Place, tag: tuple[int, int], node: nodes.MessageNode, out: Values, sink: Sink
) -> int:
    start, p, e = at
    number, wire_type = tag
    value: Any
    begin = p
    if wire_type == 0:
        value, p = varint(b, p, e, node.id, sink)
    else:
        if wire_type == 2:  # noqa: PLR2004 - wire types are the document's numbers
            begin, p = _bounded(b, at, node.id, sink)
        else:
            size = 8 if wire_type == 1 else 4
            if e - p < size:
                fail(sink, "SHORT", node.id, p, e - p, size)
            p += size
        value = b[begin:p]
    out.setdefault(UNKNOWN, []).append({"number": number, "wire_type": wire_type, "value": value})
    if sink is not None:
        sink[0].append((node.id, start, begin, None))
        sink[0].append((node.unknown.id, begin, p, value))
    return p


def _number(kind: str, value: int) -> int:
    """A varint as its type means it."""
    match kind:
        case "bool":
            return int(value != 0)
        case "sint32" | "sint64":
            return (value >> 1) ^ -(value & 1)
        case "uint64":
            return value
        case "uint32":
            return value & 0xFFFF_FFFF
        case "int64":
            return value - (1 << 64) if value >> 63 else value
        case _:
            value &= 0xFFFF_FFFF
            return value - (1 << 32) if value >> 31 else value


# Text lines


def line(b: bytes, p: int, e: int, node: nodes.LineNode, out: Values, sink: Sink) -> int:  # noqa: PLR0913
    """Verb and arguments up to the line's end; returns the byte after it."""
    end = b.find(b"\n", p, e)
    if end < 0:
        fail(sink, "SHORT", node.id, p, e - p, e - p + 1)
    text = b[p : end - 1 if end > p and b[end - 1] == 13 else end]  # noqa: PLR2004 - CR
    size = len(node.verb)
    if text[:size].upper() != node.verb.upper().encode() or text[size : size + 1] not in (
        b"", b" ", b"\t",
    ):  # fmt: skip
        fail(sink, "VERB", node.id, p, len(text), node.verb)
    rest = bool(node.arguments) and node.arguments[-1].kind == "rest"
    tokens = _tokens(text, size, len(node.arguments) if rest else 0)
    present = _present(node, len(tokens))
    if present is None:
        fail(sink, "ARGS", node.id, p, len(text), len(tokens))
    last = p
    for each, (start, data) in zip(present or (), tokens, strict=True):
        at = p + start
        out[str(each.name)] = value = _argument(each, at, data, sink)
        if sink is not None:
            if last < at:
                sink[0].append((node.id, last, at, None))
            last = at + len(data)
            sink[0].append((each.id, at, last, value))
    if sink is not None:
        sink[0].append((node.id, last, end + 1, None))
    return end + 1


def _argument(each: nodes.ArgumentNode, at: int, data: bytes, sink: Sink) -> Any:
    if each.kind == "number":
        if not data.isdigit() or len(data) > MAX_DIGITS:
            fail(sink, "NUMBER", each.id, at, len(data), ascii(data.decode("latin-1")))
        return int(data)
    return data.decode() if sink is None else decoded(sink[1], each.id, at, data, "utf-8")


def _tokens(text: bytes, at: int, most: int) -> list[tuple[int, bytes]]:
    """Tokens with their offsets; with `most` the last takes the rest, empty if nothing is left."""
    out: list[tuple[int, bytes]] = []
    end = len(text)
    while True:
        while at < end and text[at] in BLANKS:
            at += 1
        if most and len(out) == most - 1:
            out.append((at, text[at:]))
            return out
        if at == end:
            return out
        start = at
        while at < end and text[at] not in BLANKS:
            at += 1
        out.append((start, text[start:at]))


def _present(node: nodes.LineNode, count: int) -> list[nodes.ArgumentNode] | None:
    """Which arguments `count` tokens are: optional ones are filled from the front."""
    spare = count - sum(not each.optional for each in node.arguments)
    if spare < 0:
        return None
    out = []
    for each in node.arguments:
        if each.optional and spare == 0:
            continue
        spare -= each.optional
        out.append(each)
    return out if spare == 0 else None


def headers(b: bytes, p: int, e: int, node: nodes.HeadersNode, out: Values, sink: Sink) -> int:  # noqa: PLR0913
    """A header block up to `e`; returns `e`."""
    version = node.version.encode()
    if not b.startswith(version, p, e) or b[max(p, e - 4) : e] != b"\r\n\r\n":
        fail(sink, "ARGS", node.id, p, e - p, "header block:")
    first_end = b.index(b"\r\n", p)
    status, _, description = b[p + len(version) : first_end].strip(b" \t").partition(b" ")
    ranges: Ranges = [(node.id, p, first_end + 2, None)]
    parts = ((node.status, status), (node.description, description.strip()))
    for each, data in parts:
        if data:
            out[str(each.name)] = _text(each, p, data, sink)
    pairs: list[Values] = []
    at = first_end + 2
    while at < e - 2:
        end = b.index(b"\r\n", at)
        key, colon, value = b[at:end].partition(b":")
        if not colon or not key:
            fail(sink, "ARGS", node.id, at, end - at, "header line:")
        names = nodes.children(node.headers.item)
        pairs.append({
            "key": _text(names[0], at, key, sink),
            "value": _text(names[1], at + len(key) + 1, value.strip(b" \t"), sink),
        })  # fmt: skip
        ranges.append((names[0].id, at, at + len(key), pairs[-1]["key"]))
        ranges.append((names[1].id, at + len(key), end + 2, pairs[-1]["value"]))
        at = end + 2
    out["headers"] = pairs
    if sink is not None:
        sink[0].extend(ranges)
        sink[0].append((node.id, at, e, None))
    return e


def _text(node: nodes.Node, at: int, data: bytes, sink: Sink) -> str:
    return data.decode() if sink is None else decoded(sink[1], node.id, at, data, "utf-8")
