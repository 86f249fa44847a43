"""A hand-made client over TCP, for what libraries do not do: plain bytes, each frame counted."""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from captures.recorders.pravega.setup import STORE, Blame

HELLO, KEEP_ALIVE = -127, 100
WRITER = bytes(range(1, 17))
NONE = -(1 << 63)


def text(value: str) -> bytes:
    """Text with its length."""
    data = value.encode()
    return struct.pack(">H", len(data)) + data


def sized(data: bytes) -> bytes:
    """Bytes with their length."""
    return struct.pack(">i", len(data)) + data


def record(kind: int, data: bytes) -> bytes:
    """An event (0), PADDING (-1) or PARTIAL_EVENT (-2)."""
    return struct.pack(">ii", kind, len(data)) + data


def key(name: bytes, version: int = NONE) -> bytes:
    """A key of a table; an empty one lies about its length and has no version."""
    inner = sized(name) + (struct.pack(">q", version) if name else b"")
    return struct.pack(">i", 12 + len(name)) + inner


def entry(name: bytes, value: bytes, version: int = NONE) -> bytes:
    """A key with its value."""
    return key(name, version) + struct.pack(">i", 4 + len(value)) + sized(value)


class Peer:
    """One connection; counts what it sends and gets."""

    def __init__(self, port: int = STORE) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(15)
        self.port: int = self.socket.getsockname()[1]
        self.sent: list[tuple[int, int]] = []
        """Type code, and bytes of the direction up to the frame's end."""
        self.got: list[tuple[int, int]] = []
        self.ids = 0
        self.high = 16
        """Newest version that it says it speaks; its requests are of that one."""

    def say(self, code: int, body: bytes = b"") -> None:
        """Sends a frame."""
        self.raw(code, struct.pack(">ii", code, len(body)) + body)

    def raw(self, code: int, data: bytes) -> None:
        """Sends bytes that count as one frame."""
        before = self.sent[-1][1] if self.sent else 0
        self.socket.sendall(data)
        self.sent.append((code, before + len(data)))

    def hear(self, *codes: int) -> bytes:
        """The next frame's payload, which has one of these type codes, when some are given."""
        kind, length = struct.unpack(">ii", self._exactly(8))
        payload = self._exactly(length)
        before = self.got[-1][1] if self.got else 0
        self.got.append((kind, before + 8 + length))
        if codes and kind not in codes:
            raise SystemExit(f"{kind} came, not {codes}: {payload[:200]!r}")
        return payload

    def greet(self, high: int = 16, low: int = 5) -> None:
        """HELLO, and the server's."""
        self.high = high
        self.say(HELLO, struct.pack(">ii", high, low))
        self.hear(HELLO)

    def ask(self, code: int, body: bytes, *answers: int) -> bytes:
        """A request that begins with its id; the reply's payload."""
        self.ids += 1
        self.say(code, struct.pack(">q", self.ids) + body)
        return self.hear(*answers)

    def closed(self, until: float = 15) -> None:
        """Reads on until the server closes, or says nothing for so many seconds."""
        self.socket.settimeout(until)
        with suppress(ConnectionError, TimeoutError):
            while self.socket.recv(4096):
                pass

    def blame(self, rule: str) -> Blame:
        """The frame that was sent last, as the one that a rule names."""
        return Blame(rule, self.port, "client", len(self.sent), 0, self.sent[-1])

    def blamed(self, rule: str) -> Blame:
        """The frame that the server sent last."""
        return Blame(rule, self.port, "server", len(self.got), 0, self.got[-1])

    def _exactly(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            try:
                more = self.socket.recv(length - len(data))
            except TimeoutError:
                raise SystemExit(f"no answer; sent {self.sent}, got {self.got}") from None
            if not more:
                raise SystemExit(f"the server closed; sent {self.sent}, got {self.got}")
            data += more
        return data

    # What many scenarios do

    def create(self, segment: str) -> None:
        """A new segment."""
        rollover = bytes(8) if self.high >= 14 else b""
        self.ask(20, text(segment) + struct.pack(">ib", 0, 0) + text("") + rollover, 21)

    def set_up(self, segment: str, writer: bytes = WRITER) -> None:
        """A writer may append to a segment; its id is that of all its appends."""
        self.ask(1, writer + text(segment) + text(""), 2)

    def read(self, segment: str, offset: int, length: int = 4096) -> None:
        """READ_SEGMENT, with an id of its own where there are ids."""
        self.ids += 1
        number = struct.pack(">q", self.ids) if self.high >= 8 else b""
        self.say(9, text(segment) + struct.pack(">qi", offset, length) + text("") + number)

    def seal(self, segment: str) -> None:
        """SEAL_SEGMENT."""
        self.ask(28, text(segment) + text(""), 29)

    def append(self, number: int, data: bytes, writer: bytes = WRITER, *, count: int = 1) -> None:
        """A block of known size and its end."""
        self.block(data, writer)
        self.end(number, len(data), b"", writer, count=count)

    def block(self, content: bytes, writer: bytes = WRITER) -> None:
        """APPEND_BLOCK."""
        self.say(3, writer + content)

    def end(
        self, number: int, size: int, rest: bytes, writer: bytes = WRITER, *, count: int = 1
    ) -> None:
        """APPEND_BLOCK_END."""
        body = writer + struct.pack(">i", size) + sized(rest)
        self.say(4, body + struct.pack(">iqq", count, number, self.ids))


@contextmanager
def connected(port: int = STORE, high: int = 16) -> Iterator[Peer]:
    """A connection that has said HELLO, while the block runs."""
    peer = Peer(port)
    peer.greet(high)
    try:
        yield peer
        time.sleep(0.3)
    finally:
        peer.socket.close()
