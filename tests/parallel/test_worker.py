"""Rows of a worker, released by its parent."""

from multiprocessing import Pipe
from pathlib import Path

from tests.madeup import parrot_traffic

from streamshark.capture import open_capture
from streamshark.dissector import KnownProtocols
from streamshark.parallel.messages import FINISH, KEYS, PACKETS, RELEASE, TEXT, Others, opened, send
from streamshark.parallel.packets import BatchPacker, BatchUnpacker
from streamshark.parallel.worker import ReleasedRows
from streamshark.protocols.catalog import catalog
from streamshark.splits.connection_share import ALL, ShareReader


def test_rows_are_announced_then_released(tmp_path: Path) -> None:
    """Their text goes back once all that were released together are taken."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    known = KnownProtocols.of(catalog([str(parrot_traffic.FOLDER)]))
    ours, theirs = Pipe()
    seen: list[Others] = []
    shown: list[str] = []
    packets = BatchUnpacker([path])
    rows = ReleasedRows(
        ShareReader(known, 0, 1), packets, theirs, others=seen.append, shown=shown
    ).rows()
    packer = BatchPacker()
    with open_capture(path) as capture:
        block = [packer.packed(each, [ALL] * len(each)) for each in capture.batches()]
    send(ours, PACKETS, block)
    send(ours, RELEASE, [7], [(0, 5, 15, 99)], 99, None)
    first = next(rows)
    shown.append("the first row")
    announced = opened(ours.recv_bytes())
    keys = [key for window, _ in announced[1] for key in window]
    count = len(keys)
    assert announced[0] == KEYS
    assert keys[0][:4] == first.order[:4]
    assert seen == [Others(0, 5, 15, 99)]

    send(ours, FINISH, keys[-1][:3])
    send(ours, RELEASE, list(range(count - 1)), [], keys[-1][0], keys[-1][0])
    rest = [first, *rows]
    packets.close()

    assert len(rest) == count
    assert [each.order for each in rest] == sorted(each.order for each in rest)
    assert opened(ours.recv_bytes()) == (TEXT, ["the first row"])
    assert opened(ours.recv_bytes())[0] == KEYS
    assert opened(ours.recv_bytes()) == (TEXT, [])
    assert shown == []
