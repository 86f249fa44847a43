"""Statistics under tshark's names (`-z`), in tshark's form, of frames instead of packets.

Supported are `conv,PROTOCOL` (`conv,tcp` for all), `io,stat,SECONDS[,PROTOCOL...]`,
`expert[,SEVERITY]`, and `srt[,PROTOCOL]`, which is also `PROTOCOL,srt` as in `smb,srt`. In tshark a
filter is a display filter; here it is the name of a protocol, which means the same as a display
filter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from streamshark.conversations.statistics import (
    OTHER_FLOWS,
    OTHERS,
    DirectionTotals,
    Statistics,
    Traffic,
)
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding, Severity
from streamshark.protocols.catalog import find
from streamshark.session import Session
from streamshark.views.escaping import printable
from streamshark.views.statistics_tables import spread
from streamshark.views.text_table import grid

KNOWN = "conv,PROTOCOL; io,stat,SECONDS[,PROTOCOL...]; expert[,SEVERITY]; srt[,PROTOCOL]"
MOST_INTERVALS = 100_000
"""Most lines of io,stat; a longer capture needs longer intervals."""
MOST_SUMMARIES = 10_000
"""Most distinct lines of expert; later findings are counted as others."""
_LEVELS = {"error": "error", "warn": "warning", "note": "note", "chat": "chat"}
"""Severity of each of tshark's words."""
_NS = 1_000_000_000
COUNTED = "Frames and bytes are those of protocols: no packets, no headers of TCP and below"
"""What `conv` counts, where tshark counts packets."""
SENDERS = ("client", "server")


class Tap:
    """A statistic: collects rows and findings, and writes a text at the end."""

    wants_findings = False

    def row(self, row: Row) -> None:
        """Add a row."""

    def found(self, findings: Iterable[Finding]) -> None:
        """Add findings."""

    def text(self, width: int = 0) -> str:
        """Return the text of the statistic, for a terminal of so many columns; 0: any width."""
        raise NotImplementedError


def tap_of(text: str, session: Session) -> Tap:
    """Return the statistic that a text names.

    Raises:
        StreamsharkError: No such statistic is known, or its arguments are wrong.
    """
    match text.split(","):
        case ["conv", protocol]:
            return Conversations(session, _chosen(protocol, session))
        case ["io", "stat", interval, *filters]:
            return Intervals(session, _seconds(text, interval), filters)
        case ["expert"]:
            return Expert("chat")
        case ["expert", level] if level in _LEVELS:
            return Expert(_LEVELS[level])
        case ["expert", level, *_]:
            if level in _LEVELS:
                raise StreamsharkError(f"-z {text}: {_NO_FILTER}")
            raise StreamsharkError(f"-z {text}: severities are {', '.join(_LEVELS)}")
        case ["srt"]:
            return ResponseTimes(session, None)
        case ["srt", protocol] | [protocol, "srt"]:
            return ResponseTimes(session, _chosen(protocol, session))
    raise StreamsharkError(f"-z {text}: unknown statistic (known: {KNOWN})")


_NO_FILTER = "display filters are not supported yet; use the name of a protocol"


def _seconds(text: str, interval: str) -> int:
    try:
        seconds = float(interval)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:  # noqa: PLR2004 - thirty years
        raise StreamsharkError(f"-z {text}: {interval!r} is not a number of seconds")
    return round(seconds * _NS)


def _chosen(name: str, session: Session) -> str | None:
    """Return the id of a protocol; None for tcp, which means all."""
    return None if name == "tcp" else find(name, session.protocols).wire.id


class _ConversationRow(NamedTuple):
    """A line of `conv`."""

    one: str
    other: str
    """The addresses."""
    ways: tuple[DirectionTotals, DirectionTotals, DirectionTotals]
    """To the first address, to the other one, in total."""
    since: float
    lasted: float
    """Seconds from the start of the capture, and to the last frame."""


