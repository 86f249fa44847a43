"""Readers of some connections each give the rows of one reading of all."""

from pathlib import Path

import pytest
from tests.packets import recorded

from streamshark.capture.merge import merged, steady
from streamshark.dissection.row import ATTEMPTED, FrameRow, Row
from streamshark.flows.ip import endpoints
from streamshark.flows.timers import Arrival
from streamshark.protocols.catalog import carriers, catalog
from streamshark.session import Session
from streamshark.splits.connection_reader import ConnectionReader, OtherPackets
from streamshark.splits.inputs import opened
from streamshark.splits.packet_buckets import PacketBuckets, PartFiles, group_packets
from streamshark.splits.packet_times import PacketClock, PacketTimes, TimedPart
from streamshark.splits.partition import share_of

GROUPS = 4
OPTIONS = {
    "protocols": catalog(), "carriers": carriers(), "formats": (), "decode_as": {}, "dialects": {},
    "keylog": None, "puts_together": True,
}  # fmt: skip


def told(row: Row) -> tuple[object, ...]:
    """What a row says, without numbers."""
    data = row.data if isinstance(row, FrameRow) else getattr(row, "name", "")
    return row.order[:3], row.connection.flow.addresses, row.offset, row.side, data


@pytest.mark.parametrize(
    "path",
    recorded(
        "rabbitmq_stream/bug_reconnect_storm",
        "rabbitmq_stream/starts_mid_frame",
        "nats/cluster_vanishes_py",
    ),
)
def test_readers_of_groups(tmp_path: Path, path: str) -> None:
    """Rows have the packets of one reading, those of timers too."""
    groups, times = PacketBuckets(tmp_path, "part", GROUPS), PacketTimes()
    last = None
    for batch, _ in steady(merged([opened(path, 0)], None)):
        groups.add(batch, 0)
        times.add(batch)
        last = Arrival(batch.packets[-1], batch.times[-1], 0)
    count = groups.finish()
    times.write(tmp_path / "times")
    files = [PartFiles(0, tuple(tmp_path / f"part-{at:03}" for at in range(count)))]
    clock = PacketClock([TimedPart(0, tmp_path / "times", times.latest_ns)])
    session = Session([path])
    # Attempts to connect are known by what others advertise.
    rows = list(session.rows())
    wanted = [told(row) for row in rows if row.connection.reason != ATTEMPTED]
    found: list[tuple[object, ...]] = []
    readers = []
    for group in range(GROUPS):
        others = OtherPackets(
            clock, lambda key, mine=group: share_of(endpoints(key)[0], GROUPS) == mine
        )
        reader = ConnectionReader(OPTIONS, others, before=10, flows_before=5)
        read = reader.read(group_packets(files, [group]), {0: 0}, last, 0)
        rows = [row for rows in read for row in rows]
        found += (told(row) for row in rows if row.connection.reason != ATTEMPTED)
        assert all(row.number > 10 for row in rows if isinstance(row, FrameRow))
        readers.append(reader)
    end = max(reader.at_end().end for reader in readers)
    for reader in readers:
        found += map(told, reader.finish(end))
        assert len(reader.positions) == reader.count
    assert sorted(found, key=repr) == sorted(wanted, key=repr)
    flows = [flow.addresses for reader in readers for flow in reader.tracker.flows]
    assert sorted(flows) == sorted(flow.addresses for flow in session.dissector.tracker.flows)
