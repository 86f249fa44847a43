"""Values of literals: text in the type of the other operand."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Final, NamedTuple

from streamshark.fields.field import FieldInfo
from streamshark.fields.types import FieldType
from streamshark.filters import kinds
from streamshark.filters.error import Unsuitable
from streamshark.filters.nodes import BareWord, WrittenValue

Value = Any
"""A value of any type."""
NS: Final = 1_000_000_000
_BYTE: Final = 255
_HEX: Final = re.compile(
    r"(?:[0-9A-Fa-f]{2})+|(?:[0-9A-Fa-f]{1,2}[:.-])*[0-9A-Fa-f]{0,2}", re.ASCII
)
_UUID: Final = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", re.ASCII)
_PAIR: Final = re.compile(r"[0-9A-Fa-f]+", re.ASCII)
_TIME: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?"
    r"\s*(Z|UTC|[+-]\d\d:?(?:\d\d)?)?",
    re.ASCII,
)
_OLD_TIME: Final = re.compile(
    r"([A-Z][a-z]{2}) +(\d{1,2}), (\d{4})(?: (\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?"
    r"\s*(Z|UTC)?",
    re.ASCII,
)
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)  # fmt: skip


class Network(NamedTuple):
    """An IP network: an address equals it if it is in it."""

    first: int
    mask: int


def value_of(literal: WrittenValue | BareWord, kind: FieldType, field: FieldInfo | None) -> Value:
    """Return the value of a literal in a type; `field` knows names of numbers.

    Raises:
        Unsuitable: It has none; the message says why.
    """
    form = "word" if isinstance(literal, BareWord) else literal.kind
    value = None if isinstance(literal, BareWord) else literal.value
    if kind.kind in kinds.ABSENT:
        raise Unsuitable(f"it is {kinds.named(kind)}, and has no value to compare")
    if form == "character" and kind.kind in kinds.NUMBERS | {"bool"}:
        form, value = "integer", _bytes(str(value))[0]
    text = literal.text if kind.kind == "ipv6" else literal.text.removeprefix(":")
    made = _MAKERS[kind.kind](form, text, value, kind, field)
    if made is None and kind.kind == "protocol":
        raise Unsuitable(f'{literal.text} is not a sequence of bytes, such as 0a:0b or "text"')
    if made is None:
        raise Unsuitable(f"{literal.text} is not {kinds.named(kind)}")
    return made


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _number(
    form: str, text: str, value: Value, kind: FieldType, field: FieldInfo | None
) -> int | None:
    if form in {"string", "word"}:
        return _coded(str(value) if form == "string" else text, field)
    if form != "integer":
        return None
    least, most = kinds.limits(kind)
    if value > most:
        raise Unsuitable(f"{text} is too large: at most {most}")
    if value < min(least, -most - 1):
        raise Unsuitable(f"{text} is too small: at least {least}")
    return int(value)


def _coded(text: str, field: FieldInfo | None) -> int | None:
    """Return the number of a name."""
    names = {} if field is None else {**(field.names or {}), **(field.flags or {})}
    if not names:
        return None
    for number, name in names.items():
        if name.lower() == text.lower():
            return number
    import difflib  # noqa: PLC0415 - for errors alone

    near = difflib.get_close_matches(text, names.values(), 1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    raise Unsuitable(f'"{text}" is no value of {field.name if field else "it"}{hint}')


def _boolean(
    form: str, text: str, value: Value, _kind: FieldType, _field: FieldInfo | None
) -> bool | None:
    if form in {"string", "word"}:
        shown = str(value if form == "string" else text).lower()
        known = {"true": True, "set": True, "false": False, "not set": False}
        return known.get(shown)
    return bool(value) if form == "integer" and value >= 0 else None


def _float(
    form: str, _text: str, value: Value, _kind: FieldType, _field: FieldInfo | None
) -> float | None:
    return float(value) if form in {"integer", "float"} else None


def _text(
    form: str, text: str, value: Value, _kind: FieldType, _field: FieldInfo | None
) -> str | None:
    if form in {"integer", "float"}:
        return None
    return text if form == "word" else str(value)


def _uuid(
    form: str, text: str, _value: Value, _kind: FieldType, _field: FieldInfo | None
) -> bytes | None:
    is_uuid = form == "word" and _UUID.fullmatch(text)
    return bytes.fromhex(text.replace("-", "")) if is_uuid else None


def _raw(
    form: str, text: str, value: Value, kind: FieldType, _field: FieldInfo | None
) -> bytes | None:
    if form in {"string", "character"}:
        return _bytes(str(value))
    if form == "integer" and kind.kind != "protocol" and text[0] != "-":
        if value > _BYTE:
            if text.isdecimal() and text[0] == "0":
                return _hex(text)
            raise Unsuitable(f"{text} is too large for one byte; bytes are written aa:bb")
        return bytes([value])
    return _hex(text) if form == "word" else None


def _hex(text: str) -> bytes | None:
    """Return the bytes of `aa:bb`, `aa-bb`, `aa.bb`, `aabb` or `aa:`."""
    if not _HEX.fullmatch(text):
        return None
    parts = _PAIR.findall(text)
    if len(parts) == 1 and len(parts[0]) > 1:
        return bytes.fromhex(parts[0])
    return bytes(int(each, 16) for each in parts)


def _address(
    form: str, text: str, _value: Value, kind: FieldType, _field: FieldInfo | None
) -> int | Network | None:
    if form != "word":
        return None
    from ipaddress import AddressValueError, IPv4Address, IPv6Address  # noqa: PLC0415 - 2 ms

    address, slash, prefix = text.partition("/")
    made = IPv4Address if kind.kind == "ipv4" else IPv6Address
    try:
        number = int(made(address))
    except AddressValueError:
        return None
    if not slash:
        return number
    if not prefix.isdecimal() or int(prefix) > kind.bits:
        raise Unsuitable(f"a prefix of {kinds.named(kind)} has at most {kind.bits} bits")
    mask = (1 << kind.bits) - (1 << kind.bits - int(prefix))
    return Network(number & mask, mask)


def _time(
    form: str, text: str, value: Value, _kind: FieldType, _field: FieldInfo | None
) -> int | None:
    if form in {"integer", "float"}:
        return _nanoseconds(text)
    return parsed_time(str(value) if form == "string" else text)


def _duration(
    form: str, text: str, _value: Value, _kind: FieldType, _field: FieldInfo | None
) -> int | None:
    return _nanoseconds(text) if form in {"integer", "float"} else None


def _nanoseconds(text: str) -> int:
    """Return seconds, as they are written, in ns."""
    from decimal import Decimal  # noqa: PLC0415 - a millisecond

    if text.lower().lstrip("+-").startswith(("0x", "0b")):
        return int(text, 0) * NS
    return int(Decimal(text) * NS)


def parsed_time(text: str) -> int | None:
    """Return a time in ns since 1970: ISO 8601, or `Sep 26, 2004 23:18:04.95`; local if no zone."""
    if found := _TIME.fullmatch(text.strip()):
        year, month, day, *rest = found.groups()
    elif old := _OLD_TIME.fullmatch(text.strip()):
        name, day, year, *rest = old.groups()
        if name not in _MONTHS:
            return None
        month = str(_MONTHS.index(name) + 1)
    else:
        return None
    hour, minute, second, fraction, zone = rest
    try:
        moment = datetime(  # noqa: DTZ001 - the zone follows
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0)
        )
        moment = moment.astimezone() if zone is None else moment.replace(tzinfo=_zone(zone))
        seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    except (ValueError, OverflowError):
        return None
    return seconds * NS + int((fraction or "0").ljust(9, "0"))


def _zone(text: str) -> timezone:
    if text in {"Z", "UTC"}:
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)


_MAKERS: Final = {
    "int": _number, "frame": _number, "bool": _boolean, "float": _float, "double": _float,
    "text": _text, "bytes": _raw, "uuid": _uuid, "protocol": _raw, "ipv4": _address,
    "ipv6": _address, "time": _time, "duration": _duration,
}  # fmt: skip
"""By kind, what makes a value of a literal; None if it has none."""
