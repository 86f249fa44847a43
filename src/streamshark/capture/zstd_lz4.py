"""Streaming zstd and lz4 decompression, block by block.

Both formats are frames of blocks, and both limit the decompressed size of a block (128 KiB, 4 MiB):
giving a decoder one block at a time limits the output whatever the file claims, returns everything
before damage, and locates the damage. Frames may follow one another, as `cat` joins them, with
skippable ones between. Spec: RFC 8878 (zstd), section 3; lz4_Frame_format.md of github.com/lz4/lz4,
v1.6.4.
"""

from abc import ABC, abstractmethod
from typing import Any

from streamshark.capture.source import Source

ZSTD = b"\x28\xb5\x2f\xfd"
LZ4 = b"\x04\x22\x4d\x18"
SKIPPABLE = frozenset(bytes([0x50 + at, 0x2A, 0x4D, 0x18]) for at in range(16))
"""Magics of skippable frames, the same in both formats; pzstd begins with one."""
MAGIC = 4
"""Bytes of any magic."""

LARGEST_WINDOW = 1 << 27
"""Most bytes of memory that a zstd frame may ask for: the default of the `zstd` program."""

_READ = 1 << 18
"""Compressed bytes per read."""
_HEAD = 8
"""Bytes that determine the size of any element; of a skippable frame, its magic and size."""
_LARGEST_LZ4_BLOCK = 4 << 20


def format_of(head: bytes) -> str | None:
    """Return `zstd` or `lz4` if a stream of that format begins like this, else None."""
    if head.startswith(LZ4):
        return "lz4"
    return "zstd" if head.startswith(ZSTD) or head[:MAGIC] in SKIPPABLE else None


class Unblocked:
    """The decompressed content of a source of zstd or lz4 frames."""

    def __init__(self, source: Source, format_name: str) -> None:
        self.damage: str | None = None
        self._source = source
        self._format = format_name
        self._frame: _Frame | None = None
        self._pending = b""
        """Compressed bytes that were read."""
        self._used = 0
        """Number of them that are used."""
        self._at = 0
        """Offset in the file of the first unused byte."""
        self._skip = 0
        """Bytes of a skippable frame still to come."""
        self._ready = b""
        """Content beyond what the last read asked for: less than a block."""

    def wait(self, seconds: float) -> bool:
        """Return True while bytes that were read are left, then the answer of the source."""
        return bool(self._ready) or len(self._pending) > self._used or self._source.wait(seconds)

    def read(self, most: int) -> bytes:
        """Return between 1 and `most` bytes of content; b"" at the end or at damage."""
        content = [self._ready] if self._ready else []
        size = len(self._ready)
        while size < most and self.damage is None:
            element = self._element(wait=not size)
            if not element:
                break
            made = self._unpacked(element)
            content.append(made)
            size += len(made)
        whole = b"".join(content)
        self._ready = whole[most:]
        return whole[:most]

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def _unpacked(self, element: bytes) -> bytes:
        frame = self._frame
        if frame is None:
            return b""
        try:
            made = frame.unpack(element)
        except frame.errors as error:
            at = self._at - len(element)
            reason = str(error).rpartition(": ")[2]
            self.damage = f"the {self._format} stream is corrupt at byte {at} of the file: {reason}"
            return b""
        if frame.ended:
            self._frame = None
        return made

    def _element(self, *, wait: bool) -> bytes:
        """Return the next head, block or checksum.

        It is empty at the end, at damage, and if it is incomplete and `wait` is False.
        """
        while self.damage is None:
            size = self._size()
            if self.damage is not None:
                break
            if 0 < size <= self._left:
                return self._take(size)
            if not wait:
                break
            more = self._source.read(max(_READ, size - self._left))
            if not more:
                self._end()
                break
            self._pending = self._pending[self._used :] + more
            self._used = 0
        return b""

    @property
    def _left(self) -> int:
        return len(self._pending) - self._used

    def _take(self, size: int) -> bytes:
        taken = self._pending[self._used : self._used + size]
        self._used += size
        self._at += size
        return taken

    def _size(self) -> int:
        """Return the size of the next element; 0 if more bytes are needed to know."""
        self._skip_over()
        if self._frame is None:
            head = self._pending[self._used : self._used + MAGIC]
            if len(head) < MAGIC or head in SKIPPABLE:
                return 0
            if head not in (ZSTD, LZ4):
                self.damage = (
                    f"the data after the {self._format} stream, at byte {self._at} of the file, is"
                    f" not {self._format}"
                )
                return 0
            self._frame = _Zstd() if head == ZSTD else _Lz4()
        return self._frame.size(self._pending[self._used : self._used + _HEAD])

    def _skip_over(self) -> None:
        while True:
            self._skip -= len(self._take(min(self._skip, self._left)))
            if self._frame or self._skip or self._left < _HEAD:
                return
            head = self._pending[self._used : self._used + _HEAD]
            if head[:MAGIC] not in SKIPPABLE:
                return
            self._skip = _HEAD + int.from_bytes(head[MAGIC:], "little")

    def _end(self) -> None:
        """Set `damage` if the stream does not end properly."""
        if self._source.damage:
            self.damage = self._source.damage
        elif self._frame or self._left or self._skip:
            at = self._at + self._left
            self.damage = f"the {self._format} stream ends early, after {at} bytes"


