"""Scenarios: what they are, and what is known of them before anything is recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from captures.recorders.marks import Mark, Shown

NATS, API = 4222, 9292
PORTS = (NATS, API, API + 1, API + 2)
RAW = "raw"
GO, PYTHON, OLD_GO, BOTH, GUFO = "go", "py", "old_go", "py_and_go", "gufo"
EARLIER_GO = "earlier_go"
ONE, APART, THREE, OLD, BUS, ACCOUNTS = "one", "apart", "three", "old", "bus", "accounts"
"""Servers: one with NATS inside, one beside a NATS server, three, the one of 2019, NATS alone.

`ACCOUNTS` is one beside a NATS server that has two accounts.
"""
Facts = Mapping[str, object]
Play = Callable[[], Facts]


@dataclass(frozen=True)
class Blame:
    """A frame that a rule is to name: the `nth` Liftbridge frame of its sender on its connection.

    The connection is known by the client's port. With `last`, a rule with a threshold may name any
    from `nth` to it. `counted` is what a driver by hand knows of the frame: its type, and the bytes
    of its direction up to the end of the NATS message around it.
    """

    rule: str
    port: int
    sender: str
    nth: int
    last: int = 0
    counted: tuple[int, int] | None = None


@dataclass(frozen=True)
class Scenario:
    """A play, and what is known about it before anything is recorded.

    `peer` is the client and `server` who serves it. `faults` are rule ids to what the scenario is
    meant to show of them.
    """

    name: str
    play: Play
    title: str
    peer: str
    healthy: bool
    shows: str
    server: str = ONE
    faults: Mapping[str, str] = field(default_factory=dict)
    larger_because: str = ""
    large: int = 1 << 20
    """Bytes of a message that replication carries at most."""
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


def scenario(  # noqa: PLR0913
    title: str,
    *,
    peer: str,
    healthy: bool,
    shows: str,
    server: str = ONE,
    faults: Mapping[str, str] | None = None,
    larger_because: str = "",
    large: int = 1 << 20,
) -> Callable[[Play], Play]:
    """Makes a scenario of a function, under the function's name."""

    def keep(play: Play) -> Play:
        name = play.__name__
        assert name not in ALL, name
        ALL[name] = Scenario(
            name, play, title, peer, healthy, shows, server, faults or {}, larger_because, large
        )
        return play

    return keep
