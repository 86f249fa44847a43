"""The frames that tests read: vectors by hand, and those that reference encoders wrote.

The latter are named as the encoders' arguments are; `renamed` gives the names of the schemas.
"""

from typing import Any

from tests.schema.reader_agreement import Vector, vectors, vectors_by_hand

from streamshark.protocols.rabbitmq_stream import PROTOCOL

WIRE = PROTOCOL.wire
NAMES = {
    "messages": "published_messages",
    "uncompressed_data_size": "uncompressed_size",
    "leader_reference": "leader",
    "replicas_references": "replicas",
}
TRACKED = ("sequence", "offset", "timestamp")
"""Where the value of a tracking entry stands, by its type."""


def own_vectors() -> tuple[Vector, ...]:
    """Vectors by hand."""
    return vectors_by_hand(WIRE.id)


def encoders_vectors(*, bare: bool) -> list[Vector]:
    """What reference encoders wrote, whole frames or bare chunks."""
    return [each for each in vectors(WIRE.id) if each.facts.get("bare", False) is bare]


def expected(vector: Vector) -> dict[str, Any]:
    """Return what an encoder's vector expects, under the schemas' names."""
    found: dict[str, Any] = renamed(vector.expect)
    if vector.facts["name"].startswith("old_single_text"):
        found |= {"stream": found.pop("streams")[0]}
    return found


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
