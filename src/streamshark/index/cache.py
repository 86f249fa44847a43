"""Where indexes are kept, what makes one stale, and how much is kept.

An index lies in a folder of the user's cache, whose name is a digest of the captures' paths, the
options and the program. It describes the captures as they were: size, time of change, and digests
of both ends. A capture that has only grown leaves its index usable: more is appended.
"""

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

import streamshark
from streamshark.index.columns import MODE, IndexDamageError
from streamshark.index.layout import FORMAT, read_json

MOST_BYTES: Final = 4 << 30
"""Most bytes of all indexes that are kept."""
END: Final = 64 * 1024
"""Bytes at each end of a capture whose digest is compared."""
ABOUT: Final = "index.json"
LOCK: Final = "lock"
CACHE_MODE: Final = 0o700
STDIN: Final = "-"


class SourceIdentity(NamedTuple):
    """A capture as it was when it was indexed."""

    name: str
    """Absolute path."""
    size: int
    changed_ns: int
    head: str
    """Digest of its first bytes."""
    tail: str
    """Digest of its last bytes."""


class SourceChange(NamedTuple):
    """What has happened to captures since they were indexed."""

    is_stale: bool
    """Whether their index must be made again."""
    has_grown: bool
    """Whether bytes were appended to the only capture."""


SAME: Final = SourceChange(is_stale=False, has_grown=False)
GROWN: Final = SourceChange(is_stale=False, has_grown=True)
STALE: Final = SourceChange(is_stale=True, has_grown=False)


def folder() -> Path:
    """Return the folder of all indexes."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - few commands need it

    return user_cache_path("streamshark") / "indexes"


def folder_of(sources: Sequence[str], options: Mapping[str, Any]) -> Path:
    """Return the folder of the index of some captures; it need not exist."""
    names = [os.path.realpath(each) for each in sources]
    keyed = [FORMAT, names, sorted(options.items(), key=str), program(), _stats(options)]
    return folder() / blake2b(repr(keyed).encode(), digest_size=16).hexdigest()


def can_keep(sources: Sequence[str]) -> bool:
    """Return whether captures are files, so that an index of them can be of use again."""
    for each in sources:
        try:
            if not stat.S_ISREG(os.stat(each).st_mode):  # noqa: PTH116 - as the name was typed
                return False
        except OSError:
            continue  # opening it says why it cannot be read
    return STDIN not in sources


def is_own(at: Path) -> bool:
    """Return whether a folder, which is made if needed, is the user's and can be written."""
    try:
        at.mkdir(mode=CACHE_MODE, parents=True, exist_ok=True)
        return at.stat().st_uid == os.getuid() and os.access(at, os.W_OK | os.X_OK)
    except OSError:
        return False


def identity(source: str, size: int | None = None) -> SourceIdentity:
    """Return what a capture is now, or what its first `size` bytes are.

    Raises:
        OSError: It cannot be read.
    """
    with open(source, "rb") as file:  # noqa: PTH123 - a name as the user typed it
        known = os.fstat(file.fileno())
        size = known.st_size if size is None else size
        head = file.read(min(END, size))
        file.seek(max(size - END, 0))
        tail = file.read(min(END, size))
    digests = (blake2b(each, digest_size=16).hexdigest() for each in (head, tail))
    return SourceIdentity(os.path.realpath(source), size, known.st_mtime_ns, *digests)


def change(at: Path, sources: Sequence[str]) -> SourceChange:
    """Return what has happened to captures since the index in a folder was made."""
    try:
        about = read_json(at / ABOUT)
        known = [SourceIdentity(*each) for each in about["sources"]]
    except (IndexDamageError, KeyError, TypeError):
        return STALE
    if about.get("streamshark index") != FORMAT or len(known) != len(sources):
        return STALE
    try:
        now = [identity(each) for each in sources]
        if now == known:
            return SAME
        if len(known) > 1 or now[0].size <= known[0].size:
            return STALE
        before = identity(sources[0], known[0].size)
    except OSError:
        return STALE
    return GROWN if before[3:] == known[0][3:] else STALE


@contextmanager
def locked(at: Path, *, waits: bool = False) -> Iterator[bool]:
    """Hold the lock of an index, which its builder has; yields False if another process has it."""
    at.mkdir(mode=CACHE_MODE, parents=True, exist_ok=True)
    file = os.open(at / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(file)


def is_locked(at: Path) -> bool:
    """Return whether a process is building the index in a folder."""
    try:
        file = os.open(at / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def clear(at: Path) -> None:
    """Remove the files of an index; processes that have mapped them keep what they have."""
    for each in at.iterdir():
        if each.name != LOCK:
            each.unlink(missing_ok=True)


def use(at: Path) -> None:
    """Note that an index is used now."""
    try:
        os.utime(at / LOCK)
    except OSError:
        return  # a cache that cannot be written keeps its order


def trim(most: int = MOST_BYTES, keep: Path | None = None) -> None:
    """Remove the indexes that were not used for longest, until what is left fits."""
    found = []
    try:
        for each in folder().iterdir():
            size = sum(file.stat().st_size for file in each.iterdir())
            found.append(((each / LOCK).stat().st_mtime, size, each))
    except OSError:
        return
    total = sum(size for _, size, _ in found)
    for _, size, each in sorted(found):
        if total <= most:
            return
        if each == keep:
            continue
        with locked(each) as mine:
            if mine:
                shutil.rmtree(each, ignore_errors=True)
                total -= size


def clear_all() -> int:
    """Remove all indexes; return the number of those that were kept, as they are being built."""
    kept = 0
    for each in list(folder().iterdir()) if folder().is_dir() else ():
        with locked(each) as mine:
            if mine:
                shutil.rmtree(each, ignore_errors=True)
            kept += not mine
    return kept


@cache
def program() -> str:
    """Return a digest of the program: another one may read captures in another way."""
    root = Path(streamshark.__file__).parent
    found = [streamshark.__version__]
    for each in sorted(root.rglob("*.py")):
        known = each.stat()
        found.append(f"{each.relative_to(root)} {known.st_size} {known.st_mtime_ns}")
    return blake2b("\n".join(found).encode(), digest_size=16).hexdigest()


def _stats(options: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """Return sizes and times of change of the files that options name."""
    files = [Path(options["keylog"])] if options.get("keylog") else []
    for each in options.get("paths", ()):
        files += sorted(Path(each).rglob("*.py"))
    out = []
    for each in files:
        try:
            known = each.stat()
        except OSError:
            continue
        out.append((str(each), known.st_size, known.st_mtime_ns))
    return out
