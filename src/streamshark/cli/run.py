"""Reading captures, as every command does it: open the session, iterate over it, report its end."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from streamshark.capture.source import Source
from streamshark.cli.diagnostics import (
    report_carried,
    report_damage,
    report_notes,
    report_unrecognised,
)
from streamshark.cli.engine import by_engine, check_engine
from streamshark.cli.garbage import collect_from_now_on
from streamshark.cli.output import DAMAGED, INTERRUPTED
from streamshark.cli.progress import Progress
from streamshark.cli.short_filters import is_filtered
from streamshark.decoding.payloads import Format
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import carriers, catalog
from streamshark.protocols.protocol import Protocol
from streamshark.session import ReadingReport, Session

T = TypeVar("T")


@contextmanager
def reading(
    given: dict[str, Any],
    *,
    protocols: tuple[Protocol, ...] | None = None,
    formats: tuple[Format, ...] = (),
    live: bool = False,
    puts_together: bool = False,
) -> Iterator[Session]:
    """Open a session over the captures that `options.sources` and `options.protocols` name.

    `protocols` are by default all that can be found. `live` yields rows as early as possible, as
    standard input always does. `puts_together` keeps fragments to show what they are reassembled
    to. With it, and with `formats`, rules find what `check` finds. The captures are closed on exit.
    """
    check_engine(given)
    sources = _sources(given)
    session = Session(
        (by_engine(each, given) for each in sources),
        protocols=catalog(given["paths"]) if protocols is None else protocols,
        carriers=carriers(given["paths"]),
        formats=formats,
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        limit=given["limit"],
        live=live or "-" in sources or bool(given.get("followed")),
        keylog=given["keylog"],
        preferences=given["preferences"],
        puts_together=puts_together or is_filtered(given),
    )
    gc.set_threshold(50_000, 4, 4)  # rows allocate many objects and leave little garbage
    collect_from_now_on()
    try:
        yield session
    finally:
        session.close()


def _sources(given: dict[str, Any]) -> list[str | Source]:
    """Return the captures to read; raise a usage error if there are none."""
    if path := given.get("followed"):
        from streamshark.cli.following import followed_source  # noqa: PLC0415 - few need it

        return [followed_source(path)]
    sources = [*given["more"], *given["files"]]
    if not sources:
        raise click.UsageError("no input: name a capture file, or - for standard input")
    if sources.count("-") > 1:
        raise click.UsageError("standard input (-) can only be given once")
    return sources


@dataclass(slots=True)
class Ending:
    """How a pass over the rows ended, known before its output is written."""

    failed: StreamsharkError | None = None
    """Why it stopped early, None if it did not; rows read before that are valid."""
    interrupted: bool = False
    """True after Ctrl-C; rows read before that are shown."""


def through(
    rows: Iterable[T],
    take: Callable[[T], Any],
    *,
    beside: bool = False,
    size: Callable[[T], int] = lambda _row: 1,
) -> Ending:
    """Pass each row, or each batch of `size` rows, to `take`, showing progress.

    `beside`: standard output gets a line for every row.
    """
    ending, progress = Ending(), Progress(beside=beside)
    try:
        if progress.wanted:
            for row in rows:
                take(row)
                progress.row(size(row))
        else:
            for row in rows:
                take(row)
    except StreamsharkError as error:
        ending.failed = error
    except KeyboardInterrupt:
        ending.interrupted = True
    finally:
        progress.end()
    return ending


def ended(session: Session, ending: Ending, *, strict: bool, problems: int) -> int:
    """Report how a session has ended, as `concluded` does."""
    return concluded(session.report, ending, strict=strict, problems=problems)


def concluded(
    reading: Callable[[], ReadingReport], ending: Ending, *, strict: bool, problems: int
) -> int:
    """Report on stderr what could not be read; return the exit code.

    Call it once the output is written. `problems` counts rows for which `writers.is_damage` is
    true; they matter with `strict`.
    """
    if ending.interrupted:
        return INTERRUPTED
    if ending.failed:
        raise ending.failed
    report = reading()
    damaged = report_damage(report)
    report_notes(report)
    if not report.frames and not damaged:
        report_unrecognised(report)
    elif report.frames:
        report_carried(report)
    fails = strict or report.is_followed
    return DAMAGED if (fails and damaged) or (strict and problems) else 0
