"""A bus and calls, made up, with Liftbridge inside: what tests of its rules and tables speak.

The bus has the commands and members of NATS that matter, in a layout of its own, and the calls have
the slots of gRPC: tests of this folder need neither protocol.
"""

import json

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.connection import Connection
from streamshark.dissection.reading_state import ReadingState
from streamshark.dissection.row import FrameRow
from streamshark.findings.judge import Judge
from streamshark.findings.rule import family
from streamshark.flows.segment import Flow, FlowEvent, Segment
from streamshark.framing.wire_format import Evidence, Guess, Level, WireFormat
from streamshark.protocols.catalog import formats
from streamshark.protocols.liftbridge import PROTOCOL
from streamshark.protocols.liftbridge.framing import MAGIC
from streamshark.schema import (
    REST,
    U8,
    U16,
    U32,
    FrameKind,
    FrameSchema,
    Head,
    Member,
    Sender,
    Slot,
    When,
    field,
    raw,
    text,
    this,
)

CLIENT, SERVER = 0, 1
WIRE = PROTOCOL.wire
SECOND = 1_000_000_000
TOPIC = "ns.trades.0.replicate"
HEAD = Head(
    members=(field("size", U32, "All bytes."), field("kind", U8, "Which frame.")),
    total=this.size + 0,
    key="kind",
    least=5,
    hidden=("size", "kind"),
)


def _frame(name: str, key: int, side: Sender, *body: Member) -> FrameSchema:
    return FrameSchema(name, key, FrameKind.COMMAND, side, "Made up.", "This file.", body)


_SUBJECT = field("subject", text(U8), "Subject.")
_REPLY = (
    field("replies", U8, "Whether there is a reply subject."),
    When(this.replies, field("reply_to", text(U8), "Reply subject.")),
)
_PAYLOAD = field("payload", raw(REST, slot="nats.message"), "Payload.")


def _never(_evidence: Evidence) -> Guess:
    return Guess(Level.NONE, "made up")


BUS = WireFormat(
    "bus", "bus", {"": HEAD},
    (
        _frame("connect", 1, Sender.CLIENT, field("json", text(REST), "Options.")),
        _frame("sub", 2, Sender.CLIENT, _SUBJECT),
        _frame("pub", 3, Sender.CLIENT, _SUBJECT, *_REPLY, _PAYLOAD),
        _frame("msg", 4, Sender.SERVER, _SUBJECT, *_REPLY, _PAYLOAD),
        _frame("hmsg", 5, Sender.SERVER, _SUBJECT, field("status", U16, "Status."), _PAYLOAD),
        _frame("info", 6, Sender.SERVER, field("max_payload", U32, "Most bytes.")),
    ),
    _never,
)  # fmt: skip
_CALL = (
    field("stream_id", U32, "Stream."),
    field("path", text(U8), "Path."),
    field("method", text(U8), "Method."),
)
CALLS = WireFormat(
    "calls", "calls", {"": HEAD},
    (
        _frame("message", 1, Sender.CLIENT, *_CALL,
               field("message", raw(REST, slot=Slot("grpc.message", types=(this.path,))), "It.")),
        _frame("reply", 2, Sender.SERVER, *_CALL,
               field("message", raw(REST, slot=Slot("grpc.reply", types=(this.path,))), "It.")),
    ),
    _never,
)  # fmt: skip
LAYERS = PayloadReaders([*PROTOCOL.embedded_records, *formats()])


# Bytes


def varint(value: int) -> bytes:
    """A number in base 128."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def member(number: int, value: int | str | bytes) -> bytes:
    """A field of protobuf."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def members(**fields: int | str | bytes) -> bytes:
    """Fields by number: `_3="value"`."""
    return b"".join(member(int(name[1:]), value) for name, value in fields.items())


def envelope(key: int, body: bytes = b"", *, version: int = 0) -> bytes:
    """A message in its envelope."""
    return MAGIC + bytes([version, 8, 0, key]) + body


def publish(value: bytes = b"v", *, id: str = "1", inbox: str = "in", policy: int = 0) -> bytes:  # noqa: A002
    """PUBLISH."""
    more = member(12, policy) if policy else b""
    more = (member(10, inbox) if inbox else b"") + (member(11, id) if id else b"") + more
    return envelope(0, member(3, value) + more)


def ack(
    offset: int = 0,
    *,
    id: str = "1",  # noqa: A002
    error: int = 0,
    stream: str = "s",
    subject: str = "foo",
) -> bytes:
    """ACK."""
    body = members(_1=stream, _2="foo", _3=subject, _4=offset, _5="in") + (
        member(6, id) if id else b""
    )
    return envelope(1, body + (member(10, error) if error else b""))


def asks(offset: int = -1, epoch: int = 1, replica: str = "b") -> bytes:
    """REPLICATION_REQUEST."""
    return envelope(2, members(_1=replica, _2=offset, _3=epoch))


def brings(high: int = -1, epoch: int = 1, records: bytes = b"") -> bytes:
    """REPLICATION_RESPONSE."""
    body = epoch.to_bytes(8, "big") + (high & (1 << 64) - 1).to_bytes(8, "big")
    return envelope(3, body + records)


def record(offset: int, tail: str = "aee6ed8c0100ffffffffffffffff0000") -> bytes:
    """A stored message: by default without key, value and headers."""
    data = bytes.fromhex(tail)
    head = offset.to_bytes(8, "big") + bytes(8) + (1).to_bytes(8, "big")
    return head + len(data).to_bytes(4, "big") + data


