"""A number for every packet of a reading, on disk, so that memory does not grow with it."""

import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

NONE = -1
"""The number of a packet that was given none."""
_BLOCK = 65_536
"""Packets whose numbers are read at once."""


class PacketColumn:
    """A column of numbers from 0 on for each capture file, in temporary files that have no names.

    Numbers are signed, of the type of `array` that is given.
    """

    def __init__(self, typecode: str) -> None:
        self._typecode = typecode
        self._columns: dict[int, IO[bytes]] = {}

    def add(self, file: int, first: int, numbers: Iterable[int]) -> None:
        """Add the numbers of packets, the first of which is packet `first`."""
        column = self._columns.get(file)
        if column is None:
            column = self._columns[file] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        added = array(self._typecode, (each + 1 for each in numbers))  # 0, as in a hole: none
        column.seek((first - 1) * added.itemsize)
        column.write(added.tobytes())

    def of(self, file: int, first: int, count: int) -> Sequence[int]:
        """Return the numbers of so many packets from `first` on."""
        column = self._columns.get(file)
        if column is None:
            return [NONE] * count
        found = array(self._typecode)
        column.seek((first - 1) * found.itemsize)
        found.frombytes(column.read(count * found.itemsize))
        return [each - 1 for each in found] + [NONE] * (count - len(found))

    def blocks(self) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Yield the numbers of all packets, with the file and the first packet's number."""
        size = array(self._typecode).itemsize
        for file, column in self._columns.items():
            count = column.seek(0, os.SEEK_END) // size
            for first in range(1, count + 1, _BLOCK):
                yield file, first, self.of(file, first, min(_BLOCK, count + 1 - first))

    def close(self) -> None:
        """Delete the files."""
        for each in self._columns.values():
            each.close()
        self._columns.clear()
