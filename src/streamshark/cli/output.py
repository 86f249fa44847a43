"""Standard output as the commands write it: whole rows, in blocks, quiet about a closed pipe."""

import os
import sys

from streamshark.views.escaping import printable

BLOCK = 1 << 16
"""Characters gathered before they are written, when nobody watches row by row."""
NOTHING_READ = 2
"""Exit code where nothing could be read."""
DAMAGED = 3
"""Exit code with --strict when something was damaged."""
CLOSED_PIPE = 141
"""Exit code when the reader of our output has gone (128 + SIGPIPE)."""
INTERRUPTED = 130
"""Exit code on Ctrl-C (128 + SIGINT)."""


class Output:
    """Gathers text and writes it to standard output as UTF-8.

    Flushed at every call with `immediate` or on a terminal, else in blocks of `BLOCK`. A closed
    pipe raises BrokenPipeError, which ends the program, silently.
    """

    def __init__(self, *, immediate: bool = False) -> None:
        self._immediate = immediate or sys.stdout.isatty()
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> None:
        """Add text; ends of lines are the caller's."""
        self._parts.append(text)
        self._size += len(text)
        if self._immediate or self._size >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered."""
        text = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()


def silence() -> None:
    """Let nothing complain about a closed standard output when Python flushes it at the end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def complain(message: str) -> None:
    """One line on stderr."""
    sys.stderr.write(f"streamshark: {printable(message)}\n")
