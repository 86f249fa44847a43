"""The word for protobuf messages: fields by number, in any order, unknown ones kept.

Source: protobuf.dev, "Encoding". A field whose wire type differs from its declared one is unknown,
not wrong; of a repeated singular field the last one counts, but messages are merged; a repeated
scalar may be packed or not.
"""

import io
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.problems import ProblemCode
from streamshark.schema.words import (
    SPELLING,
    DecodingError,
    FieldFacts,
    Member,
    ParsedValue,
    Values,
    Window,
    facts_of,
    same,
    spelling_of,
    without_spelling,
)

VARINTS = frozenset({"int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool", "enum"})
FIXED = {"fixed32": "<L", "sfixed32": "<l", "float": "<f",
         "fixed64": "<Q", "sfixed64": "<q", "double": "<d"}  # fmt: skip
"""Kind to its little-endian struct format."""
LENGTHS = frozenset({"string", "bytes", "message", "map"})
WIRE_TYPES = {
    **dict.fromkeys(VARINTS, 0),
    **{kind: 5 if form[1] in "Llf" else 1 for kind, form in FIXED.items()},
    **dict.fromkeys(LENGTHS, 2),
}
"""Kind to wire type: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes."""
UNKNOWN = "unknown_fields"
"""The member that keeps what no declared field takes: a list of number, wire type and value."""
MAX_VARINT = 10
"""Most bytes of a varint."""
SpeltField = tuple[int, int, bytes]
"""Number, wire type and all bytes of a field that was read."""


@record
class ProtoField:
    """One field of a message."""

    name: str
    kind: str
    sentence: str
    repeated: bool
    message: "ProtoMessage | None"
    """The type of a `message`; of a `map` a message with the fields 1 `key` and 2 `value`."""
    slot: str | None
    facts: FieldFacts


def proto(
    name: str,
    kind: str,
    sentence: str,
    *,
    repeated: bool = False,
    message: "ProtoMessage | None" = None,
    slot: str | None = None,
    **facts: Any,
) -> ProtoField:
    """Declare a field of `ProtoMessage`; `message` is for nested types and maps."""
    if kind not in WIRE_TYPES:
        raise SchemaError(f"{name}: unknown protobuf type {kind!r}")
    if (kind in ("message", "map")) != (message is not None):
        raise SchemaError(f"{name}: a nested type needs its message, a scalar has none")
    return ProtoField(
        name, kind, sentence, repeated or kind == "map", message, slot, facts_of(name, **facts)
    )


