"""Columns and records on disk: appended by one process, mapped by others while it does.

A column is a file of numbers of one width. A record file is a file of blocks, each the records that
were added together, packed and compressed, with a column of where blocks begin. A reader uses only
what was committed: how much that is stands in another file (`index.progress`).
"""

import marshal
import mmap
import os
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import zstandard

from streamshark.errors import StreamsharkError

MODE: Final = 0o600
"""Rights of every file of an index: captures hold secrets."""
MOST_RECORDS: Final = 256
"""Most records of a block."""
MOST_BYTES: Final = 64 * 1024
"""Approximate bytes of records after which a block is written."""
MOST_WAITING: Final = 1 << 20
"""Bytes of blocks after which they are written."""
MOST_UNPACKED: Final = 1 << 30
"""Most bytes of a block once unpacked; blocks of a sound index are far smaller."""
CACHED: Final = 64
"""Blocks of a record file that a reader keeps."""
RESIDENT: Final = 4 << 20
"""Bytes of a column that may stay in memory after all of it was read."""
COPIED: Final = 1 << 20
"""Bytes that are copied at once."""
LEVEL, FAST_LEVEL = 3, 1
"""Levels of compression: of small records, and of bytes."""


class IndexDamageError(StreamsharkError):
    """Error: the files of an index do not hold what they should."""


def opened(path: Path, size: int) -> int:
    """Return the descriptor of a file that is appended to after its first `size` bytes.

    What follows these is dropped in a new file, as other processes may have mapped the old one.
    """
    try:
        known = path.stat().st_size
    except FileNotFoundError:
        known = 0
    if known < size:
        raise IndexDamageError(f"{path}: the index is incomplete")
    if known > size:
        replace(path, size)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_APPEND, MODE)


def replace(path: Path, size: int, data: bytes | None = None) -> None:
    """Replace a file by a new one with its first `size` bytes, or with other bytes."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, MODE), "wb") as out:
        if data is not None:
            out.write(data)
        elif size:
            with path.open("rb") as old:
                left = size
                while left and (part := old.read(min(left, COPIED))):
                    out.write(part)
                    left -= len(part)
    fresh.replace(path)


def write_all(file: int, data: bytes) -> None:
    """Write bytes at the end of a file."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


class ColumnWriter:
    """A column to which numbers are appended; `code` is that of `array`."""

    def __init__(self, path: Path, code: str, count: int = 0) -> None:
        """Open the column, and drop all but its first `count` numbers."""
        self.code, self.count = code, count
        """The code, and how many numbers were written."""
        self._pending = array(code)
        self.width = self._pending.itemsize
        self._file = opened(path, count * self.width)

    def add(self, numbers: Sequence[int]) -> None:
        """Append numbers; `flush` writes them."""
        self._pending += array(self.code, numbers)

    def number(self, at: int) -> int:
        """Return a number that was added."""
        if at >= self.count:
            return self._pending[at - self.count]
        return array(self.code, os.pread(self._file, self.width, at * self.width))[0]

    def flush(self) -> None:
        """Write the numbers that were added."""
        if self._pending:
            write_all(self._file, self._pending.tobytes())
            self.count += len(self._pending)
            self._pending = array(self.code)

    def add_zeros(self, count: int) -> None:
        """Write zeros: a hole would end a program that maps it once a disk in memory is full."""
        write_all(self._file, bytes(count * self.width))
        self.count += count

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class Column(Sequence[int]):
    """A mapped column, up to the numbers that were committed."""

    def __init__(self, path: Path, code: str) -> None:
        self._path, self.code = path, code
        self.width = array(code).itemsize
        self._map: mmap.mmap | None = None
        self.numbers: Sequence[int] = ()
        """The numbers: a view of the mapped file."""
        self.length = 0

    def reach(self, count: int) -> None:
        """Map the file again so that `count` numbers are there.

        Raises:
            IndexDamageError: The file has fewer.
        """
        if count == self.length:
            return
        if not count:
            self._map, self.length, self.numbers = None, 0, ()
            return
        try:
            with self._path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < count * self.width:
                    raise IndexDamageError(f"{self._path}: the index is incomplete")
                mapped = mmap.mmap(file.fileno(), count * self.width, access=mmap.ACCESS_READ)
        except OSError as error:
            raise IndexDamageError(f"{self._path}: {error.strerror or error}") from None
        # Views of the old map may be in use: it is freed with the last of them.
        self._map, self.length = mapped, count
        self.numbers = memoryview(mapped).cast(self.code)  # type: ignore[call-overload]

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - as of any sequence
        return self.numbers[at]

    def places(self, number: int, start: int = 0, end: int | None = None) -> Iterator[int]:
        """Yield where a number stands in the column, between two places."""
        if self._map is None:
            return
        width, mapped = self.width, self._map
        if not 0 <= number < 1 << 8 * width:
            return
        wanted = array(self.code, [number]).tobytes()
        at, last = start * width, (self.length if end is None else min(end, self.length)) * width
        while (at := mapped.find(wanted, at, last)) >= 0:
            if at % width:
                at += 1
                continue
            yield at // width
            at += width
        self.release()

    def release(self) -> None:
        """Give back the memory of a long column that was read; it is read again when needed."""
        if self._map is not None and self.length * self.width > RESIDENT:
            self._map.madvise(mmap.MADV_DONTNEED)


