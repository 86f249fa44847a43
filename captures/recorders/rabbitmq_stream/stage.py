"""Scenarios: what they are, and what one is given to play with."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from captures.recorders.rabbitmq_stream import clients
from captures.recorders.rabbitmq_stream.broker import Broker
from captures.recorders.rabbitmq_stream.wire import Client

Facts = Mapping[str, object] | None


@dataclass
class Stage:
    """One running broker, and the ways to talk to it."""

    broker: Broker
    scenario: str
    log: list[str] = field(default_factory=list)
    secrets: Path | None = None
    work: Path = Path()
    tables: dict = field(default_factory=dict)

    def client(self, **options: object) -> Client:
        """A raw connection."""
        return Client(name=self.scenario, **options)  # type: ignore[arg-type]

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
    """A play, and what is known about it before anything is recorded."""

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

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.play.__name__


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
            what,
            list(ports),
        )
        ALL[entry.name] = entry
        return play

    return keep
