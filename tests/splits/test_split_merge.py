"""Stretches that are read apart and joined say what one session says."""

import pickle
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.packets import Packet, packets, recorded, rotated, write
from tests.splits.test_partition import damaged, told

from streamshark.capture.merge import merged, steady
from streamshark.checkpoint import Checkpoint, FinishedCapture, restored, saved
from streamshark.session import Session
from streamshark.splits import split_reader
from streamshark.splits.input_splits import TimeSlice, extent, time_slices
from streamshark.splits.inputs import inputs
from streamshark.splits.split_merge import SplitMerger, SplitResult
from streamshark.splits.split_reader import ORIGINS, SplitReader

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from generator import (
    ACK,
    FIN,
    RST,
    Connection,
    bodies,
    confirm,
    credit,
    deliver,
    handshake,
    publish,
)

if TYPE_CHECKING:
    from streamshark.dissection.row import Row

CAPTURES_IN = Path(__file__).parents[2] / "captures"
STORM, LEADER, PUBLISHES = recorded(
    "rabbitmq_stream/bug_reconnect_storm",
    "rabbitmq_stream/cluster_leader_stops",
    "rabbitmq_stream/publish_confirm",
)


def divided(paths: Sequence[str], size: int, first: int = 0) -> list[TimeSlice]:
    """Captures as time slices of about so many bytes."""
    files = inputs(paths)
    return time_slices(
        [(first + at, each, extent(each, size)) for at, each in enumerate(files)], size
    )


class Apart:
    """A reading of time slices apart from each other, and what joins them."""

    def __init__(self, found: Sequence[TimeSlice], *, assumes: bool = False) -> None:
        self.time_slices = found
        self.reads: list[SplitResult] = []
        self.rows: list[dict[int, list[tuple[Any, ...]]]] = []
        for at, time_slice in enumerate(found):
            midway = SplitReader(assumes=assumes or at > 0)
            rows: list[Row] = []
            for batch, _ in steady(merged([each.open() for each in time_slice], None)):
                rows += midway.feed(batch)
            rows += midway.finish_rows()
            by_flow: dict[int, list[tuple[Any, ...]]] = {}
            for row in rows:
                by_flow.setdefault(row.connection.flow.number, []).append(told(row))
            self.rows.append(by_flow)
            assert midway.first is not None
            boundaries = midway.boundaries(Checkpoint(midway.dissector))
            self.reads.append(SplitResult(midway.first, midway.last, boundaries))

    def joined(self, stitcher: SplitMerger) -> Iterator[tuple[Any, ...]]:
        """The rows of one share, without those that the end tells."""
        for at, (time_slice, read) in enumerate(zip(self.time_slices, self.reads, strict=True)):
            for row in stitcher.join(at, time_slice, read):
                yield told(row)
        for verdict in stitcher.verdicts:
            for row in self.rows[verdict.time_slice].get(verdict.number, ()):
                yield _placed(row, verdict.flow, verdict.shifts, swapped=verdict.swapped)
        stitcher.verdicts.clear()


def _placed(
    row: tuple[Any, ...], flow: int, shifts: tuple[int, int], *, swapped: bool
) -> tuple[Any, ...]:
    time_ns, file, packet, _, offset, _, side, *rest = row
    offset += shifts[offset >= ORIGINS[1]]
    return (time_ns, file, packet, flow, offset, flow, side ^ swapped, *rest)


def numbered(rows: list[tuple[Any, ...]], session: Session) -> list[tuple[Any, ...]]:
    """Rows with their connections by addresses and place among those of the same."""
    seen: dict[tuple[str, ...], int] = {}
    names = []
    for flow in session.dissector.tracker.flows:
        pair = tuple(sorted(flow.addresses))
        seen[pair] = seen.get(pair, 0) + 1
        names.append((pair, seen[pair]))
    return [(*row[:3], names[row[3]], row[4], *row[6:]) for row in rows]


def compared(paths: Sequence[str], size: int, shares: int) -> int:
    """Compare with one session; gives how many time slices were read again."""
    one = Session(paths)
    before = [told(row) for row in one.read()]
    at = one.dissector.order.last
    wanted = sorted(numbered(before + [told(row) for row in one.finish()], one))
    found, again = [], 0
    apart = Apart(divided(paths, size))
    for share in range(shares):
        stitcher = SplitMerger(Checkpoint, share, shares)
        rows = [*apart.joined(stitcher), *map(told, stitcher.finish(at))]
        found += numbered(rows, stitcher)
        again += stitcher.read_again
    assert sorted(found) == wanted
    return again


