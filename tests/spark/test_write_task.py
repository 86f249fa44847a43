"""What a task writes: whole files under names that do not change, or nothing."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from streamshark.spark.numbering import ROW, SourceNumbers
from streamshark.spark.write_task import (
    DONE,
    KEPT,
    OPEN,
    StagedTables,
    WriteTask,
    staged,
    write_tables,
)


def rows(first: int, count: int) -> pa.RecordBatch:
    """Connections of a source, with their numbers and rows."""
    numbers = list(range(first, first + count))
    return pa.RecordBatch.from_pydict({"flow": numbers, ROW: numbers})


def stage(folder: Path, part: str, batch: pa.RecordBatch) -> None:
    """Stage rows as a task does."""
    tables = StagedTables(staged(str(folder), 3, part))
    tables.write("flows", batch)
    tables.finish()


def test_rows_that_are_not_final(tmp_path: Path) -> None:
    """They are open, and kept for the next run; a task that runs twice writes the same files."""
    stage(tmp_path, DONE, rows(0, 4))
    stage(tmp_path, DONE, rows(0, 1))  # a slower attempt
    stage(tmp_path, OPEN, rows(4, 2))
    numbering = SourceNumbers(0, np.arange(6), 3, 0, np.arange(10, 16))
    numbering.write(tmp_path / "numbering")
    task = WriteTask("one", str(tmp_path), 3, "east", tmp_path / "numbering", tmp_path / "kept")
    assert write_tables(task) == write_tables(task) == 2
    found = {
        part: [row["flow"] for path in sorted((tmp_path / "flows" / f"part={part}").glob("*"))
               for row in parquet.ParquetFile(path).read().to_pylist()]
        for part in (DONE, OPEN)
    }  # fmt: skip
    assert found == {DONE: [10, 11, 12], OPEN: [13, 14, 15]}
    (kept,) = (tmp_path / "kept" / KEPT).glob("*")
    assert pa.ipc.open_file(kept).read_all()[ROW].to_pylist() == [3]
    assert not list(tmp_path.rglob("_attempt*"))
