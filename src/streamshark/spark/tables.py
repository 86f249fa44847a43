"""Tables of the pipeline: their names, and their schemas in Spark's types.

Names and meanings are those of `arrow.schema`; types that Spark lacks are widened (unsigned numbers
to the next signed type, u64 to decimal(20, 0), nanoseconds to microseconds beside an integer of
nanoseconds), and `file` is the name of the capture instead of its number.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from streamshark.arrow.schema import (
    SCHEMA_VERSION,
    by_command,
    command_schema,
    frames_schema,
)
from streamshark.decoding.decoder import Decoder
from streamshark.dissector import Dissector

if TYPE_CHECKING:
    from streamshark.fields.field import FieldInfo

PACKETS, FLOWS, FRAMES, MESSAGES = "packets", "flows", "frames", "messages"
CONVERSATIONS, FINDINGS, BAD_INPUTS = "conversations", "findings", "bad_inputs"
FILES = "files"
"""The captures themselves: input of a query over a folder in which they rotate."""
BODIES = ("none", "hash", "full")
"""What is kept of message bodies: only lengths, their SHA-256, or the bytes."""

_WIDER = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.binary(16): pa.binary(),
    pa.timestamp("ns", tz="UTC"): pa.timestamp("us", tz="UTC"),
}


def spark_type(of: pa.DataType) -> pa.DataType:
    """Return the type in Spark for a type of Arrow."""
    if pa.types.is_list(of):
        return pa.list_(_spark_field(of.value_field))
    if pa.types.is_struct(of):
        return pa.struct([_spark_field(of.field(at)) for at in range(of.num_fields)])
    return _WIDER.get(of, of)


def _spark_field(of: pa.Field) -> pa.Field:
    return pa.field(of.name, spark_type(of.type), nullable=of.nullable)


def spark_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema of `arrow.schema` in Spark's types, with `file` by name."""
    fields = [
        pa.field("file", pa.string(), nullable=False) if each.name == "file" else _spark_field(each)
        for each in schema
    ]
    return pa.schema(fields, metadata={"schema_version": str(SCHEMA_VERSION)})


_TIME = pa.timestamp("us", tz="UTC")
_NUMBERS = pa.list_(pa.field("item", pa.int64(), nullable=False))
_TEXTS = pa.list_(pa.field("item", pa.string(), nullable=False))
_TURN = pa.struct([("frame", pa.int64()), ("command", pa.string()), ("text", pa.string())])
_KEY = [("file", pa.string()), ("packet", pa.int64()), ("flow", pa.int64()), ("offset", pa.int64())]

ANNOTATIONS = pa.schema(
    [
        *_KEY,
        ("side", pa.int8()),
        ("command", pa.string()),
        ("time_ns", pa.int64()),
        ("frame", pa.int64()),
        ("conversation", pa.string()),
        ("part_of", pa.string()),
        ("request_frame", pa.int64()),
        ("response_time_ns", pa.int64()),
        ("context", pa.string()),
    ]
)
"""Columns of a row that only a reading of everything in order of time can produce."""
NUMBERED = ("frame", "conversation", "part_of", "request_frame", "response_time_ns", "context")
"""Those of its columns that `frames` has on request."""

