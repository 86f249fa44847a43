"""Timers on capture time, and `Arrival`: the packet or time with which a connection proceeds.

Capture time is the only clock: a timer fires at the first packet, of any connection, at or after
its time, so that the same packets always give the same records.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

from streamshark.flows.segment import FlowEvent, Gap, Segment

NEVER = 1 << 100
"""A time that no capture reaches."""


class Arrival(NamedTuple):
    """The values of one packet that matter for the order of its bytes."""

    packet: int
    time_ns: int
    file: int
    seq: int = 0
    ack: int = 0
    flags: int = 0
    window: int = 0
    data: bytes = b""
    """The captured payload."""
    length: int = 0
    """The payload's length on the wire."""
    is_captured: bool = True
    """False for a datagram reassembled from fragments: no packet has all of it."""


Records = list[Segment | Gap | FlowEvent]


class TimerTarget(Protocol):
    """An object with timers."""

    def wake(self, now: Arrival, out: Records) -> None:
        """Decide what has waited long enough, at the time of a packet."""


class Timers:
    """Timers of all connections, and the cost of what all of them buffer.

    If only some packets of the captures are read, `clock` returns the first of all packets at or
    after a time in ns, which comes no later than the packet that is read next.
    """

    __slots__ = ("_clock", "_heap", "_serial", "deadline", "held")

    def __init__(self, clock: Callable[[int, Arrival], Arrival] | None = None) -> None:
        self._clock = clock
        self.deadline = NEVER
        """Capture time in ns of the earliest timer."""
        self.held = 0
        """Cost of the pieces that all connections buffer."""
        self._heap: list[tuple[int, int, TimerTarget]] = []
        self._serial = 0

    def hold(self, cost: int) -> None:
        """Add to the cost of what is buffered; a negative cost is no longer buffered."""
        self.held += cost

    def set(self, time_ns: int, sleeper: TimerTarget) -> None:
        """Call `wake` of a target at the first packet at or after a capture time in ns."""
        self._serial += 1
        heappush(self._heap, (time_ns, self._serial, sleeper))
        self.deadline = self._heap[0][0]

    def ring(self, now: Arrival, out: Records) -> None:
        """Fire the timers that are due."""
        while self._heap and self._heap[0][0] <= now.time_ns:
            at = now if self._clock is None else self._clock(self._heap[0][0], now)
            while self._heap and self._heap[0][0] <= at.time_ns:
                heappop(self._heap)[2].wake(at, out)
        self.deadline = self._heap[0][0] if self._heap else NEVER
