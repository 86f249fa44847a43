"""Capture time wakes whoever asked for it, in order."""

from streamshark.flows.timers import Arrival, Records, Timers


class Sleeper:
    """Notes when it is woken."""

    def __init__(self) -> None:
        self.woken: list[int] = []

    def wake(self, now: Arrival, out: Records) -> None:
        """Note the packet."""
        assert out == []
        self.woken.append(now.packet)


def test_sleepers_are_woken_by_the_first_packet_at_their_time() -> None:
    """Each once, none too early, and the deadline is the next one's."""
    alarms, early, late = Timers(), Sleeper(), Sleeper()
    never = alarms.deadline
    alarms.set(200, late)
    alarms.set(100, early)
    alarms.set(100, early)

    assert alarms.deadline == 100
    for packet, time_ns in ((1, 99), (2, 150), (3, 200), (4, 300)):
        alarms.ring(Arrival(packet, time_ns, 0), [])

    assert (early.woken, late.woken) == ([2, 2], [3])
    assert alarms.deadline == never
