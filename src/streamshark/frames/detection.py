"""Which protocol a connection speaks: every wire is asked how sure it is, on content, on any port.

Each side is cut on trial as each wire's frames, on TCP itself and on each carrier that the wire
rides on; what lines up is the evidence. A connection is taken as soon as one wire is sure, and left
alone when no wire can become sure any more. Those on whose port it is are asked first: where one is
sure of the first bytes, nobody else is asked. Until then what was delivered is held, within limits.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from streamshark.flows.segment import TORN, Flow, FlowEvent, Gap, Segment
from streamshark.frames import preamble
from streamshark.frames.carrier import Link, Notice
from streamshark.frames.connection import Connection, Delivered
from streamshark.frames.cutting import Skip
from streamshark.frames.riding import Piece, Route
from streamshark.frames.shared import Shared
from streamshark.frames.wire import Evidence, Guess, Sound
from streamshark.schema import Code, Problem

SURE = 50
"""Confidence from which a connection is taken."""
MOST_BYTES = 256 * 1024
"""Bytes of one side after which a connection without a sure wire is left alone."""
FIRST_BYTES = 64
"""First bytes of a side that a wire is shown, a PROXY preamble left out."""
TLS_HANDSHAKE = b"\x16\x03"
"""First bytes of TLS: RFC 8446, section 5.1."""
TLS = "TLS"
"""What wires call it among their foreign bytes."""


NO_GUESS = Guess(0, "nothing was sent")


class Verdict(NamedTuple):
    """The outcome for one connection."""

    connection: Connection | None
    """None when it is not ours."""
    held: list[Delivered]
    """What was delivered before the verdict, to be fed to the connection."""


class Undecided:
    """One connection whose protocol is not known yet.

    `forced`: somebody says that it is one of these, so that in the end the surest is taken, however
    sure it is.
    """

    def __init__(
        self,
        flow: Flow,
        routes: Iterable[Route],
        shared: Shared | None = None,
        *,
        forced: bool = False,
    ) -> None:
        self.flow = flow
        self.shared = shared
        self.routes = tuple(routes)
        ports = set(flow.ports)
        own = tuple(
            each
            for each in self.routes
            if not each.carrier and ports & set(each.table.wire.ports) and each.leads
        )
        self.asked = self.routes if forced else own
        """Those that are on trial: of the first bytes, the wires on whose port they are are asked
        alone. Where one is sure of them, the frames of others need not even be imported."""
        self.forced = forced
        self.links: dict[Route, Link] = {}
        """What reads the carriers that are on trial."""
        self.held: list[Delivered] = []
        self.bytes = [0, 0]
        """Seen so far of each side, gaps left out."""
        self.trials: list[_Trial] = []
        self.silent = {0, 1}
        """Sides that have sent nothing."""
        self.ending = False
        """True since a side is done sending, or nothing more is waited for."""

    def feed(self, delivered: Delivered) -> Verdict | None:
        """What this decides, None while nothing is decided."""
        self.held.append(delivered)
        if isinstance(delivered, FlowEvent):
            if delivered.name == "close":
                self.silent.discard(delivered.side)
                self.ending = True
                return self._verdict(final=False)
            return self.finish() if delivered.name in TORN else None
        side = delivered.side
        if isinstance(delivered, Segment):
            self.bytes[side] += len(delivered.data)
        if side in self.silent:
            self.silent.remove(side)
            self.trials += self._begun(delivered, self.asked)
        for trial in self.trials:
            if trial.side == side:
                trial.feed(delivered)
        if self.asked is not self.routes and not self._is_sure():
            others = self._begun(
                delivered, [each for each in self.routes if each not in self.asked]
            )
            self.asked = self.routes
            self.trials += others
            for trial in others:
                trial.feed(delivered)
        return self._verdict(final=max(self.bytes) >= MOST_BYTES)

    def _is_sure(self) -> bool:
        return any(self._guess(route).confidence >= SURE for route in self.asked)

    def _begun(self, delivered: Segment | Gap, routes: Iterable[Route]) -> "list[_Trial]":
        """Trials of a side whose first bytes, or the lack of some, have come."""
        start = delivered.offset == 0 and self.flow.client is not None
        begun = []
        for route in routes:
            if route.carrier and route not in self.links:
                self.links[route] = route.carrier.link()
            if route.leads:
                link = self.links.get(route)
                begun.append(_Trial(self.flow, route, link, delivered.side, start=start))
        return begun

    def finish(self) -> Verdict:
        """No more bytes: take the surest wire if it is sure, else leave the connection alone."""
        for trial in self.trials:
            trial.finish()
        return self._verdict(final=True) or Verdict(None, self.held)

    @property
    def is_tls(self) -> bool:
        """Whether a side begins with a handshake of TLS."""
        return any(trial.first.startswith(TLS_HANDSHAKE) for trial in self.trials)

    @property
    def told(self) -> str | None:
        """The carrier whose handshake was seen, with what it says; None without one."""
        return next((link.told for link in self.links.values() if link.told), None)

    def _verdict(self, *, final: bool) -> Verdict | None:
        self.ending = self.ending or final
        guesses = {route: self._guess(route) for route in self.asked}
        final = final or not (self.silent or any(trial.hope for trial in self.trials))
        if guesses:
            route, guess = max(guesses.items(), key=lambda each: each[1].confidence)
            if guess.confidence >= SURE or (final and self.forced):
                reason = "decode as" if self.forced else guess.reason
                return Verdict(self._taken(route, reason), self.held)
        return Verdict(self._mistaken(), self.held) if final else None

    def _taken(self, route: Route, reason: str) -> Connection:
        return Connection(self.flow, route.table, reason, self.shared, route.carrier)

    def _mistaken(self) -> Connection | None:
        """On a protocol's own port, from its start: a connection whose bytes are another's.

        Where the other side answers, and in no frames of the protocol, nobody is mistaken.
        """
        for trial in self.trials:
            if not (trial.port and trial.start and trial.cutter.foreign):
                continue
            others = [each for each in self.trials if each.route is trial.route]
            if any(each.side != trial.side and not each.commands for each in others):
                continue
            wire = trial.route.table.wire
            if trial.cutter.foreign != TLS or not set(self.flow.ports) & set(wire.tls_ports):
                reason = f"{trial.cutter.foreign} on a port of {wire.id}"
                return self._taken(trial.route, reason)
        return None

    def _guess(self, route: Route) -> Guess:
        """How sure a wire is: what the two sides show adds up, as independent evidence does.

        Where a carrier was refused, and no side goes on, nothing will show its rider but the port,
        or that the client has asked for it by name.
        """
        link = self.links.get(route)
        if link is not None and link.refused and self.ending:
            wire = route.table.wire
            own = any(port in wire.ports for port in self.flow.ports)
            return Guess(SURE + own if own or wire.id in link.asked else 0, link.refused)
        guesses = [trial.guess() for trial in self.trials if trial.route is route]
        best, *others = sorted(guesses, key=lambda each: -each.confidence) or [NO_GUESS]
        if best.confidence >= SURE or not others or not others[0].confidence:
            return best
        doubt = (100 - best.confidence) * (100 - others[0].confidence) // 100
        return Guess(100 - doubt, f"{best.reason} on either side")


class _Trial:
    """One side read as one protocol, as far as that goes."""

    def __init__(
        self, flow: Flow, route: Route, link: Link | None, side: int, *, start: bool
    ) -> None:
        self.route = route
        self.link = link
        self.side = side
        self.start = start
        self.port = any(port in route.table.wire.ports for port in flow.ports)
        self.sound = Sound(route.table)
        self.cutter = route.reader(link, side, start=start)
        self.first = b""
        """First bytes, while it is not known whether a preamble comes first a few more. On a
        carrier those of the first frame."""
        self.commands: list[str] = []
        self.hope = True
        """False when the bytes cannot be this protocol's any more."""

    def feed(self, delivered: Segment | Gap) -> None:
        """More bytes, or the lack of some."""
        if not self.hope:
            return
        if isinstance(delivered, Gap):
            self.start = False  # what follows is joined later
            self._see(self.cutter.gap(delivered))
            return
        if self.link is not None:
            self._see(self.cutter.feed(delivered))
            return
        most = FIRST_BYTES + (preamble.LONGEST if self.cutter.preamble is None else 0)
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

    def guess(self) -> Guess:
        """What the wire says of the evidence so far."""
        cutter = self.cutter
        evidence = Evidence(
            data=self.first,
            start=self.start,
            commands=tuple(self.commands),
            lined_up=bool(self.commands) and (self.hope or cutter.in_step),
            open_head=cutter.in_step and bool(cutter.total),
            port=self.port,
            bare=self.route.table.bare,
        )
        return self.route.table.wire.detect(evidence)

    def _see(self, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, Notice):
                continue
            if isinstance(piece, Skip):
                if self._speaks_against(piece):
                    self.hope = False
            elif piece.selector is None or not _is_borne(piece.problem):
                self.hope = False
            elif self.sound(piece.data, piece.selector):
                decoders = self.route.table.decoders[piece.selector]
                self.commands.append(decoders[0].schema.name)
                if self.link is not None and not self.first:
                    self.first = piece.data[:FIRST_BYTES]
        if self.start and not self.cutter.in_step and not self.cutter.resume:
            self.hope = False

    def _speaks_against(self, skip: Skip) -> bool:
        """Whether bytes that were skipped show that these are not the wire's."""
        if skip.offset < (self.cutter.preamble or 0) or (self.link and self.link.refused):
            return False
        return self.start and not skip.total and not self.cutter.resume


def _is_borne(problem: Problem | None) -> bool:
    """Whether a frame with this problem in its head still speaks for its protocol."""
    return problem is None or problem.code is Code.CARRIER
