"""The flow number of every packet of a reading, on disk, so that memory does not grow with it."""

import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from streamshark.capture.packet import NO_FLOW

_ITEM = array("i").itemsize
_BLOCK = 65_536
"""Packets whose numbers are read at once."""


class PacketFlows:
    """A column of numbers for each capture file, in temporary files that have no names."""

    def __init__(self) -> None:
        self._columns: dict[int, IO[bytes]] = {}

    def add(self, file: int, first: int, flows: Iterable[int]) -> None:
        """Add the flow numbers of packets, the first of which has the number `first`."""
        column = self._columns.get(file)
        if column is None:
            column = self._columns[file] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        numbers = array("i", (flow + 1 for flow in flows))  # 0, as in a hole: no flow
        column.seek((first - 1) * numbers.itemsize)
        column.write(numbers.tobytes())

    def of(self, file: int, first: int, count: int) -> Sequence[int]:
        """Return the flow numbers of so many packets from `first` on."""
        column = self._columns.get(file)
        if column is None:
            return [NO_FLOW] * count
        numbers = array("i")
        column.seek((first - 1) * numbers.itemsize)
        numbers.frombytes(column.read(count * numbers.itemsize))
        return [each - 1 for each in numbers] + [NO_FLOW] * (count - len(numbers))

    def blocks(self) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Yield the flow numbers of all packets, with the file and the first packet's number."""
        for file, column in self._columns.items():
            count = column.seek(0, os.SEEK_END) // _ITEM
            for first in range(1, count + 1, _BLOCK):
                yield file, first, self.of(file, first, min(_BLOCK, count + 1 - first))

    def close(self) -> None:
        """Delete the files."""
        for each in self._columns.values():
            each.close()
        self._columns.clear()
