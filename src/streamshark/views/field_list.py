"""The list of fields: every name that JSON, `-e`, filters and columns accept, with its meaning.

One line per name, over all versions and dialects of a frame: a name has one meaning.
"""

from collections.abc import Iterable
from typing import Any

from streamshark.fields.field import FieldInfo
from streamshark.views.json import SCHEMA_VERSION


def listing(fields: Iterable[FieldInfo]) -> dict[str, Any]:
    """Return fields as one JSON object."""
    return {"schema_version": SCHEMA_VERSION, "fields": [entry(each) for each in fields]}


def entry(field: FieldInfo) -> dict[str, Any]:
    """Return a field as a JSON object, without members that are unset."""
    ranges = sorted((field.ranges or {}).items())
    members = {
        "name": field.name,
        "protocol": field.protocol,
        "type": field.type.words,
        "ft": field.type.ft,
        "many": field.many or None,
        "unit": field.unit,
        "names": None if field.names is None else dict(field.names),
        "ranges": [{"first": first, "last": last, "name": name} for (first, last), name in ranges]
        or None,
        "flags": None if field.flags is None else dict(field.flags),
        "secret": field.secret or None,
        "since": field.since or None,
        "description": field.doc,
    }
    return {name: value for name, value in members.items() if value is not None}


def on_terminal(field: FieldInfo) -> str:
    """Return name, type, unit and description, to be folded to the width of a terminal."""
    unit = f", {field.unit}" if field.unit else ""
    return f"{field.name}  ({field.type.words}{unit})  {field.doc}"


def line(field: FieldInfo) -> str:
    """Return name, type, unit, number of names, description and since, separated by tabs."""
    count = len(field.names or field.flags or ())
    cells = [field.name, field.type.words, field.unit or "", str(count or ""), field.doc]
    return "\t".join([*cells, field.since])
