"""What moves a connection: a packet's arrival, or the clock.

Capture time is the only clock: a waiting connection is woken by the first packet, of whatever
connection, that comes after its time, so that the same packets always give the same records.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple, Protocol

from streamshark.flows.segment import FlowEvent, Gap, Segment

NEVER = 1 << 100
"""A time that no capture reaches."""


class Arrival(NamedTuple):
    """One packet of a connection, as far as its bytes' order is concerned."""

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


Records = list[Segment | Gap | FlowEvent]


class TimerTarget(Protocol):
    """What can be woken."""

    def wake(self, now: Arrival, out: Records) -> None:
        """Decide what has waited long enough, as of a packet."""


class Timers:
    """Which connections want to be woken, and when; and what all of them hold."""

    __slots__ = ("_heap", "_serial", "deadline", "held")

    def __init__(self) -> None:
        self.deadline = NEVER
        """Capture time in ns of the earliest alarm."""
        self.held = 0
        """Cost of the pieces that all connections hold."""
        self._heap: list[tuple[int, int, TimerTarget]] = []
        self._serial = 0

    def __iter__(self) -> Iterator[tuple[int, TimerTarget]]:
        """Who is to be woken, and when, in no order."""
        return ((time_ns, sleeper) for time_ns, _, sleeper in self._heap)

    def drop(self, sleeper: TimerTarget) -> None:
        """Do not wake somebody any more."""
        self._heap = [each for each in self._heap if each[2] is not sleeper]
        heapify(self._heap)
        self.deadline = self._heap[0][0] if self._heap else NEVER

    def set(self, time_ns: int, sleeper: TimerTarget) -> None:
        """Have a connection woken by the first packet at or after a capture time."""
        self._serial += 1
        heappush(self._heap, (time_ns, self._serial, sleeper))
        self.deadline = self._heap[0][0]

    def ring(self, now: Arrival, out: Records) -> None:
        """Wake the connections whose time has come."""
        while self._heap and self._heap[0][0] <= now.time_ns:
            heappop(self._heap)[2].wake(now, out)
        self.deadline = self._heap[0][0] if self._heap else NEVER
