"""Drawings of a report: sequence diagrams of connections, rates and response times, as SVG."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import log10
from typing import Final

from streamshark.conversations.units import counted, digits, duration, shortened
from streamshark.sharing.report import Ladder
from streamshark.sharing.time_series import TimeBin, TimeSeries
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS
from streamshark.views.sequence_diagram import Arrow, Loop, Note, Participant

TIMES: Final = 74
"""Width of the column of times at the left."""
BETWEEN: Final = 430
"""Distance of two peers."""
STEP: Final = 30
"""Height of an arrow with its text."""
HEAD: Final = 44
LETTER: Final = 6.7
"""Width of a letter; texts are cut by it."""
SIDE: Final = 150
"""Space at the right, and half of the width of a peer's name."""
WIDTH: Final = 720
HEIGHT: Final = 170
LEFT, BOTTOM, TOP, RIGHT = 64, 24, 10, 8
NS: Final = 1_000_000_000


def ladder(drawn: Ladder, linked: Iterable[int]) -> str:
    """Return a connection as a sequence diagram; frames that are `linked` are links."""
    drawing = _LadderDrawing(drawn, frozenset(linked))
    return drawing.text()


class _LadderDrawing:
    def __init__(self, drawn: Ladder, linked: frozenset[int]) -> None:
        self.drawn = drawn
        self.linked = linked
        self.peers = drawn.diagram.participants
        self.y = HEAD
        self.out: list[str] = []
        self.marks: dict[int, list[str]] = {}
        for each in drawn.findings:
            if each.frames:
                mark = f"[{MARKS[each.severity]}] {each.rule}"
                self.marks.setdefault(each.frames[0], []).append(mark)

    def text(self) -> str:
        """Return the drawing."""
        for item in self.drawn.diagram.items:
            match item:
                case Arrow():
                    self._arrow(item)
                case Note():
                    self._note(item)
                case Loop(arrows, times):
                    top = self.y
                    for each in arrows:
                        self._arrow(each)
                    self._loop(top, times)
        if self.drawn.diagram.left_out:
            self._words(f"{counted(self.drawn.diagram.left_out, 'more row')} not drawn")
        width = self._x(max(len(self.peers) - 1, 1)) + SIDE
        height = self.y + 12
        lines = "".join(self._peer(at, each, height) for at, each in enumerate(self.peers))
        return _svg(width, height, f"Connection {self.drawn.flow}", [lines, *self.out])

    def _x(self, peer: int) -> int:
        return TIMES + 80 + peer * BETWEEN

    def _peer(self, number: int, peer: Participant, height: int) -> str:
        x = self._x(number)
        name = _cut(peer.name or peer.role or "", 2 * SIDE - 30)
        return (
            f'<line class="life" x1="{x}" y1="{HEAD - 8}" x2="{x}" y2="{height - 8}"/>'
            f'<text class="peer" x="{x}" y="14">{name}</text>'
            f'<text class="peer small" x="{x}" y="28">{_cut(peer.address, 2 * SIDE - 30)}</text>'
        )

    def _arrow(self, arrow: Arrow) -> None:
        here, there = self._x(arrow.source), self._x(arrow.target)
        text_y, y = self.y + 12, self.y + 18
        time = self.drawn.times.get(arrow.first)
        if time is not None:
            seconds = f"{time / NS:.6f}"
            self.out.append(f'<text class="time" x="{TIMES}" y="{y}">{seconds}</text>')
        marks = [
            mark
            for number, found in self.marks.items()
            if arrow.first <= number <= arrow.last and arrow.first
            for mark in found
        ]
        kind = "guilty" if marks else arrow.kind
        label = f"{' '.join(marks)} {arrow.label}".strip()
        words = _cut(label, BETWEEN - 14)
        text = (
            f'<text class="{kind}" x="{(here + there) // 2}" y="{text_y}">{words}'
            f"<title>{escape(printable(label))}</title></text>"
        )
        if (target := self._target(arrow)) is not None:
            text = f'<a href="#frame-{target}">{text}</a>'
        tip = -7 if there > here else 7
        self.out.append(
            f'{text}<path class="{kind}" d="M{here} {y}H{there}"/>'
            f'<path class="{kind} tip" d="M{there + tip} {y - 4}L{there} {y}l{tip} 4"/>'
        )
        self.y += STEP

    def _target(self, arrow: Arrow) -> int | None:
        """Return the frame that an arrow links to: a shown one, the guilty one first."""
        known = [each for each in (*self.marks, *self.linked) if each in self.linked]
        return next((each for each in known if arrow.first <= each <= arrow.last), None)

    def _note(self, note: Note) -> None:
        self._words(note.text)

    def _words(self, text: str) -> None:
        self.out.append(
            f'<text class="note" x="{(self._x(0) + self._x(1)) // 2}" y="{self.y + 14}">'
            f"{_cut(text, BETWEEN)}</text>"
        )
        self.y += STEP - 8

    def _loop(self, top: int, times: int) -> None:
        x, width = self._x(0) - 12, self._x(max(len(self.peers) - 1, 1)) - self._x(0) + 24
        self.out.append(
            f'<rect class="loop" x="{x}" y="{top}" width="{width}" height="{self.y - top}"/>'
            f'<text class="times" x="{x + width - 4}" y="{top + 11}">{times:,} times</text>'
        )


