"""Reader of a split without the packets before it: rows, and the assumptions that they depend on.

A connection that begins in the split is read as usual. Of one that began before it is assumed that
no bytes are missing, that it speaks the protocol of its port, and that the side with the higher
port is the client; its bytes before the first frame that lines up (its *head*) are kept. The
assumptions, the head and the state at the end are the connection's `BoundaryState`: with the true
state before the split, `split_merge` decides by it whether the rows are final.

Offsets of such a connection count from `ORIGINS`, one for each side, so that an offset shows the
side of a row.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol

from streamshark.capture.packet import PacketBatch
from streamshark.dissection.connection import Connection, Delivered
from streamshark.dissection.row import ConnectionRecord, EventRow, Row
from streamshark.dissector import KnownProtocols
from streamshark.flows.ip import endpoints, reversed_key
from streamshark.flows.segment import Flow, FlowEvent, Segment
from streamshark.flows.tcp import ACK, SYN, TcpConnection, TcpDirection
from streamshark.flows.timers import Arrival, Records, Timers
from streamshark.flows.tracker import FlowTracker
from streamshark.framing.wire_format import FrameTable
from streamshark.schema import Head, ProblemCode
from streamshark.schema.nodes import BlobNode
from streamshark.splits.partition import dissector_of

ORIGINS: Final = (1 << 40, 1 << 41)
"""First offsets of the two sides of a connection that began before the split."""
MOST_SMALL: Final = 8 * 1024
"""Most bytes of a connection for which its boundary state is its packets."""
MOST_SMALL_PACKETS: Final = 64
_ODD: Final = (ProblemCode.CLAIM, ProblemCode.FOREIGN)
"""Problems of frames that depend on more than the bytes of the frame."""
MOST_HEAD: Final = 1 << 20
"""Bytes before the first frame of a side at which its connection is refused."""


class StatePacker(Protocol):
    """Pickling of a dissector's parts as bytes, for another one with the same options."""

    def packed(self, part: object) -> bytes:
        """Return a part of the dissector's state as bytes."""

    def opened(self, parcel: bytes) -> Any:  # noqa: ANN401 - what was packed
        """Return a part of the state from its bytes, as new objects."""


class BoundaryState(NamedTuple):
    """Boundary state of one connection in a split."""

    number: int
    """Its number in the split: `flow` of its rows."""
    key: bytes
    """Addresses and ports, from side 0 to side 1."""
    first: Arrival
    """Its first packet."""
    under_way: bool
    """Whether it began before the split, as far as the split shows."""
    refused: str = ""
    """Why its rows can never be final; empty if they may be."""
    arrivals: tuple[tuple[int, Arrival], ...] | None = None
    """For a small connection, all of its packets with their sides, and no rows; else None."""
    began: tuple[int, int] = (-1, -1)
    """Assumed sequence numbers of the next bytes of its sides; -1 for a side without packets."""
    head: tuple[Segment, ...] = ()
    """Segments of each side before its `joins`, and those that lie on both sides of it."""
    joins: tuple[int, int] = (-1, -1)
    """Offsets of the first frames of the sides; -1 for a side without a frame."""
    spent: tuple[int, int] = (0, 0)
    """Bytes that each side had decoded without success up to there (`FrameSplitter.tried`)."""
    longest: int = 0
    """Bytes of its longest frame."""
    alarm: int | None = None
    """Time in ns of the timer that is set at the end of the split; None without one."""
    end: bytes = b""
    """Its state at the end of the split: a `ConnectionEnd` as `StatePacker` packs it."""

    @property
    def addresses(self) -> tuple[str, str]:
        """Addresses of side 0 and side 1."""
        return endpoints(self.key)[0]


class ConnectionEnd(NamedTuple):
    """A connection at the end of a split."""

    tcp: TcpConnection
    connection: Connection | None
    """None if its protocol is unknown, or not detected yet."""
    undecided: Any
    """`Undecided` while its protocol is not detected, else None."""
    is_known: bool
    """Whether detection has ended; False also for a connection without bytes so far."""
    events: tuple[EventRow, ...] = ()
    """Events of a connection that began before the split; their fields have offsets to be
    shifted."""


