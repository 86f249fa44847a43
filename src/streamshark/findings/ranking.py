"""The order of findings: severe ones first, then those that explain most."""

from typing import Final

from streamshark.findings.finding import Finding, Group, Severity

SYMPTOMS: Final = frozenset({Group.RESPONSE.value})
"""Groups of findings that say how a peer reacted; what it reacted to comes before them."""
GENERAL: Final = "-Q"
"""Mark in the ids of the general rules, which say less than others about the same frame."""

Order = tuple[int, bool, bool, bool, int, int]


def order(finding: Finding) -> Order:
    """Return the position of a finding among others, the least first.

    The severity is the highest of the finding and its consequences. Among equals a note on
    security, which holds for a whole set-up, comes last; a rule of the protocol before a general
    one, a fault before the reaction to one, a cause of many findings before that of few, and an
    early one before a late one.
    """
    return (
        -finding.worst.rank,
        finding.worst is Severity.NOTE and finding.group == Group.SECURITY.value,
        GENERAL in finding.rule,
        finding.group in SYMPTOMS,
        -len(finding.echoes),
        finding.time_ns,
    )
