"""`streamshark info`: a summary of captures."""

import sys
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.output import Output, terminal_width
from streamshark.cli.run import ended, reading, through
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.statistics import Statistics
from streamshark.dissection.row import Row
from streamshark.session import Session
from streamshark.views import info
from streamshark.views.colour import Palette, wanted
from streamshark.views.json import encoded


@click.command("info", context_settings=options.HELP, short_help="Summarise captures.")
@refuse_unsupported
@options.sources
@options.engine
@options.form("text", "json", default="text")
@options.colouring
@options.int_strings
@options.strictness
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Summarise captures: files, times, connections and their peers, protocols, losses.

    Framed, skipped and lost bytes add up to the TCP payload of the connections.

    \b
    streamshark info capture.pcapng
    streamshark info -T json capture.pcapng | jq '.connections[].context'
    """  # noqa: D301 - click's mark for lines that stay
    with reading(given) as session:
        return _summarised(session, given)


def _summarised(session: Session, given: dict[str, Any]) -> int:
    """Read the captures and write the summary; return the exit code."""
    statistics, analysis = Statistics(), session.analysis()
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        statistics.take(row)

    ending = through(analysis.rows(), take)
    document = info.document(session, statistics)
    output = Output(folds=given["form"] != "json")
    if given["form"] == "json":
        output.write(encoded(wide_as_text(document) if given["int_strings"] else document) + "\n")
    else:
        width = terminal_width()
        palette = Palette(enabled=wanted(given["colour"], sys.stdout))
        output.write(info.text(document, palette, width))
    output.flush()
    return ended(session, ending, strict=given["strict"], problems=problems)


def wide_as_text(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a copy in which times since 1970 are text, as they exceed 53 bits."""
    if isinstance(value, dict):
        return {
            name: str(each)
            if name in ("first_ns", "last_ns") and each is not None
            else wide_as_text(each)
            for name, each in value.items()
        }
    return [wide_as_text(each) for each in value] if isinstance(value, list) else value
