"""WebSocket as two sides would send it: handshakes, frames, messages of RSocket."""

import io
import zlib
from collections.abc import Iterable

from tests.builders import Conversation, Packet, pcap

from streamshark.decoding.codecs import unmask
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.session import Session

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
"""RFC 6455, 1.3."""
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
MASK = bytes.fromhex("37fa213d")
"""RFC 6455, 5.7."""
DEFLATE = "permessage-deflate"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

SETUP = bytes.fromhex(
    "0000000004000001000000004e2000015f900a746578742f706c61696e0a746578742f706c61696e"
)
REQUEST = bytes.fromhex("000000011100000003026869") + b"ping"
ANSWER = bytes.fromhex("000000012860") + b"pong"
KEEPALIVE = bytes.fromhex("000000000c800000000000000000")
"""Frames of RSocket without their length: facts of the protocol's document."""


def request(*more: str, target: str = "/rsocket") -> bytes:
    """What a client asks, with more headers."""
    lines = (f"GET {target} HTTP/1.1", "Host: broker:7000", "Upgrade: websocket",
             "Connection: keep-alive, Upgrade", f"Sec-WebSocket-Key: {KEY}",
             "Sec-WebSocket-Version: 13", *more)  # fmt: skip
    return _head(*lines)


def answer(*more: str) -> bytes:
    """How a server agrees."""
    lines = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
             f"Sec-WebSocket-Accept: {ACCEPT}", *more)  # fmt: skip
    return _head(*lines)


def refusal(status: str = "404 Not Found") -> bytes:
    """How a server does not."""
    return _head(f"HTTP/1.1 {status}", "Content-Length: 4") + b"none"


def frame(
    payload: bytes, opcode: int = BINARY, *, mask: bytes = b"", fin: bool = True, rsv: int = 0
) -> bytes:
    """One frame; `rsv` are the three reserved bits."""
    size = len(payload)
    head = bytes([fin << 7 | rsv << 4 | opcode])
    masked = 0x80 if mask else 0
    if size < 126:
        head += bytes([masked | size])
    elif size < 1 << 16:
        head += bytes([masked | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([masked | 127]) + size.to_bytes(8, "big")
    return head + mask + (unmask(payload, mask) if mask else payload)


def asked(payload: bytes, opcode: int = BINARY, *, fin: bool = True, rsv: int = 0) -> bytes:
    """One frame of a client."""
    return frame(payload, opcode, mask=MASK, fin=fin, rsv=rsv)


def closing(code: int, reason: bytes = b"", *, mask: bytes = b"") -> bytes:
    """A close frame."""
    return frame(code.to_bytes(2, "big") + reason, CLOSE, mask=mask)


class Packer:
    """Deflates messages with one window."""

    def __init__(self) -> None:
        self.stream = zlib.compressobj(wbits=-15)

    def __call__(self, data: bytes) -> bytes:
        """One message."""
        return (self.stream.compress(data) + self.stream.flush(zlib.Z_SYNC_FLUSH))[:-4]


def _head(*lines: str) -> bytes:
    return "\r\n".join((*lines, "", "")).encode()


# As captures


def talk(port: int = 8080) -> Conversation:
    """A connection that is opened; nothing said yet."""
    return Conversation(server=("10.0.0.2", port)).handshake()


def upgraded(*more: str) -> Conversation:
    """A connection on which both sides have agreed, with these headers in both heads."""
    return talk().send(0, request(*more)).send(1, answer(*more))


def read(packets: Iterable[Packet], **options: object) -> tuple[list[Row], Session]:
    """The rows of a capture, every byte of it accounted for."""
    packets = list(packets)
    session = Session([io.BytesIO(pcap(packets))], **options)  # type: ignore[arg-type, list-item]
    rows = list(session.rows())
    totals = session.dissector.totals()
    ours = [number for number, each in session.dissector.connections.items() if each is not None]
    payload = sum(
        flow.payload - flow.repeated - flow.copied - flow.ignored
        for flow in (session.dissector.tracker.flows[number] for number in ours)
    )
    assert totals.framed + sum((totals.skipped or {}).values()) == payload
    assert totals.framed >= 0
    assert all(each >= 0 for each in (totals.skipped or {}).values())
    return rows, session


def frames(rows: Iterable[Row]) -> list[FrameRow]:
    """The frames among rows."""
    return [row for row in rows if isinstance(row, FrameRow)]


def told(rows: Iterable[Row]) -> list[str]:
    """Names of frames and events, events of the carrier and TCP as `protocol.name`."""
    return [
        f"{row.protocol}.{row.name}" if isinstance(row, EventRow) else str(row.name)  # type: ignore[attr-defined]
        for row in rows
    ]
