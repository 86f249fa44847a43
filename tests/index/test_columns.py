"""Columns and records on disk: what was committed is there, and nothing else."""

import os
from pathlib import Path

import pytest

from streamshark.index.columns import (
    MOST_RECORDS,
    Column,
    ColumnWriter,
    IndexDamageError,
    Records,
    RecordWriter,
    replace,
)


def test_column(tmp_path: Path) -> None:
    """A reader sees the numbers up to where it looks, whatever follows."""
    path = tmp_path / "column"
    writer = ColumnWriter(path, "I")
    writer.add(range(10))
    writer.flush()
    column = Column(path, "I")
    column.reach(6)
    old = column.numbers
    writer.add([3, 0x03000000, 3])
    writer.flush()
    column.reach(13)
    writer.close()

    assert list(old) == list(range(6))
    assert list(column) == [*range(10), 3, 0x03000000, 3]
    assert list(column.places(3)) == [3, 10, 12]
    assert list(column.places(3, 4, 12)) == [10]
    assert list(column.places(1 << 32)) == list(column.places(-1)) == []
    with pytest.raises(IndexDamageError, match="incomplete"):
        column.reach(14)


def test_what_is_dropped_stays_mapped(tmp_path: Path) -> None:
    """A writer that continues from an earlier place leaves readers what they have mapped."""
    path = tmp_path / "column"
    writer = ColumnWriter(path, "I")
    writer.add(range(5000))
    writer.flush()
    writer.close()
    column = Column(path, "I")
    column.reach(5000)
    ColumnWriter(path, "I", 10).close()

    assert column[4999] == 4999
    column.reach(10)
    assert list(column) == list(range(10))


def test_records(tmp_path: Path) -> None:
    """Any record by its number, also while more are written."""
    path = tmp_path / "records"
    values = [(at, b"x" * at, {"a": [at]}) for at in range(3 * MOST_RECORDS + 5)]
    writer = RecordWriter(path)
    records = Records(path)
    for at, each in enumerate(values):
        assert writer.add(each, len(each[1])) == at
        if at % 50 == 7:
            writer.flush()
            records.reach(writer.count, writer.blocks, writer.size)
            assert records[at] == each
            assert len(records) == at + 1
    writer.flush()
    records.reach(writer.count, writer.blocks, writer.size)

    assert list(records) == values
    assert records[0] == values[0]
    with pytest.raises(IndexError):
        records[len(values)]
    continued = RecordWriter(path, writer.count, writer.blocks, writer.size)
    assert continued.add("more") == len(values)
    writer.close()
    continued.close()
    records.close()


def test_replace(tmp_path: Path) -> None:
    """A file is replaced by its beginning, or by other bytes."""
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    replace(path, 4)
    assert path.read_bytes() == b"0123"
    replace(path, 2, b"ab")
    assert path.read_bytes() == b"ab"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_zeros_are_written(tmp_path: Path) -> None:
    """A hole would end a program that maps the file, once a disk in memory is full."""
    path = tmp_path / "column"
    writer = ColumnWriter(path, "I")
    writer.add_zeros(10_000)
    writer.close()
    with path.open("rb") as file:
        assert os.lseek(file.fileno(), 0, os.SEEK_HOLE) == 40_000
    assert path.read_bytes() == bytes(40_000)
