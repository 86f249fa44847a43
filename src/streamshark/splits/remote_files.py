"""Captures in object stores and in HDFS, by URL.

`s3://` and `s3a://` mean the same bucket. pyarrow reads it, and takes credentials, region and
endpoint as Amazon's own programs do: from `AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL` and the like, the
shared configuration, or the role of the machine. `hdfs://` and `viewfs://` are read by
`hdfs-native`, which needs no Java, if it is installed; else by pyarrow, which needs `libhdfs`.
Other URLs (`gs://`, `abfs://`, `file://`) go to pyarrow as they are.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from streamshark.capture import CaptureError
from streamshark.errors import StreamsharkError

if TYPE_CHECKING:
    from hdfs_native import Client, FileStatus
    from pyarrow import fs

_URL = re.compile(r"[a-z][a-z0-9+.-]*://")
_S3 = ("s3", "s3a", "s3n")
"""S3, with Hadoop's names of it."""
_HDFS = ("hdfs", "viewfs")
_ATTEMPTS = {"dfs.client.failover.max.attempts": "3"}
"""How often a single name node is asked; a pair of them is asked as the configuration says."""
_FAILURES = (OSError, ValueError, RuntimeError)
"""What pyarrow and hdfs-native raise."""


class RemoteFile(NamedTuple):
    """One file below a URL."""

    url: str
    size: int
    """Bytes; -1 if unknown."""
    changed_ns: int
    """Modification time in ns since 1970; 0 if unknown."""


def is_url(path: str) -> bool:
    """Return whether a path has a scheme."""
    return _URL.match(path) is not None


def remote_files(url: str) -> list[RemoteFile]:
    """Return the files that a URL means: all below a folder, those of a pattern, or itself.

    Raises:
        StreamsharkError: The store does not answer, refuses access, or has no such folder.
    """
    place, query = _divided(url)
    head, magic, _ = place.partition("*")
    if magic:
        head = head.rpartition("/")[0]
    try:
        store, path = _opened(head + query)
        found = list(store.files(path))
    except FileNotFoundError:
        if magic:
            return []
        raise StreamsharkError(f"{url}: no such file or folder") from None
    except _FAILURES as error:
        raise StreamsharkError(f"{url}: cannot be listed: {_line(error)}") from None
    start = head.rstrip("/").removesuffix(path.rstrip("/"))
    named = [each._replace(url=start + each.url) for each in found]
    return [
        each._replace(url=each.url + query)
        for each in named
        if not magic or _matches(each.url, place)
    ]


class RemoteStream:
    """The bytes of a file at a URL, from one of them on."""

    def __init__(self, url: str, start: int = 0) -> None:
        self.name = url
        try:
            store, path = _opened(url)
            self._stream = store.open(path)
            if start:
                self._stream.seek(start)
        except FileNotFoundError:
            raise CaptureError(f"{url}: no such file") from None
        except _FAILURES as error:
            raise CaptureError(f"{url}: cannot be opened: {_line(error)}") from None

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - a source's signature
        """Return True: the bytes of a file are available."""
        return True

    def read(self, most: int) -> bytes:
        """Read at most so many bytes; raise OSError if the store fails."""
        try:
            data: bytes = self._stream.read(most)
        except _FAILURES as error:
            raise OSError(_line(error)) from None
        return data

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


class _Store(Protocol):
    """A store of files."""

    def files(self, path: str) -> Iterator[RemoteFile]:
        """Yield a file, or all below a folder, each with its path as URL.

        Raises:
            FileNotFoundError: There is neither.
        """

    def open(self, path: str) -> Any:  # noqa: ANN401 - a binary file of the store's library
        """Open a file."""


class _Arrow:
    """A store of pyarrow."""

    def __init__(self, system: "fs.FileSystem") -> None:
        self._system = system

    def files(self, path: str) -> Iterator[RemoteFile]:
        from pyarrow import fs  # noqa: PLC0415 - only URLs need it

        found = [self._system.get_file_info(path)]
        if found[0].type is fs.FileType.NotFound:
            raise FileNotFoundError(path)
        if found[0].type is fs.FileType.Directory:
            found = self._system.get_file_info(fs.FileSelector(path, recursive=True))
        for each in found:
            if each.type is not fs.FileType.Directory:
                size = -1 if each.size is None else each.size
                yield RemoteFile(each.path, size, each.mtime_ns or 0)

    def open(self, path: str) -> Any:  # noqa: ANN401 - pyarrow's
        return self._system.open_input_file(path)


class _Hdfs:
    """An HDFS of `hdfs-native`."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def files(self, path: str) -> Iterator[RemoteFile]:
        found = self._client.get_file_info(path)
        if not found.isdir:
            yield self._file(found)
            return
        for each in self._client.list_status(path, recursive=True):
            if not each.isdir:
                yield self._file(each)

    def _file(self, found: "FileStatus") -> RemoteFile:
        return RemoteFile(found.path, found.length, found.modification_time * 1_000_000)

    def open(self, path: str) -> Any:  # noqa: ANN401 - hdfs-native's
        return self._client.read(path)


def _divided(url: str) -> tuple[str, str]:
    """Return a URL of S3 without its options (`?endpoint_override=...`), and these."""
    place, mark, query = url.partition("?")
    has_options = url.startswith(tuple(f"{each}://" for each in _S3)) and "=" in query
    return (place, mark + query) if has_options else (url, "")


def _opened(url: str) -> tuple[_Store, str]:
    """Return the store of a URL, and the path in it."""
    scheme, _, rest = url.partition("://")
    if scheme in _HDFS:
        store = _hdfs(scheme, rest.partition("/")[0])
        if store is not None:
            return store, urlsplit(url).path or "/"
    if scheme in _S3:
        place, query = _divided(url)
        path = place.partition("://")[2].rstrip("/")
        return _bucket(path.partition("/")[0], query), path
    from pyarrow import fs  # noqa: PLC0415 - as above

    system, path = fs.FileSystem.from_uri(url)
    return _Arrow(system), path


@lru_cache(maxsize=64)
def _bucket(name: str, query: str) -> _Store:
    """Return a bucket of S3; asking for its region takes time."""
    from pyarrow import fs  # noqa: PLC0415 - as above

    return _Arrow(fs.FileSystem.from_uri(f"s3://{name}{query}")[0])


@lru_cache(maxsize=64)
def _hdfs(scheme: str, host: str) -> _Store | None:
    """Return the HDFS of a name node or name service; None without `hdfs-native`."""
    try:
        from hdfs_native import Client  # noqa: PLC0415 - optional
    except ImportError:
        return None
    return _Hdfs(Client(f"{scheme}://{host}", _ATTEMPTS if ":" in host else {}))


def _line(error: Exception) -> str:
    """Return an error's first line."""
    return re.split(r"\n|\\n|\\t", str(error), maxsplit=1)[0]


def _matches(name: str, pattern: str) -> bool:
    """Return whether a URL matches a pattern: `*` does not cross folders, `**` does."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    meant = "".join(words.get(each, re.escape(each)) for each in parts)
    return re.fullmatch(meant, name) is not None
