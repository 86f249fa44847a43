"""The first packet at or after a time, of all packets."""

import random
from pathlib import Path

from streamshark.capture.packet import PacketBatch
from streamshark.splits.packet_buckets import PacketPlace
from streamshark.splits.packet_times import PacketClock, PacketTimes, TimedPart


def test_packets_by_time(tmp_path: Path) -> None:
    """As a search through all of them finds it, whatever the limits are."""
    made = random.Random(7)  # noqa: S311 - the same each time
    every: list[tuple[PacketPlace, int, int, int]] = []
    parts, now = [], 0
    for part in (3, 4, 9):
        times, place = PacketTimes(), 0
        for file in (0, 1):
            values = [now := now + made.choice([-2, 0, 1, 5]) for _ in range(20)]
            first = made.randint(1, 50)
            times.add(PacketBatch(file, first, b"", values))
            for at, value in enumerate(values):
                every.append((PacketPlace(part, place), value, file, first + at))
                place += 1
        times.write(tmp_path / str(part))
        parts.append(TimedPart(part, tmp_path / str(part), times.latest_ns))
    clock = PacketClock(parts)
    places = [None, *(place for place, *_ in every)]
    for _ in range(500):
        time_ns = made.randint(-5, now + 5)
        after, until = sorted(made.sample(places, 2), key=lambda each: each or (0, 0))
        wanted = [
            (place, (packet, value, file))
            for place, value, file, packet in every
            if value >= time_ns
            and (after is None or place > after)
            and (until is None or place < until)
        ]
        found = clock.first(time_ns, after, until)
        assert (found and (found[0], found[1][:3])) == (wanted[0] if wanted else None)
