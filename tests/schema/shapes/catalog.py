"""All shapes as layouts, and the vectors that they read."""

from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import NamedTuple

from tests.schema.reader_agreement import Layout, Vector, vectors
from tests.schema.shapes import (
    http2,
    liftbridge,
    nats,
    pravega,
    pravega_controller,
    protobuf,
    rabbitmq_stream,
    rsocket,
    websocket,
)

SHAPES: dict[str, ModuleType] = {
    "rsocket": rsocket, "pravega": pravega, "liftbridge": liftbridge, "nats": nats,
    "rabbitmq_stream": rabbitmq_stream, "protobuf": protobuf, "http2": http2,
    "websocket": websocket, "pravega_controller": pravega_controller,
}  # fmt: skip
FAULTY = {
    "liftbridge/envelope_checksum/wrong": "CHECKSUM",
    "rabbitmq_stream/publish/rstream_v2": "SHORT",
}
"""Vectors whose bytes are wrong, and how: an encoder's own fault, or made so."""


class Case(NamedTuple):
    """A vector and the layout that reads it."""

    protocol: str
    vector: Vector
    layout: Layout

    @property
    def name(self) -> str:
        """Return `<protocol>/<file>/<vector>`."""
        return f"{self.protocol}/{self.vector.name}"

    @property
    def expect(self) -> object:
        """Return what the vector says, in the names of the shape."""
        adapted = getattr(SHAPES[self.protocol], "adapted", None)
        return adapted(self.vector.expect) if adapted else self.vector.expect

    @property
    def canonical(self) -> bool:
        """Return whether we would write the same bytes."""
        asked = getattr(SHAPES[self.protocol], "canonical", None)
        return asked is None or bool(asked(self.vector.data))


Key = tuple[str, str, int | None, bool]
"""Dialect, name, version, whether a response."""


@cache
def layouts(protocol: str) -> dict[Key, Layout]:
    """Return all layouts of a shape."""
    shape = SHAPES[protocol]
    heads = getattr(shape, "HEADS", None) or {"": getattr(shape, "HEAD", None)}
    out: dict[Key, Layout] = {}
    for frame in getattr(shape, "FRAMES", ()):
        key = frame.dialect, frame.name, frame.version, frame.kind.value == "response"
        out[key] = Layout.of_frame(frame, heads[frame.dialect], protocol)
    for name, record in shape.EMBEDDED_RECORDS.items():
        out["", name, None, False] = Layout.of_record(record, f"{protocol}.{name}")
    return out


def every_layout() -> Iterator[Layout]:
    """All layouts of all shapes."""
    for protocol in SHAPES:
        yield from layouts(protocol).values()


@cache
def cases(protocol: str) -> tuple[Case, ...]:
    """Return the vectors of a protocol that its shape reads."""
    return tuple(_matched(protocol, vectors(protocol)))


def _matched(protocol: str, given: Iterable[Vector]) -> Iterator[Case]:
    known = layouts(protocol)
    by_key = {frame.key: frame.name for frame in getattr(SHAPES[protocol], "FRAMES", ())}
    for vector in given:
        facts = vector.facts
        dialect = facts.get("dialect", "") if protocol in ("nats", "liftbridge") else ""
        name = vector.command
        if protocol in ("http2", "websocket"):
            number = vector.expect.get("type", vector.expect.get("opcode"))
            name = "preface" if vector.facts["name"] == "preface" else by_key.get(number, "")
        version = facts.get("version", 1) if protocol == "rabbitmq_stream" else None
        layout = known.get((dialect, name, version, facts.get("kind") == "response"))
        if layout is not None and not facts.get("open") and _has_this_form(protocol, vector):
            yield Case(protocol, vector, layout)


def _has_this_form(protocol: str, vector: Vector) -> bool:
    """Whether the vector is in the form that the layout reads, which has samples of members."""
    if protocol == "liftbridge" and vector.facts["name"] == "filled":
        return False
    return protocol != "rabbitmq_stream" or not vector.facts.get("bare")
