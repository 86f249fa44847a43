"""What is wrong with a capture, by the parts of its connections in which it shows."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, NamedTuple

from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.findings.finding import Finding, Severity
from streamshark.session import Session, unread_findings

DAMAGE: Final = frozenset({"gap", "resync", "partial"})
"""Events that show bytes without a frame."""
Fault = tuple[str, Hashable]
"""A rule, or what else is wrong, and where: the guilty part, or the connection."""


class PlacedFinding(NamedTuple):
    """A finding and the place of its guilty frame."""

    finding: Finding
    fault: Fault
    is_echo: bool
    """Whether it is a consequence of another one."""


class Judgement(NamedTuple):
    """What was found in one reading."""

    findings: list[PlacedFinding]
    faults: frozenset[Fault]
    """All findings above chat, and all problems of rows, by place."""
    frames: int


def judged(
    session: Session,
    place: Callable[[Row], Hashable],
    flow_of: Callable[[int], Hashable],
    taken: Callable[[Row], object] = lambda _row: None,
) -> Judgement:
    """Read a session and judge it.

    Args:
        session: What is read.
        place: Returns the place of a row.
        flow_of: Returns the place of a connection, by its number.
        taken: Called with each row.
    """
    analysis = session.analysis(rules=True, all_bodies=True)
    places: list[Hashable] = [None]
    faults: set[Fault] = set()
    findings: list[Finding] = []
    for row in analysis.rows():
        taken(row)
        where = place(row)
        if isinstance(row, FrameRow):
            places.append(where)
        if row.problems:
            faults.add(("problem", where))
        if isinstance(row, EventRow) and row.name in DAMAGE:
            faults.add((row.name, where))
        findings += analysis.findings()
    findings += analysis.findings()
    findings += unread_findings(session)
    found = list(_placed(findings, places, flow_of))
    faults |= {each.fault for each in found}
    return Judgement(found, frozenset(faults), session.frames)


def _placed(
    findings: Iterable[Finding], places: list[Hashable], flow_of: Callable[[int], Hashable]
) -> Iterator[PlacedFinding]:
    """Yield findings and their consequences above chat."""
    for finding in findings:
        for each in (finding, *finding.echoes):
            if each.severity == Severity.CHAT.value:
                continue
            place = places[each.frames[0]] if each.frames else flow_of(each.flow)
            yield PlacedFinding(each, (each.rule, place), each is not finding)
