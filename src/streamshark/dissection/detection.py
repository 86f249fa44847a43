"""Which protocol a connection speaks: every wire is asked how sure it is, on content, on any port.

Each side is cut on trial as each wire's frames, on TCP itself and on each carrier that the wire
rides on. Frames that line up speak for the wire; what is skipped beside them, their problems, and
values that no peer sends speak against it. A connection is taken as soon as one wire is sure. Where
a wire is merely likely, what follows may still contradict it: it is taken in the end, or after
`MOST_BYTES`. Those on whose port it is are asked first: where one is sure of the first bytes,
nobody else is asked. Until then what was delivered is held, within limits.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from streamshark.decoding.decoder import Decoder
from streamshark.dissection.connection import Connection, Delivered
from streamshark.dissection.known_servers import KnownServers
from streamshark.dissection.reading_state import ReadingState
from streamshark.flows.segment import TORN, Flow, FlowEvent, Gap, Segment
from streamshark.framing import proxy_protocol
from streamshark.framing.carried import CarriedSide, Piece, Route
from streamshark.framing.carrier import CarrierConnection, CarrierEvent
from streamshark.framing.splitter import FAR, NEAR, TAIL, FrameSplitter, RawFrame, SkippedBytes
from streamshark.framing.wire_format import Evidence, Guess, Level, WellFormedCheck, WireFormat
from streamshark.schema import FrameSchema, Problem, ProblemCode, Sender

MOST_BYTES = 256 * 1024
"""Bytes of one side after which a connection without a likely wire is left alone."""
FIRST_BYTES = 64
"""First bytes of a side that a wire is shown, a PROXY preamble left out."""
TLS_HANDSHAKE = b"\x16\x03"
"""First bytes of TLS: RFC 8446, section 5.1."""
TLS = "TLS"
"""What wires call it among their foreign bytes."""


MOST_STRAY = 32 * 1024
"""Bytes of a side without a frame of a wire on whose port it is not, after which it is given up."""
LEAP = 1 << 20
"""Most by which the numbers of streams of one connection are apart."""
SYSTEM_PORTS = 1024
"""Ports below this one are those of servers."""
NO_GUESS = Guess(Level.NONE, "nothing was sent")


class Detection(NamedTuple):
    """The outcome for one connection."""

    connection: Connection | None
    """None when it is not ours."""
    held: list[Delivered]
    """What was delivered before the verdict, to be fed to the connection."""
    level: Level = Level.NONE
    """How sure it is."""


class Undecided:
    """One connection whose protocol is not known yet.

    `forced`: somebody says that it is one of these, so that in the end the surest is taken, however
    sure it is. `servers`: what other connections to the same ones speak.
    """

    def __init__(
        self,
        flow: Flow,
        routes: Iterable[Route],
        shared: ReadingState | None = None,
        *,
        forced: bool = False,
        servers: KnownServers | None = None,
    ) -> None:
        self.flow = flow
        self.shared = shared
        self.routes = tuple(routes)
        self.accepting = accepting(flow)
        self.servers = KnownServers() if servers is None else servers
        self.at_home = {route for route in self.routes if self._is_at(route)}
        """Those that are on one of their protocol's ports."""
        own = tuple(
            each for each in self.routes if not each.carrier and each in self.at_home and each.leads
        )
        self.asked = self.routes if forced or not own else own
        """Those that are on trial: of the first bytes, the wires on whose port they are are asked
        alone. Where one is sure of them, the frames of others need not even be imported."""
        self.forced = forced
        self.links: dict[Route, CarrierConnection] = {}
        """What reads the carriers that are on trial."""
        self.held: list[Delivered] = []
        self.bytes = [0, 0]
        """Seen so far of each side, gaps left out."""
        self.trials: list[_Trial] = []
        self.refused: set[Route] = set()
        """Those that a side cannot speak whose first bytes were seen."""
        self.fresh: set[Route] = set()
        """Those of which frames came since the last look at what they show."""
        self.waiting: tuple[list[Route], list[Route]] = ([], [])
        """Those of each side that is joined later, until a segment begins as their frames do."""
        self.heads: list[bytes] = []
        """The first bytes of sides."""
        self.silent = {0, 1}
        """Sides that have sent nothing."""
        self.closed: set[int] = set()
        """Sides that have sent FIN."""
        self.ending = False
        """True since a side is done sending, or nothing more is waited for."""

    def feed(self, delivered: Delivered) -> Detection | None:
        """What this decides, None while nothing is decided."""
        self.held.append(delivered)
        if isinstance(delivered, FlowEvent):
            if delivered.name == "close":
                self.silent.discard(delivered.side)
                self.closed.add(delivered.side)
                self.ending = True
                return self.finish() if len(self.closed) > 1 else self._verdict(final=False)
            return self.finish() if delivered.name in TORN else None
        side = delivered.side
        if isinstance(delivered, Segment):
            self.bytes[side] += len(delivered.data)
        if side in self.silent:
            self.silent.remove(side)
            self.trials += self._begun(delivered, self.asked)
        elif self.waiting[side] and isinstance(delivered, Segment):
            self.trials += self._entered(delivered)
        self._feed(self.trials, delivered)
        if self.asked is not self.routes and not self._is_sure():
            others = self._begun(
                delivered, [each for each in self.routes if each not in self.asked]
            )
            self.asked = self.routes
            self.trials += others
            self._feed(others, delivered)
        return self._verdict(final=max(self.bytes) >= MOST_BYTES)

    def _feed(self, trials: "Iterable[_Trial]", delivered: Segment | Gap) -> None:
        for trial in trials:
            if trial.side != delivered.side:
                continue
            if trial.feed(delivered):
                self.fresh.add(trial.route)
            elif trial.strayed > MOST_STRAY and not (self.forced or self._is_near(trial.route)):
                trial.hope = False

    def _is_sure(self) -> bool:
        return any(self._guess(route).level >= Level.SURE for route in self.asked)

    def _is_at(self, route: Route) -> bool:
        """Whether the port that was connected to is one of the protocol's."""
        return any(self.flow.ports[side] in route.table.wire.ports for side in self.accepting)

    def _is_near(self, route: Route) -> bool:
        """Whether the port or other connections to the same server suggest the protocol."""
        return route in self.at_home or self._is_lent(route)

    def _is_meant(self, route: Route) -> bool:
        """Whether nothing else is met at this server but by mistake."""
        own = route.table.wire.own_ports
        return self._is_lent(route) or any(self.flow.ports[side] in own for side in self.accepting)

    def _is_lent(self, route: Route) -> bool:
        """Whether other connections to the same address and port speak the protocol."""
        if not self.servers:
            return False
        addresses = (self.flow.addresses[side] for side in self.accepting)
        return any(self.servers.lent(each) == route for each in addresses)

    def _begun(self, delivered: Segment | Gap, routes: Iterable[Route]) -> "list[_Trial]":
        """Trials of a side whose first bytes, or the lack of some, have come."""
        start = delivered.offset == 0 and self.flow.client is not None
        first = delivered.data if isinstance(delivered, Segment) else b""
        self.heads.append(first[:FIRST_BYTES])
        is_open = proxy_protocol.read(first, final=False) is not proxy_protocol.NONE
        is_open = is_open or (start and len(first) <= TAIL)

        def may_begin(route: Route) -> bool:
            return route.may_begin(first) if start else route.may_go_on(first, FAR.everywhere)

        begun = []
        for route in routes:
            if not route.leads:
                continue
            is_near = self.forced or self._is_near(route)
            if is_near or is_open or may_begin(route):
                begun.append(self._trial(route, delivered.side, start=start))
            elif start:
                self.refused.add(route)
            else:
                self.waiting[delivered.side].append(route)
        return begun

    def _entered(self, segment: Segment) -> "list[_Trial]":
        """Trials of a side that was joined later, of protocols whose frame may begin a segment."""
        waiting, passed = self.waiting[segment.side], self.bytes[segment.side] - len(segment.data)
        found = [each for each in waiting if each.may_go_on(segment.data) or self._is_lent(each)]
        waiting[:] = [each for each in waiting if each not in found and passed < MOST_STRAY]
        return [self._trial(each, segment.side, start=False, passed=passed) for each in found]

    def _trial(self, route: Route, side: int, *, start: bool, passed: int = 0) -> "_Trial":
        """A trial of one side, of which so many bytes have passed."""
        effort = NEAR if self.forced or self._is_near(route) else FAR
        link = self.links.get(route)
        if route.carrier and link is None:
            self.links[route] = link = route.carrier.link()
            link.effort = effort
        reader = route.reader(link, side, start=start, effort=effort)
        return _Trial(self, route, link, side, reader, start=start, passed=passed)

    def finish(self) -> Detection:
        """No more bytes: take the surest wire if it is sure, else leave the connection alone."""
        for trial in self.trials:
            trial.finish()
        return self._verdict(final=True) or Detection(None, self.held)

    @property
    def is_tls(self) -> bool:
        """Whether a side begins with a handshake of TLS."""
        firsts = (*self.heads, *(trial.first for trial in self.trials))
        return any(each.startswith(TLS_HANDSHAKE) for each in firsts)

    @property
    def told(self) -> str | None:
        """The carrier whose handshake was seen, with what it says; None without one."""
        return next((link.told for link in self.links.values() if link.told), None)

    def _verdict(self, *, final: bool) -> Detection | None:
        self.ending = self.ending or final
        is_open = self.silent or any(self.waiting) or any(trial.hope for trial in self.trials)
        final = final or not is_open
        is_last = final or self.ending
        guesses = {
            route: self._guess(route) for route in self.asked if is_last or route in self.fresh
        }
        self.fresh.clear()
        if guesses:
            route = max(guesses, key=lambda each: (guesses[each].level, self._rank(each)))
            guess = guesses[route]
            enough = Level.LIKELY if final else Level.SURE
            if guess.level >= enough or (final and self.forced):
                reason = "decode as" if self.forced else guess.reason
                return Detection(self._taken(route, reason), self.held, guess.level)
        return Detection(self._mistaken(), self.held) if final else None

    def _rank(self, route: Route) -> tuple[bool, int]:
        """What decides between protocols that are alike in their level."""
        framed = sum(each.framed for each in self.trials if each.route is route)
        return self._is_near(route), framed

    def _taken(self, route: Route, reason: str) -> Connection:
        return Connection(self.flow, route.table, reason, self.shared, route.carrier)

    def _mistaken(self) -> Connection | None:
        """On a protocol's own port, from its start: a connection whose bytes are another's.

        Where the other side answers, and in no frames of the protocol, the client is not mistaken;
        where no packet of the other side was captured, that is not known.
        """
        for trial in self.trials:
            if not (self._is_meant(trial.route) and trial.start and trial.cutter.foreign):
                continue
            if not self._has_seen(1 - trial.side):
                continue
            others = [each for each in self.trials if each.route is trial.route]
            if any(each.side != trial.side and not each.commands for each in others):
                continue
            wire = trial.route.table.wire
            if trial.cutter.foreign != TLS or not set(self.flow.ports) & set(wire.tls_ports):
                reason = f"{trial.cutter.foreign} on a port of {wire.id}"
                return self._taken(trial.route, reason)
        return None

    def _has_seen(self, side: int) -> bool:
        """Whether the capture has packets of a side."""
        if self.flow.handshake_ns is not None or side not in self.silent:
            return True
        return any(isinstance(each, FlowEvent) and each.side == side for each in self.held)

    def _guess(self, route: Route) -> Guess:
        """How sure a wire is of both sides together.

        What one shows is worth less where the other speaks, and in no frames of the wire; one frame
        of each side, and nothing else, is more than one of them. Where a carrier was refused, and
        no side goes on, nothing will show its rider but the port, or that the client has asked for
        it by name.
        """
        link = self.links.get(route)
        if link is not None and link.refused and self.ending:
            is_meant = route in self.at_home or route.table.wire.id in link.asked
            return Guess(Level.SURE if is_meant else Level.NONE, link.refused)
        trials = [trial for trial in self.trials if trial.route is route]
        if not trials:
            return NO_GUESS
        port = self._is_near(route)
        sides = [(trial, trial.guess(port=port)) for trial in trials]
        (trial, best), *others = sorted(sides, key=lambda each: -each[1].level)
        if best.level >= Level.SURE:
            return best
        denied = any(
            guess.level is Level.NONE and other.contradicts(trial.framed, port=port)
            for other, guess in others
        )
        if not others and not port:
            denied = route in self.refused or self.bytes[1 - trial.side] > trial.framed
        if denied:
            return Guess(Level.NONE, "the other side speaks another protocol")
        if others and all(
            guess.level is Level.WEAK and each.commands and not each.against
            for each, guess in sides
        ):
            return Guess(Level.LIKELY, f"{best.reason} on either side")
        return best


