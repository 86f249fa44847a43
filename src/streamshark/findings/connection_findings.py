"""What a judge keeps of one connection, for as long as it is open."""

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from streamshark.findings.draft import Draft
from streamshark.findings.finding import MOST_FRAMES, Severity
from streamshark.findings.rule import family

if TYPE_CHECKING:
    from streamshark.conversations.state import TrackedObject

ValueKey = tuple[str, int, Any]
"""Protocol, number of a rule, and the value by which it counts over all connections."""


class NoticedMatches:
    """Matches of rules that count by value, on one connection."""

    __slots__ = ("earlier", "latest")

    def __init__(self) -> None:
        self.latest: deque[tuple[ValueKey, int, list[int]]] = deque()
        """Key, time in ns and frames of the last ones."""
        self.earlier: dict[ValueKey, tuple[int, int, list[int]]] = {}
        """Key of those before to their number, the time of the last one, and some frames."""

    def add(self, key: ValueKey, time_ns: int, frames: list[int]) -> None:
        """Add a match."""
        self.latest.append((key, time_ns, frames))
        if len(self.latest) > MOST_FRAMES:
            key, time_ns, frames = self.latest.popleft()
            count, _, known = self.earlier.get(key, (0, 0, []))
            known = [*known, *frames][:MOST_FRAMES]
            self.earlier[key] = (count + 1, time_ns, known)

    def take_since(self, since: int) -> Iterator[tuple[ValueKey, int, list[int]]]:
        """Remove matches since a time, and yield key, number and frames.

        Of those before the last ones, all of a key are removed if the last of them is as late.
        """
        while self.latest and self.latest[-1][1] >= since:
            key, _, frames = self.latest.pop()
            yield key, 1, frames
        for key, (count, last_ns, frames) in list(self.earlier.items()):
            if last_ns >= since:
                del self.earlier[key]
                yield key, count, frames


class ConnectionFindings:
    """Findings of a connection besides those of its open objects."""

    __slots__ = ("ended", "faults", "late", "shared")

    def __init__(self) -> None:
        self.ended: list[Draft] = []
        """Findings of its objects that have ended."""
        self.late: list[Any] = []
        """Objects with matches after they had ended, or that never existed."""
        self.shared: dict[TrackedObject, None] = {}
        """Objects that connections share, with findings that began on this one."""
        self.faults: dict[str, Draft] = {}
        """Rule id, its family, or `error`, to the latest finding, of which others may be
        consequences."""

    def take_ended(self) -> list[Draft]:
        """Return and remove the findings of ended objects."""
        ended, self.ended = self.ended, []
        return ended

    def blame(self, draft: Draft) -> None:
        """Make a finding a possible cause of later ones."""
        self.faults[draft.rule.id] = self.faults[family(draft.rule.id)] = draft
        if draft.rule.severity is Severity.ERROR:
            self.faults["error"] = draft

    def doubt(self, since: int) -> list[Draft]:
        """Remove and return findings that are proved only if nothing was lost since `since`."""
        doubtful = [each for each in self.ended if each.is_doubtful(since)]
        if doubtful:
            self.ended = [each for each in self.ended if not each.is_doubtful(since)]
        for name in [name for name, each in self.faults.items() if each.is_doubtful(since)]:
            del self.faults[name]
        return doubtful
