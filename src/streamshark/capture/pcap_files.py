"""Files of a capture that comes as one pcap stream, for programs that write no rings of files."""

import os
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from streamshark.capture.capture_program import KILOBYTE, Limits
from streamshark.capture.pcap import FILE_HEADER, RECORD_HEADER
from streamshark.capture.source import CaptureError

_MOST: Final = 1 << 24
"""Most bytes of a packet: more is damage."""
_MODE: Final = 0o600
"""Mode of the files, which may hold passwords."""
_LENGTH: Final = struct.Struct("=8xI4x")


class PcapFiles:
    """Writes a pcap stream to a file, or to one file after the other, with names as dumpcap's.

    Args:
        path: The file; with `switch`, its name gets a number and a time.
        switch: When to continue in another file, and how many are kept.
        stop: When the capture is complete.
        begun: Called with the path of each file that is begun.

    Raises:
        OSError: A file cannot be written.
    """

    def __init__(
        self,
        path: Path,
        switch: Limits,
        stop: Limits,
        begun: Callable[[Path], object],
    ) -> None:
        self.is_complete = False
        """Whether a condition of `stop` is met: nothing more is written."""
        self._path, self._switch, self._stop, self._begun = path, switch, stop, begun
        self._rest = b""
        """Bytes of a record that is not whole."""
        self._header = b""
        self._stream: BinaryIO | None = None
        self._written = self._packets = self._number = 0
        self._since = 0.0
        self._kept: list[Path] = []
        limit = switch.filesize or stop.filesize
        self._most = limit * KILOBYTE or sys.maxsize

    def feed(self, data: bytes) -> None:
        """Write the records that are whole.

        Raises:
            CaptureError: The stream is damaged.
        """
        data = self._rest + data
        at = 0
        if not self._header:
            if len(data) < FILE_HEADER:
                self._rest = data
                return
            self._header, at = data[:FILE_HEADER], FILE_HEADER
            self._begin()
        at = self._write_records(data, at)
        self._rest = data[at:]

    def close(self) -> None:
        """Close the current file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _write_records(self, data: bytes, start: int) -> int:
        """Write records from an offset on; return the offset of the first that is not whole."""
        at, size = start, len(data)
        while at + RECORD_HEADER <= size and not self.is_complete:
            length: int = _LENGTH.unpack_from(data, at)[0]
            if length > _MOST:
                raise CaptureError("tcpdump wrote a record that is too long")
            end = at + RECORD_HEADER + length
            if end > size:
                break
            self._written += RECORD_HEADER + length
            self._packets += 1
            at = end
            if self._is_full():
                self._write(data[start:at])
                start = at
                self._end_file()
        self._write(data[start:at])
        return at

    def _is_full(self) -> bool:
        switch = self._switch
        return (
            self._written >= self._most
            or 0 < switch.packets <= self._packets
            or 0 < switch.duration <= time.monotonic() - self._since
        )

    def _end_file(self) -> None:
        """Begin another file, unless the capture is complete."""
        stop, switch = self._stop, self._switch
        if not switch.switches or 0 < stop.files <= self._number:
            self.is_complete = True
            return
        self._begin()

    def _begin(self) -> None:
        self.close()
        self._number += 1
        path = self._path
        if self._switch.switches:
            moment = time.strftime("%Y%m%d%H%M%S")
            path = path.with_name(f"{path.stem}_{self._number:05}_{moment}{path.suffix}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        self._stream = os.fdopen(os.open(path, flags, _MODE), "wb", buffering=0)
        self._write(self._header)
        self._written, self._packets, self._since = FILE_HEADER, 0, time.monotonic()
        self._kept.append(path)
        if self._switch.files and len(self._kept) > self._switch.files:
            self._kept.pop(0).unlink(missing_ok=True)
        self._begun(path)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view and self._stream is not None:
            view = view[self._stream.write(view) :]