def accepting(flow: Flow) -> tuple[int, ...]:
    """The sides that may have accepted the connection: that to which the SYN went, if one did.

    Else a side with a system port, if the other has none.
    """
    if flow.client is not None:
        return (1 - flow.client,)
    system = [side for side in (0, 1) if flow.ports[side] < SYSTEM_PORTS]
    return tuple(system) if len(system) == 1 else (0, 1)


class _Trial:
    """One side read as one protocol, as far as that goes."""

    def __init__(  # noqa: PLR0913 - what is read, and how
        self,
        whole: Undecided,
        route: Route,
        link: CarrierConnection | None,
        side: int,
        reader: FrameSplitter | CarriedSide,
        *,
        start: bool,
        passed: int,
    ) -> None:
        self.flow = whole.flow
        self.route = route
        self.link = link
        self.side = side
        self.start = start
        self.sound = WellFormedCheck(route.table)
        self.credit = CleanFrame(route.table.wire)
        self.cutter = reader
        self.first = b""
        """First bytes, while it is not known whether a preamble comes first a few more. On a
        carrier those of the first frame."""
        self.commands: list[str] = []
        self.seen = passed
        """Bytes that came."""
        self.framed = 0
        """Bytes of frames without problems, and of the carrier's own."""
        self.odd = 0
        """Bytes of other frames: with problems, or values that no peer sends."""
        self.stray = 0
        """Bytes that follow frames, without a gap between, and are none."""
        self.cut = 0
        """Bytes of frames that a gap cut."""
        self.strayed = 0
        """Bytes in which a search has found no frame since the last one."""
        self.entering = True
        """True until a frame is found from the beginning on, or since a gap."""
        self.hope = True
        """False when the bytes cannot be this protocol's any more."""

    def feed(self, delivered: Segment | Gap) -> bool:
        """More bytes, or the lack of some; whether frames without problems ended in them."""
        if isinstance(delivered, Segment):
            self.seen += len(delivered.data)
        if not self.hope:
            return False
        known = len(self.commands)
        self._take(delivered)
        return len(self.commands) > known

    def _take(self, delivered: Segment | Gap) -> None:
        if isinstance(delivered, Gap):
            self.start = False  # what follows is joined later
            self._see(self.cutter.gap(delivered))
            self.entering = True
            return
        if self.link is not None:
            self._see(self.cutter.feed(delivered))
            return
        most = FIRST_BYTES + (proxy_protocol.LONGEST if self.cutter.preamble is None else 0)
        if len(self.first) < most:
            self.first += delivered.data[: most - len(self.first)]
        unknown = self.cutter.preamble is None
        self._see(self.cutter.feed(delivered))
        if unknown and self.cutter.preamble is not None:
            self.first = self.first[self.cutter.preamble :][:FIRST_BYTES]

    def finish(self) -> None:
        """No more bytes."""
        if self.hope:
            self._see(self.cutter.finish())

    @property
    def client(self) -> bool | None:
        """Whether this side is the client, as far as that is proved."""
        client = self.flow.client
        if client is None and self.link is not None:
            client = self.link.client
        return None if client is None else client == self.side

    @property
    def against(self) -> int:
        """Bytes that speak against the wire.

        As many as its frames have may be a part of a frame or message that began before the
        capture, or that is not whole yet. A peer with a fault sends frames with problems, too: they
        count half.
        """
        rest = self.seen - self.framed - self.odd - self.stray - self.cut
        return self.odd // 2 + self.stray + max(0, rest - self.framed)

    def contradicts(self, framed: int, *, port: bool) -> bool:
        """Whether what came shows that this side speaks another protocol.

        `framed`: bytes of the other side's frames. Of a side that is joined later, some bytes may
        be the rest of a frame.
        """
        if self.hope and self.cutter.in_step and self.cutter.total:
            return False  # inside a frame
        if (port or self.link) and not self.stray and (self.hope or self.commands):
            return False
        if self.start or self.stray or self.odd:
            return self.seen > 0
        return not (port or self.commands) and self.seen > framed

    def guess(self, *, port: bool) -> Guess:
        """What the wire says of the evidence so far."""
        cutter = self.cutter
        evidence = Evidence(
            data=self.first,
            start=self.start,
            commands=tuple(self.commands),
            lined_up=bool(self.commands) and (self.hope or cutter.in_step),
            open_head=cutter.in_step and bool(cutter.total),
            port=port,
            bare=self.route.table.bare,
            client=self.client,
            certain=self.credit.certain,
            framed=self.framed,
            against=self.against,
        )
        return self.route.table.wire.detect(evidence)

    def _see(self, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, CarrierEvent):
                self.framed += piece.length
            elif isinstance(piece, SkippedBytes):
                self._skipped(piece)
                if self.start and piece.stray:
                    return
            else:
                self._frame(piece)
        if self.start and not self.cutter.in_step and not self.cutter.resume:
            self.hope = False

    def _frame(self, cut: RawFrame) -> None:
        """What a frame tells."""
        size = len(cut.data)
        if cut.selector is None or not _is_borne(cut.problem):
            self.odd += size
            self.hope = False
            return
        decoder = self.sound.decoder(cut.data, cut.selector)
        if decoder is None or not self.credit(decoder, cut.data, client=self.client):
            self.odd += size
        else:
            self.framed += size
            self.entering = False
            self.strayed = 0
            self.commands.append(self.route.table.decoders[cut.selector][0].schema.name)
            if self.link is not None and not self.first:
                self.first = cut.data[:FIRST_BYTES]

    def _skipped(self, skip: SkippedBytes) -> None:
        """What skipped bytes tell."""
        passed = skip.offset < (self.cutter.preamble or 0) or (self.link and self.link.refused)
        if passed or (self.cutter.upgraded and not skip.stray):
            self.seen -= skip.length
            return
        if self.start and not skip.total and not self.cutter.resume:
            self.hope = False
        self.strayed += skip.length if skip.stray else 0
        if skip.stray and not self.entering:
            self.stray += skip.length
        elif skip.total or self.cutter.resume:
            self.cut += skip.length


