"""A small hand-written stream client: says to a real broker what the libraries do not say.

Only what it sends is ours; every answer is the broker's own. It is plain `struct` on purpose and
shares nothing with what the captures are meant to test.
"""

import contextlib
import socket
import ssl
import struct
import time
from dataclasses import dataclass, field

DECLARE_PUBLISHER, PUBLISH, CONFIRM, PUBLISH_ERROR = 1, 2, 3, 4
QUERY_SEQUENCE, DELETE_PUBLISHER, SUBSCRIBE, DELIVER = 5, 6, 7, 8
CREDIT, STORE_OFFSET, QUERY_OFFSET, UNSUBSCRIBE = 9, 10, 11, 12
CREATE, DELETE, METADATA, METADATA_UPDATE = 13, 14, 15, 16
PEER_PROPERTIES, SASL_HANDSHAKE, SASL_AUTHENTICATE, TUNE = 17, 18, 19, 20
OPEN, CLOSE, HEARTBEAT, ROUTE = 21, 22, 23, 24
PARTITIONS, CONSUMER_UPDATE, EXCHANGE_VERSIONS, STREAM_STATS = 25, 26, 27, 28
CREATE_SUPER_STREAM, DELETE_SUPER_STREAM, RESOLVE_OFFSET_SPEC = 29, 30, 31
RESPONSE = 0x8000

FIRST, LAST, NEXT = (struct.pack(">H", n) for n in (1, 2, 3))


def u8(value: int) -> bytes:
    """One byte."""
    return struct.pack(">B", value)


def u16(value: int) -> bytes:
    """Two bytes."""
    return struct.pack(">H", value)


def u32(value: int) -> bytes:
    """Four bytes."""
    return struct.pack(">I", value)


def u64(value: int) -> bytes:
    """Eight bytes."""
    return struct.pack(">Q", value)


def string(value: str) -> bytes:
    """A string with its length in bytes."""
    data = value.encode()
    return u16(len(data)) + data


def strings(values: list[str]) -> bytes:
    """A counted list of strings."""
    return u32(len(values)) + b"".join(map(string, values))


def pairs(values: dict[str, str]) -> bytes:
    """A counted list of properties."""
    return u32(len(values)) + b"".join(string(k) + string(v) for k, v in values.items())


def offset(value: int) -> bytes:
    """Offset specification: an absolute offset."""
    return u16(4) + u64(value)


def timestamp(milliseconds: int) -> bytes:
    """Offset specification: a point in time."""
    return u16(5) + u64(milliseconds)


def message(body: bytes) -> bytes:
    """An AMQP 1.0 message of one short data section, as stream clients write it."""
    return (
        b"\x00\x53\x75"
        + (b"\xa0" + u8(len(body)) if len(body) < 256 else b"\xb0" + u32(len(body)))
        + body
    )


def entry(publishing_id: int, data: bytes) -> bytes:
    """A simple entry of Publish version 1."""
    return u64(publishing_id) + u32(len(data)) + data


def sub_batch(publishing_id: int, compression: int, records: list[bytes], data: bytes) -> bytes:
    """A sub-batch entry of Publish version 1; `data` is the records already compressed."""
    plain = sum(4 + len(r) for r in records)
    head = u8(0x80 | compression << 4) + u16(len(records)) + u32(plain) + u32(len(data))
    return u64(publishing_id) + head + data


def records(bodies: list[bytes]) -> bytes:
    """The inside of a sub-batch before compression."""
    return b"".join(u32(len(b)) + b for b in bodies)


@dataclass
class Frame:
    """One received frame."""

    key: int
    version: int
    body: bytes

    @property
    def code(self) -> int:
        """Response code of an ordinary response."""
        return int.from_bytes(self.body[4:6], "big")


@dataclass(frozen=True)
class Passed:
    """One frame as the driver counts it: its key, and the bytes of its direction up to its end."""

    key: int
    end: int


