"""Rows of captures as text, made by several processes, in the order of one reading."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from streamshark.analysis import Analysis
from streamshark.dissection.row import Row
from streamshark.dissector import KnownProtocols
from streamshark.parallel.merge import RowMerger
from streamshark.parallel.messages import FINISH, KEYS, RELEASE, TEXT, Others, Window
from streamshark.parallel.processes import Workers
from streamshark.parallel.worker import ReleasedRows
from streamshark.splits.connection_share import (
    MOST,
    DependentError,
    SharedReport,
    ShareReader,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


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
        reader = ShareReader(
            self.known,
            self.sources,
            number,
            self.count,
            limit=self.limit,
            puts_together=self.puts_together,
        )
        view = self.view(lambda: reader.started_ns)
        shown: list[str] = []
        rows = ReleasedRows(reader, link, others=view.skip, shown=shown)
        annotated, analysis = rows.rows(), None
        if self.analysis is not None:
            analysis = Analysis(rows, **self.analysis)
            rows.engine = analysis.engine
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


class ParallelReading:
    """One reading of captures by several processes."""

    def __init__(self, plan: ReadPlan) -> None:
        self.plan = plan
        self.merger = RowMerger(plan.count, timed=plan.timed)
        self.results: list[Any] = []
        """Results of the views, once all rows are read."""
        self._reports: list[SharedReport] = []

    def texts(self) -> Iterator[Shown]:
        """Yield the rows as text.

        Raises:
            DependentError: One process must read the captures; what was yielded so far is right.
            StreamsharkError: A process has ended early.
        """
        with Workers(self.plan.count, self.plan.work) as workers:
            yield from _texts(workers, self.merger)
            for number in range(len(workers)):
                report, result = workers.result(number)
                self._reports.append(report)
                self.results.append(result)

    def report(self) -> SharedReport:
        """Return the report of all shares together, once all rows are read."""
        first = self._reports[0]
        places = {number: place for place, number in enumerate(first.order)}
        unrecognised = [each for report in self._reports for each in report.unrecognised]
        unrecognised.sort(key=lambda each: places[each.flow])
        return first._replace(unrecognised=unrecognised)


def _texts(workers: Workers, merger: RowMerger) -> Iterator[Shown]:
    each = range(len(workers))
    is_last = False
    while not is_last:
        found = [workers.receive(number, KEYS) for number in each]
        if len({(len(windows), packets) for windows, _, packets, _ in found}) > 1:
            raise DependentError("the processes have read different packets")
        sums = map(sum, zip(*(load for _, load, _, _ in found), strict=True))
        if any(total > most for total, most in zip(sums, MOST, strict=True)):
            raise DependentError("a limit of all connections may have been reached")
        is_last = found[0][3]
        yield _shown(workers, merger, [windows for windows, *_ in found], is_last=False)
    for number in each:
        workers.send(number, FINISH, merger.end)
    found = [workers.receive(number, KEYS) for number in each]
    yield _shown(workers, merger, [windows for windows, *_ in found], is_last=True)


def _shown(
    workers: Workers, merger: RowMerger, parts: Sequence[Sequence[Window]], *, is_last: bool
) -> Shown:
    """Merge windows, release the rows whose order is final, and return what is shown of them."""
    merged = merger.add(list(zip(*parts, strict=True)), is_last=is_last)
    for number, release in enumerate(merged.releases):
        others, end_ns = list(map(tuple, release.others)), merger.end[0] if is_last else None
        workers.send(number, RELEASE, release.numbers, others, end_ns)
    shown = [iter(workers.receive(number, TEXT)[0]) for number in range(len(workers))]
    return Shown("".join([next(shown[each]) for each in merged.workers]), len(merged.workers))
