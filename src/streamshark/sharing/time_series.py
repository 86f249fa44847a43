"""Traffic and response times over the time of a capture, in bounded memory."""

from dataclasses import dataclass, field
from typing import Final

from streamshark.conversations.histogram import Histogram
from streamshark.dissection.row import FrameRow

FIRST_WIDTH: Final = 1_000_000
"""Time in ns of each bin at first."""
MOST_BINS: Final = 240
"""Most bins; then each two become one."""


@dataclass(slots=True)
class TimeBin:
    """What happened in one interval."""

    frames: dict[str, int] = field(default_factory=dict)
    """Frames by sender; an empty one if it is not proved."""
    times: Histogram = field(default_factory=Histogram)
    """Response times in ns, at the times of the responses."""

    def merge(self, other: "TimeBin") -> None:
        """Add another interval."""
        for sender, count in other.frames.items():
            self.frames[sender] = self.frames.get(sender, 0) + count
        self.times.merge(other.times)


class TimeSeries:
    """Bins of equal width from the first frame to the last one."""

    def __init__(self, most: int = MOST_BINS) -> None:
        self.most = most
        self.width = FIRST_WIDTH
        """Time in ns of each bin."""
        self.start_ns: int | None = None
        self.bins: dict[int, TimeBin] = {}
        """By number; those without frames are absent."""

    def take(self, row: FrameRow) -> None:
        """Add a frame."""
        if self.start_ns is None:
            self.start_ns = row.time_ns
        number = max(row.time_ns - self.start_ns, 0) // self.width
        while number >= self.most:
            self._widen()
            number //= 2
        found = self.bins.get(number)
        if found is None:
            found = self.bins[number] = TimeBin()
        sender = row.sender or ""
        found.frames[sender] = found.frames.get(sender, 0) + 1
        if row.annotation is not None and row.annotation.response_time_ns is not None:
            found.times.add(row.annotation.response_time_ns)

    @property
    def count(self) -> int:
        """Number of bins up to the last one with a frame."""
        return max(self.bins, default=-1) + 1

    def _widen(self) -> None:
        """Make each bin twice as wide."""
        self.width *= 2
        merged: dict[int, TimeBin] = {}
        for number, each in self.bins.items():
            if number // 2 in merged:
                merged[number // 2].merge(each)
            else:
                merged[number // 2] = each
        self.bins = merged
