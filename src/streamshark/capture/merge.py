"""Merge captures: the packets of all in order of time, in batches."""

import heapq
import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from streamshark.capture.capture import Capture
from streamshark.capture.packet import PacketBatch

WINDOW = 256 * 1024
"""Bytes of a capture read at a time: the rows of a window fit the processor's cache; with 4 MiB
(right for columns) a large capture took a third longer and three times the memory."""
MOST_PACKETS = 512
"""Most packets of a batch: the objects made of more do not fit the cache."""
SET_BACK_NS = 1_000_000_000
"""A packet older than one before it was written late, by another queue of a network card or from
another interface, and is sorted by time. One that is older by more than this is no disorder: the
clock was set back, or captures were concatenated."""
MOST_LATE = 512
"""Packets that a late one may stand after; one that is older than all before these counts as after
a clock that was set back, too. More would not fit the cache while they wait."""
LEAST_HELD = 32 * 1024
"""Bytes of a read of a live capture after which more are expected at once: its last packets wait
for them. Packets that arrive slowly are shown as they arrive."""


class PartBounds(NamedTuple):
    """Where a part of a capture begins and ends in the order of time.

    Packets that are late may stand in the file after those of the next part.
    """

    before: tuple[int, ...] = ()
    """For each of the last packets before the part, the latest time in ns so far."""
    last: int | None = None
    """Number of the packet with which the part ends in the file; None if the capture does."""
    until_ns: int = 0
    """Latest time in ns of the packets up to that one."""
    end: int = 0
    """Number of the last packet that is late and belongs to this part; `last` without one."""


WHOLE = PartBounds()


def merged(
    captures: list[Capture], limit: int | None, idle: float | None = None
) -> Iterator[PacketBatch]:
    """Yield the packets of all captures in order of time; each file's own order is kept.

    A single capture from a live source yields an empty batch whenever it is silent for `idle`
    seconds.
    """
    if len(captures) == 1:
        yield from captures[0].batches(WINDOW, limit, idle)
        return
    left = limit
    heads: list[tuple[int, int, int, PacketBatch, Iterator[PacketBatch]]] = []
    for index, capture in enumerate(captures):
        batches = capture.batches(WINDOW)
        batch = next(batches, None)
        if batch is not None:
            heapq.heappush(heads, (batch.times[0], index, 0, batch, batches))
    while heads and (left is None or left > 0):
        _, index, start, batch, batches = heapq.heappop(heads)
        border = heads[0][:2] if heads else None
        count = len(batch)
        end = start + 1
        if border is None or (max(batch.times), index) < border:
            end = count
        while end < count and (border is None or (batch.times[end], index) < border):
            end += 1
        if left is not None:
            end = min(end, start + left)
            left -= end - start
        yield part_of(batch, start, end)
        if end < len(batch):
            heapq.heappush(heads, (batch.times[end], index, end, batch, batches))
        elif (following := next(batches, None)) is not None:
            heapq.heappush(heads, (following.times[0], index, 0, following, batches))


def steady(
    batches: Iterable[PacketBatch], order: "TimeOrder | None" = None, *, live: bool = False
) -> Iterator[tuple[PacketBatch, bool]]:
    """Yield packets up to where the clock was set back, and whether it was set back before them.

    They are in order of time, which depends neither on the batches that are given nor on the part
    of a capture that is read. A batch has at most `MOST_PACKETS`. An empty batch is yielded after
    packets that wait.

    Args:
        batches: Packets in the order of the captures.
        order: Where packets wait; a new one by default.
        live: Whether packets that arrive slowly do not wait for late ones.
    """
    order = TimeOrder() if order is None else order
    for batch in batches:
        if batch.times:
            order.add(batch)
        if not batch.times or (live and len(batch.data) < LEAST_HELD):
            order.flush()
        yield from order.ready()
        if not batch.times:
            yield batch, False
    order.finish()
    yield from order.ready()


class LatestTimes:
    """The latest time so far at each of the last packets, which says how late one may be."""

    def __init__(self, before: Iterable[int] = ()) -> None:
        self.values = deque(before, MOST_LATE)
        """Times in ns, of all packets since the clock was set back if there are fewer."""

    @property
    def latest_ns(self) -> int:
        """Latest time in ns of the packets so far."""
        return self.values[-1] if self.values else 0

    @property
    def earliest_ns(self) -> int:
        """Earliest time in ns of a packet that may follow, unless the clock is set back."""
        values = self.values
        first = values[0] if len(values) == MOST_LATE else 0
        return max(first, self.latest_ns - SET_BACK_NS)

    def add(self, times: list[int]) -> list[int]:
        """Add packets; return the places of those before which the clock was set back."""
        values = self.values
        if not has_late(times, self.latest_ns):
            values.extend(times)
            return []
        starts = []
        for at, time_ns in enumerate(times):
            if time_ns < self.earliest_ns:
                starts.append(at)
                values.clear()
            values.append(max(time_ns, self.latest_ns))
        return starts


