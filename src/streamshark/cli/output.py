"""Standard output as the commands write it: whole rows, in blocks, silent about a closed pipe."""

import os
import sys

from streamshark.views.escaping import printable

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


class Output:
    """Buffered standard output, in UTF-8.

    Flushed at every write with `immediate` or on a terminal, else in blocks of `BLOCK` characters.
    A closed pipe raises BrokenPipeError, which ends the program without a message.
    """

    def __init__(self, *, immediate: bool = False) -> None:
        self._immediate = immediate or sys.stdout.isatty()
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> None:
        """Add text; line ends are up to the caller."""
        self._parts.append(text)
        self._size += len(text)
        if self._immediate or self._size >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write the buffered text."""
        text = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()


def silence() -> None:
    """Redirect standard output to the null device, so that its last flush cannot fail."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def complain(message: str) -> None:
    """Print one line on stderr."""
    sys.stderr.write(f"streamshark: {printable(message)}\n")
