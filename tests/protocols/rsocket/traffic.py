"""The frames that tests read: vectors by hand, and those that rsocket-core wrote."""

from typing import Any

from tests.schema.reader_agreement import Layout, Vector, vectors, vectors_by_hand, without_names

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.dissection.connection import Connection
from streamshark.dissection.reading_state import ReadingState
from streamshark.dissection.row import FrameRow
from streamshark.findings.judge import Judge
from streamshark.findings.rule import family
from streamshark.flows.segment import Flow, FlowEvent, Segment
from streamshark.protocols.rsocket import PROTOCOL
from streamshark.protocols.rsocket.codes import MIME_TYPES, AuthType
from streamshark.protocols.rsocket.types import COMPOSITE

WIRE = PROTOCOL.wire
NAMED = {
    "mime_id": ("mime_type", MIME_TYPES),
    "auth_id": ("auth_type", {int(each): each.name.lower() for each in AuthType}),
}
"""Numbers beside which the vectors write the name."""


def own_vectors() -> tuple[Vector, ...]:
    """Vectors by hand: version 0.1, and what real peers bend."""
    return vectors_by_hand(WIRE.id)


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


def layout_of_record(embedded: EmbeddedRecord) -> Layout:
    """The layout of a kind of metadata."""
    return Layout.of_record(embedded.record, embedded.id)


def unnamed(expected: object, entries: str | None = None) -> object:
    """What a vector expects, without names of numbers, its list under our name."""
    found = without_names(expected, NAMED)
    if entries is not None and isinstance(found, dict):
        return {entries: found["entries"]}
    return found


# Frames of our own, with their length


def framed(stream: int, kind: int, flags: int, body: bytes = b"") -> bytes:
    """A frame of version 1.0 as TCP carries it."""
    frame = stream.to_bytes(4, "big") + (kind << 10 | flags).to_bytes(2, "big") + body
    return len(frame).to_bytes(3, "big") + frame


def setup(metadata: str = COMPOSITE, data: str = "text/plain", token: bytes = b"") -> bytes:
    """SETUP with these MIME types, and a token that it may be resumed by."""
    body = bytes.fromhex("0001 0000 00004e20 00015f90")
    if token:
        body += len(token).to_bytes(2, "big") + token
    for each in (metadata, data):
        body += bytes([len(each)]) + each.encode()
    return framed(0, 0x01, 0x80 if token else 0, body)


def resume(token: bytes, server_position: int = 0, first: int = 0) -> bytes:
    """RESUME by a token: so far the server's bytes have come, and what can be sent again."""
    body = bytes.fromhex("00010000") + len(token).to_bytes(2, "big") + token
    return framed(0, 0x0D, 0, body + server_position.to_bytes(8, "big") + first.to_bytes(8, "big"))


def resume_ok(client_position: int) -> bytes:
    """RESUME_OK: so far the client's bytes have come."""
    return framed(0, 0x0E, 0, client_position.to_bytes(8, "big"))


def payload(metadata: bytes | None, data: bytes) -> bytes:
    """What requests and PAYLOAD end with; their flag 0x100 says whether metadata is there."""
    before = b"" if metadata is None else len(metadata).to_bytes(3, "big") + metadata
    return before + data


def entry(mime_id: int, content: bytes) -> bytes:
    """An entry of composite metadata, its type by number."""
    return bytes([0x80 | mime_id]) + len(content).to_bytes(3, "big") + content


def rows(
    *sides: tuple[int, bytes],
    shared: ReadingState | None = None,
    client: int | None = 0,
    dialect: str = "",
) -> list[FrameRow]:
    """The rows of frames, each sent by the client (0) or the server (1), on one connection.

    Without a `client` the capture begins later.
    """
    flow = Flow(0, ("", ""), (0, 0), client=client)
    connection = Connection(flow, WIRE.table(dialect), "made", shared)
    offsets, found = [0, 0], []
    for side, data in sides:
        segment = Segment(0, side, offsets[side], data, 0, 0, 0, 0, 0, 0, 0, False)  # noqa: FBT003
        found += connection.feed(segment)
        offsets[side] += len(data)
    return [each for each in found if isinstance(each, FrameRow)]


class Talk:
    """Connections through the engine, judged; bytes of the latest come a second after another."""

    def __init__(self) -> None:
        tables = ProtocolTables(WIRE, PROTOCOL.conversations, PROTOCOL.rules)
        self.judge = Judge()
        self.engine = Engine([tables], conversations=True, judge=self.judge)
        self.number = 0
        self.packet = 0
        self.now = 0
        self.flow = -1
        self.connect()

    def connect(self, client: str = "", server: str = "") -> None:
        """Another connection, of the same client or of one with another endpoint."""
        self.flow += 1
        self.offsets = [0, 0]
        flow = Flow(self.flow, (client, server), (0, 0), client=0)
        self.connection = Connection(flow, WIRE.table(), "made")
        self.event(0, "open")

    def event(self, side: int, name: str) -> None:
        """A SYN, FIN or RST."""
        offset = self.offsets[side]
        for row in self.connection.feed(FlowEvent(self.flow, side, name, 1, self.now, 0, offset)):
            self.engine.see(row)

    def close(self) -> None:
        """Both sides end the latest connection."""
        self.event(0, "close")
        self.event(1, "close")

    def say(self, side: int, data: bytes) -> None:
        """Bytes of one side."""
        self.now += 1_000_000_000
        self.packet += 1
        segment = Segment(self.flow, side, self.offsets[side], data, self.packet, self.packet,
                          self.now, 0, 0, 100, 16, False)  # noqa: FBT003  # fmt: skip
        self.offsets[side] += len(data)
        for row in self.connection.feed(segment):
            if isinstance(row, FrameRow):
                self.number += 1
                row.give(self.number)
            self.engine.see(row)

    def conversations(self) -> list[Conversation]:
        """All, when nothing more comes."""
        self.engine.finish()
        return self.engine.ended

    def found(self, rule: str) -> list[tuple[int, ...]]:
        """Frames of the findings of a rule or its family up to now."""
        named = (each for each in self.judge.open() if rule in {each.rule.id, family(each.rule.id)})
        return [tuple(each.frames) for each in named]

    @property
    def conn(self) -> Any:  # noqa: ANN401 - the engine's
        """The latest connection as the engine knows it."""
        return self.engine.open[self.connection]
