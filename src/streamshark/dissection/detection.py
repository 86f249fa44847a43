"""Detection of the protocol of a connection: by content, on any port.

Each side is split on trial into frames of each protocol, on TCP itself and on each carrier that may
carry it. Frames that line up are evidence for the protocol; skipped bytes beside them, their
problems, and values that no peer sends are evidence against it. A connection is recognised as soon
as one protocol is sure. If a protocol is merely likely, later bytes may still contradict it: it is
accepted at the end, or after `MOST_BYTES`. Protocols of the server's port are tried first: if one
is sure after the first bytes, no other is tried. Until then all records are held, within limits.
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
"""Bytes of one side after which a connection without a likely protocol is ignored."""
FIRST_BYTES = 64
"""First bytes of a side that a protocol is shown, without a PROXY protocol header."""
TLS_HANDSHAKE = b"\x16\x03"
"""First bytes of TLS: RFC 8446, section 5.1."""
TLS = "TLS"
"""Name of TLS in `WireFormat.foreign`."""


MOST_STRAY = 32 * 1024
"""Bytes of a side without a frame after which a protocol is excluded, unless the port is its
own."""
LEAP = 1 << 20
"""Largest distance of stream numbers on one connection."""
SYSTEM_PORTS = 1024
"""Ports below this one are those of servers."""
NO_GUESS = Guess(Level.NONE, "nothing was sent")


class Detection(NamedTuple):
    """The outcome for one connection."""

    connection: Connection | None
    """None if no protocol was recognised."""
    held: list[Delivered]
    """The records before the decision, to be fed to the connection."""
    level: Level = Level.NONE
    """Confidence of the protocol."""


class Undecided:
    """A connection whose protocol is not known yet.

    `forced`: the user requires one of these routes, so at the end the one with the highest
    confidence is chosen, however low that is. `servers`: protocols of other connections to the same
    servers.
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
        """Routes whose protocol has the server's port."""
        own = tuple(
            each for each in self.routes if not each.carrier and each in self.at_home and each.leads
        )
        self.asked = self.routes if forced or not own else own
        """Routes on trial: for the first bytes, only those directly on TCP whose protocol has
        the server's port. If one is sure of them, frames of other protocols need not even be
        imported."""
        self.forced = forced
        self.links: dict[Route, CarrierConnection] = {}
        """Connection readers of the carriers on trial."""
        self.held: list[Delivered] = []
        self.bytes = [0, 0]
        """Bytes of each side so far, without gaps."""
        self.trials: list[_Trial] = []
        self.refused: set[Route] = set()
        """Routes that are excluded by a side's first bytes."""
        self.fresh: set[Route] = set()
        """Routes with new frames since their evidence was last judged."""
        self.waiting: tuple[list[Route], list[Route]] = ([], [])
        """By side, routes for a side that is captured from its middle, until a segment begins like
        their frames."""
        self.heads: list[bytes] = []
        """The first bytes of sides."""
        self.silent = {0, 1}
        """Sides that have sent nothing."""
        self.closed: set[int] = set()
        """Sides that have sent FIN."""
        self.ending = False
        """True since a side has ended, or nothing more is awaited."""

    def feed(self, delivered: Delivered) -> Detection | None:
        """Process a record; return the decision, or None while there is none."""
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
        """Return whether the server's port is one of the protocol's."""
        return any(self.flow.ports[side] in route.table.wire.ports for side in self.accepting)

    def _is_near(self, route: Route) -> bool:
        """Return whether the port or other connections to the same server suggest the protocol."""
        return route in self.at_home or self._is_lent(route)

    def _is_meant(self, route: Route) -> bool:
        """Return whether other protocols occur at this server only by mistake."""
        own = route.table.wire.own_ports
        return self._is_lent(route) or any(self.flow.ports[side] in own for side in self.accepting)

    def _is_lent(self, route: Route) -> bool:
        """Return whether other connections to the same address and port speak the protocol."""
        if not self.servers:
            return False
        addresses = (self.flow.addresses[side] for side in self.accepting)
        return any(self.servers.lent(each) == route for each in addresses)

    def _begun(self, delivered: Segment | Gap, routes: Iterable[Route]) -> "list[_Trial]":
        """Return trials of a side whose first bytes, or a gap instead, have come."""
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
        """Return trials of a side, captured from its middle, that a segment's first bytes allow."""
        waiting, passed = self.waiting[segment.side], self.bytes[segment.side] - len(segment.data)
        found = [each for each in waiting if each.may_go_on(segment.data) or self._is_lent(each)]
        waiting[:] = [each for each in waiting if each not in found and passed < MOST_STRAY]
        return [self._trial(each, segment.side, start=False, passed=passed) for each in found]

    def _trial(self, route: Route, side: int, *, start: bool, passed: int = 0) -> "_Trial":
        """Return a trial of one side, after `passed` bytes that it has not seen."""
        effort = NEAR if self.forced or self._is_near(route) else FAR
        link = self.links.get(route)
        if route.carrier and link is None:
            self.links[route] = link = route.carrier.link(effort=effort)
        reader = route.reader(link, side, start=start, effort=effort)
        return _Trial(self, route, link, side, reader, start=start, passed=passed)

    def finish(self) -> Detection:
        """Decide at the end: take the best protocol if it is sure enough, else none."""
        for trial in self.trials:
            trial.finish()
        return self._verdict(final=True) or Detection(None, self.held)

    @property
    def is_tls(self) -> bool:
        """Whether a side begins with a TLS handshake."""
        firsts = (*self.heads, *(trial.first for trial in self.trials))
        return any(each.startswith(TLS_HANDSHAKE) for each in firsts)

    @property
    def handshake(self) -> str | None:
        """The carrier whose handshake was seen, with its text; None without one."""
        return next((link.handshake for link in self.links.values() if link.handshake), None)

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
        """Return the rank of a route among those of equal confidence."""
        framed = sum(each.framed for each in self.trials if each.route is route)
        return self._is_near(route), framed

    def _taken(self, route: Route, reason: str) -> Connection:
        return Connection(self.flow, route.table, reason, self.shared, route.carrier)

    def _mistaken(self) -> Connection | None:
        """Return a connection for another protocol's bytes on this protocol's own port.

        If the other side answers, but not in frames of the protocol, the client made no mistake; if
        no packet of the other side was captured, that is not known. None in both cases.
        """
        for trial in self.trials:
            if not (self._is_meant(trial.route) and trial.start and trial.splitter.foreign):
                continue
            if not self._has_seen(1 - trial.side):
                continue
            others = [each for each in self.trials if each.route is trial.route]
            if any(each.side != trial.side and not each.commands for each in others):
                continue
            wire = trial.route.table.wire
            if trial.splitter.foreign != TLS or not set(self.flow.ports) & set(wire.tls_ports):
                reason = f"{trial.splitter.foreign} on a port of {wire.id}"
                return self._taken(trial.route, reason)
        return None

    def _has_seen(self, side: int) -> bool:
        """Return whether a packet of a side was captured."""
        if self.flow.handshake_ns is not None or side not in self.silent:
            return True
        return any(isinstance(each, FlowEvent) and each.side == side for each in self.held)

    def _guess(self, route: Route) -> Guess:
        """Return a protocol's confidence for both sides together.

        The evidence of one side counts less if the other sends bytes that are not the protocol's
        frames; one frame of each side, and nothing else, counts more than one of them. If a carrier
        was refused, and a side has ended, the carried protocol shows only by the port, or by the
        name with which the client asked for it.
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
    """Return the sides that may be the server: the one that received the SYN.

    Without a SYN, a side with a system port if the other has none; else both.
    """
    if flow.client is not None:
        return (1 - flow.client,)
    system = [side for side in (0, 1) if flow.ports[side] < SYSTEM_PORTS]
    return tuple(system) if len(system) == 1 else (0, 1)


class _Trial:
    """One side, read on trial as one protocol."""

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
        self.splitter = reader
        self.first = b""
        """First bytes, some more while a PROXY protocol header is possible. On a carrier, those of
        the first frame."""
        self.commands: list[str] = []
        self.seen = passed
        """Bytes received."""
        self.framed = 0
        """Bytes of frames without problems, and of the carrier's own."""
        self.odd = 0
        """Bytes of other frames: with problems, or with values that no peer sends."""
        self.stray = 0
        """Bytes after frames, without a gap between, that are no frames."""
        self.cut = 0
        """Bytes of frames that a gap cut."""
        self.strayed = 0
        """Bytes in which a search has found no frame since the last one."""
        self.entering = True
        """True until the first frame, or the first one after a gap."""
        self.hope = True
        """False if the bytes cannot be this protocol's any more."""

    def feed(self, delivered: Segment | Gap) -> bool:
        """Process a segment or gap; return whether frames without problems ended in it."""
        if isinstance(delivered, Segment):
            self.seen += len(delivered.data)
        if not self.hope:
            return False
        known = len(self.commands)
        self._take(delivered)
        return len(self.commands) > known

    def _take(self, delivered: Segment | Gap) -> None:
        if isinstance(delivered, Gap):
            self.start = False  # what follows is captured from its middle
            self._see(self.splitter.gap(delivered))
            self.entering = True
            return
        if self.link is not None:
            self._see(self.splitter.feed(delivered))
            return
        most = FIRST_BYTES + (proxy_protocol.LONGEST if self.splitter.preamble is None else 0)
        if len(self.first) < most:
            self.first += delivered.data[: most - len(self.first)]
        unknown = self.splitter.preamble is None
        self._see(self.splitter.feed(delivered))
        if unknown and self.splitter.preamble is not None:
            self.first = self.first[self.splitter.preamble :][:FIRST_BYTES]

    def finish(self) -> None:
        """Process the end of the bytes."""
        if self.hope:
            self._see(self.splitter.finish())

    @property
    def client(self) -> bool | None:
        """Whether this side is the client; None if it is not proved."""
        client = self.flow.client
        if client is None and self.link is not None:
            client = self.link.client
        return None if client is None else client == self.side

    @property
    def against(self) -> int:
        """Bytes of evidence against the protocol.

        Unexplained bytes count only beyond the bytes of frames: they may be part of a frame or
        message that began before the capture, or is not complete yet. Bytes of frames with problems
        count half, since a peer with a fault sends such frames, too.
        """
        rest = self.seen - self.framed - self.odd - self.stray - self.cut
        return self.odd // 2 + self.stray + max(0, rest - self.framed)

    def contradicts(self, framed: int, *, port: bool) -> bool:
        """Return whether the bytes show that this side speaks another protocol.

        `framed`: bytes of the other side's frames. On a side captured from its middle, some bytes
        may be the rest of a frame.
        """
        if self.hope and self.splitter.in_step and self.splitter.total:
            return False  # inside a frame
        if (port or self.link) and not self.stray and (self.hope or self.commands):
            return False
        if self.start or self.stray or self.odd:
            return self.seen > 0
        return not (port or self.commands) and self.seen > framed

    def guess(self, *, port: bool) -> Guess:
        """Return the protocol's judgement of the evidence so far."""
        splitter = self.splitter
        evidence = Evidence(
            data=self.first,
            start=self.start,
            commands=tuple(self.commands),
            lined_up=bool(self.commands) and (self.hope or splitter.in_step),
            open_head=splitter.in_step and bool(splitter.total),
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
        if self.start and not self.splitter.in_step and not self.splitter.resume:
            self.hope = False

    def _frame(self, cut: RawFrame) -> None:
        """Count a frame as evidence."""
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
        """Count skipped bytes as evidence."""
        passed = skip.offset < (self.splitter.preamble or 0) or (self.link and self.link.refused)
        if passed or (self.splitter.upgraded and not skip.stray):
            self.seen -= skip.length
            return
        if self.start and not skip.total and not self.splitter.resume:
            self.hope = False
        self.strayed += skip.length if skip.stray else 0
        if skip.stray and not self.entering:
            self.stray += skip.length
        elif skip.total or self.splitter.resume:
            self.cut += skip.length


class CleanFrame:
    """Check whether one side of a connection would send a frame that has no problems."""

    def __init__(self, wire: WireFormat) -> None:
        self.wire = wire
        self.last: int | None = None
        """Number of the last stream."""
        self.sender: Sender | None = None
        """The sender of the frames so far; None while both are possible."""
        self.certain = False
        """Whether one of them is of no other protocol."""

    def __call__(self, decoder: Decoder, data: bytes, *, client: bool | None) -> bool:
        """Return False for a frame that the other side sends, or with values that no peer sends."""
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
        """Return whether the frame's stream has a number near that of the one before."""
        number = values.get(self.wire.parity.by, 0) if self.wire.parity else 0
        if not number:
            return True
        last, self.last = self.last, number
        return number < LEAP if last is None else abs(number - last) < LEAP


def _is_borne(problem: Problem | None) -> bool:
    """Return whether a frame with this problem in its head is still evidence for its protocol."""
    return problem is None or problem.code is ProblemCode.CARRIER
