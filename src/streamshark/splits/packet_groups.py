"""Packets put together by group of connections, in files: what the first stage on Spark writes.

One task walks over consecutive packets of the captures and writes files. Each holds the packets of
every group in blocks, one group after the other, so that a task that reads a group reads one
stretch of each file. Packets keep their numbers, and their places among all packets that the task
has read. Packets that are not TCP are left out.
"""

import marshal
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import pyarrow as pa

from streamshark.capture.packet import PacketBatch
from streamshark.flows.ip import TcpHeader, endpoints, find_in_datagram
from streamshark.flows.ip_fragments import Fragment, IncompleteDatagrams
from streamshark.splits.partition import share_of, tcp_of

BUFFERED: Final = 64 << 20
"""Bytes of packets that are kept before they are written."""
BLOCK: Final = 256 << 10
"""Bytes of packets of a block."""
MOST_PACKETS: Final = 512
"""Most packets of a block."""
MOST_FRAGMENTS: Final = 4096
"""Most fragments that are kept until their datagram is complete."""
EVERY: Final = -1
"""Group of packets that every group may need: fragments whose other parts are not at hand."""
CODECS: Final = ("none", "lz4", "zstd")
_SIZES: Final = struct.Struct("<III")
"""Bytes of a block's columns, of its packets as written, and of its packets."""
_END: Final = struct.Struct("<Q")


class PacketPlace(NamedTuple):
    """Place of a packet among all packets of a reading."""

    part: int
    """Number of the part of the captures that one task has walked over."""
    place: int
    """Its place there."""


class GroupedBatch(NamedTuple):
    """Packets of one group."""

    batch: PacketBatch
    places: list[int]
    """Place of each packet in its part."""
    part: int
    epoch: int
    """How often the clock was set back before them in this part."""


class _PendingPackets:
    """Packets of one group that are not in a block yet."""

    def __init__(self, file: int, epoch: int) -> None:
        self.file, self.epoch = file, epoch
        self.columns: tuple[list[int], ...] = ([], [], [], [], [], [])
        """Places, numbers, times, captured and original lengths, link types."""
        self.data: list[bytes] = []
        self.size = 0