class RecordWriter:
    """A record file to which plain values are appended."""

    def __init__(
        self, path: Path, count: int = 0, blocks: int = 0, size: int = 0, *, level: int = LEVEL
    ) -> None:
        """Open the file, and drop what was written after `count` records in `blocks` blocks."""
        self.count, self.size = count, size
        """Number of records, and bytes of the blocks, so far."""
        self._file = opened(path, size)
        self._starts = ColumnWriter(path.with_suffix(".starts"), "Q", 2 * blocks)
        self._blocks = blocks
        self._packed: list[bytes] = []
        """Blocks that are not written yet."""
        self._packed_bytes = 0
        self._pending: list[Any] = []
        self._pending_bytes = 0
        self._packer = zstandard.ZstdCompressor(level=level)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return self._blocks

    def add(self, record: Any, size: int = 0) -> int:  # noqa: ANN401 - any plain value
        """Append a record of about `size` bytes beyond the usual ones; return its number."""
        self._pending.append(record)
        self._pending_bytes += size
        self.count += 1
        if len(self._pending) >= MOST_RECORDS or self._pending_bytes >= MOST_BYTES:
            self._pack()
        return self.count - 1

    def flush(self) -> None:
        """Write the records that were added."""
        self._pack()
        if self._packed:
            write_all(self._file, b"".join(self._packed))
            self._packed, self._packed_bytes = [], 0
            self._starts.flush()

    def _pack(self) -> None:
        """Make a block of the records that wait for one."""
        if not self._pending:
            return
        packed = self._packer.compress(marshal.dumps(self._pending))
        first = self.count - len(self._pending)
        self._packed.append(packed)
        self._packed_bytes += len(packed)
        self._starts.add((first, self.size))
        self._blocks += 1
        self.size += len(packed)
        self._pending, self._pending_bytes = [], 0
        if self._packed_bytes >= MOST_WAITING:
            self.flush()

    def close(self) -> None:
        """Close the files."""
        os.close(self._file)
        self._starts.close()


class Records(Sequence[Any]):
    """The committed records of a record file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._starts = Column(path.with_suffix(".starts"), "Q")
        self._firsts: Sequence[int] = ()
        self._size = 0
        self.length = 0
        self._file: int | None = None
        self._blocks: OrderedDict[int, list[Any]] = OrderedDict()
        """The blocks that were read last."""
        self._unpacker = zstandard.ZstdDecompressor()

    def reach(self, count: int, blocks: int, size: int) -> None:
        """Use what was written up to here.

        Raises:
            IndexDamageError: The files have less.
        """
        if count == self.length:
            return
        self._starts.reach(2 * blocks)
        self._blocks.pop(len(self._firsts) - 1, None)  # it ended where the file did
        self._firsts = self._starts[::2]
        self.length, self._size = count, size

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, number: Any) -> Any:  # noqa: ANN401 - as of any sequence
        if not 0 <= number < self.length:
            raise IndexError(number)
        block = bisect_right(self._firsts, number) - 1
        return self._block(block)[number - self._firsts[block]]

    def __iter__(self) -> Iterator[Any]:
        for block in range(len(self._firsts)):
            yield from self._block(block)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def reopen(self) -> None:
        """Forget what was read: another process has begun to write the file."""
        self.close()
        self._blocks.clear()
        self._firsts, self.length = (), 0
        self._starts = Column(self._path.with_suffix(".starts"), "Q")

    def _block(self, number: int) -> list[Any]:
        found = self._blocks.get(number)
        if found is None:
            found = self._blocks[number] = self._read(number)
            if len(self._blocks) > CACHED:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(number)
        return found

    def _read(self, number: int) -> list[Any]:
        """Return the records of a block.

        Raises:
            IndexDamageError: They cannot be read.
        """
        start, last = self._starts[2 * number + 1], number + 1 == len(self._firsts)
        end = self._size if last else self._starts[2 * number + 3]
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            packed = os.pread(self._file, end - start, start)
            unpacked = self._unpacker.decompress(packed, MOST_UNPACKED)
            records = marshal.loads(unpacked)  # noqa: S302 - a file of the user's own
        except (OSError, ValueError, EOFError, TypeError, zstandard.ZstdError) as error:
            raise IndexDamageError(f"{self._path}: block {number} is damaged: {error}") from None
        if not isinstance(records, list):
            raise IndexDamageError(f"{self._path}: block {number} is damaged")
        return records
