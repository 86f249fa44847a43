"""Which protocol a connection speaks: every wire is asked how sure it is, on content, on any port.

The first bytes of each side are cut with each wire's own cutter on trial; what lines up is the
evidence. A connection is taken as soon as one wire is sure, and left alone when no wire can become
sure any more. Until then its bytes are held, within limits.
"""

from collections.abc import Iterable
from typing import NamedTuple

from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.frames.connection import Connection, Delivered
from streamshark.frames.cutting import Cut, Cutter
from streamshark.frames.wire import Evidence, Selector, Table

SURE = 50
"""Confidence from which a connection is taken."""
MOST_BYTES = 256 * 1024
"""Bytes of one side after which a connection without a sure wire is left alone."""
EVERY = 16
"""Up to this many segments every one is looked at, later ones at each doubling of the bytes."""


class Verdict(NamedTuple):
    """The outcome for one connection."""

    connection: Connection | None
    """None when it is not ours."""
    held: list[Delivered]
    """What was delivered before the verdict, to be fed to the connection."""


class Undecided:
    """One connection whose protocol is not known yet."""

    def __init__(self, flow: Flow, tables: Iterable[Table]) -> None:
        self.flow = flow
        self.tables = tuple(tables)
        self.held: list[Delivered] = []
        self.data: tuple[bytearray, bytearray] = (bytearray(), bytearray())
        self.first: list[int | None] = [None, None]
        self.whole = [True, True]
        """Whether a side's bytes have no gap so far."""
        self.segments = 0
        self.look_at = 0

    def feed(self, delivered: Delivered) -> Verdict | None:
        """What this decides, None while nothing is decided."""
        self.held.append(delivered)
        match delivered:
            case Gap():
                self.whole[delivered.side] = False
                return None
            case FlowEvent():
                return self.finish() if delivered.name == "reset" else None
            case Segment():
                return self._look(delivered)

    def finish(self) -> Verdict:
        """No more bytes: take the surest wire if it is sure, else leave the connection alone."""
        return self._verdict(final=True) or Verdict(None, self.held)

    def _look(self, segment: Segment) -> Verdict | None:
        data = self.data[segment.side]
        if self.first[segment.side] is None:
            self.first[segment.side] = segment.offset
        if self.whole[segment.side] and len(data) < MOST_BYTES:
            data += segment.data
        self.segments += 1
        size = sum(map(len, self.data))
        if self.segments > EVERY and size < self.look_at:
            return None
        self.look_at = 2 * size
        over = len(data) >= MOST_BYTES
        return self.finish() if over else self._verdict(final=False)

    def _verdict(self, *, final: bool) -> Verdict | None:
        best, reason, table, hope = 0, "", None, False
        for each in self.tables:
            for side in (0, 1):
                if not self.data[side]:
                    hope = True
                    continue
                evidence, open_end = self._evidence(each, side, final=final)
                guess = each.wire.detect(evidence)
                hope |= open_end
                if guess.confidence > best:
                    best, reason, table = guess.confidence, guess.reason, each
        if table is not None and best >= SURE:
            return Verdict(Connection(self.flow, table, reason), self.held)
        return None if hope and not final else Verdict(None, self.held)

    def _evidence(self, table: Table, side: int, *, final: bool) -> tuple[Evidence, bool]:
        """What a side looks like as one protocol, and whether more bytes could change it."""
        data = bytes(self.data[side])
        start = self.first[side] == 0 and self.flow.client is not None

        def sound(frame: bytes, selector: Selector) -> bool:
            return any(not each.read(frame)[1] for each in table.decoders[selector])

        cutter = Cutter(table, in_step=start, sound=sound)
        segment = Segment(0, side, 0, data, 0, 0, 0, 0, 0, 0, 0, False)  # noqa: FBT003
        commands = []
        for piece in cutter.feed(segment):
            if not isinstance(piece, Cut):
                if start:
                    break
                continue
            if piece.problem or piece.selector is None or not sound(piece.data, piece.selector):
                break
            commands.append(table.decoders[piece.selector][0].tree.schema.name)
        waits = cutter.in_step if start else len(data) < MOST_BYTES
        evidence = Evidence(
            data=data,
            start=start,
            commands=tuple(commands),
            lined_up=cutter.in_step and bool(commands),
            open_head=cutter.in_step and bool(cutter.total),
            port=any(port in table.wire.ports for port in self.flow.ports),
        )
        return evidence, waits and not final
