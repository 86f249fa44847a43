"""Drawings of a report say what they are made of."""

import re
from types import SimpleNamespace
from typing import Any

from streamshark.findings.finding import Finding
from streamshark.sharing.report import Ladder
from streamshark.sharing.report_drawings import HEIGHT, WIDTH, ladder, rates, response_times
from streamshark.sharing.time_series import TimeSeries
from streamshark.views.sequence_diagram import Arrow, Diagram, Loop, Note, Participant


def row(time_ns: int, sender: str, response_ns: int | None = None) -> Any:  # noqa: ANN401
    """A frame as far as it is counted."""
    annotation = None if response_ns is None else SimpleNamespace(response_time_ns=response_ns)
    return SimpleNamespace(time_ns=time_ns, sender=sender, annotation=annotation)


def test_plots() -> None:
    """A line for each sender, a pair of points for each interval, all inside the drawing."""
    series = TimeSeries()
    for number in range(50):
        series.take(row(number * 1_000_000, "client"))
        series.take(row(number * 1_000_000 + 5, "server", 10 ** (number % 7 + 3)))
    lines = rates(series)
    assert lines.count('class="line client"') == lines.count('class="line server"') == 1
    assert "1,000" in lines
    points = response_times(series)
    assert points.count("<circle") == 2 * 50 + 2
    assert "1 us" in points
    assert "1 s" in points
    for drawing in (lines, points):
        for x, y in re.findall(r'c?x="([\d.]+)" c?y="([\d.]+)"', drawing):
            assert 0 <= float(x) <= WIDTH
            assert 0 <= float(y) <= HEIGHT
    for x, y in re.findall(r"([\d.]+) ([\d.]+)[L\"]", lines):
        assert 0 <= float(x) <= WIDTH
        assert 0 <= float(y) <= HEIGHT


def test_nothing_to_plot() -> None:
    """There is no plot of one moment, or without responses."""
    series = TimeSeries()
    assert rates(series) == response_times(series) == ""
    series.take(row(5, "client"))
    assert rates(series) == response_times(series) == ""


def test_ladder() -> None:
    """Arrows have direction, time and link; the guilty one its rule; loops their count."""
    diagram = Diagram(participants=[Participant("a:1", "client", "<b>"), Participant("b:2", "")])
    ask = Arrow(0, 1, "ask", "x", "request", 3, 3, 0)
    answer = Arrow(1, 0, "answer", "&", "response", 4, 9, 0)
    diagram.items += [ask, Note((0, 1), "7 frames not drawn"), Loop([answer], 5)]
    found = Finding(
        rule="AB-1", severity="error", group="response", protocol="p", file=0, flow=0,
        frames=(5,), packets=(1,), conversation=None, message="m", cause="", source="",
    )  # fmt: skip
    drawing = ladder(Ladder(0, diagram, {3: 1_500_000_000}, [found]), [3, 5])
    assert "&lt;b&gt;" in drawing
    assert "<b>" not in drawing
    assert 'href="#frame-3"' in drawing
    assert 'href="#frame-5"' in drawing
    assert "1.500000" in drawing
    assert "5 times" in drawing
    assert "7 frames not drawn" in drawing
    assert "[E] AB-1 4 answer &amp;" in drawing
    (right,) = re.findall(r'class="request" d="M(\d+) \d+H(\d+)"', drawing)
    (left,) = re.findall(r'class="guilty" d="M(\d+) \d+H(\d+)"', drawing)
    assert int(right[0]) < int(right[1])
    assert left == right[::-1]
