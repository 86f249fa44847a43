"""Protobuf messages of the record decoder: a loop over tags, by tables at run time."""

import struct
from typing import Any, NamedTuple

from streamshark.decoding.runtime import Sink, Stop, Values, decoded, fail, undecoded
from streamshark.schema import nodes
from streamshark.schema.protobuf import FIXED, LENGTHS, MAX_VARINT, UNKNOWN, VARINTS, WIRE_TYPES

CONTINUES = 0x80
"""Set in every byte of a varint but the last."""
BOUNDED = 2
"""Wire type of what has a length before it."""
SIZES = {1: 8, 5: 4}
"""Wire type to bytes, where they are fixed."""


# The fast form: a tag's bytes select what to do


class FastField(NamedTuple):
    """A declared field, ready to be read."""

    name: str
    size: int
    """Bytes of its tag."""
    shape: int
    """Its wire type."""
    kind: str
    repeated: bool
    inner: "TagTable | None"


class TagTable(NamedTuple):
    """A message by the bytes of its tags, of which the first two are looked at."""

    node: nodes.MessageNode
    fields: dict[int, FastField]


def table_of(node: nodes.MessageNode) -> TagTable:
    """Return the table of a message; fields with longer tags are left to `message`."""
    fields: dict[int, FastField] = {}
    for number, each in node.fields.items():
        tag = number << 3 | WIRE_TYPES[each.kind]
        if tag < CONTINUES**2:
            size = 1 if tag < CONTINUES else 2
            key = tag if size == 1 else (tag & 0x7F | CONTINUES) | tag >> 7 << 8
            inner = None if each.message is None else table_of(each.message)
            fields[key] = FastField(
                str(each.name), size, WIRE_TYPES[each.kind], each.kind, each.repeated, inner
            )
    return TagTable(node, fields)


def quick(b: bytes, p: int, e: int, table: TagTable, out: Values) -> int:
    """Read a message as `message` does without a sink, but faster: return `e`, raise if malformed.

    From a field that the table lacks on, `message` continues.
    """
    fields = table.fields
    while p < e:
        tag = b[p]
        if tag >= CONTINUES and p + 1 < e:
            tag |= b[p + 1] << 8
        each = fields.get(tag)
        if each is None:
            return message(b, p, e, table.node, out, None)
        p += each.size
        if p >= e:
            raise Stop
        number = b[p]
        if each.shape in (0, BOUNDED):
            p += 1
            if number >= CONTINUES:
                number, p = varint(b, p - 1, e, 0, None)
        value, p = _quick_value(b, p, e, each, number, out)
        if each.repeated:
            out.setdefault(each.name, []).append(value)
        else:
            out[each.name] = value
    return p


def _quick_value(
    b: bytes, p: int, e: int, each: FastField, number: int, out: Values
) -> tuple[Any, int]:
    """Read a value; its varint, if it has one, was read and is the value or the length."""
    if each.shape == 0:
        return _number(each.kind, number), p
    size = number if each.shape == BOUNDED else SIZES[each.shape]
    end = p + size
    if end > e:
        raise Stop
    if each.inner is not None:
        inner: Values = {} if each.repeated else out.get(each.name, {})
        quick(b, p, end, each.inner, inner)
        return inner, end
    if each.shape == BOUNDED:
        return (b[p:end].decode() if each.kind == "string" else b[p:end]), end
    return struct.unpack_from(FIXED[each.kind], b, p)[0], end


# Any message


def is_message(data: bytes) -> bool:
    """Whether bytes are the fields of some message, from the first byte to the last."""
    p, e = 0, len(data)
    try:
        while p < e:
            tag, p = varint(data, p, e, 0, None)
            wire_type = tag & 7
            if not tag >> 3 or wire_type not in (0, BOUNDED, *SIZES):
                return False
            size, p = (SIZES[wire_type], p) if wire_type in SIZES else varint(data, p, e, 0, None)
            p += size if wire_type else 0
    except Stop:
        return False
    return p == e


# Both forms: tag by tag, with or without a sink


class _TagAt(NamedTuple):
    """A tag that was read, in one message."""

    node: nodes.MessageNode
    out: Values
    sink: Sink
    start: int
    """First byte of the tag."""
    end: int
    """End of the message."""


def varint(b: bytes, p: int, e: int, node: int, sink: Sink) -> tuple[int, int]:
    """Read a base-128 number; return it and where it ends."""
    value, shift, start = 0, 0, p
    while p < e:
        byte = b[p]
        p += 1
        value |= (byte & 0x7F) << shift
        if byte < CONTINUES:
            return value & 0xFFFF_FFFF_FFFF_FFFF, p
        shift += 7
        if p - start == MAX_VARINT:
            fail(sink, "VARINT", node, start, p - start)
    fail(sink, "SHORT", node, start, e - start, e - start + 1)
    raise Stop


