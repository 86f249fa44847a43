"""The fields of message bodies: those of the formats, such as `amqp1.properties.subject`.

A format by its id is there in frames with a body that it decodes. Bodies are decoded only for
filters that name such a field, once for each row.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import (
    EmbeddedRecord,
    Format,
    FormatField,
    Payload,
    PayloadReaders,
    cells,
    too_deep,
)
from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import BODIES, FieldInfo
from streamshark.fields.registry import Fields
from streamshark.fields.types import FieldType, integer
from streamshark.filters import kinds

TEXT: Final = "text"
"""Last name of the field of bodies that are text: `nats.text`."""
_READABLE: Final = frozenset({"text", "json"})
"""Formats whose bodies are text."""
INSIDE: Final = ""
"""The slot of bytes inside a decoded value: only formats that fit any slot are tried there."""
MOST_LAYERS: Final = 4
"""Most bodies inside bodies that are decoded."""

_TYPES: Final = {
    each.kind: each for each in (kinds.TEXT, kinds.BYTES, kinds.BOOLEAN, kinds.NONE, kinds.DOUBLE)
}
_NEEDS: Final = frozenset({BODIES})


class Body(NamedTuple):
    """A body, and the short name of the protocol in whose slot it is; empty inside a body."""

    short: str
    payload: Payload


class BodyFields:
    """The fields of formats, by name, with their getters."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self.formats = {each.id: each for each in fields.formats if each.fields is not None}
        """Formats that declare fields, by id."""
        self._declared: dict[str, dict[str, FormatField]] = {}
        self._row: Row | None = None
        self._bodies: list[Body] = []
        """The bodies of the row."""

    @cached_property
    def _readers(self) -> PayloadReaders:
        records = (each.source.embedded_records for each in self._fields.protocols.values())
        return PayloadReaders(chain(*records, self._fields.formats))

    def _of(self, id: str) -> dict[str, FormatField]:  # noqa: A002 - as in `Format`
        """Return the fields of a format, by full name."""
        if id not in self._declared:
            declared = self.formats[id].fields
            found = () if declared is None else declared()
            self._declared[id] = {f"{id}.{each.name}": each for each in found}
        return self._declared[id]

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name; None if no format has it."""
        id, dot, rest = name.partition(".")  # noqa: A001 - as in `Format`
        if rest == TEXT and id in self._fields.protocols:
            return self._text(name)
        if id not in self.formats:
            return None
        if not dot:
            doc = f"A body in the format {self.formats[id].title}; its bytes."
            return FieldInfo(name, "", kinds.PROTOCOL, doc, many=True, needs=_NEEDS)
        found = self._of(id).get(name)
        if found is None:
            return None
        return FieldInfo(name, "", _type(found), found.doc, many=True, needs=_NEEDS)

    def texts(self) -> Iterator[str]:
        """Yield the names of the fields of bodies that are text."""
        return (f"{short}.{TEXT}" for short in self._fields.protocols)

    @staticmethod
    def _text(name: str) -> FieldInfo:
        doc = "A body that is text, JSON included."
        return FieldInfo(name, "", kinds.TEXT, doc, many=True, needs=_NEEDS)

    def starting(self, prefix: str) -> Iterator[FieldInfo]:
        """Yield the fields whose names begin with a prefix."""
        yield from (self._text(each) for each in self.texts() if each.startswith(prefix))
        for id in self.formats:  # noqa: A001 - as in `Format`
            names = [id]
            if prefix.startswith(f"{id}."):
                names = [*self._of(id)]
            found = (self.find(name) for name in names if name.startswith(prefix))
            yield from (each for each in found if each is not None)

    def values(self, name: str, decoder: Decoder | None) -> Callable[[Row], Sequence[Any]] | None:
        """Return what gets a field from frames of a decoder; None where they have no bodies."""
        if decoder is None or not any(getattr(each, "slot", None) for each in decoder.tree.nodes):
            return None
        id, dot, _ = name.partition(".")  # noqa: A001 - as in `Format`
        if id not in self.formats:
            return lambda row: [
                each.payload.data.decode(errors="replace")
                for each in self._bodies_of(row)
                if each.short == id and each.payload.reader.id in _READABLE
            ]
        get = self._of(id)[name].values if dot else None

        def values(row: Row) -> Sequence[Any]:
            found = (each.payload for each in self._bodies_of(row))
            bodies = [each for each in found if each.reader.id == id]
            if get is None:
                return [each.data for each in bodies]
            return [value for each in bodies for value in get(each.decoded.value)]

        return values

    def _bodies_of(self, row: Row) -> list[Body]:
        """Return the bodies of a row that formats decode, in wire order.

        A body that is a frame of another protocol is the body of that frame alone, as in plugins.
        """
        if row is not self._row:
            self._row, self._bodies = row, []
            if isinstance(row, FrameRow) and row.decoder is not None and not row.is_carrier:
                values = (row.reassembled or {}) if row.piece else row.values
                self._bodies = list(self._inside(row.decoder, values, row.agreed, 1))
        return self._bodies

    def _inside(
        self,
        decoder: Decoder,
        values: dict[str, Any],
        agreed: Mapping[str, Any],
        depth: int,
    ) -> Iterator[Body]:
        """Yield the bodies in the slots of a frame or embedded record."""
        for cell in cells(decoder.tree, values, agreed):
            body = self._readers.body(cell.slot, cell.data, declared=cell.declared)
            if body is None or too_deep(body, depth):
                continue
            reader = body.reader
            if isinstance(reader, Format):
                short = decoder.tree.prefix.partition(".")[0]
                yield from self._nested(Body(short, body), 1)
            elif isinstance(reader, EmbeddedRecord):
                record = reader.record_of(body.decoded.value)
                yield from self._inside(reader.decoder, record, agreed, depth + 1)

    def _nested(self, body: Body, depth: int) -> Iterator[Body]:
        """Yield a body, and those in bytes of its decoded value."""
        yield body
        if depth >= MOST_LAYERS:
            return
        stack = [body.payload.decoded.value]
        while stack:
            value = stack.pop()
            if isinstance(value, dict | list):
                stack += reversed(list(value.values() if isinstance(value, dict) else value))
            elif isinstance(value, bytes):
                inner = self._readers.body(INSIDE, value)
                if inner is not None:
                    yield from self._nested(Body("", inner), depth + 1)


def _type(field: FormatField) -> FieldType:
    if field.kind == "int":
        return integer("number", field.bits, signed=field.signed)
    return _TYPES[field.kind]
