"""Sort rows by (time, file, packet, flow, offset).

A connection whose protocol is not known yet, or that is out of sync, holds back the rows of others
from the packet on that it waits with. Thousands may do so at once (a port scan), so the earliest is
kept at the top of a heap.
"""

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable

from streamshark.dissection.row import FrameRow, Row
from streamshark.framing.splitter import At

MOST_HELD = 16_384
"""Most rows held back for an undecided connection; beyond that, it no longer holds others back."""
MOST_HELD_BYTES = 64 * 1024 * 1024
"""Most bytes of their frames, with the same effect."""
LONGEST_HELD_NS = 1_000_000_000
"""Most capture time in ns for which it holds rows back in a live reading."""
_DELAYED = -1
"""Pseudo flow number: holds rows back for packets whose payload is still to be delivered, or that
come late."""
SLACK = 64
"""Stale entries that the heap may have, besides as many as there are holding flows."""


class HoldingFlows:
    """Flow numbers, each with the packet from which on it holds rows back."""

    def __init__(self) -> None:
        self._since: dict[int, At] = {}
        self._heap: list[tuple[At, int]] = []
        """An entry for every holding flow, and some stale ones."""

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, flow: int) -> bool:
        return flow in self._since

    def hold(self, flow: int, since: At) -> None:
        """Hold back rows after a packet, for a flow."""
        if self._since.get(flow) == since:
            return
        self._since[flow] = since
        heapq.heappush(self._heap, (since, flow))
        if len(self._heap) > 2 * len(self._since) + SLACK:
            self._heap = [(since, flow) for flow, since in self._since.items()]
            heapq.heapify(self._heap)

    def release(self, flow: int) -> None:
        """Stop holding rows back for a flow, if it does."""
        self._since.pop(flow, None)

    def clear(self) -> None:
        """Release all flows."""
        self._since.clear()

    @property
    def first(self) -> tuple[At, int] | None:
        """The earliest packet from which on rows are held back, and its flow; None without one."""
        while self._heap and self._since.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None


class HeldRows:
    """Rows that others may still precede."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.size = 0
        """Bytes of their frames."""
        self.disturbed = False
        """True since an undecided connection has made rows come out of order."""

    def add(self, rows: list[Row]) -> None:
        """Add rows."""
        self.rows += rows
        self.size += _size(rows)

    def before(self, until: At) -> list[Row]:
        """Remove and return the rows of packets before this one, in order."""
        self.rows.sort(key=lambda row: row.order)
        ready = bisect_left(self.rows, until, key=lambda row: row.order[:3])
        out, self.rows = self.rows[:ready], self.rows[ready:]
        self.size -= _size(out)
        return out

    def all(self) -> list[Row]:
        """Remove and return all rows, in order."""
        out, self.rows, self.size = self.rows, [], 0
        out.sort(key=lambda row: row.order)
        return out


class RowOrder:
    """Rows in, rows in order out, each as soon as no other can precede it.

    With `live` no row waits longer than a second for another connection.
    """

    def __init__(self, *, live: bool = False) -> None:
        self.live = live
        self.last: At = (0, 0, 0)
        """Time, file and packet of the last row so far that is not held back."""
        self._holding = HoldingFlows()
        self._held = HeldRows()
        self._latest: list[Row] = []
        """Rows of the last packet: the end of the captures may insert rows between them."""

    def hold(self, flow: int, since: At) -> None:
        """Hold back rows after a packet, until the flow is released."""
        self._holding.hold(flow, since)

    def release(self, flow: int) -> None:
        """Stop holding rows back for a flow."""
        self._holding.release(flow)

    def is_holding(self, flow: int) -> bool:
        """Return whether rows are held back for a flow."""
        return flow in self._holding

    def disturb(self) -> None:
        """Note that rows may be out of order from here on, until none are held back."""
        self._held.disturbed = True

    def note(self, rows: list[Row]) -> None:
        """Note rows that were yielded without being sorted."""
        self.last = max([self.last, *(row.order[:3] for row in rows)])

    @property
    def first_held(self) -> At | None:
        """The earliest packet from which on rows are held back; None without one."""
        first = self._holding.first
        return None if first is None else first[0]

    @property
    def latest_ns(self) -> int | None:
        """Time in ns of the rows of the last packet, which are kept back; None without them."""
        return self._latest[0].time_ns if self._latest else None

    @property
    def end(self) -> At:
        """Time, file and packet of the last row, held back or not."""
        # Rows held back count, so that times are those of a reading without holding.
        return max([self.last, *(row.order[:3] for row in self._held.rows)])

    def add(
        self, rows: list[Row], now_ns: int, stray: Callable[[int], list[Row]], delayed: At | None
    ) -> list[Row]:
        """Return the rows, of these and earlier ones, whose order is final.

        Args:
            rows: The rows of a window of packets.
            now_ns: Time of its last packet.
            stray: Returns the rows of a flow that may not hold back others any longer.
            delayed: The earliest packet whose payload is still to be delivered; None without one.
        """
        rows = self._latest + self.ready(rows, now_ns, stray, delayed)
        self._latest = [] if self.live else _taken_off(rows)
        if known := self._latest or rows:
            self.last = known[-1].order[:3]
        return rows

    def ready(
        self, rows: list[Row], now_ns: int, stray: Callable[[int], list[Row]], delayed: At | None
    ) -> list[Row]:
        """Return the rows that no held row can precede, including those of the last packet."""
        if delayed is not None:
            self._holding.hold(_DELAYED, delayed)
            self._held.disturbed = True
        else:
            self._holding.release(_DELAYED)
        held = self._held
        if not held.disturbed:
            return rows
        held.add(rows)
        is_full = len(held.rows) > MOST_HELD or held.size > MOST_HELD_BYTES
        while (first := self._holding.first) is not None:
            waited = now_ns - first[0][0]
            if not is_full and not (self.live and waited > LONGEST_HELD_NS):
                return held.before(first[0])
            self._holding.release(first[1])
            held.add(stray(first[1]))
        held.disturbed = False
        return held.all()

    def flush(self) -> list[Row]:
        """Return all rows so far: the clock was set back."""
        latest, self._latest = self._latest, []
        return self._all(latest)

    def release_latest(self) -> list[Row]:
        """Return the rows of the last packet, which are kept back: later packets were read."""
        latest, self._latest = self._latest, []
        return latest

    def finish(self, rows: list[Row]) -> list[Row]:
        """Return all remaining rows, and those that the end of the captures adds."""
        return self._all([*self._latest, *rows])

    def _all(self, rows: list[Row]) -> list[Row]:
        self._holding.clear()
        self._held.add(rows)
        return self._held.all()


def _taken_off(rows: list[Row]) -> list[Row]:
    """Remove and return the rows of the last packet of a list."""
    start = len(rows)
    while start and rows[start - 1].order[:3] == rows[-1].order[:3]:
        start -= 1
    latest = rows[start:]
    del rows[start:]
    return latest


def _size(rows: Iterable[Row]) -> int:
    return sum(len(row.data) for row in rows if isinstance(row, FrameRow))
