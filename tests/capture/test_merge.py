"""Packets of captures in the order of time."""

from tests.builders import Packet
from tests.reading import batch

from streamshark.capture.merge import DISORDER_NS, LEAST_HELD, MOST_PACKETS, SET_BACK_NS, steady


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


def test_disorder_goes_over_the_border_of_two_reads() -> None:
    """Once it was met; of what comes slowly nothing waits."""
    late = DISORDER_NS // 2
    times = [[10, 30, 20], [40, 60], [50, 70, 70 + 3 * late], [60 + 3 * late]]
    for size, expected in (
        (LEAST_HELD, [10, 20, 30, 40, 50, 60, 70, 60 + 3 * late, 70 + 3 * late]),
        (1, [10, 20, 30, 40, 60, 50, 70, 70 + 3 * late, 60 + 3 * late]),
    ):
        batches = [batch([Packet(time_ns, bytes(size), 1) for time_ns in each]) for each in times]
        parts = [part for part, _ in steady(batches)]
        assert [time_ns for part in parts for time_ns in part.times] == expected
