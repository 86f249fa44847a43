"""Joins the stages for one source: captures in, rows out. Every surface goes through here.

`streamshark.open(...)` is the public API; `Session.rows` is what the surfaces read.
"""

import itertools
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from streamshark.capture import Capture, open_capture
from streamshark.capture.merge import merged, steady
from streamshark.decoding.payloads import Format
from streamshark.dissection.advertised_endpoints import Advertised
from streamshark.dissection.connection import ATTEMPTED, Connection, Delivered, straight
from streamshark.dissection.detection import Detection, Undecided
from streamshark.dissection.known_servers import KnownServers
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.reading_state import ReadingState
from streamshark.dissection.row import EventRow, Frame, FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.flows import FlowEvent, FlowTracker, Gap
from streamshark.flows.ip import MOST_TUNNELS
from streamshark.flows.segment import ATTEMPTS, TORN, Flow
from streamshark.framing.carried import Route, routes
from streamshark.framing.carrier import Carrier
from streamshark.framing.splitter import At
from streamshark.framing.wire_format import FrameTable, Level
from streamshark.protocols.catalog import carriers as found_carriers
from streamshark.protocols.catalog import catalog, find, layers, named
from streamshark.protocols.catalog import formats as found_formats
from streamshark.protocols.protocol import Protocol
from streamshark.row_order import HeldRows, HoldingFlows
from streamshark.tls_decryption import Decryption

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.conversations.explain import Explanation
    from streamshark.conversations.tables import Derived, Watch
    from streamshark.findings.finding import Finding
    from streamshark.findings.judge import Judge
    from streamshark.findings.news import News

MOST_HELD = 16_384
"""Rows held back for a connection that is not settled; more, and it stops holding others back."""
MOST_HELD_BYTES = 64 * 1024 * 1024
"""Bytes of their frames; the same for more."""
LONGEST_HELD_NS = 1_000_000_000
"""Capture time for which it may hold them back when somebody watches live."""


IDLE = 0.25
"""Seconds without a packet after which a live reading whose findings are followed looks at the
clock."""
AT_ONCE = 4096
"""Most rows that are judged at once."""
MOST_OVER = 1024
"""Connections that have ended and are still followed, since the last packets of each come late."""
MOST_FOREIGN = 10_000
"""Connections that no protocol was sure of and that are told one by one once they have ended."""
_WAITING = -1
"""Stands among the flows that hold rows back for those whose beginning is not known yet."""


def _none(_table: "Derived") -> bool:
    return False


class Unrecognised(NamedTuple):
    """A TCP connection that no protocol was sure of."""

    flow: int
    addresses: tuple[str, str]
    payload: int
    """Bytes of payload, both sides."""
    carrier: str | None = None
    """The carrier that it agreed on, and what the handshake says, where only its rider is not
    known."""
    server: str = ""
    """The endpoint of the server; the second one where nothing proves which side it is."""
    packet: int = 0
    """The first packet, in file `file`."""
    file: int = 0
    is_tls: bool = False
    """Whether it begins as TLS does."""
    is_known: bool = False
    """Whether its carrier, its server's port or what was read there before suggests a protocol."""


@dataclass(slots=True)
class Totals:
    """Where every byte of the recognised connections went: framed + skipped is their payload."""

    framed: int
    skipped: Counter[str]
    """By reason."""
    lost: int
    """Bytes that no packet brought."""

    def add(self, other: "Totals") -> None:
        """Those of other connections."""
        self.framed += other.framed
        self.skipped.update(other.skipped)
        self.lost += other.lost


