"""Arrow tables hold what the decoders give, without loss, for every vector."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.failures import every

from streamshark.arrow.columns import columns
from streamshark.arrow.schema import (
    KEY,
    by_command,
    command_schema,
    command_schemas,
    command_table,
    frames_schema,
)
from streamshark.decoding.decoder import Decoder
from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.catalog import catalog
from streamshark.schema import (
    I64,
    U8,
    U16,
    U64,
    UUID,
    Many,
    ProtoMessage,
    Record,
    Tail,
    Word,
    field,
    proto,
    raw,
    text,
)
from streamshark.schema.nodes import Tree
from streamshark.schema.reference import build_members
from streamshark.schema.walk import walk_word

TABLES = [each.wire.table(dialect) for each in catalog() for dialect in each.wire.dialects]


def trees(table: FrameTable) -> list[Tree]:
    """Return the trees of a protocol in one dialect."""
    return [decoder.tree for decoder in table.all]


def back(row: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return a row's fields as the decoder gave them, nulls left out."""
    out: dict[str, Any] = {}
    for name, value in row.items():
        if value is None or not name.startswith(prefix):
            continue
        *path, last = name.removeprefix(prefix).split(".")
        at = out
        for step in path:
            at = at.setdefault(step, {})
        at[last] = plain(value)
    return out


def plain(value: Any) -> Any:  # noqa: ANN401
    """Return a cell as the decoder gave it."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict) and set(value) == {"number", "wire_type", "integer", "bytes"}:
        content = value.pop("integer"), value.pop("bytes")
        return {**value, "value": next(each for each in content if each is not None)}
    return back(value, "") if isinstance(value, dict) else value


def without_nulls(value: Any) -> Any:  # noqa: ANN401
    """Return a decoder's values without those that are null on the wire."""
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return value


def test_the_table_of_frames() -> None:
    """It has the members of the JSON that are the same everywhere, and the key."""
    schema = frames_schema()

    assert schema.metadata[b"schema_version"] == b"1"
    assert set(KEY) <= set(schema.names)
    assert schema.field("correlation_id").type == pa.string()
    assert schema.field("time").type == pa.timestamp("ns", tz="UTC")
    assert all(field.metadata[b"doc"] for field in schema)


def made(**words: Word) -> Tree:
    """Return the tree of a command with a field for each word."""
    return walk_word(Record(*(field(name, word, "It.") for name, word in words.items())), "made.x")


def test_names_are_whole_and_types_exact() -> None:
    """A column has the one name of its field and the narrowest type that loses nothing."""
    tree = made(a=U64, b=I64, c=text(U8), d=raw(U8), e=UUID, f=Many(U16, count=U8))
    schema = command_schema([tree])

    assert schema.names == [*KEY, *(f"made.x.{name}" for name in "abcdef")]
    assert schema.types[4:9] == [pa.uint64(), pa.int64(), pa.string(), pa.binary(), pa.binary(16)]
    assert schema.types[9].value_type == pa.uint16()
    assert schema.metadata == {b"schema_version": b"1", b"command": b"made.x"}


def test_fields_say_what_they_mean() -> None:
    """Metadata have description, unit, role, secret, names, and whether a field may be absent."""
    word = Record(
        field(
            "code",
            U16,
            "What came of it.",
            names={1: "ok"},
            role="response_code",
            ranges={(2, 9): "odd"},
        ),
        Tail(field("wait", U16, "How long.", unit="ms")),
        Tail(field("token", raw(U8), "Proof.", secret=True)),
        Tail(field("bits", U8, "Which.", flags={1: "first"})),
    )
    schema = command_schema([walk_word(word, "made.x")])
    told = [schema.field(f"made.x.{name}").metadata for name in ("code", "wait", "token", "bits")]

    assert told[0][b"doc"] == b"What came of it."
    assert told[0][b"role"] == b"response_code"
    assert told[0][b"presence"] == b"always"
    assert json.loads(told[0][b"names"]) == {"1": "ok"}
    assert json.loads(told[0][b"ranges"]) == [[2, 9, "odd"]]
    assert (told[1][b"unit"], told[1][b"presence"]) == (b"ms", b"sometimes")
    assert told[2][b"secret"] == b"true"
    assert json.loads(told[3][b"flags"]) == {"1": "first"}