class PacketGroups:
    """Writer of the packets of `groups` groups of connections into a folder.

    Files get the name `name`, a number, and are moved to their place by `finish`.
    """

    def __init__(self, folder: Path, name: str, groups: int, codec: str = CODECS[0]) -> None:
        self.groups = groups
        self.sizes = [0] * groups
        """Bytes of each group."""
        self.written: list[Path] = []
        self._folder, self._name, self._codec = folder, name, codec
        self._group_of: dict[bytes, int] = {}
        self._fragments = IncompleteDatagrams()
        self._held: dict[bytes, list[tuple[int, int, PacketBatch, int]]] = {}
        """Fragments of incomplete datagrams: place, epoch, batch and place in it."""
        self._holds = 0
        self._apart: list[tuple[int, int, PacketBatch, int]] = []
        """Fragments that every group may need."""
        self._pending: dict[int, _PendingPackets] = {}
        self._blocks: dict[int, list[bytes]] = {}
        self._buffered = 0
        self.place = 0
        """Number of packets so far."""

    def add(self, batch: PacketBatch, epoch: int) -> None:
        """Add packets; `epoch` counts how often the clock was set back before them."""
        group_of, place = self._group_of, self.place
        for at in range(len(batch)):
            found = tcp_of(batch, at)
            if isinstance(found, bytes):
                group = group_of.get(found)
                if group is None:
                    group = group_of[found] = share_of(endpoints(found)[0], self.groups)
                self._put(group, place + at, epoch, batch, at)
            elif found is not None:
                self._join(found, place + at, epoch, batch, at)
        self.place += len(batch)
        if self._buffered >= BUFFERED:
            self._write()

    def finish(self) -> int:
        """Write what is left; return the number of files."""
        self._write()
        for path in self.written:
            path.replace(path.with_name(path.name.rpartition(".")[0]))
        return len(self.written)

    def drop(self) -> None:
        """Remove files that were not moved."""
        for path in self.written:
            path.unlink(missing_ok=True)

    def _put(self, group: int, place: int, epoch: int, batch: PacketBatch, at: int) -> None:
        pending = self._pending.get(group)
        if pending is None or pending.file != batch.file or pending.epoch != epoch:
            self._close(group)
            pending = self._pending[group] = _PendingPackets(batch.file, epoch)
        start, captured = batch.starts[at], batch.captured[at]
        row = (place, batch.packets[at], batch.times[at], captured, batch.original[at],
               batch.links[at])  # fmt: skip
        for column, each in zip(pending.columns, row, strict=True):
            column.append(each)
        pending.data.append(batch.data[start : start + captured])
        pending.size += captured
        self._buffered += captured
        if pending.size >= BLOCK or len(pending.data) >= MOST_PACKETS:
            self._close(group)

    def _join(self, found: Fragment, place: int, epoch: int, batch: PacketBatch, at: int) -> None:
        """Keep a fragment; add those of a datagram that is complete now."""
        if self._holds >= MOST_FRAGMENTS:
            pieces = self._held.pop(next(iter(self._held)))
            self._holds -= len(pieces)
            self._apart += pieces
        self._held.setdefault(found.key, []).append((place, epoch, _alone(batch, at), 0))
        self._holds += 1
        whole = self._fragments.add(found, batch.times[at])
        if whole is None:
            return
        pieces = self._held.pop(found.key)
        self._holds -= len(pieces)
        inside = find_in_datagram(found, whole)
        if isinstance(inside, TcpHeader):
            group = share_of(endpoints(inside.key)[0], self.groups)
        elif isinstance(inside, Fragment):
            self._apart += pieces
            return
        else:
            return
        for _, _, other, there in pieces:
            self._put(group, place, epoch, other, there)

    def _close(self, group: int) -> None:
        """Make a block of the packets of a group."""
        pending = self._pending.pop(group, None)
        if pending is None:
            return
        data = b"".join(pending.data)
        packed = data if self._codec == CODECS[0] else _compressed(data, self._codec)
        columns = marshal.dumps((pending.file, pending.epoch, self._codec, *pending.columns))
        head = _SIZES.pack(len(columns), len(packed), len(data))
        self._blocks.setdefault(group, []).append(b"".join((head, columns, packed)))
        if group != EVERY:
            self.sizes[group] += len(data)

    def _write(self) -> None:
        """Write a file with all blocks; the rest of incomplete datagrams may come in the next."""
        self._apart += (each for pieces in self._held.values() for each in pieces)
        for place, epoch, batch, at in sorted(self._apart, key=itemgetter(0)):
            self._put(EVERY, place, epoch, batch, at)
        self._apart, self._held, self._holds = [], {}, 0
        self._fragments = IncompleteDatagrams()
        for group in list(self._pending):
            self._close(group)
        self._buffered = 0
        if not self._blocks:
            return
        path = self._folder / f"{self._name}-{len(self.written):03}.{id(self)}"
        self._folder.mkdir(parents=True, exist_ok=True)
        self.written.append(path)
        stretches = {}
        with path.open("wb") as file:
            for group in sorted(self._blocks):
                start = file.tell()
                for each in self._blocks[group]:
                    file.write(each)
                stretches[group] = start, file.tell() - start
            end = file.tell()
            file.write(marshal.dumps(stretches))
            file.write(_END.pack(end))
        self._blocks = {}


class PartFiles(NamedTuple):
    """The files of one part of the captures."""

    part: int
    paths: tuple[Path, ...]
    """In the order of the packets."""


def group_packets(
    parts: Iterable[PartFiles],
    groups: Sequence[int],
    wanted: Callable[[bytes], bool] | None = None,
) -> Iterator[GroupedBatch]:
    """Yield the packets of some groups in order, from the files of all parts.

    Args:
        parts: The files.
        groups: The groups.
        wanted: Returns whether packets with these addresses and ports are wanted; by default all.
    """
    for part, paths in parts:
        for path in paths:
            yield from _of_file(path, part, groups, wanted)


