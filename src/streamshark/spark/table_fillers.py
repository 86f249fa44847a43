"""Rows as columns of the tables, and what is kept of bodies and secrets."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import pyarrow as pa

from streamshark.arrow.columns import ArrowColumn, columns
from streamshark.arrow.schema import command_cells
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import cells
from streamshark.dissection.connection import Connection
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.dissector import Dissector
from streamshark.fields.field import ConstantValue
from streamshark.fields.field import Getter as FieldGetter
from streamshark.flows.segment import Flow
from streamshark.spark.tables import BODIES
from streamshark.splits.inputs import UnreadableInput
from streamshark.views.annotations import Contexts
from streamshark.views.conversations import conversation_dict
from streamshark.views.display_options import MASK, DisplayOptions
from streamshark.views.findings import finding_dict
from streamshark.views.json import JsonRows, encoded
from streamshark.views.times import Rfc3339

BATCH = 4096
"""Rows of one Arrow batch."""

Getter = Callable[[Any], Any]


class Filler:
    """Builder of Arrow batches of some columns: `add` each object, `batch` returns the rows."""

    def __init__(self, schema: pa.Schema, getters: Mapping[str, Getter]) -> None:
        self.schema = schema
        self._cells: list[list[Any]] = [[] for _ in schema]
        self._gets = [
            (cell, getters[each.name]) for cell, each in zip(self._cells, schema, strict=True)
        ]

    def __len__(self) -> int:
        return len(self._cells[0]) if self._cells else 0

    def add(self, each: Any) -> None:  # noqa: ANN401 - what the getters take
        """Add a row."""
        for cell, get in self._gets:
            cell.append(get(each))

    def batch(self) -> pa.RecordBatch:
        """Return the rows since the last batch."""
        arrays = [
            pa.array(cell, field.type) for cell, field in zip(self._cells, self.schema, strict=True)
        ]
        made = pa.RecordBatch.from_arrays(arrays, schema=self.schema)
        for cell in self._cells:
            cell.clear()
        return made


def in_batches(filler: Filler, things: Iterable[Any]) -> Iterator[pa.RecordBatch]:
    """Yield all objects in batches."""
    for each in things:
        filler.add(each)
        if len(filler) >= BATCH:
            yield filler.batch()
    if len(filler):
        yield filler.batch()


class KeptValues(NamedTuple):
    """What is kept of values."""

    bodies: str = BODIES[0]
    secrets: bool = False

    @property
    def showing(self) -> DisplayOptions:
        """The same choice for JSON."""
        return DisplayOptions(
            secrets=self.secrets, bodies="raw" if self.bodies == "full" else "size"
        )

    def body(self, data: bytes | None) -> bytes | None:
        """Return what is kept of a body: None, its SHA-256, or the bytes."""
        if data is None or self.bodies == "none":
            return None
        return sha256(data).digest() if self.bodies == "hash" else data

    def veil(self, column: ArrowColumn, value: object) -> object:
        """Return what is kept of a value of a command's table."""
        if column.facts.secret and not self.secrets:
            return MASK if column.kind == "text" else None
        if not column.slot:
            return value
        data = value.encode() if isinstance(value, str) else value
        kept = self.body(data if isinstance(data, bytes) else None)
        if column.kind == "text" and kept is not None:
            return kept.hex() if self.bodies == "hash" else value
        return kept


def _us(ns: int) -> int:
    return ns // 1000


def _part_of(row: Row) -> str | None:
    """Return the id of the conversation of the object to which the call of a row belongs."""
    found = row.annotation.part_of if row.annotation else None
    return None if found is None else str(found)


