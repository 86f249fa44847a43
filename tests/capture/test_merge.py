"""Packets of captures in the order of time."""

from collections.abc import Iterable, Iterator
from random import Random

from tests.builders import Packet
from tests.reading import batch

from streamshark.capture import PacketBatch
from streamshark.capture.merge import (
    LEAST_HELD,
    MOST_LATE,
    MOST_PACKETS,
    SET_BACK_NS,
    LatestTimes,
    PartBounds,
    TimeOrder,
    steady,
)


def test_batches_end_where_the_clock_was_set_back() -> None:
    """Clocks that go back end a batch; small disorder is sorted."""
    second = 1_000_000_000
    times = [[5, 6, 4, 5 - 2 * second, 6], [7, 8], [8 - 2 * second, 9 - 4 * second], [second]]
    batches = []
    for each in times:
        packets = [Packet(100 * second + time_ns, b"x", 1) for time_ns in each]
        batches.append(batch(packets))

    found = [
        ([time_ns - 100 * second for time_ns in part.times], is_set_back)
        for part, is_set_back in steady(batches)
    ]

    assert found == [
        ([4], False),
        ([5, 6], False),
        ([5 - 2 * second, 6], True),
        ([7, 8], False),
        ([8 - 2 * second], True),
        ([9 - 4 * second], True),
        ([second], False),
    ]


def test_batches_of_many_packets_come_in_parts() -> None:
    """All packets come once; only the first part follows a clock that was set back."""
    count = 2 * MOST_PACKETS + 3
    batches = [batch([Packet(2 * SET_BACK_NS, b"x", 1)])]
    batches.append(batch([Packet(time_ns, b"x", 1) for time_ns in range(count)]))
    first, *parts = steady(batches)

    assert first[0].times == [2 * SET_BACK_NS]
    assert [time_ns for part, _ in parts for time_ns in part.times] == [*range(count)]
    assert [part.first for part, _ in parts] == [1, 1 + MOST_PACKETS, 1 + 2 * MOST_PACKETS]
    assert [is_set_back for _, is_set_back in parts] == [True, False, False]


def test_the_order_of_packets_does_not_depend_on_the_reads() -> None:
    """Packets that are late are sorted over any border; of live ones that come slowly none wait."""
    times = [*late_times(30), *late_times(10)]
    wanted = sorted(times[:300]) + sorted(times[300:])
    for most in (1, 3, 40, 600):
        assert in_order(steady(cut(times, most))) == wanted, most
    live = [10, 30, 20, 60, 50]
    for size, expected in ((LEAST_HELD, sorted(live)), (1, live)):
        assert in_order(steady(cut(live, 1, size), live=True)) == expected


def test_parts_have_each_packet_once_in_order() -> None:
    """Packets that are late belong to the part that has those of their time."""
    times = late_times(10)
    for last in (1, 22, 23, 24, 130, 300):
        latest = LatestTimes()
        latest.add(times[:last])
        until_ns = max(times[:last])
        ends = [at + 1 for at, time_ns in enumerate(times) if time_ns < until_ns or at < last]
        first = PartBounds((), last, until_ns, ends[-1])
        second = PartBounds(tuple(latest.values))
        found = in_order(steady(cut(times[: ends[-1]], 7), TimeOrder(first)))
        assert all(found)
        found += in_order(steady(cut(times, 7, first=last), TimeOrder(second)))
        assert found == sorted(times), last


def test_a_late_packet_stands_after_few_others() -> None:
    """One that is older than more of them counts as after a clock that was set back."""
    ordered = [*range(1, 1 + 2 * MOST_LATE)]
    for late, is_set_back in ((1 + MOST_LATE, False), (MOST_LATE - 1, True)):
        for most in (1, 100):
            found = [*steady(cut([*ordered, late, ordered[-1]], most))]
            assert any(each for _, each in found) == is_set_back
            wanted = [*ordered, late] if is_set_back else sorted([*ordered, late])
            assert in_order(found) == [*wanted, ordered[-1]]


def late_times(start: int) -> list[int]:
    """Return times of 300 packets, after so many seconds, some of which are a second late."""
    made = Random(7)  # noqa: S311 - the same each time
    steps = (at * SET_BACK_NS // 20 for at in range(300))
    late = (each - made.choice((0, 0, 0, SET_BACK_NS - 1)) for each in steps)
    return [start * SET_BACK_NS + each for each in late]


def cut(times: list[int], most: int, size: int = 1, first: int = 0) -> Iterator[PacketBatch]:
    """Yield packets after `first` in batches of so many, with `size` bytes each."""
    for at in range(first, len(times), most):
        made = batch([Packet(each, bytes(size), 1) for each in times[at : at + most]])
        made.first = at + 1
        yield made


def in_order(parts: Iterable[tuple[PacketBatch, bool]]) -> list[int]:
    """Return the times of packets."""
    return [time_ns for part, _ in parts for time_ns in part.times]
