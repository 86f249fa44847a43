"""The packets of captures in the order of time, a part at a time."""

import heapq
import itertools
from collections.abc import Iterable, Iterator

from streamshark.capture.capture import Capture
from streamshark.capture.packet import PacketBatch

WINDOW = 256 * 1024
"""Bytes of a capture read at a time: the rows of a window fit the processor's cache; with 4 MiB
(right for columns) a large capture took a third longer and three times the memory."""
MOST_PACKETS = 512
"""Packets that are looked at at a time: what is made of more does not fit the cache."""
SET_BACK_NS = 1_000_000_000
"""A packet older than the one before it by more is no disorder: the clock was set, or captures
were joined as they are."""
DISORDER_NS = 1_000_000
"""A packet older than the one before it by at most so much was written late, by another queue of a
network card or from another interface: packets are taken in order of time then."""


def merged(captures: list[Capture], limit: int | None) -> Iterator[PacketBatch]:
    """The packets of all captures in time order, each file's own order kept."""
    if len(captures) == 1:
        yield from captures[0].batches(WINDOW, limit)
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
        end = start + 1
        while end < len(batch) and (border is None or (batch.times[end], index) < border):
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
    """Packets up to where the clock was set back, and whether it was before them.

    They are at most `MOST_PACKETS`.
    """
    for batch, is_set_back in _steady(batches):
        for start in range(0, len(batch), MOST_PACKETS):
            end = min(start + MOST_PACKETS, len(batch))
            yield part_of(batch, start, end), is_set_back and not start


def _steady(batches: Iterable[PacketBatch]) -> Iterator[tuple[PacketBatch, bool]]:
    last, is_set_back = 0, False
    for batch in batches:
        times, start = batch.times, 0
        # Smaller disorder is the capture's own, and put right as far as rows are held at all.
        if times[0] >= last - SET_BACK_NS and times == sorted(times):
            yield batch, False
        else:
            for at, time_ns in enumerate(times):
                if time_ns < last - SET_BACK_NS:
                    if at > start:
                        for part in _in_order(part_of(batch, start, at)):
                            yield part, is_set_back
                            is_set_back = False
                    start, is_set_back = at, True
                last = time_ns
            for part in _in_order(part_of(batch, start, len(batch))):
                yield part, is_set_back
                is_set_back = False
        last = times[-1]


def _in_order(batch: PacketBatch) -> Iterator[PacketBatch]:
    """The packets of a batch in order of time, where `DISORDER_NS` put them out of it."""
    times = batch.times
    late = 0 if times == sorted(times) else min(b - a for a, b in itertools.pairwise(times))
    if not -DISORDER_NS <= late < 0:
        yield batch
        return
    order = sorted(range(len(times)), key=times.__getitem__)
    start = 0
    for at in range(1, len(order) + 1):
        if at == len(order) or order[at] != order[at - 1] + 1:
            yield part_of(batch, order[start], order[at - 1] + 1)
            start = at


def part_of(batch: PacketBatch, start: int, end: int) -> PacketBatch:
    """Packets `[start, end)` of a batch, over the same window of bytes."""
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
    )
