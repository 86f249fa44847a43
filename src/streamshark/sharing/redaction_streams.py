"""What takes the place of the bytes of TCP streams: pieces by position, in a temporary file."""

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Self

_LONGEST = 2048
"""Bytes of a piece as it is kept: a lookup begins as many before the bytes that are wanted."""
_BUFFERED = 4096


class StreamPieces:
    """Pieces of streams; of those that overlap, the one that was added last counts.

    A stream is a number: twice that of its flow, and one more for side 1.
    """

    def __init__(self) -> None:
        self._base = sqlite3.connect("")
        self._base.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384;"
            "CREATE TABLE pieces (stream INTEGER, start INTEGER, data BLOB);"
            "CREATE INDEX places ON pieces (stream, start);"
        )
        self._added: list[tuple[int, int, bytes]] = []

    def add(self, stream: int, start: int, data: bytes) -> None:
        """Add a piece."""
        for at in range(0, len(data), _LONGEST):
            self._added.append((stream, start + at, data[at : at + _LONGEST]))
        if len(self._added) >= _BUFFERED:
            self._flush()

    def over(self, stream: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Yield the pieces that have bytes of a range, in the order in which they were added."""
        self._flush()
        return self._base.execute(
            "SELECT start, data FROM pieces WHERE stream=? AND start>? AND start<?"
            " AND start+length(data)>? ORDER BY rowid",
            (stream, start - _LONGEST, end, start),
        )

    def put(self, stream: int, start: int, into: bytearray) -> None:
        """Write the pieces over bytes whose first is at `start` of the stream."""
        end = start + len(into)
        for at, data in self.over(stream, start, end):
            skipped = max(start - at, 0)
            part = data[skipped : end - at]
            place = at + skipped - start
            into[place : place + len(part)] = part

    def _flush(self) -> None:
        if self._added:
            self._base.executemany("INSERT INTO pieces VALUES (?,?,?)", self._added)
            self._added.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._base.close()


class TlsRecords:
    """Blanks the records of TLS of one direction; their heads stay."""

    def __init__(self) -> None:
        self._is_active = False
        self._head = b""
        """The head of a record as far as it has come."""
        self._left = 0
        """Bytes of the record that are still to come."""
        self._made = b""
        """What takes their place; zeros after that."""

    def blanked(self, data: bytes) -> bytes | None:
        """Return what takes the place of the next bytes; None if they are not TLS."""
        if not self._is_active:
            if not _is_head(data[:_HEAD]):
                return None
            self._is_active = True
        out = bytearray()
        at = 0
        while at < len(data):
            if self._left:
                size = min(self._left, len(data) - at)
                part, self._made = self._made[:size], self._made[size:]
                out += part + bytes(size - len(part))
                self._left -= size
                at += size
                continue
            part = data[at : at + _HEAD - len(self._head)]
            self._head += part
            at += len(part)
            if len(self._head) < _HEAD:
                out += part
                break
            if not _is_head(self._head):
                self._is_active, self._head = False, b""
                out += bytes(len(data) - len(out))
                break
            out += part
            is_handshake = self._head[0] == _TLS_HANDSHAKE
            self._left, self._head = int.from_bytes(self._head[3:5], "big"), b""
            self._made = _hello(data[at : at + 1], self._left) if is_handshake else b""
        return bytes(out)

    def lose(self) -> None:
        """Note that bytes are missing: heads of records cannot be found any more."""
        self._is_active, self._head, self._left = False, b"", 0


_HEAD = 5
_TLS_HANDSHAKE = 22
_HANDSHAKE = 4
"""Bytes of the head of a handshake message: type and length."""
_HELLOS = {
    b"\1": b"\3\3" + bytes(33) + b"\0\2\x13\1\1\0",
    b"\2": b"\3\3" + bytes(33) + b"\x13\1\0",
}
"""Type of a hello to one that names a version and a cipher (RFC 8446, 4.1.2 and 4.1.3)."""
_EXTENSIONS = {b"\1": b"", b"\2": b"\0\x2b\0\2\3\4"}
"""Those of a server say that it is TLS 1.3, in which little of a handshake is readable."""
_PADDING = b"\0\x15"
"""Type of an extension that says nothing (RFC 7685)."""


def _hello(kind: bytes, size: int) -> bytes:
    """Return a hello of a client or server that takes so many bytes; empty for other messages."""
    body = _HELLOS.get(kind)
    if body is None:
        return b""
    extensions = _EXTENSIONS[kind]
    filled = size - _HANDSHAKE - len(body) - 2 - len(extensions) - 4
    if filled < 0:
        return b""
    extensions += _PADDING + filled.to_bytes(2, "big") + bytes(filled)
    length = (size - _HANDSHAKE).to_bytes(3, "big")
    return kind + length + body + len(extensions).to_bytes(2, "big") + extensions


def _is_head(data: bytes) -> bool:
    """Return whether bytes are the head of a record (RFC 8446, 5.1)."""
    return len(data) == _HEAD and 20 <= data[0] <= 24 and data[1] == 3 and data[2] <= 4  # noqa: PLR2004
