"""Packets put together by bucket of connections, in files: what the first stage on Spark writes.

The bucket of a connection is a hash of its endpoints. One task walks over consecutive packets of
the captures and writes files. Each holds the packets of every bucket, one bucket after the other,
so that a task reads the buckets it is given and skips the others. Packets keep their numbers, and
their places among all packets that the task has read. Packets that are not TCP are left out.
"""

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from streamshark.capture.packet import PacketBatch
from streamshark.flows.ip import TcpHeader, endpoints, find_in_datagram
from streamshark.flows.ip_fragments import Fragment, IncompleteDatagrams
from streamshark.splits.partition import share_of, tcp_keys

BUFFERED: Final = 64 << 20
"""Bytes of packets that are kept before they are written."""
BATCH: Final = 256 << 10
"""Bytes of packets of a batch, at most, unless one packet has more."""
MOST_PACKETS: Final = 512
"""Most packets of a batch."""
CODECS: Final = ("none", "lz4", "zstd")
_UNWANTED: Final = -1
"""Bucket of packets that are not TCP."""
_BLOCK: Final = struct.Struct("<IIIIII")
"""Number of the capture, epoch, codec and packets of a block; bytes of them as written, and of
them."""
_END: Final = struct.Struct("<Q")
"""Number of buckets."""
_OFFSET: Final = 8
"""Bytes of a number in a column, or of an offset."""
_COLUMNS: Final = (
    attrgetter("packets"), attrgetter("times"), attrgetter("captured"), attrgetter("original"),
    attrgetter("links"), attrgetter("starts"),
)  # fmt: skip
"""Columns of packets, after their places."""
_PLACE, _NUMBER, _TIME, _CAPTURED, _ORIGINAL, _LINK, _START, _BUCKET, _WINDOW, _FILE, _EPOCH = (
    range(11)
)
_WRITTEN: Final = _START
"""Number of columns that are written."""
Numbers = NDArray[np.int64]


class PacketPlace(NamedTuple):
    """Place of a packet among all packets of a reading."""

    part: int
    """Number of the part of the captures that one task has walked over."""
    place: int
    """Its place there."""


class GroupedBatch(NamedTuple):
    """Packets of some connections."""

    batch: PacketBatch
    places: list[int]
    """Place of each packet in its part."""
    part: int
    epoch: int
    """How often the clock was set back before them in this part."""


