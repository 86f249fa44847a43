"""Links between conversations of several connections, by facts that they share.

An object with a fact that leads is kept under the fact's kind and key; an object whose fact follows
it on another connection, not too much later, is linked with the latest of them.
"""

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamshark.conversations.conversation import Name

LEAST_FACTS: Final = 1024
"""Fewest facts at which those are dropped that are too old to be linked."""
MOST_FACTS: Final = 65_536
"""Most facts that are kept; beyond that, the oldest is dropped."""
OLDEST_NS: Final = 600_000_000_000
"""Most time in ns between two facts that are linked."""
MOST_LINKS: Final = 64
"""Most links of one conversation."""


class EndedObject:
    """The part of an ended object that links need."""

    __slots__ = ("links", "name")

    def __init__(self, name: "Name | None") -> None:
        self.name = name
        self.links: list[Name] | None = None


class CrossLinks:
    """Leading facts, and the links that they make.

    `joins` is called with an object and the name of one that it is linked with; by default the
    object gets the name.
    """

    def __init__(
        self, capped: Counter[str], joins: "Callable[[Any, Name], object] | None" = None
    ) -> None:
        self.capped = capped
        self._joins = joins
        self._many = min(LEAST_FACTS, MOST_FACTS)
        """Number of facts beyond which those are dropped that are too old."""
        self.facts: OrderedDict[Any, tuple[Any, int, int]] = OrderedDict()
        """Kind and key to object, flow and time of the latest fact that leads."""

    def see(self, kind: str, role: str, key: Any, entity: Any, flow: int, t: int) -> None:  # noqa: ANN401 - any key
        """Add a fact of an object, and link it with an earlier one."""
        place = kind, key
        if role in ("follows", "both"):
            found = self.facts.get(place)
            if found is not None and found[1] != flow and t - found[2] <= OLDEST_NS:
                self._join(found[0], entity)
        if role in ("leads", "both"):
            self.facts[place] = (entity, flow, t)
            self.facts.move_to_end(place)
            if len(self.facts) > self._many:
                self._forget(t)

    def put(self, place: Any, entity: Any, flow: int, t: int) -> None:  # noqa: ANN401 - any key
        """Put back a fact that was in `facts`; earlier ones come first."""
        self.facts[place] = (entity, flow, t)

    def _forget(self, t: int) -> None:
        """Drop the facts that are too old at a time in ns; and some if there are too many."""
        while self.facts and t - next(iter(self.facts.values()))[2] > OLDEST_NS:
            self.facts.popitem(last=False)
        while len(self.facts) > MOST_FACTS:
            self.facts.popitem(last=False)
            self.capped["link facts"] += 1
        self._many = min(MOST_FACTS, max(LEAST_FACTS, 2 * len(self.facts)))

    def _join(self, one: Any, other: Any) -> None:  # noqa: ANN401 - objects
        for here, there in ((one, other), (other, one)):
            if there.name is not None:
                (self._joins or self.add)(here, there.name)

    def add(self, entity: Any, name: "Name") -> None:  # noqa: ANN401 - an object
        """Link an object with another one, given the name of that one's conversation."""
        if entity.links is None:
            entity.links = []
        if name in entity.links:
            return
        if len(entity.links) < MOST_LINKS:
            entity.links.append(name)
        else:
            self.capped["links of a conversation"] += 1