@dataclass(slots=True)
class ClosedConnections:
    """Connections that have ended: those that wait to be let go, and what is left of the others."""

    closed: set[int] = field(default_factory=set)
    """Flows of which one side has sent FIN."""
    over: dict[int, bool] = field(default_factory=dict)
    """Flows that have ended, the oldest first, to whether an event told so."""
    totals: Totals = field(default_factory=lambda: Totals(0, Counter(), 0))
    """What became of the bytes of those that were let go."""
    foreign: list[Unrecognised] = field(default_factory=list)
    """Those of them that no protocol was sure of, the first ones."""
    more_foreign: int = 0
    """How many they are besides."""

    def see(self, event: FlowEvent) -> None:
        """Remember that a connection is over: it was reset, or both sides have sent FIN."""
        if event.name in TORN or (event.name == "close" and event.flow in self.closed):
            self.closed.discard(event.flow)
            self.over[event.flow] = True
        elif event.name == "close":
            self.closed.add(event.flow)


class Session:
    """One reading of one or several captures.

    `decode_as` maps a TCP port to a protocol or carrier (`-d tcp.port==N,protocol`), `dialects` a
    protocol id to the dialect to read (`-o <short>.dialect:NAME`); `limit` is the most packets
    read. `live`:
    no row waits longer than a second for another connection. `keylog` is the path of a TLS key log
    (`-o tls.keylog_file:PATH`). `protocols` and `formats` are those known, by default all that can
    be found. `puts_together` is False where nobody looks at what fragments become together. Frames
    come without secrets (passwords, tokens) but with `show_secrets`; rows have them.
    """

    def __init__(  # noqa: PLR0913, PLR0915 - the options of a reading
        self,
        sources: Iterable[str],
        *,
        protocols: tuple[Protocol, ...] | None = None,
        decode_as: Mapping[int, str] | None = None,
        dialects: Mapping[str, str] | None = None,
        limit: int | None = None,
        live: bool = False,
        formats: tuple[Format, ...] | None = None,
        carriers: tuple[Carrier, ...] | None = None,
        keylog: str | None = None,
        puts_together: bool = True,
        show_secrets: bool = False,
    ) -> None:
        self.show_secrets = show_secrets
        """Whether frames that are iterated over have their secrets."""
        self.protocols = catalog() if protocols is None else protocols
        self.layers = layers(self.protocols, found_formats() if formats is None else formats)
        """What reads the slots of frames: riders of the protocols, and formats."""
        chosen = {
            find(name, self.protocols).wire.id: value for name, value in (dialects or {}).items()
        }
        self.tables = tuple(
            each.wire.table(chosen.get(each.wire.id, "")) for each in self.protocols
        )
        self.carriers = found_carriers() if carriers is None else carriers
        self.routes = routes(self.tables, self.carriers)
        """Every protocol on TCP itself and on what may carry it."""
        self.decode_as: dict[int, list[Route]] = {
            port: self._routes_of(name) for port, name in (decode_as or {}).items()
        }
        self.captures: list[Capture] = []
        self._begun = 0
        """How many of them are being read, or have been."""
        self.limit = limit
        self.live = live
        self.tracker = FlowTracker()
        self.decryption = Decryption(self.captures, self.tracker, keylog)
        self.captures += (open_capture(source, index) for index, source in enumerate(sources))
        self.shared = ReadingState(self.tables, puts_together=puts_together)
        self.undecided: dict[int, Undecided] = {}
        self.connections: dict[int, Connection | None] = {}
        """Flow number to its connection, None for one that is not ours; those that are followed."""
        self.spoken: Counter[tuple[str, str | None]] = Counter()
        """Protocol and carrier to how many connections were recognised, ended ones too."""
        self.servers = KnownServers()
        self.advertised = Advertised(
            self.tables,
            self.layers,
            frozenset().union(*(each.advertises for each in self.protocols)),
        )
        """Endpoints that servers name in metadata."""
        self._recognised = bytearray()
        """Of each flow, whether it was."""
        self.over: deque[tuple[int, Connection]] | None = None
        """Connections that were let go although nothing told that they end, and when; None where
        nobody wants to know."""
        self._tls: set[int] = set()
        """Flows that are not ours and begin as TLS does."""
        self._carriers: dict[int, str] = {}
        """Flow number to the carrier of a connection that is not ours."""
        self._past = ClosedConnections()
        self.frames = 0
        """Protocol rows given out so far."""
        self.started_ns: int | None = None
        """Time of the first packet; None before it was read."""
        self.ended: At = (0, 0, 0)
        """Time, file and packet of the last row so far that nothing holds back."""
        self._holding = HoldingFlows()
        self._held = HeldRows()
        self._latest: list[Row] = []
        """Rows of the last packet: the end of the captures may put something between."""
        self._now = 0
        """Time of what was delivered last."""
        self.idle: float | None = None
        """Seconds of silence after which `batches` gives a live reader the turn; None for never."""
        self._read_ns = self._silent_ns = 0

    # What the surfaces read

    def rows(self) -> Iterator[Row]:
        """Frames and events, in the order (time, file, packet, flow, offset), numbered.

        Where the clock was set back in a capture, what comes before that comes first.
        """
        yield from self.read()
        yield from self.finish()

    def read(self) -> Iterator[Row]:
        """The same without what only the end of the captures tells.

        More captures may be added to `captures` then, and read by another call.
        """
        return self._numbered(self._windows())

    def batches(self) -> Iterator[list[Row]]:
        """The same as `rows`, those of a window of the capture at once, for who takes them all."""
        for rows in itertools.chain(self._windows(), self._last()):
            number = self.frames
            for row in rows:
                if row.__class__ is FrameRow:
                    number += 1
                    if row.whole is None:
                        row.number = number  # as `give` does, without a call
                    else:
                        row.give(number)
            self.frames = number
            yield rows

    def _windows(self) -> Iterator[list[Row]]:
        """Rows without numbers, as the captures that were added last bring them."""
        fresh = self.captures[self._begun :]
        self._begun = len(self.captures)
        for batch, is_set_back in steady(merged(fresh, self.limit, self.idle)):
            if not batch.times:
                self._silent_ns = time.monotonic_ns() - self._read_ns
                yield self._released([], self.now_ns)
                continue
            self._read_ns, self._silent_ns = time.monotonic_ns(), 0
            if is_set_back:
                yield self._let_go(self._latest)
                self._latest = []
            if self.started_ns is None:
                self.started_ns = batch.times[0]
            delivered = self.decryption.feed(self.tracker.feed(batch))
            found = self._rows(delivered)
            if len(self._past.over) > MOST_OVER or self.tracker.over:
                found += self._let_old_go()
            rows = self._latest + self._released(found, batch.times[-1])
            self._latest = [] if self.live else self._of_last_packet(rows)
            if known := self._latest or rows:
                self.ended = known[-1].order[:3]
            yield rows

    @property
    def reached_ns(self) -> int:
        """Time up to which all rows were given out: now, or when the first held row was sent."""
        first = self._holding.first
        return self.now_ns if first is None else min(self.now_ns, first[0][0])

    @property
    def now_ns(self) -> int:
        """Time of the last packet, and how long a live source has been silent since; 0 at first."""
        return self.tracker.last[0] + self._silent_ns

    def finish(self) -> Iterator[Row]:
        """The rest: there are no more captures."""
        return self._numbered(self._last())

    def _numbered(self, windows: Iterator[list[Row]]) -> Iterator[Row]:
        """Rows one by one, each frame numbered as it goes out."""
        for rows in windows:
            for row in rows:
                if row.__class__ is FrameRow:
                    self.frames = number = self.frames + 1
                    row.give(number)
                yield row

    def _last(self) -> Iterator[list[Row]]:
        rows = self._ended(self.ended)
        yield self._let_go([*self._latest, *rows])

    def __iter__(self) -> Iterator[Frame]:
        """The rows as frozen records."""
        hide = None if self.show_secrets else SecretMask(self.layers).row
        return (frame_of(row, hide) for row in self.rows())

    def analysis(  # noqa: PLR0913 - what may be wanted of a reading
        self,
        *,
        rules: bool = False,
        conversations: bool = False,
        stories: bool = False,
        answers: "KnownAnswers | None" = None,
        silenced: frozenset[str] = frozenset(),
        derives: "Callable[[Derived], bool]" = _none,
        in_full: bool = False,
        tells: bool = True,
        follow: bool = False,
    ) -> "Analysis":
        """The rows with what conversations tell of them; see `Analysis`. Stories need `rules`.

        With `follow`, `Analysis.news` gives findings as they change.
        """
        judge = None
        if rules:
            from streamshark.findings.judge import Judge  # noqa: PLC0415 - only who judges loads it

            judge = Judge(silenced, follow=follow)
            self.idle = IDLE if follow and self.live else None
        return Analysis(
            self,
            judge,
            conversations=conversations,
            stories=stories,
            answers=answers,
            derives=derives,
            in_full=in_full,
            tells=tells,
        )

    @property
    def unrecognised(self) -> list[Unrecognised]:
        """The connections with payload that no protocol was sure of."""
        foreign = (number for number, each in self.connections.items() if each is None)
        return [*self._past.foreign, *filter(None, map(self._unrecognised, foreign))]

    def _unrecognised(self, number: int) -> Unrecognised | None:
        flow = self.tracker.flows[number]
        carrier = self._carriers.get(number)
        if not flow.payload:
            return None
        told = Unrecognised(number, flow.addresses, flow.payload, carrier)
        return told._replace(
            server=flow.addresses[1 - (flow.client or 0)],
            packet=flow.first_packet,
            file=flow.first_file,
            is_tls=number in self._tls,
            is_known=carrier is not None or self.meant(flow) is not None,
        )

    def client(self, number: int) -> int | None:
        """The side of a flow that is the client, as far as it is proved."""
        connection = self.connections.get(number)
        return connection.client if connection else self.tracker.flows[number].client

    @property
    def recognised(self) -> list[int]:
        """Numbers of the connections that were recognised, in no order of time."""
        return [number for number, known in enumerate(self._recognised) if known]

    @property
    def damage(self) -> list[tuple[str, str]]:
        """(file, sentence) for each capture of which not everything could be read."""
        return [(each.name, each.damage) for each in self.captures if each.damage]

    @property
    def notes(self) -> list[str]:
        """What a user must know of the reading besides damage: TLS that stayed closed."""
        more = self._past.more_foreign
        deep, differing = self.tracker.counters.too_deep, self.tracker.counters.differing
        tunnels = f"{deep:,} packets are not read: they are in over {MOST_TUNNELS} nested tunnels"
        overlaps = (
            f"{differing:,} datagrams have fragments that overlap with other bytes: "
            "the first to come are read"
        )
        told = f"{more:,} more connections that nothing recognised are not told one by one"
        return [
            *self.decryption.notes,
            *([told] if more else []),
            *([tunnels] if deep else []),
            *([overlaps] if differing else []),
            *(
                f"{each.name}: {each.dropped:,} notes are left out: more than are kept"
                for each in self.captures
                if each.dropped
            ),
        ]

    def totals(self) -> Totals:
        """What became of the bytes of the recognised connections."""
        totals = Totals(0, Counter(), 0)
        totals.add(self._past.totals)
        for connection in self.connections.values():
            if connection is not None:
                totals.add(_totals_of(connection))
        return totals

    def _ended(self, at: At) -> list[Row]:
        """What the end of the captures tells, not before the last row that came without it."""
        # Rows that are held back count too, so that times are those of a reading without holding.
        at = max([at, *(row.order[:3] for row in self._held.rows)])
        rows = self._rows(self.decryption.finish(self.tracker.finish()))
        for number, undecided in list(self.undecided.items()):
            rows += self._decided(number, undecided.finish())
        for connection in self.connections.values():
            if connection is not None:
                rows += connection.finish()
        _put_behind(rows, at)
        return rows

    # From what flows delivers to rows

    def _rows(self, delivered: list[Delivered]) -> list[Row]:
        rows: list[Row] = []
        connections, now, at, end = self.connections, self._now, 0, len(delivered)
        heard = 0
        while (at := straight(connections, delivered, at, now, rows)) < end:
            each = delivered[at]
            if each.time_ns < (delivered[at - 1].time_ns if at else now):
                self._held.disturbed = True
            connection = connections.get(each.flow)
            if connection is not None:
                rows += self._fed(connection, each)
            elif each.flow not in connections:
                self.advertised.hear(rows[heard:])
                heard = len(rows)
                rows += self._undecided(each)
            if each.__class__ is FlowEvent:
                self._past.see(each)
            now = each.time_ns
            at += 1
        self.advertised.hear(rows[heard:])
        if delivered:
            now = delivered[-1].time_ns
        self._now = now
        return rows

    def _fed(self, connection: Connection, delivered: Delivered) -> list[Row]:
        """Have a connection look at what it did not take the short way."""
        rows = connection.feed(delivered)
        if isinstance(delivered, Gap):
            self._held.disturbed = True
        if (since := connection.unsettled) is not None:
            if delivered.flow not in self._holding:
                self._holding.hold(delivered.flow, since)
            self._held.disturbed = connection.holds = True
        elif connection.holds:
            self._holding.release(delivered.flow)
            connection.holds = False
        return rows

    # Connections that have ended

    def _let_old_go(self) -> list[Row]:
        """Let those go that ended long ago; rows that this brings are of the last packet so far."""
        over, rows = self._past.over, list[Row]()
        for number in self.tracker.over:
            over.setdefault(number, False)
        self.tracker.over.clear()
        for number in list(itertools.islice(over, max(0, len(over) - MOST_OVER))):
            rows += self._let_one_go(number, told=over.pop(number))
        self._held.disturbed |= bool(rows)
        return rows

    def _let_one_go(self, number: int, *, told: bool) -> list[Row]:
        """Keep nothing of a connection but what it adds up to; `told`: an event was its end."""
        rows = self._rows(self.decryption.finish_one(number, self.tracker.finish_one(number)))
        past, undecided = self._past, self.undecided.get(number)
        if undecided is not None:
            rows += self._decided(number, undecided.finish())
        connection = self.connections.get(number)
        if connection is not None:
            last = connection.finish()
            _put_behind(last, self.tracker.last)
            rows += last
            past.totals.add(_totals_of(connection))
            connection.flow.client = connection.client
            connection.let_go()
            if self.over is not None and not told:
                self.over.append((self.tracker.last[0], connection))
        elif (foreign := self._unrecognised(number)) is not None:
            if len(past.foreign) < MOST_FOREIGN:
                past.foreign.append(foreign)
            else:
                past.more_foreign += 1
        self.connections.pop(number, None)
        self._carriers.pop(number, None)
        self._tls.discard(number)
        past.closed.discard(number)
        past.over.pop(number, None)
        self._holding.release(number)
        self.tracker.flows.let_go(number)
        return rows

    def _routes_of(self, name: str) -> list[Route]:
        """The routes that the name of a protocol or carrier means."""
        meant = named(name, self.protocols, self.carriers)
        return [
            route
            for route in self.routes
            if meant is route.carrier
            or (
                isinstance(meant, Protocol) and meant.wire.id == route.table.wire.id and route.leads
            )
        ]

    def _undecided(self, delivered: Delivered) -> list[Row]:
        number = delivered.flow
        undecided = self.undecided.get(number)
        if undecided is None:
            flow = self.tracker.flows[number]
            meant = [self.decode_as[port] for port in flow.ports if port in self.decode_as]
            forced = meant[0] if meant else None
            if forced and len(forced) == 1:
                table, carrier = forced[0]
                connection = Connection(flow, table, "decode as", self.shared, carrier)
                self._recognise(number, connection)
                return connection.feed(delivered)
            undecided = self.undecided[number] = Undecided(
                flow,
                forced or self.routes,
                self.shared,
                forced=bool(forced),
                servers=self.servers,
            )
            self._holding.hold(number, (delivered.time_ns, delivered.file, delivered.packet))
            self._held.disturbed = True
        verdict = undecided.feed(delivered)
        return self._decided(number, verdict) if verdict else []

    def _decided(self, number: int, verdict: Detection) -> list[Row]:
        connection = verdict.connection
        undecided = self.undecided.pop(number)
        self._holding.release(number)
        if connection is None and (attempt := self._attempt(undecided.flow, verdict.held)):
            self.connections[number] = attempt
            return [row for each in verdict.held for row in attempt.feed(each)]
        if connection is None:
            self.connections[number] = None
            if undecided.is_tls:
                self._tls.add(number)
            if undecided.told is not None:
                self._carriers[number] = undecided.told
            return []
        self._recognise(number, connection)
        rows = []
        for each in verdict.held:
            rows += connection.feed(each)
            connection.holds = connection.unsettled is not None
        if verdict.level is Level.CERTAIN and connection.client is not None:
            server = connection.flow.addresses[1 - connection.client]
            self.servers.learn(server, connection.route, certain=True)
        if (since := connection.unsettled) is not None:
            self._holding.hold(number, since)
        return rows

    def _attempt(self, flow: Flow, held: list[Delivered]) -> Connection | None:
        """A connection that was never open, where its port or endpoint is a protocol's."""
        last = held[-1] if held else None
        if not isinstance(last, FlowEvent) or last.name not in ATTEMPTS or flow.client is None:
            return None
        table = self.meant(flow)
        return None if table is None else Connection(flow, table, ATTEMPTED, self.shared)

    def meant(self, flow: Flow) -> FrameTable | None:
        """Return the protocol of a flow's server: recognised there, advertised, or of its port."""
        server = flow.addresses[1 - (flow.client or 0)]
        port = flow.ports[1 - (flow.client or 0)]
        known = self.servers.spoken(server) or self.advertised.table(server)
        return known or next((each for each in self.tables if port in each.wire.ports), None)

    def _recognise(self, number: int, connection: Connection) -> None:
        self.connections[number] = connection
        if connection.flow.client is not None:
            server = connection.flow.addresses[1 - connection.flow.client]
            self.servers.learn(server, connection.route)
        self._recognised.extend(bytes(max(0, number + 1 - len(self._recognised))))
        if not self._recognised[number]:
            self._recognised[number] = True
            self.spoken[connection.spoken] += 1

    # Order

    def _released(self, rows: list[Row], now: int) -> list[Row]:
        """The rows that nothing undecided can come before any more."""
        waiting = self.decryption.waiting_since
        if waiting is not None:
            self._holding.hold(_WAITING, waiting)
            self._held.disturbed = True
        else:
            self._holding.release(_WAITING)
        if not self._held.disturbed:
            return rows
        held = self._held
        held.add(rows)
        is_full = len(held.rows) > MOST_HELD or held.size > MOST_HELD_BYTES
        while (first := self._holding.first) is not None:
            waited = now - first[0][0]
            if not is_full and not (self.live and waited > LONGEST_HELD_NS):
                break
            self._holding.release(first[1])
            if (connection := self.connections.get(first[1])) is not None:
                held.add(connection.stray())
        if first is not None:
            return held.before(first[0])
        held.disturbed = False
        return held.all()

    def _let_go(self, latest: list[Row]) -> list[Row]:
        """All rows that are held back."""
        self._holding.clear()
        self._held.add(latest)
        return self._held.all()

    def _of_last_packet(self, rows: list[Row]) -> list[Row]:
        """Take off the rows that the end of the capture may still put something between."""
        start = len(rows)
        while start and rows[start - 1].order[:3] == rows[-1].order[:3]:
            start -= 1
        latest = rows[start:]
        del rows[start:]
        return latest


