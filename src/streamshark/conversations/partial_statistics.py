"""Statistics of some of the connections, which add up to those of all.

Tables list their entries in the order in which they were first seen; so a partial table knows, of
each entry, the row that made it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.statistics import (
    MOST,
    MOST_REQUESTS,
    Batch,
    Command,
    ConversationType,
    DirectionTotals,
    Statistics,
    Traffic,
)
from streamshark.dissection.row import Row

Stamp = tuple[int, ...]
"""Order of a row; of what the end of the captures completes, a time that no row has, before the
order of the first row of its connection. The last member counts entries of one row."""

_AT_END: Final = 1 << 80
_TABLES: Final = ("commands", "batches", "streams", "connections", "kinds", "attempts")


class PartialStatistics(Statistics):
    """Statistics of one of several parts of the connections."""

    def __init__(self) -> None:
        super().__init__()
        self.stamps: dict[Any, Stamp] = {}
        """Table and key of each entry, to the row that made it."""
        self._first: dict[int, Stamp] = {}
        """Flow to its first row."""
        self._sizes = dict.fromkeys(_TABLES, 0)
        self._serial = 0

    def take(self, row: Row) -> None:
        """Add a row."""
        super().take(row)
        order = row.order
        self._first.setdefault(order[3], order)
        self._stamp(order)

    def end_at(self, row: Row, conversations: Iterable[Conversation]) -> None:
        """Add conversations that ended at a row."""
        for each in conversations:
            self.end([each])
            self._stamp(row.order)

    def end_last(self, conversations: Iterable[Conversation]) -> None:
        """Add conversations that the end of the captures ends."""
        for each in conversations:
            self.end([each])
            self._stamp((_AT_END, *self._first.get(each.flows[0], ())))

    def is_near_limits(self, parts: int) -> bool:
        """Return whether the sum of so many parts may reach a limit of all connections."""
        shared = max(len(self.streams), len(self.connections), len(self.attempts))
        requests = max(len(self._requests), len(self._refused))
        return shared > MOST // parts or requests > MOST_REQUESTS // parts

    def _stamp(self, order: Stamp) -> None:
        """Note the row of entries that were added since the last call."""
        for name, before in self._sizes.items():
            table: dict[Any, Any] = getattr(self, name)
            if len(table) > before:
                self._sizes[name] = len(table)
                for key in reversed(list(islice(reversed(table), len(table) - before))):
                    self._note((name, key), order)
        for key, kind in self.kinds.items():
            for measure in kind.measures:
                if ("measure", key, measure) not in self.stamps:
                    self._note(("measure", key, measure), order)

    def _note(self, entry: Any, order: Stamp) -> None:  # noqa: ANN401 - table and key
        self._serial += 1
        self.stamps[entry] = (*order, self._serial)

    def packed(self) -> "PartialStatistics":
        """Return the statistics without what only their making needs, as for pickling."""
        made = PartialStatistics()
        for name in (*_TABLES, "first_ns", "last_ns", "events", "stamps"):
            setattr(made, name, getattr(self, name))
        for traffic in (*made.connections.values(), *made.streams.values()):
            traffic.lost_before, traffic.connection = traffic.lost, None
            traffic.context = dict(traffic.context)
        return made


def total(parts: Iterable[PartialStatistics]) -> Statistics:
    """Return the statistics of all connections."""
    made = Statistics()
    stamps: dict[Any, Stamp] = {}
    for part in parts:
        if part.first_ns is not None:
            first = part.first_ns if made.first_ns is None else made.first_ns
            made.first_ns = min(first, part.first_ns)
        made.last_ns = max(made.last_ns, part.last_ns)
        made.events += part.events
        for entry, stamp in part.stamps.items():
            stamps[entry] = min(stamp, stamps.get(entry, stamp))
        for key, command in part.commands.items():
            _add_command(made.commands.setdefault(key, Command()), command)
        for key, batch in part.batches.items():
            _add_batch(made.batches.setdefault(key, Batch()), batch)
        for key, kind in part.kinds.items():
            _add_kind(made.kinds.setdefault(key, ConversationType()), kind)
        for stream, traffic in part.streams.items():
            first_seen = Traffic(traffic.protocol, traffic.first_ns)
            _add_traffic(made.streams.setdefault(stream, first_seen), traffic)
        made.connections.update(part.connections)
        for endpoint, counts in part.attempts.items():
            made.attempts.setdefault(endpoint, Counter()).update(counts)
    _sort(made, stamps)
    return made


def _add_command(mine: Command, other: Command) -> None:
    for name in ("count", "answers", "size", "errors", "unanswered", "problems"):
        setattr(mine, name, getattr(mine, name) + getattr(other, name))
    mine.times.merge(other.times)


def _add_batch(mine: Batch, other: Batch) -> None:
    mine.messages.merge(other.messages)
    mine.size += other.size
    mine.packed += other.packed
    mine.unpacked += other.unpacked


def _add_kind(mine: ConversationType, other: ConversationType) -> None:
    mine.count += other.count
    mine.states.update(other.states)
    mine.duration.merge(other.duration)
    for name, values in other.measures.items():
        mine.measures.setdefault(name, type(values)()).merge(values)


def _add_traffic(mine: Traffic, other: Traffic) -> None:
    mine.first_ns = min(mine.first_ns, other.first_ns)
    mine.last_ns = max(mine.last_ns, other.last_ns)
    mine.times.merge(other.times)
    for sender, way in other.ways.items():
        totals = mine.ways.setdefault(sender, DirectionTotals())
        totals.frames += way.frames
        totals.size += way.size
        totals.messages += way.messages


def _sort(made: Statistics, stamps: Mapping[Any, Stamp]) -> None:
    """Put the entries of all tables in the order in which they were first seen."""
    for name in _TABLES:
        table = getattr(made, name)
        found = sorted(table, key=lambda key: stamps[name, key])
        setattr(made, name, {key: table[key] for key in found})
    for key, kind in made.kinds.items():
        names = sorted(kind.measures, key=lambda name: stamps["measure", key, name])
        kind.measures = {name: kind.measures[name] for name in names}
