"""Merge splits of packets that were read apart from each other.

The assumptions about a connection are compared with its true state; if they differ, the split is
read again.

A `SplitMerger` is given, split by split, the boundary states of its connections (`split_reader`).
If a boundary state's assumptions are true, its rows are final, and the dissector continues with its
state at the end; packets of small connections are fed one by one. If they are not true, the
dissector reads the split itself, and skips all other connections. So it always has the state that a
reading of every packet would have.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, cast

from streamshark.capture import Capture
from streamshark.capture.merge import merged, steady
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import ConnectionRecord, EventRow, Row
from streamshark.dissector import Dissector
from streamshark.flows.direction import distance
from streamshark.flows.ip import endpoints, reversed_key
from streamshark.flows.segment import Flow, Segment
from streamshark.flows.tcp import ACK, TcpConnection, TcpDirection
from streamshark.flows.timers import Arrival, Records
from streamshark.flows.tracker import FlowTracker
from streamshark.framing.splitter import REACH, TRIES, At, FrameSplitter
from streamshark.splits.input_splits import TimeSlice
from streamshark.splits.partition import dissector_of, passed, remembers, share_of
from streamshark.splits.split_reader import (
    ORIGINS,
    BoundaryState,
    ConnectionEnd,
    StatePacker,
    is_plain,
)

LATE_NS: Final = 600_000_000_000
"""Capture time in ns after a connection's end in which duplicates of its packets may come."""


class SplitResult(NamedTuple):
    """Result of reading a split: the boundary states of the connections given to a merger."""

    first: Arrival
    """The first packet of the split."""
    last: Arrival
    """The last packet of the split."""
    boundaries: Sequence[BoundaryState]


class RowOwner(NamedTuple):
    """Flow to which the rows of a split's connection belong."""

    time_slice: int
    number: int
    """Number of the connection in the split."""
    flow: int
    """Number of the flow here."""
    shifts: tuple[int, int]
    """Values to add to the offsets of each side."""
    swapped: bool
    """Whether its sides are swapped."""


class DiffersError(Exception):
    """An assumption is not true; never leaves this module."""


class MergedTracker(FlowTracker):
    """The tracker of a merger, whose connections come from splits."""

    def of(self, key: bytes) -> tuple[TcpConnection, int] | None:
        """Return the connection of a packet with this key, and its side; None if unknown."""
        side = self._sides.get(key)
        return None if side is None else (side.connection, side.side)

    def is_one_sided(self, key: bytes) -> bool:
        """Return whether only the other direction of a key has been seen."""
        return key not in self._sides and reversed_key(key) in self._sides

    def end(self, key: bytes, now: Arrival) -> Records:
        """End a connection whose ports are reused."""
        out: Records = []
        side = self._sides[key]
        side.connection.finish(now, out)
        self.forget(key)
        return out

    def put(self, key: bytes, tcp: TcpConnection, alarm: int | None) -> None:
        """Insert a connection that another tracker has followed."""
        self._sides[key] = tcp.sides[0]
        self._sides.pop(reversed_key(key), None)
        if len(tcp.sides) > 1:
            self._sides[reversed_key(key)] = tcp.sides[1]
        if alarm is not None:
            self.alarms.set(alarm, tcp)
        self.alarms.hold(tcp.held)
        if tcp.is_holding:
            self._holding[tcp.flow.number] = tcp

    def forget(self, key: bytes) -> None:
        """Drop the connection of a key."""
        tcp = self._sides.pop(key).connection
        self._sides.pop(reversed_key(key), None)
        self._holding.pop(tcp.flow.number, None)
        self.alarms.drop(tcp)
        self.alarms.hold(-tcp.held)

    def take(self, key: bytes, packet: Arrival) -> Records:
        """Process one packet of a connection.

        Raises:
            DiffersError: Packets of other connections matter too.
        """
        out: Records = []
        side = self._sides.get(key)
        if side is None:
            side = self._meet(key, packet, out)
        side.flow.count_packet()
        self._receive(side, packet, out)
        if side.connection.is_holding or side.connection.is_alarmed:
            raise DiffersError("it waits for packets of others")
        return out

    def ring(self, now: Arrival) -> Records:
        """Fire the timers that are due at a packet."""
        out: Records = []
        if now.time_ns >= self.alarms.deadline:
            self.alarms.ring(now, out)
            self._holding = {n: each for n, each in self._holding.items() if each.is_holding}
        return out

    def ends_at(self, last: Arrival) -> None:
        """Set the last packet so far."""
        self._last = last

    @property
    def living(self) -> dict[int, TcpConnection]:
        """The connections, by number, whose ports were not reused."""
        return {side.number: side.connection for side in self._sides.values()}

    @property
    def holding(self) -> list[bytes]:
        """Keys, in both directions, of the connections with buffered bytes."""
        if not self._holding:
            return []
        return [key for key, side in self._sides.items() if side.connection.is_holding]


