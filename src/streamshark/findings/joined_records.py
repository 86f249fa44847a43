"""Findings of what connections that are judged one by one have left.

The records of all connections are evaluated in the order of their positions: matches go to the
judge, facts to the objects that connections share.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop
from operator import itemgetter
from typing import Any, Final
from typing import Protocol as Interface

from streamshark.conversations.conversation import Conversation, Name
from streamshark.conversations.cross_links import CrossLinks
from streamshark.conversations.engine_state import (
    END,
    GIVEN,
    EngineState,
    MatchHandler,
    ProtocolTables,
)
from streamshark.conversations.program import Program
from streamshark.conversations.state import NO_OBJECT, ConnectionState, Place
from streamshark.decoding.decoder import Decoder
from streamshark.dissection.row import ConnectionRecord, EventRow, FrameRow, Row
from streamshark.findings.connection_records import (
    CONVERSES,
    DOUBTS,
    ENDS,
    FORGETS,
    HAPPENS,
    LEAVES,
    LINKS,
    MATCHES,
    MEETS,
    SETTLES,
    Attempt,
    FrameKind,
    Left,
    Position,
    RecordGroup,
    RowFacts,
    kind_of_frame,
)
from streamshark.findings.fact_groups import RecordPart
from streamshark.flows.segment import Flow
from streamshark.framing.splitter import PacketRef


class FindingHandler(MatchHandler, Interface):
    """Receiver of the matches and events of records: a judge, or what stands for it."""

    def event(self, row: Row) -> None:
        """Process an event of a connection that may have no frames."""

    def finish(self) -> None:
        """Note that the captures have ended."""


class _Named:
    """An object of which only the name of its conversation matters."""

    def __init__(self, name: Any) -> None:  # noqa: ANN401 - a name or None
        self.name = name


class RecordJoiner:
    """Evaluation of records for a judge.

    `tables` are those of the engines that have left the records; `capped` counts what was dropped.
    `meets` and `joins` are those of `EngineState`.
    """

    def __init__(
        self,
        tables: Iterable[ProtocolTables],
        judge: FindingHandler | None = None,
        meets: Callable[[str, str, Any], object] | None = None,
        joins: Callable[[Any, Name], object] | None = None,
    ) -> None:
        self.judge = judge
        self.tables = {each.wire.id: each for each in tables}
        self._decoders: dict[str, dict[FrameKind, Decoder]] = {}
        """Protocol to the decoders of its frames."""
        self._state = EngineState(judge, annotates=False, meets=meets, joins=joins)
        self.programs: dict[str, Program] = {}
        self.addresses: dict[int, tuple[str, str]] = {}
        """Flow to the addresses of its two sides."""
        self.clients: dict[int, int] = {}
        """Flow to the side of its client, if it is known."""
        self._common: dict[str, ConnectionState] = {}
        """Protocol to what keeps the objects that connections which are judged together share."""
        self._conversations: list[Conversation] = []
        self._open: dict[tuple[int, str], ConnectionState] = {}
        self._texts: dict[tuple[object, str, int], str] = {}
        """Source of records, protocol and number of a fact to its code."""
        self._evaluations: dict[tuple[object, str, int], Callable[..., None]] = {}
        """The same to the function, once it was called."""
        self._settling: tuple[int, ConnectionState | None] = 0, None
        """Number of the object that ends with the captures, and what stands for its connection."""
        self._facts_of_rows: Sequence[RowFacts] = ()
        """The rows that records name now, as they were left."""
        self.rows: list[Row] = []
        """The same rows with what the judge reads of them; none until a record names one."""
        self._on: dict[int, Callable[..., None]] = {
            MEETS: self._meet, MATCHES: self._match, ENDS: self._end,
            DOUBTS: self._doubt, FORGETS: self._forget, CONVERSES: self._converse,
            SETTLES: self._settle, HAPPENS: self._happen, LINKS: self._link,
        }  # fmt: skip

    @property
    def capped(self) -> dict[str, int]:
        """Limits that were reached, to the number of entries that were dropped."""
        return dict(self._state.capped)

    def state(self) -> dict[str, Any]:
        """Return the state so far, once all conversations were taken, without that of the judge."""
        return {
            "members": {
                name: each for name, each in vars(self._state).items() if name not in GIVEN
            },
            "serial": next(self._state.serial),
            "programs": {protocol: each.state() for protocol, each in self.programs.items()},
            "common": self._common,
            "open": self._open,
        }

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of an equal joiner; its programs were made again."""
        vars(self._state).update(state["members"])
        self._state.continue_from(state["serial"])
        for protocol, program in self.programs.items():
            if protocol in state["programs"]:
                program.resume(state["programs"][protocol])
        self._common, self._open = state["common"], state["open"]

    def learn(self, source: object, left: Left) -> None:
        """Learn the code of facts that one source of records has left."""
        for protocol, number, text in left.texts:
            self._texts[source, protocol, number] = text
            self._evaluations.pop((source, protocol, number), None)

    def add(self, source: object, group: RecordGroup) -> None:
        """Evaluate a group of records; groups must come in the order of their positions."""
        self._turn_to(group.at, group.rows)
        for record in group.records:
            self.evaluate(source, record)

    def join(self, parts: Sequence[RecordPart]) -> None:
        """Evaluate the parts of a group: the facts of it, or what they have matched, and others.

        Parts must come in their order.
        """
        placed = sorted((each for part in parts for each in part.records), key=itemgetter(0))
        self._settling = 0, None
        self._turn_to(parts[0].at, parts[0].rows)
        for _, record in placed:
            self.evaluate(parts[0].source, record)

    def _turn_to(self, at: Position, rows: Sequence[RowFacts]) -> None:
        """Advance to the position of the next records, and take the rows that they name."""
        heap = self._state.heap
        if heap and heap[0][0] <= at[0] != END:
            self.reach(at[0])
        self.take_rows(rows)

    def take_rows(self, rows: Sequence[RowFacts]) -> None:
        """Take the rows that the next records name."""
        self._facts_of_rows, self.rows = rows, []

    def evaluate(self, source: object, record: tuple[Any, ...]) -> None:
        """Evaluate a record."""
        if record[0] == LEAVES:
            _, flow, protocol, number, t, n, row, values = record
            conn = self._open.get((flow, protocol))
            if conn is None:  # the first that names it, if only facts are evaluated
                conn = self.met(flow, protocol, t)
            evaluate = self._evaluations.get((source, protocol, number))
            if evaluate is None:
                evaluate = self._evaluation(source, protocol, number)
            evaluate(conn, t, n, self._named(row), values)
        else:
            self._on[record[0]](*record[1:])

    def reach(self, time_ns: int) -> None:
        """Advance to a time in ns: objects that no record has named for long are forgotten.

        Records of the end of the captures come after their last time.
        """
        for _ in self.hours(time_ns):
            pass

    def hours(self, time_ns: int) -> Iterator[tuple[int, Place]]:
        """Do what `reach` does; yield the hour in ns and the place of each ended object."""
        heap = self._state.heap
        while heap and heap[0][0] <= time_ns:
            hour_ns, _, _, _, program = heappop(heap)
            for place in program.age(hour_ns):
                yield hour_ns, place

    def finish(self, end_ns: int) -> None:
        """End everything that is open: all records were added."""
        for _ in self.ends(end_ns):
            pass

    def ends(self, end_ns: int) -> Iterator[Place]:
        """Do what `finish` does; yield the place of each object that has ended."""
        self._state.pass_to(end_ns)
        for program in self.programs.values():
            yield from program.finish(end_ns)
        for program in self.programs.values():
            program.let_go()
        if self.judge is not None:
            self.judge.finish()

    def forget(self, flow: int, protocol: str) -> None:
        """Forget a connection, if any fact was of it: no more follow."""
        self._open.pop((flow, protocol), None)

    @property
    def connections(self) -> Iterable[tuple[int, str, ConnectionState]]:
        """The connections that records have named: flow, protocol and state."""
        return ((*key, conn) for key, conn in self._open.items())

    @property
    def links(self) -> CrossLinks:
        """The facts by which conversations are linked."""
        return self._state.links

    def conversations(self) -> list[Conversation]:
        """Return the conversations that have ended since the last call, with their links."""
        found, self._conversations = self._conversations, []
        return found

    # Records

    def _meet(  # noqa: PLR0913, PLR0917 - members of a record
        self,
        flow: int,
        protocol: str,
        t: int,
        file: int,
        addresses: tuple[str, str],
        name: tuple[int, str, str] | None,
        client: int | None,
    ) -> None:
        self.addresses[flow] = addresses
        if client is not None:
            self.clients[flow] = client
        self.met(flow, protocol, t).describe(file, None if name is None else Name(*name))

    def met(self, flow: int, protocol: str, t: int) -> ConnectionState:
        """Return what stands for a connection, which may be named for the first time."""
        conn = self._open.get((flow, protocol))
        if conn is None:
            conn = self._open[flow, protocol] = self.program(protocol).meet(flow, t, start=False)
        return conn

    def _match(  # noqa: PLR0913, PLR0917 - members of a record
        self,
        flow: int,
        protocol: str,
        index: int,
        of: tuple[Any, ...],
        t: int,
        row: int,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        conn = self._open[flow, protocol]
        subject = self._subject(conn, of)
        self._state.notice(conn.program, index, subject, conn, t, self._named(row), frames, values)

    def _evaluation(self, source: object, protocol: str, number: int) -> Callable[..., None]:
        """Return the function of a fact; the connection that has left it was met."""
        key = source, protocol, number
        found = self._evaluations[key] = self.programs[protocol].fact(self._texts[key])
        return found

    def _settle(  # noqa: PLR0913, PLR0917 - members of a record
        self,
        flow: int,
        protocol: str,
        index: int,
        of: tuple[Any, ...],
        t: int,
        number: int,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        known, conn = self._settling
        if conn is None or known != number:
            conn = self.program(protocol).meet(flow, t, start=False)
            self._settling = number, conn
        subject = self._subject(conn, of)
        self._state.notice(conn.program, index, subject, conn, t, None, frames, values)

    def _end(self, flow: int | None, protocol: str, of: tuple[Any, ...]) -> None:
        conn = None if flow is None else self._open[flow, protocol]
        is_shared = of[0] == "object" and of[-1]  # it ends after the connection that has named it
        entity = self._subject(conn or self._shared(protocol), of)
        self._state.let_go(entity, None if is_shared else conn)

    def _doubt(self, flow: int, protocol: str, since: int) -> None:
        conn = self._open[flow, protocol]
        self._state.doubt(conn, since, conn.kept.values())

    def _forget(self, flow: int, protocol: str) -> None:
        self._state.forget_findings(self._open.pop((flow, protocol)))

    def _converse(
        self, flow: int, protocol: str, of: tuple[Any, ...] | None, conversation: Conversation
    ) -> None:
        entity = None if of is None else self._subject(self._open[flow, protocol], of)
        links = () if entity is None else entity.links or ()
        if links:
            flows = (*conversation.flows, *(each.flow for each in links))
            conversation = replace(
                conversation, flows=tuple(dict.fromkeys(flows)), links=tuple(map(str, links))
            )
        self._conversations.append(conversation)

    def _link(self, flow: int, protocol: str, of: tuple[Any, ...], name: Name) -> None:
        conn = self._open.get((flow, protocol))
        if conn is None:
            return
        known = conn.kept.get(of[2][0]) if of[0] == "object" else None
        self._state.links.add(known or self._subject(conn, of), name)

    def _happen(
        self, connection: tuple[int, tuple[str, str], int | None, str, Attempt], row: int
    ) -> None:
        number, addresses, client, reason, attempt = connection
        self.addresses[number] = addresses
        facts = self._facts_of_rows[row]
        if self.judge is not None:
            known = _connection(number, addresses, client, reason, attempt)
            self.judge.event(_event(facts, known))

    # What records name

    def program(self, protocol: str) -> Program:
        """Return the program of a protocol, made on first use."""
        found = self.programs.get(protocol)
        if found is None:
            found = self.programs[protocol] = Program(self.tables[protocol], self._state)
        return found

    def _subject(self, conn: ConnectionState, of: tuple[Any, ...]) -> Any:  # noqa: ANN401 - an object
        kind, *what = of
        match kind:
            case "per":
                return ("per", what[0])
            case "conn":
                return conn
            case "side":
                return conn.sides[what[0]]
            case "object":
                lifecycle, given, is_shared = what
                program = self.program(conn.protocol)
                if not is_shared:
                    return program.kept(conn, lifecycle, given)
                entity = program.kept(self._shared(conn.protocol), lifecycle, given)
                entity.conn = None
                return entity
        return NO_OBJECT if what[0] is None else _Named(what[0])

    def _shared(self, protocol: str) -> ConnectionState:
        """Return what keeps the shared objects that records name."""
        found = self._common.get(protocol)
        if found is None:
            found = self._common[protocol] = self.program(protocol).meet(-1, 0, start=False)
        return found

    def _named(self, row: int) -> Row | None:
        """Return the row with a number in the list of those that records name."""
        if row < 0:
            return None
        if not self.rows:
            self.rows = list(map(self._row, self._facts_of_rows))
        return self.rows[row]

    def _row(self, facts: RowFacts) -> Row:
        """Return a row with what the judge reads of it."""
        number, time_ns, file, packets, packet, protocol, kind, *_ = facts
        if number is None:
            return _event(facts, _NO_CONNECTION)
        decoder = None if kind is None else self._decoders_of(protocol).get(kind)
        row = FrameRow(
            _NO_CONNECTION, 0, 0, b"", packets, time_ns, file, packet, None, None,
            decoder, {}, {}, (),
        )  # fmt: skip
        row.give(number)
        return row

    def _decoders_of(self, protocol: str) -> dict[FrameKind, Decoder]:
        """Return the decoders of a protocol, also of messages and embedded records."""
        found = self._decoders.get(protocol)
        if found is None:
            tables = self.tables[protocol]
            wire = tables.wire
            frames = [wire.table(name) for name in wire.dialects]
            frames += [wire.table(name, bare=True) for name in wire.bare]
            decoders = [each.decoder for each in tables.embedded_records]
            decoders += [decoder for each in frames for decoder in each.all]
            found = {kind_of_frame(each): each for each in reversed(decoders)}
            self._decoders[protocol] = found
        return found


def _event(facts: RowFacts, connection: ConnectionRecord) -> EventRow:
    """Return an event with what the judge reads of it."""
    _, time_ns, file, packets, packet, name, source, side, fields = facts
    at = PacketRef(packets, (time_ns, file, packet), None)
    return EventRow.restored(
        connection, side, 0, at, name, fields, protocol=source, sender=None, problems=()
    )


class EventConnection(ConnectionRecord):
    """The connection of an event, with what the judge reads of it."""

    def __init__(self, flow: Flow, reason: str) -> None:
        self.flow, self.reason = flow, reason
        self.client = flow.client
        self.agreed = {}


def _connection(
    number: int,
    addresses: tuple[str, str],
    client: int | None,
    reason: str,
    attempt: Attempt = (0, None),
) -> ConnectionRecord:
    """Return the connection of an event."""
    packet, attempt_ns = attempt
    flow = Flow(number, addresses, (0, 0), client, first_packet=packet, attempt_ns=attempt_ns)
    return EventConnection(flow, reason)


_NO_CONNECTION: Final = _connection(-1, ("", ""), None, "")
