"""`read --frame` by an index: the chosen frames, without a reading of what comes before them."""

import os
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from streamshark.cli.diagnostics import report_notes
from streamshark.cli.output import DAMAGED, INTERRUPTED, Output, complain
from streamshark.cli.parallel import jobs_of
from streamshark.cli.short_filters import is_filtered
from streamshark.cli.writers import Rows, shows_derived
from streamshark.errors import StreamsharkError
from streamshark.session import ReadingReport

if TYPE_CHECKING:
    from streamshark.dissection.row import Row
    from streamshark.index.opening import IndexedCaptures
    from streamshark.index.reader import Index

SMALL: Final = 1 << 20
"""Bytes of captures below which reading them takes less than building an index."""


def is_indexable(given: dict[str, Any]) -> bool:
    """Return whether an index has all that the options ask for, and is worth while."""
    sources = (*given["more"], *given["files"])
    others = ("packets", "write", "twice", "flows", "conversations", "limit", "quiet", "immediate")
    if any(given[each] for each in others) or is_filtered(given):
        return False
    try:
        known = [os.stat(each) for each in sources if each != "-"]  # noqa: PTH116 - imports less
    except OSError:
        return False  # the reading reports it
    if (
        not sources
        or len(known) < len(sources)
        or not all(stat.S_ISREG(each.st_mode) for each in known)
    ):
        return False
    return sum(each.st_size for each in known) >= SMALL


def shown_by_index(
    given: dict[str, Any], view: Callable[..., Rows], output: Callable[[], Output]
) -> int | None:
    """Write the chosen frames; return the exit code, or None if there can be no index.

    Args:
        given: The options.
        view: Returns the view of rows, given the captures' names, the protocols, the readers of
            payloads, and what returns the time of the first packet.
        output: Returns what rows are written to.
    """
    from streamshark.index.opening import IndexedCaptures  # noqa: PLC0415
    from streamshark.index.options import IndexOptions  # noqa: PLC0415 - few need it

    options = IndexOptions(
        paths=tuple(given["paths"]),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        keylog=given["keylog"],
    )
    sources = (*given["more"], *given["files"])
    try:
        captures = IndexedCaptures(
            sources, options, cached=not given["no_cache"], count=jobs_of(given)
        )
    except OSError as error:
        complain(f"{error.filename or 'index'}: {error.strerror}; the captures are read instead")
        return None
    with captures:
        try:
            return _IndexedRows(captures, given, view).write(output)
        except KeyboardInterrupt:
            return INTERRUPTED


class _IndexedRows:
    """The chosen frames of one index."""

    def __init__(
        self, captures: "IndexedCaptures", given: dict[str, Any], view: Callable[..., Rows]
    ) -> None:
        self.captures, self.given = captures, given
        self.index: Index = captures.index
        self.rows = view(
            self.index.names,
            captures.known.protocols,
            captures.known.layers,
            lambda: self.index.started_ns,
        )

    def write(self, output: Callable[[], Output]) -> int:
        """Write the frames as soon as they are indexed; return the exit code."""
        numbers = self.given["numbers"]
        with output() as out:
            out.write(self.rows.head())
            for number in self._indexed():
                out.write(self.rows.row(self._row(number)))
            out.write(self.rows.tail())
        progress = self.index.progress
        if reason := self.captures.reason:
            complain(reason)
        if self.index.frames < numbers.last:
            numbers.report_missing(self.index.frames)
        for each in progress.problems:
            complain(each)
        report_notes(_report(self.index))
        damaged = progress.problems or self.rows.problems or self.captures.reason
        return DAMAGED if self.given["strict"] and damaged else 0

    def _indexed(self) -> Iterator[int]:
        """Yield the chosen numbers of frames once they are indexed."""
        from streamshark.cli.progress import Progress  # noqa: PLC0415 - few need it

        done, shown = 0, Progress(beside=False)
        try:
            while True:
                frames = self.index.frames
                for number in self.given["numbers"].among(frames):
                    if number > done:
                        yield number
                done = frames
                if done >= self.given["numbers"].last or not self.captures.is_building:
                    break
                before = len(self.index)
                self.captures.look()
                shown.row(len(self.index) - before)
        finally:
            shown.end()

    def _row(self, number: int) -> "Row":
        """Return a frame, with the derived values that the options ask for."""
        at = self.index.row_of_frame(number)
        if at is None:
            raise StreamsharkError(f"the index has no frame {number}")
        if self.given["tree"] or self.given["form"] == "fields":
            from streamshark.index.replay import with_derived  # noqa: PLC0415 - few need it

            return with_derived(
                self.index, at, shows_derived(self.given), in_full=self.given["tree"]
            )
        row: Row = self.index[at]
        return row


def _report(index: "Index") -> ReadingReport:
    """Return what is reported of the reading that made an index."""
    progress = index.progress
    return ReadingReport(
        names=index.names,
        protocols=[each.wire.id for each in index.known.protocols],
        packets=progress.packets,
        frames=progress.frames,
        damage=[],
        notes=progress.notes,
        unrecognised=[],
        is_spoken=bool(progress.frames),
    )