class _Frame(ABC):
    """One frame during decompression: a head, blocks, perhaps a checksum."""

    errors: tuple[type[Exception], ...]
    """Exceptions that the decoder raises at corrupt bytes."""

    def __init__(self) -> None:
        self.ended = False
        self._headed = False
        self._decoder: Any = None

    @abstractmethod
    def size(self, data: bytes) -> int:
        """Return the size of the element at the start of `data`; 0 if more bytes are needed."""

    @abstractmethod
    def unpack(self, element: bytes) -> bytes:
        """Return the content of an element."""


class _Zstd(_Frame):
    def __init__(self) -> None:
        super().__init__()
        import zstandard  # noqa: PLC0415 - only compressed captures need it

        self.errors = (zstandard.ZstdError,)
        self._decoder = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW).decompressobj()
        self._last = False
        """True once the last block is decompressed: a checksum remains."""

    def size(self, data: bytes) -> int:
        if self._last:
            return 4
        if self._headed:
            if len(data) < 3:  # noqa: PLR2004 - a block's head
                return 0
            head = int.from_bytes(data[:3], "little")
            is_repeated = head >> 1 & 3 == 1
            return 3 + (1 if is_repeated else head >> 3)
        if len(data) <= MAGIC:
            return 0
        flags = data[MAGIC]
        is_single = flags >> 5 & 1
        content_size = (is_single, 2, 4, 8)[flags >> 6]
        return MAGIC + 1 + (1 - is_single) + (0, 1, 2, 4)[flags & 3] + content_size

    def unpack(self, element: bytes) -> bytes:
        content: bytes = self._decoder.decompress(element)
        self._last |= self._headed and bool(element[0] & 1)
        self._headed = True
        self.ended = self._decoder.eof
        return content


class _Lz4(_Frame):
    def __init__(self) -> None:
        super().__init__()
        import lz4.frame  # noqa: PLC0415 - only compressed captures need it

        self.errors = (RuntimeError,)
        self._decoder = lz4.frame.LZ4FrameDecompressor()
        self._block_checksum = 0
        self._checksum = 0

    def size(self, data: bytes) -> int:
        if self._headed:
            if len(data) < 4:  # noqa: PLR2004 - a block's size
                return 0
            block = int.from_bytes(data[:4], "little") & 0x7FFFFFFF
            if block > _LARGEST_LZ4_BLOCK:
                return 4  # the decoder refuses it
            return 4 + (block + self._block_checksum if block else self._checksum)
        if len(data) <= MAGIC:
            return 0
        flags = data[MAGIC]
        self._block_checksum = 4 * (flags >> 4 & 1)
        self._checksum = 4 * (flags >> 2 & 1)
        return MAGIC + 3 + 8 * (flags >> 3 & 1) + 4 * (flags & 1)

    def unpack(self, element: bytes) -> bytes:
        # Without a maximum, lz4 4.4.5 returns part of a block and keeps the rest for the next call.
        content: bytes = self._decoder.decompress(element, _LARGEST_LZ4_BLOCK)
        self._headed = True
        self.ended = self._decoder.eof
        return content
