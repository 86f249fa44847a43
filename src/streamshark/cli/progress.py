"""The progress of a long reading, on stderr: only on a terminal that shows no rows as well."""

import sys
import time

PATIENCE = 1.0
"""Seconds of work before anything is shown."""
EVERY = 0.25
"""Seconds between two updates."""
LOOK = 512
"""Rows between two readings of the clock."""


class Progress:
    """A counter of rows on stderr, shown once a reading takes long and erased at its end.

    `beside` is true if standard output gets a line for every row, which shows progress as well.
    """

    def __init__(self, *, beside: bool = True) -> None:
        self.wanted = sys.stderr.isatty() and not (beside and sys.stdout.isatty())
        """Whether it is shown: stderr is a terminal without rows."""
        self._next = time.monotonic() + PATIENCE
        self._count = self._looked = 0
        self._is_shown = False

    def row(self, count: int = 1) -> None:
        """Count rows, one by default, and show their number from time to time."""
        self._count += count
        if not self.wanted or self._count // LOOK == self._looked:
            return
        self._looked = self._count // LOOK
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            self._is_shown = True
            sys.stderr.write(f"\r{self._count:,} rows")
            sys.stderr.flush()

    def end(self) -> None:
        """Erase the counter."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