class CleanFrame:
    """Whether one side of a connection sends such a frame, whose bytes have no problems."""

    def __init__(self, wire: WireFormat) -> None:
        self.wire = wire
        self.last: int | None = None
        """Number of the last stream."""
        self.sender: Sender | None = None
        """The side that alone sends one of the frames so far."""
        self.certain = False
        """Whether one of them is of no other protocol."""

    def __call__(self, decoder: Decoder, data: bytes, *, client: bool | None) -> bool:
        """False for a frame that the other side sends, and for values that no peer sends."""
        schema, values = decoder.schema, decoder.skim(data).values
        credible = self.wire.credible
        if credible is not None and not credible(schema.name, values):
            return False
        if not (self._is_sent(schema, client=client) and self._goes_on(values)):
            return False
        certain = self.wire.certain
        self.certain = self.certain or (certain is not None and certain(schema.name, values))
        return True

    def _is_sent(self, schema: FrameSchema, *, client: bool | None) -> bool:
        if schema.sender not in (Sender.CLIENT, Sender.SERVER):
            return True
        if client is not None:
            self.sender = Sender.CLIENT if client else Sender.SERVER
        self.sender = self.sender or schema.sender
        return self.sender is schema.sender

    def _goes_on(self, values: Mapping[str, Any]) -> bool:
        """Whether its stream has a number near those before."""
        number = values.get(self.wire.parity.by, 0) if self.wire.parity else 0
        if not number:
            return True
        last, self.last = self.last, number
        return number < LEAP if last is None else abs(number - last) < LEAP


def _is_borne(problem: Problem | None) -> bool:
    """Whether a frame with this problem in its head still speaks for its protocol."""
    return problem is None or problem.code is ProblemCode.CARRIER
