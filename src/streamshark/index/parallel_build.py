"""Building an index by several processes, each of which reads its share of the connections."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from streamshark.index.shares import IndexPlan, ShareUnpacker
from streamshark.parallel.judging import ParallelJudging
from streamshark.session import unread_of

if TYPE_CHECKING:
    from streamshark.capture import Capture
    from streamshark.index.writer import IndexWriter
    from streamshark.parallel.reading import Released

COMMIT: Final = 1.0
"""Seconds after which what is indexed becomes visible; the first rows become visible at once."""


class ParallelBuilding:
    """One reading of captures by the processes of a plan, written as it comes.

    `commit` makes visible what was written, and takes members of the progress.
    """

    def __init__(
        self, plan: IndexPlan, writer: "IndexWriter", commit: Callable[..., object]
    ) -> None:
        self.plan, self.writer, self._commit = plan, writer, commit
        self._judging = ParallelJudging(plan, matches=True, opened=writer.follow)
        self._unpackers = [ShareUnpacker(writer) for _ in range(plan.count)]
        self._flows = 0
        """Number of connections that were written."""
        self._comments: dict[int, int] = {}
        """File to the number of its comments that were written."""
        self._next = 0.0
        """Time before which nothing is committed."""

    @property
    def captures(self) -> "Sequence[Capture]":
        """The captures, once they are read."""
        return self._judging.reading.captures

    def run(self) -> None:
        """Read everything.

        Raises:
            DependentError: One process must read the captures.
            StreamsharkError: A process has ended early.
        """
        for released in self._judging.released():
            self._put(released)
            self._take()
            if time.monotonic() >= self._next:
                self._publish()
                self._next = time.monotonic() + COMMIT
        self._take()
        self._finish()

    def _put(self, released: "Released") -> None:
        """Write rows in order."""
        for unpacker, (_, packed) in zip(self._unpackers, released.made, strict=True):
            unpacker.take(packed)
        for worker in released.rows.workers:
            self._unpackers[worker].put()
        found = sorted(each for one in self._unpackers for each in one.connections)
        self.writer.add_connections(found)
        self._flows = max([self._flows, *(each[0] + 1 for each in found)])

    def _take(self) -> None:
        """Write what the evaluation of the rows has found so far."""
        writer, judge = self.writer, self._judging.judge
        writer.add_conversations(self._judging.ended())
        writer.add_findings(judge.findings())
        if judge.matches is not None:
            writer.add_matches(judge.matches.taken())
        for each in self.captures:
            first = self._comments.get(each.file, 0)
            writer.add_comments(each.file, each.comments[first:])
            self._comments[each.file] = len(each.comments)

    def _publish(self, **members: Any) -> None:  # noqa: ANN401 - of progress
        """Make visible what was written."""
        self._commit(
            packets=self._judging.reading.packets,
            read=sum(each.reached for each in self.captures),
            started_ns=self._judging.reading.started_ns,
            flows=self._flows,
            **members,
        )

    def _finish(self) -> None:
        """Write what is known once everything is read."""
        reading = self._judging.reading
        report = reading.report()
        unread = unread_of(report.unrecognised, alone=not reading.merger.frames)
        self.writer.add_findings(unread)
        found = sorted(each for one in self._judging.results for each in one.more)
        self.writer.add_connections(found)
        problems = tuple(f"{name}: {damage}" for name, damage in reading.damage)
        self._publish(state="complete", problems=problems, notes=tuple(report.notes))