class TimeOrder:
    """Packets in, packets in order of time out, each as soon as no other can precede it.

    It may be saved and continued between any two batches that are taken out.
    """

    def __init__(self, bounds: PartBounds = WHOLE) -> None:
        self._bounds, self._latest = bounds, LatestTimes(bounds.before)
        self._since_ns = self._latest.latest_ns
        self._held: deque[PacketBatch] = deque()
        """Packets that a later one may precede, in order of time."""
        self._ready: deque[tuple[PacketBatch, bool]] = deque()
        """Packets before those, and whether the clock was set back before them."""
        self._follows = False
        """Whether the clock was set back before the packets that are ready next."""

    def ready(self) -> Iterator[tuple[PacketBatch, bool]]:
        """Take out packets that no other can precede."""
        while self._ready:
            yield self._ready.popleft()

    def add(self, batch: PacketBatch) -> None:
        """Add packets."""
        starts = self._latest.add(batch.times)
        for start, end in itertools.pairwise(sorted({0, *starts, len(batch)})):
            if start in starts:
                self.flush()
                self._follows, self._since_ns = True, 0
            self._hold(part_of(batch, start, end))
        self._settle(self._latest.earliest_ns)

    def flush(self) -> None:
        """Let no packet wait any more."""
        self._settle(math.inf)

    def finish(self) -> None:
        """End the captures that were read; others may follow."""
        self.flush()
        self._latest, self._since_ns = LatestTimes(), 0

    def _settle(self, border_ns: float) -> None:
        held = self._held
        while held and held[0].times[-1] <= border_ns:
            batch = held.popleft()
            for start in range(0, len(batch), MOST_PACKETS):
                end = min(start + MOST_PACKETS, len(batch))
                self._ready.append((part_of(batch, start, end), self._follows))
                self._follows = False

    def _hold(self, batch: PacketBatch) -> None:
        """Let packets wait, among which the clock was not set back."""
        before_ns = max(self._since_ns, self._held[-1].times[-1] if self._held else 0)
        last = self._bounds.last
        if has_late(batch.times, before_ns) or (last is not None and batch.packets[-1] > last):
            self._sort(batch)
        else:
            self._held.append(batch)

    def _sort(self, batch: PacketBatch) -> None:
        """Put packets, some of which are late, among those that wait."""
        _, last, until_ns, _ = self._bounds
        columns = enumerate(zip(batch.times, batch.packets, strict=True))
        places = [
            (0, at) for at, (time_ns, packet) in columns
            if time_ns >= self._since_ns and (last is None or packet <= last or time_ns < until_ns)
        ]  # fmt: skip
        times = [batch.times[at] for _, at in places]
        first, parts = min(times, default=0), [batch]
        while times and self._held and self._held[-1].times[-1] > first:
            before = self._held.pop()
            places[:0] = [(len(parts), at) for at in range(len(before))]
            times[:0] = before.times
            parts.append(before)
        order = sorted(range(len(times)), key=times.__getitem__)
        self._held.extend(_taken(parts, [places[each] for each in order]))


def _taken(parts: list[PacketBatch], places: list[tuple[int, int]]) -> Iterator[PacketBatch]:
    """Yield packets, given the batch of each and the place there, as few batches."""
    start = 0
    for at in range(1, len(places) + 1):
        which, first = places[start]
        end = first + at - start
        if at == len(places) or places[at] != (which, end):
            yield part_of(parts[which], first, end)
            start = at


def has_late(times: list[int], before_ns: int) -> bool:
    """Return whether a packet is older than one before it; the latest of those has `before_ns`."""
    return times[0] < before_ns or times != sorted(times)


def part_of(batch: PacketBatch, start: int, end: int) -> PacketBatch:
    """Return packets `[start, end)` of a batch, over the same bytes."""
    if start == 0 and end == len(batch):
        return batch
    return PacketBatch(
        batch.file,
        batch.first + start,
        batch.data,
        batch.times[start:end],
        batch.starts[start:end],
        batch.captured[start:end],
        batch.original[start:end],
        batch.links[start:end],
        batch.base,
        None if batch.numbers is None else batch.numbers[start:end],
    )
