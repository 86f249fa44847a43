"""Connect the stages for one source: captures in, rows out. All interfaces use this module.

`streamshark.open(...)` is the public API; commands and other interfaces read `Session.rows`.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from streamshark.analysis import Analysis
from streamshark.answers import KnownAnswers
from streamshark.capture import Capture, open_capture
from streamshark.capture.merge import TimeOrder, merged, steady
from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import Source
from streamshark.decoding.payloads import Format
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import Frame, FrameRow, Row, frame_of
from streamshark.dissector import Dissector, KnownProtocols
from streamshark.flows.segment import Flow
from streamshark.framing.carrier import Carrier
from streamshark.protocols.protocol import Protocol
from streamshark.retirement import Unrecognised
from streamshark.row_order import RowOrder

if TYPE_CHECKING:
    from streamshark.findings.finding import Finding

IDLE = 0.25
"""Seconds without a packet after which a live reading checks the clock."""


class ReadingReport(NamedTuple):
    """What is known of a reading that is over, besides its rows."""

    names: Sequence[str]
    """Names of the captures."""
    protocols: Sequence[str]
    """Ids of the known protocols."""
    packets: int
    frames: int
    damage: Sequence[tuple[str, str]]
    """(file, sentence) for each capture of which not everything could be read."""
    notes: Sequence[str]
    """Further sentences."""
    unrecognised: Sequence[Unrecognised]
    """The connections with payload that were not recognised."""
    is_spoken: bool
    """Whether any connection was recognised."""
    is_followed: bool = False
    """Whether the captures were followed while they were written."""
    failed: Mapping[tuple[str, str], int] = MappingProxyType({})
    """Event (`refused`, `unanswered`) and endpoint to the number of failed attempts to connect."""


class Session:
    """One reading of one or several captures.

    `decode_as` maps a TCP port to a protocol or carrier (`-d tcp.port==N,protocol`), `dialects` a
    protocol id to the dialect to read (`-o <short>.dialect:NAME`); `limit` is the most packets
    read. With `live`, no row waits longer than a second for another connection. `keylog` is the
    path of a TLS key log (`-o tls.keylog_file:PATH`); `preferences` are those of tshark, as its
    `-o` takes them, by whose keys TLS is decrypted. `protocols`, `formats` and `carriers` are those
    known, by default all that are installed. `decrypts` is False if TLS is not to be decrypted by
    the secrets in the captures. `puts_together` is False if reassembled bodies are not needed.
    Frames come without secrets (passwords, tokens) unless `show_secrets`; rows have them.
    `describe` returns the line of a row, which its frame prints.
    """

    def __init__(  # noqa: PLR0913 - the options of a reading
        self,
        sources: Iterable[str | Source],
        *,
        protocols: tuple[Protocol, ...] | None = None,
        decode_as: Mapping[int, str] | None = None,
        dialects: Mapping[str, str] | None = None,
        limit: int | None = None,
        live: bool = False,
        formats: tuple[Format, ...] | None = None,
        carriers: tuple[Carrier, ...] | None = None,
        keylog: str | None = None,
        preferences: Sequence[str] = (),
        decrypts: bool = True,
        puts_together: bool = True,
        show_secrets: bool = False,
        describe: Callable[[Row], str] | None = None,
    ) -> None:
        known = KnownProtocols.of(protocols, decode_as, dialects, formats, carriers)
        self.protocols, self.layers, self.tables = known.protocols, known.layers, known.tables
        self.limit, self.live, self.show_secrets = limit, live, show_secrets
        self._describe = describe
        self.dissector = Dissector(
            known,
            order=RowOrder(live=live),
            keylog=keylog,
            preferences=preferences,
            decrypts=decrypts,
            puts_together=puts_together,
        )
        self.captures: list[Capture] = self.dissector.captures
        self.captures += (open_capture(source, index) for index, source in enumerate(sources))
        self._begun = 0
        """Number of captures that are being read, or have been."""
        self.frames = 0
        """Number of frames yielded so far."""
        self.is_over = False
        """Whether the rows come that only the end of the captures completes."""
        self.started_ns: int | None = None
        """Time in ns of the first packet; None before it was read."""
        self.idle: float | None = IDLE if live else None
        """Seconds of silence after which a live reading yields an empty batch; None for never."""
        self._read_ns = self._silent_ns = 0
        self._packets = TimeOrder()
        self._observers: list[Callable[[PacketBatch], object]] = []

    # Rows

    def rows(self) -> Iterator[Row]:
        """Return frames and events, numbered, in the order (time, file, packet, flow, offset).

        If the clock was set back in a capture, the rows before that come first.
        """
        yield from self.read()
        yield from self.finish()

    def read(self) -> Iterator[Row]:
        """Return the rows of `rows`, without those that only the end of the captures completes.

        More captures may then be added to `captures`, and read by another call.
        """
        return itertools.chain.from_iterable(map(self._numbered, self._windows()))

    def finish(self) -> Iterator[Row]:
        """Return the remaining rows: there are no more captures."""
        return itertools.chain.from_iterable(map(self._numbered, self._last()))

    def batches(self) -> Iterator[list[Row]]:
        """Return the rows of `rows`, as one list for each batch of packets."""
        for rows in itertools.chain(self._windows(), self._last()):
            number = self.frames
            for row in rows:
                if row.__class__ is FrameRow:
                    number += 1
                    row.give(number)
            self.frames = number
            yield rows

    def __iter__(self) -> Iterator[Frame]:
        """Return the rows as immutable records."""
        hide = None if self.show_secrets else SecretMask(self.layers).row
        return (frame_of(row, hide, self._describe) for row in self.rows())

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the captures."""
        self.close()

    def close(self) -> None:
        """Close the captures, and stop what decrypts TLS."""
        self.dissector.decryption.close()
        for each in self.captures:
            each.close()

    def analysis(
        self,
        *,
        rules: bool = False,
        silenced: frozenset[str] = frozenset(),
        follow: bool = False,
        matches: bool = False,
        **wanted: Any,  # noqa: ANN401 - as in `Analysis`
    ) -> Analysis:
        """Return the analysis of the rows; `wanted` are the options of `Analysis`.

        With `follow`, `Analysis.news` returns findings as they change; with `matches`,
        `Analysis.matches` has the frames at which rules match. Stories need `rules`.
        """
        judge = None
        if rules:
            from streamshark.findings.judge import Judge  # noqa: PLC0415 - only who judges loads it

            judge = Judge(silenced, follow=follow, matches=matches)
        return Analysis(self, judge, **wanted)

    def _windows(self) -> Iterator[list[Row]]:
        """Return rows without numbers, of the captures that were added last."""
        fresh = self.captures[self._begun :]
        self._begun = len(self.captures)
        dissector, order, decryption = (
            self.dissector,
            self.dissector.order,
            self.dissector.decryption,
        )
        read = merged(fresh, self.limit, self.idle)
        for batch, is_set_back in steady(read, self._packets, live=self.idle is not None):
            if not batch.times:
                self._silent_ns = time.monotonic_ns() - self._read_ns
                yield order.ready([], self.now_ns, dissector.stray, decryption.waiting_since)
                continue
            self._read_ns, self._silent_ns = time.monotonic_ns(), 0
            if is_set_back:
                yield order.flush()
            if self.started_ns is None:
                self.started_ns = batch.times[0]
            for take in self._observers:
                take(batch)
            rows = dissector.feed(batch)
            rows += dissector.retire_due()
            yield order.add(rows, batch.times[-1], dissector.stray, decryption.waiting_since)

    def _numbered(self, rows: list[Row]) -> Iterator[Row]:
        """Yield rows one by one, and number each frame when it is yielded."""
        for row in rows:
            if row.__class__ is FrameRow:
                self.frames = number = self.frames + 1
                row.give(number)
            yield row

    def _last(self) -> Iterator[list[Row]]:
        order, self.is_over = self.dissector.order, True
        yield order.finish(self.dissector.finish(order.end))

    def on_packets(self, take: Callable[[PacketBatch], object]) -> None:
        """Call a function with each batch of packets before it is dissected."""
        self._observers.append(take)

    # State so far

    def report(self) -> ReadingReport:
        """Return what commands report of the reading besides its rows, once it is over."""
        return ReadingReport(
            names=[each.name for each in self.captures],
            protocols=[each.wire.id for each in self.protocols],
            packets=sum(each.packets for each in self.captures),
            frames=self.frames,
            damage=self.dissector.damage,
            notes=self.dissector.notes,
            unrecognised=self.dissector.unrecognised,
            is_spoken=bool(self.dissector.spoken),
            is_followed=any(each.is_followed for each in self.captures),
            failed=self.dissector.retirement.failed,
        )

    @property
    def yielded_ns(self) -> int:
        """Time in ns before which all rows were yielded: now, or that of the first held row."""
        order = self.dissector.order
        held = [] if order.first_held is None else [order.first_held[0]]
        latest = [] if order.latest_ns is None else [order.latest_ns]
        return min([self.now_ns, *held, *latest])

    @property
    def now_ns(self) -> int:
        """Time in ns of the last packet, plus the silence of a live source since; 0 at first."""
        return self.dissector.tracker.last[0] + self._silent_ns

    @property
    def protocol_names(self) -> dict[str, str]:
        """Id of each known protocol to its short name."""
        return {each.wire.id: each.wire.short for each in self.protocols}

    def flow(self, number: int) -> Flow:
        """Return a TCP connection by its number."""
        return self.dissector.tracker.flows[number]

    def client(self, number: int) -> int | None:
        """Return the side of a flow that is the client; None if it is not proved."""
        return self.dissector.client(number)

    def state(self) -> dict[str, Any]:
        """Return the state between two batches, for a session made with the same options."""
        return {
            "dissector": self.dissector.state(),
            "frames": self.frames,
            "packets": self._packets,
            "started_ns": self.started_ns,
        }

    def resume(self, state: Mapping[str, Any], captures: Iterable[Capture]) -> None:
        """Continue from a state, after the captures that were read for it."""
        self.dissector.resume(state["dissector"], captures)
        self._begun = len(self.captures)
        self.frames, self.started_ns = state["frames"], state["started_ns"]
        self._packets = state["packets"]


def answers_of(session: Session) -> KnownAnswers:
    """Return which frames answer which, and the findings of frames; reads the whole session."""
    analysis = session.analysis(in_full=True, rules=True)
    known = KnownAnswers.of(analysis.rows(), analysis.engine.unanswered)
    analysis.finish()
    known.add(analysis.findings())
    return known


def unread_findings(session: Session) -> "list[Finding]":
    """Return findings about connections that no reader recognised."""
    return unread_of(session.dissector.unrecognised, alone=not session.frames)


def unread_of(unrecognised: Iterable[Unrecognised], *, alone: bool) -> "list[Finding]":
    """Return findings about connections that no reader recognised.

    Args:
        unrecognised: The connections.
        alone: Whether no frame was read.
    """
    from streamshark.findings.tcp import UnreadConnection, unread  # noqa: PLC0415 - as `Judge`

    return unread(
        (
            UnreadConnection(
                flow=each.flow,
                server=each.server,
                payload=each.payload,
                packet=each.packet,
                file=each.file,
                what=each.kind,
                ours=each.is_known,
            )
            for each in unrecognised
        ),
        alone=alone,
    )
