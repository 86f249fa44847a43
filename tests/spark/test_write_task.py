"""What a task writes: whole files under names that do not change, or nothing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from streamshark.splits.split_merge import SplitMerger
from tests.packets import recorded

from streamshark.capture import Capture
from streamshark.dissection.row import Row
from streamshark.session import Session
from streamshark.spark import write_task
from streamshark.spark.read_task import ReadTask
from streamshark.spark.tables import frames
from streamshark.spark.write_task import PartitionWrite, RowSource, put_together, settle

STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]
TABLES = ("frames", "messages", "rmqstream.open")


def share(folder: Path) -> PartitionWrite:
    """One that reads everything itself."""
    columns = tuple(each for each in frames().names if each != "fields")
    return PartitionWrite(ReadTask("frames", columns, (STORM,)), TABLES, str(folder), (), 0)


def numbered(folder: Path) -> int:
    """Say of every connection that it has its own number; gives how many frames they have."""
    session = Session([STORM])
    rows = [row for row in session.rows() if hasattr(row, "data")]
    flows = list(range(len(session.dissector.tracker.flows)))
    zeros = [0] * len(flows)
    columns = {"number": flows, "flow": flows, "shift_0": zeros, "shift_1": zeros}
    table = pa.table({**columns, "swapped": [False] * len(flows)})
    place = folder / write_task.NUMBERS / "source=0"
    place.mkdir(parents=True)
    parquet.write_table(table, place / "all.parquet")
    return len(rows)


def files(folder: Path) -> dict[str, bytes]:
    """Files by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*") if path.is_file()
    }  # fmt: skip


def test_a_task_that_runs_twice(tmp_path: Path) -> None:
    """It leaves the same files once."""
    count = numbered(tmp_path)
    source = RowSource("one", str(tmp_path), 0, None)
    put_together(share(tmp_path))
    first = files(tmp_path)
    put_together(share(tmp_path))
    assert files(tmp_path) == first
    assert {Path(name).stem for name in first} >= {"_rows", "rmqstream.open"}

    written = settle(source)
    tables = files(tmp_path)
    assert len(tables) == len(first) + written
    assert settle(source) == written
    assert files(tmp_path) == tables
    rows = parquet.read_table(tmp_path / "_rows")
    assert rows.num_rows >= count


def test_a_task_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves nothing."""

    def read(_stitcher: SplitMerger, captures: Sequence[Capture]) -> Iterator[Row]:
        for each in captures:
            each.close()
        raise RuntimeError("killed")

    monkeypatch.setattr(write_task.SplitMerger, "read_through", read)
    with pytest.raises(RuntimeError, match="killed"):
        put_together(share(tmp_path))
    assert files(tmp_path) == {}


def test_rows_of_connections_without_a_number_are_not_written(tmp_path: Path) -> None:
    """They are somebody else's."""
    put_together(share(tmp_path))

    assert settle(RowSource("one", str(tmp_path), 0, None)) == 0
