"""How long after its guilty frame each finding of a recorded bug becomes news.

    python -m tests.recorded.delays captures/*/bug_*

Reads captures a packet at a time, as if they were live. Times are those of the capture.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from unittest.mock import patch

from streamshark.capture import merge
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.findings.finding import Finding, Severity
from streamshark.findings.news import Change
from streamshark.session import Session

NS = 1_000_000_000
ENDS = ("close", "reset")


@dataclass(frozen=True, slots=True)
class Delay:
    """One finding of a capture that was read as if live."""

    capture: str
    finding: Finding
    """As it became news."""
    guilty_ns: int
    """When its guilty frame was read; when it was noticed, for a finding without frames."""
    news_ns: int
    end_ns: int | None
    """When its connection began to end; None where it did not."""
    first_row_ns: int | None
    """Packet time at which the first frame of its connection was given out."""
    at_end: bool
    """Whether it became news only at the end of the captures."""
    changes: tuple[Change, ...]
    settled: Finding | None
    """As it was settled; None for one that was withdrawn."""

    @property
    def seconds(self) -> float:
        """The delay."""
        return (self.news_ns - self.guilty_ns) / NS

    @property
    def is_late(self) -> bool:
        """Whether the guilty frame came before the end of its connection, and the news did not."""
        ended = self.end_ns is not None and self.news_ns >= self.end_ns
        in_time = self.end_ns is None or self.guilty_ns < self.end_ns
        return in_time and (self.at_end or ended)

    @property
    def is_read_late(self) -> bool:
        """Whether no frame of the connection was given out before its end."""
        first = self.first_row_ns
        return first is None or (self.end_ns is not None and first >= self.end_ns)


def delays(path: Path) -> list[Delay]:
    """Return a delay for each finding of a capture, in the order in which they became news."""
    session = Session([str(path)], live=True)
    analysis = session.analysis(rules=True, follow=True)
    times: dict[int, int] = {}
    ends: dict[int, int] = {}
    first_rows: dict[int, int] = {}
    new: dict[int, tuple[Finding, int, bool]] = {}
    changes: dict[int, list[Change]] = {}
    settled: dict[int, Finding] = {}

    def hear(*, at_end: bool) -> None:
        for each in analysis.news():
            changes.setdefault(each.number, []).append(each.change)
            if each.change is Change.NEW:
                new[each.number] = each.finding, session.dissector.tracker.last[0], at_end
            elif each.change is Change.SETTLED:
                settled[each.number] = each.finding

    with patch.object(merge, "MOST_PACKETS", 1):
        for rows in session.batches():
            for row in analysis.seen(rows):
                flow = row.connection.flow.number
                if isinstance(row, FrameRow):
                    times[row.number] = row.time_ns
                    first_rows.setdefault(flow, session.dissector.tracker.last[0])
                elif isinstance(row, EventRow) and row.protocol == "tcp" and row.name in ENDS:
                    ends.setdefault(flow, row.time_ns)
            analysis.tick()
            hear(at_end=False)
    analysis.finish()
    hear(at_end=True)
    return [
        Delay(
            capture=f"{path.parent.parent.name}/{path.parent.name}",
            finding=finding,
            guilty_ns=times[finding.frames[0]] if finding.frames else finding.time_ns,
            news_ns=news_ns,
            end_ns=ends.get(finding.flow),
            first_row_ns=first_rows.get(finding.flow),
            at_end=at_end,
            changes=tuple(changes[number]),
            settled=settled.get(number),
        )
        for number, (finding, news_ns, at_end) in new.items()
    ]


def is_serious(delay: Delay) -> bool:
    """Return whether a finding is a warning or an error."""
    return Severity(delay.finding.severity).rank >= Severity.WARNING.rank


def lines(every: Iterable[Delay]) -> Iterator[str]:
    """Yield a line for each finding: delay, rule, when it became news, capture."""
    for each in every:
        when = "at its end" if each.is_late else "live"
        yield f"{each.seconds:9.3f} s  {each.finding.rule:8} {when:10}  {each.capture}\n"


def captures(folders: Iterable[Path]) -> list[Path]:
    """Return the capture files in folders, sorted."""
    return sorted(path for folder in folders for path in folder.glob("traffic.*"))


if __name__ == "__main__":
    found = [each for path in captures(map(Path, sys.argv[1:])) for each in delays(path)]
    sys.stdout.writelines(lines(found))
    if serious := [each.seconds for each in found if is_serious(each)]:
        print(f"{len(serious)} warnings and errors: median {median(serious):.3f} s")  # noqa: T201
