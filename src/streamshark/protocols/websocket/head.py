"""The head of a frame, read and written: two bytes, a longer length, a mask (RFC 6455, 5.2)."""

from typing import Final, NamedTuple

from streamshark.decoding.codecs import unmask
from streamshark.protocols.websocket.framing import LENGTH_16, LENGTH_64, MASK, SMALLEST

MOST_16: Final = 0xFFFF
"""Largest length that 16 bits hold."""
FIN, MASKED = 0x80, 0x80
"""Bits of the first and of the second byte: the last frame of a message, a mask."""
_EXTRA: Final = {LENGTH_16: 2, LENGTH_64: 8}
"""Short length to the bytes of the length that follows it."""
SIZES: Final = tuple(
    SMALLEST + _EXTRA.get(second & ~MASKED, 0) + (MASK if second & MASKED else 0)
    for second in range(256)
)
"""The second byte to the bytes of the head."""


class FrameHead(NamedTuple):
    """The head of a frame."""

    size: int
    """Its own bytes."""
    length: int
    """Bytes of the payload."""
    mask: bytes
    """Empty without one."""


def read_head(data: bytes, at: int = 0) -> FrameHead | int:
    """Return the head at a place; or how many bytes it needs, if they are not all there."""
    if len(data) - at < SMALLEST:
        return SMALLEST
    length = data[at + 1] & ~MASKED
    size = SIZES[data[at + 1]]
    if len(data) - at < size:
        return size
    start = at + SMALLEST
    if length in _EXTRA:
        start += _EXTRA[length]
        length = int.from_bytes(data[at + SMALLEST : start])
    return FrameHead(size, length, data[start : at + size])


def write_frame(opcode: int, payload: bytes, mask: bytes = b"") -> bytes:
    """Return a whole message as one frame; a client's has a mask of four bytes."""
    bit, length = (MASKED if mask else 0), len(payload)
    if length < LENGTH_16:
        head = bytes((FIN | opcode, bit | length))
    else:
        short = LENGTH_16 if length <= MOST_16 else LENGTH_64
        head = bytes((FIN | opcode, bit | short)) + length.to_bytes(_EXTRA[short])
    return b"".join((head, mask, unmask(payload, mask) if mask and payload else payload))
