"""Packets by bucket: each is there once, in order, with its number."""

from pathlib import Path

import pytest
from tests.packets import recorded

from streamshark.capture import open_capture
from streamshark.capture.merge import part_of
from streamshark.flows.ip import endpoints
from streamshark.splits import packet_buckets
from streamshark.splits.packet_buckets import (
    CODECS,
    GroupedBatch,
    PacketBuckets,
    PartFiles,
    group_packets,
)
from streamshark.splits.partition import share_of, tcp_keys

STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]
BUCKETS = 3


def shown(found: list[GroupedBatch]) -> list[tuple[int, int, int, bytes]]:
    """Place, number, time and bytes of packets."""
    out = []
    for batch, places, _, _ in found:
        columns = zip(places, batch.packets, batch.times, batch.starts, batch.captured, strict=True)
        for place, number, time_ns, start, size in columns:
            out.append((place, number, time_ns, batch.data[start : start + size]))
    return out


@pytest.mark.parametrize("codec", CODECS)
def test_buckets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, codec: str) -> None:
    """One by one they have the packets of their connections; together all of them."""
    monkeypatch.setattr(packet_buckets, "BUFFERED", 4_000)
    monkeypatch.setattr(packet_buckets, "MOST_PACKETS", 5)
    buckets = PacketBuckets(tmp_path, "part", BUCKETS, codec)
    every, keys = [], []
    (whole,) = open_capture(STORM).batches()
    for start in range(0, len(whole), 16):
        batch = part_of(whole, start, min(start + 16, len(whole)))
        buckets.add(batch, 0)
        keys += tcp_keys(batch)
        for at, (begin, size) in enumerate(zip(batch.starts, batch.captured, strict=True)):
            number, data = batch.packets[at], batch.data[begin : begin + size]
            every.append((len(every), number, batch.times[at], data))
    count = buckets.finish()
    files = [PartFiles(7, tuple(tmp_path / f"part-{at:03}" for at in range(count)))]
    assert count > 1
    assert sorted(tmp_path.iterdir()) == list(files[0].paths)
    assert shown(list(group_packets(files, range(BUCKETS)))) == every
    assert sum(buckets.sizes) == sum(len(data) for *_, data in every)
    for bucket in range(BUCKETS):
        found = list(group_packets(files, [bucket]))
        mine = [
            each
            for each, key in zip(every, keys, strict=True)
            if isinstance(key, bytes) and share_of(endpoints(key)[0], BUCKETS) == bucket
        ]
        assert shown(found) == mine
        assert {each.part for each in found} <= {7}
    wanted = list(group_packets(files, range(BUCKETS), lambda key: key == keys[0]))
    assert shown(wanted) == [each for each, key in zip(every, keys, strict=True) if key == keys[0]]


def test_files_of_a_task_that_fails(tmp_path: Path) -> None:
    """They are removed."""
    buckets = PacketBuckets(tmp_path, "part", BUCKETS)
    for batch in open_capture(STORM).batches():
        buckets.add(batch, 0)
    buckets.finish()
    again = PacketBuckets(tmp_path, "part", BUCKETS)
    again.add(batch, 0)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again.drop()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