class RowFiller(Filler):
    """Builder of `frames`: a row for each frame and event."""

    def __init__(self, schema: pa.Schema, dissector: Dissector, kept: KeptValues) -> None:
        self._hide = None if kept.secrets else SecretMask(dissector.known.layers).row
        names = [each.name for each in dissector.captures]
        context = Contexts()
        shown = JsonRows(kept.showing, layers=dissector.known.layers)
        asked = "fields" in schema.names

        def fields(row: Row) -> str:
            if isinstance(row, FrameRow):
                return shown.fields(row)
            return encoded(row.fields) if isinstance(row, EventRow) else "{}"

        def problems(row: Row) -> list[dict[str, Any]]:
            if not isinstance(row, FrameRow):
                return shown.problems(row.problems, None, frozenset())
            if asked or row.problems:
                return shown.problems_of(row)
            return []

        def of_frame(name: str) -> Getter:
            return lambda row: getattr(row, name) if isinstance(row, FrameRow) else None

        getters: dict[str, Getter] = {
            "file": lambda row: names[row.file],
            "packet": lambda row: row.packet,
            "flow": lambda row: row.connection.flow.number,
            "offset": lambda row: row.offset,
            "time": lambda row: _us(row.time_ns),
            "time_ns": lambda row: row.time_ns,
            "src": lambda row: row.addresses[0],
            "dst": lambda row: row.addresses[1],
            "packets": lambda row: row.packets,
            "protocol": lambda row: (
                row.connection.wire.id if isinstance(row, FrameRow) else row.protocol
            ),
            "command": lambda row: row.command if isinstance(row, FrameRow) else row.name,
            "key": of_frame("key"),
            "version": of_frame("version"),
            "kind": lambda row: row.kind if isinstance(row, FrameRow) else "event",
            "sender": lambda row: row.sender,
            "correlation_id": lambda row: (
                None
                if not isinstance(row, FrameRow) or row.correlation_id is None
                else str(row.correlation_id)
            ),
            "length": lambda row: len(row.data) if isinstance(row, FrameRow) else 0,
            "carrier": lambda row: (
                row.carrier.number or None if isinstance(row, FrameRow) and row.carrier else None
            ),
            "side": lambda row: row.side,
            "fields": fields,
            "problems": problems,
            "frame": lambda row: row.number if isinstance(row, FrameRow) else None,
            "conversation": lambda row: row.annotation.conversation if row.annotation else None,
            "part_of": _part_of,
            "request_frame": lambda row: row.annotation.request_frame if row.annotation else None,
            "response_time_ns": lambda row: (
                row.annotation.response_time_ns if row.annotation else None
            ),
            "context": lambda row: context(row.annotation.context) if row.annotation else "{}",
        }
        if "problems" in schema.names and asked:  # embedded ones are known once shown
            order = sorted(schema.names, key=lambda name: name == "problems")
            super().__init__(pa.schema([schema.field(name) for name in order]), getters)
            self._given = schema
        else:
            super().__init__(schema, getters)
            self._given = schema

    def add(self, each: Row) -> None:
        """Add a row, with masked secrets unless they are kept."""
        super().add(each if self._hide is None else self._hide(each))

    def batch(self) -> pa.RecordBatch:
        """Return the rows since the last batch."""
        return super().batch().select(self._given.names)


class MessageFiller(Filler):
    """Builder of `messages`: a row for each payload in a slot of a frame."""

    def __init__(self, schema: pa.Schema, dissector: Dissector, kept: KeptValues) -> None:
        self._veil = None if kept.secrets else SecretMask(dissector.known.layers)
        names = [each.name for each in dissector.captures]
        getters: dict[str, Getter] = {
            "file": lambda one: names[one[0].file],
            "packet": lambda one: one[0].packet,
            "flow": lambda one: one[0].connection.flow.number,
            "offset": lambda one: one[0].offset,
            "time": lambda one: _us(one[0].time_ns),
            "time_ns": lambda one: one[0].time_ns,
            "protocol": lambda one: one[0].connection.wire.id,
            "command": lambda one: one[0].command,
            "field": lambda one: ".".join(one[0].decoder.tree.nodes[one[1].node].path),
            "index": lambda one: one[2],
            "slot": lambda one: one[1].slot,
            "type": lambda one: one[1].declared,
            "codec": lambda one: one[1].packed,
            "length": lambda one: len(one[1].data),
            "body": lambda one: kept.body(one[1].data),
        }
        super().__init__(schema, getters)

    def add(self, each: Row) -> None:
        """Add the payloads of one row."""
        if isinstance(each, FrameRow) and each.decoder is not None:
            row = each if self._veil is None else self._veil.frame(each)
            found = cells(each.decoder.tree, row.values, each.agreed)
            for index, cell in enumerate(found):
                super().add((row, cell, index))


