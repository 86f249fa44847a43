"""Messages of carriers as parts of a stream that can be left out.

Messages of WebSocket that are deflated are written inflated, and header blocks of HTTP/2 without
the table of HPACK, since what refers to earlier messages could not be read without them.
"""

from typing import Final, NamedTuple

from streamshark.decoding.codecs import HeaderTable, Inflater
from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.http2 import framing as http2
from streamshark.protocols.http2.codes import PREFACE, Flag, FrameType
from streamshark.protocols.http2.connection import read
from streamshark.protocols.websocket import framing as websocket
from streamshark.protocols.websocket.codes import CONTROL, Opcode
from streamshark.protocols.websocket.frame import WebSocketFrame
from streamshark.protocols.websocket.head import read_head, write_frame

END_OF_HEAD: Final = b"\r\n\r\n"
NOWHERE: Final = PacketRef([], (0, 0, 0))
MOST_BLOCK: Final = 16_384
"""Most bytes of a header block in one frame: every peer takes so many (RFC 9113, 4.2)."""


class CarrierPart(NamedTuple):
    """A part of one side's stream."""

    offset: int
    end: int
    data: bytes
    """Its bytes, so written that they need no earlier ones."""
    group: str = ""
    """The stream that it belongs to; empty without one."""
    is_message: bool = True


BothSides = tuple[list[CarrierPart], list[CarrierPart]]


def spans_of(carrier: str, first: bytes, second: bytes) -> BothSides | None:
    """Return the parts of both sides of a carrier's connection; None if they cannot be told."""
    split = _SPLITTERS.get(carrier)
    if split is None:
        return None
    sides = split(first), split(second)
    if sides[0] is None or sides[1] is None:
        return None
    return sides[0], sides[1]


# WebSocket


def _websocket(stream: bytes) -> list[CarrierPart] | None:
    """Return handshake and messages of one side; None if they are not all whole."""
    spans: list[CarrierPart] = []
    at = stream.find(END_OF_HEAD) + len(END_OF_HEAD)
    if at < len(END_OF_HEAD):
        return None if stream else []
    spans.append(CarrierPart(0, at, stream[:at], is_message=False))
    inflater = Inflater()
    parts: list[WebSocketFrame] = []
    begins = at
    while at < len(stream):
        frame = _frame(websocket.TABLE, stream, at)
        known = None if frame is None else WebSocketFrame.of(frame)
        if frame is None or known is None:
            spans.append(CarrierPart(at, len(stream), stream[at:], is_message=False))
            break
        end = at + len(frame.data)
        if known.opcode >= CONTROL:
            spans.append(CarrierPart(at, end, frame.data))
        else:
            begins = begins if parts else at
            parts.append(known)
            if known.fin:
                data = _whole(parts, inflater)
                if data is None:
                    return None
                spans.append(CarrierPart(begins, end, data))
                parts = []
        at = end
    if parts:
        rest = b"".join(each.cut.data for each in parts)
        spans.append(CarrierPart(begins, at, rest, is_message=False))
    return spans


def _whole(parts: list[WebSocketFrame], inflater: Inflater) -> bytes | None:
    """Return the frames of a message; if it is deflated, one frame of it inflated."""
    first = parts[0]
    if not first.rsv1:
        return b"".join(each.cut.data for each in parts)
    payload = b"".join(each.payload for each in parts)
    made = inflater.message(payload, websocket.MOST_MESSAGE).data
    if made is None or first.opcode not in (Opcode.TEXT, Opcode.BINARY):
        return None
    return write_frame(first.opcode, made, mask_of(first))


def websocket_frames(message: bytes) -> list[WebSocketFrame]:
    """Return the frames of a part that is a message; an empty list if it is none."""
    frames: list[WebSocketFrame] = []
    at = 0
    while at < len(message):
        frame = _frame(websocket.TABLE, message, at)
        known = None if frame is None else WebSocketFrame.of(frame)
        if frame is None or known is None:
            return []
        frames.append(known)
        at += len(frame.data)
    return frames if frames and frames[-1].fin else []


