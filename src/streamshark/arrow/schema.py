"""Arrow schemas: one table of all frames, and one table per command with its fields.

`frames` has a row per frame and event, with the JSON members that all protocols share. A command's
table has a row per frame of that command, joined to `frames` by the four columns of `KEY`; its
other columns have the full names of the fields (`rmqstream.tune.frame_max`), and members of list
items their names within the item. The last ones may be fields that span commands
(`rmqstream.stream`), by which tables can be reassembled.

No value loses information: integers keep their width and sign (u64 is uint64; Spark, which has no
unsigned types, uses decimal(20, 0)), text is string, bytes are binary, a UUID is 16 bytes. An
enumerated value is its number, with the names in the field's metadata. An absent list is null, an
empty one is empty. Every column is nullable, because a truncated frame lacks what follows the cut;
`presence` in the metadata is `always` where every well-formed frame has the field. One distinction
is lost: text that is null on the wire and text that is absent are both null.

pyarrow is imported only here, when a schema is requested.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from streamshark.arrow.columns import ArrowColumn, columns
from streamshark.fields.field import FieldInfo
from streamshark.schema.nodes import Tree

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 1
"""Incremented when a table changes in a way that readers notice."""
KEY = ("file", "packet", "flow", "offset")
"""Columns that identify a frame: capture, completing packet, connection, stream offset."""
Key = tuple[int, int, int, int]
Veil = Callable[[ArrowColumn, object], object]
"""Maps a column and one of its values to what is kept of the value."""


def frames_schema() -> "pa.Schema":
    """Return the schema of the table of all frames and events."""
    import pyarrow as pa  # noqa: PLC0415 - heavy, and needed only for tables

    problem = pa.struct(
        [
            _plain("code", pa.string(), "What is wrong, one of the closed list of codes."),
            _plain("field", pa.string(), "Whole name of the field; null for the frame as a whole."),
            _plain("offset", pa.int64(), "From the first byte of the frame.", unit="bytes"),
            _plain("length", pa.int64(), "Bytes concerned.", unit="bytes"),
            _plain("message", pa.string(), "A sentence with the values seen."),
        ]
    )
    number = pa.field("item", pa.int64(), nullable=False)
    fields = [
        _plain("frame", pa.int64(), "Running number, 1-based, of frames; null for events."),
        *_key_fields(),
        _plain("time", pa.timestamp("ns", tz="UTC"), "When the packet that completed it came."),
        _plain("time_ns", pa.int64(), "The same, since 1970-01-01 UTC.", unit="ns"),
        _plain("src", pa.string(), "Who sent it, address:port."),
        _plain("dst", pa.string(), "Who received it, address:port."),
        _plain("packets", pa.list_(number), "Numbers of the packets that carried it."),
        _plain("protocol", pa.string(), "Id of the protocol; tcp for events."),
        _plain("command", pa.string(), "The same for request and response; null when unknown."),
        _plain(
            "key", pa.int64(), "Number on the wire that names the command; null where text does."
        ),
        _plain("version", pa.int64(), "What the frame carries, else what was negotiated."),
        _plain("kind", pa.string(), "request, response, command or event."),
        _plain("sender", pa.string(), "client, server or peer; null when it cannot be proved."),
        _plain("correlation_id", pa.string(), "What joins request and response, as text."),
        _plain("length", pa.int64(), "On the wire, its own length prefix included.", unit="bytes"),
        _plain("carrier", pa.int64(), "Number of the frame that it rode in, if any."),
        _plain(
            "problems",
            pa.list_(pa.field("item", problem, nullable=False)),
            "What is wrong with it; empty when nothing is.",
        ),
    ]
    return pa.schema(fields, metadata={"schema_version": str(SCHEMA_VERSION)})


def command_schema(trees: Iterable[Tree], common: Iterable[FieldInfo] = ()) -> "pa.Schema":
    """Return the schema of one command's table, from its trees in all versions.

    `common` are the fields that span commands and of which the command has a value: their columns
    come last, and are of one type in the tables of all commands.

    Raises:
        SchemaError: A name has two types that cannot be merged.
    """
    import pyarrow as pa  # noqa: PLC0415

    trees = tuple(trees)
    found = columns(trees)
    prefix = trees[0].prefix
    fields = [_field(each, f"{prefix}.{each.name}") for each in found]
    fields += map(_common_field, common)
    metadata = {"schema_version": str(SCHEMA_VERSION), "command": prefix}
    return pa.schema([*_key_fields(), *fields], metadata=metadata)


def command_schemas(trees: Iterable[Tree]) -> "dict[str, pa.Schema]":
    """Return the schema of each command's table, by `<short>.<command>`."""
    return {prefix: command_schema(group) for prefix, group in by_command(trees).items()}


def by_command(trees: Iterable[Tree]) -> dict[str, list[Tree]]:
    """Group trees by `<short>.<command>`: all versions of one command together."""
    out: dict[str, list[Tree]] = {}
    for tree in trees:
        out.setdefault(tree.prefix, []).append(tree)
    return out


