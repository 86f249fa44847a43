"""Reader of the packets of some connections: its rows are those of a reading of all packets.

What a reading of all packets knows besides is given: the times of other packets, at which timers
fire, and how often the clock was set back. Frames and connections have numbers of this reader
alone; `Positions` has what orders the rows of all readers.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from streamshark.capture import Capture
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import ConnectionRecord, FrameRow, Row
from streamshark.flows.flow_table import SparseFlowTable
from streamshark.flows.ip import TcpHeader
from streamshark.flows.tcp import TcpDirection
from streamshark.flows.timers import Arrival, Timers
from streamshark.flows.tracker import FlowTracker
from streamshark.framing.splitter import At
from streamshark.protocols.protocol import Protocol
from streamshark.splits.local_numbers import FlowNumber, FrameNumber
from streamshark.splits.packet_buckets import GroupedBatch, PacketPlace
from streamshark.splits.packet_times import PacketClock
from streamshark.splits.partition import known_protocols
from streamshark.splits.shared_servers import END, Learned, ServerNews, SharingDissector

COLUMNS: Final = ("epoch", "time_ns", "file", "packet", "flow", "offset", "is_frame")
"""What orders rows, and whether they are frames."""


class FlowNumbers:
    """Numbers of the connections of one reader, after `before` others."""

    def __init__(self, before: int) -> None:
        self.before = before

    def __call__(self, count: int) -> int:
        """Return the number of the connection after `count` of this reader."""
        return FlowNumber(self.before + count)


class OtherPackets:
    """What a tracker of some connections must know of the packets of others.

    `wants` returns whether packets with these addresses and ports are for the tracker.
    """

    def __init__(self, clock: PacketClock, wants: Callable[[bytes], bool]) -> None:
        self.wants = wants
        self.begun: list[PacketPlace] = []
        """First packet of each connection."""
        self._clock = clock
        self._group: GroupedBatch | None = None
        self._before: PacketPlace | None = None
        """Last packet of the batch before."""
        self._fired: PacketPlace | None = None
        """Packet at which timers fired last."""

    def proceed(self, group: GroupedBatch | None) -> None:
        """Note which packets are read next; None after the last."""
        if self._group is not None:
            self._before = PacketPlace(self._group.part, self._group.places[-1])
        self._group = group

    def place(self, packet: int) -> PacketPlace:
        """Return the place of a packet of the batch, given its number."""
        if self._group is None:
            raise ValueError(f"no packet {packet} is read")
        at = self._group.batch.place(packet)
        return PacketPlace(self._group.part, self._group.places[at])

    def first(self, time_ns: int, now: Arrival) -> Arrival:
        """Return the first packet at or after a time in ns; `now` at the latest."""
        here, before = None, self._before
        if self._group is not None:
            at = self._group.batch.place(now.packet)
            here = PacketPlace(self._group.part, self._group.places[at])
            if at:
                before = PacketPlace(self._group.part, self._group.places[at - 1])
        after = max(filter(None, (before, self._fired)), default=None)
        found = self._clock.first(time_ns, after, here)
        if found is None:
            return now
        self._fired, arrival = found
        return arrival


class GroupTracker(FlowTracker):
    """A tracker of some connections."""

    def __init__(self, others: OtherPackets, flows_before: int) -> None:
        super().__init__(SparseFlowTable(FlowNumbers(flows_before)), Timers(others.first))
        self.others = others

    def _find(
        self,
        link: int,
        data: bytes,
        start: int,
        captured: int,
        original: int,
        at: tuple[int, int, int],
    ) -> TcpHeader | None:
        found = super()._find(link, data, start, captured, original, at)
        return found if found is None or self.others.wants(found.key) else None

    def _begin(self, key: bytes, base: int, arrival: Arrival) -> TcpDirection:
        self.others.begun.append(self.others.place(arrival.packet))
        return super()._begin(key, base, arrival)


class Positions:
    """What orders the rows of a reader, in columns."""

    def __init__(self) -> None:
        self.columns = [array("q") for _ in COLUMNS]

    def __len__(self) -> int:
        return len(self.columns[0])

    def extend(self, epoch: int, rows: Sequence[Row]) -> None:
        """Add rows."""
        times, files, packets, flows, offsets = zip(*[row.order for row in rows], strict=True)
        are_frames = [row.__class__ is FrameRow for row in rows]
        found: Sequence[Iterable[int]] = (
            [epoch] * len(rows),
            times,
            files,
            packets,
            flows,
            offsets,
            are_frames,
        )
        for column, values in zip(self.columns, found, strict=True):
            column.extend(values)


class ReadState(NamedTuple):
    """What a reader knows of the end of its packets."""

    end: At
    """Time in ns, file and packet of its last row."""
    epoch: int
    """Epoch of its last packet."""
    held: At | None
    """The earliest packet whose rows are held back; None without one."""


class ConnectionReader:
    """Reader of some connections.

    `before` is how many frames, and `flows_before` how many connections all readers have found in
    earlier captures; `follows` returns whether rows of a connection are wanted; `given` is what
    other readers learn of servers.
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        others: OtherPackets,
        *,
        before: int,
        flows_before: int,
        follows: Callable[[ConnectionRecord], bool] | None = None,
        given: Sequence[Learned] = (),
    ) -> None:
        self.others = others
        self.tracker = GroupTracker(others, flows_before)
        known = dict(options)
        keylog, puts_together = known.pop("keylog"), known.pop("puts_together")
        self.dissector = SharingDissector(
            known_protocols(**known), ServerNews(given), keylog=keylog,
            puts_together=puts_together, tracker=self.tracker, follows=follows,
        )  # fmt: skip
        self.captures: list[Capture] = self.dissector.captures
        self.before, self.flows_before, self.given = before, flows_before, given
        self.epoch = 0
        self.carried = 0
        """Number of rows of an earlier reader that come before those of this one."""
        self.positions = Positions()
        self._latest = 0
        """Number of rows that were yielded, and are not in the positions yet."""
        self.left_out: set[int] = set()
        """Connections that another reader reads."""

    @property
    def protocols(self) -> tuple[Protocol, ...]:
        """The protocols of the rows."""
        return self.dissector.known.protocols

    @property
    def layers(self) -> PayloadReaders:
        """Readers of the payload slots of frames."""
        return self.dissector.known.layers

    @property
    def count(self) -> int:
        """Number of rows so far, those of an earlier reader included."""
        return self.carried + len(self.positions) + self._latest

    def rows(self) -> Iterator[Row]:
        """Return no rows: they are read by `read` and `finish`."""
        return iter(())

    def batches(self) -> Iterator[list[Row]]:
        """Return no rows, as `rows`."""
        return iter(())

    @property
    def yielded_ns(self) -> int:
        """Time in ns before which all rows have been yielded."""
        return self.tracker.last[0]

    def read(
        self,
        groups: Iterable[GroupedBatch],
        epochs: Mapping[int, int],
        last: Arrival | None,
        epoch: int,
    ) -> Iterator[Iterator[Row]]:
        """Yield the rows of packets, many at once, without those that only the end completes.

        Rows of one iterator are taken before the next one is asked for.

        Args:
            groups: The packets.
            epochs: Part of the captures to how often the clock was set back before it.
            last: The last packet of all; None without one.
            epoch: How often the clock was set back before it.
        """
        dissector, order = self.dissector, self.dissector.order
        for group in groups:
            yield self._proceed(epochs[group.part] + group.epoch)
            dissector.reach(
                (self.epoch, group.batch.times[0], group.batch.file, group.batch.packets[0])
            )
            self.others.proceed(group)
            rows = dissector.feed(group.batch)
            rows += dissector.retire_due()
            yield self._numbered(self._ordered(rows))
        self.others.proceed(None)
        yield self._proceed(epoch)
        if last is not None:
            is_last = self.tracker.last[1:] == (last.file, last.packet)
            rows = self._ordered(dissector.dissect(self.tracker.reach(last)))
            if not is_last:
                rows += order.release_latest()
            yield self._numbered(rows)
        dissector.reach(END)

    def _proceed(self, epoch: int) -> Iterator[Row]:
        """Yield all rows so far if the clock was set back."""
        if epoch != self.epoch:
            yield from self._numbered(self.dissector.order.flush())
            self.epoch = epoch

    def finish(self, at: At) -> Iterator[Row]:
        """Yield the remaining rows; `at` is the last row of all readers before them."""
        order = self.dissector.order
        yield from self._numbered(order.finish(self.dissector.finish(at)))

    def last_ns(self) -> int:
        """Return the time in ns of the last row that the end of the captures completes.

        The reader cannot be used any more.
        """
        return max((row.time_ns for row in self.dissector.finish((0, 0, 0))), default=0)

    def at_end(self) -> ReadState:
        """Return what is known of the end."""
        order = self.dissector.order
        held = [order.first_held, self.dissector.decryption.waiting_since]
        if order.latest_ns is not None:
            held.append(order.last)
        first = min((each for each in held if each is not None), default=None)
        return ReadState(order.end, self.epoch, first)

    def number_flows(self, before: int) -> None:
        """Give connections that begin from now on the numbers after so many others."""
        flows = self.tracker.flows
        if isinstance(flows, SparseFlowTable):
            flows.continue_with(FlowNumbers(before))

    def begin_end(self, rows: int) -> None:
        """Begin what the end of the captures completes, after so many rows."""
        self.carried, self.positions = rows, Positions()

    def state(self) -> dict[str, Any]:
        """Return the state between two captures, for a reader with the same options."""
        return {
            "dissector": self.dissector.state(),
            "epoch": self.epoch,
            "left out": self.left_out,
        }

    def resume(self, state: Mapping[str, Any], captures: Iterable[Capture]) -> None:
        """Continue from a state, after the captures that were read for it."""
        self.dissector.resume(state["dissector"], captures)
        self.epoch, self.left_out = state["epoch"], state["left out"]
        self.dissector.news.continue_with(self.given)
        tracker = self.dissector.tracker
        if isinstance(tracker, GroupTracker):
            self.tracker = tracker

    def _ordered(self, rows: list[Row]) -> list[Row]:
        dissector = self.dissector
        since = dissector.decryption.waiting_since
        return dissector.order.add(rows, self.tracker.last[0], dissector.stray, since)

    def _numbered(self, rows: list[Row]) -> Iterator[Row]:
        """Yield rows, and number each frame when it is yielded."""
        before = self.before + self.count
        for at, row in enumerate(rows, 1):
            self._latest = at
            if row.__class__ is FrameRow:
                row.give(FrameNumber(before + at))
            yield row
        self._latest = 0
        if rows:
            self.positions.extend(self.epoch, rows)
