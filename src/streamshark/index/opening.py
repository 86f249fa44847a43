"""Opening the index of captures, which another process builds if there is none.

The process that builds is a child (`building_process`). It starts before what reads an index is
imported. A reader uses what has been committed, and looks again (`Index.grew`).
"""

import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from streamshark.errors import StreamsharkError
from streamshark.index import cache
from streamshark.index.columns import IndexDamageError
from streamshark.index.layout import IndexProgress, read_progress
from streamshark.index.options import IndexOptions

if TYPE_CHECKING:
    from streamshark.dissector import KnownProtocols
    from streamshark.index.reader import Index

LOOK: Final = 0.02
"""Seconds between two looks at an index that is being built."""
WAITING: Final = 1.0
"""Seconds without an index after which a caller is told of it."""
PATIENCE: Final = 0.2
"""Seconds for which a process that builds is waited for at the end."""


class IndexedCaptures:
    """The index of captures, and the process that builds it while it is not complete.

    Without `cached`, for standard input, or if the cache cannot be written, the index lies in a
    temporary folder and is removed at the end. With `follows` the building waits at the end of the
    captures for more, until `close`. `waits` is called if no packet comes in
    `WAITING` seconds. `count` is that of `IndexBuilder`.
    """

    def __init__(
        self,
        sources: Sequence[str],
        options: IndexOptions | None = None,
        *,
        cached: bool = True,
        follows: bool = False,
        waits: Callable[[], object] = lambda: None,
        count: int = 1,
    ) -> None:
        self.sources = list(sources)
        self.follows, self._waits, self._count = follows, waits, count
        self.options = options or IndexOptions()
        self.is_cached = cached and cache.can_keep(self.sources)
        self._process: subprocess.Popen[bytes] | None = None
        self._said = b""
        """What the process has written to standard error."""
        self.folder = cache.folder_of(self.sources, self.options.plain())
        if not (self.is_cached and cache.is_own(self.folder)) or self._is_built_otherwise():
            self.is_cached = False
            self.folder = Path(tempfile.mkdtemp(prefix="streamshark-index-"))
        self._begin()

    @cached_property
    def known(self) -> "KnownProtocols":
        """The protocols that are known."""
        return self.options.known()

    @cached_property
    def index(self) -> "Index":
        """The index; the first use of it waits until there is one.

        Raises:
            StreamsharkError: A capture cannot be read at all.
        """
        return self._opened(self._waits)

    def _is_built_otherwise(self) -> bool:
        """Return whether the process that builds the index follows captures and this one does not.

        Or the other way round.
        """
        if not cache.is_locked(self.folder):
            return False
        try:
            return read_progress(self.folder).is_live != self.follows
        except IndexDamageError:
            return False

    def _begin(self) -> None:
        """Start the process that builds what is missing."""
        if self.is_cached:
            change = cache.change(self.folder, self.sources)
            cache.use(self.folder)
            if change == cache.SAME and _is_complete(self.folder) and not self.follows:
                return
            if cache.is_locked(self.folder) and not change.is_stale:
                return
        task = [
            str(self.folder), self.sources, self.options.plain(), self.is_cached, self.follows,
            self._count,
        ]  # fmt: skip
        self._process = subprocess.Popen(  # noqa: S603 - this program
            [sys.executable, "-m", "streamshark.index.building_process", json.dumps(task)],
            stdin=None if cache.STDIN in self.sources else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=cache.STDIN not in self.sources,
        )

    def _opened(self, waits: Callable[[], object]) -> "Index":
        """Return the index once there is one.

        Raises:
            StreamsharkError: It cannot be built.
        """
        from streamshark.index.reader import Index  # noqa: PLC0415 - the child starts before it

        until = time.monotonic() + WAITING
        while True:
            if time.monotonic() > until:
                waits()
                until = math.inf
            is_over = self._is_over
            try:
                if not self._is_awaited():
                    return Index(self.folder, self.known)
            except IndexDamageError:
                pass  # not yet there
            if is_over:
                reason = self._why()
                self.close()
                raise StreamsharkError(reason)
            time.sleep(LOOK)

    def _is_awaited(self) -> bool:
        """Return whether a child has yet to drop the index that is there."""
        process = self._process
        if process is None or process.poll() == 0:
            return False  # it has built the index, or found that another process does
        return read_progress(self.folder).builder != process.pid

    @property
    def _is_over(self) -> bool:
        """Whether no process builds the index."""
        code = 0 if self._process is None else self._process.poll()
        return code is not None and (code != 0 or not cache.is_locked(self.folder))

    @property
    def is_building(self) -> bool:
        """Whether more of the captures is being read."""
        return not self.index.is_complete and not self._is_over

    def wait(self, report: Callable[[IndexProgress], object] = lambda _progress: None) -> "Index":
        """Return the index once it is complete, or no process builds it any more.

        Args:
            report: Called with each progress.
        """
        while self.is_building:
            if self.look():
                report(self.index.progress)
        self.index.grew()
        return self.index

    def look(self) -> bool:
        """Wait a moment for more of the index; return whether there is more."""
        time.sleep(LOOK)
        return self.index.grew()

    @property
    def reason(self) -> str:
        """Why the index is not complete although no process builds it; empty if it is."""
        if self.index.is_complete or self.is_building:
            return ""
        return self.index.progress.reason or self._why()

    def _why(self) -> str:
        """Return why no process builds the index."""
        process = self._process
        if process is None:
            return "the process that built the index has ended"
        if process.stderr is not None and not process.stderr.closed:
            self._said += process.stderr.read()
        lines = self._said.decode(errors="replace").strip().splitlines()
        if lines:
            return lines[-1].removeprefix("streamshark: ")
        return f"the process that built the index ended with exit code {process.returncode}"

    def close(self) -> None:
        """Close the index, and end the process that builds it; it can be continued later."""
        if "index" in vars(self):
            self.index.close()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process is not None and process.stderr is not None:
            process.stderr.close()
        if not self.is_cached:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _is_complete(folder: Path) -> bool:
    try:
        return read_progress(folder).state == "complete"
    except IndexDamageError:
        return False
