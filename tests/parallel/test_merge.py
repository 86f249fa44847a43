"""Rows of several workers in the order of one reading."""

import pytest

from streamshark.parallel import merge
from streamshark.parallel.merge import RowMerger
from streamshark.parallel.messages import Key, Others
from streamshark.splits.connection_share import DependentError


def key(packet: int, worker: int, *, size: int = 10, width: int = 12, count: int = 0) -> Key:
    """A row of a packet; the flow is that of the worker."""
    return packet * 1000, 0, packet, worker, 0, count, worker, size, width


def test_rows_are_numbered_in_order_of_time() -> None:
    """Events have no number; the rows of the last packet wait for others of it."""
    merger = RowMerger(2)
    first = merger.add([[([key(1, 0), key(4, 0)], None), ([key(2, 1, size=-1), key(3, 1)], None)]])
    rest = merger.add([[([], None), ([key(5, 1)], None)]], is_last=True)

    assert first.workers == [0, 1, 1]
    assert [each.numbers for each in first.releases] == [[1], [0, 2]]
    assert rest.workers == [0, 1]
    assert [each.numbers for each in rest.releases] == [[3], [4]]
    assert (merger.frames, merger.end) == (4, (5000, 0, 5))


def test_rows_wait_for_a_connection_of_any_worker() -> None:
    """From the packet on that it waits with."""
    merger = RowMerger(2)
    held = merger.add([[([key(1, 0), key(3, 0)], None), ([], (2000, 0, 2))]])
    later = merger.add([[([key(5, 0)], None), ([key(2, 1)], None)]])

    assert held.workers == [0]
    assert later.workers == [1, 0]


def test_one_process_reads_what_would_not_wait_any_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session releases rows then; their order is its own."""
    monkeypatch.setattr(merge, "MOST_HELD", 2)
    merger = RowMerger(1)
    merger.add([[([key(1, 0), key(2, 0)], (0, 0, 0))]])
    with pytest.raises(DependentError, match="held back"):
        merger.add([[([key(3, 0)], (0, 0, 0))]])


def test_views_know_of_wider_rows_of_others() -> None:
    """Of a longer number of packets, a longer address, and, if wanted, the time before."""
    rows = [key(8, 0), key(12, 0), key(14, 0)], [key(11, 1, width=20), key(13, 1)]
    windows = [[(list(each), None) for each in rows]]
    plain = RowMerger(2).add(windows, is_last=True)
    timed = RowMerger(2, timed=True).add(windows, is_last=True)

    assert plain.workers == [0, 1, 0, 1, 0]
    assert [each.others for each in plain.releases] == [
        [Others(1, 11, 20, 11_000)],
        [Others(0, 8, 12, 8000)],
    ]
    assert [[other.time_ns for other in each.others] for each in timed.releases] == [
        [11_000, 13_000],
        [8000, 12_000],
    ]
