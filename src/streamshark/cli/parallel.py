"""Reading with several processes (`-j`): what they show is what one process shows.

Only what one process must read is left to it: standard input and pipes, TLS with keys, and captures
whose connections depend on each other (see `parallel`). Some of that is only seen while reading;
the one process then leaves out what was written before.
"""

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click

from streamshark.cli.run import Ending, concluded, through
from streamshark.cli.writers import Rows, is_damage
from streamshark.session import ReadingReport, Session

if TYPE_CHECKING:
    from streamshark.analysis import Analysis
    from streamshark.parallel.judging import ParallelJudging
    from streamshark.parallel.reading import ParallelReading, ReadPlan, Shown
    from streamshark.splits.connection_share import ShareReader

MOST_JOBS = 256
"""Most processes."""

Command = Callable[..., Any]


def jobs(command: Command) -> Command:
    """Add the option that chooses the number of processes."""
    return click.option(
        "-j",
        "--jobs",
        "jobs",
        type=click.IntRange(0, MOST_JOBS),
        default=1,
        metavar="N",
        help="Read with N processes; 0 for as many as there are cores.",
    )(command)


def jobs_of(given: dict[str, Any]) -> int:
    """Return the number of processes to read with; 1 if the captures must be read by one."""
    if given["jobs"] == 1:
        return 1
    from streamshark.parallel.processes import can_fork, cores  # noqa: PLC0415 - few use it

    sources = (*given["more"], *given["files"])
    is_simple = not given["keylog"] and not given.get("immediate") and all(map(_is_file, sources))
    return (given["jobs"] or cores()) if is_simple and can_fork() else 1


def _is_file(source: str) -> bool:
    """Return whether a source can be read several times."""
    return source != "-" and stat.S_ISREG(os.stat(source).st_mode)  # noqa: PTH116 - imports less


def judging_of(
    session: Session, given: dict[str, Any], count: int, **wanted: bool
) -> "ParallelJudging":
    """Return a judgement of the captures by several processes; `wanted` is of the plan."""
    from streamshark.conversations.bodies import shared_effort  # noqa: PLC0415 - few do
    from streamshark.parallel.judging import JudgePlan, ParallelJudging  # noqa: PLC0415 - as above

    sources = (*given["more"], *given["files"])
    size = sum(os.stat(source).st_size for source in sources)  # noqa: PTH116 - imports less
    plan = JudgePlan(
        count=count,
        sources=sources,
        known=session.dissector.known,
        is_damage=is_damage,
        limit=given["limit"],
        effort=shared_effort(size, count),
        **wanted,
    )
    return ParallelJudging(plan, findings=not plan.conversations)


def in_parallel(
    session: Session,
    given: dict[str, Any],
    found: Iterable[tuple[Sequence[Any], int]],
    take: Callable[[Sequence[Any]], object],
    conclude: Callable[[Ending], int],
    *,
    beside: bool = False,
) -> int | None:
    """Take what several processes find; return the exit code.

    None if one process must read the captures, and write what follows what was written.

    Args:
        session: The captures.
        given: The options.
        found: What the processes find, each time with the number of rows since the last time.
        take: Takes what was found.
        conclude: Concludes a whole reading, and returns the exit code.
        beside: Whether rows are written meanwhile (`run.through`).
    """
    from streamshark.splits.connection_share import DependentError  # noqa: PLC0415 - few do

    try:
        ending = through(found, lambda each: take(each[0]), beside=beside, size=itemgetter(1))
    except DependentError:
        return None
    if ending.failed or ending.interrupted:
        return concluded(session.report, ending, strict=given["strict"], problems=0)
    return conclude(ending)


class ShownRows:
    """The rows of one process."""

    def __init__(self, rows: Rows) -> None:
        self.row, self.skip = rows.row, rows.skip
        self._rows = rows

    def reads(self, analysis: "Analysis | None") -> None:
        """Take the analysis of the rows."""

    def result(self, _reader: "ShareReader") -> int:
        """Return the number of rows with problems."""
        return self._rows.problems


class ParallelOutput:
    """The output of a reading by several processes."""

    def __init__(self, session: Session, write: Callable[[str], object]) -> None:
        self.session = session
        self._write = write
        self.written = 0
        """Characters written so far."""
        self.results: list[Any] = []
        """Results of the processes, once all is written."""
        self._reading: ParallelReading | None = None

    def show(self, plan: "ReadPlan", rows: Rows | None = None) -> Ending | None:
        """Write all rows, between head and tail of `rows`; return how the reading ended.

        None if one process must read the captures, and write what follows `written` characters.
        """
        from streamshark.parallel.messages import Others  # noqa: PLC0415 - few use it
        from streamshark.parallel.reading import ParallelReading  # noqa: PLC0415
        from streamshark.splits.connection_share import DependentError  # noqa: PLC0415

        reading = ParallelReading(plan)

        def write_rows(shown: "Shown") -> None:
            if shown.rows and rows is not None:
                rows.skip(Others(0, 0, 0, 0))
                self.write(shown.text)

        self.write("" if rows is None else rows.head())
        beside = rows is not None
        try:
            ending = through(
                reading.texts(), write_rows, beside=beside, size=lambda each: each.rows
            )
        except DependentError:
            return None
        self.write("" if rows is None else rows.tail())
        if not ending.failed and not ending.interrupted:
            self._reading = reading
        self.results = reading.results
        return ending

    def write(self, text: str) -> None:
        """Write text, and count it."""
        self._write(text)
        self.written += len(text)

    def report(self) -> ReadingReport:
        """Return what is reported of the reading besides its rows."""
        reading = self._reading
        if reading is None:
            raise AssertionError
        return reading_report(self.session, reading)


def reading_report(session: Session, reading: "ParallelReading") -> ReadingReport:
    """Return what is reported of a reading by several processes besides its rows."""
    shared = reading.report()
    return ReadingReport(
        names=[each.name for each in session.captures],
        protocols=[each.wire.id for each in session.protocols],
        packets=reading.packets,
        frames=reading.merger.frames,
        damage=reading.damage,
        notes=shared.notes,
        unrecognised=shared.unrecognised,
        is_spoken=shared.is_spoken,
        failed=shared.failed,
    )


def following(write: Callable[[str], None], skipped: int) -> Callable[[str], None]:
    """Return a function that writes text except for its first `skipped` characters."""
    left = skipped

    def write_rest(text: str) -> None:
        nonlocal left
        dropped = min(left, len(text))
        left -= dropped
        if dropped < len(text) or not text:
            write(text[dropped:])

    return write_rest if skipped else write
