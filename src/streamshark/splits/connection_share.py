"""Reader of one share of the connections, which is given all packets.

Processes that read the same captures, each its share, make together the rows of a session: each
detects the protocol of every connection, as detection depends on earlier connections, and then
follows its own. A connection has the number that a session gives it, and is of the share of that
number. What else connections have in common raises `DependentError`: then one process must read
all of them.

The share of a packet is known once the protocol of its connection is: `PacketShares` notes it, so
that the other shares skip the packet without a look at it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from streamshark.capture.packet import PacketBatch
from streamshark.decoding.codecs import UNPACKED_AT_ONCE
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.connection import Delivered
from streamshark.dissection.reassembly import MOST_KEPT
from streamshark.dissection.row import Row
from streamshark.dissector import Dissector, KnownProtocols
from streamshark.flows.ip import key_between, reversed_key
from streamshark.flows.segment import Flow
from streamshark.flows.tcp import HELD_TOTAL, TcpDirection
from streamshark.flows.timers import Arrival, Records
from streamshark.flows.tracker import MOST_FOLLOWED, FlowTracker
from streamshark.framing.splitter import At
from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.protocol import Protocol
from streamshark.retirement import MOST_OVER, Unrecognised
from streamshark.splits.partition import NO_LINK, SYN, directions

ALL = -1
"""Pseudo share of a packet that all shares must see."""


class DependentError(Exception):
    """Error: rows depend on several shares, or on a limit of all connections together."""


class Load(NamedTuple):
    """What a share contributes to limits that hold for all connections together."""

    ended: int = 0
    """Connections that have ended."""
    buffered: int = 0
    """Bytes that wait for earlier ones."""
    fragments: int = 0
    """Bytes of unfinished frames."""
    unpacked: int = 0
    """Bytes of the allowance for unpacking that were used at once."""


MOST: Load = Load(MOST_OVER, HELD_TOTAL // 2, MOST_KEPT // 2, UNPACKED_AT_ONCE // 2)
"""Sums of all shares up to which no limit is reached: half of those that are compared window by
window only."""


class SharedReport(NamedTuple):
    """What one share says of a reading that is over."""

    notes: list[str]
    unrecognised: list[Unrecognised]
    """Those of the share."""
    order: list[int]
    """Flow numbers in the order in which detection ended."""
    is_spoken: bool
    """Whether any connection was recognised."""
    failed: dict[tuple[str, str], int]
    """Event and endpoint to the number of failed attempts to connect, of all shares."""


class _Tracker(FlowTracker):
    """A tracker that lists the flows that have begun."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[int] = []

    def _begin(self, key: bytes, base: int, arrival: Arrival) -> TcpDirection:
        side = super()._begin(key, base, arrival)
        self.begun.append(side.number)
        return side

    def is_current(self, number: int, key: bytes) -> bool:
        """Return whether no later connection has the endpoints of a flow."""
        sides = (self._sides.get(each) for each in (key, reversed_key(key)))
        return all(side is None or side.number == number for side in sides)

    def take_begun(self) -> list[int]:
        """Return the numbers of the flows that began since the last call."""
        begun, self.begun = self.begun, []
        return begun


class _Dissector(Dissector):
    """A dissector that knows only servers that it has recognised."""

    is_over = False
    """Whether all rows are there, so that servers are asked for by reports alone."""

    def meant(self, flow: Flow) -> FrameTable | None:
        """Return the protocol of a flow's server, if a connection to it was recognised.

        Raises:
            DependentError: None was; frames of any connection may have named the server.
        """
        table = self.servers.spoken(flow.addresses[1 - (flow.client or 0)])
        if self.is_over:
            return super().meant(flow)
        if table is None:
            raise DependentError("a server is known by what other connections advertise")
        return table


class PacketShares:
    """Shares of packets, by the direction of their connection.

    A connection's share is known from some block of packets on. Before that, and from a SYN on,
    which may begin another connection of the same ports, all shares must see its packets.
    """

    def __init__(self) -> None:
        self._shares: dict[bytes, int] = {}
        self._begun: dict[bytes, int] = {}
        """Direction to the block of its last SYN."""

    def of(self, batch: PacketBatch, block: int) -> list[int]:
        """Return the share of each packet of a batch, or `ALL`; `block` is that of the batch."""
        shares, known = [ALL] * len(batch), self._shares
        for at, found in enumerate(directions(batch)):
            if found is None:
                continue
            key, flags = found
            if flags & SYN:
                for each in (key, reversed_key(key)):
                    known.pop(each, None)
                    self._begun[each] = block
            elif key in known:
                shares[at] = known[key]
        return shares

    def settle(self, keys: Iterable[bytes], share: int, block: int) -> None:
        """Note the share of connections that were known to it when a block had been read."""
        for key in keys:
            if self._begun.get(key, 0) <= block:
                self._shares[key] = self._shares[reversed_key(key)] = share