class AssumedConnection(TcpConnection):
    """A connection that is assumed to have begun before the split, without holes."""

    __slots__ = ("arrivals", "began", "size")

    def __init__(self, flow: Flow, alarms: Timers) -> None:
        super().__init__(flow, alarms)
        self._waiting = None
        self.began = [-1, -1]
        self.arrivals: list[tuple[int, Arrival]] | None = []
        """Its packets so far; None once there are too many."""
        self.size = 0
        for origin in ORIGINS:
            self.add_side(-1, origin)

    def receive(self, side: TcpDirection, packet: Arrival, out: Records) -> None:
        """Process a packet, and keep it while there are few."""
        if self.arrivals is not None:
            self.arrivals.append((side.side, packet))
            self.size += len(packet.data)
            if self.size > MOST_SMALL or len(self.arrivals) > MOST_SMALL_PACKETS:
                self.arrivals = None
        super().receive(side, packet, out)
        if self.arrivals is not None:  # so that the next packet is processed here too
            for each in self.sides:
                each.leave_fast_path()

    def _start(self, side: TcpDirection, packet: Arrival) -> None:
        """Start a side at its first packet with bytes."""
        self.began[side.side] = packet.seq
        side.start(packet.seq)


class SplitTracker(FlowTracker):
    """Tracker that starts at some packet; with `assumes`, earlier packets may exist."""

    def __init__(self, *, assumes: bool) -> None:
        super().__init__()
        self.assumes = assumes
        self.made: list[TcpConnection] = []
        """Every connection, by its number."""
        self.firsts: list[tuple[bytes, Arrival]] = []
        """The key and the first packet of each."""
        self.doubtful: dict[int, str] = {}
        """Connections whose assumptions cannot be true, and why."""

    def _meet(self, key: bytes, arrival: Arrival, out: Records) -> TcpDirection:
        side, is_syn = self._sides.get(key), arrival.flags & SYN
        if side is None and self.assumes:
            other = self._sides.get(reversed_key(key))
            if other is None and not is_syn:
                return self._assume(key, arrival)
            if other is not None and isinstance(other.connection, AssumedConnection):
                side = self._sides[key] = other.connection.sides[1 - other.side]
                if not is_syn:
                    return side
        if (
            side is not None
            and isinstance(side.connection, AssumedConnection)
            and arrival.flags & ACK
        ):
            self.doubtful[side.number] = "a SYN was answered"
        return super()._meet(key, arrival, out)

    def _assume(self, key: bytes, arrival: Arrival) -> TcpDirection:
        addresses, ports = endpoints(key)
        client = None if ports[0] == ports[1] else int(ports[1] > ports[0])
        flow = Flow(len(self.flows), addresses, ports, client, arrival.packet, arrival.file)
        connection = AssumedConnection(flow, self.alarms)
        self._note(key, arrival, connection)
        self.flows.append(flow)
        side = self._sides[key] = connection.sides[0]
        return side

    def _begin(self, key: bytes, base: int, arrival: Arrival) -> TcpDirection:
        side = super()._begin(key, base, arrival)
        self._note(key, arrival, side.connection)
        return side

    def _note(self, key: bytes, arrival: Arrival, connection: TcpConnection) -> None:
        self.made.append(connection)
        self.firsts.append((key, arrival))

    @property
    def alarmed(self) -> dict[int, int]:
        """Times in ns of the timers that are set, by number of the connection."""
        return {each.flow.number: at for at, each in self.alarms if isinstance(each, TcpConnection)}

    @property
    def is_whole(self) -> bool:
        """Whether no datagram is left incomplete."""
        return not self.counters.fragments


def expected(known: KnownProtocols, flow: Flow) -> FrameTable | None:
    """Return the most likely protocol of a connection with these ports; None without one."""
    forced = known.forced(flow)
    if forced and len(forced) == 1:
        table, carrier = forced[0]
        return table if carrier is None else None
    ports = set(flow.ports)
    return next((each for each in known.tables if each.cuts and ports & set(each.wire.ports)), None)


class _Joining:
    """A connection that began before the split, while it is small or a side has no frame."""

    def __init__(self, tcp: AssumedConnection) -> None:
        self.tcp = tcp
        self.rows: list[Row] = []
        """Rows that are dropped if the connection stays small."""
        self.head: list[Segment] = []
        self.size = 0
        self.joins = [-1, -1]
        self.spent = [0, 0]
        self.longest = 0
        self.events: list[EventRow] = []


