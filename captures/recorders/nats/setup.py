"""Scenarios: what they are, and what is known of them before anything is recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from captures.recorders.marks import Mark, Shown

CLIENTS, WEB = 4222, 8080
ROUTES, GATEWAYS, LEAVES = 6222, 7222, 7422
RAW = "raw"
SECRETS = "secrets.txt"
NEW, NEWEST, OLD = "2.12.2", "2.15.0", "2.9.10"
"""Versions of nats-server: as Go modules, and Debian's."""
Facts = Mapping[str, object]
Play = Callable[[], Facts]


@dataclass(frozen=True)
class Blame:
    """A frame that a rule is to name: its place among the frames of its sender."""

    rule: str
    connection: int
    sender: str
    nth: int
    last: int = 0


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A play, and what is known about it before anything is recorded.

    `peer` is the client. `ports` are those on which servers listen. With `secure` the play leaves
    its secrets of TLS in the file `SECRETS`.
    """

    name: str
    play: Play
    title: str
    peer: str
    healthy: bool
    shows: str
    server: str = NEW
    faults: Mapping[str, str] = field(default_factory=dict)
    ports: tuple[int, ...] = (CLIENTS,)
    secure: bool = False
    fault: str = ""
    """What a maintainer would say is wrong."""
    kind: str = ""
    """The class of the fault."""
    thread: str = ""
    """Where somebody had this fault: an issue, or a document."""
    marks: tuple[Mark | Shown, ...] = ()
    """Which frames are at fault."""

    @property
    def source(self) -> str:
        """The file that has the play, as the repository sees it."""
        file = Path(self.play.__code__.co_filename)
        return str(file.relative_to(Path(__file__).parents[3]))


ALL: dict[str, Scenario] = {}


def add(scenario: Scenario) -> None:
    """Makes a scenario known."""
    assert scenario.name not in ALL, scenario.name
    ALL[scenario.name] = scenario
