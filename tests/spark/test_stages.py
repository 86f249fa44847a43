"""The stages of a run give the rows of one reading, however captures and connections are cut."""

import gzip
import random
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.packets import Packet, packets, recorded, rotated, write
from tests.recorded.index import lines
from tests.spark.clusters import cluster, mixed
from tests.spark.comparison import by_one_machine
from tests.spark.local_run import Attempts, here, rows_of, run_here, said_by

from streamshark.capture import merge
from streamshark.session import Session
from streamshark.spark import stages
from streamshark.spark.pipeline import TABLES
from streamshark.spark.table_fillers import TrackedFlow, flow_filler, followed, in_batches
from streamshark.spark.tables import FLOWS, SCHEMAS

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")

STORM, LEADER, MIDDLE, EARLY, RESUMED, LIFTBRIDGE, STOPPED, PIECES, CURSOR = recorded(
    "rabbitmq_stream/bug_reconnect_storm",
    "rabbitmq_stream/cluster_leader_stops",
    "rabbitmq_stream/starts_mid_frame",
    "rabbitmq_stream/ends_early",
    "rsocket/bug_stream_again_after_resume",
    "liftbridge/basics_py",
    "nats/cluster_stops_py",
    "pravega/bug_append_without_set_up",
    "liftbridge/bug_cursor_ahead_of_delivery",
)


def flows_of(paths: Sequence[str]) -> list[dict[str, object]]:
    """The connections of one reading."""
    session = Session(sorted(paths))
    for _ in session.rows():
        pass
    dissector = session.dissector
    found = [followed(each, dissector.connections.get(each.number))
             for each in dissector.tracker.flows]  # fmt: skip
    return _rows(found)


def _rows(found: Sequence[TrackedFlow]) -> list[dict[str, object]]:
    filler = flow_filler(SCHEMAS[FLOWS])
    return [row for batch in in_batches(filler, found) for row in batch.to_pylist()]


@pytest.mark.parametrize("groups", [pytest.param(1, marks=pytest.mark.sweep), 5])
def test_recorded_captures(tmp_path: Path, groups: int) -> None:
    """All protocols at once: connections of their own, and those that need others.

    No other test without Spark compares all tables of a run with those of one reading.
    """
    paths = [STORM, LEADER, MIDDLE, EARLY, RESUMED, LIFTBRIDGE, STOPPED, PIECES]
    run_here(tmp_path, paths, groups)
    assert said_by(tmp_path) == by_one_machine(paths)
    flows = sorted(rows_of(tmp_path)[FLOWS], key=lambda row: row["flow"])
    assert flows == flows_of(paths)


def test_facts_of_one_row(tmp_path: Path) -> None:
    """They are evaluated by one task, in their order, if one finds the key that another one uses.

    In the first capture facts of one row concern several such keys, in the other one the row is the
    end of a connection.
    """
    with Failures() as failures:
        for name in ("nats/bug_old_chunks_left", "nats/bug_never_pulls"):
            with failures.of(name):
                paths = recorded(name)
                out = tmp_path / name
                run_here(out, paths)
                assert said_by(out) == by_one_machine(paths)


def test_nights(tmp_path: Path) -> None:
    """New captures are read alone, by more groups; connections, objects and numbers continue.

    In the last capture a connection that is read with others begins before its protocol is known.
    No other test without Spark continues from the state that an earlier run has left.
    """
    with Failures() as failures:
        for path in (STORM, LEADER, RESUMED, CURSOR):
            files = rotated(tmp_path / Path(path).parent.name / "in", packets(path), 3)
            out = Path(files[0]).parents[1] / "out"
            for count in (1, 2, 3):
                with failures.of(f"{path}, {count} files"):
                    run_here(out, files[:count], count + 1)
                    assert said_by(out) == by_one_machine(files[:count])


def fragmented(found: Packet, number: int) -> list[Packet]:
    """A packet as two datagrams, cut after the first 40 bytes after the IP header."""
    at, cut = 14, 40
    head, rest = found.data[: at + 20], found.data[at + 20 :]
    out = []
    for flags, data in ((0x2000, rest[:cut]), (cut // 8, rest[cut:])):
        fields = struct.pack(">HHHH", 0x4500, 20 + len(data), number, flags)
        made = head[:at] + fields + head[at + 8 :] + data
        out.append(found._replace(data=made, original=len(made)))
    return out


def test_odd_captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that overlap, a clock set back, fragments on both sides of a border, late packets.

    In no other test do tasks begin amid what their neighbours have.
    """
    monkeypatch.setattr(merge, "MOST_PACKETS", 16)  # late packets are in other batches
    found = mixed(cluster(1, 2, 20), cluster(2, 3, 4), start=10_000)
    third = len(found) // 3
    overlapping = [found[: 2 * third : 2], found[1 : 2 * third : 2], found[2 * third :]]
    late = [each._replace(time_ns=each.time_ns - 5_000_000_000) for each in found[third:]]
    pieces = [
        piece
        for at, each in enumerate(found)
        for piece in (fragmented(each, at) if len(each.data) > 200 else [each])
    ]
    made = random.Random(1)  # noqa: S311 - the same each time
    order = sorted(range(len(found)), key=lambda at: at + made.uniform(0, 6))
    cases = {
        "overlap": overlapping,
        "compressed": overlapping,
        "late": [[found[at] for at in order]],
        "set back": [[*found[:third], *late]],
        "fragments": [pieces],
    }
    with Failures() as failures:
        for name, parts in cases.items():
            with failures.of(name):
                folder = tmp_path / name
                paths = [write(folder / f"{at}.pcap", part) for at, part in enumerate(parts)]
                if name == "compressed":  # that files overlap is known once they were read
                    for each in map(Path, paths):
                        each.write_bytes(gzip.compress(each.read_bytes()))
                run_here(folder / "out", paths, 3, time_slice=4_096)
                assert said_by(folder / "out") == by_one_machine(paths)
    assert failures.cases == len(cases)


@pytest.mark.spark
def test_attempts_at_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks that are killed, and others that end late, change no row of any table."""
    paths = sorted([STORM, RESUMED, LIFTBRIDGE, PIECES], key=lambda path: packets(path)[0].time_ns)
    files = [
        name
        for at, path in enumerate(paths)
        for name in rotated(tmp_path / f"in-{at}", packets(path), 2)
    ]
    attempts = Attempts()
    found = []
    for name in ("once", "attempts"):
        if name == "attempts":
            monkeypatch.setattr(stages, "each_of", attempts)
        for some in (files[:3], files):
            run_here(tmp_path / name, some, 3, tables=TABLES, time_slice=40_000)
            attempts.end_late()
        found.append(
            {table: sorted(map(str, rows)) for table, rows in rows_of(tmp_path / name).items()}
        )
    assert said_by(tmp_path / "attempts") == by_one_machine(files)
    once, again = found
    assert again == once
    assert all(once.get(name) for name in ("messages", "flows", "rsocket.setup", "nats.pub"))
    assert attempts.killed > len(files)
    assert attempts.late > len(files)


@pytest.mark.slow
@pytest.mark.sweep
def test_all_captures(tmp_path: Path) -> None:
    """Every recorded capture."""
    known = lines().values()
    with Failures() as failures:
        for at, line in enumerate(known):
            with failures.of(line.capture):
                out = tmp_path / str(at)
                run_here(out / "out", [str(line.path)])
                assert said_by(out / "out") == by_one_machine([str(line.path)])
    assert failures.cases == len(known)