class ShareReader:
    """Reader of share `share` of `shares`: of the connections whose number leaves it as remainder.

    Rows come batch by batch, in no order, and without numbers.
    """

    def __init__(
        self, known: KnownProtocols, share: int, shares: int, *, puts_together: bool = True
    ) -> None:
        self.share, self.shares = share, shares
        self.tracker = _Tracker()
        self.dissector = _Dissector(known, tracker=self.tracker, puts_together=puts_together)
        self.started_ns: int | None = None
        """Time in ns of the first packet; None before it was read."""
        self._unwanted: set[bytes] = set()
        """Directions whose packets are not read."""
        self._new: set[int] = set()
        """Flows whose protocol is not known yet."""
        self._settled: list[tuple[int, bytes]] = []
        """Flows of this share whose protocol is known now, with a direction."""

    @property
    def protocols(self) -> tuple[Protocol, ...]:
        """The protocols of the rows."""
        return self.dissector.known.protocols

    @property
    def layers(self) -> PayloadReaders:
        """Readers of the payload slots of frames."""
        return self.dissector.known.layers

    def feed(self, batch: PacketBatch, shares: Sequence[int]) -> list[Row]:
        """Return the rows of this share that a batch completes.

        Args:
            batch: The packets.
            shares: The share of each, or `ALL`.

        Raises:
            DependentError: This share cannot be read alone.
        """
        if self.started_ns is None:
            self.started_ns = batch.times[0]
        delivered: Records = self.tracker.feed(self._wanted(batch, shares))
        self._begin()
        has_new = bool(self._new)
        rows = self.dissector.dissect(delivered)
        self._check()
        if has_new:
            self._settle(delivered)
            rows = [row for row in rows if self._is_mine(row)]
        return rows

    @property
    def since(self) -> At | None:
        """The earliest packet from which on rows may follow; None if all are there."""
        held = self.dissector.order.first_held, self.dissector.decryption.waiting_since
        return min((each for each in held if each is not None), default=None)

    def take_settled(self) -> list[bytes]:
        """Return directions of connections of this share that other shares need no longer see.

        Each is returned once.
        """
        settled, self._settled = self._settled, []
        return [key for number, key in settled if self.tracker.is_current(number, key)]

    def finish(self, at: At) -> list[Row]:
        """Return the rows that only the end completes; `at` is the last row of all shares."""
        rows = [row for row in self.dissector.finish(at) if self._is_mine(row)]
        self._check()
        self.dissector.is_over = True
        return rows

    def load(self) -> Load:
        """Return the contribution to common limits."""
        over, shared = self.dissector.retirement.over, self.dissector.shared
        return Load(
            sum(number % self.shares == self.share for number in over),
            self.tracker.alarms.held,
            shared.pool.size,
            UNPACKED_AT_ONCE - shared.allowance.least,
        )

    def report(self) -> SharedReport:
        """Return what is reported once the reading is over."""
        dissector, known = self.dissector, self.dissector.connections
        return SharedReport(
            notes=dissector.notes,
            unrecognised=[
                each for each in dissector.unrecognised if each.flow % self.shares == self.share
            ],
            order=list(known),
            is_spoken=bool(dissector.spoken),
            failed=dict(dissector.retirement.failed),
        )

    def _wanted(self, batch: PacketBatch, shares: Sequence[int]) -> PacketBatch:
        """Return the packets, those of other shares marked as no packets, except for SYNs."""
        if self.shares == 1:
            return batch
        mine = (self.share, ALL)
        links = [
            link if share in mine else NO_LINK
            for link, share in zip(batch.links, shares, strict=True)
        ]
        unwanted = self._unwanted
        headers = directions(batch) if unwanted and ALL in shares else ()
        for at, (share, found) in enumerate(zip(shares, headers, strict=False)):
            if share != ALL or found is None or found[0] not in unwanted:
                continue
            if found[1] & SYN:  # it may begin another connection of the same ports
                unwanted -= {found[0], reversed_key(found[0])}
            else:
                links[at] = NO_LINK
        return replace(batch, links=links)

    def _begin(self) -> None:
        """Note the flows that have begun."""
        for number in self.tracker.take_begun():
            if key_between(*self.tracker.flows[number].addresses) in self._unwanted:
                raise DependentError("a SYN in fragments begins a connection")
            self._new.add(number)

    def _is_mine(self, row: Row) -> bool:
        return row.connection.flow.number % self.shares == self.share

    def _settle(self, delivered: list[Delivered]) -> None:
        """Drop the connections of other shares whose protocol is known now, if it can be."""
        known, flows = self.dissector.connections, self.tracker.flows
        for number in {each.flow for each in delivered} & self._new:
            if number not in known:
                continue
            self._new.discard(number)
            key = key_between(*flows[number].addresses)
            if number % self.shares == self.share:
                self._settled.append((number, key))
                continue
            if self.tracker.is_current(number, key):
                self._unwanted |= {key, reversed_key(key)}
            self.dissector.place(number, None)
            self.dissector.order.release(number)

    def _check(self) -> None:
        """Raise DependentError if anything depended on other shares."""
        dissector = self.dissector
        if dissector.shared.is_used:
            raise DependentError("frames depend on other connections")
        if dissector.retirement.is_due or len(self.tracker.flows) > MOST_FOLLOWED:
            raise DependentError("there are more connections than are followed at once")
        for number in self.tracker.over:
            dissector.retirement.over.setdefault(number, False)
        self.tracker.over.clear()
