"""Captures given by paths, and how they are opened: locally, or by URL (`remote_files`).

A folder means all files below it, a pattern (`captures/**/*.pcap`) the files that match it, any
other path itself.
"""

import glob
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from streamshark.capture import Capture, CaptureError, open_capture
from streamshark.capture.source import Source, StreamSource, open_source
from streamshark.splits.remote_files import RemoteStream, is_url, remote_files


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
        for each in _remote(path) if is_url(path) else _local(path):
            found[each.name] = each
    return [found[name] for name in sorted(found)]


def opened(name: str, file: int) -> Capture:
    """Open a capture; raise CaptureError if it cannot be read or is not one."""
    if not is_url(name):
        return open_capture(name, file)
    stream = RemoteStream(name)
    try:
        return open_capture(cast("BinaryIO", stream), file)
    except CaptureError:
        stream.close()
        raise


def part_of(name: str, start: int) -> Source:
    """Return the bytes of a file from `start` on."""
    if is_url(name):
        return StreamSource(cast("BinaryIO", RemoteStream(name, start)), owned=True)
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
    return [Input(*each) for each in remote_files(url)]