class ProtoMessage(Member):
    """Fields by number up to the end of the region.

    Absent fields are absent (not their default), an empty repeated field too.
    """

    def __init__(self, fields: Mapping[int, ProtoField]) -> None:
        super().__init__()
        self.fields = dict(fields)

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read tags and values one by one."""
        spelt: list[SpeltField] = []
        while stream.left:
            start = stream.at
            tag = _varint(stream, path)
            number, wire_type = tag >> 3, tag & 7
            if not number or wire_type not in (0, 1, 2, 5):
                raise DecodingError(ProblemCode.WIRE_TYPE, start, path)
            each = self.fields.get(number)
            if each is not None and wire_type == WIRE_TYPES[each.kind]:
                stream.path.append(each.name)
                self._known(each, stream, path, out)
                stream.path.pop()
            elif each is not None and each.repeated and wire_type == 2 and each.kind not in LENGTHS:  # noqa: PLR2004
                stream.path.append(each.name)
                self._packed(each, stream, path, out)
                stream.path.pop()
            else:
                self._unknown(number, wire_type, stream, path, out)
            spelt.append((number, wire_type, stream.data[start : stream.at]))
        scope.update(out)
        stream.keep(out, self, spelt)

    def _known(self, each: ProtoField, stream: Window, path: str, out: Values) -> None:
        value = _value(each, stream, path)
        if each.repeated:
            out.setdefault(each.name, []).append(value)
        elif each.message is not None and each.name in out:
            out[each.name].pop(SPELLING, None)
            value.pop(SPELLING, None)
            _merge(out[each.name], value, each.message)
        elif each.message is not None:
            _merge(out.setdefault(each.name, {}), value, each.message)
        else:
            out[each.name] = value

    def _packed(self, each: ProtoField, stream: Window, path: str, out: Values) -> None:
        end = _bounded(stream, path)
        outer, stream.end = stream.end, end
        while stream.left:
            out.setdefault(each.name, []).append(_value(each, stream, path))
        stream.end = outer

    def _unknown(self, number: int, wire_type: int, stream: Window, path: str, out: Values) -> None:
        start = stream.at
        if wire_type == 0:
            value: Any = _varint(stream, path)
        elif wire_type == 2:  # noqa: PLR2004 - wire types are the document's numbers
            value = stream.take(_bounded(stream, path) - stream.at, path)
        else:
            value = stream.take(8 if wire_type == 1 else 4, path)
        stream.found.append(ParsedValue((*stream.path, UNKNOWN), start, stream.at, value))
        kept = {"number": number, "wire_type": wire_type, "value": value}
        out.setdefault(UNKNOWN, []).append(kept)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the fields by ascending number; repeated scalars packed, as proto3 does.

        A message that was read keeps its order and spelling; fields that it lacks come last.
        """
        new: dict[int | None, list[bytes]] = {
            number: self._fields(number, each, values[each.name], scope, path)
            for number, each in sorted(self.fields.items())
            if each.name in values
        }
        new[None] = [_unknown_field(kept) for kept in values.get(UNKNOWN, ())]
        spelt: list[SpeltField] | None = spelling_of(values, self)
        if spelt is None:
            stream.write(b"".join(data for own in new.values() for data in own))
        else:
            stream.write(b"".join(self._respelt(spelt, new, values)))

    def _fields(
        self, number: int, each: ProtoField, given: Any, scope: Values, path: str
    ) -> list[bytes]:
        """Return a field as written: one piece, or one for each item that is not packed."""
        if each.repeated and each.kind not in LENGTHS:
            data = b"".join(_encoded(each, item, scope, path) for item in given)
            return [_tag(number, 2) + _sized(data)] if given else []
        out = []
        for item in given if each.repeated else [given]:
            data = _encoded(each, item, scope, path)
            tag = _tag(number, WIRE_TYPES[each.kind])
            out.append(tag + (_sized(data) if each.kind in LENGTHS else data))
        return out

    def _respelt(
        self, spelt: list[SpeltField], new: dict[int | None, list[bytes]], values: Values
    ) -> Iterator[bytes]:
        """Yield the fields that were read, changed ones as `new` has them; then those added."""
        old: Values = {}
        self.into(Window(b"".join(data for *_, data in spelt)), {}, "", old)
        own: dict[int | None, list[bytes]] = {}
        for number, wire_type, data in spelt:
            own.setdefault(self._declared(number, wire_type), []).append(data)
        written = {}
        for declared, pieces in own.items():
            name = UNKNOWN if declared is None else self.fields[declared].name
            before, after = old.get(name), without_spelling(values.get(name))
            written[declared] = iter(_pieces(pieces, new.get(declared, []), before, after))
        for number, wire_type, _ in spelt:
            yield next(written[self._declared(number, wire_type)])
        yield from (data for number, pieces in new.items() if number not in own for data in pieces)

    def _declared(self, number: int, wire_type: int) -> int | None:
        """Return the number of the declared field that takes what was read; None if unknown."""
        each = self.fields.get(number)
        if each is None:
            return None
        is_packed = each.repeated and wire_type == 2 and each.kind not in LENGTHS  # noqa: PLR2004
        return number if is_packed or wire_type == WIRE_TYPES[each.kind] else None


