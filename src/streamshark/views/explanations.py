"""Explanations of all connections: a summary, then pages in order of connection.

Healthy connections of which the same is said, but for numbers, have one page together. What is
kept is bounded: pages up to `MOST_PAGES`, and of all other connections only their numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from streamshark.conversations.explain import Explanation
from streamshark.conversations.outstanding import runs_of
from streamshark.conversations.units import counted, duration
from streamshark.findings.finding import Finding, Severity
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable
from streamshark.views.explain import OVER_ALL, ConnectionFacts, Explainer
from streamshark.views.findings import MARKS, WorstFindings, place

MOST_PAGES: Final = 1000
"""Most pages; further connections are only counted."""
MOST_FINDINGS: Final = 1000
"""Most findings of one connection, and most that are on no page."""
MOST_LIKE: Final = 10_000
"""Most connections of one page that are named."""
MOST_SERVERS: Final = 1000
"""Most servers that are counted separately."""
SUMMARY_LINES: Final = 10
"""Most lines of the summary, its title included."""
MOST_NAMED: Final = 3
"""Most servers and endpoints that the summary names."""
_NUMBER: Final = re.compile(r"\d[\d.,]*(?: (?:[num]?s|min|h|[kMGT]?B)\b)?(?: (\w+?)s?\b)?")
"""A number with its unit, and the noun after it in singular or plural."""
_WARNING: Final = Severity.WARNING.rank


@dataclass(slots=True)
class ConnectionPage:
    """What the page of one connection shows."""

    explanation: Explanation
    facts: ConnectionFacts
    agreed: Mapping[str, Any]
    handshake_ns: int | None
    findings: list[Finding]
    """Its findings so far; more may come until the end."""
    pending: tuple[str, ...] = ()
    """Rules with findings over several connections, this one among them."""
    like: list[int] = field(default_factory=list)
    """Healthy connections of which the same is said."""

    @property
    def is_troubled(self) -> bool:
        """Whether anything has failed, or cannot be known."""
        facts, both = self.facts, self.explanation.both
        waiting = facts.calls["open"] + facts.calls["unanswered"]
        advises = any(line.advice for each in self.explanation.parts.values() for line in each)
        return bool(
            facts.calls["failed"] or (both and waiting) or facts.holes or facts.problems or advises
        )


class Explanations:
    """The pages of the connections that have ended so far.

    `severities` are those of rules, by id.
    """

    def __init__(self, explainer: Explainer, severities: Mapping[str, Severity]) -> None:
        self.explainer = explainer
        self.severities = severities
        self.pages: dict[int, ConnectionPage] = {}
        """By flow."""
        self.left_out = 0
        """Number of connections beyond the limit of pages."""
        self._forms: dict[tuple[object, ...], ConnectionPage] = {}
        self._others: list[Finding] = []
        self._summary = _Summary()
        self._plain = Explainer(Palette(enabled=False), judged=explainer.judged)

    @property
    def count(self) -> int:
        """Number of connections, with and without a page of their own."""
        return self._summary.connections

    def add(self, page: ConnectionPage) -> None:
        """Add a connection that has ended."""
        self._summary.add(page)
        form = self._form(page)
        like = None if form is None else self._forms.get(form)
        if like is not None:
            if len(like.like) < MOST_LIKE:
                like.like.append(page.explanation.flow)
            return
        if len(self.pages) >= MOST_PAGES:
            self.left_out += 1
            return
        self.pages[page.explanation.flow] = page
        if form is not None:
            self._forms[form] = page

    def add_finding(self, finding: Finding) -> None:
        """Add a finding of a connection that has ended, or that was never open."""
        page = self.pages.get(finding.flow)
        kept = self._others if page is None else page.findings
        if len(kept) < MOST_FINDINGS:
            kept.append(finding)
        self._summary.worst.add([finding])

    def texts(self, notes: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Yield the summary, the pages in order of flow, and the findings that are on no page.

        `notes` are further sentences of the summary, each with its style. No text if there is
        neither a connection, nor a finding, nor a note.
        """
        notes = list(notes)
        if not (self.count or self._others or notes):
            return
        yield self._summary.text(self.explainer, notes, self._folded())
        places = self._places()
        for flow in sorted(self.pages):
            yield "\n" + self._page(self.pages[flow], places)
        if self.left_out:
            left_out = counted(self.left_out, "more connection")
            yield f"\n... and {left_out}; --flow N explains connection N.\n"
        faults = [each for each in self._others if each.severity != Severity.CHAT.value]
        if faults:
            yield "\n" + self.explainer.overall(sorted(faults, key=_order))

    def _page(self, page: ConnectionPage, places: Mapping[str, str]) -> str:
        flow = page.explanation.flow
        own = {each.rule for each in page.findings}
        elsewhere = {rule: places.get(rule, OVER_ALL) for rule in page.pending if rule not in own}
        text = self.explainer.page(
            page.explanation,
            page.facts,
            sorted(page.findings, key=_order),
            agreed=page.agreed,
            handshake_ns=page.handshake_ns,
            elsewhere=elsewhere,
        )
        if not page.like:
            return text
        flows = ", ".join(_ranges(page.like))
        more = f"{len(page.like):,} more like connection {flow}: {flows}."
        return text + "".join(f"{each}\n" for each in self.explainer.wrapped(("time", more)))

    def _form(self, page: ConnectionPage) -> tuple[object, ...] | None:
        """Return what healthy connections of one page have in common; None for a troubled one."""
        rules = (*(each.rule for each in page.findings), *page.pending)
        severities = [Severity(each.severity) for each in page.findings]
        severities += [self.severities.get(rule, Severity.ERROR) for rule in page.pending]
        if page.is_troubled or any(each.rank >= _WARNING for each in severities):
            return None
        text = self._plain.page(
            page.explanation, page.facts, (), agreed=page.agreed, handshake_ns=page.handshake_ns
        )
        said = _NUMBER.sub(r"# \1", text.split("\n", 2)[2])
        client, server = (each.rpartition(":")[0] for each in page.facts.addresses)
        port = page.facts.addresses[1].rpartition(":")[2]
        return page.explanation.protocols, client, server, port, rules, said

    def _places(self) -> dict[str, str]:
        """Return the page that shows the finding of each rule."""
        places: dict[str, str] = {}
        for flow, page in sorted(self.pages.items()):
            for each in page.findings:
                places.setdefault(each.rule, f"see connection {flow}")
        return places

    def _folded(self) -> int:
        return sum(len(each.like) for each in self.pages.values())