class SplitReader:
    """Reader of the packets of one split, in batches; `boundaries` returns the boundary states."""

    def __init__(self, *, assumes: bool, **options: Any) -> None:  # noqa: ANN401 - of a session
        self.tracker = SplitTracker(assumes=assumes)
        self.dissector = dissector_of(options, tracker=self.tracker)
        self.refused: dict[int, str] = {}
        """Connections whose rows cannot be final, and why."""
        self._assumed: dict[int, _Joining] = {}
        self._joining: dict[int, _Joining] = {}
        """Those that are still small, or of which a side has no first frame yet."""
        self.first: Arrival | None = None
        """The first packet of all."""
        self.last = Arrival(0, 0, 0)
        """The last packet."""

    def feed(self, batch: PacketBatch) -> list[Row]:
        """Return the rows that a batch of packets completes, in no order."""
        if self.first is None:
            self.first = Arrival(batch.first, batch.times[0], batch.file)
        self.last = Arrival(batch.first + len(batch) - 1, batch.times[-1], batch.file)
        delivered = self.tracker.feed(batch)
        if not self.tracker.assumes:
            return self._kept(self.dissector.dissect(delivered))
        rows: list[Row] = []
        rest = []
        joining, made = self._joining, self.tracker.made
        for each in delivered:
            number = each.flow
            if number not in self._assumed and isinstance(made[number], AssumedConnection):
                self._meet(number, made[number])
            if number in joining:
                rows += self._join(joining[number], each)
            else:
                rest.append(each)
        rows += self.dissector.dissect(rest)
        return self._kept(rows)

    def finish_rows(self) -> list[Row]:
        """Return the rows that were kept back while their connection could stay small."""
        left = [each for each in self._joining.values() if each.tcp.arrivals is None]
        return self._kept([row for each in left for row in each.rows])

    def boundaries(self, parcels: StatePacker) -> list[BoundaryState]:
        """Return the boundary state of each connection."""
        alarms = self.tracker.alarmed
        return [
            self._boundary(number, parcels, alarms.get(number))
            for number in range(len(self.tracker.flows))
        ]

    # Connections that began before

    def _meet(self, number: int, tcp: TcpConnection) -> None:
        """Assume the protocol of a connection that began before the split, at its first bytes."""
        if not isinstance(tcp, AssumedConnection):
            return
        self._assumed[number] = self._joining[number] = _Joining(tcp)
        table = expected(self.dissector.known, tcp.flow)
        if table is None:
            return
        connection = Connection(tcp.flow, table, "under way", self.dissector.shared)
        self.dissector.place(number, connection)
        self._refuse_unless_plain(connection)

    def _join(self, joining: _Joining, each: Delivered) -> list[Row]:
        """Process a record of a connection of which one side has no first frame yet."""
        number = each.flow
        joins = joining.joins
        is_reset = isinstance(each, FlowEvent) and each.name == "reset"
        if joins[each.side] < 0 or (is_reset and min(joins) < 0):
            if isinstance(each, Segment):
                joining.head.append(each)
                joining.size += len(each.data)
            else:
                self._doubt(joining, "a gap, or its end, comes before its first frame")
        rows = self.dissector.dissect([each])
        connection = self.dissector.connections.get(number)
        if connection is not None:
            self._look(joining, connection, rows)
        if joining.size > MOST_HEAD:
            self._doubt(joining, "its first frame does not come")
        if self.dissector.connections.get(number, joining) is None:  # unknown, or refused
            del self._joining[number]
            joining.head = []
            return []
        if joining.tcp.arrivals is not None:
            joining.rows += rows
            return []
        rows, joining.rows = joining.rows + rows, []
        if min(joins) >= 0:
            del self._joining[number]
        return rows

    def _doubt(self, joining: _Joining, why: str) -> None:
        """Refuse a connection: only a reading of all of its packets can be right."""
        number = joining.tcp.flow.number
        self.refused.setdefault(number, why)
        self.dissector.place(number, None)

    def _look(self, joining: _Joining, connection: Connection, rows: list[Row]) -> None:
        """Note the sides that are in sync now."""
        for side in (0, 1):
            splitter = connection.splitters[side]
            if joining.joins[side] >= 0 or splitter is None:
                continue
            if splitter.in_step:
                joining.joins[side] = ORIGINS[side] + splitter.skipped.total()
                joining.spent[side] = getattr(splitter, "tried", 0)
            elif any(not isinstance(row, EventRow) and row.side == side for row in rows):
                self._doubt(joining, "out of sync after its first frame")

    # Rows

    def _kept(self, rows: list[Row]) -> list[Row]:
        """Return the rows that may be final."""
        out = []
        for row in rows:
            connection = row.connection
            number = connection.flow.number
            if number in self.refused:
                continue
            if not is_plain(connection):
                self._refuse_unless_plain(connection)
                continue
            joining = self._assumed.get(number)
            if joining is None:
                out.append(row)
            elif isinstance(row, EventRow):
                if row.name != "resync" or row.offset != ORIGINS[row.side]:
                    joining.events.append(row)
            else:
                joining.longest = max(joining.longest, len(row.data))  # type: ignore[attr-defined]
                if row.problems and any(each.code in _ODD for each in row.problems):
                    self._doubt(joining, "a frame of which more must be known")
                out.append(row)
        return out

    def _refuse_unless_plain(self, connection: ConnectionRecord) -> None:
        """Refuse a connection whose frames depend on earlier ones."""
        if not is_plain(connection):
            number = connection.flow.number
            self.refused[number] = f"{connection.wire.id} is read from the beginning"
            self.dissector.place(number, None)

    # The end of the split

    def _boundary(self, number: int, parcels: StatePacker, alarm: int | None) -> BoundaryState:
        tcp = self.tracker.made[number]
        key, first = self.tracker.firsts[number]
        under_way = isinstance(tcp, AssumedConnection)
        connection = self.dissector.connections.get(number)
        if connection is not None:
            self._refuse_unless_plain(connection)
        bare = BoundaryState(number, key, first, under_way)
        if isinstance(tcp, AssumedConnection) and tcp.arrivals is not None:
            if tcp.flow.packets != len(tcp.arrivals):
                return bare._replace(refused="a packet contradicts itself")
            return bare._replace(arrivals=tuple(tcp.arrivals))
        refused = self.refused.get(number) or self.tracker.doubtful.get(number)
        if refused:
            return bare._replace(refused=refused)
        connection = self.dissector.connections.get(number)
        undecided = self.dissector.undecided.get(number)
        if isinstance(tcp, AssumedConnection) and undecided is not None:
            return bare._replace(refused="its protocol is not known yet")
        joining = self._assumed.get(number)
        events = tuple(joining.events) if joining is not None else ()
        ended = ConnectionEnd(
            tcp, connection, undecided, number in self.dissector.connections, events
        )
        bare = bare._replace(alarm=alarm, end=parcels.packed(ended))
        if joining is None:
            return (
                bare._replace(began=(tcp.began[0], tcp.began[1]))
                if isinstance(tcp, AssumedConnection)
                else bare
            )
        return bare._replace(
            began=(joining.tcp.began[0], joining.tcp.began[1]),
            head=tuple(self._heads(joining)) if connection is not None else (),
            joins=(joining.joins[0], joining.joins[1]),
            spent=(joining.spent[0], joining.spent[1]),
            longest=joining.longest,
        )

    def _heads(self, joining: _Joining) -> Iterable[Segment]:
        """Yield the head, up to the first frames."""
        for each in joining.head:
            join = joining.joins[each.side]
            if join < 0 or each.offset < join:
                most = len(each.data) if join < 0 else join - each.offset
                yield each._replace(data=each.data[:most])


def is_plain(connection: ConnectionRecord) -> bool:
    """Return whether each frame of a connection can be read alone.

    That is so if no state follows frames, there is no carrier, and neither version nor payloads
    depend on negotiated values.
    """
    return (
        isinstance(connection, Connection)
        and connection.carrier is None
        and connection.is_plain
        and _says_all(connection.table)
    )


_known: dict[int, tuple[FrameTable, bool]] = {}


def _says_all(table: FrameTable) -> bool:
    """Return whether no negotiated values are needed to read frames."""
    found = _known.get(id(table))
    if found is None:
        head = table.head
        versioned = isinstance(head, Head) and (
            head.version is not None
            or not any(each.name == "version" for each in table.wire.agreements)
        )
        nodes = (node for each in table.all for node in each.tree.nodes)
        agreed = any(
            isinstance(node, BlobNode) and node.slot is not None and node.slot.agreed is not None
            for node in nodes
        )
        found = _known[id(table)] = (table, versioned and not agreed)
    return found[1]
