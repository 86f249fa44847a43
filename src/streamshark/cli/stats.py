"""`streamshark stats`: how much, how fast, and where the time goes."""

import sys
from shutil import get_terminal_size
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.diagnostics import report_evictions
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output, complain
from streamshark.cli.run import ended, reading, through
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.conversation import Conversation
from streamshark.conversations.histogram import RELATIVE_ERROR
from streamshark.conversations.statistics import Statistics
from streamshark.dissection.row import Row
from streamshark.session import Session
from streamshark.views import statistics_tables
from streamshark.views.colour import Palette, wanted
from streamshark.views.json import SCHEMA_VERSION, encoded
from streamshark.views.statistics import NAMES
from streamshark.views.statistics import sheets as sheets_of
from streamshark.views.tap_statistics import Tap, tap_of


@click.command("stats", context_settings=options.HELP, short_help="Print statistics.")
@refuse_unsupported
@options.sources
@display_filter
@options.form("text", "json", "csv", default="text")
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Choice(NAMES),
    help="Show only this table. Repeatable; -T csv takes one (default: commands).",
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
    with reading(given) as session:
        if given["taps"]:
            return _tapped(session, given)
        return _shown(session, given)


def _check(given: dict[str, Any]) -> None:
    """Raise a usage error for options that conflict."""
    if given["taps"] and (given["form"] != "text" or given["tables"]):
        raise click.UsageError("-z cannot be combined with -T or --table: it writes text")
    if given["form"] == "csv" and len(given["tables"]) > 1:
        raise click.UsageError("-T csv takes one --table")


def _shown(session: Session, given: dict[str, Any]) -> int:
    """Write the tables; return the exit code."""
    selection, statistics = Selection(given, session), Statistics()
    analysis = session.analysis(conversations=True, derives=selection.derives)
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
    output = Output()
    output.write(_text(statistics, session, given))
    output.flush()
    for note in statistics.capped:
        complain(note)
    report_evictions(analysis.capped)
    return ended(session, ending, strict=given["strict"], problems=problems)


def _text(statistics: Statistics, session: Session, given: dict[str, Any]) -> str:
    """Return the tables in the chosen format."""
    names = given["tables"] or (("commands",) if given["form"] == "csv" else NAMES)
    chosen = [each for each in sheets_of(statistics, session) if each.name in names]
    if given["form"] == "csv":
        return "".join(map(statistics_tables.as_csv, chosen))
    if given["form"] == "json":
        return encoded(_document(statistics, chosen, given)) + "\n"
    palette = Palette(enabled=wanted(given["colour"], sys.stdout))
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
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
    output = Output()
    for each in taps:
        each.found(found)
        output.write(each.text())
    output.flush()
    return ended(session, ending, strict=given["strict"], problems=problems)
