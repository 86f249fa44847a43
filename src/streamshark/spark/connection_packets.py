"""Packets by connection: input of the task that keeps a connection's state in a query.

A *bundle* holds the packets of one connection in a window of a capture as one value, so that Spark
moves few large values instead of many small ones. Each capture also has a note: its first and last
time, and its damage.
"""

import json
import struct
from array import array
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from streamshark.capture import Capture, CaptureError
from streamshark.capture.packet import PacketBatch
from streamshark.checkpoint import FinishedCapture
from streamshark.flows.ip import TcpHeader, endpoints, find_in_datagram, find_tcp
from streamshark.flows.ip_fragments import Fragment, IncompleteDatagrams
from streamshark.splits.inputs import opened

SLIP = ""
"""Connection of a bundle that is a capture's note."""
NEAR = 16
"""Most missing packet numbers that are filled with empty entries to keep one batch."""
MOST_FRAGMENTS = 4096
"""Most fragments that are kept until their datagram is complete."""
_NO_LINK = -1
_COUNT = struct.Struct("<q")
_COLUMNS = 5
"""Columns of a packet: number, time, captured and original length, link type."""


class PacketBundle(NamedTuple):
    """A row of the table `bundles`."""

    connection: str
    """Both endpoints, the smaller first; `SLIP` for a capture's note."""
    file: str
    time_ns: int
    """Time in ns of the first packet."""
    packets: bytes


class CaptureNote(NamedTuple):
    """Time span and damage of a capture."""

    file: str
    first_ns: int | None
    last_ns: int | None
    packets: int
    reason: str | None
    """Why it could not be read, or not to its end; None if it was."""

    def bundle(self) -> PacketBundle:
        """Return the note as a bundle."""
        return PacketBundle(SLIP, self.file, self.first_ns or 0, json.dumps(self).encode())

    @classmethod
    def of(cls, packets: bytes) -> "CaptureNote":
        """Return the note in a bundle's bytes."""
        return cls(*json.loads(packets))


def bundles(name: str) -> Iterator[PacketBundle]:
    """Yield a capture as bundles, its note last."""
    try:
        capture = opened(name, 0)
    except CaptureError as error:
        yield CaptureNote(name, None, None, 0, str(error).removeprefix(f"{name}: ")).bundle()
        return
    sorting = _Sorting()
    for batch in capture.batches():
        for connection, chosen in sorting.sort(batch):
            yield PacketBundle(connection, name, batch.times[chosen[0][1]], packed(chosen))
    yield CaptureNote(
        name, capture.first_ns, capture.last_ns, capture.packets, capture.damage
    ).bundle()


class _Sorting:
    """Sorting of packets by connection; fragments are sorted with their datagram."""

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}
        self._fragments = IncompleteDatagrams()
        self._held: dict[bytes, list[tuple[PacketBatch, int]]] = {}
        self._holds = 0

    def sort(self, batch: PacketBatch) -> list[tuple[str, list[tuple[PacketBatch, int]]]]:
        """Return the connections of a batch with their packets, by number."""
        out: dict[str, list[tuple[PacketBatch, int]]] = {}
        data, links, original = batch.data, batch.links, batch.original
        for at, (start, captured) in enumerate(zip(batch.starts, batch.captured, strict=True)):
            found = find_tcp(links[at], data, start, captured, original[at])
            if isinstance(found, TcpHeader):
                out.setdefault(self._name(found.key), []).append((batch, at))
            elif isinstance(found, Fragment):
                for connection, pieces in self._joined(found, batch, at):
                    mine = out.setdefault(connection, [])
                    mine += pieces
                    mine.sort(key=lambda one: one[0].first + one[1])
        return list(out.items())

    def _name(self, key: bytes) -> str:
        name = self._names.get(key)
        if name is None:
            addresses, _ = endpoints(key)
            name = self._names[key] = " ".join(sorted(addresses))
        return name

    def _joined(
        self, found: Fragment, batch: PacketBatch, at: int
    ) -> Iterator[tuple[str, list[tuple[PacketBatch, int]]]]:
        """Yield the connection and fragments of a datagram that is complete now."""
        if self._holds >= MOST_FRAGMENTS:
            self._holds -= len(self._held.pop(next(iter(self._held))))
        self._held.setdefault(found.key, []).append((batch, at))
        self._holds += 1
        whole = self._fragments.add(found, batch.times[at])
        if whole is None:
            return
        pieces = self._held.pop(found.key)
        self._holds -= len(pieces)
        inside = find_in_datagram(found, whole)
        if isinstance(inside, TcpHeader):
            yield self._name(inside.key), pieces


