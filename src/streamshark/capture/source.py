"""Sources of a capture's bytes: a file, standard input, or any open binary stream.

A source returns bytes in order, as they come: one read is one read of the system, so a live pipe
returns what it has instead of waiting for a full window. Nothing seeks.
"""

import io
import os
import select
import stat
import sys
import time
from collections.abc import Callable
from typing import BinaryIO, Final, Protocol, runtime_checkable

from streamshark.errors import StreamsharkError

POLL: Final = 0.05
"""Seconds between two looks at the end of a file that does not grow."""


class CaptureError(StreamsharkError):
    """Error: a capture that cannot be opened, or a file that is not one.

    The message is one line.
    """


@runtime_checkable
class Source(Protocol):
    """Bytes in order, once."""

    @property
    def damage(self) -> str | None:
        """What ended the bytes early, as half a sentence; None for a proper end."""

    def wait(self, seconds: float) -> bool:
        """Return whether a read would return at once, waiting at most `seconds` for that."""

    def read(self, most: int) -> bytes:
        """Return between 1 and `most` bytes, waiting for the first; b"" at the end."""

    def close(self) -> None:
        """Close what was opened here."""


@runtime_checkable
class SourceOfFiles(Source, Protocol):
    """The bytes of several files, one after the other; b"" at the end of each."""

    @property
    def is_over(self) -> bool:
        """Whether the last file was read to its end."""

    @property
    def is_stopped(self) -> bool:
        """Whether reading was stopped while the last file may be written."""

    def leave_file(self) -> None:
        """Leave the current file, read or not: the next bytes are those of the next file."""


class NoSource:
    """A source without bytes."""

    damage = None

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - a source's signature
        """Return True: nothing has to be waited for."""
        return True

    def read(self, most: int) -> bytes:  # noqa: ARG002 - a source's signature
        """Return no bytes."""
        return b""

    def close(self) -> None:
        """Do nothing."""


NO_SOURCE = NoSource()


class StreamSource:
    """A binary stream; it is closed only if it was opened here (`owned`)."""

    def __init__(self, stream: BinaryIO, *, owned: bool) -> None:
        self.damage: str | None = None
        self._stream = stream
        self._owned = owned
        self._read = _read_once(stream)
        self._is_live = isinstance(stream, io.FileIO) and _is_live(stream.fileno())
        self.is_file = owned and isinstance(stream, io.FileIO) and _is_regular(stream.fileno())
        """Whether it is a file that was opened here: another reader finds the same bytes there."""

    def wait(self, seconds: float) -> bool:
        """Return whether a pipe or terminal has bytes, or has ended, in time; True for a file."""
        return not self._is_live or bool(select.select([self._stream], [], [], seconds)[0])

    def read(self, most: int) -> bytes:
        """Return the bytes of one read; an error of the system ends the bytes."""
        try:
            return self._read(most) or b""
        except OSError as error:
            self.damage = f"reading failed: {error.strerror or error}"
            return b""

    def seek(self, start: int) -> None:
        """Continue reading at a byte of the file."""
        self._stream.seek(start)

    def close(self) -> None:
        """Close the stream if it was opened here."""
        if self._owned:
            self._stream.close()


def open_source(source: str | os.PathLike[str] | BinaryIO | Source) -> tuple[Source, str]:
    """Open a path, `-` for standard input, or use an open binary stream or a source.

    Returns:
        The source and its name for messages.

    Raises:
        CaptureError: The path is missing, a directory, or not readable.
    """
    if not isinstance(source, (str, os.PathLike)):
        if isinstance(source, Source):
            return source, str(getattr(source, "name", "source"))
        return StreamSource(source, owned=False), str(getattr(source, "name", "stream"))
    name = os.fspath(source)
    if name == "-":
        # Unbuffered: `wait` asks the system, which does not see the bytes in a buffer.
        raw: BinaryIO = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        return StreamSource(raw, owned=False), "-"
    try:
        # Unbuffered: windows are larger than any buffer, and a named pipe must not be waited for.
        stream = open(name, "rb", buffering=0)  # noqa: PTH123, SIM115 - closed by the capture
    except FileNotFoundError:
        raise CaptureError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise CaptureError(f"{name}: is a directory, not a capture file") from None
    except PermissionError:
        raise CaptureError(f"{name}: no permission to read it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CaptureError(f"{name}: cannot be opened: {reason}") from None
    return StreamSource(stream, owned=True), name


def waited(
    has_more: Callable[[], bool], seconds: float, pause: Callable[[float], object] = time.sleep
) -> bool:
    """Return whether there was more in time; `pause` waits between two looks."""
    until = time.monotonic() + seconds
    while not has_more():
        left = until - time.monotonic()
        if left <= 0:
            return False
        pause(min(left, POLL))
    return True


def _is_live(number: int) -> bool:
    """Return whether an open file can be asked whether bytes are available."""
    mode = os.fstat(number).st_mode
    return os.name == "posix" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode))


def _is_regular(number: int) -> bool:
    """Return whether an open file is a file on disk."""
    return stat.S_ISREG(os.fstat(number).st_mode)


def _read_once(stream: BinaryIO) -> Callable[[int], bytes | None]:
    """Return the method that reads the bytes that are available.

    The `read` of a buffered stream waits until it has all; its `read1` does not. A raw stream has
    no `read1`, and its `read` does not wait.
    """
    read: Callable[[int], bytes | None] = getattr(stream, "read1", stream.read)
    return read


class Prefixed:
    """A source whose first bytes were read ahead to detect its format."""

    def __init__(self, head: bytes, source: Source) -> None:
        self._head = head
        self._source = source

    @property
    def damage(self) -> str | None:
        """The damage of the source."""
        return self._source.damage

    def wait(self, seconds: float) -> bool:
        """Return True while bytes read ahead are left, then the answer of the source."""
        return bool(self._head) or self._source.wait(seconds)

    def read(self, most: int) -> bytes:
        """Return the bytes read ahead, then those of the source."""
        if not self._head:
            return self._source.read(most)
        given, self._head = self._head[:most], self._head[most:]
        return given

    def close(self) -> None:
        """Close the source."""
        self._source.close()
