"""The order of findings: severe ones first, then those that say most about the fault."""

from collections.abc import Mapping

from streamshark.findings.finding import Finding
from streamshark.views.rule_examples import RuleExample, examples

Order = tuple[int, int, int, int]


def order(finding: Finding, recorded: Mapping[str, RuleExample] | None = None) -> Order:
    """Return the position of a finding among others, the least first.

    The severity is the highest of the finding and its consequences. Among equals a rule comes first
    that few recorded captures show without having its fault, by powers of two: what healthy
    programs do too, what follows from other faults, and how peers react to them come after it.
    Then a cause of many findings comes before that of few, and an early one before a late one.

    Args:
        finding: The finding.
        recorded: What recorded captures show of each rule; without it, `examples`.
    """
    known = (examples() if recorded is None else recorded).get(finding.rule)
    others = known.captures - known.faults if known else 0
    return (-finding.worst.rank, others.bit_length(), -len(finding.echoes), finding.time_ns)