# Plots


def rates(series: TimeSeries) -> str:
    """Return the frames per second of each sender as lines; empty without a time."""
    if series.count < 2:  # noqa: PLR2004 - a line has two points
        return ""
    senders = sorted({sender for each in series.bins.values() for sender in each.frames})
    per_second = NS / series.width
    values = {
        sender: [_count(series.bins.get(at), sender) * per_second for at in range(series.count)]
        for sender in senders
    }
    most = max(max(each) for each in values.values())
    plot = [_axis(series, [(most, digits(most)), (most / 2, digits(most / 2)), (0, "0")], most)]
    for sender, points in values.items():
        place = [(_across(at, series.count), _up(value / most)) for at, value in enumerate(points)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in place)
        plot.append(f'<path class="line {sender or "unknown"}" d="M{path}"/>')
    plot.append(_legend([(each or "unknown", each or "unknown sender") for each in senders]))
    return _svg(WIDTH, HEIGHT, "Frames per second", plot)


def response_times(series: TimeSeries) -> str:
    """Return median and greatest response time of each interval; empty without any."""
    found = [(at, each.times) for at, each in sorted(series.bins.items()) if each.times.count]
    if not found:
        return ""
    least = min(max(times.least or 1, 1) for _, times in found)
    most = max(times.greatest or 1 for _, times in found)
    low, high = int(log10(least)), max(int(log10(max(most, 1))) + 1, int(log10(least)) + 1)
    ticks = [(float(power), duration(10**power)) for power in range(low, high + 1)]
    span = high - low
    plot = [_axis(series, [((power - low) / span, text) for power, text in ticks], 1)]
    for at, times in found:
        x = _across(at, max(series.count, 2))
        middle, top = times.percentile(50) or 1, times.greatest or 1
        ends = [_up((log10(max(each, 1)) - low) / span) for each in (middle, top)]
        plot.append(
            f'<path class="spread" d="M{x:.1f} {ends[0]:.1f}V{ends[1]:.1f}"/>'
            f'<circle class="median" cx="{x:.1f}" cy="{ends[0]:.1f}" r="2"/>'
            f'<circle class="greatest" cx="{x:.1f}" cy="{ends[1]:.1f}" r="2"/>'
        )
    plot.append(_legend([("median", "median"), ("greatest", "greatest")]))
    return _svg(WIDTH, HEIGHT, "Response times", plot)


def _count(found: TimeBin | None, sender: str) -> int:
    return found.frames.get(sender, 0) if found else 0


def _across(at: int, count: int) -> float:
    return LEFT + at * (WIDTH - LEFT - RIGHT) / max(count - 1, 1)


def _up(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _axis(series: TimeSeries, ticks: Sequence[tuple[float, str]], most: float) -> str:
    """Return horizontal lines with their values, and the times below."""
    out = []
    for value, text in ticks:
        y = _up(value / most if most else 0)
        out.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="axis" x="{LEFT - 4}" y="{y + 4:.1f}">{escape(text)}</text>'
        )
    end = duration(series.width * series.count)
    out.append(f'<text class="from" x="{LEFT}" y="{HEIGHT - 6}">0 s</text>')
    out.append(f'<text class="axis" x="{WIDTH - RIGHT}" y="{HEIGHT - 6}">{end}</text>')
    return "".join(out)


def _legend(names: Iterable[tuple[str, str]]) -> str:
    return "".join(_legends(names))


def _legends(names: Iterable[tuple[str, str]]) -> Iterator[str]:
    x = LEFT + 90
    for kind, text in names:
        yield f'<circle class="{kind}" cx="{x}" cy="{HEIGHT - 10}" r="4"/>'
        yield f'<text class="from" x="{x + 8}" y="{HEIGHT - 6}">{escape(text)}</text>'
        x += 28 + int(len(text) * LETTER)


def _svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """Return a drawing, which is as wide as its page at most."""
    name = escape(title)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{name}" xmlns="http://www.w3.org/2000/svg"><title>{name}</title>'
        f"{''.join(parts)}</svg>"
    )


def _cut(text: str, width: int) -> str:
    """Return text that fits a width, escaped."""
    return escape(shortened(printable(text), int(width / LETTER)))
