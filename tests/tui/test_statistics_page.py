"""Counts by command, from the columns of an index."""

import math

from tests.failures import every
from tests.tui.screens import browser

from streamshark.tui.statistics_page import (
    BINS,
    NUMBERS,
    PROTOCOL,
    SPARK,
    CommandKey,
    Counts,
    layout_for,
    sparkline,
)


def test_all_frames_are_counted_once() -> None:
    """Frames, bytes and response times are those of the rows, however often it pauses."""
    index = browser().index
    counts = Counts(index)
    while counts.rows < len(index):
        counts.count(math.inf)
    frames = [each for each in map(index.head, range(len(index))) if each.kind != "event"]
    assert sum(each.frames for each in counts.commands.values()) == len(frames) == 20
    assert sum(each.size for each in counts.commands.values()) == sum(
        each.length for each in frames
    )
    deliver = counts.commands[CommandKey("rabbitmq_stream", "deliver")]
    assert (deliver.frames, deliver.size) == (2, 390)
    opened = counts.commands[CommandKey("rabbitmq_stream", "open_response")]
    assert opened.times.count == 1
    assert sum(deliver.bins) == 2
    assert all(len(each.bins) <= BINS for each in counts.commands.values())


WIDTHS = (
    (40, False, ("Frames",), (False, False)),
    (80, False, ("Frames", "Failed", "Bytes", "p50", "p95", "max"), (False, False)),
    (80, True, ("Frames", "Failed", "p50", "p95", "max"), (True, False)),
    (120, False, tuple(NUMBERS), (True, False)),
    (150, False, tuple(NUMBERS), (True, True)),
    (150, True, tuple(NUMBERS), (True, True)),
)


@every("width, several, numbers, others", WIDTHS)
def test_columns_fit(
    width: int, several: object, numbers: tuple[str, ...], others: tuple[bool, bool]
) -> None:
    """What matters most is shown, and nothing is beyond the right edge."""
    found = layout_for(width, 40, several=bool(several))
    assert (found.numbers, (found.has_protocol, found.has_rate)) == (numbers, others)
    used = found.command + sum(NUMBERS[each] + 1 for each in numbers)
    used += (PROTOCOL + 1) * found.has_protocol + (SPARK + 1) * found.has_rate
    assert used < width


def test_sparklines_show_rates_beside_the_highest() -> None:
    """The highest rate is a full bar, any frame is seen, and no bar is too many."""
    assert sparkline([8, 0, 1, 4], 4, 24) == "█ ▁▄"
    assert sparkline([1] * 10, 10, 5) == "█████"
    assert sparkline([], 0, 5) == ""
