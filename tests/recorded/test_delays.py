"""Findings of recorded bugs become news while their connections are open."""

from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pytest
from tests.draw import some
from tests.recorded.delays import Delay, delays, is_serious
from tests.recorded.index import Line, cover, lines, needed
from tests.recorded.share import of_findings

from streamshark.conversations.tables import Behaviour, Burst
from streamshark.findings.finding import Finding
from streamshark.findings.news import Change
from streamshark.findings.rule import family
from streamshark.protocols.catalog import catalog
from streamshark.session import Session

ENDING = ("end:", "left:", "unanswered:", "tcp.close", "tcp.reset", "tcp.partial", "client:tcp.",
          "server:tcp.")  # fmt: skip
"""What a rule waits for when only the end of something shows it: see docs/checking.md."""
MALFORMED = ("problem:", "tcp.resync", "any:unknown")
"""What is given out once frames follow, or the connection ends: the same page."""
MOST_MALFORMED = 6
"""Findings of malformed frames that wait for the end of their connection."""
UNTIMED = {"RMQ-B223", "RMQ-C2", "RMQ-C3"}
"""Rules of a timer that no packet before the close may set off, and of an answer after it."""
SOON = 0.01
"""Seconds for which rows of other connections, which are not known yet, may hold a row back."""
MEDIAN = 1.0
"""Seconds."""
SHORT = 100
"""Frames of captures that `make test` reads packet by packet have fewer."""


def rules_on(triggers: tuple[str, ...]) -> set[str]:
    """Return the families of rules that depend on one of some triggers, also over repetitions."""
    ids = set()
    for protocol in catalog():
        rows = {f"repeat:{e.name}": e.on for e in protocol.conversations if isinstance(e, Burst)}
        for each in protocol.conversations:
            if isinstance(each, Behaviour):
                rows[f"{each.kind}:{each.name}"] = each.rows
        for rule in protocol.rules:
            on = [*rule.on.split(), *rows.get(rule.on, "").split()]
            if any(each.startswith(triggers) for each in on):
                ids.add(family(rule.id))
    return ids


def summary_of(findings: Iterable[Finding]) -> list[tuple[str, int, str]]:
    """Return what does not depend on how many packets are read at a time."""
    return sorted((each.rule, each.flow, each.severity) for each in findings)


def bugs() -> list[Line]:
    """Return the recorded bugs."""
    return [line for name, line in lines().items() if "/bug_" in name]


def test_findings_of_recorded_bugs_become_news() -> None:
    """Of half of few short ones, drawn; these show most findings that any shows.

    No other test finds that a rule reports in a live capture what a reading of the file does not.
    """
    short = (line for line in bugs() if line.frames < SHORT)
    few = needed(cover(map(of_findings, short)))
    chosen = frozenset(some([line.capture for line in few], len(few) // 2))
    become_news(line.path for line in few if line.capture in chosen)


@pytest.mark.sweep
def test_findings_of_all_recorded_bugs_become_news() -> None:
    """Of the others too."""
    become_news(line.path for line in bugs())


def become_news(paths: Iterable[Path]) -> None:
    """Before the end of the connection, but for rules that wait for an end; the rest in a second.

    None that is withdrawn is settled, and what is settled is what a reading of the file finds.
    """
    waiting, malformed = rules_on(ENDING), rules_on(MALFORMED)
    wrong: list[str] = []
    every: list[Delay] = []
    held = 0
    for path in paths:
        found = delays(path)
        every += found
        for each in found:
            last = each.changes[-1]
            late = each.is_late and not each.is_read_late and each.seconds > SOON
            if late and family(each.finding.rule) not in waiting | UNTIMED:
                held += 1
                if family(each.finding.rule) not in malformed:
                    wrong.append(f"{each.capture}: {each.finding.rule} is late")
            if each.changes[0] is not Change.NEW or set(each.changes[1:-1]) - {Change.GROWN}:
                wrong.append(f"{each.capture}: {each.finding.rule}: {each.changes}")
            if (last is Change.SETTLED) is (each.settled is None):
                wrong.append(f"{each.capture}: {each.finding.rule} ends as {last}")
        session = Session([str(path)])
        analysis = session.analysis(rules=True)
        for _ in analysis.rows():
            pass
        settled = [each.settled for each in found if each.settled is not None]
        if summary_of(settled) != summary_of(analysis.findings()):
            wrong.append(f"{path.parent.name}: other findings than those of the file")

    assert wrong == []
    assert len(every) > 60
    assert held <= MOST_MALFORMED
    assert median(each.seconds for each in every if is_serious(each)) < MEDIAN
