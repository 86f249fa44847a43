"""`streamshark index`: make indexes of captures, so that any frame is found at once."""

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from streamshark.cli import options
from streamshark.cli.output import DAMAGED, INTERRUPTED, Output, complain
from streamshark.cli.parallel import jobs, jobs_of
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.errors import StreamsharkError

if TYPE_CHECKING:
    from streamshark.index.layout import IndexProgress
    from streamshark.index.opening import IndexedCaptures

_EVERY: Final = 0.25
"""Seconds between two lines of progress."""
_MEGABYTE: Final = 1 << 20


@click.command("index", context_settings=options.HELP, short_help="Make an index of captures.")
@refuse_unsupported
@options.sources
@click.option("--clear", is_flag=True, help="Remove all indexes and exit.")
@jobs
@options.form("text", "json", default="text")
@options.strictness
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Make an index of captures, so that any frame of them is shown at once.

    `read --frame` uses it. The index is kept in your cache folder, 4 GiB of indexes at most; it is
    made again when a capture has changed, and continued when one has grown or the building was
    interrupted. Only you can read it, as it holds bytes of the captures.

    Several processes (-j) build it sooner, but do not continue: after an interruption they begin
    anew.

    \b
    streamshark index large.pcapng
    streamshark read --frame 7312004 -V large.pcapng
    streamshark index --clear
    """  # noqa: D301 - click's mark for lines that stay
    if given["clear"]:
        return _cleared()
    sources = (*given["more"], *given["files"])
    if not sources:
        raise click.UsageError("no input: name a capture file")
    from streamshark.index import cache  # noqa: PLC0415 - help needs none of it
    from streamshark.index.opening import IndexedCaptures  # noqa: PLC0415
    from streamshark.index.options import IndexOptions  # noqa: PLC0415

    if not cache.can_keep(sources):
        raise click.UsageError("an index is kept of files only, not of standard input or a pipe")
    chosen = IndexOptions(
        paths=tuple(given["paths"]),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        limit=given["limit"],
        keylog=given["keylog"],
    )
    with IndexedCaptures(sources, chosen, count=jobs_of(given)) as captures:
        return _made(captures, given)


def _cleared() -> int:
    """Remove all indexes; return the exit code."""
    from streamshark.index import cache  # noqa: PLC0415 - as above

    kept = cache.clear_all()
    if kept:
        complain(f"{kept} in use and kept")
    return 0


def _made(captures: "IndexedCaptures", given: dict[str, Any]) -> int:
    """Wait for the index, and write what it holds; return the exit code."""
    shown = _ShownProgress()
    try:
        index = captures.wait(shown.show)
    except KeyboardInterrupt:
        shown.end()
        how = "begins anew" if given["jobs"] != 1 else "continues"
        complain(f"{captures.index.frames:,} frames are indexed; the same command {how}")
        return INTERRUPTED
    shown.end()
    size = sum(each.stat().st_size for each in captures.folder.iterdir())
    output = Output()
    if given["form"] == "json":
        from streamshark.views.json import encoded  # noqa: PLC0415 - as above

        output.write(encoded({
            "files": index.names,
            "index": str(captures.folder),
            "state": index.progress.state if not captures.reason else "stopped",
            "packets": index.progress.packets,
            "rows": len(index),
            "frames": index.frames,
            "connections": index.progress.flows,
            "conversations": index.conversation_count,
            "findings": index.finding_count,
            "size": size,
        }) + "\n")  # fmt: skip
    else:
        output.write(
            f"{', '.join(index.names)}: {index.frames:,} frames in {index.progress.packets:,}"
            f" packets, {index.conversation_count:,} conversations, {index.finding_count:,}"
            f" findings\nindex: {captures.folder} ({size / _MEGABYTE:.1f} MB)\n"
        )
    output.flush()
    for each in index.problems:
        complain(each)
    if captures.reason and not index.frames:
        raise StreamsharkError(captures.reason)
    if captures.reason and captures.reason not in index.problems:
        complain(captures.reason)
    return DAMAGED if given["strict"] and (index.problems or captures.reason) else 0


class _ShownProgress:
    """Progress on a terminal."""

    def __init__(self) -> None:
        self._wanted = sys.stderr.isatty()
        self._next = 0.0
        self._is_shown = False

    def show(self, progress: "IndexProgress") -> None:
        """Show how far an index is, from time to time."""
        import time  # noqa: PLC0415 - as above

        if not self._wanted or time.monotonic() < self._next:
            return
        self._next, self._is_shown = time.monotonic() + _EVERY, True
        part = f", {100 * progress.read // progress.size} %" if progress.size else ""
        sys.stderr.write(f"\r{progress.frames:,} frames{part}\x1b[K")
        sys.stderr.flush()

    def end(self) -> None:
        """Erase the progress."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
