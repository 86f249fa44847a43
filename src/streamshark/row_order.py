"""Which connections hold back the rows of others, since which packet, and the rows held back.

Thousands may do so at once (a port scan), so the earliest is kept at the top of a heap.
"""

import heapq
from bisect import bisect_left
from collections.abc import Iterable

from streamshark.dissection.row import FrameRow, Row
from streamshark.framing.splitter import At

SLACK = 64
"""Entries without a holder that the heap may have, besides as many as there are holders."""


class HoldingFlows:
    """Flow numbers, each with the packet that it holds rows back since."""

    def __init__(self) -> None:
        self._since: dict[int, At] = {}
        self._heap: list[tuple[At, int]] = []
        """Every holder, and some that were released or hold since another packet."""

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, flow: int) -> bool:
        return flow in self._since

    def hold(self, flow: int, since: At) -> None:
        """A flow holds back what comes after a packet."""
        if self._since.get(flow) == since:
            return
        self._since[flow] = since
        heapq.heappush(self._heap, (since, flow))
        if len(self._heap) > 2 * len(self._since) + SLACK:
            self._heap = [(since, flow) for flow, since in self._since.items()]
            heapq.heapify(self._heap)

    def release(self, flow: int) -> None:
        """A flow holds nothing back any more, if it did."""
        self._since.pop(flow, None)

    def clear(self) -> None:
        """Release all."""
        self._since.clear()

    @property
    def first(self) -> tuple[At, int] | None:
        """The earliest packet that rows are held back since, and the flow; None without holders."""
        while self._heap and self._since.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None


class HeldRows:
    """Rows that others may still come before."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.size = 0
        """Bytes of their frames."""
        self.disturbed = False
        """True since a connection that is not settled has made rows come out of order."""

    def add(self, rows: list[Row]) -> None:
        """More of them."""
        self.rows += rows
        self.size += _size(rows)

    def before(self, until: At) -> list[Row]:
        """Take those of packets before this one, in order."""
        self.rows.sort(key=lambda row: row.order)
        ready = bisect_left(self.rows, until, key=lambda row: row.order[:3])
        out, self.rows = self.rows[:ready], self.rows[ready:]
        self.size -= _size(out)
        return out

    def all(self) -> list[Row]:
        """Take all, in order."""
        out, self.rows, self.size = self.rows, [], 0
        out.sort(key=lambda row: row.order)
        return out


def _size(rows: Iterable[Row]) -> int:
    return sum(len(row.data) for row in rows if isinstance(row, FrameRow))
