"""What tests read: lines, rows and connections of NATS."""

from collections.abc import Sequence
from typing import Any

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.judge import Judge
from streamshark.findings.rule import family
from streamshark.flows.segment import Flow, FlowEvent, Segment
from streamshark.protocols.nats import PROTOCOL

WIRE = PROTOCOL.wire
SERVER_INFO = b'INFO {"server_id":"N","version":"2.12.2","headers":true,"max_payload":1048576} \r\n'
CLIENT_CONNECT = (
    b'CONNECT {"verbose":false,"pedantic":false,"lang":"go","headers":true,"protocol":1}\r\n'
)


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


CLIENT, SERVER = 0, 1
MS, SECOND = 1_000_000, 1_000_000_000


def _ends(line: bytes) -> bool:
    """Whether a line has its end; an empty payload has one of its own."""
    return line.endswith(b"\n") and not line.endswith(b" 0\r\n")


class Talk:
    """A connection through the engine, judged; lines of each call come a second after another."""

    def __init__(
        self, info: bytes = SERVER_INFO, connect: bytes = CLIENT_CONNECT, *, late: bool = False
    ) -> None:
        tables = ProtocolTables(WIRE, PROTOCOL.conversations, PROTOCOL.rules)
        self.judge = Judge()
        self.engine = Engine(
            [tables], conversations=True, judge=self.judge, derives=lambda _table: True
        )
        self.number = 0
        self.rows: list[FrameRow] = []
        self.now = 0
        self.flow = -1
        self.findings: list[Any] | None = None
        self.connect(info, connect, late=late)

    def connect(
        self, info: bytes = SERVER_INFO, connect: bytes = CLIENT_CONNECT, *, late: bool = False
    ) -> None:
        """Open another connection with its first lines, which are not captured if `late`."""
        self.flow += 1
        self.offsets = [5000, 7000] if late else [0, 0]
        flow = Flow(self.flow, ("", ""), (0, 0), client=None if late else 0)
        self.connection = Connection(flow, WIRE.table(), "made")
        if late:
            return
        self.event(CLIENT, "open")
        for side, data in ((SERVER, info), (CLIENT, connect)):
            if data:
                self.say(side, data)

    def event(self, side: int, name: str) -> None:
        """A SYN, FIN or RST."""
        offset = self.offsets[side]
        self._see(self.connection.feed(FlowEvent(self.flow, side, name, 1, self.now, 0, offset)))

    def say(self, side: int, *lines: bytes, after: int = 1_000_000_000) -> None:
        """Lines of one side, with the ends that they lack."""
        self.now += after
        data = b"".join(each if _ends(each) else each + b"\r\n" for each in lines)
        segment = Segment(self.flow, side, self.offsets[side], data, 0, 0, self.now, 0, 0, 100, 16,
                          False)  # noqa: FBT003  # fmt: skip
        self.offsets[side] += len(data)
        self._see(self.connection.feed(segment))

    def close(self) -> None:
        """Both sides end the connection."""
        self.event(CLIENT, "close")
        self.event(SERVER, "close")

    def found(self, rule: str) -> list[tuple[int, ...]]:
        """Frames of the findings of a rule or its family, also as consequences, at the end."""
        if self.findings is None:
            self._see(self.connection.finish())
            self.engine.finish()
            self.judge.finish()
            own = self.judge.findings()
            self.findings = [*own, *(echo for each in own for echo in each.echoes)]
        named = (each for each in self.findings if rule in {each.rule, family(each.rule)})
        return sorted(each.frames for each in named)

    def rules(self) -> set[str]:
        """Ids of the rules that found something."""
        self.found("")
        return {each.rule for each in self.findings or ()}

    def conversations(self) -> list[Conversation]:
        """All, when nothing more comes."""
        self.engine.finish()
        return self.engine.ended

    def _see(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if isinstance(row, FrameRow):
                self.number += 1
                row.give(self.number)
                self.rows.append(row)
            self.engine.see(row)


class Script(Talk):
    """A connection whose lines come one millisecond after another, unless they wait."""

    def line(
        self, side: int, text: str, payload: str | None = None, wait: int = MS, end: str = ""
    ) -> None:
        """A line, with the length of its payload."""
        if payload is not None:
            text = f"{text} {len(payload)}\r\n{payload}{end}"
        self.say(side, text.encode(), after=wait)

    def pub(self, subject: str, payload: str = "", reply: str = "", wait: int = MS) -> None:
        """A message of the client."""
        self.line(CLIENT, f"PUB {subject} {reply}".rstrip(), payload, wait)

    def msg(self, subject: str, payload: str = "", reply: str = "", sid: int = 1) -> None:
        """A message to the client."""
        self.line(SERVER, f"MSG {subject} {sid} {reply}".rstrip(), payload)

    def status(self, subject: str, code: str, more: str = "", reply: str = "") -> None:
        """A status to the client."""
        block = f"NATS/1.0 {code}\r\n{more}\r\n"
        self.line(
            SERVER, f"HMSG {subject} 1 {reply}".rstrip() + f" {len(block)}", block, end="\r\n"
        )

    def delivery(self, message: int, number: int = 1, waiting: int = 5, consumed: int = 0) -> str:
        """A message of JetStream, and the subject of its ack."""
        reply = f"$JS.ACK.S.C.{number}.{message}.{consumed or message}.17.{waiting}"
        self.msg("orders", "m", reply)
        return reply

    def part(self, side: int, data: bytes, *, packet: int) -> None:
        """Bytes of a side, in a packet of a number."""
        self.now += MS
        segment = Segment(self.flow, side, self.offsets[side], data, packet, packet, self.now, 0, 0,
                          100, 16, False)  # noqa: FBT003  # fmt: skip
        self.offsets[side] += len(data)
        self._see(self.connection.feed(segment))

    def another(self) -> None:
        """The connection ends, and another one begins."""
        self.close()
        self._see(self.connection.finish())
        self.connect()
