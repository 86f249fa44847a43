"""The sections of an AMQP 1.0 message: which there are, in which order, and what each holds.

A message is a run of described values, its sections: first what the way of the message says of it
(header, annotations), then the message as its sender made it (properties, application properties,
the body), last a footer. Each is at most once but for the parts of the body, which is data
sections, or sequences, or one value.

A section is `{"section": name, "value": ...}`. Header and properties are lists on the wire whose
places have names: they become an object of those that are not null. Sections that hold a map become
a list of `{"key", "value"}`, a data section its bytes. What is not a section has the name null, and
its descriptor.

Source: OASIS AMQP 1.0, part 3, section 3.2 (message format).
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from streamshark.decoding.payloads import DecodedPayload
from streamshark.light_dataclass import record
from streamshark.protocols.amqp1 import types
from streamshark.protocols.amqp1.types import Reader, Value

Codes = frozenset[int] | None
"""Constructors that a value may have; None for any."""


class Holds(Enum):
    """What follows a section's descriptor."""

    FIELDS = "a list whose places have names"
    ANNOTATIONS = "a map with symbols (or ulongs) as keys"
    MAP = "a map with strings as keys and no compounds as values"
    BYTES = "binary"
    ITEMS = "a list"
    ANY = "any value"


class FieldOf(NamedTuple):
    """One place of a list with names."""

    name: str
    types: Codes
    kind: str
    """The types in words."""


@record
class Section:
    """One kind of section."""

    code: int
    name: str
    """As in the document, snake_case."""
    symbol: str
    """The descriptor as a symbol; encoders write the number."""
    holds: Holds
    doc: str
    fields: tuple[FieldOf, ...] = ()

    @property
    def repeats(self) -> bool:
        """Whether a message may have several."""
        return self.holds in (Holds.BYTES, Holds.ITEMS)


_MESSAGE_ID: Final = types.ULONG | types.UUID | types.BINARY | types.STRING

HEADER: Final = (
    FieldOf("durable", types.BOOLEAN, "boolean"),
    FieldOf("priority", types.UBYTE, "ubyte"),
    FieldOf("ttl", types.UINT, "uint"),
    FieldOf("first_acquirer", types.BOOLEAN, "boolean"),
    FieldOf("delivery_count", types.UINT, "uint"),
)
PROPERTIES: Final = (
    FieldOf("message_id", _MESSAGE_ID, "ulong, uuid, binary or string"),
    FieldOf("user_id", types.BINARY, "binary"),
    FieldOf("to", types.STRING, "string"),
    FieldOf("subject", types.STRING, "string"),
    FieldOf("reply_to", types.STRING, "string"),
    FieldOf("correlation_id", _MESSAGE_ID, "ulong, uuid, binary or string"),
    FieldOf("content_type", types.SYMBOL, "symbol"),
    FieldOf("content_encoding", types.SYMBOL, "symbol"),
    FieldOf("absolute_expiry_time", types.TIMESTAMP, "timestamp"),
    FieldOf("creation_time", types.TIMESTAMP, "timestamp"),
    FieldOf("group_id", types.STRING, "string"),
    FieldOf("group_sequence", types.UINT, "uint"),
    FieldOf("reply_to_group_id", types.STRING, "string"),
)

SECTIONS: Final = (
    Section(0x70, "header", "amqp:header:list", Holds.FIELDS, "How it is to be delivered.", HEADER),
    Section(
        0x71, "delivery_annotations", "amqp:delivery-annotations:map", Holds.ANNOTATIONS,
        "Notes for the next hop.",
    ),
    Section(
        0x72, "message_annotations", "amqp:message-annotations:map", Holds.ANNOTATIONS,
        "Notes for every hop, as `x-stream-filter-value`.",
    ),
    Section(
        0x73, "properties", "amqp:properties:list", Holds.FIELDS,
        "The message's properties.", PROPERTIES,
    ),
    Section(
        0x74, "application_properties", "amqp:application-properties:map", Holds.MAP,
        "Properties of the application's own.",
    ),
    Section(0x75, "data", "amqp:data:binary", Holds.BYTES, "A part of the body: bytes."),
    Section(
        0x76, "amqp_sequence", "amqp:amqp-sequence:list", Holds.ITEMS,
        "A part of the body: a list of values.",
    ),
    Section(0x77, "amqp_value", "amqp:amqp-value:*", Holds.ANY, "The body: one value."),
    Section(
        0x78, "footer", "amqp:footer:map", Holds.ANNOTATIONS,
        "Notes about the message as it was sent: checksums, signatures.",
    ),
)  # fmt: skip
"""In the order in which they are in a message."""
BY_DESCRIPTOR: Final[Mapping[int | str, Section]] = {
    **{each.code: each for each in SECTIONS},
    **{each.symbol: each for each in SECTIONS},
}
_BODY: Final = frozenset({"data", "amqp_sequence", "amqp_value"})
_SIMPLE_KEYS: Final = frozenset({*types.SYMBOL, *types.ULONG})
_COMPOUND: Final = types.LIST | types.MAP | types.ARRAY | {types.DESCRIBED}


