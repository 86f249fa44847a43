"""The frames that tests read: vectors of this folder, and those that rsocket-core wrote."""

import tomllib
from pathlib import Path

from tests.schema.agreement import Layout, Vector, vectors, without_names

from streamshark.frames.layers import Rider
from streamshark.protocols.rsocket import PROTOCOL
from streamshark.protocols.rsocket.codes import MIME_TYPES, AuthType

WIRE = PROTOCOL.wire
HERE = Path("tests/protocols/rsocket/vectors")
NAMED = {
    "mime_id": ("mime_type", MIME_TYPES),
    "auth_id": ("auth_type", {int(each): each.name.lower() for each in AuthType}),
}
"""Numbers beside which the vectors write the name."""


def own_vectors() -> list[Vector]:
    """Vectors of this folder: version 0.1, and what real peers bend."""
    return [
        Vector(path.stem, facts)
        for path in sorted(HERE.glob("*.toml"))
        for facts in tomllib.loads(path.read_text())["vector"]
    ]


def encoders_vectors(*, bare: bool) -> list[Vector]:
    """What rsocket-core wrote, whole frames or bare metadata."""
    return [each for each in vectors(WIRE.id) if each.facts.get("bare", False) is bare]


def metadata_vectors(file: str) -> list[Vector]:
    """What rsocket-core wrote of one kind of metadata."""
    return [each for each in encoders_vectors(bare=True) if each.file == file]


def layout_of(vector: Vector) -> Layout:
    """The layout that a vector is about."""
    table = WIRE.table(vector.facts.get("dialect", ""))
    schema = table.named(vector.command).tree.schema
    return Layout.of_frame(schema, table.head, WIRE.short)


def layout_of_rider(rider: Rider) -> Layout:
    """The layout of a kind of metadata."""
    return Layout.of_record(rider.record, rider.id)


def unnamed(expected: object, entries: str | None = None) -> object:
    """What a vector expects, without names of numbers, its list under our name."""
    found = without_names(expected, NAMED)
    if entries is not None and isinstance(found, dict):
        return {entries: found["entries"]}
    return found
