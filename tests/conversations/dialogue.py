"""Parcels through the engine: a conversation written as bytes, sides and times."""

from typing import Any

from tests.framing.parcel_protocol import WIRE, flow

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import Finding, Group, Severity
from streamshark.findings.judge import Judge
from streamshark.findings.rule import Rule
from streamshark.flows.segment import FlowEvent, Gap, Segment

SECOND = 1_000_000_000
CLIENT, SERVER = 0, 1


def rule(on: str, when: str = "", **more: Any) -> Rule:  # noqa: ANN401 - members of a rule
    """A rule of which only some members matter."""
    given: dict[str, Any] = {
        "id": "T-1", "severity": Severity.WARNING, "group": Group.PROTOCOL, "title": "",
        "needs": "", "message": "", "cause": "", "source": "",
    }  # fmt: skip
    return Rule(on=on, when=when, **(given | more))


class Talk:
    """One engine, and connections whose bytes are given piece by piece; a second after another."""

    def __init__(
        self,
        tables: tuple[Any, ...],
        *rules: Rule,
        start: bool = True,
        in_full: bool = False,
        annotates: bool = True,
        follow: bool = False,
    ) -> None:
        self.judge = Judge(follow=follow)
        self.engine = Engine(
            [ProtocolTables(WIRE, tables, rules)],
            conversations=True,
            judge=self.judge,
            derives=lambda _table: True,
            in_full=in_full,
            annotates=annotates,
        )
        self.start = start
        self.connections: dict[int, Connection] = {}
        self.offsets: dict[tuple[int, int], int] = {}
        self.rows: list[Row] = []
        self.number = 0
        self.now = 0
        self.packet = 0
        self.file = 0

    def _connection(self, number: int) -> Connection:
        found = self.connections.get(number)
        if found is None:
            made = flow(CLIENT if self.start else None)
            made.number = number
            found = self.connections[number] = Connection(made, WIRE.table(), "test")
            if self.start:
                self._feed(found, FlowEvent(number, 0, "open", 1, self.now, 0, 0))
        return found

    def _feed(self, connection: Connection, delivered: Segment | Gap | FlowEvent) -> None:
        for row in connection.feed(delivered):
            if isinstance(row, FrameRow):
                self.number += 1
                row.give(self.number)
                self.judge.frame(row.number, row.file, row.packet)
            self.engine.see(row)
            self.rows.append(row)

    def say(self, side: int, data: bytes, *, wait: float = 1, number: int = 0) -> Row:
        """Bytes of one side; returns the last row that they made."""
        self.now += int(wait * SECOND)
        self.packet += 1
        connection = self._connection(number)
        offset = self.offsets.get((number, side), 0 if self.start else 1000)
        self.offsets[number, side] = offset + len(data)
        where = self.packet, self.packet, self.now, self.file
        segment = Segment(number, side, offset, data, *where, 0, 100, 16, is_payload=True)
        self._feed(connection, segment)
        return self.rows[-1]

    def lose(self, side: int, length: int = 100, number: int = 0) -> None:
        """Bytes of a side that were not captured."""
        connection = self._connection(number)
        offset = self.offsets.get((number, side), 0)
        self.offsets[number, side] = offset + length
        self._feed(connection, Gap(number, side, offset, length, self.packet, self.now, 0, "lost"))

    def event(self, side: int, name: str, number: int = 0) -> None:
        """A FIN or RST."""
        offset = self.offsets.get((number, side), 0)
        event = FlowEvent(number, side, name, self.packet, self.now, 0, offset)
        self._feed(self._connection(number), event)

    def close(self, number: int = 0) -> None:
        """Both sides end the connection."""
        self.event(CLIENT, "close", number)
        self.event(SERVER, "close", number)

    def end(self) -> list[Conversation]:
        """The captures end; all conversations."""
        self.engine.finish()
        self.judge.finish()
        return self.engine.ended

    def changes(self) -> list[tuple[str, int, int]]:
        """What has changed since the last call: the change, the finding's number, its count."""
        return [(each.change.value, each.number, each.finding.count) for each in self.judge.news()]

    def findings(self) -> list[Finding]:
        """What was found, the captures having ended."""
        self.end()
        return self.judge.findings()
