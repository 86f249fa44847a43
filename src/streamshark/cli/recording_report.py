"""The reader of a recording that is being written: a process of its own.

    python -m streamshark.cli.recording_report [OPTION]...

follows the files that standard input names and prints rows and findings as they come. However slow
it is, the writer does not wait for it.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import IO, Any

import click

from streamshark.analysis import Analysis
from streamshark.capture import CaptureError, open_capture
from streamshark.capture.file_sequence import FileSequence
from streamshark.capture.growing_files import GrowingFiles
from streamshark.cli import options
from streamshark.cli.check import (
    CheckedRules,
    FindingOutput,
    Judged,
    judging,
    report_of,
    ruled_by,
    totals_of,
)
from streamshark.cli.diagnostics import nothing_read
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.engine import by_engine
from streamshark.cli.fault_rows import FaultRows
from streamshark.cli.output import CLOSED_PIPE, DAMAGED, complain, silence
from streamshark.cli.run import Ending
from streamshark.cli.writers import printer_of, shows_derived
from streamshark.dissection.row import Row
from streamshark.errors import StreamsharkError
from streamshark.findings.user_rules import UserRules
from streamshark.protocols.catalog import carriers, catalog, formats
from streamshark.session import Session, unread_findings

NICE = 5
"""How much less important this process is than the writer."""
FOUND_LATER = 64
"""Exit code for findings at or above `--fail-on`; 1 would be that of a failure of Python."""
NOTHING_LATER = 65
"""Exit code with `--needs-frames` if there are no frames."""
_PLAIN = {"opens": False, "top": False, "known": None, "written": None, "all_bodies": False}
"""What options of `check` are here."""
_LINES = {"strict": False, "time": ("r", 6), "bodies": "decoded"}
"""What options of `read` are here."""


@click.command("recording-report")
@options.form("text", "ndjson", default="text")
@click.option("--rows", "follow", is_flag=True)
@click.option("-q", "quiet", is_flag=True)
@click.option("--needs-frames", "needs_frames", is_flag=True)
@click.option("--since", type=int, default=0)
@click.option("-V", "tree", is_flag=True)
@click.option("-x", "dump", is_flag=True)
@options.engine
@options.decoding
@judging
@display_filter
@options.colouring
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Follow recordings that standard input names; rows before `--since` (ns) are not printed."""
    os.nice(NICE)
    return reported(GrowingFiles(sys.stdin.buffer), given)


def reported(source: FileSequence, given: dict[str, Any]) -> int:
    """Print rows and findings of a source; return the exit code.

    `given` are the options of `command`.
    """
    given = {**_PLAIN, **_LINES, **given, "more": (), "files": ("-",), "int_strings": False}
    given["show_secrets"] = False
    protocols, custom = ruled_by(catalog(given["paths"]), given["rules_file"])
    session = Session(
        (),
        protocols=protocols,
        carriers=carriers(given["paths"]),
        formats=formats(given["paths"]),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        live=True,
        keylog=given["keylog"],
        preferences=given["preferences"],
    )
    try:
        session.captures.append(open_capture(by_engine(source, given)))
    except CaptureError:
        if not isinstance(source, GrowingFiles):
            raise
        return _without_frames("no packets") if given["needs_frames"] else 0
    with session:
        report = _Report(session, given, lambda: getattr(source, "has_drops", False))
        code = report.run(CheckedRules(protocols), custom)
        if not session.frames and given["needs_frames"]:
            code = code or _without_frames(nothing_read(session.report()))
    damage = session.captures[0].damage if source.is_stopped else source.damage
    if damage is None:
        return code
    complain(damage)
    return code or DAMAGED


def _without_frames(message: str) -> int:
    """Say that there are no frames; return the exit code."""
    complain(message)
    return NOTHING_LATER


class _Report:
    """Prints rows and findings as they come; findings alone, at the end, to standard error."""

    def __init__(
        self, session: Session, given: dict[str, Any], has_drops: Callable[[], bool]
    ) -> None:
        self._session, self._given, self._has_drops = session, given, has_drops
        self._shows_rows = given["follow"]
        self._stream: IO[str] = sys.stdout if self._shows_rows else sys.stderr
        self._selection = Selection(given, session)
        self._rows = printer_of(given, layers=session.layers, start=lambda: session.started_ns)
        shows_faults = self._shows_rows and given["form"] == "ndjson"
        self._faults = FaultRows(session) if shows_faults else None

    def run(self, rules: CheckedRules, custom: UserRules) -> int:
        """Print all; return the exit code."""
        session, given, selection = self._session, self._given, self._selection
        report = report_of(session, rules, custom, given)
        write = None if given["quiet"] else self._write
        sink = FindingOutput(report, write, custom, None, given, selection)
        sink.write(report.head())
        others = shows_derived(given) if self._shows_rows else _derives_nothing
        derived = selection.derives
        analysis = session.analysis(
            rules=True,
            follow=self._shows_rows,
            derives=lambda table: derived(table) or others(table),
        )
        for rows in analysis.batches(_unseen):
            self._show(rows)
            analysis.tick()
            self._take(analysis, sink)
            self._stream.flush()
            if self._has_drops():
                analysis.note_drops()
        analysis.finish()
        self._take(analysis, sink)
        found = list(filter(selection.has_finding, unread_findings(session)))
        if self._shows_rows:
            sink.take_news(analysis.settled(found))
        else:
            sink.take(found)
        judged = Judged.of(session, analysis, found, Ending())
        sink.write(report.tail(totals_of(judged, rules, sink, "")))
        self._stream.flush()
        return FOUND_LATER if sink.failed else 0

    def _show(self, rows: list[Row]) -> None:
        """Print the rows that are selected and new."""
        takes, since = self._selection.takes, self._given["since"]
        faults = () if self._faults is None else self._faults.take()
        for row in (*faults, *filter(takes, rows)):
            if self._shows_rows and row.time_ns >= since:
                self._write(self._rows.row(row))

    def _take(self, analysis: Analysis, sink: FindingOutput) -> None:
        """Print findings: each change of one with rows, else those that are settled."""
        if self._shows_rows:
            sink.take_news(analysis.news())
        else:
            sink.take(analysis.findings())

    def _write(self, text: str) -> None:
        self._stream.write(text)


def _derives_nothing(_table: object) -> bool:
    """Return False: rows are not shown."""
    return False


def _unseen(_row: Row) -> None:
    """Do nothing: findings are taken after each batch."""


def main() -> int:
    """Run as a process of its own; return the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with command.make_context("recording-report", sys.argv[1:]) as context:
            return int(command.invoke(context) or 0)
    except BrokenPipeError:
        silence()
        return CLOSED_PIPE
    except StreamsharkError as error:
        complain(str(error))
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
