"""Scenarios: what they are, and what one is given to play with."""

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

    def client(self, **options: object) -> Client:
        """A raw connection."""
        return Client(name=self.scenario, **options)  # type: ignore[arg-type]

    def drive(self, script: str, *arguments: str, wait: float = 120) -> dict[str, object]:
        """Runs a client library."""
        return clients.drive(script, *arguments, wait=wait)

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
