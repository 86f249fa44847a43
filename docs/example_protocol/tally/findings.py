"""Mistakes of peers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general_rules import general
from streamshark.findings.rule import Rule

RULES: Final = (
    Rule(
        id="TALLY-R1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unknown counter",
        on="add_response",
        when="code == 1",
        needs="",
        evidence="req.n, n",
        message="add {req.amount} to {req.counter} is refused: {code:name}",
        cause="The client adds to a counter that was never created.",
        source="docs/adding-a-protocol.md",
    ),
    *general("TALLY", "docs/adding-a-protocol.md", "Tally"),
)
