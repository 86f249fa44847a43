"""Parts of large captures, at the borders of packets, so that several tasks can read one file.

A walk over the record headers finds the borders; each split keeps what the reader knew there
(interfaces, byte order, number of the packet), so that it reads its own range alone and gives each
packet the number that it has in the file. What is compressed has one split, as has a small file.
"""

import copy
import pickle
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from streamshark.capture import Capture, CaptureError
from streamshark.capture.capture import WINDOW
from streamshark.spark.inputs import Input, opened, part_of

SIZE = 128 << 20
"""Bytes of a split, about."""


class Split(NamedTuple):
    """A part of a file."""

    start: int
    """Where in the file to go on reading."""
    packets: int
    """How many packets it has."""
    reader: bytes
    """The reader as it was there."""

    def open(self, name: str) -> Capture:
        """The capture, at the beginning of this part."""
        reader, formats = pickle.loads(self.reader)  # noqa: S301 - made by `splits`
        for member, form in formats.items():
            setattr(reader, member, struct.Struct(form).unpack_from)
        reader._source = part_of(name, self.start)  # noqa: SLF001 - what it was parted from
        capture: Capture = reader
        return capture


def splits(file: Input, size: int = SIZE) -> Iterator[Split | None]:
    """The parts of a file; None stands for a file that is read as a whole."""
    if file.size <= size:
        yield None
        return
    try:
        capture = opened(file.name, 0)
    except CaptureError:
        return
    if capture.compression:
        capture.close()
        yield None
        return
    counted = _Counting(capture._source)  # noqa: SLF001 - counts what it gives
    counted.given = len(capture._data)  # noqa: SLF001
    capture._source = counted  # noqa: SLF001
    start, reader, first = counted.given, _parted(capture), 0
    for _ in capture.batches(min(size, WINDOW)):
        if counted.given - start >= size:
            yield Split(start, capture.packets - first, reader)
            start, reader, first = counted.given, _parted(capture), capture.packets
    if capture.packets > first:
        yield Split(start, capture.packets - first, reader)


def _parted(capture: Capture) -> bytes:
    """The reader without where it reads from."""
    parted: Any = copy.copy(capture)
    parted._source = None  # noqa: SLF001
    parted._data = capture._data[capture._at :]  # noqa: SLF001
    parted._base, parted._at = capture._base + capture._at, 0  # noqa: SLF001
    parted.comments, parted.blocks = [], []
    formats = {}
    for name, member in vars(capture).items():
        if isinstance(getattr(member, "__self__", None), struct.Struct):
            formats[name] = member.__self__.format
            del parted.__dict__[name]
    return pickle.dumps((parted, formats))


class _Counting:
    """A source that counts what it gives."""

    def __init__(self, source: Any) -> None:  # noqa: ANN401 - a source
        self._source = source
        self.given = 0

    @property
    def damage(self) -> str | None:
        found: str | None = self._source.damage
        return found

    def read(self, most: int) -> bytes:
        data: bytes = self._source.read(most)
        self.given += len(data)
        return data

    def close(self) -> None:
        self._source.close()
