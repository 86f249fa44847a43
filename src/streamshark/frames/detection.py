"""Which protocol a connection speaks: every wire is asked how sure it is, on content, on any port.

Each side is cut on trial as each wire's frames; what lines up is the evidence. A connection is
taken as soon as one wire is sure, and left alone when no wire can become sure any more. Until then
what was delivered is held, within limits.
"""

from collections.abc import Iterable
from typing import NamedTuple

from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.frames import preamble
from streamshark.frames.connection import Connection, Delivered
from streamshark.frames.cutting import Cut, Cutter, Skip
from streamshark.frames.shared import Shared
from streamshark.frames.wire import Evidence, Guess, Sound, Table

SURE = 50
"""Confidence from which a connection is taken."""
MOST_BYTES = 256 * 1024
"""Bytes of one side after which a connection without a sure wire is left alone."""
FIRST_BYTES = 64
"""First bytes of a side that a wire is shown, a PROXY preamble left out."""
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
    """One connection whose protocol is not known yet."""

    def __init__(self, flow: Flow, tables: Iterable[Table], shared: Shared | None = None) -> None:
        self.flow = flow
        self.shared = shared
        self.tables = tuple(tables)
        self.held: list[Delivered] = []
        self.bytes = [0, 0]
        """Seen so far of each side, gaps left out."""
        self.trials: list[_Trial] = []
        self.silent = {0, 1}
        """Sides that have sent nothing."""

    def feed(self, delivered: Delivered) -> Verdict | None:
        """What this decides, None while nothing is decided."""
        self.held.append(delivered)
        if isinstance(delivered, FlowEvent):
            if delivered.name == "close":
                self.silent.discard(delivered.side)
                return self._verdict(final=False)
            return self.finish() if delivered.name == "reset" else None
        if delivered.side in self.silent:
            self.silent.remove(delivered.side)
            start = delivered.offset == 0 and self.flow.client is not None
            self.trials += [
                _Trial(self.flow, table, delivered.side, start=start) for table in self.tables
            ]
        if isinstance(delivered, Segment):
            self.bytes[delivered.side] += len(delivered.data)
        for trial in self.trials:
            if trial.side == delivered.side:
                trial.feed(delivered)
        return self._verdict(final=max(self.bytes) >= MOST_BYTES)

    def finish(self) -> Verdict:
        """No more bytes: take the surest wire if it is sure, else leave the connection alone."""
        for trial in self.trials:
            trial.finish()
        return self._verdict(final=True) or Verdict(None, self.held)

    def _verdict(self, *, final: bool) -> Verdict | None:
        guesses = {table: self._guess(table) for table in self.tables}
        if guesses:
            table, guess = max(guesses.items(), key=lambda each: each[1].confidence)
            if guess.confidence >= SURE:
                return Verdict(Connection(self.flow, table, guess.reason, self.shared), self.held)
        if final or not (self.silent or any(trial.hope for trial in self.trials)):
            return Verdict(self._mistaken(), self.held)
        return None

    def _mistaken(self) -> Connection | None:
        """On a protocol's own port, from its start: a connection whose bytes are another's."""
        for trial in self.trials:
            if not (trial.port and trial.start and trial.cutter.foreign):
                continue
            wire = trial.table.wire
            if trial.cutter.foreign != TLS or not set(self.flow.ports) & set(wire.tls_ports):
                reason = f"{trial.cutter.foreign} on a port of {wire.id}"
                return Connection(self.flow, trial.table, reason, self.shared)
        return None

    def _guess(self, table: Table) -> Guess:
        """How sure a wire is: what the two sides show adds up, as independent evidence does."""
        guesses = [trial.guess() for trial in self.trials if trial.table is table]
        best, *others = sorted(guesses, key=lambda each: -each.confidence) or [NO_GUESS]
        if best.confidence >= SURE or not others or not others[0].confidence:
            return best
        doubt = (100 - best.confidence) * (100 - others[0].confidence) // 100
        return Guess(100 - doubt, f"{best.reason} on either side")


class _Trial:
    """One side read as one protocol, as far as that goes."""

    def __init__(self, flow: Flow, table: Table, side: int, *, start: bool) -> None:
        self.table = table
        self.side = side
        self.start = start
        self.port = any(port in table.wire.ports for port in flow.ports)
        self.sound = Sound(table)
        self.cutter = Cutter(table, in_step=start, sound=self.sound)
        self.first = b""
        """First bytes, while it is not known whether a preamble comes first a few more."""
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
        )
        return self.table.wire.detect(evidence)

    def _see(self, pieces: list[Cut | Skip]) -> None:
        for piece in pieces:
            if isinstance(piece, Skip):
                if piece.offset < (self.cutter.preamble or 0):
                    continue
                if self.start and not piece.total and not self.cutter.resume:
                    self.hope = False
            elif piece.problem or piece.selector is None:
                self.hope = False
            elif self.sound(piece.data, piece.selector):
                decoders = self.table.decoders[piece.selector]
                self.commands.append(decoders[0].tree.schema.name)
        if self.start and not self.cutter.in_step and not self.cutter.resume:
            self.hope = False
