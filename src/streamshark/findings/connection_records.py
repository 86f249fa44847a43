"""What connections that are judged one by one leave: matches of rules, and facts for objects.

Records are plain values. They come in groups, one for each row, timer or end; groups of several
connections are sorted by their position and evaluated by `joined_records.RecordJoiner`.
"""

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine_state import END
from streamshark.conversations.split_code import reference, shared_reference
from streamshark.conversations.state import ConnectionState, PeerState, TrackedObject
from streamshark.dissection.row import EventRow, FrameRow, Row

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder

MEETS, MATCHES, LEAVES, ENDS, DOUBTS, FORGETS, HAPPENS, CONVERSES, SETTLES, LINKS = range(10)
"""First members of records; `SETTLES`: a match when the captures end, with the number of the object
that ends in the place of the row; `LINKS`: the name of what an object is linked with."""
BEFORE, AT, AFTER = range(3)
"""Whether a group comes before, with or after the rows of its time."""
NO_ROW: Final = -1

Position = tuple[int, ...]
"""Time in ns, `BEFORE`, `AT` or `AFTER`, and for a row file, packet, flow and its turn, else the
flow; at the end of the captures, the position of the first row of the connection. For an object
that connections share, its place among those that end."""
FrameKind = tuple[str, int | None, str]
"""Name of a kind of frames with its protocol, version and dialect."""
Attempt = tuple[int, tuple[int, int] | None]
"""First packet of a connection, and the times of its first and last SYN if they are unanswered."""
RowFacts = tuple[Any, ...]
"""Number, time in ns, file, packets and packet of a row; then of a frame its protocol and kind, of
an event its name, source, side and fields."""


class RecordGroup(NamedTuple):
    """Records of one row, timer or end, in order."""

    at: Position
    rows: list[RowFacts]
    """The rows that records name, by their number in this list."""
    records: list[tuple[Any, ...]]


class Left(NamedTuple):
    """What connections have left since they were last asked."""

    groups: list[RecordGroup]
    """In order."""
    texts: list[tuple[str, int, str]]
    """Code of facts that is new: protocol, number, text."""


def kind_of_frame(decoder: "Decoder") -> FrameKind:
    """Return what names a decoder in records: the same in every process."""
    schema = decoder.tree.schema
    return decoder.tree.prefix, schema.version, schema.dialect


