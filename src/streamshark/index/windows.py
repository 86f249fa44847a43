"""The windows in which captures were read, and their packets, read again."""

import os
import pickle
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from streamshark.capture import Capture, PacketBatch
from streamshark.capture.capture import RecordWindow
from streamshark.errors import StreamsharkError
from streamshark.flows.ip import TCP_FIXED, TcpHeader, find_tcp
from streamshark.index.columns import Column, ColumnWriter, Records, RecordWriter
from streamshark.index.layout import WINDOWS

MOST_OPEN: Final = 64
"""Captures that are opened as soon as they have a packet; further ones when one is asked for."""
CACHED: Final = 16
"""Windows that are kept: of 256 KiB each, as sessions read them."""


class CaptureChangedError(StreamsharkError):
    """Error: a capture no longer has the bytes that it had when it was indexed."""


class StoredPacket(NamedTuple):
    """A packet, read again from its capture."""

    file: int
    number: int
    time_ns: int
    link: int
    """Link type (LINKTYPE_ number of the pcap registry)."""
    data: bytes
    """The captured bytes."""
    length: int
    """Bytes on the wire."""

    @property
    def payload(self) -> bytes:
        """The captured payload of TCP; empty without TCP."""
        found = find_tcp(self.link, self.data, 0, len(self.data), self.length)
        if not isinstance(found, TcpHeader) or found.header + TCP_FIXED > found.captured_end:
            return b""
        start = found.header + (found.data[found.header + 12] >> 4) * 4
        return found.data[start : min(found.end, found.captured_end)]


class WindowWriter:
    """Notes the windows of captures while they are read."""

    def __init__(self, folder: Path, count: int, readers: RecordWriter) -> None:
        self._columns = {
            name: ColumnWriter(folder / f"windows.{name}", code, count)
            for name, code in WINDOWS.items()
        }
        self._readers = readers
        self._pending: list[tuple[int, int, int, int, int]] = []
        self.count = count

    def follow(self, capture: Capture) -> None:
        """Note the windows of a capture from here on, if they can be read again."""
        if capture.is_file:
            capture.on_window(self._noted(capture))

    def _noted(self, capture: Capture) -> Callable[[RecordWindow], None]:
        layout, reader = capture.layout, self._stored(capture)

        def note(window: RecordWindow) -> None:
            nonlocal layout, reader
            batch = window.batch
            if batch.times and batch.base is not None:
                start, size = batch.base + window.begin, window.end - window.begin
                self._pending.append((capture.file, batch.first, start, size, reader))
                self.count += 1
            if capture.layout != layout:
                layout, reader = capture.layout, self._stored(capture)

        return note

    def _stored(self, capture: Capture) -> int:
        return self._readers.add(pickle.dumps(capture.template()))

    def flush(self) -> None:
        """Write what is noted."""
        if self._pending:
            for column, numbers in zip(
                self._columns.values(), zip(*self._pending, strict=True), strict=True
            ):
                column.add(numbers)
                column.flush()
            self._pending = []

    def close(self) -> None:
        """Close the files."""
        for each in self._columns.values():
            each.close()


class Windows:
    """The windows of captures, and their packets."""

    def __init__(self, folder: Path, names: Sequence[str], readers: Records) -> None:
        self.names = names
        self._columns = {
            name: Column(folder / f"windows.{name}", code) for name, code in WINDOWS.items()
        }
        self._readers = readers
        self._known = 0
        self._firsts: list[list[int]] = [[] for _ in names]
        """By file, the number of the first packet of each window."""
        self._places: list[list[int]] = [[] for _ in names]
        """By file, the place of each window in the columns."""
        self._files: dict[int, int] = {}
        self._batches: OrderedDict[int, PacketBatch] = OrderedDict()

    def reach(self, count: int) -> None:
        """Use the windows that were committed."""
        for each in self._columns.values():
            each.reach(count)
        firsts = self._columns["first"]
        for at in range(self._known, count):
            file = self._columns["file"][at]
            if not self._firsts[file] and file < MOST_OPEN:
                self._keep(file)
            self._firsts[file].append(firsts[at])
            self._places[file].append(at)
        self._known = count

    def reopen(self) -> None:
        """Forget what was read: another process has begun to write the files."""
        self.close()
        for each in self._columns.values():
            each.reach(0)
        self._known = 0
        self._firsts = [[] for _ in self.names]
        self._places = [[] for _ in self.names]
        self._batches.clear()

    def packet(self, file: int, number: int) -> StoredPacket | None:
        """Return a packet by its number; None if its capture cannot be read again.

        Raises:
            CaptureChangedError: The capture has other bytes.
        """
        window = bisect_right(self._firsts[file], number) - 1
        if window < 0:
            return None
        batch = self._batch(file, self._places[file][window])
        at = number - batch.first
        if at >= len(batch):
            raise CaptureChangedError(f"{self.names[file]}: packet {number} is no longer there")
        start, size = batch.starts[at], batch.captured[at]
        data = batch.data[start : start + size]
        return StoredPacket(
            file, number, batch.times[at], batch.links[at], data, batch.original[at]
        )

    def _batch(self, file: int, at: int) -> PacketBatch:
        found = self._batches.get(at)
        if found is None:
            found = self._batches[at] = self._read(file, at)
            if len(self._batches) > CACHED:
                self._batches.popitem(last=False)
        else:
            self._batches.move_to_end(at)
        return found

    def _keep(self, file: int) -> None:
        """Open a capture before it may be deleted; if it is gone, reading it says so."""
        with suppress(OSError):
            self._stream(file)

    def _stream(self, file: int) -> int:
        """Return the descriptor of an open capture."""
        stream = self._files.get(file)
        if stream is None:
            stream = os.open(self.names[file], os.O_RDONLY | os.O_CLOEXEC)
            self._files[file] = stream
        return stream

    def _read(self, file: int, at: int) -> PacketBatch:
        start, size = self._columns["start"][at], self._columns["size"][at]
        name = self.names[file]
        try:
            data = os.pread(self._stream(file), size, start)
        except OSError as error:
            raise CaptureChangedError(f"{name}: {error.strerror or error}") from None
        if len(data) < size:
            raise CaptureChangedError(f"{name}: the file became shorter")
        template: Capture = pickle.loads(self._readers[self._columns["reader"][at]])  # noqa: S301 - a file of the user's own
        reader = template.placed(data, start, self._columns["first"][at] - 1)
        batch = next(reader.batches(), None)
        if batch is None:
            raise CaptureChangedError(f"{name}: byte {start} begins no packet any more")
        return batch

    def close(self) -> None:
        """Close the captures."""
        for each in self._files.values():
            os.close(each)
        self._files.clear()
