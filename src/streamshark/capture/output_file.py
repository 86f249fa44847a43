"""Files that are written whole or not at all."""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import BinaryIO, Self

from streamshark.errors import StreamsharkError

BUFFER = 1 << 20
"""Bytes that are written at once."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class OutputFile:
    """A file to write, which appears under its name once it is complete.

    Until `commit` the bytes are in a temporary file beside it, which the end of `with` deletes.
    Standard output (`-`), devices and pipes are written at once, and so is a file that others read
    while it grows (`growing`). With `private` only the user can read it.

    Raises:
        StreamsharkError: It cannot be written; a closed pipe raises BrokenPipeError.
    """

    def __init__(self, name: str, *, growing: bool = False, private: bool = False) -> None:
        self.name = "standard output" if name == "-" else name
        self._growing = growing
        self._is_own = name != "-"
        """Whether the file is closed at the end; standard output is not."""
        self._mode = 0o600 if private else 0o666 & ~umask()
        self._path = Path(name).resolve()
        self._temporary: Path | None = None
        self._stream: BinaryIO | None = None
        try:
            self._stream = self._opened(name)
        except OSError as error:
            raise self._failed(error) from None
        except BaseException:  # Ctrl-C, once the file is there
            self._discard()
            raise

    def write(self, data: bytes) -> None:
        """Write bytes; a growing file, and what is no file, has them at once."""
        if self._stream is None or not data:
            return
        try:
            self._stream.write(data)
            if self._temporary is None:
                self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._failed(error) from None

    def commit(self) -> None:
        """Close the file, and give it its name."""
        if self._stream is None:
            return
        try:
            self._close()
            if self._temporary is not None:
                self._temporary.replace(self._path)
                self._temporary = None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._discard()

    def _discard(self) -> None:
        """Close the file, and delete it unless it has its name."""
        with suppress(OSError):
            self._close()
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
            self._temporary = None

    def _opened(self, name: str) -> BinaryIO:
        if name == "-":
            return sys.stdout.buffer
        if self._growing or _is_special(self._path):
            return self._path.open("wb", BUFFER)
        if self._path.exists() and not os.access(self._path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        # It is known before it is there, so that Ctrl-C leaves none.
        self._temporary = self._path.with_name(f".{self._path.name}.{token_hex(4)}.tmp")
        number = os.open(self._temporary, _NEW, self._mode)
        return os.fdopen(number, "wb", BUFFER)

    def _close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None and self._is_own:
            stream.close()
        elif stream is not None:
            stream.flush()

    def _failed(self, error: OSError) -> StreamsharkError:
        return StreamsharkError(f"{self.name}: cannot be written: {error.strerror or error}")


def is_source(name: str, sources: list[str]) -> bool:
    """Return whether a file to write is one of those that are read, also through links."""
    for source in sources:
        try:
            theirs = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
            ours = Path(name).stat()
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(ours.st_mode) and os.path.samestat(ours, theirs):
            return True
    return False


def _is_special(path: Path) -> bool:
    """Return whether something is there that is no file: a device, a pipe, a folder."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def umask() -> int:
    """Return the rights that this process takes away from new files."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
