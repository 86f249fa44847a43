"""Reading captures as every command does: open the session, go through it, say how it ended."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import click

from streamshark.cli.diagnostics import tell_carried, tell_damage, tell_notes, tell_unrecognised
from streamshark.cli.output import DAMAGED, INTERRUPTED
from streamshark.cli.progress import Progress
from streamshark.decoding.payloads import Format
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import carriers, catalog
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session

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
    """A session over the captures that the options of `options.sources` and `protocols` name.

    `protocols` are by default those that can be found. `live` lets rows out at once, as standard
    input always does. `puts_together` where what fragments become together is shown. Closes what
    it has opened.
    """
    sources = (*given["more"], *given["files"])
    if not sources:
        raise click.UsageError("nothing to read: name a capture, or - for standard input")
    if sources.count("-") > 1:
        raise click.UsageError("standard input (-) can be read once")
    session = Session(
        sources,
        protocols=catalog(given["paths"]) if protocols is None else protocols,
        carriers=carriers(given["paths"]),
        formats=formats,
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        limit=given["limit"],
        live=live or "-" in sources,
        keylog=given["keylog"],
        puts_together=puts_together,
    )
    _freeze()
    gc.set_threshold(50_000, 4, 4)  # rows make much that is new and little that is garbage
    gc.enable()
    try:
        yield session
    finally:
        session.decryption.close()
        for each in session.captures:
            each.close()


@cache
def _freeze() -> None:
    """Have no collection look at what is imported; later, garbage would be kept too."""
    gc.freeze()


@dataclass(slots=True)
class Ending:
    """How a pass over the rows ended, before what it gave is written."""

    failed: StreamsharkError | None = None
    """Why it could not go on; what was read before stands."""
    interrupted: bool = False
    """True after Ctrl-C: what was read until then is shown."""


def through(
    rows: Iterable[T],
    take: Callable[[T], Any],
    *,
    beside: bool = False,
    size: Callable[[T], int] = lambda _row: 1,
) -> Ending:
    """Hand over row after row, or batches of `size` rows, telling how far it is.

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
    """Say on stderr what could not be read; gives the exit code. Call once output is written.

    `problems` are rows that `rows.is_damage`; they count with `strict`.
    """
    if ending.interrupted:
        return INTERRUPTED
    if ending.failed:
        raise ending.failed
    damaged = tell_damage(session)
    tell_notes(session)
    if not session.frames and not damaged:
        tell_unrecognised(session)
    elif session.frames:
        tell_carried(session)
    return DAMAGED if strict and (damaged or problems) else 0
