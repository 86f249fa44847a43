"""`streamshark explain`: what happened, in plain sentences."""

import sys
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from streamshark.analysis import Analysis
from streamshark.cli import options
from streamshark.cli.diagnostics import report_evictions
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output, complain, pages
from streamshark.cli.run import ended, reading, through
from streamshark.cli.short_filters import short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.explain import Explanation, together
from streamshark.dissection.row import Row
from streamshark.protocols.catalog import formats
from streamshark.session import Session
from streamshark.views.colour import Palette, wanted
from streamshark.views.explain import ConnectionFacts, Explainer

if TYPE_CHECKING:
    from streamshark.dissection.row import ConnectionRecord
    from streamshark.findings.finding import Finding

EVERY = 64
"""Number of packets between two collections of explanations."""
MOST_KEPT = 1000
"""Most findings of a connection that are kept until its page is written."""


@click.command("explain", context_settings=options.HELP, short_help="Explain what happened.")
@refuse_unsupported
@options.sources
@options.flows
@options.paging
@display_filter
@short_filters
@options.colouring
@options.strictness
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Explain in plain sentences what happened on each connection, one page each, as they end.

    A page states who the peers are, how the connection began and how long each step took, what was
    negotiated, what the peers did, what went wrong with its usual cause and what to do next, how
    and by whom the connection was closed, and what this capture cannot show. The same capture
    always gives the same text.

    \b
    streamshark explain capture.pcapng
    streamshark explain --flow 2 capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    with reading(given, formats=formats(given["paths"]), puts_together=True) as session:
        width = get_terminal_size().columns if sys.stdout.isatty() else 0
        explainer = Explainer(
            Palette(enabled=wanted(given["colour"], sys.stdout)),
            width=width,
            files=[each.name for each in session.captures],
            judged=(each.wire.id for each in session.protocols if each.rules),
        )
        return _explained(session, explainer, given)


def _explained(session: Session, explainer: Explainer, given: dict[str, Any]) -> int:
    """Write a page for each connection; return the exit code."""
    selection = Selection(given, session)
    analysis = session.analysis(
        rules=True, conversations=True, explanations=True, derives=selection.derives
    )
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        selection.takes(row)
        sink.row(row)
        if row.packet % EVERY == 0:
            sink.write()

    with Output(folds=True, pages=pages(given)) as output:
        flows = frozenset(given["flows"])
        sink = _ExplainOutput(session, analysis, explainer, flows, selection, output)
        ending = through(analysis.rows(), take)
        analysis.finish()
        sink.write()
        sink.finish()
    selection.report()
    report_evictions(analysis.capped)
    if given["flows"] and session.frames and not sink.pages:
        known = ", ".join(map(str, session.dissector.recognised))
        named = ", ".join(map(str, given["flows"]))
        complain(f"no frames on flow {named}; flows with frames: {known}")
    return ended(session, ending, strict=given["strict"], problems=problems)


class _ExplainOutput:
    """Rows, conversations, findings and explanations, collected by connection into pages."""

    def __init__(
        self,
        session: Session,
        analysis: Analysis,
        explainer: Explainer,
        flows: frozenset[int],
        selection: Selection,
        output: Output,
    ) -> None:
        self.session = session
        self.analysis = analysis
        self.explainer = explainer
        self.flows = flows
        self.selection = selection
        self.output = output
        self.pages = 0
        self._facts: dict[int, ConnectionFacts] = {}
        self._connections: dict[int, ConnectionRecord] = {}
        self._findings: dict[int, list[Finding]] = {}
        self._late: list[Finding] = []
        self._written: set[int] = set()

    def row(self, row: Row) -> None:
        """Add one row, and the conversations that it ended."""
        flow = row.connection.flow.number
        for each in self.analysis.ended():
            facts = self._facts.get(each.flows[0])
            if facts is not None:
                facts.conversation(each)
        if flow in self._written:
            return
        facts = self._facts.get(flow)
        if facts is None:
            facts = self._facts[flow] = ConnectionFacts(row.time_ns, row.connection.flow.addresses)
            self._connections[flow] = row.connection.outer or row.connection
        facts.row(row)

    def write(self) -> None:
        """Write the pages of connections that have ended."""
        for each in self.analysis.ended():
            facts = self._facts.get(each.flows[0])
            if facts is not None:
                facts.conversation(each)
        for found in self.analysis.findings():
            late = found.flow in self._written
            kept = self._late if late else self._findings.setdefault(found.flow, [])
            if len(kept) < MOST_KEPT:
                kept.append(found)
        for explanation in together(self.analysis.explanations()):
            self._page(explanation)

    def finish(self) -> None:
        """Write findings about all connections, at the end of the captures."""
        late = [each for each in self._late if self._is_wanted(each.flow)]
        if late:
            self.output.write("\n" + self.explainer.overall(late))

    def _is_wanted(self, flow: int) -> bool:
        """Return whether a connection is among those that the options choose."""
        return (not self.flows or flow in self.flows) and self.selection.has_flow(flow)

    def _page(self, explanation: Explanation) -> None:
        self._written.add(explanation.flow)
        facts = self._facts.pop(explanation.flow, None)
        findings = self._findings.pop(explanation.flow, [])
        connection = self._connections.pop(explanation.flow, None)
        if facts is None or connection is None or not self._is_wanted(explanation.flow):
            return
        flow = connection.flow
        here, there = flow.addresses
        facts = replace(facts, addresses=(there, here) if connection.client == 1 else (here, there))
        page = self.explainer.page(
            explanation,
            facts,
            sorted(findings, key=lambda each: (each.time_ns, each.frames[:1])),
            pending=self.analysis.pending(explanation.flow),
            agreed=connection.agreed,
            handshake_ns=sum(flow.handshake_ns) if flow.handshake_ns else None,
        )
        self.output.write(f"\n{page}" if self.pages else page)
        self.pages += 1
