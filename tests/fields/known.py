"""Registries of fields, of made-up protocols and of real ones."""

from tests.recorded import index

from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders
from streamshark.dissection.row import FrameRow
from streamshark.fields.field import ConstantValue
from streamshark.fields.registry import Fields
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session


def fields_of(
    wire: WireFormat, *records: EmbeddedRecord, layers: PayloadReaders | None = None
) -> Fields:
    """Return the registry of one wire format."""
    return Fields([Protocol(wire.id, "A card.", wire, embedded_records=records)], layers)


def all_fields() -> Fields:
    """Return the registry of all protocols that are installed."""
    return Fields(catalog(()))


def seen(capture: str, name: str) -> dict[str, set[object]]:
    """Return the values of a field in a recorded capture, by command (of any protocol)."""
    session = Session([str(index.lines()[capture].path)])
    fields = Fields(session.protocols, session.layers)
    out: dict[str, set[object]] = {}
    for row in session.analysis().rows():
        if isinstance(row, FrameRow) and row.name is not None:
            getter = fields.getter(name, row.decoder, row.connection.wire)
            if isinstance(getter, ConstantValue):
                out.setdefault(row.name, set()).add(getter.value)
            elif getter is not None and (values := list(getter.values(row))):
                out.setdefault(row.name, set()).update(values)
    return out


def roles(short: str) -> dict[str, set[str]]:
    """Return the members of a protocol's frames and embedded records that have each role."""
    out: dict[str, set[str]] = {}
    for each in all_fields().protocols[short].all():
        for role in (each.facts.role or "").split():
            out.setdefault(role, set()).add(each.name.rpartition(".")[2])
    return out
