"""Groups of facts: those that concern the same objects must be evaluated together, others need not.

A fact names the objects that it changes or depends on. Facts with an object in common are of one
group, so that each group can be evaluated by a process of its own (`fact_evaluator`).
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from streamshark.conversations.split_code import LINKS, fact_code
from streamshark.findings.connection_records import LEAVES, Left, Position, RowFacts

ObjectKey = tuple[Hashable, ...]
"""Protocol, name and key of an object that connections share (no protocol for links); or of an
object of a connection: protocol, name, flow, and what names it there."""
MOST_KEYS: Final = 1 << 14
"""Most keys that are remembered."""
SHARED: Final = 3
"""Length of the key of an object that connections share."""


class RecordPart(NamedTuple):
    """Some of the records that one source has left for a row, timer or end.

    Parts are in the order of their first three members; those that agree in them are of one group.
    """

    at: Position
    source: int
    turn: int
    """Number of the group among those of the source."""
    rows: list[RowFacts]
    records: list[tuple[int, tuple[Any, ...]]]
    """The records, each with its place among all of the group."""


def parts_of(source: int, left: Left, first: int = 0) -> Iterator[tuple[RecordPart, RecordPart]]:
    """Yield for each group of records its facts, and the other ones.

    Args:
        source: A number of the judge that has left them.
        left: What it has left.
        first: How many groups it has left before.
    """
    for turn, group in enumerate(left.groups, first):
        placed = list(enumerate(group.records))
        facts = [each for each in placed if each[1][0] == LEAVES]
        others = [each for each in placed if each[1][0] != LEAVES]
        place = group.at, source, turn, group.rows
        yield RecordPart(*place, facts), RecordPart(*place, others)


class FactObjects:
    """Which objects facts concern."""

    def __init__(self) -> None:
        self._functions: dict[tuple[int, str, int], Any] = {}
        self._compiled: dict[str, Any] = {}
        self._keys: dict[tuple[str, tuple[Any, ...]], tuple[ObjectKey, ...]] = {}
        """What functions have returned, to the keys."""

    def learn(self, source: int, left: Left) -> None:
        """Learn the code of facts that one source has left."""
        for protocol, number, text in left.texts:
            if text not in self._compiled:
                scope: dict[str, Any] = {}
                exec(fact_code(text), scope)  # noqa: S102 - our own code
                self._compiled[text] = scope["objects"]
            self._functions[source, protocol, number] = self._compiled[text]

    def of(self, source: int, fact: tuple[Any, ...]) -> tuple[ObjectKey, ...]:
        """Return the objects that a fact concerns; at least one."""
        _, flow, protocol, number, t, n, _, values = fact
        found = self._functions[source, protocol, number](flow, t, n, values)
        known = self._keys.get((protocol, found))
        if known is None:
            if len(self._keys) >= MOST_KEYS:
                self._keys.clear()
            known = self._keys[protocol, found] = tuple(
                ("" if name == LINKS else protocol, name, *key)
                for name, *key in found
                if not _is_unknown(key[-1])
            )
        return known or ((protocol, "", flow, 0),)


class ObjectGroups:
    """Groups of objects that facts have in common, in the form of a union-find."""

    def __init__(self) -> None:
        self._above: dict[ObjectKey, ObjectKey] = {}

    def join(self, keys: Iterable[ObjectKey]) -> None:
        """Put objects, with all of their groups, into one group; represented by a shared one."""
        roots = list(dict.fromkeys(map(self._root, keys)))
        roots.sort(key=len)
        for each in roots[1:]:
            self._above[each] = roots[0]

    def of(self, key: ObjectKey) -> ObjectKey:
        """Return the object that represents the group of an object."""
        return self._root(key) if key in self._above else key

    def join_met(self, met: Iterable[Mapping[ObjectKey, ObjectKey]]) -> bool:
        """Put groups together that have met the same object; return whether there were any.

        Their facts must then be evaluated again, together.

        Args:
            met: `FactEvaluator.met` of all evaluators.
        """
        first, is_joined = dict[ObjectKey, ObjectKey](), False
        for each in met:
            for key, group in each.items():
                other = first.setdefault(key, group)
                if self.of(other) != self.of(group):
                    self.join([other, group])
                    is_joined = True
        return is_joined

    def shared(self) -> list[list[ObjectKey]]:
        """Return the objects that connections share, of each group with several of them."""
        members: dict[ObjectKey, list[ObjectKey]] = {}
        for each in self._above:
            if len(each) == SHARED:
                members.setdefault(self._root(each), []).append(each)
        return [each for each in members.values() if len(each) > 1]

    def _root(self, key: ObjectKey) -> ObjectKey:
        above = self._above
        root = above.setdefault(key, key)
        while above[root] != root:
            root = above[root]
        while above[key] != root:
            above[key], key = root, above[key]
        return root


def _is_unknown(key: Any) -> bool:  # noqa: ANN401 - any key
    """Return whether a key finds no object."""
    return key is None or (isinstance(key, tuple) and None in key)