def decode(data: bytes) -> DecodedPayload:
    """Decode the sections of a message, with their problems; never raise."""
    if data[:3] == _DATA and (content := _alone(data)) is not None:
        return DecodedPayload([{"section": "data", "value": content}], [])
    reader, sections, last = Reader(data), [], None
    end = len(data)
    while reader.at < end and not reader.cut:
        at = reader.at
        if not reader.most(1, at):
            break
        section, shown = _section(reader, end)
        sections.append(shown)
        if section is not None:
            _ordered(reader, at, section, last)
            last = section
    return DecodedPayload(sections, reader.problems)


_DATA: Final = b"\x00\x53\x75"
_NARROW: Final = b"\xa0"
_WIDE: Final = b"\xb0"


def _alone(data: bytes) -> bytes | None:
    """Return the content of a message with one data section, as most have; None for any other."""
    code = data[3:4]
    if code == _NARROW and data[4:5] == bytes([(len(data) - 5) & 0xFF]) and len(data) <= 5 + 0xFF:
        return data[5:]
    if code == _WIDE and len(data) >= 8 and int.from_bytes(data[4:8]) == len(data) - 8:  # noqa: PLR2004 - the head
        return data[8:]
    return None


def sure(data: bytes) -> int:
    """How sure it is that a body is a message: by the descriptor of its first section."""
    if data[:2] == b"\x00\x53":
        return 100 if data[2:3] in _CODES else 0
    if data[:9] == b"\x00\x80\x00\x00\x00\x00\x00\x00\x00":
        return 100 if data[9:10] in _CODES else 0
    if data[:2] == b"\x00\xa3" and data[3:].startswith(_SYMBOLS):
        return 100
    return 0


_CODES: Final = frozenset(bytes([each.code]) for each in SECTIONS)
_SYMBOLS: Final = tuple(each.symbol.encode() for each in SECTIONS)


def _section(reader: Reader, end: int) -> tuple[Section | None, dict[str, Value]]:
    """Read the next section; return it and its values."""
    at = reader.at
    data = reader.data
    if data[at] != types.DESCRIBED:
        reader.problem(at, end - at, f"no section starts with {data[at]:#04x}")
        reader.cut = True
        return None, {"section": None, "value": data[at:end]}
    reader.at = at + 1
    descriptor = reader.value(end)
    if reader.cut:
        return None, {"section": None, "value": data[at:end]}
    section = BY_DESCRIPTOR.get(descriptor) if isinstance(descriptor, int | str) else None
    if section is None:
        reader.problem(at, reader.at - at, "no section has this descriptor")
        shown = {"section": None, "descriptor": descriptor, "value": reader.value(end)}
        return None, shown
    return section, {"section": section.name, "value": _content(reader, section, end)}


def _content(reader: Reader, section: Section, end: int) -> Value:
    """Read the value after a descriptor."""
    at = reader.at
    code = reader.data[at] if at < end else types.NULL
    if section.holds is Holds.ANY or at >= end:
        return reader.value(end)
    if code not in _WANTED[section.holds]:
        reader.problem(at, 1, f"the {section.name} section holds {section.holds.value}")
        return reader.value(end)
    if section.fields:
        return _named(reader, section, end)
    if section.holds in (Holds.MAP, Holds.ANNOTATIONS):
        return _mapped(reader, section, end)
    return reader.value(end)


_WANTED: Final[Mapping[Holds, frozenset[int]]] = {
    Holds.FIELDS: types.LIST,
    Holds.ANNOTATIONS: types.MAP,
    Holds.MAP: types.MAP,
    Holds.BYTES: types.BINARY,
    Holds.ITEMS: types.LIST,
}


def _named(reader: Reader, section: Section, end: int) -> dict[str, Value]:
    """Return the items of a list by their names, without null ones."""
    places = reader.places(end)
    out: dict[str, Value] = {}
    for index, (at, value) in enumerate(places):
        code = reader.data[at]
        if index >= len(section.fields):
            message = (
                f"the {section.name} section has {len(section.fields)} fields, not {len(places)}"
            )
            reader.problem(at, 0, message)
            out["more"] = [each for _, each in places[index:]]
            break
        if code == types.NULL:
            continue
        name, wanted, kind = section.fields[index]
        if wanted is not None and code not in wanted:
            reader.problem(at, 1, f"{name} is a {kind}, not of constructor {code:#04x}")
        out[name] = value
    return out


def _mapped(reader: Reader, section: Section, end: int) -> list[Value] | dict[str, Value]:
    """Read a map with keys of one type; an empty map is not shown as an empty list."""
    places = reader.places(end)
    keys = types.STRING if section.holds is Holds.MAP else _SIMPLE_KEYS
    out = []
    for index in range(0, len(places), 2):
        at, key = places[index]
        if reader.data[at] not in keys:
            kind = "strings" if section.holds is Holds.MAP else "symbols"
            reader.problem(at, 1, f"keys of the {section.name} section are {kind}")
        pair = {"key": key, "value": None}
        if index + 1 < len(places):
            at, pair["value"] = places[index + 1]
            if section.holds is Holds.MAP and reader.data[at] in _COMPOUND:
                message = f"values of the {section.name} section are simple"
                reader.problem(at, 1, message)
        out.append(pair)
    return out or {}


def _ordered(reader: Reader, at: int, section: Section, last: Section | None) -> None:
    """Note a problem for a section that follows one that it should precede."""
    if last is None or section.code > last.code:
        if last is None or not {section.name, last.name} <= _BODY:
            return
    elif section.code == last.code and section.repeats:
        return
    reader.problem(at, 0, f"a {section.name} section after a {last.name} section")