def _put_behind(rows: list[Row], at: At) -> None:
    """Give what the end tells no earlier place, unless others have waited for it."""
    for row in rows:
        if not (isinstance(row, EventRow) and row.keeps_time):
            row.time_ns, row.file, row.packet = max(at, row.order[:3])


def _totals_of(connection: Connection) -> Totals:
    totals = Totals(0, Counter(), connection.lost)
    for cutter in connection.cutters:
        if cutter is not None:
            totals.framed += cutter.framed
            totals.skipped.update(cutter.skipped)
    return totals


class Analysis:
    """One streaming reading: rows that are told about, conversations and findings as they end.

    With `conversations`, a `judge` and, beside it, `stories` those are made, else only what rows
    are told. `derives` chooses the derived values (`row.derived`), with `in_full` rows are told all
    that they answer, without `tells` nothing. `answers` are what `answers_of` gives of an earlier
    reading.
    """

    def __init__(  # noqa: PLR0913 - what may be wanted of a reading
        self,
        session: Session,
        judge: "Judge | None" = None,
        *,
        conversations: bool = False,
        stories: bool = False,
        answers: "KnownAnswers | None" = None,
        derives: "Callable[[Derived], bool]" = _none,
        in_full: bool = False,
        tells: bool = True,
    ) -> None:
        from streamshark.conversations.engine import Engine, ProtocolTables  # noqa: PLC0415 - as above

        self.session = session
        self.judge = judge
        self.teller = None
        if stories and judge is not None:
            from streamshark.conversations.explain import ExplanationBuilder  # noqa: PLC0415 - as above

            self.teller = ExplanationBuilder(judge)
        self.answers = answers
        self._finished = False
        session.over = deque()
        self.engine = Engine(
            (
                ProtocolTables(
                    each.wire,
                    partial(getattr, each, "conversations"),
                    self._watches(each),
                    partial(getattr, each, "riders"),
                    each.hears,
                )
                for each in session.protocols
            ),
            conversations=conversations,
            judge=self.teller or judge,
            derives=derives,
            in_full=in_full,
            tells=tells,
            layers=session.layers,
        )

    def _watches(self, protocol: Protocol) -> "tuple[Watch, ...]":
        """What somebody wants to hear of."""
        rules = protocol.rules if self.judge is not None else ()
        return (*rules, *(protocol.story if self.teller is not None else ()))

    def rows(self) -> Iterator[Row]:
        """The session's rows, each with `told` set."""
        yield from self.seen(self.session.rows())
        self.finish()

    def seen(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Rows of the session, each with `told` set; more of them may follow."""
        see, judge, answers, over = self.engine.see, self.judge, self.answers, self.session.over
        for row in rows:
            if judge is not None:
                if row.__class__ is FrameRow:
                    judge.frame(row.number, row.packet)
                else:
                    judge.attempts.take(row)
            see(row)
            if answers is not None and isinstance(row, FrameRow):
                _tell_answer(row, answers)
            yield row
            if over and over[0][0] < row.time_ns:
                self._forget(row.time_ns)

    def batches(self, taken: Callable[[Row], object]) -> Iterator[list[Row]]:
        """The same as `rows`, many at once.

        `taken` is called with a row after which findings are ready. A list may be empty.
        """
        ready = () if self.judge is None else self.judge.ready
        for rows in self.session.batches():
            for start in range(0, len(rows) or 1, AT_ONCE):
                part = rows[start : start + AT_ONCE]
                if self.judge is not None:
                    self.judge.frames(part)
                self.engine.feed(part, ready, taken)
                yield part
                if part:
                    self._forget(part[-1].time_ns)
        self.finish()

    def _forget(self, now_ns: int) -> None:
        """Let go what the session let go before a row that has been seen."""
        over = self.session.over
        while over and over[0][0] < now_ns:
            self.engine.forget(over.popleft()[1])

    def finish(self) -> None:
        """Let all end that is open, as at the end of the captures; for who stops in the midst."""
        if not self._finished:
            self._finished = True
            self.engine.finish()
            self.engine.free()
            if self.judge is not None:
                self.judge.attempts.reach(self.session.servers)
                self.judge.finish()

    def ended(self) -> "list[Conversation]":
        """Conversations that have ended since last asked; all that are left once rows are read."""
        ended, self.engine.ended = self.engine.ended, []
        return ended

    def findings(self) -> "list[Finding]":
        """The same for findings."""
        return [] if self.judge is None else self.judge.findings()

    def news(self) -> "list[News]":
        """Return the changes of findings since the last call; needs `follow`."""
        return [] if self.judge is None else self.judge.news()

    def settled(self, findings: "Iterable[Finding]") -> "list[News]":
        """Return findings that were made otherwise, at the end of the captures, as news."""
        return [] if self.judge is None else self.judge.settled(findings)

    def tick(self, now_ns: int | None = None) -> None:
        """Let timers fire that are due, although no row has come.

        Args:
            now_ns: The time on the capture's clock; by default that which the session has reached.
        """
        self.engine.tick(self.session.reached_ns if now_ns is None else now_ns)

    def open(self) -> "list[Conversation]":
        """Return the conversations that have not ended, as they are by now."""
        return self.engine.opened()

    def pending(self, flow: int) -> list[str]:
        """Rules that found something on a connection and tell of it at the end alone."""
        return [] if self.judge is None else self.judge.pending(flow)

    def told(self) -> "list[Explanation]":
        """The same for the stories of connections."""
        return [] if self.teller is None else self.teller.stories()

    @property
    def capped(self) -> Mapping[str, int]:
        """What was let go because there was too much of it, with how often."""
        judged = {} if self.judge is None else self.judge.capped
        return {**self.engine.capped, **judged}


class KnownAnswers(NamedTuple):
    """What a first reading knows of requests, for a second one to tell."""

    frames: dict[int, int]
    """Frame to the first frame that answers it."""
    unanswered: dict[int, str]
    """Frame that expects an answer and got none, to the state of its conversation."""


def answers_of(session: Session) -> KnownAnswers:
    """What answers what; reads the whole session."""
    frames: dict[int, int] = {}
    analysis = session.analysis(in_full=True)
    for row in analysis.rows():
        told = row.annotation
        if told is not None and told.request_frame is not None and isinstance(row, FrameRow):
            for each in told.answers or (told.request_frame,):
                frames.setdefault(each, row.number)
    return KnownAnswers(frames, analysis.engine.unanswered)


def _tell_answer(row: FrameRow, answers: KnownAnswers) -> None:
    told = row.annotation
    answer = answers.frames.get(row.number)
    unanswered = "" if answer is not None else answers.unanswered.get(row.number, "")
    if told is not None and (answer is not None or unanswered):
        row.annotation = told.but(response_frame=answer, unanswered=unanswered)


def frame_of(row: Row, hide: Callable[[Row], Row] | None = None) -> Frame:
    """The frozen record of a row; `hide` takes its secrets away."""
    if hide is not None:
        row = hide(row)
    src, dst = row.addresses
    if isinstance(row, FrameRow):
        return Frame(
            frame=row.number, file=row.file, time_ns=row.time_ns,
            flow=row.connection.flow.number, src=src, dst=dst, packets=tuple(row.packets),
            protocol=row.connection.wire.id, command=row.command, key=row.key,
            version=row.version, kind=row.kind, sender=row.sender,
            correlation_id=row.correlation_id, length=len(row.data), fields=row.values,
            problems=tuple(row.problems), data=row.data, complete=row.complete,
            reassembled=row.reassembled,
            carrier=row.carrier.number if row.carrier else None,
        )  # fmt: skip
    if not isinstance(row, EventRow):
        raise StreamsharkError("a row is a frame or an event")
    return Frame(
        frame=None, file=row.file, time_ns=row.time_ns, flow=row.connection.flow.number,
        src=src, dst=dst, packets=tuple(row.packets), protocol=row.protocol, command=row.name,
        key=None, version=None, kind="event", sender=row.sender, correlation_id=None,
        length=0, fields=row.fields, problems=tuple(row.problems), data=b"",
    )  # fmt: skip
