"""Joins conversations of several connections by small facts.

What leads is kept under its kind and key; what follows it on another connection, not too much
later, is joined with the latest of them.
"""

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Name

MOST_FACTS: Final = 20_000
"""Most facts that are kept; more, and the oldest is forgotten."""
OLDEST_NS: Final = 600_000_000_000
"""Age up to which a fact leads to another."""
MOST_LINKS: Final = 64
"""Most links of one conversation."""


class EndedObject:
    """What is kept of an object that has ended and leads to others."""

    __slots__ = ("links", "name")

    def __init__(self, name: "Name | None") -> None:
        self.name = name
        self.links: list[Name] | None = None


class CrossLinks:
    """Facts that may lead to others."""

    def __init__(self, capped: Counter[str]) -> None:
        self.capped = capped
        self.facts: OrderedDict[Any, tuple[Any, int, int]] = OrderedDict()
        """Kind and key to object, flow and time of the latest that leads."""

    def see(self, kind: str, role: str, key: Any, thing: Any, flow: int, t: int) -> None:  # noqa: ANN401 - any key
        """One fact of an object."""
        place = kind, key
        if role in ("follows", "both"):
            found = self.facts.get(place)
            if found is not None and found[1] != flow:
                if t - found[2] <= OLDEST_NS:
                    self._join(found[0], thing)
                else:
                    self.capped["links across more than ten minutes"] += 1
        if role in ("leads", "both"):
            self.facts[place] = (thing, flow, t)
            self.facts.move_to_end(place)
            if len(self.facts) > MOST_FACTS:
                self.facts.popitem(last=False)
                self.capped["facts that link"] += 1

    def _join(self, one: Any, other: Any) -> None:  # noqa: ANN401 - objects
        for here, there in ((one, other), (other, one)):
            name: Name | None = there.name
            if name is None:
                continue
            if here.links is None:
                here.links = []
            if name in here.links:
                continue
            if len(here.links) < MOST_LINKS:
                here.links.append(name)
            else:
                self.capped["links of a conversation"] += 1
