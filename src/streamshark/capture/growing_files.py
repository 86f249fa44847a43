"""A source that follows files while another process writes them.

The writer names each file in a line on a pipe, when it begins the file. An empty line says that
packets are missing in the files. The end of the pipe is the end of the last file.
"""

import os
import select
from pathlib import Path
from typing import BinaryIO

from streamshark.capture.file_sequence import FileSequence

_LONGEST = 1 << 16
"""Bytes of file names that are read at once."""


class GrowingFiles(FileSequence):
    """The bytes of files that are still being written, in order.

    Args:
        names: The pipe that names the files, a line for each.
        name: Its name for messages.
    """

    def __init__(self, names: BinaryIO, name: str = "recording") -> None:
        super().__init__(name)
        self._pipe = names.fileno()
        self._line = b""
        self._files: list[Path] = []
        """Files to read after the current one."""
        self.has_drops = False
        """Whether packets are missing: they were dropped while the files were written."""

    def _has_next(self) -> bool:
        return bool(self._files)

    def _take_next(self) -> Path:
        return self._files.pop(0)

    def _look(self, seconds: float) -> None:
        """Wait for names of files, at most so long, and take them."""
        if self._ended:
            return
        if not select.select([self._pipe], [], [], seconds)[0]:
            return
        data = os.read(self._pipe, _LONGEST)
        self._ended = not data
        *lines, self._line = (self._line + data).split(b"\n")
        self._files += [Path(os.fsdecode(each)) for each in lines if each]
        self.has_drops |= b"" in lines