def message(b: bytes, p: int, e: int, node: nodes.MessageNode, out: Values, sink: Sink) -> int:
    """Fields by number up to `e`; returns `e`."""
    fields = node.fields
    while p < e:
        start = p
        tag, p = varint(b, p, e, node.id, sink)
        number, wire_type = tag >> 3, tag & 7
        if not number or wire_type not in (0, 1, 2, 5):
            fail(sink, "WIRE_TYPE", node.id, start, p - start, number, wire_type)
        each = fields.get(number)
        at = _TagAt(node, out, sink, start, e)
        if each is not None and wire_type == WIRE_TYPES[each.kind]:
            p = _known(b, p, each, at)
        elif each is not None and wire_type == BOUNDED and _packs(each):
            p = _packed(b, p, each, at)
        else:
            p = _unknown(b, p, (number, wire_type), at)
    return p


def _packs(each: nodes.ProtoNode) -> bool:
    return each.repeated and each.kind not in LENGTHS


def _known(b: bytes, p: int, each: nodes.ProtoNode, at: _TagAt) -> int:
    """One value of a declared field."""
    name, out = str(each.name), at.out
    if each.message is not None:
        return _nested(b, p, each, at)
    if at.sink is not None:
        at.sink[0].append((at.node.id, at.start, p, None))
    value, p = _value(b, p, each, at)
    if each.repeated:
        out.setdefault(name, []).append(value)
    else:
        out[name] = value
    return p


def _bounded(b: bytes, p: int, node: int, at: _TagAt) -> tuple[int, int]:
    """Start and end of what has its length before it."""
    count, p = varint(b, p, at.end, node, at.sink)
    if count > at.end - p:
        fail(at.sink, "SHORT", node, p, at.end - p, count)
    return p, p + count


def _value(b: bytes, p: int, each: nodes.ProtoNode, at: _TagAt) -> tuple[Any, int]:
    """Read a scalar, text or bytes; return it and where it ends."""
    start, sink = p, at.sink
    value: Any
    if each.kind in VARINTS:
        value, p = varint(b, p, at.end, each.id, sink)
        value = _number(each.kind, value)
    elif each.kind in FIXED:
        size = SIZES[WIRE_TYPES[each.kind]]
        if at.end - p < size:
            fail(sink, "SHORT", each.id, p, at.end - p, size)
        value = struct.unpack_from(FIXED[each.kind], b, p)[0]
        p += size
    else:
        begin, p = _bounded(b, p, each.id, at)
        value = b[begin:p]
        if each.kind == "string" and sink is None:
            value = value.decode()
        elif each.kind == "string" and sink is not None:
            value = decoded(sink[1], each.id, begin, value, "utf-8")
    if sink is not None:
        sink[0].append((each.id, start, p, value))
    return value, p


def _nested(b: bytes, p: int, each: nodes.ProtoNode, at: _TagAt) -> int:
    """Read a nested message; a malformed one ends alone. A repeated singular one is merged."""
    begin, end = _bounded(b, p, each.id, at)
    if each.message is None:
        raise Stop
    if each.repeated:
        inner: Values = {}
        at.out.setdefault(str(each.name), []).append(inner)
    else:
        inner = at.out.setdefault(str(each.name), {})
    if at.sink is None:
        return message(b, begin, end, each.message, inner, None)
    at.sink[0].append((at.node.id, at.start, begin, None))
    try:
        message(b, begin, end, each.message, inner, at.sink)
    except Stop:
        undecoded(at.sink[0], begin, end)
    return end


def _packed(b: bytes, p: int, each: nodes.ProtoNode, at: _TagAt) -> int:
    """Scalars one after the other; a stop inside ends only them."""
    begin, end = _bounded(b, p, each.id, at)
    inner = at._replace(end=end)
    if at.sink is not None:
        at.sink[0].append((at.node.id, at.start, begin, None))
    p = begin
    try:
        while p < end:
            value, p = _value(b, p, each, inner)
            at.out.setdefault(str(each.name), []).append(value)
    except Stop:
        if at.sink is None:
            raise
        undecoded(at.sink[0], p, end)
    return end


def _unknown(b: bytes, p: int, tag: tuple[int, int], at: _TagAt) -> int:
    """Keep a field that is not declared, or has another wire type."""
    number, wire_type = tag
    node, sink, start = at.node, at.sink, p
    value: Any
    begin = p
    if wire_type == 0:
        value, p = varint(b, p, at.end, node.id, sink)
    elif wire_type == BOUNDED:
        begin, p = _bounded(b, p, node.id, at)
        value = b[begin:p]
    else:
        size = SIZES[wire_type]
        if at.end - p < size:
            fail(sink, "SHORT", node.id, p, at.end - p, size)
        p += size
        value = b[begin:p]
    kept = {"number": number, "wire_type": wire_type, "value": value}
    at.out.setdefault(UNKNOWN, []).append(kept)
    if sink is not None:
        sink[0].append((node.id, at.start, start, None))
        sink[0].append((node.unknown.id, start, p, value))
    return p


def _number(kind: str, value: int) -> int:
    """Convert a varint to its type."""
    if kind == "bool":
        return int(value != 0)
    bits = 64 if kind.endswith("64") else 32
    value &= (1 << bits) - 1
    match kind[0]:
        case "s":
            return (value >> 1) ^ -(value & 1)
        case "u":
            return value
        case _:
            return value - (1 << bits) if value >> bits - 1 else value
