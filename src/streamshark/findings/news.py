"""Changes of findings, for readers that do not wait until a finding is settled."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import Any

from streamshark.findings.draft import Draft
from streamshark.findings.finding import Finding


class Change(Enum):
    """Kind of a change."""

    NEW = "new"
    """Found for the first time; more matches may follow."""
    GROWN = "grown"
    """Found again, or a consequence of it was found."""
    WITHDRAWN = "withdrawn"
    """Lost bytes may explain it, so it is no longer a finding."""
    SETTLED = "settled"
    """Final."""


@dataclass(frozen=True, slots=True)
class News:
    """One change of one finding."""

    change: Change
    number: int
    """Number of the finding, from 1, in the order in which findings were announced."""
    finding: Finding
    """The finding after the change; a withdrawn one as it was before."""


class Changes:
    """The changes of findings since they were last taken.

    Each finding is new once, may grow, and is withdrawn or settled once. A finding that lost bytes
    could explain is delayed while bytes of its connection wait for earlier ones.
    """

    def __init__(self) -> None:
        self._changed: dict[Draft, None] = {}
        self._withdrawn: list[Draft] = []
        self._numbers: dict[Any, int] = {}
        """Draft, or another key of a finding, to the number under which it was announced."""
        self._count = count(1)

    def note(self, draft: Draft) -> None:
        """Note that a finding, or a consequence of one, is new or has grown."""
        found = draft.primary or draft
        if not found.is_settled:
            self._changed[found] = None

    def withdraw(self, draft: Draft) -> None:
        """Note that lost bytes may explain a finding."""
        if draft.primary is not None:
            return
        self._changed.pop(draft, None)
        if draft in self._numbers:
            self._withdrawn.append(draft)

    def take(self) -> list[News]:
        """Return the changes since the last call, except for delayed ones."""
        news = [
            News(Change.WITHDRAWN, self._numbers.pop(each), each.finding())
            for each in self._withdrawn
        ]
        self._withdrawn.clear()
        for draft in [each for each in self._changed if not each.may_be_explained]:
            del self._changed[draft]
            news.append(self.of(draft, draft.finding()))
        return news

    def of(self, key: Any, finding: Finding) -> News:  # noqa: ANN401 - a draft, or another key
        """Return a finding as new, or as grown if it was announced before."""
        number = self._numbers.get(key)
        if number is not None:
            return News(Change.GROWN, number, finding)
        self._numbers[key] = number = next(self._count)
        return News(Change.NEW, number, finding)

    def settle(self, settled: Iterable[tuple[Any, Finding]]) -> list[News]:
        """Return the last changes of findings, with their keys: each is new first, then settled."""
        news = []
        for key, finding in settled:
            self._changed.pop(key, None)
            if key not in self._numbers:
                news.append(self.of(key, finding))
            news.append(News(Change.SETTLED, self._numbers.pop(key), finding))
        return news
