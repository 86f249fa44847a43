"""Which packets completed the latest frames."""

from collections.abc import Sequence
from typing import Final, Protocol

REMEMBERED: Final = 1 << 16
"""Number of latest frames whose packets are known."""


class KnownPlaces(Protocol):
    """What knows which packets completed frames."""

    def add(self, first: int, files: Sequence[int], packets: Sequence[int]) -> None:
        """Add frames that are numbered in sequence, with the file and packet of each."""

    def of(self, frame: int) -> tuple[int, int] | None:
        """Return file and packet of a frame; None if they are not known."""


class FramePlaces:
    """File and packet of the latest frames, by number."""

    def __init__(self) -> None:
        self.size = REMEMBERED
        self.latest = 0
        """Number of the latest frame."""
        self._packets = [0] * self.size
        self._files = [0] * self.size

    def add(self, first: int, files: Sequence[int], packets: Sequence[int]) -> None:
        """Add frames that are numbered in sequence, with the file and packet of each."""
        count, size = len(files), self.size
        self.latest = first + count - 1
        start = first % size
        if start + count <= size:
            self._files[start : start + count] = files
            self._packets[start : start + count] = packets
            return
        for number, file, packet in zip(range(first, first + count), files, packets, strict=True):
            self._files[number % size] = file
            self._packets[number % size] = packet

    def of(self, frame: int) -> tuple[int, int] | None:
        """Return file and packet of a frame; None if it is not among the latest."""
        if frame <= self.latest - self.size:
            return None
        return self._files[frame % self.size], self._packets[frame % self.size]
