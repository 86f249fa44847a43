"""Rows of a worker, released by its parent."""

from multiprocessing import Pipe
from pathlib import Path

import pytest
from tests.madeup import parrot_traffic

from streamshark.dissector import KnownProtocols
from streamshark.parallel.messages import FINISH, KEYS, RELEASE, TEXT, Others, opened, send
from streamshark.parallel.worker import AHEAD, ReleasedRows
from streamshark.protocols.catalog import catalog
from streamshark.splits.connection_share import ShareReader


@pytest.fixture
def reader(tmp_path: Path) -> ShareReader:
    """The only share of a capture."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    known = KnownProtocols.of(catalog([str(parrot_traffic.FOLDER)]))
    return ShareReader(known, [path], 0, 1)


def test_rows_are_announced_then_released(reader: ShareReader) -> None:
    """Their text goes back once all that were released together are taken."""
    ours, theirs = Pipe()
    seen: list[Others] = []
    shown: list[str] = []
    rows = ReleasedRows(reader, theirs, others=seen.append, shown=shown).rows()
    send(ours, RELEASE, [7], [(0, 5, 15, 99)], None)
    first = next(rows)
    shown.append("the first row")
    announced = opened(ours.recv_bytes())
    keys = [key for window, _ in announced[1] for key in window]
    count = len(keys)
    assert (announced[0], announced[4]) == (KEYS, True)
    assert keys[0][:4] == first.order[:4]
    assert seen == [Others(0, 5, 15, 99)]
    assert AHEAD > 1

    send(ours, FINISH, keys[-1][:3])
    send(ours, RELEASE, list(range(count - 1)), [], keys[-1][0])
    rest = [first, *rows]

    assert len(rest) == count
    assert [each.order for each in rest] == sorted(each.order for each in rest)
    assert opened(ours.recv_bytes()) == (TEXT, ["the first row"])
    assert opened(ours.recv_bytes())[0] == KEYS
    assert opened(ours.recv_bytes()) == (TEXT, [])
    assert shown == []
