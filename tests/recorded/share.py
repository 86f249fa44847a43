"""Which recorded captures a loop goes through in `make test`; `make test-sweep` has the others.

The captures that are left out have the mark `sweep`, so that the two runs together go through all.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.draw import is_drawn
from tests.recorded.index import Line, cover, lines, of

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

MANY_FRAMES = 500
"""Captures with more mostly repeat themselves, or hold what the parts of a server say."""
OF_MANY_FRAMES = ("finding ", "conversation ", "event ")
"""How the features begin that no single frame has."""


@cache
def showing_all() -> frozenset[str]:
    """Captures that show together all that any capture shows, and a tenth of the others, drawn."""
    return covering(of)


@cache
def showing_all_frames() -> frozenset[str]:
    """Captures that show together all kinds of frames and their problems, and a tenth, drawn."""
    return covering(lambda protocol: map(of_frames, of(protocol)))


def covering(told: Callable[[str], Iterable[Line]]) -> frozenset[str]:
    """Return covers of what is told of the captures of each protocol, and others, drawn."""
    protocols = {line.protocol for line in lines().values()}
    chosen = {line.capture for protocol in protocols for line in cover(told(protocol))}
    return frozenset(chosen | set(filter(is_drawn, lines())))


def of_frames(line: Line) -> Line:
    """Return a capture with what its frames show, without findings, conversations and events."""
    shows = (each for each in line.shows if not each.startswith(OF_MANY_FRAMES))
    return line._replace(shows=tuple(shows))


@cache
def of_usual_size() -> frozenset[str]:
    """Captures that do not have many frames, and a tenth of the others, drawn."""
    small = {line.capture for line in lines().values() if line.frames < MANY_FRAMES}
    return frozenset(small | set(filter(is_drawn, lines())))


def parameters(captures: Iterable[Line], chosen: frozenset[str]) -> "list[ParameterSet]":
    """Return captures as parameters, with the mark `sweep` on those that are not chosen."""
    return [
        pytest.param(
            line, id=line.capture, marks=() if line.capture in chosen else pytest.mark.sweep
        )
        for line in captures
    ]
