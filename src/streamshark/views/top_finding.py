"""The one finding that explains most, as a sentence: the title of a ticket."""

import shlex
from collections.abc import Mapping, Sequence

from streamshark.conversations.units import counted
from streamshark.findings.finding import Finding, Severity
from streamshark.views.escaping import printable
from streamshark.views.findings import JudgedTotals, place
from streamshark.views.ranking import order

STANDARD_INPUT = "standard input"
"""Name of a capture that cannot be read again."""


class TopFinding:
    """A report of one line, and the command that makes a ticket of it.

    Args:
        titles: Titles of the protocols, by id.
        files: Names of the captures.
    """

    def __init__(self, titles: Mapping[str, str], files: Sequence[str]) -> None:
        self.titles = titles
        self.files = files
        self.best: Finding | None = None

    def head(self) -> str:
        """Return an empty text: the line is written at the end."""
        return ""

    def finding(self, finding: Finding) -> str:
        """Keep the finding if it comes before the one kept so far; return an empty text."""
        if self.best is None or order(finding) < order(self.best):
            self.best = finding
        return ""

    def tail(self, judged: JudgedTotals) -> str:
        """Return the line: the finding, or that there is none."""
        if self.best is not None:
            line = sentence(self.best, self.titles.get(self.best.protocol, ""))
            return f"{line}\n{ticket(self.best, self.files)}\n"
        if not judged.frames:
            reason = f": {printable(judged.nothing)}" if judged.nothing else ""
            return f"nothing decoded{reason}\n"
        seen = f"{counted(judged.frames, 'frame')} of {counted(judged.connections, 'connection')}"
        return f"no findings in {seen}\n"


def ticket(finding: Finding, files: Sequence[str]) -> str:
    """Return the command that makes a ticket of a finding of some captures."""
    names = "FILE" if STANDARD_INPUT in files else " ".join(map(shlex.quote, files))
    return f"streamshark ticket {printable(names)} --finding {finding.name} -o ticket"


def sentence(finding: Finding, title: str) -> str:
    """Return a finding as one sentence: what is wrong, how often, where, and what it explains."""
    often = f", {finding.count} times" if finding.count > 1 else ""
    more = f"; explains {counted(len(finding.echoes), 'other finding')}" if finding.echoes else ""
    protocol = f"{title or finding.protocol}: "
    worst = "" if finding.worst is Severity(finding.severity) else f", up to {finding.worst.value}"
    where = f"{finding.severity}{worst} {finding.rule}, {place(finding)}"
    return f"{protocol}{printable(finding.message)}{often} ({where}{more})"
