"""A source that follows a file, or the captures in a folder, while other programs write them.

A file is followed as `tail -F` does: if it is renamed, the file that replaces it comes next. A file
of a ring (`ring_names`) is followed by the later ones of the ring. Of a folder, all captures are
read, known by their contents and not by their names, one after the other: a later one ends the one
before it.
"""

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from streamshark.capture import pcapng
from streamshark.capture.file_sequence import FileSequence
from streamshark.capture.pcap import byte_order
from streamshark.capture.ring_names import RingName, ring_name
from streamshark.capture.source import CaptureError, open_source

_MAGIC: Final = 4
_HEAD: Final = 4096
"""First bytes by which a copy of a file is recognised: they hold its first packet."""
_SHARE: Final = 20
"""A look at the folder takes at most this part of the time."""


_Key = tuple[int, int, str]


class _File(NamedTuple):
    """A file as a look at the folder finds it."""

    inode: int
    path: Path
    size: int
    changed_ns: int
    head: bytes = b""
    """Its first bytes, if they were read: those of a file that only grows remain."""

    @property
    def key(self) -> _Key:
        """What identifies it: rings use an inode again, and a file that is renamed keeps it."""
        place = self.place
        return self.inode, place.number, place.stamp

    @property
    def place(self) -> RingName:
        """Its place in a ring; `tcpdump -C` gives the first file no number."""
        return _place(self.path.name)


