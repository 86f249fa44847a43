"""The frames that tests read: vectors of this folder, and those that reference encoders wrote.

The latter are named as the encoders' arguments are; `renamed` gives the names of the schemas.
"""

from pathlib import Path
from typing import Any

from tests.schema.reader_agreement import Layout, Vector, vectors, vectors_in

from streamshark.protocols.rabbitmq_stream import PROTOCOL

WIRE = PROTOCOL.wire
HERE = Path("tests/protocols/rabbitmq_stream/vectors")
NAMES = {
    "messages": "published_messages",
    "uncompressed_data_size": "uncompressed_size",
    "leader_reference": "leader",
    "replicas_references": "replicas",
}
TRACKED = ("sequence", "offset", "timestamp")
"""Where the value of a tracking entry stands, by its type."""


def own_vectors() -> tuple[Vector, ...]:
    """Vectors of this folder."""
    return vectors_in(HERE)


def encoders_vectors(*, bare: bool) -> list[Vector]:
    """What reference encoders wrote, whole frames or bare chunks."""
    return [each for each in vectors(WIRE.id) if each.facts.get("bare", False) is bare]


def layout_of(vector: Vector) -> Layout:
    """The layout that a vector is about."""
    table = WIRE.table(vector.facts.get("dialect", ""))
    answers = vector.facts.get("kind") == "response" or vector.data[4] & 0x80
    response = "_response" if answers else ""
    found = [
        each.tree.schema
        for each in table.all
        if each.tree.prefix == f"{WIRE.short}.{vector.command}{response}"
        and each.tree.schema.version == vector.facts.get("version", 1)
    ]
    assert len(found) == 1, vector.name
    return Layout.of_frame(found[0], table.head, WIRE.short)


def renamed(expected: Any, body: str = "message") -> Any:  # noqa: ANN401 - any value
    """What an encoder's vector expects, under the schemas' names."""
    if isinstance(expected, list):
        return [renamed(each, body) for each in expected]
    if not isinstance(expected, dict):
        return expected
    out: dict[str, Any] = {}
    for name, value in expected.items():
        below = "data" if name in ("chunk", "entries") else body
        out |= _member(name, renamed(value, below), expected, body)
    return out


def _member(name: str, value: Any, expected: dict[str, Any], body: str) -> dict[str, Any]:  # noqa: ANN401, PLR0911 - a case a shape
    """One member, which may become several or none."""
    match name:
        case "offset_specification":
            return dict(value)
        case "trailer":
            return {name: {"tracking": value}}
        case "records":
            return {}  # what a sub-batch unpacks to: a layer above
        case "value" if "type" in expected:
            return {TRACKED[expected["type"]]: value}
        case "name" if "leader_reference" in expected:
            return {"stream_name": value}
        case "data" if "compression" in expected:
            return {"records": value}
        case _:
            return {{**NAMES, "body": body}.get(name, name): value}