def packed(chosen: Iterable[tuple[PacketBatch, int]]) -> bytes:
    """Return packets as bytes: their count, their columns, then their data."""
    columns = [array("q") for _ in range(_COLUMNS)]
    parts = []
    for batch, at in chosen:
        start, captured = batch.starts[at], batch.captured[at]
        row = (batch.first + at, batch.times[at], captured, batch.original[at], batch.links[at])
        for column, each in zip(columns, row, strict=True):
            column.append(each)
        parts.append(batch.data[start : start + captured])
    head = [_COUNT.pack(len(parts)), *(each.tobytes() for each in columns)]
    return b"".join([*head, *parts])


def unpacked(data: bytes, file: int) -> Iterator[PacketBatch]:
    """Yield the packets in bytes from `packed`, with their original numbers."""
    (count,) = _COUNT.unpack_from(data)
    size = count * 8
    columns = []
    for at in range(_COLUMNS):
        column = array("q")
        column.frombytes(data[_COUNT.size + at * size : _COUNT.size + (at + 1) * size])
        columns.append(column)
    start = _COUNT.size + _COLUMNS * size
    batch: PacketBatch | None = None
    for number, time_ns, captured, original, link in zip(*columns, strict=True):
        if batch is None or not 0 <= number - (batch.first + len(batch)) <= NEAR:
            if batch is not None:
                yield batch
            batch = PacketBatch(file, number, data)
        while batch.first + len(batch) < number:
            _add(batch, batch.times[-1], start, 0, 0, _NO_LINK)
        _add(batch, time_ns, start, captured, original, link)
        start += captured
    if batch is not None:
        yield batch


def _add(batch: PacketBatch, *row: int) -> None:
    columns = (batch.times, batch.starts, batch.captured, batch.original, batch.links)
    for column, each in zip(columns, row, strict=True):
        column.append(each)


class BundledCapture(FinishedCapture):
    """The packets of one connection in one file, as a capture."""

    def __init__(self, name: str, file: int, found: Iterable[bytes]) -> None:
        super().__init__(name, file)
        self.found = found

    def batches(
        self,
        window: int = 0,  # noqa: ARG002 - a capture's
        limit: int | None = None,  # noqa: ARG002
        idle: float | None = None,  # noqa: ARG002
    ) -> Iterator[PacketBatch]:
        """Yield the packets; the arguments of `Capture.batches` are ignored."""
        for each in self.found:
            yield from unpacked(each, self.file)


def captures(found: Iterable[PacketBundle], first: int) -> list[Capture]:
    """Return bundles of one connection as captures, one for each file, numbered from `first` on."""
    files: dict[str, list[PacketBundle]] = {}
    for each in found:
        files.setdefault(each.file, []).append(each)
    ordered = sorted(files.items(), key=lambda one: (min(each.time_ns for each in one[1]), one[0]))
    return [
        BundledCapture(name, first + at, [each.packets for each in sorted(mine, key=_order)])
        for at, (name, mine) in enumerate(ordered)
    ]


def _order(one: PacketBundle) -> Any:  # noqa: ANN401 - sorts
    return _COUNT.unpack_from(one.packets, _COUNT.size)
