"""Finding by which a capture is minimised, named as `RULE` or `RULE@FRAME`."""

import re
from collections.abc import Sequence
from typing import Final

from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding, Severity
from streamshark.sharing.judged_parts import PlacedFinding
from streamshark.views.ranking import order

MOST_LISTED: Final = 12
"""Most findings that an error lists."""
_NAME: Final = re.compile(r"([A-Za-z][\w-]*)(?:@(p?)(\d{1,18}))?")


def chosen(findings: Sequence[PlacedFinding], name: str) -> PlacedFinding:
    """Return the only finding with a name: `RULE`, `RULE@FRAME`, or `RULE@pPACKET`.

    Raises:
        StreamsharkError: There is none, or there are several.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise StreamsharkError(f"{name!r} names no finding: expected RULE or RULE@FRAME")
    rule, is_packet, number = found[1].upper(), bool(found[2]), found[3]
    of_rule = [each for each in findings if each.finding.rule.upper() == rule]
    if not of_rule:
        raise StreamsharkError(f"no finding of {found[1]}; there are: {listed(findings)}")
    matching = of_rule
    if number is not None:
        matching = [each for each in of_rule if int(number) in _first(each.finding, is_packet)]
        if not matching:
            raise StreamsharkError(f"no finding {name}; there are: {listed(of_rule)}")
    if len(matching) > 1:
        raise StreamsharkError(f"{name} names {len(matching)} findings; one of: {listed(matching)}")
    return matching[0]


def worst(findings: Sequence[PlacedFinding]) -> PlacedFinding | None:
    """Return the finding that explains most; None without a finding."""
    own = [each for each in findings if not each.is_echo]
    return min(own, key=lambda each: order(each.finding), default=None)


def listed(findings: Sequence[PlacedFinding]) -> str:
    """Return the names of findings, the worst first, as text."""
    ranked = sorted(
        (each.finding for each in findings),
        key=lambda each: (-Severity(each.severity).rank, each.time_ns),
    )
    names = list(dict.fromkeys(f"{each.name} ({each.severity})" for each in ranked))
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more if names else "none"


def _first(finding: Finding, is_packet: bool) -> tuple[int, ...]:  # noqa: FBT001 - which of two
    """Return the number of the guilty frame, or of its first packet."""
    return (finding.packets if is_packet else finding.frames)[:1]