class PacketBuckets:
    """Writer of the packets of `buckets` buckets of connections into a folder.

    Files get the name `name`, a number, and are moved to their place by `finish`.
    """

    def __init__(self, folder: Path, name: str, buckets: int, codec: str = CODECS[0]) -> None:
        self.buckets = buckets
        self.sizes = np.zeros(buckets, np.int64)
        """Bytes of each bucket."""
        self.written: list[Path] = []
        self._folder, self._name, self._codec = folder, name, CODECS.index(codec)
        self._bucket_of: dict[bytes, int] = {}
        self._fragments = IncompleteDatagrams()
        self._held: dict[bytes, list[int]] = {}
        """Fragments of incomplete datagrams: their places since the last file."""
        self._batches: list[PacketBatch] = []
        """Packets since the last file."""
        self._epochs: list[int] = []
        self._chosen: list[int] = []
        """Bucket of each packet since the last file; `buckets` for fragments that each may need."""
        self._buffered = 0
        self.place = 0
        """Number of packets so far."""

    def add(self, batch: PacketBatch, epoch: int) -> None:
        """Add packets; `epoch` counts how often the clock was set back before them."""
        known, choose = self._bucket_of, self._chosen.append
        for at, found in enumerate(tcp_keys(batch)):
            if found.__class__ is bytes:
                bucket = known.get(found)
                if bucket is None:
                    bucket = known[found] = share_of(endpoints(found)[0], self.buckets)
                choose(bucket)
            elif isinstance(found, Fragment):
                choose(self.buckets)
                self._join(found, batch.times[at])
            else:
                choose(_UNWANTED)
        self._batches.append(batch)
        self._epochs.append(epoch)
        self.place += len(batch)
        self._buffered += sum(batch.captured)
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

    def _join(self, found: Fragment, time_ns: int) -> None:
        """Note the last packet as a fragment; find the bucket of a datagram that is complete."""
        self._held.setdefault(found.key, []).append(len(self._chosen) - 1)
        whole = self._fragments.add(found, time_ns)
        if whole is None:
            return
        pieces = self._held.pop(found.key)
        inside = find_in_datagram(found, whole)
        if isinstance(inside, Fragment):
            return
        bucket = _UNWANTED
        if isinstance(inside, TcpHeader):
            bucket = share_of(endpoints(inside.key)[0], self.buckets)
        for each in pieces:
            self._chosen[each] = bucket

    def _write(self) -> None:
        """Write a file; the rest of incomplete datagrams may come in the next."""
        found = _ordered(self._batches, self._epochs, self._chosen, self.place)
        windows = [each.data for each in self._batches]
        self._batches, self._epochs, self._chosen, self._buffered = [], [], [], 0
        self._held, self._fragments = {}, IncompleteDatagrams()
        if not found.shape[1]:
            return
        chosen, sizes = found[_BUCKET], found[_CAPTURED]
        summed = np.bincount(chosen, weights=sizes, minlength=self.buckets + 1)
        self.sizes += summed[: self.buckets].astype(np.int64)
        path = self._folder / f"{self._name}-{len(self.written):03}.{id(self)}"
        self._folder.mkdir(parents=True, exist_ok=True)
        self.written.append(path)
        offsets = np.zeros(self.buckets + 2, np.uint64)
        with path.open("wb") as file:
            for block in np.split(found, _borders(found[[_BUCKET, _FILE, _EPOCH]]), 1):
                size = self._put(file, block, windows)
                offsets[int(block[_BUCKET, 0]) + 1] += np.uint64(size)
            file.write(np.cumsum(offsets, dtype=np.uint64).tobytes())
            file.write(_END.pack(self.buckets))

    def _put(self, file: BinaryIO, block: Numbers, windows: Sequence[bytes]) -> int:
        """Write packets of one bucket as a block; return its size in bytes."""
        columns = block[:_WRITTEN]
        places = zip(*block[[_WINDOW, _START, _CAPTURED]].tolist(), strict=True)
        data = b"".join([windows[which][at : at + size] for which, at, size in places])
        packed = _compressed(data, CODECS[self._codec]) if self._codec else data
        count, head = block.shape[1], block[[_FILE, _EPOCH], 0].tolist()
        file.write(_BLOCK.pack(*head, self._codec, count, len(packed), len(data)))
        file.write(columns.tobytes())
        file.write(packed)
        return _BLOCK.size + columns.nbytes + len(packed)


def _ordered(
    batches: Sequence[PacketBatch], epochs: Sequence[int], chosen: Sequence[int], place: int
) -> Numbers:
    """Return packets with a bucket, ordered by it, as columns.

    Args:
        batches: All packets.
        epochs: How often the clock was set back before each batch.
        chosen: Bucket of each packet.
        place: Place of the packet after them.
    """
    counts = [len(each) for each in batches]
    columns = [
        np.arange(place - len(chosen), place),
        *(np.fromiter(chain.from_iterable(map(each, batches)), np.int64) for each in _COLUMNS),
        np.array(chosen, np.int64),
        *(
            np.repeat(np.array(list(each), np.int64), counts)
            for each in (range(len(batches)), (each.file for each in batches), epochs)
        ),
    ]
    order = np.argsort(chosen, kind="stable")
    order = order[np.count_nonzero(columns[_BUCKET] == _UNWANTED) :]
    return np.stack([each[order] for each in columns])


def _borders(columns: Numbers) -> Numbers:
    """Return the places at which any of some columns changes."""
    (found,) = np.nonzero(np.any(columns[:, 1:] != columns[:, :-1], 0))
    return found + 1


class PartFiles(NamedTuple):
    """The files of one part of the captures."""

    part: int
    paths: tuple[Path, ...]
    """In the order of the packets."""


def group_packets(
    parts: Iterable[PartFiles],
    buckets: Iterable[int],
    wanted: Callable[[bytes], bool] | None = None,
) -> Iterator[GroupedBatch]:
    """Yield the packets of some buckets in order, from the files of all parts.

    Args:
        parts: The files.
        buckets: The buckets.
        wanted: Returns whether packets with these addresses and ports are wanted; by default all.
    """
    chosen = np.array(sorted(buckets), np.int64)
    for part, paths in parts:
        for path in paths:
            yield from _of_file(path, part, chosen, wanted)


def _of_file(
    path: Path, part: int, buckets: Numbers, wanted: Callable[[bytes], bool] | None
) -> Iterator[GroupedBatch]:
    with path.open("rb") as file:
        found = [block for each in _stretches(file, buckets) for block in _blocks(file, *each)]
    if wanted is not None:
        found = [block for block in (_only(each, wanted) for each in found) if len(block.starts)]
    if found:
        yield from _merged(found, part)


