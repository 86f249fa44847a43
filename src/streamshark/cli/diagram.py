"""`streamshark diagram`: a conversation or connections as a sequence diagram."""

from typing import TYPE_CHECKING, Any

import click

from streamshark.cli import options
from streamshark.cli.conversations import EVERY, kept, raise_missing
from streamshark.cli.diagnostics import report_empty_flows, report_evictions
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output
from streamshark.cli.run import ended, reading, through
from streamshark.cli.short_filters import short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.follow import (
    ConversationRows,
    FlowRows,
    parsed,
    types_of_connections,
)
from streamshark.dissection.row import Row
from streamshark.protocols.catalog import formats
from streamshark.session import Session
from streamshark.views.sequence_diagram import LANGUAGES, MOST, Diagram

if TYPE_CHECKING:
    from streamshark.findings.finding import Finding


@click.command("diagram", context_settings=options.HELP, short_help="Draw a sequence diagram.")
@refuse_unsupported
@options.sources
@options.engine
@display_filter
@options.form(*LANGUAGES, default="mermaid")
@click.option("--conversation", "id_", metavar="ID", help="Draw only this conversation.")
@options.flows
@short_filters
@click.option(
    "--most", type=click.IntRange(1, 10_000), default=MOST, metavar="N",
    help=f"Draw at most N arrows ({MOST} by default); count the rest.",
)  # fmt: skip
@options.strictness
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Draw a sequence diagram in Mermaid or PlantUML.

    Consecutive frames of one command become one arrow with a count, and repeated sequences a loop.
    Notes show the findings of check, at the guilty frame, and lost bytes. Peers are named by the
    product that they announce.

    \b
    streamshark diagram capture.pcapng > capture.mmd
    streamshark diagram --flow 2 -T plantuml capture.pcapng > flow2.puml
    streamshark diagram --conversation 0-18-publisher capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    name = parsed(given["id_"]) if given["id_"] else None
    if given["id_"] and name is None:
        raise click.UsageError(
            f"--conversation {given['id_']!r} is not a conversation id "
            "(expected FLOW-PACKET-TYPE, such as 0-18-publisher)"
        )
    if name is not None and given["flows"]:
        raise click.UsageError("--conversation and --flow cannot be combined")
    with reading(given, formats=formats(given["paths"]), puts_together=True) as session:
        tables = (each.conversations for each in session.protocols)
        chosen: ConversationRows | FlowRows = FlowRows(given["flows"])
        if name is not None:
            chosen = ConversationRows(name, types_of_connections(tables))
        return _drawn(session, chosen, given)


def _drawn(session: Session, chosen: ConversationRows | FlowRows, given: dict[str, Any]) -> int:
    """Collect the rows and write the diagram; return the exit code."""
    selection = Selection(given, session)
    analysis = session.analysis(rules=True, conversations=True, derives=selection.derives)
    diagram = Diagram(given["most"])
    findings: list[Finding] = []
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        if chosen.takes(row, analysis.ended()) and selection.takes(row):
            diagram.row(row)
        if row.packet % EVERY == 0:
            kept(findings, analysis, chosen)

    ending = through(analysis.rows(), take)
    analysis.finish()
    selection.report()
    kept(findings, analysis, chosen)
    if isinstance(chosen, ConversationRows):
        chosen.find(analysis.ended())
    if session.frames and not chosen.seen:
        if isinstance(chosen, ConversationRows):
            raise_missing(session, chosen, ending)
        else:
            report_empty_flows(chosen.flows, session.dissector.recognised)
    if diagram.items:
        output = Output()
        output.write(diagram.text(LANGUAGES[given["form"]], findings))
        output.flush()
    report_evictions(analysis.capped)
    return ended(session, ending, strict=given["strict"], problems=problems)
