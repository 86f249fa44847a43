"""Pack bytes to a given size: what was packed before others took their place keeps its length.

Formats of packed bytes have room for what readers skip: fields of the header of gzip (RFC 1952),
frames of zstd (RFC 8878) and lz4 that hold no data, chunks of padding of snappy.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator

_SKIPPED = b"\x50\x2a\x4d\x18"
"""First bytes of a frame of zstd or lz4 that is skipped."""
_HEADER = 10
"""Bytes of a header of gzip without fields."""
_NAME, _EXTRA = 8, 4
"""Flags of its fields."""


def packed(codec: str, data: bytes, size: int) -> bytes | None:
    """Return bytes packed to exactly so many; None if that is not possible."""
    pad = _PADS.get(codec)
    for made in _attempts(codec, data) if pad is not None else ():
        left = size - len(made)
        if not left:
            return made
        filled = pad(made, left) if pad is not None and left > 0 else None
        if filled is not None:
            return filled
    return None


def _attempts(codec: str, data: bytes) -> Iterator[bytes]:
    """Yield the same bytes, packed in several ways."""
    import cramjam  # noqa: PLC0415 - few captures have packed bytes

    if codec == "gzip":
        yield from (gzip.compress(data, level, mtime=0) for level in (9, 6, 1))
    elif codec in ("zstd", "lz4"):
        compress = getattr(cramjam, codec).compress
        yield from (bytes(compress(data, level)) for level in (9, 3, 1, 12, 5, 2))
    elif codec == "snappy":
        yield bytes(cramjam.snappy.compress(data))
    elif codec == "zlib":
        yield from (zlib.compress(data, level) for level in (9, 6, 1))


def _gzip(made: bytes, left: int) -> bytes | None:
    if left == 1:
        return made[:3] + bytes([_NAME]) + made[4:_HEADER] + b"\0" + made[_HEADER:]
    if left - 2 > 0xFFFF:  # noqa: PLR2004 - 16 bits
        return None
    extra = (left - 2).to_bytes(2, "little") + bytes(left - 2)
    return made[:3] + bytes([_EXTRA]) + made[4:_HEADER] + extra + made[_HEADER:]


def _zstd(made: bytes, left: int) -> bytes | None:
    """Fill up a frame of zstd: other widths in its header, blocks of no bytes, a skipped frame."""
    head = _header_of_zstd(made)
    if head is None:
        return _skippable(made, left)
    content, start = head
    body, size = made[start:], len(made) + left
    for flags, width, more in _ZSTD_HEADERS:
        rest = size - _ZSTD_LEAST - more - width - len(body)
        if rest >= 0 and not rest % len(_EMPTY_BLOCK) and _fits(content, width):
            number = (content - 256 if width == 2 else content).to_bytes(width, "little")  # noqa: PLR2004
            window = b"\x58"[:more]  # 2 MiB
            empty = _EMPTY_BLOCK * (rest // len(_EMPTY_BLOCK))
            return made[:4] + bytes([flags]) + window + number + empty + body
    return _skippable(made, left)


def _header_of_zstd(made: bytes) -> tuple[int, int] | None:
    """Return content size and length of a frame's header; None with a checksum (RFC 8878, 3.1)."""
    flags = made[4]
    width = (1 if flags & 0x20 else 0, 2, 4, 8)[flags >> 6]
    start = 5 + (not flags & 0x20) + width
    if flags & 7 or not width:
        return None
    content = int.from_bytes(made[start - width : start], "little")
    return content + (256 if width == 2 else 0), start  # noqa: PLR2004


def _fits(content: int, width: int) -> bool:
    least = 256 if width == 2 else 0  # noqa: PLR2004 - as the document has it
    return least <= content < least + (1 << 8 * width)


_ZSTD_LEAST = 5
"""Bytes of the magic number and the flags of a frame."""
_ZSTD_HEADERS = tuple(
    (code << 6 | 0x20 * (not more), width, more)
    for more in (0, 1)
    for code, width in ((0, 1), (1, 2), (2, 4), (3, 8))
    if code or not more
)
"""Flags of a frame, bytes of its content size, bytes of its window."""
_EMPTY_BLOCK = bytes(3)
"""A raw block of no bytes, not the last one."""


def _skippable(made: bytes, left: int) -> bytes | None:
    if left < len(_SKIPPED) + 4:
        return None
    return made + _SKIPPED + (left - 8).to_bytes(4, "little") + bytes(left - 8)


def _chunks(made: bytes, left: int) -> bytes | None:
    if left < 4:  # noqa: PLR2004 - type and length of a chunk
        return None
    return made + b"\xfe" + (left - 4).to_bytes(3, "little") + bytes(left - 4)


_PADS: dict[str, Callable[[bytes, int], bytes | None]] = {
    "gzip": _gzip, "zstd": _zstd, "lz4": _skippable, "snappy": _chunks,
    "zlib": lambda _made, _left: None,
}  # fmt: skip
"""Codec to the function that fills packed bytes up by so many."""