class FollowedFiles(FileSequence):
    """The bytes of a growing file or ring, or of all captures in a folder; waits for more.

    Args:
        path: The file, or the folder.
        notice: Called with a sentence for each loss, at once.

    Raises:
        CaptureError: There is no such file or folder, or it cannot be read.
    """

    def __init__(self, path: str, notice: Callable[[str], object]) -> None:
        super().__init__(path)
        self._notice = notice
        given = Path(path)
        self._one: str | None = None
        """Name of the file to follow; None to follow a folder."""
        self._folder = given
        if not given.is_dir():
            open_source(path)[0].close()  # says why it cannot be opened
            if not stat.S_ISREG(given.stat().st_mode):
                raise CaptureError(f"{path}: neither a file nor a folder: it cannot be followed")
            self._one, self._folder = given.name, given.parent
        self._series = _place(given.name).series
        """Series of that name."""
        self._left_out = 0
        """Number of files that are not read although they are there."""
        self._read_already: dict[_Key, _File | None] = {}
        """Files that were read, as they were then; None for those that never are."""
        self._queue: list[_File] = []
        """The files to read after the current one, as they were when they were found."""
        self._last: _File | None = None
        """The current file, or the one before."""
        self._rest = 0
        """Bytes of the current file that are known and not read."""
        self._next_look = 0.0
        """When the folder may be looked at again."""
        found = _ordered(self._candidates())
        names = [each.path.name for each in found]
        start = names.index(self._one) if self._one in names else 0
        for each in found[:start]:
            self._read_already[each.key] = each._replace(head=_head(each))
        self._queue += filter(None, map(self._new, found[start:]))

    @property
    def damage(self) -> str | None:
        """Half a sentence if files were not read."""
        left_out = f"files left out: {self._left_out}" if self._left_out else None
        return "; ".join(filter(None, (super().damage, left_out))) or None

    def stop(self) -> None:
        """Read what is there, and then end."""
        self.is_stopped = True

    def close(self) -> None:
        """Close the current file."""
        if self._current is not None and self._last is not None:
            known = os.fstat(self._current.fileno())
            is_read = self._current.tell() >= known.st_size
            now = self._last._replace(
                size=known.st_size,
                changed_ns=known.st_mtime_ns,
                head=os.pread(self._current.fileno(), _HEAD, 0),
            )
            self._read_already[now.key] = now if is_read else None
        super().close()

    def _has_next(self) -> bool:
        return bool(self._queue)

    def _look(self, seconds: float) -> None:
        """Look for more files, after waiting so long."""
        if self._ended:
            return
        if seconds and not self.is_stopped:
            time.sleep(seconds)
        self._ended = self.is_stopped
        self._check_current()
        if not self._queue and (self._ended or time.monotonic() >= self._next_look):
            self._find()

    def _find(self) -> dict[_Key, _File]:
        """Queue files that are new or were written anew; return all files there are."""
        start = time.monotonic()
        found = {each.key: each for each in self._candidates()}
        known = {each.key for each in self._queue}
        if self._current is not None and self._last is not None:
            known.add(self._last.key)
        for key in self._read_already.keys() - found.keys():
            del self._read_already[key]
        others = [each for key, each in found.items() if key not in known]
        self._queue += _ordered(filter(None, map(self._new, others)))
        now = time.monotonic()
        self._next_look = now + _SHARE * (now - start)
        return found

    def _take_next(self) -> Path | None:
        found, count, path = self._find(), 0, None
        while self._queue and path is None:
            file = self._queue.pop(0)
            now = found.get(file.key)
            if self._last is not None:
                count += _missing(self._last.place, file.place)
            self._last, self._rest = file, 0
            if now is None:
                count += 1
            elif (head := _head(now)).startswith(file.head):
                path = now.path
            else:
                count += 1
                self._queue.append(now._replace(head=head))
        if count:
            self._lose(count)
        return path

    def _lose(self, count: int = 1) -> None:
        super()._lose(count)
        what = "a file was" if count == 1 else f"{count} files were"
        after = "" if self._path is None else f" (after {self._path.name})"
        self._notice(f"{self.name}: {what} deleted or overwritten before being read{after}")

    def _refused(self) -> None:
        self._leave_out(self._path, "its format is not that of the files before it")

    def _leave_out(self, path: Path | None, why: str) -> None:
        self._left_out += 1
        self._notice(f"{path}: left out: {why}")

    def _check_current(self) -> None:
        """Begin the current file anew if it was emptied to be written again."""
        if self._current is None or self._last is None:
            return
        size, at = os.fstat(self._current.fileno()).st_size, self._current.tell()
        if size >= at:
            self._rest = size - at
            if len(self._last.head) < _HEAD:
                head = os.pread(self._current.fileno(), _HEAD, 0)
                self._last = self._last._replace(head=head)
            return
        if self._rest:
            self._lose()
        super().close()
        self._queue.insert(0, self._last._replace(head=b""))

    def _new(self, file: _File) -> _File | None:
        """Return a file that is to be read: it is a capture, and not one that was read."""
        known, head, key = self._read_already, b"", file.key
        if key in known:
            before = known[key]
            if before is None or (before.size, before.changed_ns) == (file.size, file.changed_ns):
                return None
            head = _head(file)
            if head.startswith(before.head):
                known[key] = None
                self._leave_out(file.path, "it grew after a later file had begun")
                return None
        head = head or _head(file)
        if file.path.name == self._one:
            return file._replace(head=head)
        if len(head) < _MAGIC:
            return None
        is_capture = head.startswith(pcapng.MAGIC) or byte_order(head) is not None
        if not is_capture or self._is_copy(file, head):
            known[key] = None
            return None
        return file._replace(head=head)

    def _is_copy(self, file: _File, head: bytes) -> bool:
        """Return whether a renamed file is a copy of the current one: `logrotate` may make one."""
        if self._last is None or self._one is None or file.place.series == self._series:
            return False
        own = self._last.head
        return bool(own) and own[: len(head)] == head[: len(own)]

    def _candidates(self) -> Iterator[_File]:
        """Yield the files that may belong to what is followed, by their names."""
        try:
            entries = list(os.scandir(self._folder))
        except OSError:
            return
        for entry in entries:
            try:
                if not self._may_belong(entry.name) or not entry.is_file():
                    continue
                known = entry.stat()
            except OSError:
                continue
            yield _File(known.st_ino, Path(entry.path), known.st_size, known.st_mtime_ns)

    def _may_belong(self, name: str) -> bool:
        if self._one is None:
            return not name.startswith(".")
        is_same = _place(name).series == self._series
        rotated = name.removeprefix(f"{self._one}.")
        return is_same or (rotated != name and rotated.isdecimal())


def _place(name: str) -> RingName:
    return ring_name(name) or RingName(name, "", 0, "")


def _ordered(files: Iterable[_File]) -> list[_File]:
    """Return files in the order in which they were written."""
    found = list(files)
    if len({each.place.series for each in found}) > 1:
        return sorted(found, key=lambda each: (each.changed_ns, each.path))
    found.sort(key=lambda each: (each.place.stamp, each.place.number))
    if not found:
        return found
    # `tcpdump -W` begins again at 0: then the newest file is not the one with the highest number.
    newest = max(range(len(found)), key=lambda at: found[at].changed_ns) + 1
    turned = found[newest:] + found[:newest]
    times = [each.changed_ns for each in turned]
    return turned if times == sorted(times) else found


def _missing(before: RingName, after: RingName) -> int:
    """Return how many files of a ring are missing between two of its files."""
    if before.series != after.series or before == after:
        return 0
    step = after.number - before.number - 1
    if step >= 0:
        return step
    return 0 if after.stamp else after.number  # `tcpdump -W` begins again at 0


def _head(file: _File) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    try:
        with file.path.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""
