"""Which recorded captures a loop goes through in `make test`; `make test-sweep` has the others.

The captures that are left out have the mark `sweep`, so that the two runs together go through all.
`make test` does not collect them: they are more than half of all tests.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.draw import is_drawn
from tests.recorded.index import Line, cover, lines, needed, of

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

MANY_FRAMES = 500
"""Captures with more mostly repeat themselves, or hold what the parts of a server say."""
LONG, ONE_OF_LONG = 300, 3
"""Frames of captures of which `make test` reads those that show a kind of frame of their own, and
one in so many of those that show another thing of their own, drawn: they are a quarter of the
captures, and have six of seven frames."""
ONE_OF_FAULTS = 3
"""One capture of a fault of this many is drawn, of those that show nothing of their own."""
COLLECTED = {"sweep": True}
"""Whether tests with the mark are collected; the settings of the run say so."""
OF_MANY_FRAMES = ("finding ", "conversation ", "event ")
"""How the features begin that no single frame has."""


@cache
def showing_all_rows() -> frozenset[str]:
    """Captures that show together all rows that any capture shows, and a tenth of the others."""
    return few(map(of_rows, lines().values()))


@cache
def showing_all_frames() -> frozenset[str]:
    """Captures that show together all kinds of frames and their problems, and a tenth, drawn."""
    return few(map(of_frames, lines().values()))


@cache
def read_by_default() -> frozenset[str]:
    """Captures that are not long, the long ones with frames of their own, and some of the others.

    Of long ones that show another thing of their own, a rule for one, some are drawn: what rules
    find is also shown by frames that the tests of each protocol make. So are some of the faults
    that show nothing of their own; in healthy captures each shows whether a rule accuses wrongly.
    """
    every = lines().values()
    own = showing_all(every)
    short = [each for each in every if each.frames < LONG]
    chosen = {each.capture for each in short if each.healthy or each.capture in own}
    chosen |= {each.capture for each in short if is_drawn(each.capture, ONE_OF_FAULTS)}
    chosen |= showing_all(map(of_frames, every))
    return frozenset(chosen).union(each for each in own if is_drawn(each, ONE_OF_LONG))


def with_all_frames_of(protocol: str) -> list[Line]:
    """Return the captures of a protocol among those that show all kinds of frames."""
    return [line for line in of(protocol) if line.capture in showing_all_frames()]


def few_of_usual_size(captures: Iterable[Line]) -> frozenset[str]:
    """Return few of these without many frames, and a tenth of all of them, drawn."""
    captures = list(captures)
    return few(line for line in captures if line.frames < MANY_FRAMES) | drawn(captures)


def few(captures: Iterable[Line]) -> frozenset[str]:
    """Return some that show together all that these show, and a tenth of the others, drawn."""
    captures = list(captures)
    return drawn(captures) | showing_all(captures)


def showing_all(captures: Iterable[Line]) -> frozenset[str]:
    """Return some that show together all that these show."""
    by_protocol: dict[str, list[Line]] = {}
    for line in captures:
        by_protocol.setdefault(line.protocol, []).append(line)
    return frozenset(
        line.capture for every in by_protocol.values() for line in needed(cover(every))
    )


def drawn(captures: Iterable[Line]) -> frozenset[str]:
    """Return a tenth of these captures, but none that are long."""
    return frozenset(
        line.capture for line in captures if line.frames < LONG and is_drawn(line.capture)
    )


def without_findings(line: Line) -> Line:
    """Return a capture with what it shows besides findings."""
    return line._replace(shows=tuple(e for e in line.shows if not e.startswith("finding ")))


def of_findings(line: Line) -> Line:
    """Return a capture with what rules find in it."""
    return line._replace(shows=tuple(e for e in line.shows if e.startswith("finding ")))


def of_rows(line: Line) -> Line:
    """Return a capture with what its rows show: rules and ends of conversations change none."""
    shows = (each for each in line.shows if not each.startswith(("finding ", "conversation ")))
    return line._replace(shows=tuple(shows))


def of_frames(line: Line) -> Line:
    """Return a capture with what its frames show, without findings, conversations and events."""
    shows = (each for each in line.shows if not each.startswith(OF_MANY_FRAMES))
    return line._replace(shows=tuple(shows))


def parameters(captures: Iterable[Line], chosen: frozenset[str]) -> "list[ParameterSet]":
    """Return captures as parameters, with the mark `sweep` on those that are not chosen."""
    return [
        pytest.param(
            line, id=line.capture, marks=() if line.capture in chosen else pytest.mark.sweep
        )
        for line in captures
        if line.capture in chosen or COLLECTED["sweep"]
    ]
