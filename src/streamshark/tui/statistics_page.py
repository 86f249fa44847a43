"""The Statistics screen: counts, rates and response times of each command."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from textual.app import ComposeResult
from textual.message import Message

from streamshark.conversations.histogram import Histogram
from streamshark.conversations.units import duration, size
from streamshark.index.layout import FAILED, LONG_TIME
from streamshark.index.reader import Index
from streamshark.tui.browser import Browser
from streamshark.tui.frame_list import NARROW
from streamshark.tui.keys import STATISTICS, Press
from streamshark.tui.line_view import LineView
from streamshark.tui.page import Page
from streamshark.tui.pieces import TextPiece
from streamshark.views.text_table import cut_middle

BINS: Final = 64
"""Most intervals of time whose frames are counted separately."""
AT_ONCE: Final = 2048
"""Rows that are counted between two looks at the clock."""
SLICE: Final = 0.02
"""Seconds of counting between two looks at the keyboard."""
PROTOCOL: Final = 10
COMMAND: Final = 34
"""Columns of the names of protocol and command."""
SHORT: Final = 24
"""Columns of the name of a command in a narrow terminal."""
NUMBERS: Final = {
    "Frames": 9, "/s": 9, "Failed": 6, "Bytes": 8, "p50": 8, "p95": 8, "p99": 8, "max": 8,
}  # fmt: skip
"""Columns with numbers, and how wide they are."""
TIMES: Final = frozenset({"p50", "p95", "p99", "max"})
"""Those of response times."""
IMPORTANT: Final = ("Frames", "Failed", "p95", "p50", "max", "Bytes", "p99", "/s")
"""All columns with numbers; the last ones are left out first."""
BARS: Final = " ▁▂▃▄▅▆▇█"
SPARK: Final = 24
"""Columns of a sparkline."""
SHORTEST: Final = 1_000_000
"""Nanoseconds of the shortest interval."""


class CommandKey(NamedTuple):
    """What is counted together."""

    protocol: str
    command: str


class CommandCounts:
    """Frames, bytes, failures and response times of one command."""

    def __init__(self) -> None:
        self.frames = self.size = self.failed = 0
        self.times = Histogram()
        self.bins: list[int] = []
        """Number of frames in each interval, from the first packet on."""


class Counts:
    """Counts of all commands, from the columns of an index, as far as they were read."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.rows = 0
        """Number of rows that were counted."""
        self.commands: dict[CommandKey, CommandCounts] = {}
        self.interval = SHORTEST
        """Nanoseconds of an interval; doubled when there are too many."""
        self.last = 0
        """Nanoseconds from the first packet to the last row."""
        self._of: dict[int, CommandCounts | None] = {}
        """By number of the setting; None for events."""

    def count(self, until: float) -> None:
        """Count rows, up to a time of the monotonic clock or to the end."""
        index = self.index
        names = ("setting", "length", "took", "time")
        settings, lengths, took, times = (index.columns[name].numbers for name in names)
        marks = index.marks
        start, end = index.started_ns or 0, len(index)
        while self.rows < end and time.monotonic() < until:
            for at in range(self.rows, min(self.rows + AT_ONCE, end)):
                found = self._counts(settings[at])
                if found is None:
                    continue
                found.frames += 1
                found.size += lengths[at]
                found.failed += marks[at] & FAILED != 0
                if took[at] < LONG_TIME:
                    found.times.add(took[at])
                self._bin(found, times[at] - start)
            self.rows = min(self.rows + AT_ONCE, end)

    def _counts(self, setting: int) -> CommandCounts | None:
        if setting not in self._of:
            known = self.index.setting(setting)
            key = CommandKey(known.wire, known.command or "unknown")
            made = None
            if known.kind != "event":
                made = self.commands.setdefault(key, CommandCounts())
            self._of[setting] = made
        return self._of[setting]

    def _bin(self, found: CommandCounts, since: int) -> None:
        self.last = max(self.last, since)
        while since >= self.interval * BINS:
            self.interval *= 2
            for each in self.commands.values():
                bins = each.bins
                each.bins = [sum(bins[at : at + 2]) for at in range(0, len(bins), 2)]
        at = max(since, 0) // self.interval
        if at >= len(found.bins):
            found.bins += [0] * (at + 1 - len(found.bins))
        found.bins[at] += 1

    def spark(self, key: CommandKey, width: int = SPARK) -> str:
        """Return the rate of a command over the time of the captures, as bars."""
        return sparkline(self.commands[key].bins, self.last // self.interval + 1, width)


def sparkline(bins: Sequence[int], count: int, width: int) -> str:
    """Return bars for the first `count` intervals; further ones have no frames.

    >>> sparkline([1, 0, 4], 3, 3)
    '▂ █'
    """
    joined = [0] * min(width, count)
    for at, each in enumerate(bins[:count]):
        joined[at * len(joined) // count] += each
    most = max(joined, default=0) or 1
    return "".join(BARS[-(-each * (len(BARS) - 1) // most)] for each in joined)


class CommandList(LineView):
    """Commands, one line each."""

    context = STATISTICS

    def __init__(
        self,
        counts: Counts,
        short_names: Mapping[str, str],
        *,
        id: str,  # noqa: A002 - as of a widget
    ) -> None:
        super().__init__(id=id)
        self.short_names = short_names
        self.counts = counts
        self.keys: list[CommandKey] = []

    @property
    def shown(self) -> "StatisticsLayout":
        """The columns that fit."""
        several = len({each.protocol for each in self.keys}) > 1
        longest = max((len(each.command) for each in self.keys), default=0)
        return layout_for(self.size.width, longest, several=several)

    def heading(self) -> Sequence[TextPiece]:
        """Return the names of the columns."""
        layout = self.shown
        protocol = PROTOCOL + 1 if layout.has_protocol else 0
        names = [f"{'Command':<{protocol + layout.command}}"]
        names += [f" {each:>{NUMBERS[each]}}" for each in layout.numbers]
        return [TextPiece("".join(names) + (" Rate" if layout.has_rate else ""))]

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return counts, response times and rate of a command."""
        key, layout = self.keys[number], self.shown
        out = []
        if layout.has_protocol:
            out.append(TextPiece(f"{self.short_names[key.protocol]:<{PROTOCOL}} ", "generated"))
        name = cut_middle(key.command, layout.command)
        out.append(TextPiece(f"{name:<{layout.command}}", "command"))
        for each in layout.numbers:
            style = "error" if each == "Failed" else "time" if each in TIMES else ""
            out.append(TextPiece(f" {self._number(key, each):>{NUMBERS[each]}}", style))
        if layout.has_rate:
            out.append(TextPiece(f" {self.counts.spark(key)}", "name"))
        return out

    def _number(self, key: CommandKey, name: str) -> str:
        """Return what is in a column."""
        found = self.counts.commands[key]
        match name:
            case "Frames":
                return f"{found.frames:,}"
            case "/s":
                return f"{found.frames * 1e9 / max(self.counts.last, 1):,.1f}"
            case "Failed":
                return f"{found.failed:,}" if found.failed else ""
            case "Bytes":
                return size(found.size)
            case "max":
                value: float | None = found.times.greatest
            case _:
                value = found.times.percentile(int(name[1:]))
        return "" if value is None else duration(round(value))


class StatisticsLayout(NamedTuple):
    """The columns that fit into a width."""

    command: int
    """Columns of the name of the command."""
    numbers: tuple[str, ...]
    has_protocol: bool
    has_rate: bool


def layout_for(width: int, longest: int, *, several: bool) -> StatisticsLayout:
    """Return the layout for a width.

    What matters least is left out first: the rate over time, the protocol if all rows have the
    same, then numbers.

    Args:
        width: Columns of the terminal.
        longest: Characters of the longest name of a command.
        several: Whether there are several protocols.
    """
    most = COMMAND if width >= NARROW else SHORT
    least = min(max(longest, len("Command")), most)
    left = width - 1 - least  # beside the scroll bar
    protocol = PROTOCOL + 1 if several else 0
    if several:
        left -= protocol
    chosen = []
    for each in IMPORTANT:
        if left <= NUMBERS[each]:
            break
        chosen.append(each)
        left -= NUMBERS[each] + 1
    has_all = len(chosen) == len(IMPORTANT)
    has_protocol = several or (has_all and left > PROTOCOL)
    left -= 0 if several or not has_protocol else PROTOCOL + 1
    has_rate = has_all and left > SPARK
    numbers = tuple(each for each in NUMBERS if each in chosen)
    return StatisticsLayout(least, numbers, has_protocol, has_rate)


class StatisticsPage(Page):
    """Commands, the most frequent first; Enter shows the frames of one."""

    title: ClassVar[str] = "Statistics"

    class Filtered(Message):
        """A display filter is to be applied."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        self.counts = Counts(browser.index)
        self.list = CommandList(self.counts, browser.short_names, id="command-list")
        super().__init__(browser, self.list, id=id)
        self._counting: asyncio.Task[None] | None = None
        self._is_final = False

    def compose(self) -> ComposeResult:
        """Return the pane."""
        yield self.list

    def refresh_data(self) -> None:
        """Count the rows that have come, while the screen is shown."""
        if self.display and (self._counting is None or self._counting.done()):
            self._counting = asyncio.create_task(self._count())

    async def _count(self) -> None:
        counts = self.counts
        if self.browser.is_complete and not self._is_final:
            self._is_final = True  # calls have failed since their rows were counted
            counts = Counts(self.browser.index)
        while counts.rows < len(self.browser.index):
            counts.count(time.monotonic() + SLICE)
            if counts.rows >= self.counts.rows:
                self._show(counts)
            await asyncio.sleep(SLICE)
        self._show(counts)

    def _show(self, counts: Counts) -> None:
        self.counts = self.list.counts = counts
        found = counts.commands
        chosen = self.list.keys[self.list.cursor] if self.list.keys else None
        self.list.keys = sorted(found, key=lambda each: (-found[each].frames, each))
        at = self.list.keys.index(chosen) if chosen in found and self.list.cursor else 0
        self.list.show(len(self.list.keys), at)

    def status(self) -> str:
        """Return how many rows were counted."""
        left = len(self.browser.index) - self.counts.rows
        more = f", {left:,} rows to count" if left else ""
        return f"{super().status()}, Enter shows the frames{more}"

    def on_line_view_selected(self, event: LineView.Selected) -> None:
        """Nothing depends on the selection."""
        event.stop()

    def on_line_view_opened(self, event: LineView.Opened) -> None:
        """Show the frames of a command."""
        event.stop()
        self.list.choose(event.line)
        self.act_frames_with(Press("frames-with"))

    def act_frames_with(self, _press: Press) -> None:
        """Show the frames of the selected command."""
        if self.list.keys:
            key = self.list.keys[self.list.cursor]
            short = self.browser.short_names[key.protocol]
            known = self.browser.fields.find(f"{short}.{key.command}")
            text = f"{short}.{key.command}" if known else f'{short}.command == "{key.command}"'
            self.post_message(self.Filtered(text))
