"""Connections that have ended: when they are retired, and what is kept of them."""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from streamshark.dissection.connection import Connection
from streamshark.flows.segment import ATTEMPTS, TORN, Flow, FlowEvent

MOST_OVER = 1024
"""Most ended connections that are still followed, since the last packets of each come late."""
MOST_FOREIGN = 10_000
"""Most unrecognised connections that are listed individually once they are retired."""
MOST_ENDPOINTS = 1000
"""Most endpoints whose failed attempts are counted separately."""
OTHER_ENDPOINTS = "other endpoints"


class Unrecognised(NamedTuple):
    """A TCP connection that no protocol recognised."""

    flow: int
    addresses: tuple[str, str]
    payload: int
    """Bytes of payload, both sides."""
    carrier: str | None = None
    """The carrier and its handshake, if only the carried protocol is not known; else None."""
    server: str = ""
    """Endpoint of the server; that of side 1 if nothing proves which side it is."""
    packet: int = 0
    """Number of its first packet, in file `file`."""
    file: int = 0
    is_tls: bool = False
    """Whether it begins like TLS."""
    is_known: bool = False
    """Whether its carrier, its server's port or other connections to it suggest a protocol."""

    @property
    def kind(self) -> str | None:
        """What is known of its bytes: TLS, or the carrier; None if nothing is."""
        return "TLS" if self.is_tls else self.carrier


class RetiredConnection(NamedTuple):
    """A TCP connection when it is retired: no more of it is read."""

    flow: Flow
    connection: Connection | None
    """None if it was not recognised."""
    at_ns: int
    """Time in ns of the last packet, of all connections, before it was retired."""
    had_event: bool
    """Whether an event (a reset, or FIN of both sides) was its end."""


@dataclass(slots=True)
class Totals:
    """Byte counts of the recognised connections: framed + skipped is their payload."""

    framed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Bytes by reason."""
    lost: int = 0
    """Bytes that were not captured."""

    @classmethod
    def of(cls, connections: Iterable[Connection]) -> "Totals":
        """Return the sums over connections."""
        made = cls()
        for connection in connections:
            made.lost += connection.lost
            for splitter in connection.splitters:
                if splitter is not None:
                    made.framed += splitter.framed
                    made.skipped.update(splitter.skipped)
        return made

    def add(self, other: "Totals") -> None:
        """Add the sums over other connections."""
        self.framed += other.framed
        self.skipped.update(other.skipped)
        self.lost += other.lost


@dataclass(slots=True)
class Retirement:
    """Connections that have ended: those that wait to be retired, and sums over the others."""

    closed: set[int] = field(default_factory=set)
    """Flows of which one side has sent FIN."""
    over: dict[int, bool] = field(default_factory=dict)
    """Flows that have ended, the oldest first, to whether an event was their end."""
    totals: Totals = field(default_factory=Totals)
    """Byte counts of the retired connections."""
    foreign: list[Unrecognised] = field(default_factory=list)
    """The first retired connections that were not recognised."""
    more_foreign: int = 0
    """Number of further ones."""
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Event (`refused`, `unanswered`) and endpoint to the number of failed attempts to connect."""

    def see(self, event: FlowEvent, flow: Flow) -> None:
        """Note that a connection has ended: it was reset, or both sides have sent FIN."""
        if event.name in ATTEMPTS:
            key = event.name, flow.addresses[1 - (flow.client or 0)]
            is_known = key in self.failed or len(self.failed) < MOST_ENDPOINTS
            self.failed[key if is_known else (event.name, OTHER_ENDPOINTS)] += 1
        if event.name in TORN or (event.name == "close" and event.flow in self.closed):
            self.closed.discard(event.flow)
            self.over[event.flow] = True
        elif event.name == "close":
            self.closed.add(event.flow)

    @property
    def is_due(self) -> bool:
        """Whether more ended connections are followed than allowed."""
        return len(self.over) > MOST_OVER

    def take_due(self, silent: Iterable[int]) -> list[tuple[int, bool]]:
        """Remove and return the flows to retire, each with whether an event was its end.

        Args:
            silent: Flows that have ended without an event.
        """
        for number in silent:
            self.over.setdefault(number, False)
        due = list(itertools.islice(self.over.items(), max(0, len(self.over) - MOST_OVER)))
        for number, _ in due:
            del self.over[number]
        return due

    def add_foreign(self, one: Unrecognised) -> None:
        """Keep an unrecognised connection; only count it if there are too many."""
        if len(self.foreign) < MOST_FOREIGN:
            self.foreign.append(one)
        else:
            self.more_foreign += 1

    def forget(self, number: int) -> None:
        """Drop a flow that is retired."""
        self.closed.discard(number)
        self.over.pop(number, None)
