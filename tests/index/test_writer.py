"""Writing rows: what is shared, and what plain values become."""

import gzip
from pathlib import Path

from tests.packets import recorded

from streamshark.index.build import IndexBuilder
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.index.writer import row_of_frame


def test_row_of_frame() -> None:
    """Events are no frames: they move the frames after them."""
    is_event = [True, False, False, True, True, False, True, False]
    events = [at for at, each in enumerate(is_event) if each]
    frames = [at for at, each in enumerate(is_event) if not each]

    assert [row_of_frame(events, number) for number in range(1, len(frames) + 1)] == frames


def test_calls_take_few_bytes(tmp_path: Path) -> None:
    """A capture of many calls takes at most 64 bytes a row; equal contexts are stored once."""
    (packed,) = recorded("pravega/batches_java")
    path = tmp_path / "traffic.pcapng"
    path.write_bytes(gzip.decompress(Path(packed).read_bytes()))
    progress = IndexBuilder([str(path)], tmp_path / "index", IndexOptions()).run()
    size = sum(each.stat().st_size for each in (tmp_path / "index").iterdir())

    assert size / progress.rows <= 64
    assert progress.records["contexts"][0] < progress.rows / 4


def test_size(tmp_path: Path) -> None:
    """Rows of a connection share what they have in common."""
    (path,) = recorded("rabbitmq_stream/deduplication_java")
    progress = IndexBuilder([path], tmp_path / "index", IndexOptions()).run()
    with Index(tmp_path / "index", IndexOptions().known()) as index:
        used = set(index.columns["setting"].numbers)
        assert len(used) == progress.records["settings"][0] < progress.rows
