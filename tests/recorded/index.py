"""What is known of every recorded capture without reading it: one line each, generated.

`python -m tests.cli.goldens` writes the lines, `tests/golden/<protocol>.jsonl`; the test of each
capture holds its line. Who only needs to know which captures there are, or which of them show what,
asks here and reads none.
"""

import heapq
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden"
FRAME = "frame"
"""Begins a feature that is a frame: `frame KEY VERSION SENDER NAME`."""
PER_CAPTURE = 20
"""Frames that a capture costs besides its own, where a cover is chosen."""


class Line(NamedTuple):
    """One recorded capture."""

    capture: str
    """`protocol/scenario`."""
    file: str
    """The name of its file."""
    healthy: bool
    frames: int
    """Rows that are frames, of any protocol."""
    digest: str
    """Of what `read -T ndjson` shows; see `tests.cli.goldens`."""
    shows: tuple[str, ...]
    """The features that show in it; see `tests.recorded.reading.features`."""

    @property
    def protocol(self) -> str:
        """The protocol's id."""
        return self.capture.partition("/")[0]

    @property
    def path(self) -> Path:
        """Where its file is."""
        return ROOT / "captures" / self.capture / self.file


def text_of_lines(captures: Iterable[Line]) -> str:
    """Return how lines are kept: features first, then a line each with the numbers of its own."""
    captures = list(captures)
    every = sorted({each for line in captures for each in line.shows})
    number = {each: at for at, each in enumerate(every)}
    head = {"generated": "python -m tests.cli.goldens", "features": every}
    told = ({**line._asdict(), "shows": [number[each] for each in line.shows]} for line in captures)
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in (head, *told))


@cache
def lines() -> dict[str, Line]:
    """Every capture by `protocol/scenario`, sorted."""
    found = {}
    for path in sorted(FOLDER.glob("*.jsonl")):
        head, *told = map(json.loads, path.read_text("utf-8").splitlines())
        for each in told:
            shows = tuple(head["features"][number] for number in each["shows"])
            found[each["capture"]] = Line(**{**each, "shows": shows})
    return found


def of(protocol: str) -> list[Line]:
    """The captures of a protocol."""
    return [each for each in lines().values() if each.protocol == protocol]


def frames_of(line: Line) -> int:
    """Return what a capture costs where each frame does."""
    return line.frames + PER_CAPTURE


def cover(captures: Iterable[Line], cost_of: Callable[[Line], int] = frames_of) -> list[Line]:
    """Few of these captures, that show together all that they all show.

    The next one is always that which shows the most new features for its cost.
    """
    captures = list(captures)
    cost = [cost_of(each) for each in captures]
    seen: set[str] = set()
    queue = [(-len(each.shows) / cost[at], at) for at, each in enumerate(captures)]
    heapq.heapify(queue)
    chosen = []
    while queue:
        _, at = heapq.heappop(queue)
        now = -len(set(captures[at].shows) - seen) / cost[at]
        if queue and now > queue[0][0]:
            if now:
                heapq.heappush(queue, (now, at))
        elif now:
            chosen.append(at)
            seen |= set(captures[at].shows)
    return [captures[at] for at in sorted(chosen)]


def needed(captures: Iterable[Line]) -> list[Line]:
    """Leave out captures, the largest first, of which others show all that they show."""
    left = list(captures)
    for line in sorted(left, key=lambda each: -each.frames):
        others = {feature for each in left if each is not line for feature in each.shows}
        if others.issuperset(line.shows):
            left.remove(line)
    return left
