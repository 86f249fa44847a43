"""The frames that tests read: vectors by hand, and those that Pravega's encoders wrote."""

import struct
from typing import Any
from uuid import UUID

from tests.schema.reader_agreement import Vector, vectors, vectors_by_hand

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow
from streamshark.findings.judge import Judge
from streamshark.findings.rule import family
from streamshark.flows.segment import Flow, FlowEvent, Segment
from streamshark.protocols.pravega import PROTOCOL

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


class Talk:
    """One connection through the engine, judged; its bytes are given a second after another."""

    def __init__(self, *, greets: bool = True, high: int = 16, dialect: str = "") -> None:
        tables = ProtocolTables(WIRE, PROTOCOL.conversations, PROTOCOL.rules)
        self.judge = Judge()
        self.engine = Engine([tables], conversations=True, judge=self.judge)
        ends = ("192.0.2.1:40000", "192.0.2.2:12345")
        self.ends = ends
        self.dialect = dialect
        self.high = high if greets and not dialect else 0
        self.flow = -1
        self.rows: list[FrameRow] = []
        self.number = 0
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
        segment = Segment(self.flow, side, at, data, 0, 0, self.now, 0, 0, 100, 16, False)  # noqa: FBT003
        self.offsets[side] += len(data)
        for row in self.connection.feed(segment):
            if isinstance(row, FrameRow):
                self.number += 1
                row.give(self.number)
                self.rows.append(row)
            self.engine.see(row)
        return self

    def event(self, name: str, side: int = 0, later: int = 0) -> "Talk":
        """Something that TCP does."""
        self.now += later * 1_000_000_000
        event = FlowEvent(self.flow, side, name, 1, self.now, self.offsets[side], 0)
        for row in self.connection.feed(event):
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

    @property
    def conn(self) -> Any:  # noqa: ANN401 - the engine's
        """The connection as the engine knows it."""
        return next(iter(self.engine.open.values()))
