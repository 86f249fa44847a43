"""Types of operands: which ones may be compared, sliced, searched, added; see `FieldType.kind`.

Beside the kinds of the registry there are four: `ipv4` and `ipv6` (the address as an int),
`protocol` (the bytes of a frame) and `none` (what is there or not).
"""

from typing import Final

from streamshark.fields.types import FieldType, integer

IPV4: Final = FieldType("IPv4 address", "ipv4", 32)
IPV6: Final = FieldType("IPv6 address", "ipv6", 128)
PROTOCOL: Final = FieldType("protocol", "protocol")
NONE: Final = FieldType("presence", "none")
TEXT: Final = FieldType("text", "text")
BYTES: Final = FieldType("bytes", "bytes")
BOOLEAN: Final = FieldType("boolean", "bool")
UNSIGNED: Final = integer("number", 32)
SIGNED: Final = integer("number", 64, signed=True)
DOUBLE: Final = FieldType("number", "double")
FLOAT: Final = FieldType("number", "float")
TIME: Final = FieldType("time", "time")
DURATION: Final = FieldType("duration", "duration")

NUMBERS: Final = frozenset({"int", "frame"})
FLOATS: Final = frozenset({"float", "double"})
ADDRESSES: Final = frozenset({"ipv4", "ipv6"})
RAW: Final = frozenset({"bytes", "uuid"})
"""Kinds that are compared as bytes."""
SLICED: Final = frozenset({"text", "bytes", "ipv4", "ipv6", "protocol"})
SEARCHED: Final = frozenset({"text", "bytes", "protocol"})
"""Kinds that `contains` and `matches` take."""
ADDED: Final = NUMBERS | FLOATS | {"time", "duration"}
"""Kinds that arithmetic takes."""
ABSENT: Final = frozenset({"none", "record", "unknown"})
"""Kinds without a value that can be compared."""
SHOWN: Final = NUMBERS | FLOATS | ADDRESSES | {"uuid"}
"""Kinds that `string` takes."""

_NAMES: Final = {
    "text": "text", "bytes": "bytes", "uuid": "a UUID", "bool": "a boolean", "float": "a number",
    "double": "a number", "time": "a time", "duration": "a duration", "frame": "a frame number",
    "ipv4": "an IPv4 address", "ipv6": "an IPv6 address", "protocol": "a protocol",
    "none": "only present or absent", "record": "a record", "unknown": "a record",
}  # fmt: skip


def named(kind: FieldType) -> str:
    """Return a type for messages: `text`, `an unsigned 16-bit number`."""
    if kind.kind != "int":
        return _NAMES[kind.kind]
    return f"{'a signed' if kind.signed else 'an unsigned'} {kind.bits}-bit number"


def comparable(one: FieldType, other: FieldType) -> bool:
    """Return whether two fields of these types may be compared."""
    for kinds in (NUMBERS, FLOATS, RAW):
        if one.kind in kinds:
            return other.kind in kinds
    return one.kind == other.kind and one.kind not in ABSENT


def limits(kind: FieldType) -> tuple[int, int]:
    """Return the least and the greatest value of a number."""
    bits = kind.bits or UNSIGNED.bits
    if kind.signed:
        return -(1 << bits - 1), (1 << bits - 1) - 1
    return 0, (1 << bits) - 1
