"""Scenarios: what they are, and what is known of them before anything is recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

PORT = 7000
Facts = Mapping[str, object]


@dataclass(frozen=True)
class Scenario:
    """A play, and what is known about it before anything is recorded."""

    play: Callable[[], Facts]
    title: str
    peer: str
    healthy: bool
    shows: str

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.play.__name__


ALL: dict[str, Scenario] = {}


def scenario(
    title: str, *, peer: str, healthy: bool, shows: str
) -> Callable[[Callable[[], Facts]], object]:
    """Makes a scenario of a function, under the function's name."""

    def keep(play: Callable[[], Facts]) -> Callable[[], Facts]:
        ALL[play.__name__] = Scenario(play, title, peer, healthy, shows)
        return play

    return keep
