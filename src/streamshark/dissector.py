"""Packets in, rows out: recognise the protocol of each TCP connection, and dissect its frames.

`Dissector.feed` takes a batch of packets and returns the rows that they complete, in no order of
time; `row_order` sorts them. `finish` returns the rows that only the end of the captures completes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from streamshark.capture import Capture
from streamshark.capture.capture import damage_of, notes_of
from streamshark.capture.packet import PacketBatch
from streamshark.decoding.payloads import Format, PayloadReaders
from streamshark.dissection.advertised_endpoints import Advertised
from streamshark.dissection.connection import Connection, Delivered, straight
from streamshark.dissection.detection import Detection, Undecided
from streamshark.dissection.known_servers import KnownServers
from streamshark.dissection.reading_state import ReadingState
from streamshark.dissection.row import ATTEMPTED, EventRow, Row
from streamshark.flows import FlowEvent, FlowTracker, Gap
from streamshark.flows.ip import MOST_TUNNELS
from streamshark.flows.segment import ATTEMPTS, Flow
from streamshark.framing.carried import Route, routes
from streamshark.framing.carrier import Carrier
from streamshark.framing.splitter import At
from streamshark.framing.wire_format import FrameTable, Level
from streamshark.protocols.catalog import carriers as found_carriers
from streamshark.protocols.catalog import catalog, find, layers, named
from streamshark.protocols.catalog import formats as found_formats
from streamshark.protocols.protocol import Protocol
from streamshark.retirement import RetiredConnection, Retirement, Totals, Unrecognised
from streamshark.row_order import RowOrder
from streamshark.tls_decryption import Decryption

if TYPE_CHECKING:
    from streamshark.fields.registry import Fields

SHORT_REST = 64
"""Bytes of a connection below which its protocol is not missed, if its beginning was not captured:
the last frames of HTTP/2 or RSocket are shorter."""
_GIVEN = frozenset(
    {"known", "captures", "decryption", "follows", "fields", "_retired", "_on_packets"}
    | {"_on_delivered"}
)
"""Attributes that the caller provides; all others are state."""


@dataclass(frozen=True, slots=True)
class KnownProtocols:
    """The protocols of a reading, in their dialects, with everything needed to read them."""

    protocols: tuple[Protocol, ...]
    layers: PayloadReaders
    """Readers of payload slots: embedded protocols, and formats."""
    tables: tuple[FrameTable, ...]
    carriers: tuple[Carrier, ...]
    routes: tuple[Route, ...]
    """Every protocol on TCP, and on each carrier that may carry it."""
    decode_as: Mapping[int, list[Route]]
    """TCP port to the routes that a user requires for it."""

    @classmethod
    def of(
        cls,
        protocols: tuple[Protocol, ...] | None = None,
        decode_as: Mapping[int, str] | None = None,
        dialects: Mapping[str, str] | None = None,
        formats: tuple[Format, ...] | None = None,
        carriers: tuple[Carrier, ...] | None = None,
    ) -> Self:
        """Return the protocols given, by default all that are installed.

        Args:
            protocols: The protocols.
            decode_as: TCP port to the name of a protocol or carrier.
            dialects: Name of a protocol to that of the dialect to read.
            formats: Formats of payloads.
            carriers: The carriers.
        """
        protocols = catalog() if protocols is None else protocols
        readers = layers(protocols, found_formats() if formats is None else formats)
        chosen = {find(name, protocols).wire.id: value for name, value in (dialects or {}).items()}
        tables = tuple(each.wire.table(chosen.get(each.wire.id, "")) for each in protocols)
        carriers = found_carriers() if carriers is None else carriers
        ways = tuple(routes(tables, carriers))
        forced: dict[int, list[Route]] = {}
        for port, name in (decode_as or {}).items():
            meant = named(name, protocols, carriers)
            forced[port] = [
                route
                for route in ways
                if meant is route.carrier
                or (
                    isinstance(meant, Protocol)
                    and meant.wire.id == route.table.wire.id
                    and route.leads
                )
            ]
        return cls(protocols, readers, tables, carriers, ways, forced)

    def forced(self, flow: Flow) -> list[Route] | None:
        """Return the routes that the user requires for a flow (`-d`); None without any."""
        meant = (self.decode_as[port] for port in flow.ports if port in self.decode_as)
        return next(meant, None)


def advertised_by(known: KnownProtocols, kind: type[Advertised] = Advertised) -> Advertised:
    """Return what remembers the endpoints that servers of some protocols advertise."""
    slots = frozenset[str]().union(*(each.advertises for each in known.protocols))
    return kind(known.tables, known.layers, slots)


class Dissector:
    """The dissection of one or several captures, with packets fed in order of time.

    Args:
        known: The protocols.
        captures: The captures, whose TLS secrets are used; more may be added to the list.
        order: Receives which connections hold back the rows of others.
        tracker: Tracker of TCP; by default one that works like Wireshark.
        keylog: Path of a TLS key log.
        preferences: Preferences of tshark; those with keys of TLS are used.
        decrypts: False if TLS is not to be decrypted by the secrets in the captures.
        puts_together: False if reassembled bodies are not needed.
        follows: Returns whether to dissect a recognised connection; by default each.
        servers: Servers that are known; by default those at which connections are recognised.
        advertised: Endpoints that are advertised; by default those that rows name.
    """

    def __init__(  # noqa: PLR0913 - the options of a reading
        self,
        known: KnownProtocols,
        *,
        captures: list[Capture] | None = None,
        order: RowOrder | None = None,
        tracker: FlowTracker | None = None,
        keylog: str | None = None,
        preferences: Sequence[str] = (),
        decrypts: bool = True,
        puts_together: bool = True,
        follows: Callable[[Connection], bool] | None = None,
        servers: KnownServers | None = None,
        advertised: Advertised | None = None,
    ) -> None:
        self.known = known
        self.captures: list[Capture] = [] if captures is None else captures
        self.order = RowOrder() if order is None else order
        self.tracker = FlowTracker() if tracker is None else tracker
        self.decryption = Decryption(
            self.captures if decrypts else [], self.tracker, keylog, preferences
        )
        self.follows = follows
        self.shared = ReadingState(known.tables, puts_together=puts_together)
        self.undecided: dict[int, Undecided] = {}
        self.connections: dict[int, Connection | None] = {}
        """Flow number to its connection, None for one of no known protocol; only followed ones."""
        self.spoken: Counter[tuple[str, str | None]] = Counter()
        """Protocol and carrier to the number of recognised connections, ended ones included."""
        self.servers = KnownServers() if servers is None else servers
        self.advertised = advertised_by(known) if advertised is None else advertised
        """Endpoints that servers name in metadata."""
        self.retirement = Retirement()
        self._retired: list[Callable[[RetiredConnection], None]] = []
        """Callbacks for each connection that is retired."""
        self._on_packets: Callable[[PacketBatch, list[Delivered]], object] | None = None
        self._on_delivered: Callable[[list[Delivered]], object] | None = None
        self._recognised = bytearray()
        """By flow number, 1 if the flow was recognised."""
        self._tls: set[int] = set()
        """Flows of no known protocol that begin like TLS."""
        self._carriers: dict[int, str] = {}
        """Flow number to the carrier of a connection whose carried protocol is not known."""
        self._now = 0
        """Time in ns of the last record of TCP."""

    @cached_property
    def fields(self) -> "Fields":
        """The registry of the fields of all known protocols."""
        from streamshark.fields.registry import Fields  # noqa: PLC0415 - few readings need it

        return Fields(self.known.protocols, self.known.layers)

    def feed(self, batch: PacketBatch) -> list[Row]:
        """Return the rows that a batch of packets completes."""
        delivered = self.tracker.feed(batch)
        if self._on_packets is not None:
            self._on_packets(batch, delivered)
        return self.dissect(self.decryption.feed(delivered))

    def on_packets(self, take: Callable[[PacketBatch, list[Delivered]], object]) -> None:
        """Call `take` with each batch of packets, and the records that TCP makes of it.

        The flow of each packet is then known, `FlowTracker.packet_flows`.
        """
        self.tracker.number_packets()
        self._on_packets = take

    def on_delivered(self, take: Callable[[list[Delivered]], object]) -> None:
        """Call `take` with the records of TCP that are dissected, those of TLS decrypted."""
        self._on_delivered = take

    def finish(self, at: At) -> list[Row]:
        """Return the rows that the end of the captures completes, none of them before `at`."""
        rows = self.dissect(self.decryption.finish(self.tracker.finish()))
        for number, undecided in list(self.undecided.items()):
            rows += self._decided(number, undecided.finish())
        for connection in self.connections.values():
            if connection is not None:
                rows += connection.finish()
        _put_after(rows, at)
        return rows

    def dissect(self, delivered: list[Delivered]) -> list[Row]:
        """Return the rows of records of TCP."""
        if self._on_delivered is not None:
            self._on_delivered(delivered)
        rows: list[Row] = []
        connections, now, at, end = self.connections, self._now, 0, len(delivered)
        searched = 0
        while (at := straight(connections, delivered, at, now, rows)) < end:
            each = delivered[at]
            if each.time_ns < (delivered[at - 1].time_ns if at else now):
                self.order.disturb()
            connection = connections.get(each.flow)
            if connection is not None:
                rows += self._fed(connection, each)
            elif each.flow not in connections:
                self.advertised.learn(rows[searched:])
                searched = len(rows)
                rows += self._followed(each)
            if each.__class__ is FlowEvent:
                self.retirement.see(each, self.tracker.flows[each.flow])
            now = each.time_ns
            at += 1
        self.advertised.learn(rows[searched:])
        if delivered:
            now = delivered[-1].time_ns
        self._now = now
        return rows

    def stray(self, number: int) -> list[Row]:
        """Return the rows of a flow that may not hold back others any longer."""
        connection = self.connections.get(number)
        return [] if connection is None else connection.stray()

    # State of connections

    def client(self, number: int) -> int | None:
        """Return the side of a flow that is the client; None if it is not proved."""
        connection = self.connections.get(number)
        return connection.client if connection else self.tracker.flows[number].client

    def meant(self, flow: Flow) -> FrameTable | None:
        """Return the protocol of a flow's server: recognised there, advertised, or of its port."""
        server = flow.addresses[1 - (flow.client or 0)]
        port = flow.ports[1 - (flow.client or 0)]
        known = self.servers.spoken(server) or self.advertised.table(server)
        return known or next((each for each in self.known.tables if port in each.wire.ports), None)

    @property
    def recognised(self) -> list[int]:
        """Numbers of the connections that were recognised, in no order of time."""
        return [number for number, known in enumerate(self._recognised) if known]

    @property
    def unrecognised(self) -> list[Unrecognised]:
        """The connections with payload that were not recognised."""
        foreign = (number for number, each in self.connections.items() if each is None)
        return [*self.retirement.foreign, *filter(None, map(self._unrecognised, foreign))]

    @property
    def damage(self) -> list[tuple[str, str]]:
        """(file, sentence) for each capture of which not everything could be read."""
        return damage_of(self.captures)

    @property
    def notes(self) -> list[str]:
        """What a user must know of the reading besides damage, a sentence each."""
        more = self.retirement.more_foreign
        deep, differing = self.tracker.counters.too_deep, self.tracker.counters.differing
        unlisted = f"{more:,} more unrecognised connections are not listed"
        tunnels = (
            f"{deep:,} packets are not decoded: they are in more than {MOST_TUNNELS} nested tunnels"
        )
        overlaps = (
            f"{differing:,} datagrams have fragments that overlap with other bytes: "
            "the first fragment is used"
        )
        notes = ((more, unlisted), (deep, tunnels), (differing, overlaps))
        return [
            *self.decryption.notes,
            *(note for count, note in notes if count),
            *notes_of(self.captures),
        ]

    def totals(self) -> Totals:
        """Return the byte counts of the recognised connections."""
        totals = Totals.of(each for each in self.connections.values() if each is not None)
        totals.add(self.retirement.totals)
        return totals

    def _unrecognised(self, number: int) -> Unrecognised | None:
        flow = self.tracker.flows[number]
        carrier = self._carriers.get(number)
        if not flow.payload:
            return None
        return Unrecognised(
            number,
            flow.addresses,
            flow.payload,
            carrier,
            server=flow.addresses[1 - (flow.client or 0)],
            packet=flow.first_packet,
            file=flow.first_file,
            is_tls=number in self._tls,
            is_known=carrier is not None
            or (self.meant(flow) is not None and not self._is_short_rest(flow)),
        )

    def _is_short_rest(self, flow: Flow) -> bool:
        """Return whether too little is left of a connection that began before the captures."""
        return flow.client is None and flow.payload < SHORT_REST

    # A connection that was dissected elsewhere

    def place(self, number: int, connection: Connection | None) -> None:
        """Continue a flow as this connection; None to ignore the flow."""
        self.undecided.pop(number, None)
        self.connections[number] = connection

    # Connections that have ended

    def on_retired(self, take: Callable[[RetiredConnection], None]) -> None:
        """Call `take` with each connection that is retired from now on."""
        self._retired.append(take)

    def retire_due(self) -> list[Row]:
        """Retire the connections that ended long ago; return the rows that this completes.

        The rows have the position of the last packet so far.
        """
        rows: list[Row] = []
        if self.retirement.is_due or self.tracker.over:
            silent = self.tracker.over[:]
            self.tracker.over.clear()
            for number, had_event in self.retirement.take_due(silent):
                rows += self.retire(number, had_event=had_event)
        if rows:
            self.order.disturb()
        return rows

    def retire(self, number: int, *, had_event: bool) -> list[Row]:
        """Retire a connection: keep only its totals, and return its last rows."""
        rows = self.dissect(self.decryption.finish_one(number, self.tracker.finish_one(number)))
        undecided = self.undecided.get(number)
        if undecided is not None:
            rows += self._decided(number, undecided.finish())
        connection = self.connections.get(number)
        flow = self.tracker.flows[number]
        if connection is not None:
            last = connection.finish()
            _put_after(last, self.tracker.last)
            rows += last
            self.retirement.totals.add(Totals.of([connection]))
            flow.learn_client(connection.client)
        elif (foreign := self._unrecognised(number)) is not None:
            self.retirement.add_foreign(foreign)
        retired = RetiredConnection(flow, connection, self.tracker.last[0], had_event)
        for take in self._retired:
            take(retired)
        if connection is not None:
            connection.let_go()
        self.connections.pop(number, None)
        self._carriers.pop(number, None)
        self._tls.discard(number)
        self.retirement.forget(number)
        self.order.release(number)
        self.tracker.flows.let_go(number)
        return rows

    # State between two captures

    def state(self) -> dict[str, Any]:
        """Return the state so far, without what the caller provides, by name."""
        return {name: value for name, value in vars(self).items() if name not in _GIVEN}

    def resume(self, state: Mapping[str, Any], captures: Iterable[Capture]) -> None:
        """Continue from the state of an equal dissector that has read these captures."""
        vars(self).update(state)
        self.captures[:] = captures
        self.decryption.follow(self.tracker)

    # Detection of the protocol

    def _fed(self, connection: Connection, delivered: Delivered) -> list[Row]:
        """Feed a connection that could not use the fast path."""
        rows = connection.feed(delivered)
        if isinstance(delivered, Gap):
            self.order.disturb()
        held = connection.holds
        if (since := connection.check_unsettled()) is not None:
            if not self.order.is_holding(delivered.flow):
                self.order.hold(delivered.flow, since)
            self.order.disturb()
        elif held:
            self.order.release(delivered.flow)
        return rows

    def _followed(self, delivered: Delivered) -> list[Row]:
        """Process a record of a flow that is not known yet; ignore the flow unless wanted."""
        rows = self._undecided(delivered)
        if self.follows is not None:
            connection = self.connections.get(delivered.flow)
            if connection is not None and not self.follows(connection):
                self.connections[delivered.flow] = None
                return []
        return rows

    def _undecided(self, delivered: Delivered) -> list[Row]:
        number = delivered.flow
        undecided = self.undecided.get(number)
        if undecided is None:
            flow = self.tracker.flows[number]
            forced = self.known.forced(flow)
            if forced and len(forced) == 1:
                table, carrier = forced[0]
                connection = Connection(flow, table, "decode as", self.shared, carrier)
                self._recognise(number, connection)
                return connection.feed(delivered)
            undecided = self.undecided[number] = Undecided(
                flow,
                forced or self.known.routes,
                self.shared,
                forced=bool(forced),
                servers=self.servers,
            )
            self.order.hold(number, (delivered.time_ns, delivered.file, delivered.packet))
            self.order.disturb()
        verdict = undecided.feed(delivered)
        return self._decided(number, verdict) if verdict else []

    def _decided(self, number: int, verdict: Detection) -> list[Row]:
        connection = verdict.connection
        undecided = self.undecided.pop(number)
        self.order.release(number)
        if connection is None and (attempt := self._attempt(undecided.flow, verdict.held)):
            self.connections[number] = attempt
            return [row for each in verdict.held for row in attempt.feed(each)]
        if connection is None:
            self.connections[number] = None
            if undecided.is_tls:
                self._tls.add(number)
            if undecided.handshake is not None:
                self._carriers[number] = undecided.handshake
            return []
        self._recognise(number, connection)
        rows = []
        for each in verdict.held:
            rows += connection.feed(each)
            connection.check_unsettled()
        if verdict.level is Level.CERTAIN and connection.client is not None:
            server = connection.flow.addresses[1 - connection.client]
            self.servers.learn(server, connection.route, certain=True)
        if (since := connection.unsettled) is not None:
            self.order.hold(number, since)
        return rows

    def _attempt(self, flow: Flow, held: list[Delivered]) -> Connection | None:
        """Return a connection that was never open, if its port or endpoint is a protocol's."""
        last = held[-1] if held else None
        if not isinstance(last, FlowEvent) or last.name not in ATTEMPTS or flow.client is None:
            return None
        table = self.meant(flow)
        return None if table is None else Connection(flow, table, ATTEMPTED, self.shared)

    def _recognise(self, number: int, connection: Connection) -> None:
        self.connections[number] = connection
        if connection.flow.client is not None:
            server = connection.flow.addresses[1 - connection.flow.client]
            self.servers.learn(server, connection.route)
        self._recognised.extend(bytes(max(0, number + 1 - len(self._recognised))))
        if not self._recognised[number]:
            self._recognised[number] = True
            self.spoken[connection.spoken] += 1


def _put_after(rows: Iterable[Row], at: At) -> None:
    """Move rows to the position `at` or later, except for events that keep their time."""
    for row in rows:
        if not (isinstance(row, EventRow) and row.keeps_time):
            row.move_after(at)
