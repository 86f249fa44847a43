"""A source that reads files one after the other, the last of them while it is written.

Sections of pcapng may follow each other, and of files of pcap, only the header of the first is
passed on. So that a record that one file cuts off takes nothing from the next one, the reader is
given the end of each file (`SourceOfFiles`).
"""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import BinaryIO, Final

from streamshark.capture.pcap import FILE_HEADER, byte_order
from streamshark.capture.source import POLL, waited

_MAGIC: Final = 4


class FileSequence(ABC):
    """The bytes of files that may still be written, in order.

    Args:
        name: Its name for messages.
    """

    is_stopped = False
    """Whether reading was stopped while the last file may be written: a record may be cut off."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lost = 0
        """Number of files that were deleted before they were opened here."""
        self._ended = False
        """Whether no file grows, and there will be no more."""
        self._current: BinaryIO | None = None
        self._path: Path | None = None
        """Path under which the current file, or the one before, was opened."""
        self._header = b""
        """First bytes of the first file, whose header is passed on."""
        self._is_first = False
        """Whether the current file is the first."""
        self._follows = False
        """Whether the current file is known to continue the first one."""

    @property
    def damage(self) -> str | None:
        """Half a sentence if files were deleted before they were read."""
        if not self.lost:
            return None
        if self.lost == 1:
            return "1 file was deleted before it was read"
        return f"{self.lost} files were deleted before they were read"

    @property
    def is_over(self) -> bool:
        """Whether the last file was read to its end."""
        return self._ended and not self._has_next()

    def wait(self, seconds: float) -> bool:
        """Return whether bytes, or the end of a file, came in time."""
        return waited(self._has_more, seconds, self._look)

    def read(self, most: int) -> bytes:
        """Return the next bytes, waiting for them; b"" after each file that another one follows."""
        while True:
            is_last = self._ended and not self._has_next()
            if self._current is not None and (data := self._read(most)):
                return data
            if self._has_next():
                if self._header and self._current is not None:
                    return b""
                self._open_next()
            elif is_last:
                return b""
            else:
                self._look(POLL)

    def leave_file(self) -> None:
        """Leave the current file, read or not: the next bytes are those of the next file."""
        self.close()

    def close(self) -> None:
        """Close the current file."""
        if self._current is not None:
            self._current.close()
            self._current = None

    @abstractmethod
    def _look(self, seconds: float) -> None:
        """Look for more files, waiting at most so long."""

    @abstractmethod
    def _has_next(self) -> bool:
        """Return whether a file follows the current one."""

    @abstractmethod
    def _take_next(self) -> Path | None:
        """Return the next file, and count those that are lost before it; None without a next."""

    def _lose(self, count: int = 1) -> None:
        """Count files that were deleted before they were read."""
        self.lost += count

    def _refused(self) -> None:
        """Note that the current file cannot follow the first one, as it has another format."""
        self._lose()

    def _read(self, most: int) -> bytes:
        """Return bytes of the current file; b"" at its end."""
        current = self._current
        if current is None or not (self._follows or self._can_follow(current)):
            return b""
        data = current.read(most)
        if self._is_first and len(self._header) < FILE_HEADER:
            self._header += data[: FILE_HEADER - len(self._header)]
        return data

    def _can_follow(self, current: BinaryIO) -> bool:
        """Return whether the current file continues the first one, once its header is there."""
        head = os.pread(current.fileno(), FILE_HEADER, 0)
        if len(head) < FILE_HEADER:
            return False
        is_pcap = byte_order(head) is not None
        if _kind(head) != _kind(self._header):
            self.close()
            self._refused()
            return False
        current.seek(FILE_HEADER if is_pcap else 0)
        self._follows = True
        return True

    def _has_more(self) -> bool:
        self._look(0)
        while self._current is None and self._has_next():
            self._open_next()
        current = self._current
        if self._ended or self._has_next() or current is None:
            return self._ended or current is not None
        size = os.fstat(current.fileno()).st_size
        return size > current.tell() if self._follows else size >= FILE_HEADER

    def _open_next(self) -> None:
        self.close()
        path = self._take_next()
        if path is None:
            return
        try:
            stream = path.open("rb", buffering=0)
        except OSError:
            self._lose()
            return
        self._is_first = self._follows = not self._header
        self._current, self._path = stream, path


def _kind(head: bytes) -> tuple[bytes, bytes]:
    """Return what says how records are read: the magic, and of pcap also the link type."""
    is_pcap = len(head) == FILE_HEADER and byte_order(head)
    return head[:_MAGIC], head[20:] if is_pcap else b""
