"""Shares together say what one session says, with the same numbers."""

import random
from pathlib import Path

import pytest
from tests.packets import Packet, packets, recorded, rotated, write

from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.session import Session
from streamshark.splits.partition import PartitionReader

STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]
LEADER = recorded("rabbitmq_stream/cluster_leader_stops")[0]


def told(row: Row) -> tuple[object, ...]:
    """What makes a row what it is."""
    what = row.values if isinstance(row, FrameRow) else None
    event = (row.name, row.fields) if isinstance(row, EventRow) else None
    flow, problems = row.connection.flow.number, [each.message for each in row.problems]
    return (*row.order, flow, row.side, row.sender, tuple(row.packets), repr((what, event)),
            repr(problems))  # fmt: skip


def by_shares(paths: list[str], shares: int) -> list[tuple[object, ...]]:
    """The rows of all shares."""
    found = [PartitionReader(paths, share, shares) for share in range(shares)]
    rows = [told(row) for each in found for row in each.read()]
    at = Session(paths)
    for _ in at.read():
        pass
    return sorted(
        rows + [told(row) for each in found for row in each.finish(at.dissector.order.last)]
    )


def whole(paths: list[str]) -> list[tuple[object, ...]]:
    """The rows of one session."""
    return sorted(map(told, Session(paths).rows()))


@pytest.mark.parametrize("shares", [1, 2, 3, 8])
@pytest.mark.parametrize("files", [1, 2, 5])
def test_rotated_files(tmp_path: Path, files: int, shares: int) -> None:
    """However many files there are, and tasks."""
    paths = rotated(tmp_path, packets(STORM), files)
    assert by_shares(paths, shares) == whole(paths)


def damaged(found: list[Packet], what: str) -> list[Packet]:
    """Packets as captures have them that are not perfect."""
    made = random.Random(7)  # noqa: S311 - the same each time
    if what == "lost":
        return [each for each in found if made.random() > 0.05]
    if what == "twice":
        return [each for one in found for each in [one] * (1 + (made.random() < 0.05))]
    out = list(found)
    for at in range(len(out) - 1):
        if made.random() < 0.1:
            times = out[at].time_ns, out[at + 1].time_ns
            out[at], out[at + 1] = out[at + 1], out[at]
            out[at : at + 2] = [
                each._replace(time_ns=time)
                for each, time in zip(out[at : at + 2], times, strict=True)
            ]
    return out


@pytest.mark.parametrize("what", ["lost", "twice", "swapped"])
def test_damaged_captures(tmp_path: Path, what: str) -> None:
    """Holes, copies and disorder are the same for all."""
    paths = rotated(tmp_path, damaged(packets(LEADER), what), 3)
    assert by_shares(paths, 4) == whole(paths)


def test_files_out_of_order(tmp_path: Path) -> None:
    """Files whose names do not follow time, one of them lost, and two that overlap."""
    first, second, _, fourth = rotated(tmp_path, packets(LEADER), 4)
    other = write(tmp_path / "other.pcap", packets(STORM))
    paths = [fourth, other, first, second]
    assert by_shares(paths, 3) == whole(paths)


@pytest.mark.parametrize(
    "name", ["rsocket/resume_go", "rsocket/resume_java", "liftbridge/basics_py"]
)
def test_connections_that_know_of_each_other(name: str) -> None:
    """What one connection has said is known of another one."""
    paths = recorded(name)
    for shares in (2, 5):
        assert by_shares(paths, shares) == whole(paths)


def test_what_others_dissect_is_passed_by() -> None:
    """A share without connections makes no rows, and knows all connections."""
    shares = [PartitionReader([STORM], share, 64) for share in range(64)]
    rows = [sum(1 for _ in each.read()) for each in shares]
    assert 0 in rows
    known = {tuple(flow.addresses for flow in each.dissector.tracker.flows) for each in shares}
    assert len(known) == 1
