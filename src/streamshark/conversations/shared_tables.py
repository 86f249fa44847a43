"""Objects that connections share, for as long as rows name them."""

from collections.abc import Iterable, Iterator
from typing import Any, Final
from zlib import crc32

from streamshark.conversations.runtime import oldest
from streamshark.conversations.state import Place, TrackedObject

HOUR_NS: Final = 3_600_000_000_000
"""An object is forgotten that no row has named in the hour before the last full one, or since: it
depends on no other object, whatever else the captures show."""
MOST_SHARED: Final = 65_536
"""Most objects of a protocol; beyond that, those that no row has named for long are forgotten."""

Tables = dict[str, dict[Any, TrackedObject]]
"""Lifecycle to its objects by key."""


class SharedTables:
    """The objects of some lifecycles that connections share."""

    def __init__(self, lifecycles: Iterable[str]) -> None:
        names = tuple(lifecycles)
        self.tables: Tables = {name: {} for name in names}
        """Those that rows have named since the last full hour."""
        self._before: Tables = {name: {} for name in names}
        """Those that rows named in the hour before, and not since."""
        self._turned_ns = 0
        """The last full hour."""
        self._count = 0
        """Number of keys."""

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return any(self.tables.values()) or any(self._before.values())

    def find(self, name: str, key: Any) -> TrackedObject | None:  # noqa: ANN401 - any key
        """Return an object that no row has named since the last full hour; it is named now."""
        found = self._before[name].pop(key, None)
        if found is not None:
            self.tables[name][key] = found
        return found

    def add(self, name: str, key: Any, entity: TrackedObject) -> list[TrackedObject]:  # noqa: ANN401 - any key
        """Add an object; return those that are forgotten since there are too many."""
        self.tables[name][key] = entity
        self._count += 1
        if self._count <= MOST_SHARED:
            return []
        found = [each for objects in self._before.values() for each in objects.values()]
        self._before = {each: {} for each in self._before}
        if not found:
            found = oldest(max(self.tables.values(), key=len), MOST_SHARED)
        self._recount()
        return found

    def turn(self, hour_ns: int) -> list[tuple[str, TrackedObject]]:
        """Begin an hour; return the objects that are forgotten, in order, each with its lifecycle.

        Args:
            hour_ns: The time in ns of the full hour.
        """
        if hour_ns <= self._turned_ns:
            return []
        known = {id(each) for objects in self.tables.values() for each in objects.values()}
        found = {
            id(each): (name, each)
            for name in self._before
            for each in _by_birth(self._before[name].values())
            if id(each) not in known  # it may have several keys
        }
        self._turned_ns = hour_ns
        self._before = {name: dict(objects) for name, objects in self.tables.items()}
        for objects in self.tables.values():  # handlers know these tables
            objects.clear()
        self._recount()
        return list(found.values())

    def of(self, name: str) -> list[TrackedObject]:
        """Return the objects of a lifecycle, each once, in order."""
        found = (*self._before[name].values(), *self.tables[name].values())
        return _by_birth({id(each): each for each in found}.values())

    def place(self, entity: TrackedObject) -> Place:
        """Return where an object is in the order in which those of all lifecycles end."""
        return list(self.tables).index(entity.lifecycle), *_birth(entity)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield the lifecycle and the key of each object."""
        for tables in (self._before, self.tables):
            for name, objects in tables.items():
                yield from ((name, key) for key in objects)

    def objects(self) -> Iterator[tuple[str, Any, bool, TrackedObject]]:
        """Yield of each object lifecycle, key, and whether it is recent.

        It is if rows have named it since the last full hour.
        """
        for tables, is_recent in ((self._before, False), (self.tables, True)):
            for name, objects in tables.items():
                yield from ((name, key, is_recent, each) for key, each in objects.items())

    def put(self, name: str, key: Any, entity: TrackedObject, *, is_recent: bool) -> None:  # noqa: ANN401 - any key
        """Put an object back in the place that `objects` has named."""
        (self.tables if is_recent else self._before)[name][key] = entity
        self._count += 1

    def continue_at(self, time_ns: int) -> None:
        """Continue at a time in ns, up to which all hours have begun."""
        self._turned_ns = time_ns // HOUR_NS * HOUR_NS

    def clear(self) -> None:
        """Forget all."""
        for objects in (*self.tables.values(), *self._before.values()):
            objects.clear()
        self._count = 0

    def state(self) -> tuple[int, Tables, Tables]:
        """Return the state so far."""
        return self._turned_ns, self._before, self.tables

    def resume(self, state: tuple[int, Tables, Tables]) -> None:
        """Continue from the state of equal tables."""
        self._turned_ns, before, tables = state
        for mine, given in ((self._before, before), (self.tables, tables)):
            for name, objects in given.items():
                mine[name].update(objects)
        self._recount()

    def _recount(self) -> None:
        self._count = sum(map(len, (*self._before.values(), *self.tables.values())))


def _birth(entity: TrackedObject) -> tuple[int, int, int]:
    """Return what orders objects by their birth, whenever they were met or restored."""
    return entity.t, entity.n or 0, crc32(repr(entity.id).encode())


def _by_birth(entities: Iterable[TrackedObject]) -> list[TrackedObject]:
    return sorted(entities, key=_birth)


def next_hour(time_ns: int) -> int:
    """Return the next full hour after a time in ns."""
    return (time_ns // HOUR_NS + 1) * HOUR_NS
