"""A worker: reads its share of the connections, and shows the rows that the parent releases."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from typing import Protocol as Interface

from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import FrameRow, Row
from streamshark.dissector import Dissector
from streamshark.framing.splitter import At
from streamshark.parallel.messages import (
    FINISH,
    KEYS,
    PACKETS,
    TEXT,
    Key,
    Others,
    Window,
    opened,
    send,
)
from streamshark.parallel.packets import BatchUnpacker, PackedBatch
from streamshark.protocols.protocol import Protocol
from streamshark.splits.connection_share import DependentError, ShareReader

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Follower(Interface):
    """What annotates or judges the rows of a worker."""

    @property
    def shares(self) -> bool:
        """Whether rows depend on connections of other workers."""

    def reach(self, time_ns: int, /) -> None:
        """Advance to a time in ns: no earlier rows follow."""


class ReleasedRows:
    """The rows of a worker in order, numbered, as soon as the parent releases them.

    `others` is called before a row whose view depends on rows of other workers; what is added to
    `shown` for the rows is sent, and removed, once all of those released together were taken;
    before that `released` is called with the time in ns of the last row of all workers.
    """

    def __init__(
        self,
        reader: ShareReader,
        packets: BatchUnpacker,
        link: "Connection",
        *,
        others: Callable[[Others], object],
        shown: list[Any],
        released: Callable[[int], object] = lambda _time_ns: None,
    ) -> None:
        self.reader, self._packets, self._link = reader, packets, link
        self._others, self._shown, self._of_released = others, shown, released
        self._follower: Follower | None = None
        self._waiting: list[tuple[Key, Row]] = []
        self._count = 0
        self._widths: dict[int, int] = {}
        self._yielded_ns = 0

    def follow(self, follower: Follower) -> None:
        """Set what annotates or judges the rows."""
        self._follower = follower

    @property
    def protocols(self) -> tuple[Protocol, ...]:
        """The protocols of the rows."""
        return self.reader.protocols

    @property
    def layers(self) -> PayloadReaders:
        """Readers of the payload slots of frames."""
        return self.reader.layers

    @property
    def dissector(self) -> Dissector:
        """The dissector that makes the rows."""
        return self.reader.dissector

    @property
    def yielded_ns(self) -> int:
        """Time in ns before which all rows of the worker have been yielded."""
        return self._yielded_ns

    def rows(self) -> Iterator[Row]:
        """Yield the rows in order, numbered."""
        for many in self._released_together():
            yield from many

    def batches(self) -> Iterator[list[Row]]:
        """Yield the rows of `rows`, those that are released together in one list."""
        return map(list, self._released_together())

    def _released_together(self) -> Iterator[Iterator[Row]]:
        """Yield rows that are released together, each time once all before were taken."""
        while True:
            kind, *content = opened(self._link.recv_bytes())
            if kind == PACKETS:
                self._announce(content[0])
                continue
            if kind == FINISH:
                self._announce_last(tuple(content[0]))
                continue
            numbers, others, reached_ns, end_ns = content
            yield self._released(numbers, deque(others))
            if self._follower is not None and self._follower.shares:
                raise DependentError("conversations depend on other connections")
            self._of_released(reached_ns)
            send(self._link, TEXT, self._shown)
            self._shown.clear()
            if end_ns is not None:
                if self._follower is not None:
                    self._follower.reach(end_ns)
                return

    def _announce(self, block: list[PackedBatch]) -> None:
        """Read a block of batches, and send where its rows belong."""
        reader, windows = self.reader, []
        for each in block:
            rows = reader.feed(*self._packets.unpacked(each))
            windows.append((self._keys(rows), reader.since))
        self._send(windows)

    def _announce_last(self, at: At) -> None:
        """Send where the rows belong that only the end of the captures completes."""
        self._send([(self._keys(self.reader.finish(at)), None)])

    def _send(self, windows: list[Window]) -> None:
        reader = self.reader
        send(self._link, KEYS, windows, tuple(reader.load()), reader.take_settled())

    def _keys(self, rows: list[Row]) -> list[Key]:
        """Return where rows belong, and keep them until they are released."""
        waiting, share, widths = self._waiting, self.reader.share, self._widths
        first = len(waiting)
        for count, row in enumerate(rows, self._count):
            flow, size, offset = row.connection.flow.number, -1, row.offset
            if isinstance(row, FrameRow):
                size = len(row.data)
            else:
                offset = row.order[-1]
            width = widths.get(flow)
            if width is None:
                width = widths[flow] = max(map(len, row.connection.flow.addresses))
            key = (row.time_ns, row.file, row.packet, flow, offset, count, share, size, width)
            waiting.append((key, row))
        self._count += len(rows)
        return [key for key, _ in waiting[first:]]

    def _released(
        self, numbers: list[int], others: deque[tuple[int, int, int, int]]
    ) -> Iterator[Row]:
        """Yield the first of the rows that wait, numbered."""
        self._waiting.sort()  # the places in keys differ, so that rows are never compared
        rows, self._waiting = self._waiting[: len(numbers)], self._waiting[len(numbers) :]
        for at, ((_, row), number) in enumerate(zip(rows, numbers, strict=True)):
            if others and others[0][0] == at:
                self._others(Others(*others.popleft()))
            if isinstance(row, FrameRow):
                row.give(number)
            self._yielded_ns = row.time_ns
            yield row
