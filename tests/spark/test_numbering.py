"""Numbers of all sources are those of one reading."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from streamshark.spark import numbering
from streamshark.spark.numbering import (
    Bounds,
    FramePlacesOnDisk,
    RankTask,
    SourceNumbers,
    SourceRows,
    flow_numbers,
    rank,
    ranks_of,
    write_array,
    write_rows,
)
from streamshark.splits.local_numbers import FrameNumber

ROWS = {
    0: [(0, 10, 0, 1, 7, 0, 1), (0, 10, 0, 1, 7, 5, 0), (0, 30, 0, 4, 8, 0, 1)],
    1: [(0, 20, 0, 2, 7, 0, 1), (0, 30, 0, 4, 7, 0, 1), (1, 5, 0, 9, 7, 0, 1)],
}
"""Epoch, time, file, packet, connection, offset, and whether it is a frame."""
FLOWS = {0: [1, 3], 1: [2]}
"""Final numbers of the connections from 7 on."""


def test_rows_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By time and packet, then by final connection; however the time is divided."""
    flows, sources = {}, []
    for source, rows in ROWS.items():
        write_rows(tmp_path / f"rows-{source}", np.array(rows, np.int64).T)
        write_array(tmp_path / f"flows-{source}", np.array(FLOWS[source], np.int64))
        sources.append(SourceRows(source, (tmp_path / f"rows-{source}",)))
        flows[source] = 7, tmp_path / f"flows-{source}"
    for limits in ([], [(0, 20)], [(0, 11), (0, 30), (1, 0)]):
        every = [None, *limits, None]
        paths = [tmp_path / f"{len(limits)}-{at}" for at in range(len(every) - 1)]
        for path, since, until in zip(paths, every, every[1:], strict=False):
            rank(RankTask(tuple(sources), flows, Bounds(since, until), 100, path))
        assert ranks_of(0, 3, paths).tolist() == [101, 101, 104]
        assert ranks_of(1, 3, paths).tolist() == [102, 103, 105]
        places = FramePlacesOnDisk(paths)
        assert [places.of(at) for at in range(100, 107)] == [
            None, (0, 1), (0, 2), (0, 4), (0, 4), (0, 9), None
        ]  # fmt: skip
        assert places.latest(2, 105) == {103: (0, 4), 104: (0, 4)}
        monkeypatch.setattr(numbering, "REMEMBERED", 2)
        for now_ns, known in ((None, [104, 105]), (25, [101, 102])):
            places.now_ns = now_ns
            assert [at for at in range(100, 103 if now_ns else 107) if places.of(at)] == known
        monkeypatch.undo()


def test_connections_in_order() -> None:
    """By their first packets; one that two sources have seen has one number."""
    found = flow_numbers([[(0, 5), (2, 1)], [(0, 2), (2, 1)]], 10)
    assert [each.tolist() for each in found] == [[11, 12], [10, 12]]


def test_numbers_in_tables_and_states() -> None:
    """Earlier numbers stay; those that are not final are numbered again."""
    numbering = SourceNumbers(100, np.array([102, 103, 107]), 2, 4, np.array([6]))
    assert [numbering.frame(each) for each in (99, 101, 103)] == [99, 102, 107]
    assert [numbering.flow(each) for each in (3, 4)] == [3, 6]
    again = numbering.again(105)
    assert [again.frame(each) for each in (99, 101, 103)] == [99, 102, 106]
    assert [type(again.frame(each)) for each in (101, 103)] == [int, FrameNumber]
    batch = pa.RecordBatch.from_pydict(
        {
            "flow": [4, 2], "frame": [101, None], "request_frame": [None, 99], "carrier": [103, 5],
            "conversation": ["4-18.2-call", None], "part_of": ["2-3:18-publisher", None],
            "fields": ['{"reassembled":{"fragments":[101,103]}}', '{"fragments":[101]}'],
        }
    )  # fmt: skip
    assert numbering.table("frames", batch).to_pydict() == {
        "flow": [6, 2], "frame": [102, None], "request_frame": [None, 99], "carrier": [107, 5],
        "conversation": ["6-18.2-call", None], "part_of": ["2-3:18-publisher", None],
        "fields": ['{"reassembled":{"fragments":[102,107]}}', '{"fragments":[101]}'],
    }  # fmt: skip
