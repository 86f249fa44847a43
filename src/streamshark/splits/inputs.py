"""Captures given by paths, and how they are opened: locally, or by URL through pyarrow.

A folder means all files below it, a pattern (`captures/**/*.pcap`) the files that match it, any
other path itself. Names with a scheme (`s3://`, `hdfs://`, `gs://`) go to `pyarrow.fs`; only local
ones have been tried.
"""

import glob
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from streamshark.capture import Capture, CaptureError, open_capture
from streamshark.capture.source import Source, StreamSource, open_source

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://")


class Input(NamedTuple):
    """One file."""

    name: str
    size: int
    """Bytes; -1 if unknown."""
    changed_ns: int
    """Modification time in ns since 1970."""


class UnreadableInput(NamedTuple):
    """A file that could not be read, or not completely."""

    file: str
    reason: str
    packets: int
    """Number of its packets that were read."""


def inputs(paths: Iterable[str]) -> list[Input]:
    """Return the files that paths mean, each once, in the order of their names."""
    found: dict[str, Input] = {}
    for path in paths:
        for each in _remote(path) if _SCHEME.match(path) else _local(path):
            found[each.name] = each
    return [found[name] for name in sorted(found)]


def opened(name: str, file: int) -> Capture:
    """Open a capture; raise CaptureError if it cannot be read or is not one."""
    if not _SCHEME.match(name):
        return open_capture(name, file)
    stream = _Stream(name)
    try:
        return open_capture(cast("BinaryIO", stream), file)
    except CaptureError:
        stream.close()
        raise


def part_of(name: str, start: int) -> Source:
    """Return the bytes of a file from `start` on."""
    if _SCHEME.match(name):
        return StreamSource(cast("BinaryIO", _Stream(name, start)), owned=True)
    source, _ = open_source(name)
    if isinstance(source, StreamSource):
        source.seek(start)
    return source


def _local(path: str) -> list[Input]:
    path = path.removeprefix("file:")
    if Path(path).is_dir():
        path = f"{glob.escape(path.rstrip('/'))}/**"
    elif Path(path).exists() or not glob.has_magic(path):
        return [_input(path)]
    found = glob.iglob(path, recursive=True)  # noqa: PTH207 - `Path.glob` takes no whole paths
    return [_input(each) for each in found if not Path(each).is_dir()]


def _input(path: str) -> Input:
    try:
        known = Path(path).stat()
    except OSError:
        return Input(path, -1, 0)  # opening it reports why it cannot be read
    return Input(path, known.st_size, known.st_mtime_ns)


def _remote(url: str) -> list[Input]:
    from pyarrow import fs  # noqa: PLC0415 - only URLs need it

    head, magic, _ = url.partition("*")
    if magic:
        head = head.rpartition("/")[0]
    system, path = fs.FileSystem.from_uri(head)
    scheme = (
        url[: len(head) - len(path)] if head.endswith(path) else url.partition("://")[0] + "://"
    )
    info = system.get_file_info(path)
    if info.type is fs.FileType.Directory:
        infos = system.get_file_info(fs.FileSelector(path, recursive=True))
    else:
        infos = [info]
    files = (each for each in infos if each.type is not fs.FileType.Directory)
    names = ((f"{scheme}{each.path}", each) for each in files)
    chosen = [(name, each) for name, each in names if not magic or _matches(name, url)]
    return [Input(name, each.size or -1, each.mtime_ns or 0) for name, each in chosen]


def _matches(name: str, pattern: str) -> bool:
    """Return whether a URL matches a pattern: `*` does not cross folders, `**` does."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    meant = "".join(words.get(each, re.escape(each)) for each in parts)
    return re.fullmatch(meant, name) is not None


class _Stream:
    """A file opened by pyarrow, with the name that the user gave."""

    def __init__(self, url: str, start: int = 0) -> None:
        from pyarrow import fs  # noqa: PLC0415

        self.name = url
        try:
            system, path = fs.FileSystem.from_uri(url)
            self._stream: Any = system.open_input_file(path)
        except FileNotFoundError:
            raise CaptureError(f"{url}: no such file") from None
        except (OSError, ValueError) as error:
            raise CaptureError(f"{url}: cannot be opened: {error}") from None
        if start:
            self._stream.seek(start)

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - a source's signature
        """Return True: the bytes of a file are available."""
        return True

    def read(self, most: int) -> bytes:
        """Read at most so many bytes."""
        data: bytes = self._stream.read(most)
        return data

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
