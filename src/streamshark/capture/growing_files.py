"""A source that follows files while another process writes them.

The writer names each file in a line on a pipe, when it begins the file. The end of the pipe is the
end of the last file. Files are read one after the other: sections of pcapng may follow each other,
and of files of pcap, only the header of the first is passed on.
"""

import os
import select
import time
from pathlib import Path
from typing import BinaryIO

from streamshark.capture.pcap import FILE_HEADER, byte_order

POLL = 0.05
"""Seconds between two looks at the end of a file that does not grow."""
_LONGEST = 1 << 16
"""Bytes of file names that are read at once."""


class GrowingFiles:
    """The bytes of files that are still being written, in order.

    Args:
        names: The pipe that names the files, a line for each.
        name: Its name for messages.
    """

    def __init__(self, names: BinaryIO, name: str = "recording") -> None:
        self.name = name
        self.lost = 0
        """Number of files that were deleted before they were opened here."""
        self._pipe = names.fileno()
        self._line = b""
        self._files: list[Path] = []
        """Files to read after the current one."""
        self._ended = False
        """Whether the writer has ended: no file grows, and there will be no more."""
        self._current: BinaryIO | None = None
        self._has_header = False
        """Whether a file was opened, whose header is passed on."""

    @property
    def damage(self) -> str | None:
        """Half a sentence if files were deleted before they were read."""
        if not self.lost:
            return None
        if self.lost == 1:
            return "1 recorded file was deleted before it was read"
        return f"{self.lost} recorded files were deleted before they were read"

    def wait(self, seconds: float) -> bool:
        """Return whether bytes or the end of the files came in time."""
        until = time.monotonic() + seconds
        while not self._has_more():
            left = until - time.monotonic()
            if left <= 0:
                return False
            self._take_names(min(left, POLL))
        return True

    def read(self, most: int) -> bytes:
        """Return the next bytes, waiting for them; b"" after the last file."""
        while True:
            is_last = self._ended and not self._files
            if self._current is not None and (data := self._current.read(most)):
                return data
            if self._files:
                self._open_next()
            elif is_last:
                return b""
            else:
                self._take_names(POLL)

    def close(self) -> None:
        """Close the current file."""
        if self._current is not None:
            self._current.close()
            self._current = None

    def _has_more(self) -> bool:
        self._take_names(0)
        if self._files or self._ended:
            return True
        current = self._current
        return current is not None and os.fstat(current.fileno()).st_size > current.tell()

    def _open_next(self) -> None:
        self.close()
        path = self._files.pop(0)
        try:
            self._current = path.open("rb", buffering=0)
        except OSError:
            self.lost += 1
            return
        head = os.pread(self._current.fileno(), FILE_HEADER, 0)
        if self._has_header and len(head) == FILE_HEADER and byte_order(head):
            self._current.seek(FILE_HEADER)
        self._has_header = True

    def _take_names(self, seconds: float) -> None:
        """Wait for names of files, at most so long, and take them."""
        if self._ended:
            return
        if not select.select([self._pipe], [], [], seconds)[0]:
            return
        data = os.read(self._pipe, _LONGEST)
        self._ended = not data
        *lines, self._line = (self._line + data).split(b"\n")
        self._files += [Path(os.fsdecode(each)) for each in lines]