def _stretches(file: BinaryIO, buckets: Numbers) -> Iterator[tuple[int, int]]:
    """Yield begin and end of some buckets in a file, and of fragments that each may need."""
    file.seek(-_END.size, 2)
    end = file.tell()
    (count,) = _END.unpack(file.read())
    offsets = np.memmap(file, np.uint64, "r", end - (count + 2) * _OFFSET, (count + 2,))
    every = np.append(buckets, count)
    begins, ends = offsets[every].tolist(), offsets[every + 1].tolist()
    for begin, until in zip(begins, ends, strict=True):
        if begin != until:
            yield begin, until


class _PacketBlock(NamedTuple):
    """Packets of one bucket and one capture."""

    file: int
    epoch: int
    columns: Numbers
    """Those that are written."""
    starts: Numbers
    """Offset in `data` of each packet."""
    data: bytes


def _blocks(file: BinaryIO, start: int, end: int) -> Iterator[_PacketBlock]:
    """Yield the blocks between two offsets."""
    file.seek(start)
    while start < end:
        of, epoch, codec, count, packed, size = _BLOCK.unpack(file.read(_BLOCK.size))
        width = _WRITTEN * count * _OFFSET
        columns = np.frombuffer(file.read(width), np.int64).reshape(_WRITTEN, count)
        data = file.read(packed)
        if codec:
            data = pa.decompress(data, size, codec=CODECS[codec], asbytes=True)
        starts = np.cumsum(columns[_CAPTURED]) - columns[_CAPTURED]
        yield _PacketBlock(of, epoch, columns, starts, data)
        start += _BLOCK.size + width + packed


def _only(block: _PacketBlock, wanted: Callable[[bytes], bool]) -> _PacketBlock:
    """Return the wanted packets of a block, and fragments."""
    batch = _batch(block, 0, block.columns.shape[1], block.data, block.starts.tolist())
    keys = tcp_keys(batch)
    chosen = np.array([not isinstance(each, bytes) or wanted(each) for each in keys], bool)
    return block._replace(columns=block.columns[:, chosen], starts=block.starts[chosen])


def _merged(blocks: Sequence[_PacketBlock], part: int) -> Iterator[GroupedBatch]:
    """Yield the packets of blocks in the order of their places."""
    counts = [len(each.starts) for each in blocks]
    columns = np.concatenate([each.columns for each in blocks], 1)
    starts = np.concatenate([each.starts for each in blocks])
    which = np.repeat(np.arange(len(blocks)), counts)
    if len(blocks) > 1:
        order = np.argsort(columns[_PLACE])
        columns, starts, which = columns[:, order], starts[order], which[order]
    of = np.array([(each.file, each.epoch) for each in blocks]).T[:, which]
    changes = [*_borders(of).tolist(), len(starts)]
    ends = np.cumsum(columns[_CAPTURED])
    begin = 0
    while begin < len(starts):
        before = 0 if not begin else int(ends[begin - 1])
        end = int(np.searchsorted(ends, before + BATCH, "right"))
        change = changes[bisect_right(changes, begin)]
        end = max(min(end, begin + MOST_PACKETS, change), begin + 1)
        chosen = zip(
            which[begin:end].tolist(), starts[begin:end].tolist(),
            columns[_CAPTURED, begin:end].tolist(), strict=True,
        )  # fmt: skip
        data = b"".join([blocks[at].data[start : start + size] for at, start, size in chosen])
        block = blocks[which[begin]]._replace(columns=columns)
        yield GroupedBatch(
            _batch(block, begin, end, data), columns[_PLACE, begin:end].tolist(), part, block.epoch
        )
        begin = end


def _batch(
    block: _PacketBlock, begin: int, end: int, data: bytes, starts: list[int] | None = None
) -> PacketBatch:
    """Return some packets of a block as a batch; by default their bytes are all of `data`."""
    numbers, times, captured, original, links = block.columns[_NUMBER:, begin:end].tolist()
    if starts is None:
        starts = list(accumulate(captured, initial=0))
        del starts[-1]
    return PacketBatch(
        block.file, numbers[0], data, times, starts, captured, original, links, None, numbers
    )


def _compressed(data: bytes, codec: str) -> bytes:
    packed: bytes = pa.compress(data, codec=codec, asbytes=True)
    return packed
