"""The option that chooses frames by their numbers: `--frame 7,12-20`."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import click

from streamshark.cli.output import complain
from streamshark.conversations.units import counted
from streamshark.errors import StreamsharkError

_RANGE: Final = re.compile(r"\s*([1-9]\d{0,17})(?:-([1-9]\d{0,17}))?\s*")

Command = Callable[..., Any]


class FrameNumbers:
    """Numbers of frames, as ranges that do not overlap, in order."""

    def __init__(self, ranges: Sequence[tuple[int, int]] = ()) -> None:
        self.ranges: list[tuple[int, int]] = []
        for each in sorted(ranges):
            if self.ranges and each[0] <= self.ranges[-1][1] + 1:
                first, last = self.ranges.pop()
                self.ranges.append((first, max(last, each[1])))
            else:
                self.ranges.append(each)
        self._firsts = [first for first, _ in self.ranges]

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._firsts, number) - 1
        return at >= 0 and number <= self.ranges[at][1]

    @property
    def last(self) -> int:
        """The greatest number."""
        return self.ranges[-1][1]

    def among(self, count: int) -> Iterator[int]:
        """Yield those of `count` frames."""
        for first, last in self.ranges:
            yield from range(first, min(last, count) + 1)

    def report_missing(self, count: int) -> None:
        """Print a line that names the numbers above `count`, the number of the frames.

        Raises:
            StreamsharkError: No frame has any of the numbers.
        """
        missing = [
            str(first) if first == last else f"{max(first, count + 1)}-{last}"
            for first, last in self.ranges
            if last > count
        ]
        if not missing:
            return
        message = f"--frame {','.join(missing)}: the captures have {counted(count, 'frame')}"
        if self.ranges[0][0] > count:
            raise StreamsharkError(message)
        complain(message)


def frame_numbers(command: Command) -> Command:
    """Add the option that chooses frames by their numbers."""
    return click.option(
        "--frame",
        "numbers",
        multiple=True,
        metavar="N[-M][,...]",
        callback=_parsed,
        help="Only frames with these numbers, found by an index of the captures. Repeatable.",
    )(command)


def _parsed(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> FrameNumbers:
    """Parse numbers and ranges of numbers, separated by commas."""
    ranges = []
    for each in (each for value in values for each in value.split(",")):
        found = _RANGE.fullmatch(each)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else -1
        if last < first:
            raise click.UsageError(
                f"--frame {each!r}: not the number of a frame, or a range (such as 12-20)", context
            )
        ranges.append((first, last))
    return FrameNumbers(ranges)
