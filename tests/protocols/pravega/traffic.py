"""The frames that tests read: vectors by hand, and those that Pravega's encoders wrote."""

import struct
from typing import Any, Final
from uuid import UUID

from tests.schema.reader_agreement import Vector, vectors, vectors_by_hand

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow
from streamshark.findings.judge import Judge
from streamshark.findings.rule import family
from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.framing.wire_format import Evidence, Guess, Level, WireFormat
from streamshark.protocols.pravega import PROTOCOL
from streamshark.schema import (
    REST,
    U8,
    U32,
    FrameKind,
    FrameSchema,
    Head,
    Sender,
    Slot,
    field,
    raw,
    this,
)
from streamshark.schema import text as text_of

WIRE = PROTOCOL.wire
WRITER = UUID("01020304-0506-0708-090a-0b0c0d0e0f10").bytes
RECORDS = {"event": 0, "padding": -1, "partial_event": -2}
"""What the vectors call the records of a block, to their type codes."""


def own_vectors() -> tuple[Vector, ...]:
    """Vectors by hand: dialects, and commands that no published encoder writes."""
    return vectors_by_hand(WIRE.id)


def encoders_vectors() -> tuple[Vector, ...]:
    """What the encoders of twelve releases wrote."""
    return vectors(WIRE.id)


# Frames of our own


def framed(code: int, body: bytes = b"") -> bytes:
    """A frame."""
    return struct.pack(">ii", code, len(body)) + body


def text(value: str) -> bytes:
    """Text with its length."""
    data = value.encode()
    return struct.pack(">H", len(data)) + data


def proto(**members: str | bytes | float) -> bytes:
    """Members of protobuf by number: `_1="scope"`; names that end in letters repeat them."""
    out = b""
    for name, value in members.items():
        number = int(name.strip("_abcdef"))
        if isinstance(value, float):
            out += bytes([number << 3 | 1]) + struct.pack("<d", value)
        elif isinstance(value, int):
            out += bytes([number << 3]) + varint(value & (1 << 64) - 1)
        else:
            data = value.encode() if isinstance(value, str) else value
            out += bytes([number << 3 | 2]) + varint(len(data)) + data
    return out


