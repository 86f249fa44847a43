"""Scenarios: what they are, and what is known of them before anything is recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from captures.recorders.marks import Mark, Shown

PORT = 7000
TLS = 7443
RAW = "raw"
Facts = Mapping[str, object]
Play = Callable[[], Facts]


@dataclass(frozen=True)
class Blame:
    """A frame that a rule is to name.

    `nth` is its place among the frames of its sender on its connection. With `last`, a rule with a
    threshold may name any from `nth` to it. `counted` is what a driver by hand knows of the frame:
    type, stream, and the bytes of its direction up to its end.
    """

    rule: str
    connection: int
    sender: str
    nth: int
    last: int = 0
    counted: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Scenario:
    """A play, and what is known about it before anything is recorded.

    `peer` is the client and `server` who serves it, the same library unless it is named. `faults`
    are rule ids to what the scenario is meant to show of them. Where TLS is on, the play leaves
    its secrets in the file `SECRETS` of the folder that it runs in.
    """

    name: str
    play: Play
    title: str
    peer: str
    healthy: bool
    shows: str
    server: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    port: int = PORT
    fault: str = ""
    """What a maintainer would say is wrong."""
    kind: str = ""
    """The class of the fault."""
    thread: str = ""
    """Where somebody had this fault: an issue, or a document."""
    marks: tuple[Mark | Shown, ...] = ()
    """Which frames are at fault."""

    @property
    def peers(self) -> set[str]:
        """Libraries that take part."""
        return {self.peer, self.server or self.peer} - {RAW}

    @property
    def source(self) -> str:
        """The file that has the play, as the repository sees it."""
        file = Path(self.play.__code__.co_filename)
        return str(file.relative_to(Path(__file__).parents[3]))


SECRETS = "secrets.txt"
ALL: dict[str, Scenario] = {}


def add(scenario: Scenario) -> None:
    """Makes a scenario known."""
    assert scenario.name not in ALL, scenario.name
    ALL[scenario.name] = scenario


def scenario(  # noqa: PLR0913
    title: str,
    *,
    peer: str,
    healthy: bool,
    shows: str,
    server: str = "",
    faults: Mapping[str, str] | None = None,
    port: int = PORT,
) -> Callable[[Play], Play]:
    """Makes a scenario of a function, under the function's name."""

    def keep(play: Play) -> Play:
        name = play.__name__
        add(Scenario(name, play, title, peer, healthy, shows, server, faults or {}, port))
        return play

    return keep