class Conversations(Tap):
    """`conv`: the traffic of each connection."""

    def __init__(self, session: Session, protocol: str | None) -> None:
        self.session = session
        self.protocol = protocol
        self.statistics = Statistics()

    def row(self, row: Row) -> None:
        """Add a frame of the protocol."""
        if _is_of(row, self.protocol):
            self.statistics.take(row)

    def text(self, width: int = 0) -> str:
        """Return a table in tshark's form; frames and bytes are the protocol's, not TCP's.

        On a narrower terminal columns are as wide as their cells, and those that do not fit are
        omitted.
        """
        lines = self._full()
        if width and max(map(len, lines)) > width:
            lines = self._narrow(width)
        name = f"{self.protocol or 'TCP'} Conversations"
        return "\n".join(["=" * 80, name, "Filter:<No Filter>", COUNTED, *lines, "=" * 80, ""])

    def _rows(self) -> Iterator[_ConversationRow]:
        start = self.session.started_ns or 0
        for number, traffic in self.statistics.connections.items():
            one, other, client = self._ends(number)
            back, there = traffic.way(SENDERS[1 - client]), traffic.way(SENDERS[client])
            ways = (back, there, DirectionTotals(*map(sum, zip(*_sizes(traffic), strict=True))))
            since, lasted = traffic.first_ns - start, max(traffic.last_ns - traffic.first_ns, 0)
            yield _ConversationRow(one, other, ways, since / _NS, lasted / _NS)

    def _full(self) -> list[str]:
        """Return all columns, as wide as tshark's."""
        rows = list(self._rows())
        width = max([20, *(len(end) for row in rows for end in row[:2])])
        left = " " * (2 * width + 6)
        first = "| |".join(f"{each:^19}" for each in ("<-", "->", "Total"))
        second = "| |".join([" Frames      Bytes "] * 3)
        lines = [
            f"{left}|{first}|    Relative    |   Duration",
            f"{left}|{second}|      Start     |",
        ]
        for one, other, ways, since, lasted in rows:
            cells = "   ".join(f"{way.frames:>6} {way.size:>10}" for way in ways)
            ends = f"{one:<{width}} <-> {other:<{width}}"
            lines.append(f"{ends}   {cells}   {since:>16.9f}   {lasted:>10.4f}")
        return lines

    def _narrow(self, width: int) -> list[str]:
        """Return the columns that fit a terminal."""
        rows = list(self._rows())
        ones, others = _padded([each.one for each in rows]), _padded([each.other for each in rows])
        ends = ["", "", *map(" <-> ".join, zip(ones, others, strict=True))]
        table = {
            name: [f"{name:^{len(cells[0])}}", *cells]
            for at, name in enumerate(("<-", "->", "Total"))
            if (cells := _counts([each.ways[at] for each in rows]))
        }
        table["Start"] = ["Relative", "Start", *(f"{each.since:.3f}" for each in rows)]
        table["Duration"] = ["", "Duration", *(f"{each.lasted:.3f}" for each in rows)]
        lines = _beside(ends, table.values())
        for spare in ("Start", "Total", "Duration"):
            if max(map(len, lines)) > width:
                del table[spare]
                lines = _beside(ends, table.values())
        return lines

    def _ends(self, number: int) -> tuple[str, str, int]:
        """Return both addresses, and whether the first is the client (0) or the server (1)."""
        if number == OTHER_FLOWS:
            return OTHERS, "", 0
        here, there = self.session.dissector.tracker.flows[number].addresses
        return here, there, self.session.dissector.client(number) or 0


def _sizes(traffic: Traffic) -> list[tuple[int, int]]:
    """Return frames and bytes of every direction, those of unknown senders included."""
    return [(way.frames, way.size) for way in traffic.ways.values()]


class Intervals(Tap):
    """`io,stat`: frames and bytes per interval, with a column per protocol."""

    def __init__(self, session: Session, interval_ns: int, filters: Sequence[str]) -> None:
        self.session = session
        self.interval_ns = interval_ns
        """Length of an interval; 0 for one interval in all."""
        self.heads = list(filters) or ["all protocols"]
        try:
            self.protocols = [_chosen(each, session) for each in filters if each] or [None]
        except StreamsharkError as error:
            raise StreamsharkError(f"-z io,stat: {error}; {_NO_FILTER}") from None
        self.counts: dict[int, list[int]] = {}
        self.last_ns = 0

    def row(self, row: Row) -> None:
        """Add a frame to its interval."""
        start = self.session.started_ns
        if not isinstance(row, FrameRow) or start is None:
            return
        since = max(row.time_ns - start, 0)
        self.last_ns = max(self.last_ns, since)
        at = since // self.interval_ns if self.interval_ns else 0
        if at >= MOST_INTERVALS:
            raise StreamsharkError(
                f"-z io,stat: more than {MOST_INTERVALS:,} intervals; choose a longer one"
            )
        counts = self.counts.get(at)
        if counts is None:
            counts = self.counts[at] = [0] * (2 * len(self.protocols))
        for index, protocol in enumerate(self.protocols):
            if _is_of(row, protocol):
                counts[2 * index] += 1
                counts[2 * index + 1] += len(row.data)

    def text(self, width: int = 0) -> str:  # noqa: ARG002 - short lines
        """Return a table in tshark's form, intervals without frames included."""
        seconds = (self.interval_ns or self.last_ns) / _NS
        places = 3 if seconds < 1 or seconds % 1 else 0
        last = max(self.counts, default=-1)
        zeros = [0] * (2 * len(self.protocols))
        room = max(len(f"{(last + 1) * seconds:.{places}f}"), 2)
        lines = []
        for at in range(last + 1):
            begin, end = (f"{(at + more) * seconds:>{room}.{places}f}" for more in (0, 1))
            counts = self.counts.get(at, zeros)
            cells = "|".join(
                f" {counts[index]:>6} | {counts[index + 1]:>10} "
                for index in range(0, len(counts), 2)
            )
            lines.append(f"| {begin} <> {end} |{cells}|")
        first = f"| {'Interval':<{2 * room + 4}} |"
        heads = first + "|".join(" Frames |      Bytes " for _ in self.protocols) + "|"
        rule, thin = "=" * len(heads), "|" + "-" * (len(heads) - 2) + "|"
        facts = [
            "IO Statistics",
            f"Duration: {self.last_ns / _NS:.3f} secs",
            f"Interval: {seconds:g} secs",
            *(f"Col {index}: {head}" for index, head in enumerate(self.heads, 1)),
        ]
        boxed = [f"| {each:<{len(heads) - 4}} |" for each in facts]
        return "\n".join([rule, *boxed, thin, heads, thin, *lines, rule, ""])