class ConnectionRecords:
    """Collector of records: receives the matches and facts of an engine that `splits`."""

    def __init__(self) -> None:
        self._moment: Callable[[], tuple[int, bool] | None] = lambda: None
        self._row: Row | None = None
        self._count = 0
        """Number of rows so far."""
        self._groups: list[RecordGroup] = []
        self._named: list[Row] = []
        """The rows of the last group, which its `rows` describe."""
        self._of_row: RecordGroup | None = None
        """The last group of a row."""
        self._first: dict[int, Position] = {}
        """Flow to the position of its first row."""
        self._met: dict[ConnectionState, tuple[Any, int | None]] = {}
        """Connection that records name, to the name of its conversation and the side of the client
        that they told."""
        self._of: dict[int, ConnectionState] = {}
        """Number of an object that connections share to one of them."""
        self._sent: set[tuple[str, int]] = set()
        self._texts: list[tuple[str, int, str]] = []

    def state(self) -> dict[str, Any]:
        """Return what later records depend on, once all earlier ones were taken."""
        return {"count": self._count, "first": self._first, "met": self._met, "of": self._of}

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of an earlier collector."""
        self._count, self._first = state["count"], state["first"]
        self._met, self._of = state["met"], state["of"]

    def follows(self, moment: Callable[[], tuple[int, bool] | None]) -> None:
        """Take the function that returns the moment of the engine (`EngineState.moment`)."""
        self._moment = moment

    def begin(self, row: Row) -> None:
        """Note that a row is processed next."""
        self._row, self._of_row = row, None
        self._count += 1
        if row.connection.flow.number not in self._first:
            self._first[row.connection.flow.number] = self._position(row)
        if row.__class__ is not FrameRow:
            self._happen(row)

    def _position(self, row: Row) -> Position:
        """Return the position of the row that is processed."""
        flow = row.connection.flow.number
        return row.time_ns, AT, row.file, row.packet, flow, self._count

    def end(self) -> None:
        """Note that no further rows come: records are those of the end of the captures."""
        self._row = None

    def take(self) -> Left:
        """Return and forget the records so far, in order."""
        groups, texts = self._groups, self._texts
        self._groups, self._texts, self._named, self._of_row = [], [], [], None
        groups.sort(key=itemgetter(0))
        return Left(groups, texts)

    @property
    def met(self) -> dict[tuple[int, str], tuple[Any, ...]]:
        """How the connections were met that records name, by flow and protocol: the records."""
        return {(conn.flow, conn.protocol): _meets(conn, as_) for conn, as_ in self._met.items()}

    # From the engine

    def notice(  # noqa: PLR0913, PLR0917 - what the engine says
        self,
        _program: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: ConnectionState,
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """Record that a condition held."""
        group = self._group(conn)
        of = self._subject(subject, conn)
        self._add(group, conn, MATCHES, index, of, t, self._place(group, row), frames, values)

    def fact(  # noqa: PLR0913, PLR0917 - what the engine says
        self,
        program: Any,  # noqa: ANN401 - the engine's
        number: int,
        conn: ConnectionState,
        t: int,
        n: int | None,
        row: Row | None,
        values: tuple[Any, ...],
    ) -> None:
        """Record a fact."""
        key = conn.protocol, number
        if key not in self._sent:
            self._sent.add(key)
            self._texts.append((*key, program.chosen.facts[number]))
        group = self._group(conn)
        self._add(group, conn, LEAVES, number, t, n, self._place(group, row), values)

    def let_go(self, entity: Any, conn: ConnectionState | None) -> None:  # noqa: ANN401 - any object
        """Record that an object has ended, if records have named it."""
        if entity is not conn and entity.number:
            conn = conn or self._of.get(entity.number)
        elif conn not in self._met or entity is not conn:
            return
        if conn is not None:
            self._add(self._group(conn), conn, ENDS, self._subject(entity, conn))

    def doubt(self, conn: ConnectionState, since: int, _entities: Iterable[Any]) -> None:
        """Record that bytes are missing."""
        if conn in self._met:
            self._add(self._group(conn), conn, DOUBTS, since)

    def forget(self, conn: ConnectionState) -> None:
        """Record that a connection leaves nothing more."""
        if conn in self._met:
            self._add(self._group(conn), conn, FORGETS)
            self._met.pop(conn, None)

    def converse(self, conversation: Conversation, entity: Any, conn: ConnectionState) -> None:  # noqa: ANN401 - an object
        """Record a conversation that has ended."""
        of = None if entity is None else self._subject(entity, conn)
        self._add(self._group(conn), conn, CONVERSES, of, conversation)

    # Writing

    def _happen(self, row: Row) -> None:
        """Record an event."""
        group = self._opened(self._position(row))
        flow = row.connection.flow
        attempt = flow.first_packet, flow.attempt_ns
        connection = flow.number, flow.addresses, flow.client, row.connection.reason, attempt
        group.records.append((HAPPENS, connection, self._place(group, row)))

    def _group(self, conn: ConnectionState) -> RecordGroup:
        """Return the group of what happens to a connection now."""
        moment = self._moment()
        if moment is not None:
            time_ns, is_after = moment
            flow = 0 if time_ns == END else conn.flow
            return self._opened((time_ns, AFTER if is_after else BEFORE, flow))
        if self._row is None:
            return self._opened((END, AT, *self._first.get(conn.flow, ())))
        group = self._of_row
        if group is None or self._groups[-1] is not group:
            group = self._of_row = self._opened(self._position(self._row))
        return group

    def _opened(self, at: Position) -> RecordGroup:
        if not self._groups or self._groups[-1].at != at:
            self._groups.append(RecordGroup(at, [], []))
            self._named = []
        return self._groups[-1]

    def _add(
        self,
        group: RecordGroup,
        conn: ConnectionState,
        kind: int,
        *content: Any,  # noqa: ANN401 - plain values
    ) -> None:
        known = conn.name, conn.C.side
        if self._met.get(conn) != known:
            self._met[conn] = known
            group.records.append(_meets(conn, known))
        group.records.append((kind, conn.flow, conn.protocol, *content))

    def _place(self, group: RecordGroup, row: Row | None) -> int:
        """Return the number of a row in the list of its group; `NO_ROW` for None."""
        if row is None:
            return NO_ROW
        for number, each in enumerate(self._named):
            if each is row:
                return number
        self._named.append(row)
        group.rows.append(self._facts_of(row))
        return len(self._named) - 1

    def _facts_of(self, row: Row) -> RowFacts:
        common = row.time_ns, row.file, tuple(row.packets)
        if isinstance(row, FrameRow):
            wire = row.connection.wire
            kind = None if row.decoder is None else kind_of_frame(row.decoder)
            return row.number, *common, row.packet, wire.id, kind
        if not isinstance(row, EventRow):  # made of TCP's counters
            return None, *common, 0, "", "tcp", row.side, {}
        return None, *common, row.packet, row.name, row.protocol, row.side, row.fields

    def _subject(self, subject: Any, conn: ConnectionState) -> tuple[Any, ...]:  # noqa: ANN401 - as `notice`
        """Return what stands for the object of a match."""
        if isinstance(subject, TrackedObject) and subject is not conn:
            is_shared = subject.conn is None
            if is_shared:
                given: Any = shared_reference(subject)
                self._of.setdefault(subject.number, conn)
            else:
                given = reference(subject)
            return ("object", subject.lifecycle, given, is_shared)
        return unshared(subject, conn)


def _meets(conn: ConnectionState, known: tuple[Any, int | None]) -> tuple[Any, ...]:
    """Return the record of a connection that is named by a name, with the side of its client."""
    addresses = ("", "") if conn.tcp is None else conn.tcp.addresses
    name, client = known
    plain = None if name is None else tuple(name)
    return MEETS, conn.flow, conn.protocol, conn.t, conn.file, addresses, plain, client


def unshared(subject: Any, conn: ConnectionState) -> tuple[Any, ...]:  # noqa: ANN401 - of a match
    """Return what stands for the object of a match, unless that is an object with a lifecycle."""
    if isinstance(subject, tuple):
        return ("per", subject[1])
    if subject is conn:
        return ("conn",)
    if isinstance(subject, PeerState):
        return ("side", subject.side)
    return ("other", getattr(subject, "name", None))