class CommandFiller:
    """Builder of one command's table: a row for each of its frames, with all fields."""

    def __init__(
        self, schema: pa.Schema, dissector: Dissector, decoders: Sequence[Decoder], kept: KeptValues
    ) -> None:
        self.schema = schema
        self._names = [each.name for each in dissector.captures]
        tree = decoders[0].tree
        self._prefix = tree.prefix
        wanted = set(schema.names)
        trees = [each.tree for each in decoders]
        self._columns = [each for each in columns(trees) if f"{tree.prefix}.{each.name}" in wanted]
        self._order = [*("file", "packet", "flow", "offset"),
                       *(f"{tree.prefix}.{each.name}" for each in self._columns)]  # fmt: skip
        self._kept = kept
        self._veil = None if kept.secrets else SecretMask(dissector.known.layers)
        self._rows: list[tuple[tuple[Any, Any, Any, Any], Mapping[str, object]]] = []
        self._fields = dissector.fields
        shared = {name for name in schema.names if name not in self._order}
        self._common: dict[str, list[object]] = {name: [] for name in shared}
        """Values of the fields that span commands."""

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Row) -> None:
        """Add a row, if it is of this command."""
        if not isinstance(row, FrameRow) or row.decoder is None:
            return
        if row.decoder.tree.prefix == self._prefix:  # on any carrier, in any dialect
            key = (row.file, row.packet, row.connection.flow.number, row.offset)
            shown = row if self._veil is None else self._veil.frame(row)
            self._rows.append((key, shown.values))
            for name, cells_of in self._common.items():
                cells_of.append(self._value(name, shown))

    def _value(self, name: str, row: FrameRow) -> object:
        """Return the value of a field that spans commands, a list where it may be several."""
        getter = self._fields.getter(name, row.decoder, row.connection.wire)
        found = [getter.value] if isinstance(getter, ConstantValue) else []
        if isinstance(getter, FieldGetter):
            found = list(getter.values(row))
        if self._fields.get(name).many:
            return [each for each in found if each is not None]
        return found[0] if found else None

    def batch(self) -> pa.RecordBatch:
        """Return the rows since the last batch."""
        found = command_cells(self._columns, self._rows, self._kept.veil)
        found[0] = [self._names[key[0]] for key, _ in self._rows]
        made = {**dict(zip(self._order, found, strict=True)), **self._common}
        arrays = [pa.array(made[each.name], each.type) for each in self.schema]
        self._rows.clear()
        self._common = {name: [] for name in self._common}
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def conversation_filler(schema: pa.Schema) -> Filler:
    """Return the builder of `conversations`."""
    time = Rfc3339()

    def of(name: str) -> Getter:
        return lambda one: conversation_dict(one, time)[name]

    getters: dict[str, Getter] = {name: of(name) for name in ("request", "outcome")}
    plain = ("id", "type", "state", "first_frame", "last_frame", "frame_count", "duration_ns",
             "parent")  # fmt: skip
    getters |= {name: _member(name) for name in plain}
    getters |= {name: _listed(name) for name in ("protocols", "flows", "links")}
    getters |= {
        "correlation_id": lambda one: (
            None if one.correlation_id is None else str(one.correlation_id)
        ),
        "start": lambda one: _us(one.start),
        "start_ns": lambda one: one.start,
        "measures": lambda one: list(one.measures.items()),
        "protocol": lambda one: one.protocols[0],
    }
    return Filler(schema, getters)


def finding_filler(schema: pa.Schema, dissector: Dissector) -> Filler:
    """Return the builder of `findings`."""
    names = [each.name for each in dissector.captures]
    plain = ("rule", "severity", "group", "protocol", "flow", "conversation", "message", "cause",
             "source", "count", "time_ns")  # fmt: skip
    getters: dict[str, Getter] = {name: _member(name) for name in plain}
    getters |= {name: _listed(name) for name in ("frames", "packets")}
    getters |= {
        "file": lambda one: names[one.file],
        "time": lambda one: _us(one.time_ns),
        "echoes": lambda one: encoded([finding_dict(each, names) for each in one.echoes]),
    }
    return Filler(schema, getters)


def bad_filler(schema: pa.Schema) -> Filler:
    """Return the builder of `bad_inputs`."""
    return Filler(schema, {name: _member(name) for name in UnreadableInput._fields})


class TrackedFlow(NamedTuple):
    """A TCP connection, with counts of its bytes if it was recognised."""

    flow: Flow
    client: int | None
    """The client's side; None if it is not proved."""
    protocol: str | None = None
    reason: str | None = None
    """Why the protocol was recognised."""
    framed: int | None = None
    skipped: int | None = None
    lost: int | None = None


def followed(flow: Flow, known: Connection | None) -> TrackedFlow:
    """Return a TCP connection with the counts of its dissection."""
    if known is None:
        return TrackedFlow(flow, flow.client)
    splitters = [each for each in known.splitters if each is not None]
    framed = sum(each.framed for each in splitters)
    skipped = sum(each.skipped.total() for each in splitters)
    return TrackedFlow(flow, known.client, known.wire.id, known.reason, framed, skipped, known.lost)


def flow_filler(schema: pa.Schema) -> Filler:
    """Return the builder of `flows`: a row for each `TrackedFlow`."""

    def client(one: TrackedFlow) -> str | None:
        return None if one.client is None else one.flow.addresses[one.client]

    def of_flow(name: str) -> Getter:
        return lambda one: getattr(one.flow, name)

    def trouble(name: str) -> Getter:
        return lambda one: sum(getattr(each, name) for each in one.flow.trouble)

    getters: dict[str, Getter] = {
        name: of_flow(name) for name in ("packets", "payload", "repeated")
    }
    getters |= {name: trouble(name) for name in ("retransmissions", "zero_windows")}
    getters |= {name: _member(name) for name in TrackedFlow._fields[2:]}
    getters |= {
        "flow": lambda one: one.flow.number,
        "src": lambda one: one.flow.addresses[0],
        "dst": lambda one: one.flow.addresses[1],
        "client": client,
        "handshake_ns": lambda one: (
            None if one.flow.handshake_ns is None else sum(one.flow.handshake_ns)
        ),
    }
    return Filler(schema, getters)


def _member(name: str) -> Getter:
    return lambda one: getattr(one, name)


def _listed(name: str) -> Getter:
    return lambda one: list(getattr(one, name))