# Frames around them


def framed(kind: int, body: bytes) -> bytes:
    """A frame of the bus or of calls."""
    return (5 + len(body)).to_bytes(4, "big") + bytes([kind]) + body


def said(value: str) -> bytes:
    """A text with its length."""
    return bytes([len(value)]) + value.encode()


def bus(kind: int, subject: str, payload: bytes, reply: str = "") -> bytes:
    """PUB (3) or MSG (4)."""
    replies = b"\1" + said(reply) if reply else b"\0"
    return framed(kind, said(subject) + replies + payload)


def named(role: str) -> bytes:
    """CONNECT of a server."""
    return framed(1, json.dumps({"name": f"LIFT.ns.a.{role}"}).encode())


def call(method: str, message: bytes, stream: int = 1, *, reply: bool = False) -> bytes:
    """A message of a call, or of its answer."""
    head = stream.to_bytes(4, "big") + said(f"/proto.API/{method}") + said(method)
    return framed(2 if reply else 1, head + message)


ELSEWHERE = 200
"""Connections from this number on are those of a second cluster."""


class Talk:
    """Some connections through the engine, judged; what is said comes a second after another."""

    def __init__(self) -> None:
        tables = ProtocolTables(
            WIRE,
            PROTOCOL.conversations,
            PROTOCOL.rules,
            PROTOCOL.embedded_records,
            PROTOCOL.embedded_slots,
        )
        others = [ProtocolTables(each, ()) for each in (BUS, CALLS)]
        self.judge = Judge()
        self.engine = Engine([tables, *others], conversations=True, judge=self.judge, layers=LAYERS)
        self.shared = ReadingState([WIRE.table()])
        self.connections: dict[int, Connection] = {}
        self.offsets: dict[tuple[int, int], int] = {}
        self.number = 0
        self.now = 0
        self.rows: list[FrameRow] = []

    def connection(self, flow: int, wire: WireFormat) -> Connection:
        """A connection, opened when it is first spoken on."""
        found = self.connections.get(flow)
        if found is None:
            server = f"10.0.0.{99 if flow < ELSEWHERE else 199}:4222"
            ends = Flow(flow, (f"10.0.0.{flow % ELSEWHERE}:1000", server), (1000, 4222), client=0)
            found = Connection(ends, wire.table(), "made", self.shared)
            self.connections[flow] = found
            for row in found.feed(FlowEvent(flow, 0, "open", 1, self.now, 0, 0)):
                self.engine.see(row)
        return found

    def say(
        self, flow: int, side: int, data: bytes, later: float = 1, wire: WireFormat = BUS
    ) -> "Talk":
        """Bytes of one side of a connection, so many seconds later."""
        connection = self.connection(flow, wire)
        self.now += int(later * SECOND)
        at = self.offsets.get((flow, side), 0)
        self.offsets[flow, side] = at + len(data)
        segment = Segment(flow, side, at, data, 1, 1, self.now, 0, 0, 100, 16, False)  # noqa: FBT003
        for row in connection.feed(segment):
            if isinstance(row, FrameRow):
                self.number += 1
                row.give(self.number)
                self.rows.append(row)
            self.engine.see(row)
        return self

    def pub(self, flow: int, subject: str, payload: bytes, reply: str = "") -> "Talk":
        """A client publishes."""
        return self.say(flow, CLIENT, bus(3, subject, payload, reply))

    def msg(self, flow: int, subject: str, payload: bytes, reply: str = "") -> "Talk":
        """The bus delivers."""
        return self.say(flow, SERVER, bus(4, subject, payload, reply))

    def call(self, flow: int, method: str, message: bytes, stream: int = 1) -> "Talk":
        """A client calls a method."""
        return self.say(flow, CLIENT, call(method, message, stream), wire=CALLS)

    def reply(self, flow: int, method: str, message: bytes, stream: int = 1) -> "Talk":
        """A server answers."""
        return self.say(flow, SERVER, call(method, message, stream, reply=True), wire=CALLS)

    def wait(self, seconds: float) -> "Talk":
        """Time passes: something else is said at its end."""
        return self.say(99, CLIENT, bus(3, "elsewhere", b"x"), later=seconds)

    def close(self, *flows: int) -> "Talk":
        """Both sides close their connections."""
        for flow in flows:
            for side in (0, 1):
                at = self.offsets.get((flow, side), 0)
                event = FlowEvent(flow, side, "close", 1, self.now, at, 0)
                for row in self.connections[flow].feed(event):
                    self.engine.see(row)
        return self

    def conversations(self, type_: str) -> list[Conversation]:
        """All of a type, when nothing more comes."""
        self.engine.finish()
        return [each for each in self.engine.ended if each.type == type_]

    def found(self, rule: str) -> list[tuple[int, ...]]:
        """Frames of the findings of a rule or its family, when nothing more comes."""
        self.engine.finish()
        self.judge.finish()
        return [
            each.frames for each in self.judge.findings() if rule in {each.rule, family(each.rule)}
        ]

    def rules(self) -> set[str]:
        """Ids of the rules that found something, when nothing more comes."""
        self.engine.finish()
        self.judge.finish()
        found = self.judge.findings()
        return {each.rule for each in (*found, *(echo for one in found for echo in one.echoes))}

    def inner(self) -> list[str]:
        """Names of the rows inside others."""
        return [str(row.name) for row in self.rows if row.carrier is not None]
