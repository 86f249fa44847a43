"""What tests read: vectors of this folder and those of the reference peers, and rows of our own."""

import tomllib
from pathlib import Path

from tests.schema.agreement import Layout, Vector, vectors

from streamshark.flows.segment import Flow, Segment
from streamshark.frames.connection import Connection
from streamshark.frames.frame import FrameRow, Row
from streamshark.protocols.nats import PROTOCOL

WIRE = PROTOCOL.wire
HERE = Path("tests/protocols/nats/vectors")
SERVER_INFO = b'INFO {"server_id":"N","version":"2.12.2","headers":true,"max_payload":1048576} \r\n'
CLIENT_CONNECT = (
    b'CONNECT {"verbose":false,"pedantic":false,"lang":"go","headers":true,"protocol":1}\r\n'
)


def own_vectors() -> list[Vector]:
    """Vectors of this folder: what stands on links between servers."""
    return [
        Vector(path.stem, facts)
        for path in sorted(HERE.glob("*.toml"))
        for facts in tomllib.loads(path.read_text())["vector"]
    ]


def peers_vectors() -> list[Vector]:
    """What nats-server and the client libraries wrote; INFO and CONNECT with their members."""
    found = vectors(WIRE.id)
    return [
        Vector(each.file, {**each.facts, "expect": each.expect.get("json", each.expect)})
        for each in found
    ]


def layout_of(vector: Vector) -> Layout:
    """The layout that a vector is about."""
    table = WIRE.table(vector.facts.get("dialect", ""))
    schema = table.named(vector.command).tree.schema
    return Layout.of_frame(schema, table.head, WIRE.short)


def said(*sides: tuple[int, bytes], dialect: str = "") -> list[Row]:
    """The rows of lines, each sent by the client (0) or the server (1), on one connection."""
    connection = Connection(Flow(0, ("", ""), (0, 0), client=0), WIRE.table(dialect), "made")
    offsets, found = [0, 0], list[Row]()
    for side, data in sides:
        segment = Segment(0, side, offsets[side], data, 0, 0, 0, 0, 0, 0, 0, False)  # noqa: FBT003
        found += connection.feed(segment)
        offsets[side] += len(data)
    return [*found, *connection.finish()]


def rows(*sides: tuple[int, bytes], dialect: str = "") -> list[FrameRow]:
    """The frames among them."""
    return [each for each in said(*sides, dialect=dialect) if isinstance(each, FrameRow)]