def command_table(
    trees: Iterable[Tree], rows: Iterable[tuple[Key, Mapping[str, object]]]
) -> "pa.Table":
    """Build the table of one command from decoded values, each with the key of its frame."""
    import pyarrow as pa  # noqa: PLC0415

    trees = tuple(trees)
    schema = command_schema(trees)
    cells = command_cells(columns(trees), rows)
    arrays = [pa.array(each, field.type) for each, field in zip(cells, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def command_cells(
    found: Iterable[ArrowColumn],
    rows: Iterable[tuple[Key, Mapping[str, object]]],
    veil: Veil | None = None,
) -> list[list[object]]:
    """Return a command's table as lists of values: the columns of `KEY`, then those given.

    `veil` maps each scalar value to what is kept of it.
    """
    found = tuple(found)
    cells: list[list[object]] = [[] for _ in (*KEY, *found)]
    for key, values in rows:
        row = [*key, *(_cell(each, _at(values, each.name), veil) for each in found)]
        for column, cell in zip(cells, row, strict=True):
            column.append(cell)
    return cells


def _key_fields() -> "list[pa.Field]":
    import pyarrow as pa  # noqa: PLC0415

    return [
        _plain("file", pa.int32(), "Which of the captures read, 0-based.", null=False),
        _plain("packet", pa.int64(), "Number of the packet that completed it.", null=False),
        _plain("flow", pa.int64(), "Number of the connection, 0-based.", null=False),
        _plain("offset", pa.int64(), "Of its first byte in its side's stream.", null=False),
    ]


def _plain(
    name: str, of: "pa.DataType", doc: str, *, unit: str | None = None, null: bool = True
) -> "pa.Field":
    import pyarrow as pa  # noqa: PLC0415

    metadata = {"doc": doc} | ({"unit": unit} if unit else {})
    return pa.field(name, of, nullable=null, metadata=metadata)


def _field(column: ArrowColumn, name: str) -> "pa.Field":
    """Return a column as an Arrow field, with its description and facts as metadata."""
    import pyarrow as pa  # noqa: PLC0415

    facts = column.facts
    facts_by_name = {
        "doc": column.doc,
        "presence": "always" if column.always else "sometimes",
        "unit": facts.unit,
        "role": facts.role,
        "secret": "true" if facts.secret else None,
        "names": _numbered(facts.names),
        "ranges": _ranged(facts.ranges),
        "flags": _numbered(facts.flags),
    }
    metadata = {key: value for key, value in facts_by_name.items() if value}
    return pa.field(name, _type(column), nullable=True, metadata=metadata)


def _common_field(field: FieldInfo) -> "pa.Field":
    """Return the column of a field that spans commands; a list if a frame may have several."""
    kind, bits, signed = field.type.kind, field.type.bits, field.type.signed
    one = ArrowColumn("", kind, field.doc, field.facts, bits, signed)
    column = ArrowColumn("", "list", field.doc, field.facts, item=one) if field.many else one
    return _field(replace(column, always=False), field.name)


def _numbered(names: Mapping[int, str] | None) -> str | None:
    """Return names by number as JSON, or None if there are no names."""
    return json.dumps({str(number): names[number] for number in sorted(names)}) if names else None


def _ranged(ranges: Mapping[tuple[int, int], str] | None) -> str | None:
    """Return names by range as JSON, a list of [first, last, name], or None without ranges."""
    return json.dumps([[*key, ranges[key]] for key in sorted(ranges)]) if ranges else None


def _type(column: ArrowColumn) -> "pa.DataType":
    """Return the Arrow type of a column."""
    import pyarrow as pa  # noqa: PLC0415

    if column.item is not None:
        return pa.list_(pa.field("item", _type(column.item), nullable=False))
    match column.kind:
        case "int":
            return getattr(pa, f"{'' if column.signed else 'u'}int{column.bits}")()
        case "record":
            return pa.struct([_field(each, each.name) for each in column.members])
        case "unknown":
            return _unknown_type()
    types = {"text": pa.string(), "bytes": pa.binary(), "uuid": pa.binary(16)}
    types |= {"bool": pa.bool_(), "float": pa.float32(), "double": pa.float64()}
    return types[column.kind]


def _unknown_type() -> "pa.DataType":
    """Return the Arrow type of a protobuf field that the schema does not define."""
    import pyarrow as pa  # noqa: PLC0415

    return pa.struct(
        [
            _plain("number", pa.uint32(), "Number of the field."),
            _plain("wire_type", pa.uint8(), "How it was written."),
            _plain("integer", pa.uint64(), "The value, where it is a varint."),
            _plain("bytes", pa.binary(), "The value, where it is not."),
        ]
    )


def _at(values: object, path: str) -> object:
    """Return the value at a path of names, or None if a name on the path is missing."""
    value = values
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _cell(column: ArrowColumn, value: object, veil: Veil | None) -> object:
    """Return a decoded value in the form that pyarrow expects."""
    if value is None:
        return None
    if column.item is not None:
        return [_cell(column.item, each, veil) for each in cast("list[object]", value)]
    match column.kind:
        case "record":
            return {each.name: _cell(each, _at(value, each.name), veil) for each in column.members}
        case "unknown":
            content = _at(value, "value")
            form = "integer" if isinstance(content, int) else "bytes"
            return {
                "number": _at(value, "number"),
                "wire_type": _at(value, "wire_type"),
                form: content,
            }
        case "bool":
            value = bool(value)
    return veil(column, value) if veil is not None else value
