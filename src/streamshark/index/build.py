"""Building an index: one reading of captures, judged, and written as it comes.

From time to time the state of the reading is saved, so that a building that was interrupted, or
whose capture has grown, continues there.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from streamshark.capture import Capture
from streamshark.index import cache
from streamshark.index.columns import IndexDamageError
from streamshark.index.connection_records import connection_record
from streamshark.index.layout import (
    IndexProgress,
    header,
    read_progress,
    write_json,
    write_progress,
)
from streamshark.index.options import IndexOptions
from streamshark.index.row_packing import is_mark
from streamshark.index.saved_reading import SavedReading, restore
from streamshark.index.writer import IndexWriter
from streamshark.session import Session, unread_findings

if TYPE_CHECKING:
    from streamshark.dissection.row import Row
    from streamshark.findings.finding import Finding

COMMIT: Final = 0.25
"""Seconds after which what is indexed becomes visible."""
OPEN: Final = 1.0
"""Seconds after which the conversations of a live capture that have not ended are stored again."""
FIRST: Final = 64
"""Rows that become visible first: a screen full."""
SPARING: Final = 100
"""Processor time between two commits, as times of that of a commit, unless the source is live."""
EVERY: Final = 64
"""Packets between two collections of findings."""
SAVE: Final = 5.0
"""Seconds of processor time after which the reading is saved: a fiftieth of it, at most."""


_Report = Callable[[IndexProgress], object]
_Build = Callable[[Session, IndexWriter, _Report], None]


class IndexBuilder:
    """The building of one index in a folder, whose lock the caller has.

    `cached` says that the index is kept, so that it must say of which captures it is. With
    `follows` the building waits at the end of the captures for more. `saves` is the processor time
    in seconds between two savings of the reading. `count` processes build an index from the
    beginning, if they can; their reading is not saved.
    """

    def __init__(  # noqa: PLR0913 - options of a building
        self,
        sources: Sequence[str],
        folder: Path,
        options: IndexOptions,
        *,
        cached: bool = False,
        follows: bool = False,
        saves: float = SAVE,
        count: int = 1,
    ) -> None:
        self.sources, self.folder, self.options = list(sources), folder, options
        self.cached, self.follows, self.saves = cached, follows, saves
        self.count = count
        self.progress = IndexProgress(builder=os.getpid())
        self.saved = SavedReading(folder)
        self.losses: list[str] = []
        """Sentences about files that were lost while they were followed."""

    def run(self, report: _Report = lambda _progress: None) -> IndexProgress:
        """Read the captures, or what follows what was indexed; return how far the index is.

        Args:
            report: Called with each commit.

        Raises:
            StreamsharkError: A capture cannot be read at all.
        """
        change = cache.change(self.folder, self.sources) if self.cached else cache.STALE
        before = None if change.is_stale else self._before()
        is_over = before is not None and before.state == "complete" and not change.has_grown
        if before is not None and is_over and not self.follows:
            return before
        with self.options.session(
            self.sources, follows=self.follows, notice=self.losses.append
        ) as session:
            self.folder.mkdir(mode=cache.CACHE_MODE, parents=True, exist_ok=True)
            start = None if change.is_stale or before is None else self.saved.progress()
            if start is None or start.is_live != session.live:
                cache.clear(self.folder)
                start = IndexProgress()
            self.progress = start._replace(
                size=sum(map(_size, self.sources)),
                builder=os.getpid(),
                state="building",
                is_live=session.live,
            )
            self._run(session, report)
        return self.progress

    def _before(self) -> IndexProgress | None:
        """Return how far the index is that is there; None without one."""
        try:
            return read_progress(self.folder)
        except IndexDamageError:
            return None

    def _run(self, session: Session, report: _Report) -> None:
        self._describe(session.captures)
        is_shared = self.count > 1 and self._can_be_shared(session)
        if not (is_shared and self._is_built_by_several(session, report)):
            self._write(session, report, self._build)

    def _is_built_by_several(self, session: Session, report: _Report) -> bool:
        """Let several processes build the index, unless one must; return whether they did."""
        from streamshark.parallel.processes import can_fork  # noqa: PLC0415 - small files need none
        from streamshark.splits.connection_share import DependentError  # noqa: PLC0415

        if not can_fork():
            return False
        start = self.progress
        try:
            self._write(session, report, self._build_shared)
        except DependentError:
            cache.clear(self.folder)
            self.progress = start._replace(beginnings=start.beginnings + 1)
            self._describe(session.captures)
            return False
        return True

    def _can_be_shared(self, session: Session) -> bool:
        """Return whether several processes can build the index."""
        return not (self.progress.rows or session.live or self.options.keylog) and all(
            Path(each).is_file() for each in self.sources
        )

    def _build(self, session: Session, writer: IndexWriter, report: _Report) -> None:
        """Build the index, or what is missing of it, by this process."""
        _Building(self, session, writer, report).run()

    def _build_shared(self, session: Session, writer: IndexWriter, report: _Report) -> None:
        """Build the index by several processes.

        Raises:
            DependentError: One process must read the captures.
        """
        from streamshark.index.parallel_build import ParallelBuilding  # noqa: PLC0415 - as above
        from streamshark.index.shares import IndexPlan  # noqa: PLC0415

        readable = [each.file for each in session.captures if each.is_file]
        known, limit = session.dissector.known, self.options.limit

        def commit(**members: Any) -> None:  # noqa: ANN401 - of progress
            if members.get("state") == "complete":
                self.complete(building.captures)
            self.commit(writer, **members)
            report(self.progress)

        plan = IndexPlan(self.count, self.sources, known, readable, limit)
        building = ParallelBuilding(plan, writer, commit)
        building.run()

    def _write(self, session: Session, report: _Report, build: _Build) -> None:
        """Open the files of the index, and let `build` write them."""
        write_progress(self.folder, self.progress)  # before readers miss what is dropped
        if self.progress.rows:
            self.saved.put_marks_back()
        writer = IndexWriter(self.folder, self.progress, session.protocols)
        try:
            build(session, writer, report)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            reason = (
                f"{self.folder}: {error.strerror}; rows up to here are indexed; free space there, "
                "or set XDG_CACHE_HOME to a folder with more"
            )
            self.progress = self.progress._replace(state="stopped", reason=reason)
            with suppress(OSError):
                write_progress(self.folder, self.progress)
            report(self.progress)
        finally:
            writer.close()

    def commit(self, writer: IndexWriter, **members: Any) -> None:  # noqa: ANN401 - of progress
        """Make visible what was written."""
        known = {"problems": tuple(self.losses), **members}
        self.progress = self.progress._replace(**writer.commit(), **known)
        write_progress(self.folder, self.progress)

    def complete(self, captures: Sequence[Capture]) -> None:
        """Describe the captures as they were read to their end."""
        if self.cached:
            with suppress(OSError):  # one is gone, so that the index is stale anyway
                self._describe(captures)

    def _describe(self, captures: Sequence[Capture]) -> None:
        """Write of which captures the index is."""
        about = header([each.name for each in captures][: len(self.sources)], self.options.plain())
        if self.cached:
            about["sources"] = [
                cache.identity(source, capture.reached if capture.is_file else None)
                for source, capture in zip(
                    self.sources, captures[-len(self.sources) :], strict=True
                )
            ]
        write_json(self.folder / cache.ABOUT, about)


class _Building:
    """One pass over the rows of a session."""

    def __init__(
        self,
        builder: IndexBuilder,
        session: Session,
        writer: IndexWriter,
        report: _Report,
    ) -> None:
        self.builder, self.session, self.writer, self.report = builder, session, writer, report
        self.analysis = session.analysis(
            rules=True, conversations=True, derives=is_mark, follow=session.live, matches=True,
            summaries=False,
        )  # fmt: skip
        self.next = 0.0
        """Time before which nothing is committed: the first rows become visible at once."""
        self.next_cpu = 0.0
        """Processor time before which nothing is committed."""
        self.next_save = time.process_time() + builder.saves
        self.next_open = 0.0
        """When the conversations that have not ended are stored again, by the monotonic clock."""
        self.flows = builder.progress.flows
        """Number of connections that were written."""
        self.comments: dict[int, int] = {}
        """File to the number of its comments that were written."""
        self.can_be_saved = len(builder.sources) == 1 and session.captures[0].is_file
        """Whether the reading can be saved."""

    def run(self) -> None:
        """Read everything."""
        session, writer, analysis = self.session, self.writer, self.analysis
        self.start()

        findings: list[Finding] = []

        def taken(row: "Row") -> None:
            if not row.packet % EVERY and not session.live:
                findings.extend(analysis.findings())

        for rows in analysis.batches(taken, first=FIRST):
            writer.add(rows)
            writer.add_findings(findings)  # not before the rows that they mark
            findings.clear()
            if session.live:
                analysis.tick()
            if time.monotonic() >= self.next and time.process_time() >= self.next_cpu:
                self.publish()
        self.finish()

    def publish(self) -> None:
        """Make visible what was found so far; from time to time, save the reading."""
        before = time.process_time()
        if self.session.live:
            self.take_open()
        self.take()
        self.commit()
        after = time.process_time()
        if self.can_be_saved and after >= self.next_save:
            self.save()
        self.next = time.monotonic() + COMMIT
        self.next_cpu = 0 if self.session.live else after + SPARING * (after - before)

    def start(self) -> None:
        """Continue where the reading was saved, if it was."""
        session, writer = self.session, self.writer
        if writer.rows:
            restore(self.builder.saved, session, self.analysis)
        for each in session.captures[-len(self.builder.sources) :]:
            writer.follow(each)

    def finish(self) -> None:
        """Write what is known once everything is read."""
        session, writer = self.session, self.writer
        self.take()
        unread = unread_findings(session)
        if session.live:
            writer.add_news(self.analysis.settled(unread))
        else:
            writer.add_findings(unread)
        writer.add_connections(self.connections(0))
        report = session.report()
        problems = *self.builder.losses, *(f"{name}: {damage}" for name, damage in report.damage)
        self.builder.complete(session.captures)
        self.commit(state="complete", problems=problems, notes=tuple(report.notes))

    def save(self) -> None:
        """Save the reading, if all rows so far are written."""
        session, capture = self.session, self.session.captures[-1]
        if session.is_over or session.frames != self.writer.frames or capture.secrets:
            return
        self.builder.saved.save(session, self.analysis, self.builder.progress)
        self.next_save = time.process_time() + self.builder.saves

    def take_open(self) -> None:
        """Store the conversations that have not ended, unless that was done a moment ago."""
        if time.monotonic() < self.next_open:
            return
        before = time.monotonic()
        self.writer.put_open_conversations(self.analysis.open())
        after = time.monotonic()
        self.next_open = after + max(OPEN, SPARING * (after - before))

    def take(self) -> None:
        """Write what the analysis has found so far."""
        self.writer.add_conversations(self.analysis.ended())
        if self.session.live:
            self.writer.add_news(self.analysis.news())
        else:
            self.writer.add_findings(self.analysis.findings())
        if self.analysis.matches is not None:
            self.writer.add_matches(self.analysis.matches.taken())
        for each in self.session.captures[-len(self.builder.sources) :]:
            first = self.comments.get(each.file, 0)
            self.writer.add_comments(each.file, each.comments[first:])
            self.comments[each.file] = len(each.comments)
        self.writer.add_connections(self.connections(self.flows))
        self.flows = len(self.session.dissector.tracker.flows)

    def commit(self, **members: Any) -> None:  # noqa: ANN401 - of progress
        """Make visible what was written."""
        captures = self.session.captures
        self.builder.commit(
            self.writer,
            packets=sum(each.packets for each in captures),
            read=sum(each.reached for each in captures),
            started_ns=self.session.started_ns,
            flows=len(self.session.dissector.tracker.flows),
            **members,
        )
        self.report(self.builder.progress)

    def connections(self, first: int) -> Iterator[tuple[Any, ...]]:
        """Yield the connections from a number on, as they are known now."""
        known = self.session.dissector.connections
        for flow in self.session.dissector.tracker.flows[first:]:
            yield connection_record(flow, known.get(flow.number))


def _size(source: str) -> int:
    """Return the bytes of a capture; 0 if unknown."""
    try:
        return Path(source).stat().st_size
    except OSError:
        return 0
