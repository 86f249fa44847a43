"""Flow control: how many bytes of DATA a side may send until the other side lets it send more.

Source: RFC 9113, 5.2, 6.9 and 6.9.2.
"""

from typing import Final

CONNECTION: Final = 0
"""The stream that stands for the window of the whole connection."""
INITIAL: Final = 65_535
"""Bytes of a window at first."""
MOST_STREAMS: Final = 4096
"""Most streams whose windows are remembered; the oldest are forgotten first."""


class FlowWindows:
    """The windows of one sender: that of the connection, and one of each stream."""

    __slots__ = ("_balances", "_full", "_initial")

    def __init__(self) -> None:
        self._initial = INITIAL
        self._balances = {CONNECTION: 0}
        """Stream to the bytes that were allowed beyond the initial window, less those sent."""
        self._full: set[int] = set()

    def _window(self, stream: int) -> int:
        """Return the bytes that may still be sent."""
        initial = self._initial if stream else INITIAL
        return initial + self._balances.get(stream, 0)

    def _add(self, stream: int, count: int) -> None:
        self._balances[stream] = self._balances.get(stream, 0) + count
        if len(self._balances) > MOST_STREAMS:
            oldest = next(each for each in self._balances if each)
            self.end(oldest)

    def sent(self, stream: int, length: int) -> list[int]:
        """Count DATA; return the windows that it has used up."""
        used = []
        for each in (stream, CONNECTION):
            self._add(each, -length)
            if self._window(each) <= 0 and each not in self._full:
                self._full.add(each)
                used.append(each)
        return used

    def allow(self, stream: int, increment: int) -> list[int]:
        """Apply WINDOW_UPDATE; return its window if it was used up and is not any more."""
        self._add(stream, increment)
        return self._opened([stream])

    def resize(self, initial: int) -> list[int]:
        """Apply SETTINGS_INITIAL_WINDOW_SIZE; return the windows that it opens."""
        self._initial = initial
        return self._opened(sorted(self._full - {CONNECTION}))

    def end(self, stream: int) -> None:
        """Forget a stream that has ended."""
        self._balances.pop(stream, None)
        self._full.discard(stream)

    def _opened(self, streams: list[int]) -> list[int]:
        opened = [each for each in streams if each in self._full and self._window(each) > 0]
        self._full.difference_update(opened)
        return opened
