"""Messages of carriers with other contents: what a message of WebSocket or gRPC holds is shorter.

Parts are those of `carrier_parts`: messages of WebSocket, frames of HTTP/2.
"""

from collections.abc import Sequence
from typing import Final

from streamshark.decoding.codecs import CODECS, unpack
from streamshark.protocols.http2.codes import Flag, FrameType
from streamshark.protocols.http2.framing import SMALLEST
from streamshark.protocols.websocket.codes import CONTROL
from streamshark.protocols.websocket.head import write_frame
from streamshark.sharing.carrier_parts import mask_of, websocket_frames

Change = tuple[bytes, bytes]
"""Contents, and what takes their place."""
_PREFIX: Final = 5
"""Bytes before a message of gRPC: a flag, and its length."""
_MOST_MESSAGE: Final = 16 << 20


def with_contents(
    carrier: str, parts: Sequence[bytes], changes: Sequence[Change]
) -> list[bytes] | None:
    """Return parts of one side with other contents; None if they cannot have them.

    Args:
        carrier: Id of the carrier.
        parts: One message of WebSocket, or the frames of one stream of HTTP/2, in their order.
        changes: Rows of the message, or messages of gRPC, in their order.
    """
    if carrier == "websocket":
        made = _websocket(parts[0], changes)
        return None if made is None else [made]
    return _grpc(parts, changes) if carrier == "http2" else None


def _websocket(part: bytes, changes: Sequence[Change]) -> bytes | None:
    """Return a message of WebSocket with other contents, as one frame."""
    frames = websocket_frames(part)
    if not frames or frames[0].opcode >= CONTROL or any(each.rsv1 or each.rsv for each in frames):
        return None
    payload = b"".join(each.payload for each in frames)
    out, at = bytearray(), 0
    for old, new in changes:
        place = payload.find(old, at)
        if place < 0:
            return None
        out += payload[at:place] + new
        at = place + len(old)
    return write_frame(frames[0].opcode, bytes(out) + payload[at:], mask_of(frames[0]))


def _grpc(parts: Sequence[bytes], changes: Sequence[Change]) -> list[bytes] | None:
    """Return frames of one stream with other messages; a message is written unpacked."""
    contents = {
        number: bytearray(_content(part))
        for number, part in enumerate(parts)
        if len(part) >= SMALLEST and part[3] == FrameType.DATA
    }
    stream = b"".join(contents.values())
    left = list(changes)
    new_bytes: list[tuple[int, int, bytes]] = []
    at = 0
    while left and at + _PREFIX <= len(stream):
        end = at + _PREFIX + int.from_bytes(stream[at + 1 : at + _PREFIX], "big")
        if _plain(stream[at], stream[at + _PREFIX : end], left[0][0]):
            new = left.pop(0)[1]
            made = b"\0" + len(new).to_bytes(4, "big") + new
            if len(made) > end - at:
                return None
            new_bytes.append((at, end, made))
        at = end
    if left:
        return None
    return _written(parts, contents, new_bytes)


def _plain(flag: int, data: bytes, wanted: bytes) -> bool:
    """Return whether a message is what is wanted, unpacked where its flag says so."""
    if not flag:
        return data == wanted
    return any(unpack(each, data, size=None, cap=_MOST_MESSAGE).data == wanted for each in CODECS)


def _content(part: bytes) -> bytes:
    """Return what a DATA frame has besides padding."""
    if part[4] & Flag.PADDED and len(part) > SMALLEST:
        return part[SMALLEST + 1 : max(SMALLEST + 1, len(part) - part[SMALLEST])]
    return part[SMALLEST:]


def _written(
    parts: Sequence[bytes], contents: dict[int, bytearray], changes: list[tuple[int, int, bytes]]
) -> list[bytes]:
    """Return the frames with new bytes in some places; none of them is longer than it was."""
    out = list(parts)
    at = 0
    for number, old in contents.items():
        made, end, done = bytearray(), at + len(old), at
        for start, stop, new in changes:
            first, last = max(start, at), min(stop, end)
            if first < last:
                made += old[done - at : first - at] + new[first - start : last - start]
                done = last
        made += old[done - at :]
        if bytes(made) != bytes(old):
            part = parts[number]
            flags = part[4] & ~Flag.PADDED
            out[number] = len(made).to_bytes(3, "big") + bytes((part[3], flags)) + part[5:SMALLEST]
            out[number] += made
        at = end
    return out
