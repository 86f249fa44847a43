"""`streamshark explain`: what happened, in plain sentences."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from streamshark.analysis import Analysis
from streamshark.cli import options
from streamshark.cli.diagnostics import failed_attempts, report_empty_flows, report_evictions
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output, pages, terminal_width
from streamshark.cli.run import ended, reading, through
from streamshark.cli.short_filters import short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.explain import Explanation, together
from streamshark.conversations.units import counted
from streamshark.dissection.row import Row
from streamshark.protocols.catalog import formats
from streamshark.session import Session
from streamshark.views.colour import Palette, wanted
from streamshark.views.explain import ConnectionFacts, Explainer
from streamshark.views.explanations import MOST_FINDINGS, ConnectionPage, Explanations

if TYPE_CHECKING:
    from streamshark.dissection.row import ConnectionRecord
    from streamshark.findings.finding import Finding

EVERY = 64
"""Number of packets between two collections of explanations."""


@click.command("explain", context_settings=options.HELP, short_help="Explain what happened.")
@refuse_unsupported
@options.sources
@options.engine
@options.flows
@options.paging
@display_filter
@short_filters
@options.colouring
@options.strictness
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Explain in plain sentences what happened: a summary, then a page for each connection.

    A page states who the peers are, how the connection began and how long each step took, what was
    negotiated, what the peers did, what went wrong with its usual cause and what to do next, how
    and by whom the connection was closed, and what this capture cannot show. Pages are in order of
    connection; healthy connections that differ only in numbers share one. The same capture always
    gives the same text.

    \b
    streamshark explain capture.pcapng
    streamshark explain --flow 2 capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    with reading(given, formats=formats(given["paths"]), puts_together=True) as session:
        palette = Palette(enabled=wanted(given["colour"], sys.stdout))
        return _explained(session, explainer_of(session, palette, terminal_width()), given)


def explainer_of(session: Session, palette: Palette, width: int) -> Explainer:
    """Return what writes the pages of a session, `width` columns wide, 0 for any width."""
    return Explainer(
        palette,
        width=width,
        files=[each.name for each in session.captures],
        judged=(each.wire.id for each in session.protocols if each.rules),
    )


def page_of(session: Session) -> str:
    """Read a session, and return summary and pages about all of it."""
    analysis = session.analysis(rules=True, conversations=True, explanations=True)
    severities = {rule.id: rule.severity for each in session.protocols for rule in each.rules}
    explainer = explainer_of(session, Palette(enabled=False), 0)
    explanations = Explanations(explainer, severities)
    selection = Selection({}, session)
    sink = _ExplainOutput(session, analysis, explanations, frozenset(), selection)
    for row in analysis.rows():
        sink.row(row)
        if row.packet % EVERY == 0:
            sink.collect()
    sink.collect()
    return "".join(sink.texts())


def _explained(session: Session, explainer: Explainer, given: dict[str, Any]) -> int:
    """Write summary and pages; return the exit code."""
    selection = Selection(given, session)
    analysis = session.analysis(
        rules=True, conversations=True, explanations=True, derives=selection.derives
    )
    severities = {rule.id: rule.severity for each in session.protocols for rule in each.rules}
    explanations = Explanations(explainer, severities)
    sink = _ExplainOutput(session, analysis, explanations, frozenset(given["flows"]), selection)
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        selection.takes(row)
        sink.row(row)
        if row.packet % EVERY == 0:
            sink.collect()

    ending = through(analysis.rows(), take)
    analysis.finish()
    sink.collect()
    with Output(folds=True, pages=pages(given)) as output:
        for text in sink.texts():
            output.write(text)
    selection.report()
    report_evictions(analysis.capped)
    if session.frames and not explanations.count:
        report_empty_flows(given["flows"], session.dissector.recognised)
    return ended(session, ending, strict=given["strict"], problems=problems)


class _ExplainOutput:
    """Rows, conversations, findings and explanations, collected by connection into pages."""

    def __init__(
        self,
        session: Session,
        analysis: Analysis,
        explanations: Explanations,
        flows: frozenset[int],
        selection: Selection,
    ) -> None:
        self.session = session
        self.analysis = analysis
        self.explanations = explanations
        self.flows = flows
        self.selection = selection
        self._facts: dict[int, ConnectionFacts] = {}
        self._connections: dict[int, ConnectionRecord] = {}
        self._findings: dict[int, list[Finding]] = {}
        self._over: set[int] = set()
        self._housekeeping = frozenset(
            (each.wire.id, command) for each in session.protocols for command in each.housekeeping
        )

    def row(self, row: Row) -> None:
        """Add one row, and the conversations that it ended."""
        flow = row.connection.flow.number
        self._conversations()
        if flow in self._over:
            return
        facts = self._facts.get(flow)
        if facts is None:
            addresses = row.connection.flow.addresses
            facts = ConnectionFacts(row.time_ns, addresses, self._housekeeping)
            self._facts[flow] = facts
            self._connections[flow] = row.connection.outer or row.connection
        facts.row(row)

    def collect(self) -> None:
        """Make pages of the connections that have ended."""
        self._conversations()
        for found in self.analysis.findings():
            if found.flow in self._over:
                self._late(found)
            else:
                kept = self._findings.setdefault(found.flow, [])
                if len(kept) < MOST_FINDINGS:
                    kept.append(found)
        for explanation in together(self.analysis.explanations()):
            self._page(explanation)

    def texts(self) -> Iterator[str]:
        """Yield the text of all connections, at the end of the captures."""
        for flow in sorted(self._findings):  # of connections that were never open
            for found in self._findings[flow]:
                self._late(found)
        notes: list[tuple[str, str]] = []
        if not self.flows and self.selection.filter is None:
            report = self.session.report()
            notes = [("warning", f"{text}.") for text in failed_attempts(report)]
            if report.unrecognised and (notes or self.explanations.count):
                count = counted(len(report.unrecognised), "connection")
                notes.append(("", f"{count} with payload of no known protocol."))
        return self.explanations.texts(notes)

    def _conversations(self) -> None:
        for each in self.analysis.ended():
            facts = self._facts.get(each.flows[0])
            if facts is not None:
                facts.conversation(each)

    def _late(self, found: "Finding") -> None:
        if self._is_wanted(found.flow):
            self.explanations.add_finding(found)

    def _is_wanted(self, flow: int) -> bool:
        """Return whether a connection is among those that the options choose."""
        return (not self.flows or flow in self.flows) and self.selection.has_flow(flow)

    def _page(self, explanation: Explanation) -> None:
        self._over.add(explanation.flow)
        facts = self._facts.pop(explanation.flow, None)
        findings = self._findings.pop(explanation.flow, [])
        connection = self._connections.pop(explanation.flow, None)
        if facts is None or connection is None or not self._is_wanted(explanation.flow):
            return
        flow = connection.flow
        here, there = flow.addresses
        facts = replace(facts, addresses=(there, here) if connection.client == 1 else (here, there))
        self.explanations.add(
            ConnectionPage(
                explanation,
                facts,
                agreed=connection.agreed,
                handshake_ns=sum(flow.handshake_ns) if flow.handshake_ns else None,
                findings=findings,
                pending=tuple(self.analysis.pending(explanation.flow)),
            )
        )
