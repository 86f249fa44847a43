"""The fields of AMQP 1.0 messages, named and typed as in the plugin for Wireshark."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from streamshark.decoding.payloads import FormatField
from streamshark.protocols.amqp1.sections import SECTIONS, FieldOf, Holds, Section

Values = Callable[[Any], Iterator[Any]]

_UNPRINTABLE: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NUMBERS: Final = {"ubyte": 8, "uint": 32}
"""Types of unsigned numbers, and their bits."""


def fields() -> tuple[FormatField, ...]:
    """Return all fields."""
    out = [FormatField("section", "text", "Name of a section.", _names)]
    for each in SECTIONS:
        out += _of_section(each)
    out += [
        FormatField("data.text", "text", "Data that is text.", _data_text),
        FormatField("item", "text", "Of a list, a map or an array inside.", _items),
        FormatField("undecoded", "bytes", "Bytes that no section could read.", _undecoded),
    ]
    return tuple(out)


def _of_section(section: Section) -> Iterator[FormatField]:
    """Yield the fields of one kind of section."""
    held = _held(section.name)
    if section.fields:
        yield from (_place(section, each, held) for each in section.fields)
    elif section.holds in (Holds.MAP, Holds.ANNOTATIONS):
        for part in ("key", "value"):
            yield FormatField(f"{section.name}.{part}", "text", section.doc, _of_pairs(held, part))
    elif section.holds is Holds.BYTES:
        yield FormatField(section.name, "bytes", section.doc, _of_type(held, bytes))
    else:
        yield FormatField(
            section.name, "text", section.doc, lambda value: map(text_of, held(value))
        )


def _place(section: Section, place: FieldOf, held: Values) -> FormatField:
    """Return the field of one place of a list with names."""
    name = f"{section.name}.{place.name}"

    def values(decoded: Any) -> Iterator[Any]:  # noqa: ANN401 - a decoded message
        records = (each for each in held(decoded) if isinstance(each, dict))
        return (each[place.name] for each in records if place.name in each)

    if place.kind == "boolean":
        return FormatField(name, "bool", section.doc, _of_type(values, bool))
    if place.kind == "binary":
        return FormatField(name, "bytes", section.doc, _of_type(values, bytes))
    if place.kind == "timestamp":
        numbers = _of_type(values, int)
        return FormatField(name, "int", section.doc, numbers, bits=64, signed=True)
    if bits := _NUMBERS.get(place.kind):
        return FormatField(name, "int", section.doc, _of_type(values, int), bits=bits)
    return FormatField(name, "text", section.doc, lambda decoded: map(text_of, values(decoded)))


def text_of(value: Any) -> str:  # noqa: ANN401, PLR0911 - one row a type
    """Return a value as the plugin shows it."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case bytes():
            return value.hex()
        case float():
            return f"{value:.9g}"
        case {"descriptor": _, "value": described}:
            return text_of(described)
        case list() if _is_map(value):
            return f"map of {len(value)}"
        case list():
            return f"list of {len(value)}" if value else "[]"
        case dict():
            return "{}"
        case _:
            return str(value)


def _is_map(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(each, dict) and "key" in each for each in value)


def _held(name: str) -> Values:
    """Return the function that yields the values of all sections of a name."""

    def values(decoded: Any) -> Iterator[Any]:  # noqa: ANN401 - a decoded message
        return (each["value"] for each in decoded if each["section"] == name)

    return values


def _of_type(values: Values, kind: type) -> Values:
    """Return the function that yields those of one type: others break the rules."""
    return lambda decoded: (each for each in values(decoded) if type(each) is kind)


def _of_pairs(values: Values, part: str) -> Values:
    """Return the function that yields the keys, or the values, of maps."""

    def found(decoded: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded message
        for each in values(decoded):
            if isinstance(each, list):
                yield from (text_of(pair[part]) for pair in each)

    return found


def _names(decoded: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded message
    return (each["section"] for each in decoded if each["section"] is not None)


def _undecoded(decoded: Any) -> Iterator[bytes]:  # noqa: ANN401 - a decoded message
    return (
        each["value"]
        for each in decoded
        if each["section"] is None and isinstance(each["value"], bytes)
    )


def _data_text(decoded: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded message
    for data in _of_type(_held("data"), bytes)(decoded):
        if data and not _UNPRINTABLE.search(data):
            try:
                yield data.decode()
            except UnicodeDecodeError:
                continue


def _items(decoded: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded message
    for section in decoded:
        value = section["value"]
        if section["section"] in ("amqp_sequence", "amqp_value"):
            yield from _inner(value)
        elif isinstance(value, list) and section["section"] is not None:
            for pair in value:
                yield from (*_inner(pair["key"]), *_inner(pair["value"]))


def _inner(value: Any) -> Iterator[str]:  # noqa: ANN401 - a decoded value
    """Yield what is inside a compound value, and inside that."""
    if isinstance(value, dict) and "descriptor" in value:
        yield from _inner(value["value"])
    if not isinstance(value, list):
        return
    for each in value:
        for item in (each["key"], each["value"]) if _is_map(value) else (each,):
            yield text_of(item)
            yield from _inner(item)
