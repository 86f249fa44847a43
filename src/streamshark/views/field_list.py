"""The list of fields: every name that JSON, `-e`, filters and columns accept, with its meaning.

One entry per name, over all versions and dialects of a frame: a name has one meaning.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from streamshark.conversations.tables import Derived
from streamshark.decoding.numbering import named
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.protocol import Protocol
from streamshark.schema import nodes
from streamshark.views import reassembly
from streamshark.views.fields_output import HEADERS
from streamshark.views.json import SCHEMA_VERSION
from streamshark.views.schema_text import type_of

COMPUTED = "Computed: no byte says it."
"""Added to the description of numbers that are not on the wire."""

_HEADER_TYPES: dict[str, tuple[str, str | None]] = {
    "key": ("number", None),
    "version": ("number", None),
    "correlation_id": ("number or text", None),
    "length": ("number", "bytes"),
    "problem": ("list of text", None),
    "request_frame": ("number", None),
    "response_frame": ("number", None),
    "response_time": ("number", "s"),
}
"""Type and unit of header fields other than text."""


@dataclass(slots=True)
class FieldEntry:
    """One field name and its description."""

    name: str
    protocol: str
    type: str
    description: str
    unit: str | None = None
    names: dict[int, str] | None = None
    """Number to name, of an enumerated or coded value."""
    flags: dict[int, str] | None = None
    """Mask to name, of a number whose bits are flags."""
    secret: bool = False
    since: str = ""
    """First release that has it; empty if not recorded."""
    ranges: list[dict[str, Any]] | None = None
    """First, last and name of each range of numbers without names of their own."""

    def json(self) -> dict[str, Any]:
        """Return the entry as a JSON object, without members that are unset."""
        members = {
            "name": self.name,
            "protocol": self.protocol,
            "type": self.type,
            "unit": self.unit,
            "names": self.names,
            "ranges": self.ranges,
            "flags": self.flags,
            "secret": self.secret or None,
            "since": self.since or None,
            "description": self.description,
        }
        return {name: value for name, value in members.items() if value is not None}

    def line(self) -> str:
        """Return name, type, unit, number of names, description and since, separated by tabs."""
        count = len(self.names or self.flags or ())
        cells = [self.name, self.type, self.unit or "", str(count or ""), self.description]
        return "\t".join([*cells, self.since])


def entries(
    wire: WireFormat,
    embedded_records: Iterable[EmbeddedRecord] = (),
    derived: Iterable[Derived] = (),
) -> list[FieldEntry]:
    """Return the fields of a protocol: of heads, computed, of frames, of embedded records."""
    found = [_header(wire, name, sentence) for name, sentence in HEADERS.items()]
    found += (_derived(wire, each) for each in derived)
    known: dict[str, FieldEntry] = {}
    for dialect in wire.dialects:
        for decoder in wire.table(dialect).all:
            tree = decoder.tree
            for node in tree.named():
                name = tree.name(node)
                if name in known:
                    _joined(known[name], node)
                else:
                    known[name] = _entry(wire, name, node, tree.schema.since)
            for name, each in named(tree).items():
                description = f"{each.doc} {COMPUTED}"
                known.setdefault(
                    name, FieldEntry(name, wire.id, "number", description, since=tree.schema.since)
                )
            for name, _, kind, description in reassembly.names(wire, tree):
                known.setdefault(name, FieldEntry(name, wire.id, kind, f"{description} {COMPUTED}"))
    for embedded in embedded_records:
        for name, node in embedded.names.items():
            known.setdefault(name, _entry(wire, name, node, ""))
    return [*found, *known.values()]


def listing(protocols: Iterable[Protocol]) -> dict[str, Any]:
    """Return the fields of several protocols as one JSON object."""
    fields = [
        entry.json()
        for each in protocols
        for entry in entries(each.wire, each.embedded_records, each.derived)
    ]
    return {"schema_version": SCHEMA_VERSION, "fields": fields}


def _header(wire: WireFormat, name: str, sentence: str) -> FieldEntry:
    kind, unit = _HEADER_TYPES.get(name, ("text", None))
    return FieldEntry(f"{wire.short}.{name}", wire.id, kind, sentence, unit)


def _derived(wire: WireFormat, table: Derived) -> FieldEntry:
    unit = "s" if table.is_time else None
    description = f"{table.doc} {COMPUTED} Shown by -V, and by -T fields."
    return FieldEntry(f"{wire.short}.{table.name}", wire.id, "number", description, unit)


def _entry(wire: WireFormat, name: str, node: nodes.Node, since: str) -> FieldEntry:
    facts = node.facts
    return FieldEntry(
        name,
        wire.id,
        type_of(node),
        node.doc,
        facts.unit,
        dict(facts.names) if facts.names is not None else None,
        dict(facts.flags) if facts.flags is not None else None,
        facts.secret,
        facts.since or since,
        ranges=[
            {"first": first, "last": last, "name": name}
            for (first, last), name in sorted((facts.ranges or {}).items())
        ]
        or None,
    )


def _joined(entry: FieldEntry, node: nodes.Node) -> None:
    """Merge another version or arm of a field into its entry."""
    if type_of(node) not in entry.type.split(" or "):
        entry.type += f" or {type_of(node)}"
    if node.facts.names is not None:
        entry.names = {**(entry.names or {}), **node.facts.names}
    if node.facts.flags is not None:
        entry.flags = {**(entry.flags or {}), **node.facts.flags}
    entry.secret |= node.facts.secret
