"""Order of the rows of several workers: that of one reading of all connections."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from streamshark.parallel.messages import Key, Others, Release, Window
from streamshark.row_order import MOST_HELD, MOST_HELD_BYTES
from streamshark.splits.connection_share import DependentError

if TYPE_CHECKING:
    from streamshark.framing.splitter import At


class Merged(NamedTuple):
    """Rows whose order is final."""

    workers: list[int]
    """The worker of each row."""
    releases: list[Release]
    """By worker."""
    keys: list[Key]
    """Where the rows belong, in order."""


class RowMerger:
    """Merger of the rows of `workers` workers.

    With `timed` a worker is given the time of the row before each of its rows.
    """

    def __init__(self, workers: int, *, timed: bool = False) -> None:
        self.workers, self.timed = workers, timed
        self.frames = 0
        """Number of frames so far."""
        self.end: At = (0, 0, 0)
        """Time, file and packet of the last row so far."""
        self._waiting: list[Key] = []
        self._packet = self._width = self._time_ns = 0
        self._wider = 1
        """The first packet number that needs one more digit."""
        self._version = 0
        """How often a row has changed what views of other rows must know."""
        self._known = [0] * workers
        """The version that each worker knows."""
        self._last = -1
        """The worker of the last row."""

    def add(self, windows: Sequence[Sequence[Window]], *, is_last: bool = False) -> Merged:
        """Add windows, each with its part by every worker; return the rows whose order is final.

        Raises:
            DependentError: So many rows wait that one reading would not hold them back any longer.
        """
        ready: list[Key] = []
        for parts in windows:
            ready += self._window(parts)
        if is_last and self._waiting:
            self._waiting.sort()
            self.end = max(self.end, self._waiting[-1][:3])
            ready += self._waiting
            self._waiting = []
        return self._released(ready)

    def _window(self, parts: Sequence[Window]) -> list[Key]:
        """Return the rows of one more window, and of earlier ones, that no other can precede."""
        waiting = self._waiting
        for keys, _ in parts:
            waiting += keys
        since = min((since for _, since in parts if since is not None), default=None)
        if not waiting:
            return []
        if since is not None and (
            len(waiting) > MOST_HELD or sum(key[7] for key in waiting) > MOST_HELD_BYTES
        ):
            raise DependentError("more rows wait for a connection than are held back")
        waiting.sort()
        self.end = max(self.end, waiting[-1][:3])
        # The end of the captures may insert rows between those of the last packet.
        until = self.end if since is None else min(since, self.end)
        count = len(waiting)
        while count and waiting[count - 1][:3] >= until:
            count -= 1
        self._waiting = waiting[count:]
        return waiting[:count]

    def _released(self, ready: list[Key]) -> Merged:
        """Return what each worker has to know of rows whose order is final: their numbers."""
        numbers: list[list[int]] = [[] for _ in range(self.workers)]
        others: list[list[Others]] = [[] for _ in range(self.workers)]
        order = []
        for time_ns, _, packet, _, _, _, worker, size, width in ready:
            mine = numbers[worker]
            if self._last != worker and (self.timed or self._known[worker] != self._version):
                if self._version:
                    before = Others(len(mine), self._packet, self._width, self._time_ns)
                    others[worker].append(before)
                self._known[worker] = self._version
            if packet >= self._wider or width > self._width:
                self._widen(packet, width, worker)
            if size < 0:
                mine.append(0)
            else:
                self.frames += 1
                mine.append(self.frames)
            order.append(worker)
            self._last, self._time_ns = worker, time_ns
        return Merged(order, list(map(Release, numbers, others)), ready)

    @property
    def reached_ns(self) -> int:
        """Time in ns of the last row that was released."""
        return self._time_ns

    def _widen(self, packet: int, width: int, worker: int) -> None:
        """Note that columns may become wider with a row, for the rows of other workers."""
        self._packet, self._width = max(self._packet, packet), max(self._width, width)
        self._wider = 10 ** len(str(self._packet))
        self._version += 1
        self._known[worker] = self._version
