"""What a report shows of captures, read in two passes: the findings, then their evidence."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from streamshark.conversations.statistics import Statistics
from streamshark.conversations.units import counted
from streamshark.dissection.masking import MaskedRow, SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import Finding, Severity
from streamshark.protocols.protocol import Protocol
from streamshark.session import ReadingReport, Session, unread_findings
from streamshark.sharing.time_series import TimeSeries
from streamshark.views import info
from streamshark.views.colour import Palette
from streamshark.views.findings import WorstFindings
from streamshark.views.hexdump import dump
from streamshark.views.packet_details import DetailRows
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.rule_reference import TCP
from streamshark.views.sequence_diagram import Diagram, Note
from streamshark.views.text import TextRows
from streamshark.views.times import Clock

EVERY: Final = 64
"""Packets between two collections of findings."""
MOST_FINDINGS: Final = 50
"""Most findings that are shown, the worst."""
MOST_FRAMES: Final = 120
"""Most frames whose tree and bytes are shown."""
MOST_OF_FINDING: Final = 8
"""Most frames of one finding that are shown."""
MOST_LADDERS: Final = 8
"""Most connections that are drawn."""
MOST_ARROWS: Final = 80
"""Most arrows of one of them."""
FIRST_ROWS: Final = 8
"""First rows of a connection, which are drawn in any case."""
AROUND: Final = 8
"""Frames of a connection that are drawn before and after one that proves a finding."""
MOST_NEAR: Final = 4
"""Most frames of a finding around which frames are drawn."""
MOST_DUMPED: Final = 2048
"""Most bytes of a frame that are shown."""
LONGEST_TREE: Final = 16_384
"""Most characters of a frame's tree that are shown."""


class ShownFrame(NamedTuple):
    """A frame that proves a finding."""

    number: int
    line: str
    tree: str
    bytes: str
    """Offsets, hex and text."""
    left_out: int
    """Bytes that are not shown."""


class Ladder(NamedTuple):
    """A connection as a sequence diagram."""

    flow: int
    diagram: Diagram
    times: dict[int, int]
    """Time in ns of each frame since the first packet."""
    findings: list[Finding]


class ReportContent(NamedTuple):
    """Everything that a report shows."""

    facts: dict[str, Any]
    """Those of `info.document`."""
    names: dict[str, str]
    """Id of each protocol to its title."""
    titles: dict[str, str]
    """Id of each rule to its title."""
    findings: list[Finding]
    """The worst, the worst first."""
    counts: list[tuple[Severity, int]]
    """All findings, by severity."""
    ends: dict[int, tuple[str, str]]
    """Addresses of the connections of these findings."""
    frames: dict[int, ShownFrame]
    ladders: list[Ladder]
    series: TimeSeries
    statistics: Statistics
    reading: ReadingReport
    """How the first reading ended."""
    unread: list[str]
    """What was not read, a sentence each."""


def report_of(opened: Callable[[], AbstractContextManager[Session]]) -> ReportContent:
    """Return what a report shows; `opened` opens the captures, and is called twice."""
    with opened() as session:
        worst, statistics, series = _judged(session)
        findings = worst.worst()
        facts = info.document(session, statistics)
        for each in facts["files"]:
            each["name"] = PurePath(each["name"]).name
        protocols = (*session.protocols, TCP)
        ends = {each.flow: session.flow(each.flow).addresses for each in findings}
        unread = [_without_folders(each, session) for each in _unread(session, facts)]
        reading = session.report()
    with opened() as session:
        evidence = _Evidence(session, findings)
        evidence.read()
    return ReportContent(
        facts=facts,
        names={each.wire.id: each.title for each in protocols},
        titles=_titles(protocols),
        findings=findings,
        counts=worst.counts(),
        ends=ends,
        frames=evidence.frames,
        ladders=evidence.ladders(),
        series=series,
        statistics=statistics,
        reading=reading,
        unread=unread,
    )


def _judged(session: Session) -> tuple[WorstFindings, Statistics, TimeSeries]:
    """Read all rows for their findings, statistics and times."""
    worst, statistics, series = WorstFindings(MOST_FINDINGS), Statistics(), TimeSeries()
    analysis = session.analysis(rules=True, conversations=True)
    for row in analysis.rows():
        statistics.take(row)
        statistics.end(analysis.ended())
        if isinstance(row, FrameRow):
            series.take(row)
        if row.packet % EVERY == 0:
            worst.add(analysis.findings())
    statistics.end(analysis.ended())
    worst.add(analysis.findings())
    worst.add(unread_findings(session))
    return worst, statistics, series


def _titles(protocols: Iterable[Protocol]) -> dict[str, str]:
    return {rule.id: rule.title for each in protocols for rule in reversed(each.rules)}


