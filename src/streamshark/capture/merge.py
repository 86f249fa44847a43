"""Merge captures: the packets of all in order of time, in batches."""

import heapq
import itertools
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from streamshark.capture.capture import Capture
from streamshark.capture.packet import PacketBatch

WINDOW = 256 * 1024
"""Bytes of a capture read at a time: the rows of a window fit the processor's cache; with 4 MiB
(right for columns) a large capture took a third longer and three times the memory."""
MOST_PACKETS = 512
"""Most packets of a batch: the objects made of more do not fit the cache."""
SET_BACK_NS = 1_000_000_000
"""A packet older than the one before it by more than this is no disorder: the clock was set back,
or captures were concatenated."""
DISORDER_NS = 1_000_000
"""A packet older than the one before it by at most this was written late, by another queue of a
network card or from another interface: packets are then sorted by time."""
MOST_HELD = 8192
"""Most packets that wait."""
LEAST_HELD = 32 * 1024
"""Bytes of a read after which more are expected at once: in a disordered capture, the last
`DISORDER_NS` of packets wait for them. Packets that arrive slowly are shown as they arrive."""


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


def steady(batches: Iterable[PacketBatch]) -> Iterator[tuple[PacketBatch, bool]]:
    """Yield packets up to where the clock was set back, and whether it was set back before them.

    A batch has at most `MOST_PACKETS`. An empty batch is yielded after the packets that wait.
    """
    for batch, is_set_back in _steady(batches):
        if not batch.times:
            yield batch, False
        for start in range(0, len(batch), MOST_PACKETS):
            end = min(start + MOST_PACKETS, len(batch))
            yield part_of(batch, start, end), is_set_back and not start


def _steady(batches: Iterable[PacketBatch]) -> Iterator[tuple[PacketBatch, bool]]:
    last, is_set_back, disordered = 0, False, False
    held: list[PacketBatch] = []
    for batch in batches:
        times = batch.times
        if not times:
            yield from ((part, False) for part in held)
            held = []
            yield batch, False
            continue
        # Smaller disorder is the capture's own, and is sorted as far as rows are buffered at all.
        if not disordered and times[0] >= last - SET_BACK_NS and times == sorted(times):
            disordered = last - DISORDER_NS <= times[0] < last
            last = times[-1]
            yield batch, False
            continue
        disordered = True
        start = 0
        for at, time_ns in enumerate(times):
            if time_ns < last - SET_BACK_NS:
                for part in _in_order([*held, part_of(batch, start, at)])[0]:
                    yield part, is_set_back
                    is_set_back = False
                held, start, is_set_back = [], at, True
            last = time_ns
        waiting = [*held, part_of(batch, start, len(batch))]
        slow = len(batch.data) < LEAST_HELD
        settled, held = (_in_order(waiting)[0], []) if slow else _parted(waiting)
        for part in settled:
            yield part, is_set_back
            is_set_back = False
    for part in held:
        yield part, is_set_back
        is_set_back = False


def _parted(batches: list[PacketBatch]) -> tuple[list[PacketBatch], list[PacketBatch]]:
    """Return the packets in order of time, and then those that a later packet may precede."""
    parts, are_ordered = _in_order(batches)
    border = max(part.times[-1] for part in parts) - DISORDER_NS
    ends = [bisect_right(part.times, border) for part in parts]
    if not are_ordered or sum(map(len, parts)) - sum(ends) > MOST_HELD:
        return parts, []
    both = list(zip(parts, ends, strict=True))
    settled = [part_of(part, 0, end) for part, end in both if end]
    return settled, [part_of(part, end, len(part)) for part, end in both if end < len(part)]


def _in_order(batches: list[PacketBatch]) -> tuple[list[PacketBatch], bool]:
    """Return the packets of batches, and whether they are in order of time.

    They are sorted if no packet is late by more than `DISORDER_NS`.
    """
    parts = [each for each in batches if each.times]
    times = [time_ns for each in parts for time_ns in each.times]
    if times == sorted(times):
        return parts, True
    if max(a - b for a, b in itertools.pairwise(times)) > DISORDER_NS:
        return parts, False
    places = [(which, at) for which, each in enumerate(parts) for at in range(len(each))]
    order = sorted(range(len(times)), key=times.__getitem__)
    out, start = [], 0
    for at in range(1, len(order) + 1):
        which, first = places[order[start]]
        end = first + at - start
        if at == len(order) or places[order[at]] != (which, end):
            out.append(part_of(parts[which], first, end))
            start = at
    return out, True


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
