"""What a task writes: whole files under names that do not change, or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import parquet
from tests.spark.said import recorded

from streamshark.frames.frame import Row
from streamshark.spark import writing
from streamshark.spark.reading import Job, Reading
from streamshark.spark.tables import frames
from streamshark.spark.writing import Share, write

STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]


def share(folder: Path, number: int = 0) -> Share:
    """One of two."""
    columns = tuple(each for each in frames().names if each != "fields")
    job = Job("frames", columns, (STORM,), share=number, shares=2)
    return Share(job, ("frames", "messages", "rmqstream.open"), str(folder))


def files(folder: Path) -> dict[str, bytes]:
    """Files by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*") if path.is_file()
    }  # fmt: skip


def test_a_task_that_runs_twice(tmp_path: Path) -> None:
    """It leaves the same files once."""
    rows, count = write(share(tmp_path))
    first = files(tmp_path)
    assert write(share(tmp_path)) == (rows, count)
    assert files(tmp_path) == first
    assert len(first) == count
    write(share(tmp_path, 1))
    assert len(files(tmp_path)) == 2 * count
    table = parquet.read_table(tmp_path / "_rows" / "part=done")
    assert table.num_rows == rows + write(share(tmp_path, 1))[0]


def test_a_task_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves nothing."""

    def rest(_reading: Reading, _at: object = None) -> Iterator[Row]:
        raise RuntimeError("killed")

    monkeypatch.setattr(writing.Reading, "rest", rest)
    with pytest.raises(RuntimeError, match="killed"):
        write(share(tmp_path))
    assert files(tmp_path) == {}
