"""Scenarios: what they are, and what one is given to play with."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from captures.recorders.rabbitmq_stream import clients
from captures.recorders.rabbitmq_stream.broker import Broker
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.wire import Client

Facts = Mapping[str, object] | None
Choice = Callable[[list[Seen]], list[Seen]]
"""Chooses frames of a capture."""


@dataclass(frozen=True)
class Blame:
    """A frame that a rule is to name, as the driver that sent or got it counts.

    `nth` is its place among the frames of its sender on its connection, `end` the bytes of that
    direction up to its end. With `last`, a rule with a threshold may name any from `nth` to it.
    """

    rule: str
    connection: int
    sender: str
    nth: int
    key: int
    end: int
    last: int


@dataclass
class Stage:
    """One running broker, and the ways to talk to it."""

    broker: Broker
    scenario: str
    log: list[str] = field(default_factory=list)
    secrets: Path | None = None
    work: Path = Path()
    tables: dict = field(default_factory=dict)
    connections: list[Client] = field(default_factory=list)
    blames: list[Blame] = field(default_factory=list)

    def client(self, **options: object) -> Client:
        """A raw connection."""
        made = Client(**({"name": self.scenario} | options))  # type: ignore[arg-type]
        self.connections.append(made)
        return made

    def blame(
        self,
        rules: str,
        client: Client,
        sender: str = "client",
        *,
        key: int = 0,
        nth: int = 0,
        last: int = 0,
    ) -> None:
        """Says which frame the rules (one or several words) are to name.

        Without more it is the last one that passed; with `key` the last one of that key; with
        `nth` that one.
        """
        passed = client.sent if sender == "client" else client.received
        places = [n for n, frame in enumerate(passed, 1) if key in (0, frame.key)]
        place = nth or places[-1]
        frame = passed[place - 1]
        connection = next(n for n, one in enumerate(self.connections) if one is client)
        for rule in rules.split():
            blame = Blame(f"RMQ-{rule}", connection, sender, place, frame.key, frame.end, last)
            self.blames.append(blame)

    def accuse(self, client: Client, *, nth: int = 0, last: int = 0) -> None:
        """Says which of the client's frames show a fault that no rule names yet."""
        self.blame("unnamed", client, nth=nth, last=last)
        self.blames[-1] = replace(self.blames[-1], rule="")

    def drive(
        self, script: str, *arguments: str, wait: float = 120, on: clients.Events | None = None
    ) -> dict:
        """Runs a client library; what its driver asks for is done by `on`."""
        counted: dict = {}
        asked = {"count": lambda _pid: counted.update(self.messages())} | dict(on or {})
        return clients.drive(script, *arguments, wait=wait, on=asked) | counted

    def messages(self) -> dict:
        """How many messages the broker says the scenario's streams hold; its counts may lag."""
        if not self.tables:
            time.sleep(6)
            rows = self.broker.ctl("list_queues --no-table-headers name messages").splitlines()
            found = dict(row.rsplit("\t", 1) for row in rows if "\t" in row)
            mine = {name: int(n) for name, n in found.items() if name.startswith(self.scenario)}
            self.tables = {"broker_messages": mine} if mine else {}
        return self.tables

    def ctl(self, command: str, tool: str = "rabbitmqctl", node: int = 0) -> str:
        """Runs one of the broker's tools, and remembers that."""
        where = f" -n {self.broker.name(node)}" if self.broker.nodes > 1 else ""
        self.log.append(f"{tool}{where} {command}")
        return self.broker.ctl(command, tool, node)


@dataclass(frozen=True)
class Scenario:
    """A play, and what is known about it before anything is recorded.

    `fault` is the sentence of a maintainer about a fault that no rule names yet, `category` its
    class, `thread` where it comes from; `guilty` chooses the frames that show it. `driver` is the
    file that has the play of a library, when it has no other.
    """

    play: Callable[[Stage], Facts]
    title: str
    healthy: bool
    shows: str
    client: str
    release: str
    faults: Mapping[str, str]
    variant: str
    setup: Callable[[Stage], object] | None
    what: str
    ports: list[int]
    relay: str
    interface: str
    fault: str
    category: str
    thread: str
    guilty: Choice | None
    driver: str

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.play.__name__


RELAY = 5553
"""Where a relay listens; what passes there is recorded."""

ALL: dict[str, Scenario] = {}


def scenario(  # noqa: PLR0913
    title: str,
    *,
    healthy: bool,
    shows: str,
    client: str = "raw",
    release: str = "3.10",
    faults: Mapping[str, str] | None = None,
    variant: str = "",
    setup: Callable[[Stage], object] | None = None,
    what: str = "tcp port 5552",
    ports: tuple[int, ...] = (5552,),
    relay: str = "",
    interface: str = "lo",
    fault: str = "",
    category: str = "",
    thread: str = "",
    guilty: Choice | None = None,
    driver: str = "",
) -> Callable[[Callable[[Stage], Facts]], Callable[[Stage], Facts]]:
    """Makes a scenario of a function, under the function's name."""

    def keep(play: Callable[[Stage], Facts]) -> Callable[[Stage], Facts]:
        entry = Scenario(
            play,
            title,
            healthy,
            shows,
            client,
            release,
            faults or {},
            variant,
            setup,
            f"tcp port {RELAY}" if relay else what,
            [RELAY] if relay else list(ports),
            relay,
            interface,
            fault,
            category,
            thread,
            guilty,
            driver,
        )
        ALL[entry.name] = entry
        return play

    return keep
