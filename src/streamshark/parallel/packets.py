"""Batches of packets as messages: a worker reads the bytes of files itself.

Bytes that cannot be read twice, those of compressed captures, are sent along.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from streamshark.capture.packet import PacketBatch
from streamshark.errors import StreamsharkError

if TYPE_CHECKING:
    from io import FileIO

PackedBatch = tuple[
    int, int, int | None, bytes | int, list[int], list[int], list[int], list[int], list[int],
    list[int],
]  # fmt: skip
"""File and number of the first packet; offset of the window in the file, if it can be read there;
the window, or its size (0 if it is that of the batch before); times, starts, captured and original
lengths and links; and the share of each packet."""


class BatchPacker:
    """Packer of the batches of some captures, which are unpacked in the same order."""

    def __init__(self) -> None:
        self._windows: dict[int, bytes] = {}
        """The last window of each file."""

    def packed(self, batch: PacketBatch, shares: list[int]) -> PackedBatch:
        """Return a batch, and the share of each packet, as plain values."""
        window: bytes | int = batch.data
        if self._windows.get(batch.file) is batch.data:
            window = 0
        elif batch.base is not None:
            window = len(batch.data)
        self._windows[batch.file] = batch.data
        return (
            batch.file, batch.first, batch.base, window, batch.times, batch.starts, batch.captured,
            batch.original, batch.links, shares,
        )  # fmt: skip


class BatchUnpacker:
    """Unpacker of batches of the captures `sources`."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.sources = sources
        self._files: dict[int, FileIO] = {}
        self._windows: dict[int, bytes] = {}

    def unpacked(self, packed: PackedBatch) -> tuple[PacketBatch, list[int]]:
        """Return a batch, and the share of each packet.

        Raises:
            StreamsharkError: A file does not have the bytes that it had.
        """
        file, first, base, window, times, starts, captured, original, links, shares = packed
        if window and base is not None:
            self._windows[file] = self._read(file, base, int(window))
        elif isinstance(window, bytes):
            self._windows[file] = window
        data = self._windows.get(file, b"")
        return PacketBatch(
            file, first, data, times, starts, captured, original, links, base
        ), shares  # fmt: skip

    def close(self) -> None:
        """Close the files."""
        for each in self._files.values():
            each.close()

    def _read(self, file: int, base: int, size: int) -> bytes:
        stream = self._files.get(file)
        if stream is None:
            stream = self._files[file] = Path(self.sources[file]).open("rb", buffering=0)  # noqa: SIM115 - closed by `close`
        stream.seek(base)
        data = stream.read(size)
        if len(data) < size:
            raise StreamsharkError(f"{self.sources[file]}: the file became shorter")
        return data
