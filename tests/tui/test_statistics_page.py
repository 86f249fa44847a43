"""Counts by command, from the columns of an index."""

import math

from tests.tui.screens import browser

from streamshark.tui.statistics_page import BINS, CommandKey, Counts, sparkline


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


def test_sparklines_show_rates_beside_the_highest() -> None:
    """The highest rate is a full bar, any frame is seen, and no bar is too many."""
    assert sparkline([8, 0, 1, 4], 4, 24) == "█ ▁▄"
    assert sparkline([1] * 10, 10, 5) == "█████"
    assert sparkline([], 0, 5) == ""
