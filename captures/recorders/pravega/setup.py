"""Scenarios: what they are, and what is known of them before anything is recorded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from captures.recorders.marks import Mark, Shown

STORE, ADMIN, CONTROLLER = 6000, 9999, 9090
PORTS = (STORE, ADMIN, CONTROLLER)
RAW = "raw"
NEW, OLD, OLDEST, PYTHON = "0_13", "0_5", "0_4", "py"
Facts = Mapping[str, object]
Play = Callable[[], Facts]


@dataclass(frozen=True)
class Blame:
    """A frame that a rule is to name.

    `nth` is its place among the frames of its sender on its connection. With `last`, a rule with a
    threshold may name any from `nth` to it. `counted` is what a driver by hand knows of the frame:
    its type code, and the bytes of its direction up to its end. The connection is known by the
    client's port, since servers talk to each other too.
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

    `peer` is the client and `server` the release that serves it. `faults` are rule ids to what the
    scenario is meant to show of them. With `auth` the server wants credentials and tokens.
    `fault` is the sentence of a maintainer about a fault that no rule names yet, `category` its
    class, `thread` where it comes from; `marks` find the frames that show it. `driver` is the file
    that has the play of a library, when it has no other.
    """

    name: str
    play: Play
    title: str
    peer: str
    healthy: bool
    shows: str
    server: str = NEW
    auth: bool = False
    faults: Mapping[str, str] = field(default_factory=dict)
    larger_because: str = ""
    fault: str = ""
    category: str = ""
    thread: str = ""
    marks: tuple[Mark | Shown, ...] = ()
    driver: str = ""

    @property
    def peers(self) -> set[str]:
        """Releases and libraries that take part."""
        return {self.peer, self.server} - {RAW}

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
    server: str = NEW,
    auth: bool = False,
    faults: Mapping[str, str] | None = None,
    larger_because: str = "",
    fault: str = "",
    category: str = "",
    thread: str = "",
    marks: tuple[Mark | Shown, ...] = (),
    driver: str = "",
) -> Callable[[Play], Play]:
    """Makes a scenario of a function, under the function's name."""

    def keep(play: Play) -> Play:
        name = play.__name__
        assert name not in ALL, name
        ALL[name] = Scenario(
            *(name, play, title, peer, healthy, shows, server, auth, faults or {}),
            *(larger_because, fault, category, thread, marks, driver),
        )
        return play

    return keep
