"""Files of records by 64-bit numbers of what they concern, so that each task reads its part alone.

Numbers that must be together have one label, which is found by all processes alike. The task of a
label is its rest, divided by the number of tasks; those of labels with many bytes are chosen.
"""

import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from streamshark.splits.even_groups import spread
from streamshark.splits.local_numbers import FlowNumber

Keys = NDArray[np.uint64]
_TRAILER: Final = struct.Struct("<QQ")
"""Number of blocks, and bytes of the head."""
_BYTES: Final = 8
_SMALL: Final = 16
"""A label with less than this part of the bytes of a task goes to any."""


class KeyNumbers:
    """Numbers of keys: the same in every process.

    Numbers of connections that only one source knows are distinguished by `source`.
    """

    def __init__(self, source: int) -> None:
        self.source = source
        self._known: dict[Any, int] = {}

    def of(self, key: tuple[Any, ...]) -> int:
        """Return the number of a key."""
        found = self._known.get(key)
        if found is None:
            data = repr(self._plain(key)).encode("utf-8", "surrogatepass")
            found = int.from_bytes(blake2b(data, digest_size=_BYTES).digest(), "little")
            self._known[key] = found
        return found

    def forget(self) -> None:
        """Forget the numbers so far: they are made again."""
        self._known.clear()

    def _plain(self, one: Any) -> Any:  # noqa: ANN401 - any part of a key
        """Return a key with parts that are equal in all processes."""
        if isinstance(one, FlowNumber):
            return ("flow", self.source, int(one))
        if isinstance(one, int):
            return int(one)
        return tuple(map(self._plain, one)) if isinstance(one, tuple) else one


class KeyedWriter:
    """Writer of blocks, each with the number of what it concerns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        """Bytes of the blocks."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._attempt = path.with_name(f"_{path.name}.{uuid4().hex}")
        self._file = self._attempt.open("wb")
        self._columns: tuple[list[int], list[int], list[int]] = ([], [], [])

    def add(self, key: int, chunk: int, block: bytes) -> None:
        """Write a block of a chunk; chunks come in order."""
        for column, value in zip(self._columns, (key, chunk, len(block)), strict=True):
            column.append(value)
        self._file.write(block)
        self.size += len(block)

    def finish(self, head: bytes = b"") -> None:
        """Write the head, and give the file its name."""
        for column in self._columns:
            self._file.write(np.array(column, np.uint64).tobytes())
        self._file.write(head)
        self._file.write(_TRAILER.pack(len(self._columns[0]), len(head)))
        self._file.close()
        self._attempt.replace(self.path)

    def drop(self) -> None:
        """Remove the file, unless it is finished."""
        self._file.close()
        self._attempt.unlink(missing_ok=True)


class KeyedFile:
    """A file of blocks: the number of what each concerns, and the blocks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            file.seek(-_TRAILER.size, 2)
            end = file.tell()
            count, of_head = _TRAILER.unpack(file.read())
            file.seek(end - of_head - 3 * _BYTES * count)
            columns = np.frombuffer(file.read(3 * _BYTES * count), np.uint64).reshape(3, count)
            self.head = file.read(of_head)
        self.keys: Keys
        self.keys, self.chunks, sizes = columns
        self.sizes = sizes.astype(np.int64)
        """Bytes of the blocks."""

    def blocks(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[int, int, bytes]]:
        """Yield chosen blocks in order: key, chunk, block."""
        starts = np.cumsum(self.sizes) - self.sizes
        (places,) = np.nonzero(chosen)
        with self.path.open("rb") as file:
            for at in places.tolist():
                file.seek(int(starts[at]))
                yield int(self.keys[at]), int(self.chunks[at]), file.read(int(self.sizes[at]))


class KeyLabels(NamedTuple):
    """Labels of numbers: those that were united have the smallest of them, others themselves."""

    known: Keys
    """Numbers that were united with others, sorted."""
    labels: Keys

    @classmethod
    def united(cls, pairs: Keys) -> "KeyLabels":
        """Return the labels after uniting pairs of numbers, in two rows."""
        if not pairs.shape[1]:
            return cls(pairs[0], pairs[0])
        known, places = np.unique(pairs, return_inverse=True)
        one, other = places.reshape(2, -1)
        label = np.arange(len(known))
        while True:
            low = np.minimum(label[one], label[other])
            fresh = label.copy()
            for side in (one, other):
                np.minimum.at(fresh, side, low)
                np.minimum.at(fresh, label[side], low)
            while not np.array_equal(fresh, fresh[fresh]):
                fresh = fresh[fresh]
            if np.array_equal(fresh, label):
                return cls(known, known[label])
            label = fresh

    @classmethod
    def read(cls, path: Path) -> "KeyLabels":
        """Return the labels in a file."""
        known, labels = np.load(path)
        return cls(known, labels)

    def of(self, keys: Keys) -> Keys:
        """Return the labels of numbers."""
        if not len(self.known):
            return keys
        at = np.minimum(np.searchsorted(self.known, keys), len(self.known) - 1)
        return np.where(self.known[at] == keys, self.labels[at], keys)


class KeyTasks(NamedTuple):
    """Tasks of labels, of so `many`: those of large ones are chosen by their bytes."""

    many: int
    large: Keys
    """Labels with many bytes, sorted."""
    chosen: NDArray[np.int64]
    """Their tasks."""

    @classmethod
    def even(cls, labels: Keys, sizes: NDArray[np.int64], count: int) -> "KeyTasks":
        """Return tasks with about as many bytes each, given labels of blocks and their bytes."""
        known, places = np.unique(labels, return_inverse=True)
        summed = np.bincount(places, weights=sizes, minlength=len(known)).astype(np.int64)
        is_large = summed * (count * _SMALL) > sizes.sum()
        rest = cls(count, known[:0], np.zeros(0, np.int64)).of(known[~is_large])
        filled = np.bincount(rest, weights=summed[~is_large], minlength=count)
        chosen = spread(summed[is_large].tolist(), filled.astype(np.int64).tolist())
        return cls(count, known[is_large], np.array(chosen, np.int64))

    @classmethod
    def read(cls, path: Path, count: int) -> "KeyTasks":
        """Return what `array` has returned and was written."""
        large, chosen = np.load(path)
        return cls(count, large, chosen.astype(np.int64))

    def array(self) -> Keys:
        """Return the large labels and their tasks in two rows."""
        return np.stack([self.large, self.chosen.astype(np.uint64)])

    def of(self, labels: Keys) -> NDArray[np.int64]:
        """Return the tasks of labels."""
        found = (labels % np.uint64(self.many)).astype(np.int64)
        if not len(self.large):
            return found
        at = np.minimum(np.searchsorted(self.large, labels), len(self.large) - 1)
        return np.where(self.large[at] == labels, self.chosen[at], found)


def pairs_of(found: Sequence[tuple[int, int]] | set[tuple[int, int]]) -> Keys:
    """Return pairs of numbers in two rows."""
    return np.array(sorted(found), np.uint64).reshape(-1, 2).T
