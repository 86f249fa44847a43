"""Rows of captures as text, made by several processes, in the order of one reading."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from streamshark.analysis import Analysis
from streamshark.capture import Capture, open_capture
from streamshark.capture.capture import damage_of, notes_of
from streamshark.capture.merge import merged, steady
from streamshark.capture.packet import PacketBatch
from streamshark.dissection.row import Row
from streamshark.dissector import KnownProtocols
from streamshark.parallel.merge import Merged, RowMerger
from streamshark.parallel.messages import FINISH, KEYS, PACKETS, RELEASE, TEXT, Keys, Others, Window
from streamshark.parallel.packets import BatchPacker, BatchUnpacker, PackedBatch
from streamshark.parallel.processes import Workers
from streamshark.parallel.worker import ReleasedRows
from streamshark.splits.connection_share import (
    MOST,
    DependentError,
    PacketShares,
    SharedReport,
    ShareReader,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

BLOCK = 2
"""Batches of packets that are sent together."""
AHEAD = 2
"""Most blocks that are sent before the rows of the first of them are released."""


class View(Protocol):
    """What a process makes of its rows."""

    def reads(self, analysis: Analysis | None) -> None:
        """Take the analysis of the rows, if there is one, before the first row."""

    def result(self, reader: ShareReader) -> Any:  # noqa: ANN401 - of any view
        """Return what is known once all rows are read; it must be picklable."""

    def row(self, row: Row) -> str:
        """Return a row as text."""

    def skip(self, others: Others) -> None:
        """Account for rows that other processes show before the next one."""


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """What each of `count` processes does."""

    count: int
    sources: Sequence[str]
    known: KnownProtocols
    view: Callable[[Callable[[], int | None]], View]
    """Returns a view, given what returns the time of the first packet."""
    analysis: dict[str, Any] | None
    """Options of `Analysis`; None if none is needed."""
    limit: int | None = None
    """Most packets."""
    puts_together: bool = False
    timed: bool = False
    """Whether a view of a row depends on the time of the row before."""
    quiet: bool = False
    """Whether nothing is shown, so that only problems are counted."""

    def work(self, number: int, link: "Connection") -> tuple[SharedReport, Any]:
        """Read and show the rows of one share; return its report and the result of its view."""
        with closing(BatchUnpacker(self.sources)) as packets:
            return self._shown(number, packets, link)

    def _shown(
        self, number: int, packets: BatchUnpacker, link: "Connection"
    ) -> tuple[SharedReport, Any]:
        reader = ShareReader(self.known, number, self.count, puts_together=self.puts_together)
        view = self.view(lambda: reader.started_ns)
        shown: list[str] = []
        rows = ReleasedRows(reader, packets, link, others=view.skip, shown=shown)
        annotated, analysis = rows.rows(), None
        if self.analysis is not None:
            analysis = Analysis(rows, **self.analysis)
            rows.follow(analysis.engine)
            annotated = analysis.rows()
        view.reads(analysis)
        for row in annotated:
            text = view.row(row)
            shown.append("" if self.quiet else text)
        return reader.report(), view.result(reader)


class Shown(NamedTuple):
    """Rows as text."""

    text: str
    rows: int


class Released(NamedTuple):
    """Rows that were released together."""

    rows: Merged
    made: list[list[Any]]
    """What each worker has made of its rows."""


class Plan(Protocol):
    """What each process does."""

    @property
    def count(self) -> int:
        """Number of processes."""

    @property
    def sources(self) -> Sequence[str]:
        """The captures."""

    @property
    def limit(self) -> int | None:
        """Most packets."""

    @property
    def timed(self) -> bool:
        """Whether a worker is told the time of the row before each of its rows."""

    def work(self, number: int, link: "Connection") -> tuple[SharedReport, Any]:
        """Read one share; return its report and a result."""


class ParallelReading:
    """One reading of captures by several processes; `opened` takes the captures before it."""

    def __init__(
        self, plan: Plan, opened: Callable[[Capture], object] = lambda _capture: None
    ) -> None:
        self.plan = plan
        self._opened = opened
        self.merger = RowMerger(plan.count, timed=plan.timed)
        self.started_ns: int | None = None
        """Time in ns of the first packet; None before it was read."""
        self.results: list[Any] = []
        """Results of the views, once all rows are read."""
        self.captures: list[Capture] = []
        """The captures, once they are read."""
        self._shares = PacketShares()
        self._reports: list[SharedReport] = []

    def texts(self) -> Iterator[Shown]:
        """Yield the rows as text.

        Raises:
            DependentError: One process must read the captures; what was yielded so far is right.
            StreamsharkError: A process has ended early.
        """
        for each in self.released():
            shown = list(map(iter, each.made))
            text = "".join([next(shown[worker]) for worker in each.rows.workers])
            yield Shown(text, len(each.rows.workers))

    def released(self) -> Iterator[Released]:
        """Yield the rows as they are released, with what the workers make of them.

        Raises:
            DependentError: One process must read the captures; what was yielded so far is right.
            StreamsharkError: A process has ended early.
        """
        plan = self.plan
        with Workers(plan.count, plan.work) as workers, ExitStack() as opened:
            for index, source in enumerate(plan.sources):
                self.captures.append(opened.enter_context(open_capture(source, index)))
                self._opened(self.captures[-1])
            yield from self._released(workers)
            for number in range(plan.count):
                report, result = workers.result(number)
                self._reports.append(report)
                self.results.append(result)

    def report(self) -> SharedReport:
        """Return the report of all shares together, once all rows are read."""
        first = self._reports[0]
        places = {number: place for place, number in enumerate(first.order)}
        unrecognised = [each for report in self._reports for each in report.unrecognised]
        unrecognised.sort(key=lambda each: places[each.flow])
        notes = [*first.notes, *notes_of(self.captures)]
        return first._replace(notes=notes, unrecognised=unrecognised)

    @property
    def damage(self) -> list[tuple[str, str]]:
        """(file, sentence) for each capture of which not everything could be read."""
        return damage_of(self.captures)

    @property
    def packets(self) -> int:
        """Number of packets read so far."""
        return sum(each.packets for each in self.captures)

    def _released(self, workers: Workers) -> Iterator[Released]:
        released: deque[Merged] = deque()
        sent = answered = 0
        for block in self._blocks():
            workers.send_all(PACKETS, block)
            sent += 1
            if sent - answered == AHEAD:
                released.append(self._release(workers, answered))
                answered += 1
            # Not before the next block is sent, so that no worker waits for it.
            if len(released) > 1:
                yield _made(workers, released.popleft())
        for number in range(answered, sent):
            released.append(self._release(workers, number))
        workers.send_all(FINISH, self.merger.end)
        released.append(self._release(workers, sent, is_last=True))
        for each in released:
            yield _made(workers, each)

    def _blocks(self) -> Iterator[list[PackedBatch]]:
        """Yield the packets of the captures in blocks of batches, with the share of each."""
        packer, batches = BatchPacker(), self._batches()
        for number in count():
            block = [
                packer.packed(each, self._shares.of(each, number))
                for each in islice(batches, BLOCK)
            ]
            if not block:
                return
            yield block

    def _batches(self) -> Iterator[PacketBatch]:
        """Yield the packets of the captures.

        Raises:
            DependentError: One process must read them.
        """
        for batch, is_set_back in steady(merged(self.captures, self.plan.limit)):
            if self.started_ns is None and batch.times:
                self.started_ns = batch.times[0]
            if is_set_back:
                raise DependentError("the clock was set back")
            if any(each.secrets for each in self.captures):
                raise DependentError("TLS is decrypted by one process")
            yield batch

    def _release(self, workers: Workers, block: int, *, is_last: bool = False) -> Merged:
        """Release the rows whose order is final, and return them."""
        found = [Keys(*workers.receive(number, KEYS)) for number in range(len(workers))]
        sums = map(sum, zip(*(each.load for each in found), strict=True))
        if not is_last and any(total > most for total, most in zip(sums, MOST, strict=True)):
            raise DependentError("a limit of all connections may have been reached")
        for number, each in enumerate(found):
            self._shares.settle(each.settled, number, block)
        parts: list[list[Window]] = [each.windows for each in found]
        merged_rows = self.merger.add(list(zip(*parts, strict=True)), is_last=is_last)
        end_ns = self.merger.end[0] if is_last else None
        for number, release in enumerate(merged_rows.releases):
            others = list(map(tuple, release.others))
            reached_ns = self.merger.reached_ns
            workers.send(number, RELEASE, release.numbers, others, reached_ns, end_ns)
        return merged_rows


def _made(workers: Workers, rows: Merged) -> Released:
    """Return rows that were released together with what the workers made of them."""
    return Released(rows, [workers.receive(number, TEXT)[0] for number in range(len(workers))])
