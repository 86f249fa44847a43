"""`streamshark FILE`, or `streamshark overview FILE`: one screen about unknown captures."""

import sys
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.output import Output, terminal_width
from streamshark.cli.run import ended, reading, through
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.statistics import Statistics
from streamshark.dissection.row import FrameRow, Row
from streamshark.protocols.catalog import catalog, formats
from streamshark.session import Session, unread_findings
from streamshark.views import info
from streamshark.views.colour import Palette, wanted
from streamshark.views.overview import Overview
from streamshark.views.rule_reference import TCP

EVERY = 64
"""Number of packets between two collections of findings."""
WIDTH = 80
"""Columns where the output is not a terminal."""


@click.command("overview", context_settings=options.HELP, short_help="Summarise captures.")
@refuse_unsupported
@options.sources
@options.colouring
@options.strictness
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Summarise captures on one screen: contents, peers, worst findings, next commands.

    `streamshark FILE` does the same.

    \b
    streamshark overview capture.pcapng
    streamshark capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    protocols = catalog(given["paths"])
    shown = formats(given["paths"])
    with reading(given, protocols=protocols, formats=shown, puts_together=True) as session:
        width = terminal_width()
        overview = Overview(
            (*protocols, TCP),
            Palette(enabled=wanted(given["colour"], sys.stdout)),
            width or WIDTH,
            is_terminal=width > 0,
        )
        return _written(session, overview, given)


def _written(session: Session, overview: Overview, given: dict[str, Any]) -> int:
    """Read the captures and write the screen; return the exit code."""
    statistics = Statistics()
    analysis = session.analysis(rules=True)
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        if row.problems or not isinstance(row, FrameRow):
            problems += is_damage(row)
        statistics.take(row)
        if not row.packet % EVERY:
            overview.add(analysis.findings())

    ending = through(analysis.rows(), take)
    overview.add(analysis.findings())
    overview.add(unread_findings(session))
    output = Output(folds=True)
    output.write(overview.text(info.document(session, statistics)))
    output.flush()
    return ended(session, ending, strict=given["strict"], problems=problems)
