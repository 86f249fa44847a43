"""Blocks by numbers of keys, and labels of numbers that were united."""

from pathlib import Path

import numpy as np

from streamshark.splits.keyed_files import (
    KeyedFile,
    KeyedWriter,
    KeyLabels,
    KeyNumbers,
    KeyTasks,
    pairs_of,
)
from streamshark.splits.local_numbers import FlowNumber


def test_numbers_of_keys() -> None:
    """The same in each process; numbers of connections are those of a source."""
    here, there = KeyNumbers(1), KeyNumbers(2)
    shared = ("parcel", "house", ("10.0.0.1:1", None, 2))
    assert here.of(shared) == there.of(shared) == 1290363954603639514
    own, other = (("parcel", "conn", FlowNumber(5), 0), ("parcel", "conn", 5, 0))
    assert len({here.of(own), there.of(own), KeyNumbers(1).of(other)}) == 3
    assert KeyNumbers(1).of(other) == KeyNumbers(2).of(other)
    assert len({here.of(("a", "b")), here.of(("a", ("b",)))}) == 2


def test_blocks_are_read_by_key(tmp_path: Path) -> None:
    """In order, with their chunks; a file that is not finished is removed."""
    path = tmp_path / "within" / "facts"
    writer = KeyedWriter(path)
    for chunk, key in enumerate((7, 1 << 63, 7)):
        writer.add(key, chunk, bytes([chunk]) * (chunk + 1))
    writer.finish(b"head")
    file = KeyedFile(path)
    assert (writer.size, file.head) == (6, b"head")
    assert list(file.blocks(file.keys == 7)) == [(7, 0, b"\0"), (7, 2, b"\2\2\2")]
    assert list(file.blocks(file.keys > 7)) == [(1 << 63, 1, b"\1\1")]

    other = KeyedWriter(tmp_path / "other")
    other.add(1, 0, b"x")
    other.drop()
    assert [each.name for each in tmp_path.iterdir()] == ["within"]


def test_labels_of_united_numbers() -> None:
    """The smallest of them, also over a long chain; others have themselves."""
    chain = [(at + 1, at) for at in range(10, 500)]
    found = KeyLabels.united(pairs_of([*chain[::2], *chain[1::2], (3, 600), (600, 4)]))
    keys = np.array([500, 10, 255, 4, 600, 3, 2, 501], np.uint64)
    assert found.of(keys).tolist() == [10, 10, 10, 3, 3, 3, 2, 501]
    assert KeyLabels.united(pairs_of([])).of(keys).tolist() == keys.tolist()


def test_tasks_have_even_bytes() -> None:
    """Large labels go where there is least; small ones, and unknown ones, are divided."""
    labels = np.array([8, 8, 16, 24, 32, 5], np.uint64)
    found = KeyTasks.even(labels, np.array([300, 300, 400, 500, 300, 1]), 4)
    assert sorted(found.of(np.array([8, 16, 24, 32], np.uint64)).tolist()) == [0, 1, 2, 3]
    assert found.of(np.array([5, 11], np.uint64)).tolist() == [1, 3]
    nothing = KeyTasks.even(labels[:0], np.zeros(0, np.int64), 4)
    assert nothing.of(labels).tolist() == [0, 0, 0, 0, 0, 1]