def _pieces(spelt: list[bytes], new: list[bytes], before: Any, after: Any) -> list[bytes]:
    """Return what is written in the places of a field: as read where its value is unchanged."""
    if same(before, after):
        return spelt
    if len(new) != len(spelt):
        return [b"".join(new), *([b""] * (len(spelt) - 1))]
    if not isinstance(before, list) or len(before) != len(new):
        return new
    items = zip(spelt, new, before, after, strict=True)
    return [old if same(one, other) else written for old, written, one, other in items]


def _unknown_field(kept: Values) -> bytes:
    """Return a field that no schema declares, as written."""
    tag, data = _tag(kept["number"], kept["wire_type"]), kept["value"]
    if kept["wire_type"] == 0:
        return tag + _as_varint(data)
    return tag + (_sized(data) if kept["wire_type"] == 2 else bytes(data))  # noqa: PLR2004


def _merge(into: Values, later: Values, message: ProtoMessage) -> None:
    """Add a repeated singular message: numbers and texts replace, lists grow, messages merge."""
    nested = {each.name: each.message for each in message.fields.values() if not each.repeated}
    for name, value in later.items():
        if isinstance(value, list) and name in into:
            into[name] += value
        elif isinstance(value, dict) and name in into:
            inner = nested[name]
            if inner is not None:
                _merge(into[name], value, inner)
        else:
            into[name] = value


def _varint(stream: Window, path: str) -> int:
    start, value = stream.at, 0
    for index in range(MAX_VARINT):
        if not stream.left:
            raise DecodingError(ProblemCode.SHORT, start, path)
        byte = stream.read(1)[0]
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            return value & (1 << 64) - 1
    raise DecodingError(ProblemCode.VARINT, start, path)


def _bounded(stream: Window, path: str) -> int:
    count = _varint(stream, path)
    if count > stream.left:
        raise DecodingError(ProblemCode.SHORT, stream.at, path)
    return stream.at + count


def _value(each: ProtoField, stream: Window, path: str) -> Any:
    start = stream.at
    value: Any
    if each.kind in VARINTS:
        value = _number(each.kind, _varint(stream, path))
    elif each.kind in FIXED:
        form = FIXED[each.kind]
        value = struct.unpack(form, stream.take(struct.calcsize(form), path))[0]
    else:
        end = _bounded(stream, path)
        if each.message is not None:
            outer, stream.end = stream.end, end
            value = {}
            each.message.into(stream, {}, path, value)
            stream.end = outer
            return value
        value = stream.take(end - stream.at, path)
        if each.kind == "string":
            try:
                value = value.decode()
            except UnicodeDecodeError:
                raise DecodingError(ProblemCode.TEXT, start, path) from None
    stream.found.append(ParsedValue(tuple(stream.path), start, stream.at, value))
    return value


def _number(kind: str, value: int) -> int:
    """Convert a varint to its type: zig-zag, two's complement, boolean."""
    if kind == "bool":
        return int(value != 0)
    bits = 64 if kind.endswith("64") else 32
    value &= (1 << bits) - 1
    if kind in ("sint32", "sint64"):
        return value >> 1 ^ -(value & 1)
    if kind.startswith("u"):
        return value
    return value - (1 << bits) if value >> bits - 1 else value


def _encoded(each: ProtoField, value: Any, scope: Values, path: str) -> bytes:
    if each.message is not None:
        inner = io.BytesIO()
        each.message.outof(value, inner, scope, path)
        return inner.getvalue()
    if each.kind in FIXED:
        return struct.pack(FIXED[each.kind], value)
    if each.kind in LENGTHS:
        return value.encode() if isinstance(value, str) else bytes(value)
    if each.kind in ("sint32", "sint64"):
        value = value << 1 if value >= 0 else (-value << 1) - 1
    return _as_varint(value & (1 << 64) - 1)


def _tag(number: int, wire_type: int) -> bytes:
    return _as_varint(number << 3 | wire_type)


def _sized(data: bytes) -> bytes:
    return _as_varint(len(data)) + data


def _as_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:  # noqa: PLR2004
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
