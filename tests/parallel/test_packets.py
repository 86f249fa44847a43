"""Batches of packets as messages."""

import gzip
from pathlib import Path

import pytest
from tests.failures import every
from tests.packets import recorded

from streamshark.capture import open_capture
from streamshark.capture.merge import merged, steady
from streamshark.capture.packet import PacketBatch
from streamshark.errors import StreamsharkError
from streamshark.parallel.messages import PACKETS, opened, packed
from streamshark.parallel.packets import BatchPacker, BatchUnpacker

NAME = "rabbitmq_stream/load_four_streams"


def batches(sources: list[str]) -> list[PacketBatch]:
    """Return the packets of captures, in order of time."""
    captures = [open_capture(each, number) for number, each in enumerate(sources)]
    return [batch for batch, _ in steady(merged(captures, None))]


@pytest.fixture
def plain(tmp_path: Path) -> str:
    """A capture that is not compressed."""
    path = tmp_path / "plain.pcapng"
    path.write_bytes(gzip.decompress(Path(recorded(NAME)[0]).read_bytes()))
    return str(path)


@every("is_plain", [True, False])
def test_batches_come_as_they_are_sent(is_plain: bool, plain: str) -> None:  # noqa: FBT001 - a case
    """Of several files too: those that are compressed with their bytes, each window once."""
    sources = [plain, plain] if is_plain else recorded(NAME, NAME)
    packer, unpacker = BatchPacker(), BatchUnpacker(sources)
    sent = 0
    for batch in batches(sources):
        shares = list(range(len(batch)))
        message = packed(PACKETS, packer.packed(batch, shares))
        sent += len(message)
        assert unpacker.unpacked(opened(message)[1]) == (batch, shares)
    unpacker.close()
    size = 2 * Path(plain).stat().st_size
    assert (sent < size) == is_plain
    assert sent < 2 * size


def test_a_file_that_became_shorter(plain: str) -> None:
    """The bytes of another packet are never taken for those of one that is gone."""
    packer, unpacker = BatchPacker(), BatchUnpacker([plain])
    *_, last = [packer.packed(each, []) for each in batches([plain])]
    Path(plain).write_bytes(b"")
    with pytest.raises(StreamsharkError, match="became shorter"):
        unpacker.unpacked(last)
    unpacker.close()