def _is_over(tcp: TcpConnection) -> bool:
    """Return whether a connection was reset, or both sides have closed it."""
    closed = len(tcp.sides) > 1 and all(side.closed for side in tcp.sides)
    return closed or any(side.reset for side in tcp.sides)


class SplitMerger:
    """Merger of the splits of partition `share` of `shares`.

    `verdicts` name the flow of each split's connection whose rows are final. Connections that may
    depend on others are all of partition 0.
    """

    def __init__(
        self,
        packer: Callable[[Dissector], StatePacker],
        share: int = 0,
        shares: int = 1,
        **options: Any,  # noqa: ANN401 - those of a session
    ) -> None:
        self.share = share
        self.shares = shares
        self.tracker = MergedTracker()
        self.dissector = dissector_of(options, tracker=self.tracker)
        self.captures = self.dissector.captures
        self.verdicts: list[RowOwner] = []
        self.read_again = 0
        """Number of splits that were read here too."""
        self._ends: dict[int, int] = {}
        """Number of an ended connection to the time in ns at which that was noticed."""
        self._packer = packer
        self._parcels: StatePacker | None = None

    def takes(self, addresses: tuple[str, str]) -> bool:
        """Return whether boundary states of a connection are to be given to this partition."""
        return not self.share or share_of(addresses, self.shares) == self.share

    def is_mine(self, connection: ConnectionRecord) -> bool:
        """Return whether the rows of a connection are of this partition."""
        if self.shares > 1 and remembers(connection):
            return not self.share
        return share_of(connection.flow.addresses, self.shares) == self.share

    def join(self, number: int, time_slice: TimeSlice, read: SplitResult) -> Iterator[Row]:
        """Merge the next split; yield the rows that reading it apart could not make."""
        self._parcels = self._parcels or self._packer(self.dissector)
        rows = self.dissector.dissect(self.tracker.ring(read.first))
        waiting = {each for key in self.tracker.holding for each in (key, reversed_key(key))}
        pairs: dict[bytes, list[BoundaryState]] = {}
        for each in read.boundaries:
            if self.takes(each.addresses):
                pairs.setdefault(min(each.key, reversed_key(each.key)), []).append(each)
        again: set[bytes] = set()
        for key, found in pairs.items():
            taken = self._pair(number, found)
            if taken is None:
                again |= {key, reversed_key(key)}
            else:
                rows += taken
        again |= {each for each in waiting if min(each, reversed_key(each)) not in pairs}
        yield from self._of_mine(rows)
        if again:
            self.read_again += 1
            yield from self.read_through([each.open() for each in time_slice], again.__contains__)
        self.tracker.ends_at(read.last)

    def read_through(
        self, captures: list[Capture], wanted: Callable[[bytes], bool] | None = None
    ) -> Iterator[Row]:
        """Yield the rows of all packets of captures, or of those with keys that are wanted."""
        if wanted is None and self.share:
            wanted = cache(lambda key: self.takes(endpoints(key)[0]))
        for batch, _ in steady(merged(captures, None)):
            seen = batch if wanted is None else passed(batch, wanted)
            yield from self._of_mine(self.dissector.feed(seen))

    def let_old_go(self) -> Iterator[Row]:
        """Retire connections that ended long ago; yield the rows that this completes.

        For callers that have merged all splits so far, and may continue later.
        """
        now, living = self.tracker.last[0], self.tracker.living
        for number in self.tracker.flows.followed:
            tcp = living.get(number)
            if tcp is not None:
                if not _is_over(tcp):
                    self._ends.pop(number, None)
                    continue
                if now - self._ends.setdefault(number, now) < LATE_NS:
                    continue
            self._ends.pop(number, None)
            yield from self._of_mine(self.dissector.retire(number, had_event=True))

    def finish(self, at: At | None = None) -> Iterator[Row]:
        """Yield the rows of the captures' end.

        `at` is the last row of all connections before it.
        """
        self.tracker.reset_counters()  # a complete reading reports unreadable packets
        last = self.dissector.order.last if at is None else at
        yield from self._of_mine(self.dissector.finish(last))

    def _of_mine(self, rows: list[Row]) -> Iterator[Row]:
        self.dissector.order.note(rows)
        return (row for row in rows if self.is_mine(row.connection))

    def state(self) -> dict[str, Any]:
        """Return the state between two captures, for a merger with the same options."""
        return {"dissector": self.dissector.state(), "ends": self._ends}

    def resume(self, state: Mapping[str, Any], captures: Iterable[Capture]) -> None:
        """Continue from a state, after the captures that were read for it."""
        self.dissector.resume(state["dissector"], captures)
        self.tracker = cast("MergedTracker", self.dissector.tracker)
        self._ends = state["ends"]

    # One pair of endpoints

    def _pair(self, time_slice: int, found: list[BoundaryState]) -> list[Row] | None:
        """Merge the connections between two endpoints, in order.

        None, with no change, if an assumption about one of them is not true.
        """
        parcels = self._parcels
        if parcels is None or any(each.refused for each in found):
            return None
        known = self.tracker.of(found[0].key)
        if known is None and found[0].under_way:
            return None
        before = None
        if known is not None:
            tcp, side = known
            key = reversed_key(found[0].key) if side else found[0].key
            before = self._before(key, tcp)
        count, verdicts = len(self.tracker.flows), len(self.verdicts)
        try:
            return [row for each in found for row in self._take(time_slice, each, parcels)]
        except DiffersError:
            pass
        for number in range(count, len(self.tracker.flows)):
            self.dissector.place_undecided(number, None)
        self.tracker.flows.take_back(count)
        del self.verdicts[verdicts:]
        if self.tracker.of(found[0].key) is not None:
            self.tracker.forget(found[0].key)
        if before is not None:
            self._back(*before)
        return None

    def _before(self, key: bytes, tcp: TcpConnection) -> tuple[bytes, int | None, bytes]:
        """Return what is needed to set a connection back: its key, its timer, its state."""
        number = tcp.flow.number
        alarm = next((at for at, each in self.tracker.alarms if each is tcp), None)
        known = self.dissector.connections
        undecided = self.dissector.undecided.get(number)
        ended = ConnectionEnd(tcp, known.get(number), undecided, number in known)
        if self._parcels is None:
            raise AssertionError
        return key, alarm, self._parcels.packed(ended)

    def _back(self, key: bytes, alarm: int | None, state: bytes) -> None:
        if self._parcels is None:
            raise AssertionError
        ended: ConnectionEnd = self._parcels.opened(state)
        self._put(key, ended, alarm)

    def _put(self, key: bytes, ended: ConnectionEnd, alarm: int | None) -> None:
        """Insert a connection under the number of its flow."""
        flow: Flow = ended.tcp.flow
        number = flow.number
        if number < len(self.tracker.flows):
            self.tracker.flows.put(flow)
        else:
            self.tracker.flows.append(flow)
        if ended.is_known:
            self.dissector.place(number, ended.connection)
        else:
            self.dissector.place_undecided(number, ended.undecided)
        self.tracker.put(key, ended.tcp, alarm)

    def _take(self, time_slice: int, boundary: BoundaryState, parcels: StatePacker) -> list[Row]:
        known = self.tracker.of(boundary.key)
        if not boundary.under_way:
            return self._begin(time_slice, boundary, parcels.opened(boundary.end), known)
        if known is None:
            raise DiffersError("it was never seen before")
        tcp, side = known
        if tcp.is_holding or tcp.is_alarmed:
            raise DiffersError("something is open about it")
        if boundary.arrivals is not None:
            keys = boundary.key, reversed_key(boundary.key)
            rows = []
            for which, packet in boundary.arrivals:
                rows += self.dissector.dissect(self.tracker.take(keys[which], packet))
            return rows
        ended: ConnectionEnd = parcels.opened(boundary.end)
        return self._go_on(time_slice, boundary, ended, tcp, swapped=bool(side))

    def _begin(
        self,
        time_slice: int,
        boundary: BoundaryState,
        ended: ConnectionEnd,
        known: tuple[TcpConnection, int] | None,
    ) -> list[Row]:
        """Add a connection that begins in the split."""
        key, first, rows = boundary.key, boundary.first, list[Row]()
        if self.tracker.is_one_sided(key):
            raise DiffersError("it continues with bytes from the other side")
        if known is not None:
            tcp, side = known
            if first.flags & ACK or tcp.sides[side].base == first.seq:
                raise DiffersError("the SYN is one of an earlier connection")
            rows = self.dissector.dissect(self.tracker.end(key, first))
        number = len(self.tracker.flows)
        ended.tcp.renumber(number)
        self._put(key, ended, boundary.alarm)
        if ended.connection is not None and self.is_mine(ended.connection):
            self.verdicts.append(
                RowOwner(time_slice, boundary.number, number, (0, 0), swapped=False)
            )
        return rows

    def _go_on(
        self,
        time_slice: int,
        boundary: BoundaryState,
        ended: ConnectionEnd,
        tcp: TcpConnection,
        *,
        swapped: bool,
    ) -> list[Row]:
        """Continue a connection that had begun before the split."""
        number = tcp.flow.number
        sides = tcp.sides[::-1] if swapped else tcp.sides
        _compare(boundary, ended.tcp, tcp, sides)
        if number not in self.dissector.connections:
            raise DiffersError("nothing is known of it")
        connection, other = self.dissector.connections[number], ended.connection
        shifts = (sides[0].offset - ORIGINS[0], sides[1].offset - ORIGINS[1])
        rows: list[Row] = []
        if connection is not None:
            if other is None or not _alike(connection, other, swapped=swapped):
                raise DiffersError("it speaks something else")
            join = _JoinedConnection(
                boundary, connection, other, ended.events, shifts, swapped=swapped
            )
            rows = join.rows()
            if self.is_mine(connection):
                self.verdicts.append(RowOwner(time_slice, boundary.number, number, shifts, swapped))
        tcp.continue_as(ended.tcp, sides, shifts)
        if boundary.alarm is not None:
            self.tracker.alarms.set(boundary.alarm, tcp)
        return rows


