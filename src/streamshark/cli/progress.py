"""How far a long reading is, on stderr: only on a terminal that rows do not go to as well."""

import sys
import time

PATIENCE = 1.0
"""Seconds of work before anything is said."""
EVERY = 0.25
"""Seconds between two lines."""
LOOK = 512
"""Rows between two looks at the clock."""


class Progress:
    """Counts rows; says how many there are once it takes long, and takes it back at the end.

    `beside` is true where standard output gets a line for every row, which tells as much.
    """

    def __init__(self, *, beside: bool = True) -> None:
        self.wanted = sys.stderr.isatty() and not (beside and sys.stdout.isatty())
        """Whether anybody would see it."""
        self._next = time.monotonic() + PATIENCE
        self._count = self._looked = 0
        self._said = False

    def row(self, count: int = 1) -> None:
        """One more, or so many."""
        self._count += count
        if not self.wanted or self._count // LOOK == self._looked:
            return
        self._looked = self._count // LOOK
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            self._said = True
            sys.stderr.write(f"\r{self._count:,} rows")
            sys.stderr.flush()

    def end(self) -> None:
        """Nothing is left of it."""
        if self._said:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
