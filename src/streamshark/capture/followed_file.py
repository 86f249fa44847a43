"""A source that waits at the end of a file, which another process still writes."""

import os
import time

from streamshark.capture.source import POLL, StreamSource, open_source, waited


class FollowedFile(StreamSource):
    """The bytes of a file, and those that are appended to it.

    It ends when the file is removed, replaced (rotated) or becomes shorter: `damage` says so.

    Raises:
        CaptureError: The file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        open_source(path)[0].close()  # says why it cannot be opened
        stream = open(path, "rb", buffering=0)  # noqa: PTH123, SIM115 - closed by the capture
        super().__init__(stream, owned=True)
        self.name = path
        self._at = 0
        """Offset of the next byte."""

    def wait(self, seconds: float) -> bool:
        """Return whether bytes were appended, or the end came, in time."""
        return waited(self._has_more, seconds)

    def read(self, most: int) -> bytes:
        """Return the next bytes, waiting for them; b"" if no more can come."""
        while not self._has_more():
            time.sleep(POLL)
        data = super().read(most)
        self._at += len(data)
        return data

    def seek(self, start: int) -> None:
        """Continue reading at a byte of the file."""
        super().seek(start)
        self._at = start

    def _has_more(self) -> bool:
        """Return whether a read returns at once."""
        size = os.fstat(self._stream.fileno()).st_size
        if size < self._at:
            self.damage = "the file became shorter"
        elif size == self._at:
            self.damage = self._why_over()
        return size > self._at or self.damage is not None

    def _why_over(self) -> str | None:
        """Return why nothing more will be appended; None if something may be."""
        try:
            if os.path.samestat(os.stat(self.name), os.fstat(self._stream.fileno())):  # noqa: PTH116 - as the path was typed
                return None
        except OSError:
            return "the file was removed"
        return "the file was replaced by another one"
