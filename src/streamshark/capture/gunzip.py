"""Streaming gzip decompression, never more than asked for at a time.

A gzip file may hold several members in a row (RFC 1952, section 2.2), as rotating captures joined
with `cat` do, and zero padding after the last, as tapes do. A small file may expand to terabytes,
so output is limited per read and nothing is collected.
"""

import zlib

from streamshark.capture.source import Source

MAGIC = b"\x1f\x8b\x08"
"""ID1, ID2 and the only compression method that exists (RFC 1952, section 2.3.1)."""

_GZIP_ONLY = 16 + zlib.MAX_WBITS
_READ = 1 << 18
"""Compressed bytes per read; gzip rarely shrinks captures below a tenth."""


class Gunzip:
    """The decompressed content of a source of gzip members."""

    def __init__(self, source: Source) -> None:
        self.damage: str | None = None
        self._source = source
        self._member = zlib.decompressobj(_GZIP_ONLY)
        self._pending = b""
        """Compressed bytes that were read and not yet used."""
        self._at = 0
        """Compressed bytes read."""

    def wait(self, seconds: float) -> bool:
        """Return True while bytes that were read are left, then the answer of the source."""
        return bool(self._pending) or self._source.wait(seconds)

    def read(self, most: int) -> bytes:
        """Return between 1 and `most` bytes of content; b"" at the end or at damage."""
        while self.damage is None:
            if self._member.eof and not self._next_member():
                return b""
            if not self._pending:
                self._pending = self._source.read(_READ)
                self._at += len(self._pending)
                if not self._pending:
                    self.damage = self._source.damage or (
                        f"the gzip stream ends early, after {self._at} bytes"
                    )
                    return self._member.flush()  # less than one match, 258 bytes
            content = self._decompress(most)
            if content:
                return content
        return b""

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def _decompress(self, most: int) -> bytes:
        before = self._member.copy()
        try:
            content = self._member.decompress(self._pending, most)
        except zlib.error as error:
            reason = str(error).rpartition(": ")[2]
            content, used = _up_to_error(before, self._pending)
            at = self._at - len(self._pending) + used
            self.damage = f"the gzip stream is corrupt at byte {at} of the file: {reason}"
            return content
        self._pending = self._member.unused_data or self._member.unconsumed_tail
        return content

    def _next_member(self) -> bool:
        """Begin the member after a finished one; return False if there is none."""
        while True:
            self._pending = self._pending.lstrip(b"\0")
            if len(self._pending) >= len(MAGIC):
                break
            more = self._source.read(_READ)
            self._at += len(more)
            if not more:
                break
            self._pending += more
        if not self._pending:
            self.damage = self._source.damage
            return False
        if not self._pending.startswith(MAGIC):
            at = self._at - len(self._pending)
            self.damage = f"the data after the gzip stream, at byte {at} of the file, is not gzip"
            return False
        self._member = zlib.decompressobj(_GZIP_ONLY)
        return True


def _up_to_error(member: "zlib._Decompress", compressed: bytes) -> tuple[bytes, int]:
    """Return the content before an error that loses the call's output, and the bytes used."""
    content = []
    for at in range(len(compressed)):
        try:
            content.append(member.decompress(compressed[at : at + 1]))
        except zlib.error:
            return b"".join(content), at
    return b"".join(content), len(compressed)