@dataclass
class Client:
    """One connection. Whatever is not the awaited answer waits in `inbox`."""

    host: str = "broker"
    port: int = 5552
    source: str = ""
    name: str = "raw"
    tls: ssl.SSLContext | None = None
    correlation: int = 0
    inbox: list[Frame] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    sent: list[Passed] = field(default_factory=list)
    received: list[Passed] = field(default_factory=list)
    bytes_sent: int = 0
    bytes_received: int = 0

    def __post_init__(self) -> None:
        source = (self.source, 0) if self.source else None
        self.socket = socket.create_connection((self.host, self.port), 15, source)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.tls:
            self.socket = self.tls.wrap_socket(self.socket, server_hostname=self.host)
        self.buffer = b""

    def raw(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.bytes_sent += len(data)
        self.socket.sendall(data)

    @staticmethod
    def frame(key: int, body: bytes = b"", version: int = 1) -> bytes:
        """A frame with its size."""
        return u32(len(body) + 4) + u16(key) + u16(version) + body

    def send(self, key: int, body: bytes = b"", version: int = 1) -> None:
        """Sends one frame."""
        self.together(self.frame(key, body, version))

    def together(self, *frames: bytes) -> None:
        """Sends frames in one go; each counts as one, whatever its size says."""
        end = self.bytes_sent
        for frame in frames:
            end += len(frame)
            self.sent.append(Passed(int.from_bytes(frame[4:6], "big"), end))
        self.raw(b"".join(frames))

    def read(self, wait: float = 15) -> Frame | None:
        """The next frame; None at the end of the stream or when nothing comes in time."""
        end = time.monotonic() + wait
        while len(self.buffer) < 4 or len(self.buffer) < 4 + self._size():
            self.socket.settimeout(max(0.01, end - time.monotonic()))
            try:
                data = self.socket.recv(65536)
            except (TimeoutError, ConnectionError):
                return None
            if not data:
                return None
            self.buffer += data
        size = self._size()
        data, self.buffer = self.buffer[4 : 4 + size], self.buffer[4 + size :]
        frame = Frame(*struct.unpack(">HH", data[:4]), data[4:])
        self.bytes_received += 4 + size
        self.received.append(Passed(frame.key, self.bytes_received))
        return frame

    def _size(self) -> int:
        return int.from_bytes(self.buffer[:4], "big")

    def until(self, *keys: int, wait: float = 15) -> Frame | None:
        """Reads until a frame with one of the keys; the others go to the inbox."""
        for place, frame in enumerate(self.inbox):
            if frame.key in keys:
                return self.inbox.pop(place)
        end = time.monotonic() + wait
        while (frame := self.read(max(0.05, end - time.monotonic()))) is not None:
            if frame.key in keys:
                return frame
            self.inbox.append(frame)
        return None

    def drain(self, wait: float = 1) -> list[Frame]:
        """Everything that comes within `wait` seconds, after the inbox."""
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0 and (frame := self.read(left)) is not None:
            self.inbox.append(frame)
        frames, self.inbox = self.inbox, []
        return frames

    def request(self, key: int, body: bytes = b"") -> Frame:
        """Sends a request and waits for its response (or, from old brokers, its key)."""
        self.correlation += 1
        self.send(key, u32(self.correlation) + body)
        answer = self.until(key | RESPONSE, *((key,) if key in (ROUTE, PARTITIONS) else ()))
        if answer is None:
            raise SystemExit(f"no answer to key {key}")
        self.codes.append(answer.code)
        return answer

    def hello(self) -> None:
        """PeerProperties and SaslHandshake."""
        mine = {"product": "raw socket", "version": "1", "connection_name": self.name}
        self.request(PEER_PROPERTIES, pairs(mine))
        self.request(SASL_HANDSHAKE)

    def authenticate(self, user: str = "guest", password: str = "guest") -> Frame:
        """SaslAuthenticate with PLAIN."""
        secret = f"\0{user}\0{password}".encode()
        return self.request(SASL_AUTHENTICATE, string("PLAIN") + u32(len(secret)) + secret)

    def tune(
        self, heartbeat: int = 60, frame_max: int = 1048576, key: int = TUNE | RESPONSE
    ) -> None:
        """Waits for the server's Tune and answers it."""
        self.until(TUNE)
        self.send(key, u32(frame_max) + u32(heartbeat))

    def login(self, *, heartbeat: int = 60, user: str = "guest", password: str = "guest",
              vhost: str = "/", frame_max: int = 1048576) -> "Client":  # fmt: skip
        """The whole handshake."""
        self.hello()
        self.authenticate(user, password)
        self.tune(heartbeat, frame_max)
        self.request(OPEN, string(vhost))
        return self

    def create(self, stream: str, arguments: dict[str, str] | None = None) -> Frame:
        """Create."""
        return self.request(CREATE, string(stream) + pairs(arguments or {}))

    def delete(self, stream: str) -> Frame:
        """Delete."""
        return self.request(DELETE, string(stream))

    def declare(self, publisher: int, stream: str, reference: str = "") -> Frame:
        """DeclarePublisher."""
        return self.request(DECLARE_PUBLISHER, u8(publisher) + string(reference) + string(stream))

    def publish(self, publisher: int, first: int, bodies: list[bytes]) -> None:
        """Publish version 1 of simple entries."""
        entries = b"".join(entry(first + i, message(b)) for i, b in enumerate(bodies))
        self.send(PUBLISH, u8(publisher) + u32(len(bodies)) + entries)

    def confirmed(self, count: int, wait: float = 15) -> int:
        """Waits until that many publishing ids are confirmed."""
        seen = 0
        while seen < count and (frame := self.until(CONFIRM, wait=wait)):
            seen += int.from_bytes(frame.body[1:5], "big")
        return seen

    def subscribe(self, subscription: int, stream: str, spec: bytes = FIRST, credit: int = 10,
                  properties: dict[str, str] | None = None) -> Frame:  # fmt: skip
        """Subscribe."""
        tail = b"" if properties is None else pairs(properties)
        body = u8(subscription) + string(stream) + spec + u16(credit) + tail
        return self.request(SUBSCRIBE, body)

    def credit(self, subscription: int, credit: int = 1) -> None:
        """Credit."""
        self.send(CREDIT, u8(subscription) + u16(credit))

    def consume(self, subscription: int, count: int, wait: float = 5) -> int:
        """Reads deliveries, one credit for each, until `count` messages have come."""
        seen = 0
        while seen < count and (frame := self.until(DELIVER, wait=wait)):
            chunk = frame.body[9 if frame.version == 2 else 1 :]
            seen += int.from_bytes(chunk[4:8], "big")
            self.credit(subscription)
        return seen

    def unsubscribe(self, subscription: int) -> Frame:
        """Unsubscribe."""
        return self.request(UNSUBSCRIBE, u8(subscription))

    def close(self, code: int = 1, reason: str = "OK") -> None:
        """Close, its answer, and the end of the connection."""
        self.request(CLOSE, u16(code) + string(reason))
        self.ended(3)

    def ended(self, wait: float) -> bool:
        """Whether the server ends the connection in time; closes our side too."""
        end = time.monotonic() + wait
        ended = False
        while time.monotonic() < end and not ended:
            self.socket.settimeout(max(0.01, end - time.monotonic()))
            with contextlib.suppress(TimeoutError):
                try:
                    ended = not self.socket.recv(65536)
                except ConnectionError:
                    ended = True
        self.socket.close()
        return ended

    def drop(self) -> None:
        """Ends the connection without a Close."""
        self.socket.close()