def varint(value: int) -> bytes:
    """A number of protobuf."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))


def hello(high: int = 16, low: int = 5) -> bytes:
    """HELLO."""
    return framed(-127, struct.pack(">ii", high, low))


def record(kind: int, data: bytes) -> bytes:
    """A record of an append block: 0 an event, -1 PADDING, -2 PARTIAL_EVENT."""
    return struct.pack(">ii", kind, len(data)) + data


def rows(*sides: tuple[int, bytes], dialect: str = "") -> list[FrameRow]:
    """The rows of frames, each sent by the client (0) or the server (1), on one connection."""
    connection = Connection(Flow(0, ("", ""), (0, 0), client=0), WIRE.table(dialect), "made")
    offsets, found = [0, 0], []
    for side, data in sides:
        segment = Segment(0, side, offsets[side], data, 0, 0, 0, 0, 0, 0, 0, False)  # noqa: FBT003
        found += connection.feed(segment)
        offsets[side] += len(data)
    return [each for each in found if isinstance(each, FrameRow)]


_HEAD: Final = Head(
    members=(field("size", U32, "All bytes."), field("kind", U8, "Which frame.")),
    total=this.size + 0,
    key="kind",
    least=5,
    hidden=("size", "kind"),
)


def _never(_evidence: Evidence) -> Guess:
    return Guess(Level.NONE, "made up")


def _message(name: str, key: int, sender: Sender, slot: str) -> FrameSchema:
    body = (
        field("stream_id", U32, "Stream."),
        field("path", text_of(U8), "Path."),
        field("method", text_of(U8), "Method."),
        field("message", raw(REST, slot=Slot(slot, types=(this.path,))), "It."),
    )
    return FrameSchema(name, key, FrameKind.COMMAND, sender, "Made up.", "This file.", body)


CALLS: Final = WireFormat(
    "calls", "calls", {"": _HEAD},
    (
        _message("message", 1, Sender.CLIENT, "grpc.message"),
        _message("reply", 2, Sender.SERVER, "grpc.reply"),
    ),
    _never,
)  # fmt: skip
"""Calls, made up, with the slots of gRPC."""


def called(path: str, message: bytes, stream: int, *, reply: bool) -> bytes:
    """A message of a call to the controller, or its answer."""
    texts = b"".join(bytes([len(e)]) + e.encode() for e in (path, path.rpartition("/")[2]))
    body = stream.to_bytes(4, "big") + texts + message
    return (5 + len(body)).to_bytes(4, "big") + bytes([2 if reply else 1]) + body


class Talk:
    """One connection through the engine, judged; its bytes are given a second after another."""

    def __init__(
        self, *, greets: bool = True, high: int = 16, dialect: str = "",
        controller: str = "192.0.2.3:9090",
    ) -> None:  # fmt: skip
        tables = ProtocolTables(
            WIRE,
            PROTOCOL.conversations,
            PROTOCOL.rules,
            PROTOCOL.embedded_records,
            PROTOCOL.embedded_slots,
        )
        self.judge = Judge()
        self.engine = Engine(
            [tables, ProtocolTables(CALLS, ())],
            conversations=True, judge=self.judge, layers=PayloadReaders(PROTOCOL.embedded_records),
        )  # fmt: skip
        ends = ("192.0.2.1:40000", "192.0.2.2:12345")
        self.ends = ends
        self.dialect = dialect
        self.high = high if greets and not dialect else 0
        self.flow = -1
        self.controller: Connection | None = None
        self.controllers = controller
        self.called = [0, 0]
        self.stream = -1
        self.rows: list[FrameRow] = []
        self.number = self.packet = 0
        self.now = 0
        self.again()

    def again(self) -> "Talk":
        """Another connection of the same client."""
        self.flow += 1
        flow = Flow(self.flow, self.ends, (40000, 12345), client=0)
        self.connection = Connection(flow, WIRE.table(self.dialect), "made")
        self.offsets = [0, 0]
        self.event("open")
        if self.high:
            self.say(0, hello(self.high))
            self.say(1, hello(self.high))
        return self

    def say(self, side: int, data: bytes, later: int = 1) -> "Talk":
        """Bytes of one side, so many seconds later."""
        self.now += later * 1_000_000_000
        at = self.offsets[side]
        self.packet += 1
        segment = Segment(
            *(self.flow, side, at, data, self.packet, self.packet),
            *(self.now, 0, 0, 100, 16, False),
        )
        self.offsets[side] += len(data)
        for row in self.connection.feed(segment):
            if isinstance(row, FrameRow):
                self.number += 1
                row.give(self.number)
                self.rows.append(row)
            self.engine.see(row)
        return self

    def event(self, name: str, side: int = 0, later: int = 0) -> "Talk":
        """Something that TCP does; `gap` is one lost byte."""
        self.now += later * 1_000_000_000
        at, packet = self.offsets[side], self.packet
        event: FlowEvent | Gap = FlowEvent(self.flow, side, name, 1, self.now, at, 0)
        if name == "gap":
            event = Gap(self.flow, side, at, 1, packet, self.now, 0, "lost")
            self.offsets[side] += 1
        for row in self.connection.feed(event):
            self.engine.see(row)
        return self

    def call(self, method: str, message: bytes, answer: bytes = b"", later: float = 0.01) -> "Talk":
        """A call to the controller, and its answer, on a connection of their own."""
        if self.controller is None:
            flow = Flow(1000, (self.ends[0], self.controllers), (40001, 9090), client=0)
            self.controller = Connection(flow, CALLS.table(), "made")
            self.called = [0, 0]
            for row in self.controller.feed(FlowEvent(1000, 0, "open", 1, self.now, 0, 0)):
                self.engine.see(row)
        self.stream += 2
        for side, body in enumerate((message, answer)):
            self.now += int(later * 1_000_000_000) if side == 0 else 1_000_000
            path = f"/io.pravega.controller.stream.api.grpc.v1.ControllerService/{method}"
            data = called(path, body, self.stream, reply=side == 1)
            at, self.called[side] = self.called[side], self.called[side] + len(data)
            segment = Segment(1000, side, at, data, 1, 1, self.now, 0, 0, 100, 16, False)  # noqa: FBT003
            for row in self.controller.feed(segment):
                if isinstance(row, FrameRow):
                    self.number += 1
                    row.give(self.number)
                self.engine.see(row)
        return self

    def conversations(self) -> list[Conversation]:
        """All, when nothing more comes."""
        self.engine.finish()
        return self.engine.ended

    def found(self, rule: str) -> list[tuple[int, ...]]:
        """Frames of the findings of a rule or its family, when nothing more comes."""
        self.engine.finish()
        self.judge.finish()
        return [
            each.frames for each in self.judge.findings() if rule in {each.rule, family(each.rule)}
        ]

    def rules(self) -> set[str]:
        """Rules that have found something, when nothing more comes; without their families."""
        self.engine.finish()
        self.judge.finish()
        found = self.judge.findings()
        return {each.rule for each in [*found, *(e for f in found for e in f.echoes)]}

    def names(self, rule: str) -> bool:
        """Whether the rule itself has found something, not only its family."""
        return rule in self.rules()

    @property
    def conn(self) -> Any:  # noqa: ANN401 - the engine's
        """The connection as the engine knows it."""
        return next(iter(self.engine.open.values()))
