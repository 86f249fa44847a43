"""The user's cache of compiled tables: a third of the time of a short command is compiling them.

Each file has the tables of one protocol as one kind of command needs them, with the handlers that
earlier commands have met. It says which sources of the program and which version of Python it is
of, so that a changed program compiles anew. Files are read only if they are the user's own and no
other user may write them; whatever is missing, damaged or cannot be written is compiled as without
a cache. Only programs use it: see `use`.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final
from zlib import crc32

from streamshark import __version__

if TYPE_CHECKING:
    from streamshark.conversations.prune import NeededTables, Requested
    from streamshark.conversations.tables import Watch
    from streamshark.protocols.protocol import Protocol

MOST_BYTES: Final = 64 << 20
"""Most bytes of all files; beyond that, those that were written first are removed."""
_HEAD: Final = 8
"""Bytes of a checksum, and of the length of what the file is of."""
_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_OTHERS_WRITE: Final = 0o022
_NAME: Final = "compiled"
"""Of the folder, in the program's own in the user's cache."""
_END: Final = ".tables"

_stores: dict[tuple[int, bool, bool], "FolderStore"] | None = None
"""By id of a protocol, and whether its rules and sentences are evaluated; None if not in use."""


def use() -> None:
    """Use the cache in this process, and in those that it forks from now on."""
    global _stores  # noqa: PLW0603 - one cache for the process
    if _stores is None:
        _stores = {}


def store_of(protocol: "Protocol", *, judges: bool, explains: bool) -> "FolderStore | None":
    """Return the store of a protocol's tables; None if they are not kept.

    They are kept if the protocol is one of the package, without changes by the user.
    """
    if _stores is None:
        return None
    key = id(protocol), judges, explains
    if key not in _stores:
        from streamshark.protocols.catalog import is_built_in  # noqa: PLC0415 - only programs need it

        program = _program() if is_built_in(protocol) else None
        if program is None:
            return None
        _stores[key] = FolderStore(protocol, f"{program} {protocol.wire.id} {judges} {explains}")
    return _stores[key]


class FolderStore:
    """The compiled tables of one protocol, with or without its rules and sentences."""

    def __init__(self, protocol: "Protocol", name: str) -> None:
        self._protocol = protocol  # stays, as its id is a key
        self._name = name
        self.made: dict[Requested, NeededTables] = {}
        """Tables that this process has compiled or loaded."""
        self.unfolded: tuple[tuple[object, ...], tuple[Watch, ...]] | None = None

    def load(self, wanted: "Requested") -> bytes | None:
        """Return what earlier processes have kept for some needs; None if there is nothing."""
        key = self._key(wanted)
        try:
            data = _read(_path(key))
        except OSError:
            return None
        start = _HEAD + len(key)
        body = memoryview(data)[4:]
        if data[:4] != _number(crc32(body)) or data[4:start] != _number(len(key)) + key:
            return None
        return data[start:]

    def save(self, wanted: "Requested", data: bytes) -> None:
        """Keep bytes for later processes, if that is possible."""
        key = self._key(wanted)
        body = _number(len(key)) + key + data
        with suppress(OSError):
            _write(_path(key), _number(crc32(body)) + body)

    def _key(self, wanted: "Requested") -> bytes:
        """Return what tells the program, the tables and the needs from all others."""
        return f"{self._name} {wanted}".encode(errors="surrogateescape")


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _path(key: bytes) -> str:
    """Return the path of a file, given what it is of.

    Raises:
        FileNotFoundError: The user has no cache folder.
    """
    folder = _cache_folder()
    if not os.path.isabs(folder):  # noqa: PTH117 - pathlib is slow to import
        raise FileNotFoundError(folder)
    return f"{folder}/streamshark/{_NAME}/{crc32(key):08x}{_END}"


def _cache_folder() -> str:
    """Return the user's cache folder, as `platformdirs` does, which is slow to import."""
    folder = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(folder):  # noqa: PTH117 - as above
        return folder
    of_user = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return os.path.expanduser(of_user)  # noqa: PTH111 - as above


def _read(path: str) -> bytes:
    """Return the contents of a file that is the user's own.

    Raises:
        OSError: It cannot be read, or others may have written it.
    """
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(file, "rb") as opened:
        known = os.fstat(file)
        if not stat.S_ISREG(known.st_mode) or not _is_own(known):
            raise PermissionError(path)
        return opened.read()


def _is_own(known: os.stat_result) -> bool:
    """Return whether a file or folder is the user's, and no other user may write it."""
    return known.st_uid == os.geteuid() and not known.st_mode & _OTHERS_WRITE


def _write(path: str, data: bytes) -> None:
    """Replace a file at once.

    Raises:
        OSError: It cannot be written, or the folder is not the user's own.
    """
    folder, name = os.path.split(path)
    os.makedirs(folder, _FOLDER_MODE, exist_ok=True)  # noqa: PTH103 - as above
    if not _is_own(os.stat(folder)):  # noqa: PTH116 - as above
        raise PermissionError(folder)
    new = f"{folder}/.{name}.{os.getpid()}"
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
        os.replace(new, path)  # noqa: PTH105 - as above
    except OSError:
        os.unlink(new)  # noqa: PTH108 - as above
        raise
    _trim(folder)


def _trim(folder: str) -> None:
    """Remove the files that were written first, until what is left fits."""
    with os.scandir(folder) as found:
        known = sorted((each.stat().st_mtime_ns, each.stat().st_size, each.path) for each in found)
    total = sum(size for _, size, _ in known)
    for _, size, path in known:
        if total <= MOST_BYTES:
            return
        os.unlink(path)  # noqa: PTH108 - as above
        total -= size


@cache
def _program() -> str | None:
    """Return what identifies the program and Python; None if its sources cannot be found."""
    root = os.path.dirname(__file__)  # noqa: PTH120 - as above
    while root and not os.path.exists(root):  # noqa: PTH110 - it may be in an archive
        root = os.path.dirname(root)  # noqa: PTH120 - as above
    try:
        files = sorted(_sources(root, ""))
    except OSError:
        return None
    return " ".join([__version__, sys.version, sys.implementation.cache_tag or "", root, *files])


def _sources(path: str, name: str) -> Iterator[str]:
    """Yield name, size and time of change of all modules below a folder, or of an archive.

    Raises:
        OSError: One cannot be found.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - as above
        yield _version(name, os.stat(path))  # noqa: PTH116 - as above
        return
    with os.scandir(path) as found:
        for each in found:
            if each.name.endswith(".py"):
                yield _version(f"{name}/{each.name}", each.stat())
            elif each.name != "__pycache__" and each.is_dir():
                yield from _sources(each.path, f"{name}/{each.name}")


def _version(name: str, known: os.stat_result) -> str:
    return f"{name} {known.st_size:x} {known.st_mtime_ns:x}"