class Expert(Tap):
    """`expert`: findings, counted by severity, group, protocol and rule."""

    wants_findings = True

    def __init__(self, least: str) -> None:
        self.least = Severity(least).rank
        self.counts: Counter[tuple[str, str, str, str]] = Counter()

    def found(self, findings: Iterable[Finding]) -> None:
        """Add findings, and their echoes."""
        for finding in findings:
            for each in (finding, *finding.echoes):
                if Severity(each.severity).rank >= self.least:
                    summary = printable(f"{each.rule} {each.message}")
                    key = (each.severity, each.group, each.protocol, summary)
                    if key not in self.counts and len(self.counts) >= MOST_SUMMARIES:
                        key = (each.severity, each.group, each.protocol, f"{each.rule} (others)")
                    self.counts[key] += each.count

    def text(self, width: int = 0) -> str:  # noqa: ARG002 - long summaries are folded
        """Return tables in tshark's form, the most severe first."""
        parts = []
        names = {"error": "Errors", "warning": "Warns", "note": "Notes", "chat": "Chats"}
        for severity, name in names.items():
            chosen = [(key, count) for key, count in self.counts.items() if key[0] == severity]
            if not chosen:
                continue
            total = sum(count for _, count in chosen)
            parts += [
                f"\n{name} ({total})",
                "=============",
                f"{'Frequency':>12}      {'Group':<13}{'Protocol':>16}  Summary",
            ]
            parts += [
                f"{count:>12}  {group.capitalize():>11}  {protocol:>20}  {summary}"
                for (_, group, protocol, summary), count in sorted(
                    chosen, key=lambda each: -each[1]
                )
            ]
        return "\n".join([*parts, ""])


class ResponseTimes(Tap):
    """`srt`: service response times of each command."""

    def __init__(self, session: Session, protocol: str | None) -> None:
        self.session = session
        self.protocol = protocol
        self.statistics = Statistics()

    def row(self, row: Row) -> None:
        """Add a frame."""
        if _is_of(row, self.protocol):
            self.statistics.take(row)

    def text(self, width: int = 0) -> str:
        """Return a table per protocol in tshark's form, with percentiles; times in seconds.

        On a terminal, columns that do not fit are omitted.
        """
        parts = ["=" * 80]
        ids = dict.fromkeys(protocol for protocol, _ in self.statistics.commands)
        for protocol in ids:
            timed = [
                (name, each.times)
                for (other, name), each in self.statistics.commands.items()
                if other == protocol and each.times.count
            ]
            rows = [
                [str(index), name, str(times.count)]
                + [f"{(at or 0) / _NS:.6f}" for at in (*spread(times), times.total)]
                for index, (name, times) in enumerate(timed)
            ]
            parts += [f"{protocol} SRT Statistics:", "Filter:<No Filter>", *_fitted(rows, width)]
        return "\n".join([*parts, "=" * 80, ""])


_SRT = (
    *("Index", "Command", "Calls", "Min SRT", "Avg SRT", "p50", "p95", "p99", "Max SRT"),
    "Sum SRT",
)
_SPARE = ("p99", "Sum SRT", "Min SRT", "Index", "p95")
"""Columns that are omitted if lines are too long, in this order."""


def _fitted(rows: list[list[str]], width: int) -> list[str]:
    """Return the lines of a table of response times, with the columns that fit."""
    heads, spare = list(_SRT), list(_SPARE)
    lines = grid(heads, rows)
    while width and spare and max(map(len, lines), default=0) > width:
        at = heads.index(spare.pop(0))
        heads, rows = heads[:at] + heads[at + 1 :], [each[:at] + each[at + 1 :] for each in rows]
        lines = grid(heads, rows, width=0 if spare else width)
    return lines


def _padded(cells: Sequence[str], *, right: bool = False) -> list[str]:
    """Return cells of one width."""
    width = max(map(len, cells), default=0)
    return [each.rjust(width) if right else each.ljust(width) for each in cells]


def _beside(left: Sequence[str], columns: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of columns, of which the first is aligned to the left."""
    cells = [_padded(left), *(_padded(each, right=True) for each in columns)]
    return ["  ".join(each).rstrip() for each in zip(*cells, strict=True)]


def _counts(ways: Sequence[DirectionTotals]) -> list[str]:
    """Return the cells with frames and bytes of one direction, the head first."""
    frames = _padded(["Frames", *(str(each.frames) for each in ways)], right=True)
    sizes = _padded(["Bytes", *(str(each.size) for each in ways)], right=True)
    return [f"{one} {other}" for one, other in zip(frames, sizes, strict=True)]


def _is_of(row: Row, protocol: str | None) -> bool:
    """Return whether a row is a frame of a protocol; of any protocol for None."""
    return isinstance(row, FrameRow) and protocol in (None, row.connection.wire.id)
