"""HTTP/2 as two sides would send it: prefaces, frames, calls; and whole connections of grpcio."""

import struct
from collections.abc import Iterable

import hpack
from tests.builders import Conversation
from tests.schema.reader_agreement import Vector, vectors

from streamshark.flows.segment import Gap, Segment
from streamshark.framing.carrier import CarriedMessage, CarrierEvent, Item
from streamshark.protocols.http2.codes import PREFACE
from streamshark.protocols.http2.connection import Http2Connection, Http2Side

DATA, HEADERS, RST_STREAM, SETTINGS, PING = 0, 1, 3, 4, 6
GOAWAY, WINDOW_UPDATE, CONTINUATION = 7, 8, 9
END_STREAM, END_HEADERS, PADDED = 1, 4, 8
PATH = "/vectors.Service/Unary"
REQUEST = {
    ":method": "POST", ":scheme": "http", ":path": PATH, ":authority": "broker",
    "content-type": "application/grpc", "te": "trailers", "key": "value",
}  # fmt: skip
RESPONSE = {":status": "200", "content-type": "application/grpc"}
TRAILERS = {"grpc-status": "0", "grpc-message": ""}


def connections() -> dict[str, dict[str, Vector]]:
    """Both sides of each connection that grpcio was recorded on."""
    found: dict[str, dict[str, Vector]] = {}
    for each in vectors("grpc"):
        found.setdefault(each.facts["sequence"], {})[each.facts["sender"]] = each
    return found


def frame(kind: int, payload: bytes = b"", stream: int = 1, flags: int = 0) -> bytes:
    """One frame."""
    return len(payload).to_bytes(3, "big") + struct.pack(">BBI", kind, flags, stream) + payload


def message(data: bytes, *, packed: bool = False) -> bytes:
    """A message with its length."""
    return struct.pack(">BI", packed, len(data)) + data


class Side:
    """What one side sends, with its own header table."""

    def __init__(self) -> None:
        self.encoder = hpack.Encoder()

    def headers(self, said: dict[str, str], stream: int = 1, flags: int = END_HEADERS) -> bytes:
        """HEADERS."""
        return frame(HEADERS, self.encoder.encode(said.items()), stream, flags)


def call(data: bytes = b"hi") -> tuple[bytes, bytes]:
    """Both sides of a connection with one call."""
    client, server = Side(), Side()
    asked = PREFACE + frame(SETTINGS, b"", 0) + client.headers(REQUEST)
    answered = frame(SETTINGS, b"", 0) + frame(SETTINGS, b"", 0, 1) + server.headers(RESPONSE)
    answered += frame(DATA, message(b"re:" + data))
    answered += server.headers(TRAILERS, flags=END_HEADERS | END_STREAM)
    return asked + frame(DATA, message(data), flags=END_STREAM), answered


class Reader:
    """One connection read by the link alone."""

    def __init__(self, *, start: bool = True) -> None:
        self.link = Http2Connection()
        self.sides: list[Http2Side] = [
            self.link.side(number, start=start, fits=lambda _: True) for number in (0, 1)
        ]
        self.offsets = [0, 0]
        self.items: list[tuple[int, Item]] = []

    def feed(self, side: int, data: bytes, step: int = 0) -> "Reader":
        """Bytes of a side, in segments of `step` bytes."""
        step = step or len(data) or 1
        for at in range(0, len(data), step):
            part = data[at : at + step]
            segment = Segment(0, side, self.offsets[side], part, 1, 1, 1, 0, 0, 0, 0, False)  # noqa: FBT003
            self.offsets[side] += len(part)
            self._keep(side, self.sides[side].feed(segment))
        return self

    def lose(self, side: int, length: int) -> "Reader":
        """Bytes of a side that never come."""
        gap = Gap(0, side, self.offsets[side], length, 1, 1, 0, "lost")
        self.offsets[side] += length
        self._keep(side, self.sides[side].gap(gap))
        return self

    def finish(self) -> "Reader":
        """No more bytes."""
        for side in (0, 1):
            self._keep(side, self.sides[side].finish())
        return self

    def told(self, side: int) -> int:
        """Bytes that the items of a side took."""
        return sum(each.length for other, each in self.items if other == side)

    def carried(self, side: int | None = None) -> list[CarriedMessage]:
        """The messages of a side, or of both."""
        return [
            each
            for other, each in self.items
            if isinstance(each, CarriedMessage) and side in (None, other)
        ]

    def reasons(self) -> list[str]:
        """Why bytes were skipped."""
        return [
            each.reason
            for _, each in self.items
            if not isinstance(each, CarriedMessage | CarrierEvent)
        ]

    def notices(self) -> list[str]:
        """Names of the events."""
        return [each.name for _, each in self.items if isinstance(each, CarrierEvent)]

    def _keep(self, side: int, items: Iterable[Item]) -> None:
        self.items += [(side, each) for each in items]


def talk(*sides: tuple[int, bytes]) -> Conversation:
    """A whole connection, in a capture."""
    made = Conversation().handshake()
    for side, data in sides:
        made.send(side, data)
    return made
