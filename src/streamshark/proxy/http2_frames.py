"""Frames of HTTP/2: cut out of bytes, and written. Spec: RFC 9113, sections 4 and 6."""

from collections.abc import Iterable
from struct import Struct
from typing import Final

from streamshark.errors import StreamsharkError

LONGEST_BLOCK: Final = 1 << 20
"""Most bytes of a header block."""
DEFAULT_FRAME: Final = 16_384
"""Most bytes of a frame unless a side allows more."""
HEAD: Final = Struct(">HBBBI")
"""High and low part of the size, kind, flags, stream."""
HEAD_SIZE: Final = 9
DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE = 0, 1, 3, 4, 5
WINDOW_UPDATE, CONTINUATION = 8, 9
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITY = 1, 1, 4, 8, 0x20
_EMPTY_TABLE: Final = b"\x20"
"""The beginning of a header block that empties the table of the receiver."""


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame."""
    size = len(payload)
    return HEAD.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


def literal_block(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a header block that neither refers to the table of the receiver nor changes it.

    >>> literal_block([(b"a", b"bc")]).hex()
    '20000161026263'
    """
    parts = [_EMPTY_TABLE]
    for each in headers:
        parts.append(b"\0" if getattr(each, "indexable", True) else b"\x10")
        for text in each:
            parts += (_text_size(len(text)), bytes(text))
    return b"".join(parts)


def _text_size(value: int) -> bytes:
    """Return the length of a text in a header block, seven bits of a byte and then more."""
    most = 0x7F
    if value < most:
        return bytes([value])
    out, value = bytearray([most]), value - most
    while value >= 0x80:  # noqa: PLR2004 - 7 bits of each byte
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def written_block(headers: Iterable[tuple[bytes, bytes]], number: int, *, is_last: bool) -> bytes:
    """Return a header block in its frames."""
    block = literal_block(headers)
    parts = [block[at : at + DEFAULT_FRAME] for at in range(0, len(block), DEFAULT_FRAME)]
    out = []
    for at, part in enumerate(parts):
        flags = END_HEADERS if at + 1 == len(parts) else 0
        if not at:
            flags |= END_STREAM if is_last else 0
        out.append(frame(CONTINUATION if at else HEADERS, flags, number, part))
    return b"".join(out)


def settings_of(data: bytes) -> Iterable[tuple[int, int]]:
    """Return names and values of a SETTINGS frame."""
    return Struct(">HI").iter_unpack(data[HEAD_SIZE : len(data) - (len(data) - HEAD_SIZE) % 6])


def payload_of(flags: int, data: bytes) -> bytes:
    """Return the content of DATA, without padding."""
    if not flags & PADDED:
        return data[HEAD_SIZE:]
    return data[HEAD_SIZE + 1 : max(len(data) - data[HEAD_SIZE], HEAD_SIZE + 1)]


def block_end(data: bytes, at: int) -> int:
    """Return where a header block with its CONTINUATION frames ends; 0 if it is not complete."""
    start, end = at, len(data)
    while end - at >= HEAD_SIZE:
        high, low, kind, flags, _ = HEAD.unpack_from(data, at)
        if at > start and kind != CONTINUATION:
            raise StreamsharkError("a header block is interrupted")
        at += HEAD_SIZE + (high << 8 | low)
        if at - start > LONGEST_BLOCK:
            raise StreamsharkError("a header block is too long")
        if flags & END_HEADERS:
            return at if at <= end else 0
    return 0


def block_of(unit: bytes) -> bytes:
    """Return the header block of frames, without padding and priority."""
    parts, at = [], 0
    while at < len(unit):
        high, low, kind, flags, _ = HEAD.unpack_from(unit, at)
        content = unit[at + HEAD_SIZE : at + HEAD_SIZE + (high << 8 | low)]
        at += HEAD_SIZE + len(content)
        if kind != CONTINUATION:
            if flags & PADDED:
                content = content[1 : len(content) - content[0]]
            if kind == PUSH_PROMISE:
                content = content[4:]
            elif flags & PRIORITY:
                content = content[5:]
        parts.append(content)
    return b"".join(parts)