def _of_file(
    path: Path, part: int, groups: Sequence[int], wanted: Callable[[bytes], bool] | None
) -> Iterator[GroupedBatch]:
    with path.open("rb") as file:
        file.seek(-_END.size, 2)
        end = file.tell()
        (index,) = _END.unpack(file.read())
        file.seek(index)
        stretches: dict[int, tuple[int, int]] = marshal.loads(file.read(end - index))  # noqa: S302 - our own
        found = [stretches[each] for each in (*groups, EVERY) if each in stretches]
        if len(found) == 1 and wanted is None:
            yield from _blocks(file, *found[0], part)
            return
    if found:
        yield from _merged(path, part, found, wanted)


def _blocks(file: BinaryIO, start: int, size: int, part: int) -> Iterator[GroupedBatch]:
    """Yield the blocks of one group in a file."""
    end = start + size
    while start < end:
        file.seek(start)
        of_columns, of_packed, of_data = _SIZES.unpack(file.read(_SIZES.size))
        number, epoch, codec, places, numbers, times, captured, original, links = marshal.loads(  # noqa: S302 - our own
            file.read(of_columns)
        )
        data = file.read(of_packed)
        if codec != CODECS[0]:
            data = pa.decompress(data, of_data, codec=codec, asbytes=True)
        starts = list(accumulate(captured, initial=0))
        del starts[-1]
        batch = PacketBatch(
            number, numbers[0], data, times, starts, captured, original, links, None, numbers
        )
        yield GroupedBatch(batch, places, part, epoch)
        start += _SIZES.size + of_columns + of_packed


def _merged(
    path: Path,
    part: int,
    found: Sequence[tuple[int, int]],
    wanted: Callable[[bytes], bool] | None,
) -> Iterator[GroupedBatch]:
    """Yield the packets of several groups in a file in their order."""

    def packets(start: int, size: int) -> Iterator[tuple[int, GroupedBatch, int]]:
        with path.open("rb") as file:
            for each in _blocks(file, start, size, part):
                for at, place in enumerate(each.places):
                    key = tcp_of(each.batch, at) if wanted is not None else None
                    if wanted is None or key.__class__ is not bytes or wanted(key):
                        yield place, each, at

    columns: tuple[list[int], ...] = ([], [], [], [], [], [])
    data: list[bytes] = []
    now: tuple[int, int] | None = None
    both = (packets(*each) for each in found)
    for place, group, at in merge(*both, key=lambda each: each[0]):
        batch = group.batch
        of = batch.file, group.epoch
        if now is not None and (of != now or len(data) >= MOST_PACKETS):
            yield _made(part, now, columns, data)
            columns, data = ([], [], [], [], [], []), []
        now = of
        start, captured = batch.starts[at], batch.captured[at]
        row = (place, batch.packets[at], batch.times[at], captured, batch.original[at],
               batch.links[at])  # fmt: skip
        for column, each in zip(columns, row, strict=True):
            column.append(each)
        data.append(batch.data[start : start + captured])
    if now is not None:
        yield _made(part, now, columns, data)


def _made(
    part: int, of: tuple[int, int], columns: tuple[list[int], ...], data: list[bytes]
) -> GroupedBatch:
    places, numbers, times, captured, original, links = columns
    starts = list(accumulate(captured, initial=0))
    del starts[-1]
    batch = PacketBatch(
        of[0], numbers[0], b"".join(data), times, starts, captured, original, links, None, numbers
    )
    return GroupedBatch(batch, places, part, of[1])


def _alone(batch: PacketBatch, at: int) -> PacketBatch:
    """Return one packet of a batch, without the bytes of the others."""
    start, captured = batch.starts[at], batch.captured[at]
    return PacketBatch(
        batch.file, batch.packets[at], batch.data[start : start + captured], [batch.times[at]],
        [0], [captured], [batch.original[at]], [batch.links[at]],
    )  # fmt: skip


def _compressed(data: bytes, codec: str) -> bytes:
    packed: bytes = pa.compress(data, codec=codec, asbytes=True)
    return packed
