"""Standard output as the commands write it: whole rows, in blocks, silent about a closed pipe.

On a terminal, lines are folded to its width, and long texts go through a pager.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from shutil import get_terminal_size, which
from typing import IO, TYPE_CHECKING, Any, Self

from streamshark.views.escaping import printable
from streamshark.views.terminal_lines import HANGING, FoldLayout, columns, fold, indented

if TYPE_CHECKING:
    from subprocess import Popen

BLOCK = 1 << 16
"""Characters buffered before they are written, unless rows are written at once."""
NOTHING_READ = 2
"""Exit code if nothing could be read."""
DAMAGED = 3
"""Exit code with --strict if anything was damaged."""
CLOSED_PIPE = 141
"""Exit code after the reader closed the output (128 + SIGPIPE)."""
INTERRUPTED = 130
"""Exit code after Ctrl-C (128 + SIGINT)."""
EXIT_CODES = {
    0: "Success, also for a damaged capture of which something was read.",
    1: "Findings at or above --fail-on.",
    NOTHING_READ: "Wrong usage, or nothing could be read.",
    DAMAGED: "Damage or problems, with --strict.",
    INTERRUPTED: "Interrupted by Ctrl-C.",
    CLOSED_PIPE: "The reader closed the output.",
}
"""What each exit code of the program means."""
_HELD: ContextVar[list[str] | None] = ContextVar("held", default=None)
"""Messages that are printed later; None if they are printed at once."""


class Output:
    """Buffered standard output, in UTF-8.

    Flushed at every write with `immediate` or on a terminal, else in blocks of `BLOCK` characters.
    A closed pipe raises BrokenPipeError, which ends the program without a message. On a terminal
    `folds` folds lines to its width, where `layout_of` gives the layout of each line, and `pages`
    passes all to a pager.
    """

    def __init__(
        self,
        *,
        immediate: bool = False,
        folds: bool = False,
        layout_of: Callable[[str], FoldLayout] = indented,
        pages: bool = False,
    ) -> None:
        width = terminal_width()
        is_terminal = width > 0
        self._immediate = immediate or is_terminal
        self._parts: list[str] = []
        self._size = 0
        self._width = width if folds else 0
        self._layout_of = layout_of
        self._pager = Pager.started() if pages and is_terminal else None

    def write(self, text: str) -> None:
        """Add text; line ends are up to the caller."""
        if self._width:
            lines = text.split("\n")
            text = "\n".join([fold(each, self._width, self._layout_of) for each in lines])
        self._parts.append(text)
        self._size += len(text)
        if self._immediate or self._size >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write the buffered text."""
        text = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        data = text.encode("utf-8", "backslashreplace")
        if self._pager is not None:
            self._pager.write(data)
            return
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """Write what is buffered, and wait until the user has left the pager, if there is one."""
        try:
            self.flush()
        finally:
            if self._pager is not None:
                self._pager.close()


class Pager:
    """The pager that shows a long text: $PAGER, else less, which shows a short text at once."""

    def __init__(self, process: "Popen[bytes]", into: IO[bytes]) -> None:
        self._process, self._into = process, into

    @classmethod
    def started(cls, environment: Mapping[str, str] | None = None) -> "Pager | None":
        """Start the pager; None if the user wants none, or there is none."""
        import shlex  # noqa: PLC0415 - on terminals alone
        import subprocess  # noqa: PLC0415

        environment = os.environ if environment is None else environment
        command = shlex.split(environment.get("PAGER", "less"))
        if not command or command == ["cat"] or which(command[0]) is None:
            return None
        own = {"LESS": "FRX", "LV": "-c", **environment}
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=own)  # noqa: S603 - the user's
        return None if process.stdin is None else cls(process, process.stdin)

    def write(self, data: bytes) -> None:
        """Write bytes; raise BrokenPipeError once the user has left."""
        self._into.write(data)
        self._into.flush()

    def close(self) -> None:
        """Tell the pager that this is all, and wait until the user leaves it."""
        with suppress(BrokenPipeError):
            self._into.close()
        while True:
            try:
                self._process.wait()
            except KeyboardInterrupt:
                continue  # which the pager answers
            return


def terminal_width() -> int:
    """Return the columns of the terminal; 0 if standard output is none."""
    return get_terminal_size().columns if sys.stdout.isatty() else 0


def pages(given: Mapping[str, Any]) -> bool:
    """Return whether the output of a command may go through a pager."""
    sources = (*given["more"], *given["files"])
    return not (given["no_pager"] or given.get("immediate") or "-" in sources)


def silence() -> None:
    """Redirect standard output to the null device, so that its last flush cannot fail."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


@contextmanager
def held_messages() -> Iterator[None]:
    """Print what `complain` is given at the end of `with`: screens are on the terminal before."""
    held = _HELD.set([])
    try:
        yield
    finally:
        messages = _HELD.get() or []
        _HELD.reset(held)
        for each in messages:
            complain(each)


def complain(message: str) -> None:
    """Print one line on stderr; a terminal has it folded, unless a word is wider than it."""
    if (held := _HELD.get()) is not None:
        held.append(message)
        return
    line = f"streamshark: {printable(message)}"
    if sys.stderr.isatty():
        with suppress(OSError, ValueError):
            width = os.get_terminal_size(sys.stderr.fileno()).columns
            widest = max(map(columns, line.split(" ")))
            line = fold(line, width) if widest + HANGING <= width else line
    sys.stderr.write(f"{line}\n")