@pytest.mark.parametrize("shares", [1, 3])
@pytest.mark.parametrize("files", [1, 2, 5, 8])
@pytest.mark.parametrize("path", [STORM, LEADER, PUBLISHES])
def test_rotated_files(tmp_path: Path, path: str, files: int, shares: int) -> None:
    """However many files there are, and shares."""
    compared(rotated(tmp_path, packets(path), files), 1_000, shares)


@pytest.fixture
def _nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every connection is joined by its state, none by its packets."""
    monkeypatch.setattr(split_reader, "MOST_SMALL_PACKETS", 0)


CAPTURES = recorded(
    "rabbitmq_stream/publish_confirm",
    "rabbitmq_stream/deduplication_java",
    "rabbitmq_stream/starts_mid_frame",
    "rabbitmq_stream/ends_early",
    "rabbitmq_stream/cluster_leader_stops",
    "rsocket/asks_websocket_deflate_js",
    "rsocket/bug_fragment_not_continued",
)


@pytest.mark.parametrize("size", [2_000, 20_000])
@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: Path(path).parent.name)
@pytest.mark.usefixtures("_nothing_is_small")
def test_parts_of_a_file(tmp_path: Path, path: str, size: int) -> None:
    """A file that several tasks read, cut anywhere."""
    compared([write(tmp_path / "one.pcap", packets(path))], size, 2)


@pytest.mark.parametrize("what", ["lost", "twice", "swapped"])
@pytest.mark.parametrize("size", [500, 5_000])
@pytest.mark.usefixtures("_nothing_is_small")
def test_damaged_captures(tmp_path: Path, what: str, size: int) -> None:
    """Holes, copies and disorder, at the cuts too."""
    for path in (LEADER, PUBLISHES):
        compared(rotated(tmp_path, damaged(packets(path), what), 3), size, 2)


@pytest.mark.parametrize("small", [True, False])
def test_files_out_of_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, small: bool
) -> None:
    """Files whose names do not follow time, one of them lost, and two that overlap."""
    if not small:
        monkeypatch.setattr(split_reader, "MOST_SMALL_PACKETS", 0)
    first, second, _, fourth = rotated(tmp_path, packets(LEADER), 4)
    other = write(tmp_path / "other.pcap", packets(STORM))
    paths = [
        str(Path(each).rename(tmp_path / f"{at}.pcap"))
        for at, each in enumerate((fourth, other, first, second))
    ]
    compared(paths, 1_000, 2)
    compared(paths, 1 << 20, 1)


def test_files_whose_borders_have_one_time(tmp_path: Path) -> None:
    """The files are time slices of their own: of one time, packets come by number of the file."""
    found = [each._replace(time_ns=each.time_ns // 10**9 * 10**9) for each in packets(STORM)]
    paths = rotated(tmp_path, found, 5)
    assert len(divided(paths, most(paths))) == 5
    compared(paths, most(paths), 2)


def most(paths: Sequence[str]) -> int:
    """Bytes of the largest file: so each is a time_slice."""
    return max(Path(each).stat().st_size for each in paths)


def giant(
    tmp_path: Path, files: int, *, seed: int = 3, lost: int = -1, swaps: float = 0.02
) -> list[str]:
    """One connection with frames that end anywhere in its packets, in some disorder.

    Of the files one may be lost.
    """
    made = random.Random(seed)  # noqa: S311 - the same each time
    connection = Connection(1)
    sent = connection.open()
    for side, data in handshake("giant"):
        sent += connection.send(side, data)
    pool = bodies(50, made)
    for at in range(60):
        chosen = made.sample(pool, made.randint(1, 30))
        sent += connection.send(0, publish(chosen, at) + publish(chosen[:1], at), 700)
        sent += connection.send(1, confirm(at, 3) + deliver(chosen, at))
        sent += connection.send(0, credit())
    for at in range(len(sent) - 1):
        if made.random() < swaps:
            sent[at : at + 2] = sent[at + 1], sent[at]
    found = [Packet(at * 1_000_000, each, 1, len(each)) for at, each in enumerate(sent)]
    return [each for at, each in enumerate(rotated(tmp_path, found, files)) if at != lost]


@pytest.mark.parametrize("files", [1, 3, 8])
@pytest.mark.parametrize("seed", range(6))
def test_a_giant_flow(tmp_path: Path, files: int, seed: int) -> None:
    """One connection in all files."""
    again = compared(giant(tmp_path, files, seed=seed), 20_000, 2)
    assert again <= 12


def test_a_giant_flow_is_not_read_again(tmp_path: Path) -> None:
    """Where nothing stands in the way, each packet is looked at once."""
    paths = giant(tmp_path, 5, swaps=0)
    apart = Apart(divided(paths, most(paths)))
    stitcher = SplitMerger(Checkpoint)
    rows = list(apart.joined(stitcher))
    assert stitcher.read_again == 0
    rows += map(told, stitcher.finish())
    assert len(rows) == sum(1 for _ in Session(paths).rows())
    small = sum(len(pickle.dumps(each)) for read in apart.reads for each in read.boundaries)
    assert small < sum(Path(each).stat().st_size for each in paths) // 4


@pytest.mark.parametrize("lost", [0, 2, 4])
def test_a_lost_file(tmp_path: Path, lost: int) -> None:
    """The time slice behind it is read again, and the others stand on it."""
    paths = giant(tmp_path, 6, seed=1, lost=lost)
    assert compared(paths, most(paths), 1) == (1 if lost else 0)


@pytest.mark.usefixtures("_nothing_is_small")
@pytest.mark.parametrize(
    "name",
    [
        "nats/leaf_py",
        "liftbridge/subscribes_go",
        "pravega/keep_alive_java",
        "rsocket/resume_go",
        "rsocket/resume_java",
    ],
)
def test_protocols_that_are_read_from_the_beginning(tmp_path: Path, name: str) -> None:
    """What depends on more than the bytes of a frame is read in order."""
    path = str(
        next(path for path in sorted(CAPTURES_IN.glob("*/*/traffic.*")) if name in str(path))
    )
    for shares in (1, 3):
        compared(rotated(tmp_path / str(shares), packets(path), 4), 10_000, shares)


def test_a_reading_goes_on(tmp_path: Path) -> None:
    """Files of another day, whose connections are under way."""
    paths = giant(tmp_path, 6)
    one = Session(paths)
    wanted = sorted(numbered([told(row) for row in one.rows()], one))
    stitcher, found = SplitMerger(Checkpoint), []
    for days in (paths[:2], paths[2:3], paths[3:]):
        left = saved(stitcher) if stitcher.tracker.flows else None
        stitcher = SplitMerger(Checkpoint)
        if left is not None:
            restored(left, stitcher)
        apart = Apart(divided(days, most(paths), len(stitcher.captures)), assumes=left is not None)
        found += apart.joined(stitcher)
        stitcher.captures += [FinishedCapture(each, len(stitcher.captures)) for each in days]
    found += map(told, stitcher.finish(one.dissector.order.last))
    assert sorted(numbered(found, stitcher)) == wanted


def day(folder: Path, number: int, visits: int = 9) -> str:
    """Connections that end within a second, half of them of ports that are used each day."""
    found, time_ns = [], (1 + number) * 86_400_000_000_000
    for visit in range(visits):
        connection = Connection(visit if visit % 2 else visit + number * visits)
        connection.next = [1_000 + number * 100_000, 9_000 + number * 100_000]
        sent = connection.open()
        for side, data in handshake(f"visitor-{visit}"):
            sent += connection.send(side, data)
        ends = (0, FIN | ACK), (1, FIN | ACK), (0, ACK)
        sent += [connection.packet(*each) for each in ends[: 3 - visit % 3]]
        if visit % 3 == 2:
            sent.append(connection.packet(1, RST | ACK))
        found += [Packet(time_ns + at * 1_000, each, 1, len(each)) for at, each in enumerate(sent)]
        time_ns += 1_000_000_000
    return write(folder / f"{number}.pcap", found)


def test_connections_that_have_ended_are_let_go(tmp_path: Path) -> None:
    """A reading that goes on for days keeps those of the last day, and says the same."""
    paths = [day(tmp_path, number) for number in range(6)]
    one = Session(paths)
    wanted = sorted(numbered([told(row) for row in one.rows()], one))
    stitcher, found, kept = SplitMerger(Checkpoint), [], []
    for at, path in enumerate(paths):
        left = saved(stitcher) if at else None
        stitcher = SplitMerger(Checkpoint)
        if left is not None:
            restored(left, stitcher)
        apart = Apart(divided([path], 4_000, at), assumes=at > 0)
        found += apart.joined(stitcher)
        stitcher.captures.append(FinishedCapture(path, at))
        assert list(stitcher.let_old_go()) == []
        kept.append((len(stitcher.dissector.connections), stitcher.tracker.flows.live))
    found += map(told, stitcher.finish(one.dissector.order.last))
    assert sorted(numbered(found, stitcher)) == wanted
    assert kept == [(9, 9)] * 6