SCHEMAS: Mapping[str, pa.Schema] = {
    PACKETS: pa.schema(
        [
            *_KEY[:2],
            ("time", _TIME),
            ("time_ns", pa.int64()),
            ("link", pa.int32()),
            ("captured", pa.int64()),
            ("length", pa.int64()),
            ("src", pa.string()),
            ("dst", pa.string()),
            ("seq", pa.int64()),
            ("ack", pa.int64()),
            ("flags", pa.int32()),
            ("window", pa.int32()),
            ("payload", pa.int64()),
            ("data", pa.binary()),
        ]
    ),
    FLOWS: pa.schema(
        [
            ("flow", pa.int64()),
            ("src", pa.string()),
            ("dst", pa.string()),
            ("client", pa.string()),
            ("protocol", pa.string()),
            ("reason", pa.string()),
            ("packets", pa.int64()),
            ("payload", pa.int64()),
            ("repeated", pa.int64()),
            ("framed", pa.int64()),
            ("skipped", pa.int64()),
            ("lost", pa.int64()),
            ("retransmissions", pa.int64()),
            ("zero_windows", pa.int64()),
            ("handshake_ns", pa.int64()),
        ]
    ),
    MESSAGES: pa.schema(
        [
            *_KEY,
            ("time", _TIME),
            ("time_ns", pa.int64()),
            ("protocol", pa.string()),
            ("command", pa.string()),
            ("field", pa.string()),
            ("index", pa.int32()),
            ("slot", pa.string()),
            ("type", pa.string()),
            ("codec", pa.string()),
            ("length", pa.int64()),
            ("body", pa.binary()),
        ]
    ),
    CONVERSATIONS: pa.schema(
        [
            ("id", pa.string()),
            ("protocols", _TEXTS),
            ("flows", _NUMBERS),
            ("type", pa.string()),
            ("correlation_id", pa.string()),
            ("state", pa.string()),
            ("first_frame", pa.int64()),
            ("last_frame", pa.int64()),
            ("frame_count", pa.int64()),
            ("start", _TIME),
            ("start_ns", pa.int64()),
            ("duration_ns", pa.int64()),
            ("request", _TURN),
            ("outcome", _TURN),
            ("measures", pa.map_(pa.string(), pa.int64())),
            ("parent", pa.string()),
            ("links", _TEXTS),
            ("protocol", pa.string()),
        ]
    ),
    FINDINGS: pa.schema(
        [
            ("rule", pa.string()),
            ("severity", pa.string()),
            ("group", pa.string()),
            ("protocol", pa.string()),
            ("file", pa.string()),
            ("flow", pa.int64()),
            ("frames", _NUMBERS),
            ("packets", _NUMBERS),
            ("conversation", pa.string()),
            ("message", pa.string()),
            ("cause", pa.string()),
            ("source", pa.string()),
            ("count", pa.int64()),
            ("echoes", pa.string()),
            ("time", _TIME),
            ("time_ns", pa.int64()),
        ]
    ),
    FILES: pa.schema([("file", pa.string()), ("size", pa.int64()), ("changed_ns", pa.int64())]),
    BAD_INPUTS: pa.schema(
        [("file", pa.string()), ("reason", pa.string()), ("packets", pa.int64())]
    ),
}
"""Schemas of the tables that are the same for all protocols, except `frames`: see `frames`."""


def frames(*, numbered: bool = False) -> pa.Schema:
    """Return the schema of `frames`; `numbered` with the columns of a complete reading."""
    fields = [each for each in spark_schema(frames_schema()) if each.name != "frame"]
    numbering = [ANNOTATIONS.field(name) for name in NUMBERED] if numbered else []
    more = [pa.field("side", pa.int8()), pa.field("fields", pa.string())]
    return pa.schema([*numbering[:1], *fields, *more, *numbering[1:]])


def commands(dissector: Dissector) -> dict[str, list[Decoder]]:
    """Return the decoders of each command, by the name of its table.

    They are of the chosen dialects, of all dialects to which connections switch by themselves, and,
    for commands that only other dialects have, of those.
    """
    out: dict[str, list[Decoder]] = {}
    for table in dissector.known.tables:
        wire = table.wire
        for each in dict.fromkeys((table, *map(wire.table, wire.dialects))):
            known = frozenset() if each is table or wire.switch_dialect else frozenset(out)
            for decoder in each.all:
                if decoder.tree.prefix not in known:
                    out.setdefault(decoder.tree.prefix, []).append(decoder)
    return out


def command_schemas(dissector: Dissector) -> dict[str, pa.Schema]:
    """Return the schema of each command's table, by its name."""
    fields, known = dissector.fields, commands(dissector)
    common: dict[str, dict[str, FieldInfo]] = {}
    for wire in (table.wire for table in dissector.known.tables):
        for name, found in known.items():
            for decoder in found if name.startswith(f"{wire.short}.") else ():
                own = {each.name: each for each in fields.carried(decoder, wire)}
                common.setdefault(name, {}).update(own)
    trees = (each.tree for found in known.values() for each in found)
    return {
        name: spark_schema(command_schema(group, common.get(name, {}).values()))
        for name, group in by_command(trees).items()
    }
