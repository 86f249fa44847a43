"""`streamshark stats`: how much, how fast, and where the time goes."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from streamshark.cli import options
from streamshark.cli.diagnostics import report_evictions
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output, complain, terminal_width
from streamshark.cli.parallel import ParallelOutput, jobs, jobs_of
from streamshark.cli.run import concluded, ended, reading, through
from streamshark.cli.short_filters import flow_filter, short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.conversation import Conversation
from streamshark.conversations.histogram import RELATIVE_ERROR
from streamshark.conversations.partial_statistics import PartialStatistics, total
from streamshark.conversations.statistics import Statistics
from streamshark.dissection.row import Row
from streamshark.flows.segment import Flow
from streamshark.protocols.catalog import formats
from streamshark.session import Session
from streamshark.splits.connection_share import DependentError
from streamshark.views import statistics_tables
from streamshark.views.colour import Palette, wanted
from streamshark.views.json import SCHEMA_VERSION, encoded
from streamshark.views.statistics import NAMES, ConnectionSource
from streamshark.views.statistics import sheets as sheets_of
from streamshark.views.tap_statistics import Tap, tap_of

if TYPE_CHECKING:
    from streamshark.analysis import Analysis
    from streamshark.parallel.messages import Others
    from streamshark.splits.connection_share import ShareReader


@click.command("stats", context_settings=options.HELP, short_help="Print statistics.")
@refuse_unsupported
@options.sources
@options.engine
@display_filter
@flow_filter
@short_filters
@options.form("text", "json", "csv", default="text")
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Choice(NAMES),
    metavar="TABLE",
    help=f"Show only this table: {', '.join(NAMES)}. Repeatable; -T csv takes one (default: "
    "commands).",
)
@click.option(
    "-z",
    "taps",
    multiple=True,
    metavar="STATISTIC",
    help="A statistic as in tshark: conv,PROTOCOL io,stat,SECONDS[,PROTOCOL...] "
    "expert[,SEVERITY] srt[,PROTOCOL]. Repeatable.",
)
@options.colouring
@options.int_strings
@options.strictness
@options.protocols
@jobs
@click.option(
    "-q", "quiet", is_flag=True, help="Accepted for compatibility with tshark; no rows are shown."
)
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Print statistics: commands, batches, streams, connections, TCP.

    Percentiles are accurate to 1 %; counts, means, minima and maxima are exact. Columns that do
    not fit the terminal are omitted; -T csv and -T json have all columns.

    \b
    streamshark stats capture.pcapng
    streamshark stats -T csv --table streams capture.pcapng
    streamshark stats -q -z io,stat,1,rmqstream -z srt capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    _check(given)
    judges = any(each.startswith("expert") for each in given["taps"])
    kinds = formats(given["paths"]) if judges else ()
    with reading(given, formats=kinds, puts_together=judges) as session:
        if given["taps"]:
            return _tapped(session, given)
        return _shown(session, given)


def _check(given: dict[str, Any]) -> None:
    """Raise a usage error for options that conflict."""
    if given["taps"] and (given["form"] != "text" or given["tables"]):
        raise click.UsageError("-z cannot be combined with -T or --table: it writes text")
    if given["form"] == "csv" and len(given["tables"]) > 1:
        raise click.UsageError("-T csv takes one --table")


WANTED: Final[dict[str, Any]] = {"conversations": True, "links": False}
"""Options of the analysis: no table shows which conversations belong together."""


def _shown(session: Session, given: dict[str, Any]) -> int:
    """Write the tables; return the exit code."""
    selection, statistics = Selection(given, session), Statistics()
    if selection.filter is None and (count := jobs_of(given)) > 1:
        code = _in_parallel(session, given, count)
        if code is not None:
            return code
    links = selection.filter is not None
    analysis = session.analysis(conversations=True, links=links, derives=selection.derives)
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        if selection.takes(row):
            statistics.take(row)
        statistics.end(selected(analysis.ended()))

    def selected(found: list[Conversation]) -> list[Conversation]:
        return [each for each in found if selection.has_conversation(each.id)]

    ending = through(analysis.rows(), take)
    analysis.finish()
    statistics.end(selected(analysis.ended()))
    selection.report()
    output = Output(folds=given["form"] == "text")
    output.write(_text(statistics, session, given))
    output.flush()
    for note in statistics.capped:
        complain(note)
    report_evictions(analysis.capped)
    return ended(session, ending, strict=given["strict"], problems=problems)


class _PartialView:
    """The statistics of the rows of one of `parts` processes."""

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.problems = 0
        self.statistics = PartialStatistics()
        self._analysis: Analysis | None = None

    def reads(self, analysis: "Analysis | None") -> None:
        """Take the analysis of the rows."""
        self._analysis = analysis

    def skip(self, others: "Others") -> None:
        """Do nothing: no row is shown."""

    def row(self, row: Row) -> str:
        """Count a row; return nothing to be shown."""
        statistics, analysis = self.statistics, self._analysis
        self.problems += is_damage(row)
        statistics.take(row)
        if analysis is not None and (ended := analysis.ended()):
            statistics.end_at(row, ended)
        if statistics.is_near_limits(self.parts):
            raise DependentError("there are too many streams, connections or requests")
        return ""

    def result(self, reader: "ShareReader") -> "_Part":
        """Return the statistics, and the connections that their tables show."""
        statistics, analysis = self.statistics, self._analysis
        if analysis is not None:
            statistics.end_last(analysis.ended())
            if analysis.capped:
                raise DependentError("limits were reached")
        connections = {
            number: (reader.tracker.flows[number], reader.dissector.client(number))
            for number in statistics.connections
        }
        return _Part(statistics.packed(), connections, self.problems)


class _Part(NamedTuple):
    """What one of several processes has found."""

    statistics: PartialStatistics
    connections: dict[int, tuple[Flow, int | None]]
    """Flow number to the flow, and the side that is the client."""
    problems: int


class _Connections:
    """The connections of all processes together."""

    def __init__(self, session: Session, parts: Iterable[_Part]) -> None:
        self.protocol_names = session.protocol_names
        self._known = {number: each for part in parts for number, each in part.connections.items()}

    def flow(self, number: int) -> Flow:
        """Return a TCP connection by its number."""
        return self._known[number][0]

    def client(self, number: int) -> int | None:
        """Return the side of a flow that is the client; None if it is not proved."""
        return self._known[number][1]


def _in_parallel(session: Session, given: dict[str, Any], count: int) -> int | None:
    """Read with several processes and write the tables; return the exit code.

    None, with nothing written, if one process must read the captures.
    """
    from streamshark.parallel.reading import ReadPlan  # noqa: PLC0415 - few use it

    parallel = ParallelOutput(session, lambda _text: None)
    plan = ReadPlan(
        count=count,
        sources=(*given["more"], *given["files"]),
        known=session.dissector.known,
        view=lambda _start: _PartialView(count),
        analysis=WANTED,
        limit=given["limit"],
        quiet=True,
    )
    ending = parallel.show(plan)
    if ending is None or ending.failed or ending.interrupted:
        return (
            None if ending is None else concluded(parallel.report, ending, strict=False, problems=0)
        )
    parts: list[_Part] = parallel.results
    statistics = total(each.statistics for each in parts)
    output = Output(folds=given["form"] == "text")
    output.write(_text(statistics, _Connections(session, parts), given))
    output.flush()
    problems = sum(each.problems for each in parts)
    return concluded(parallel.report, ending, strict=given["strict"], problems=problems)


def _text(statistics: Statistics, session: ConnectionSource, given: dict[str, Any]) -> str:
    """Return the tables in the chosen format."""
    names = given["tables"] or (("commands",) if given["form"] == "csv" else NAMES)
    chosen = [each for each in sheets_of(statistics, session) if each.name in names]
    if given["form"] == "csv":
        return "".join(map(statistics_tables.as_csv, chosen))
    if given["form"] == "json":
        return encoded(_document(statistics, chosen, given)) + "\n"
    palette = Palette(enabled=wanted(given["colour"], sys.stdout))
    width = terminal_width()
    return "\n".join(statistics_tables.text(each, palette, width) for each in chosen)


def _document(
    statistics: Statistics, chosen: list[statistics_tables.StatisticsTable], given: dict[str, Any]
) -> dict[str, Any]:
    first = statistics.first_ns
    return {
        "schema_version": SCHEMA_VERSION,
        "first_ns": str(first) if given["int_strings"] and first is not None else first,
        "duration_ns": statistics.duration_ns,
        "relative_error": RELATIVE_ERROR,
        "capped": statistics.capped,
        **{each.name: statistics_tables.as_json(each) for each in chosen},
    }


def _tapped(session: Session, given: dict[str, Any]) -> int:
    """Write tshark's statistics; return the exit code."""
    selection = Selection(given, session)
    taps: list[Tap] = [tap_of(text, session) for text in given["taps"]]
    analysis = session.analysis(
        rules=any(each.wants_findings for each in taps), derives=selection.derives
    )
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        if selection.takes(row):
            for each in taps:
                each.row(row)
        if found := list(filter(selection.has_finding, analysis.findings())):
            for each in taps:
                each.found(found)

    ending = through(analysis.rows(), take)
    analysis.finish()
    found = list(filter(selection.has_finding, analysis.findings()))
    selection.report()
    output, width = Output(folds=True), terminal_width()
    for each in taps:
        each.found(found)
        output.write(each.text(width))
    output.flush()
    return ended(session, ending, strict=given["strict"], problems=problems)