class _Summary:
    """Totals over all connections; their size is bounded."""

    def __init__(self) -> None:
        self.connections = self.frames = self.last_ns = 0
        self.first_ns: int | None = None
        self.protocols: Counter[str] = Counter()
        self.servers: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.worst = WorstFindings(SUMMARY_LINES)

    def add(self, page: ConnectionPage) -> None:
        """Add a connection."""
        facts = page.facts
        self.connections += 1
        self.frames += sum(each.frames for each in facts.sides.values())
        self.protocols[" and ".join(page.explanation.protocols)] += 1
        server = facts.addresses[1]
        if server in self.servers or len(self.servers) < MOST_SERVERS:
            self.servers[server] += 1
        self.calls.update(facts.calls)
        first = facts.first_ns
        self.first_ns = first if self.first_ns is None else min(self.first_ns, first)
        self.last_ns = max(self.last_ns, facts.last_ns)
        self.worst.add(page.findings)

    def text(self, explainer: Explainer, notes: Iterable[tuple[str, str]], folded: int) -> str:
        """Return the summary, of `SUMMARY_LINES` lines at most."""
        lines = [explainer.palette.paint("name", "Summary")]
        for sentence in (*self._totals(folded), *notes):
            lines += explainer.wrapped(sentence, 2)
        for sentence in self._findings():
            lines += explainer.wrapped(sentence, 1)
        del lines[SUMMARY_LINES:]
        return "".join(f"{each}\n" for each in lines)

    def _totals(self, folded: int) -> Iterator[tuple[str, str]]:
        if not self.connections:
            yield "", "No frames of a known protocol."
            return
        kinds = ", ".join(
            name if count == self.connections else f"{count:,} {name}"
            for name, count in self.protocols.most_common(MOST_NAMED)
        )
        lasted = duration(self.last_ns - (self.first_ns or 0))
        connections = counted(self.connections, "connection")
        frames = counted(self.frames, "frame")
        servers = ", ".join(name for name, _ in self.servers.most_common(MOST_NAMED))
        more = len(self.servers) - MOST_NAMED
        servers += f" and {more:,} more" if more > 0 else ""
        yield "", f"{connections}, {frames} in {lasted}: {kinds}, to {servers}."
        answered = self.calls["done"] + self.calls["failed"]
        if answered:
            text = f"{counted(answered, 'request')} answered"
            text += f", {self.calls['failed']:,} with an error code" if self.calls["failed"] else ""
            yield "", f"{text}."
        if folded:
            healthy = counted(folded, "healthy connection")
            verb = "shares" if folded == 1 else "share"
            yield "", f"{healthy} {verb} the page of a similar one."

    def _findings(self) -> Iterator[tuple[str, str]]:
        counts = [
            counted(count, severity.value)
            for severity, count in self.worst.counts()
            if severity is not Severity.CHAT
        ]
        yield "", f"Findings: {', '.join(counts) or 'none'}."
        for each in self.worst.worst():
            mark = f"[{MARKS[each.severity]}] {each.rule}"
            yield (
                each.severity,
                f"  {mark} at {place(each)}, connection {each.flow}: {printable(each.message)}",
            )


def _ranges(numbers: Iterable[int]) -> Iterator[str]:
    for first, last in runs_of(sorted(numbers)):
        yield str(first) if first == last else f"{first}-{last}"


def _order(finding: Finding) -> tuple[int, tuple[int, ...]]:
    return finding.time_ns, finding.frames[:1]