def test_extremes_and_absences_survive() -> None:
    """The largest numbers, empty and absent lists, and a frame that is cut short."""
    word = Record(
        field("most", U64, "Most."),
        field("least", I64, "Least."),
        Tail(field("items", Many(U8, count=U8), "Some.")),
    )
    tree = walk_word(word, "made.x")
    values: list[dict[str, Any]] = [
        {"most": 2**64 - 1, "least": -(2**63), "items": [0, 255]},
        {"most": 0, "least": 0, "items": []},
        {"most": 0, "least": 0},
        {"most": 1},
    ]
    keys = [(0, at, 0, at) for at in range(4)]
    table = command_table([tree], zip(keys, values, strict=True))
    table.validate(full=True)

    assert [back(row, "made.x.") for row in table.to_pylist()] == values
    assert [tuple(row[name] for name in KEY) for row in table.to_pylist()] == keys


def test_protobuf_values_survive() -> None:
    """Messages that are present and empty, truth, floats, and fields that nobody declared."""
    inner = ProtoMessage({1: proto("value", "sint32", "V.")})
    pairs = ProtoMessage({1: proto("key", "string", "K."), 2: proto("value", "int64", "V.")})
    word = Record(
        ProtoMessage(
            {
                1: proto("inner", "message", "N.", message=inner),
                2: proto("on", "bool", "B."),
                3: proto("ratio", "double", "F."),
                4: proto("pairs", "map", "P.", message=pairs),
            }
        )
    )
    values: list[dict[str, Any]] = [
        {"inner": {}, "on": 1, "ratio": 0.1},
        {"inner": {"value": -3}, "on": 0, "pairs": [{"key": "a", "value": -1}, {"key": "b"}]},
        {
            "unknown_fields": [
                {"number": 9, "wire_type": 0, "value": 2**64 - 1},
                {"number": 10, "wire_type": 2, "value": b"x"},
            ]
        },
    ]
    tree = walk_word(word, "made.x")
    decoded = [Decoder(tree).read(build_members(word.members, each)) for each in values]
    table = command_table([tree], [((0, 0, 0, 0), each) for each, _ in decoded])

    assert decoded == [(each, []) for each in values]
    assert [back(row, "made.x.") for row in table.to_pylist()] == values


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.wire.id} {table.dialect}")
def test_every_command_has_a_table(table: FrameTable, tmp_path: Path) -> None:
    """All versions of a command fit one table, which Parquet takes too."""
    schemas = command_schemas(trees(table))

    assert set(schemas) == {decoder.tree.prefix for decoder in table.all}
    for name, schema in schemas.items():
        path = tmp_path / f"{name}.parquet"
        parquet.write_table(schema.empty_table(), path)
        assert parquet.read_schema(path).names == schema.names


def vectors(table: FrameTable) -> dict[str, list[dict[str, Any]]]:
    """Return what the decoder says of each vector, damaged ones too, by name of the command."""
    out: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(Path("tests/vectors", table.wire.id).glob("*.toml")):
        for vector in tomllib.loads(path.read_text())["vector"]:
            data = bytes.fromhex(vector["hex"])
            for decoder in table.all:
                named = decoder.tree.prefix.partition(".")[2] == path.stem
                if named and vector.get("version") in (None, decoder.tree.schema.version):
                    read = [decoder.read(data[:end])[0] for end in range(0, len(data) + 1, 7)]
                    out.setdefault(decoder.tree.prefix, []).extend([*read, decoder.read(data)[0]])
    return out


@pytest.mark.slow
@every("table", TABLES, ids=lambda table: f"{table.wire.id} {table.dialect}")
def test_every_vector_survives(table: FrameTable) -> None:
    """A table gives back what the decoder gave, whole frames and frames cut anywhere."""
    groups = by_command(trees(table))
    for prefix, values in vectors(table).items():
        made = command_table(groups[prefix], [((0, 0, 0, 0), each) for each in values])
        made.validate(full=True)
        names = {each.name.partition(".")[0] for each in columns(groups[prefix])}
        for row, each in zip(made.to_pylist(), values, strict=True):
            visible = {name: value for name, value in each.items() if name in names}
            assert back(row, f"{prefix}.") == without_nulls(visible)