def _unread(session: Session, facts: dict[str, Any]) -> Iterator[str]:
    """Yield what could not be read."""
    for name, shown in session.dissector.damage:
        yield f"{name}: {shown}"
    if lost := facts["bytes"]["lost"]:
        yield f"{counted(lost, 'byte')} of recognised connections are not in the capture"
    for reason, count in facts["bytes"]["skipped"].items():
        yield f"{counted(count, 'byte')} skipped: {reason}"
    for each in facts["unrecognised"][:MOST_LADDERS]:
        kind = "TLS" if each["tls"] else each["carrier"] or "unknown protocol"
        ends = " -> ".join(each["ends"])
        yield f"connection {each['flow']} {ends}: {kind}, {counted(each['payload'], 'byte')}"
    more = len(facts["unrecognised"]) - MOST_LADDERS
    if more > 0:
        yield f"{counted(more, 'more connection')} of no known protocol"
    for name, count in facts["no_tcp"].items():
        if count:
            yield f"{counted(count, 'packet')}: {name.replace('_', ' ')}"
    yield from facts["notes"]


def _without_folders(text: str, session: Session) -> str:
    """Return a sentence that names files without their folders, which others need not know."""
    for each in session.captures:
        text = text.replace(each.name, PurePath(each.name).name)
    return text


class _Evidence:
    """The frames that prove findings, and their connections."""

    def __init__(self, session: Session, findings: list[Finding]) -> None:
        self._session = session
        self._mask = SecretMask(session.layers)
        palette = Palette(enabled=False)
        files = [PurePath(each.name).name for each in session.captures]
        files = files if len(files) > 1 else []
        bodies = PayloadTree(session.layers, "decoded")
        self._details = DetailRows(palette, secrets=False, files=files, bodies=bodies)
        clock = Clock("r", lambda: session.started_ns)
        self._lines = TextRows(clock, palette, files=files, layers=session.layers)
        self._wanted = set(_wanted(findings))
        self._by_flow: dict[int, list[Finding]] = {}
        for each in findings:
            if each.flow in self._by_flow or len(self._by_flow) < MOST_LADDERS:
                self._by_flow.setdefault(each.flow, []).append(each)
        self._ladders = {flow: _LadderRows(each) for flow, each in self._by_flow.items()}
        self.frames: dict[int, ShownFrame] = {}

    def read(self) -> None:
        """Read all rows."""
        session = self._session
        analysis = session.analysis(derives=lambda _table: True, in_full=True)
        for row in analysis.rows():
            ladder = self._ladders.get(row.connection.flow.number)
            if ladder is not None:
                ladder.row(row, session.started_ns or 0)
            if isinstance(row, FrameRow) and row.number in self._wanted:
                self.frames[row.number] = self._shown(row)

    def ladders(self) -> list[Ladder]:
        """Return the connections that were drawn, in the order of their worst findings."""
        return [
            Ladder(flow, each.diagram, each.times, each.findings)
            for flow, each in self._ladders.items()
            if each.diagram.items
        ]

    def _shown(self, row: FrameRow) -> ShownFrame:
        masked = self._mask.frame(row)
        tree = self._details.row(masked)
        if len(tree) > LONGEST_TREE:
            cut = tree[:LONGEST_TREE].rpartition("\n")[0]
            tree = f"{cut}\n... {counted(tree.count(chr(10)) - cut.count(chr(10)), 'more line')}\n"
        hidden = masked.hidden if isinstance(masked, MaskedRow) else []
        spans = [
            each._replace(end=min(each.end, MOST_DUMPED))
            for each in hidden
            if each.start < MOST_DUMPED
        ]
        line = self._lines.row(masked).strip()
        data = dump(masked.data[:MOST_DUMPED], spans)
        return ShownFrame(row.number, line, tree, data, max(len(row.data) - MOST_DUMPED, 0))


def _wanted(findings: Iterable[Finding]) -> Iterator[int]:
    """Yield the numbers of the frames that are shown: first the guilty frame of each finding."""
    chosen: dict[int, None] = {}
    for at in range(MOST_OF_FINDING):
        for each in findings:
            if at < len(each.frames):
                chosen[each.frames[at]] = None
    yield from list(chosen)[:MOST_FRAMES]


class _LadderRows:
    """The rows of one connection that are drawn."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self.diagram = Diagram(MOST_ARROWS)
        self.times: dict[int, int] = {}
        self._near = sorted({number for each in findings for number in each.frames[:MOST_NEAR]})
        self._rows = self._skipped = 0

    def row(self, row: Row, started_ns: int) -> None:
        """Add a row, unless it is far from all that proves something."""
        self._rows += 1
        if isinstance(row, FrameRow) and not self._is_near(row.number):
            self._skipped += 1
            return
        if self._skipped:
            text = f"{counted(self._skipped, 'frame')} not drawn"
            if len(self.diagram.participants) > 1:
                self.diagram.items.append(Note((0, 1), text))
            self._skipped = 0
        self.diagram.row(row)
        if isinstance(row, FrameRow):
            self.times[row.number] = row.time_ns - started_ns

    def _is_near(self, number: int) -> bool:
        """Return whether a frame is among the first, or near one that proves a finding."""
        at = bisect_left(self._near, number - AROUND)
        is_close = at < len(self._near) and self._near[at] <= number + AROUND
        return self._rows <= FIRST_ROWS or is_close
