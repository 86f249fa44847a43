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


def _skippable(made: bytes, left: int) -> bytes | None:
    if left < len(_SKIPPED) + 4:
        return None
    return made + _SKIPPED + (left - 8).to_bytes(4, "little") + bytes(left - 8)


def _chunks(made: bytes, left: int) -> bytes | None:
    if left < 4:  # noqa: PLR2004 - type and length of a chunk
        return None
    return made + b"\xfe" + (left - 4).to_bytes(3, "little") + bytes(left - 4)


_PADS: dict[str, Callable[[bytes, int], bytes | None]] = {
    "gzip": _gzip, "zstd": _skippable, "lz4": _skippable, "snappy": _chunks,
    "zlib": lambda _made, _left: None,
}  # fmt: skip
"""Codec to the function that fills packed bytes up by so many."""