def mask_of(frame: WebSocketFrame) -> bytes:
    """Return the mask of a frame; empty without one."""
    head = read_head(frame.cut.data)
    return b"" if isinstance(head, int) else head.mask


# HTTP/2


def _http2(stream: bytes) -> list[CarrierPart] | None:
    """Return preface and frames of one side; None if headers refer to unknown ones."""
    spans: list[CarrierPart] = []
    at = 0
    if stream.startswith(PREFACE):
        at = len(PREFACE)
        spans.append(CarrierPart(0, at, PREFACE, is_message=False))
    table = HeaderTable()
    while at < len(stream):
        frame = _frame(http2.TABLE, stream, at)
        if frame is None:
            spans.append(CarrierPart(at, len(stream), stream[at:], is_message=False))
            break
        end, kind = at + len(frame.data), frame.data[3]
        group = _stream(frame.data)
        if kind == FrameType.PUSH_PROMISE:
            return None
        if kind == FrameType.HEADERS:
            found = _headers(frame, stream, end, table)
            if found is None:
                return None
            data, end = found
            spans.append(CarrierPart(at, end, data, group))
        else:
            spans.append(CarrierPart(at, end, frame.data, group))
        at = end
    return spans


def _stream(frame: bytes) -> str:
    """Return the stream of a frame as the name of a group; empty for the connection."""
    number = int.from_bytes(frame[5:9], "big") & 0x7FFFFFFF
    return f"stream {number}" if number else ""


def _headers(
    first: RawFrame, stream: bytes, end: int, table: HeaderTable
) -> tuple[bytes, int] | None:
    """Return a header block, written anew in as few frames as it needs, and where it ends."""
    frame: RawFrame | None = first
    block, flags = bytearray(), first.data[4]
    while frame is not None:
        values = read(frame)
        if values is None:
            return None
        block += values["header_block"]
        if values["flags"] & Flag.END_HEADERS:
            break
        frame = _frame(http2.TABLE, stream, end)
        if frame is None or frame.data[3] != FrameType.CONTINUATION:
            return None
        end += len(frame.data)
    found = table.block(bytes(block))
    if found.problem is not None or not found.whole:
        return None
    data = b"".join(b"\0" + _text(name) + _text(value) for name, value in found.headers)
    parts = [data[at : at + MOST_BLOCK] for at in range(0, len(data) or 1, MOST_BLOCK)]
    kept = flags & Flag.END_STREAM
    out = []
    for number, part in enumerate(parts):
        kind = FrameType.CONTINUATION if number else FrameType.HEADERS
        is_last = number == len(parts) - 1
        head = (Flag.END_HEADERS if is_last else 0) | (0 if number else kept)
        out.append(len(part).to_bytes(3, "big") + bytes((kind, head)) + first.data[5:9] + part)
    return b"".join(out), end


def _text(text: str) -> bytes:
    """Return a string literal of HPACK, without Huffman's code (RFC 7541, 5.2)."""
    data = text.encode()
    size, most = len(data), 0x7F
    if size < most:
        return bytes([size]) + data
    out, size = bytearray([most]), size - most
    while size > most:
        out.append(0x80 | size & most)
        size >>= 7
    return bytes(out) + bytes([size]) + data


# Frames


def _frame(table: FrameTable, stream: bytes, at: int) -> RawFrame | None:
    """Return the frame at an offset; None if it is not whole."""
    measured = table.measure(stream, at, len(stream))
    if measured is None or not table.least <= measured[0] <= len(stream) - at:
        return None
    selector = table.selectors.get(measured[1:])
    return RawFrame(at, stream[at : at + measured[0]], NOWHERE, selector, None)


_SPLITTERS = {"websocket": _websocket, "http2": _http2}