def _compare(
    boundary: BoundaryState, end: TcpConnection, tcp: TcpConnection, sides: Sequence[TcpDirection]
) -> None:
    """Raise DiffersError if TCP's state is not the assumed one, or is unsettled at the end."""
    if not tcp.is_plain or not end.is_settled:
        raise DiffersError("something is open about it")
    for side, began, mine in zip(end.sides, boundary.began, sides, strict=True):
        acked = side.peer.acked if side.peer is not None else -1
        if mine.peer is not None and distance(mine.next, mine.peer.acked) > 0:
            raise DiffersError("bytes before it are missing")
        if began >= 0 and began != mine.next:
            raise DiffersError("it continues elsewhere")
        if began < 0 <= acked and distance(mine.next, acked) > 0:
            raise DiffersError("bytes of it are missing")


def _alike(connection: Connection, other: Connection, *, swapped: bool) -> bool:
    """Return whether a connection equals the assumed one, except for buffered bytes."""
    client = other.client if other.client is None or not swapped else 1 - other.client
    return (
        is_plain(connection)
        and connection.table is other.table
        and connection.client is not None
        and connection.client == client
        and not other.agreed
    )


class _JoinedConnection:
    """A connection, and the same one as a split has read it."""

    def __init__(
        self,
        boundary: BoundaryState,
        connection: Connection,
        other: Connection,
        events: Sequence[EventRow],
        shifts: tuple[int, int],
        *,
        swapped: bool,
    ) -> None:
        self.boundary, self.connection, self.other = boundary, connection, other
        self.events = events
        self.shifts, self.swapped = shifts, swapped

    def rows(self) -> list[Row]:
        """Continue the connection with the state of the other.

        Return rows of the head, and events.
        """
        boundary, connection = self.boundary, self.connection
        rows: list[Row] = []
        for each in boundary.head:
            rows += connection.feed(self._mine(each))
        if any(isinstance(row, EventRow) for row in rows):
            raise DiffersError("its head is not frames alone")
        for side in (0, 1):
            if boundary.joins[side] >= 0:
                self._go_on(side)
        connection.continue_as(self.other)
        for event in self.events:
            side = event.side
            rows.append(event.moved(connection, self.shifts[side], side ^ self.swapped))
        return rows

    def _mine(self, segment: Segment) -> Segment:
        """Return a segment with the connection's number, side and offset."""
        side = segment.side ^ self.swapped
        return segment._replace(
            flow=self.connection.flow.number, side=side,
            offset=segment.offset + self.shifts[segment.side],
        )  # fmt: skip

    def _go_on(self, side: int) -> None:
        """Continue a side with the state of the other; both must be at the start of one frame."""
        here = side ^ self.swapped
        splitter, end = self.connection.splitters[here], self.other.splitters[side]
        shift, join = self.shifts[side], self.boundary.joins[side]
        if not isinstance(splitter, FrameSplitter) or not isinstance(end, FrameSplitter):
            raise DiffersError("a side has sent nothing yet")
        base = join + shift
        is_there = (
            splitter.in_step
            and not splitter.held
            and not splitter.doubt
            and splitter.base == base
            and splitter.resume <= base
            and splitter.preamble is not None
            and splitter.foreign is None
            and splitter.upgraded is None
            and self.connection.skips[here] is None
        )
        spent = end.tried - self.boundary.spent[side]
        most = max(REACH, self.boundary.longest)
        if not is_there or splitter.tried + spent + most > REACH + TRIES * base:
            raise DiffersError("its frames do not begin where they were found")
        marks = [self._mine(each) for each in end.marks]
        cut = join - ORIGINS[side]
        fresh = splitter.continued(end, shift, marks, spent=spent, cut=cut)
        self.connection.splitters[here] = fresh
        skip = self.other.skips[side]
        if skip is not None:
            self.connection.skips[here] = skip._replace(offset=skip.offset + shift)
