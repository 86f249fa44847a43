"""A hand-made peer over TCP, for what the libraries do not do: plain bytes, each frame counted."""

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from captures.recorders import lab
from captures.recorders.rsocket.setup import PORT, Blame

SETUP, LEASE, KEEPALIVE, REQUEST_RESPONSE, REQUEST_FNF, REQUEST_STREAM = 1, 2, 3, 4, 5, 6
REQUEST_CHANNEL, REQUEST_N, CANCEL, PAYLOAD, ERROR, METADATA_PUSH = 7, 8, 9, 10, 11, 12
RESUME, RESUME_OK = 13, 14
METADATA, FOLLOWS, COMPLETE, NEXT = 0x100, 0x80, 0x40, 0x20
RESUMES, RESPOND, LEASES = FOLLOWS, FOLLOWS, COMPLETE
"""Other names of the same bits, in SETUP and KEEPALIVE."""
ALL = 0x7FFFFFFF
WITH_N = (REQUEST_STREAM, REQUEST_CHANNEL)
COMPOSITE = b"message/x.rsocket.composite-metadata.v0"


def frame(key: int, stream: int = 0, flags: int = 0, body: bytes = b"") -> bytes:
    """A frame without its length."""
    return struct.pack(">IH", stream, key << 10 | flags) + body


def setup(
    keepalive: int = 20000,
    lifetime: int = 90000,
    flags: int = 0,
    *,
    metadata: bytes = b"text/plain",
    token: bytes = b"",
) -> bytes:
    """SETUP of version 1.0, data in text."""
    body = struct.pack(">HHII", 1, 0, keepalive, lifetime)
    if flags & RESUMES:
        body += struct.pack(">H", len(token)) + token
    for mime in (metadata, b"text/plain"):
        body += bytes([len(mime)]) + mime
    return frame(SETUP, 0, flags, body)


def request(
    key: int,
    stream: int,
    data: bytes,
    flags: int = 0,
    *,
    n: int = ALL,
    metadata: bytes | None = None,
) -> bytes:
    """A request of any kind, or a payload."""
    body = struct.pack(">I", n) if key in WITH_N else b""
    if metadata is not None:
        flags |= METADATA
        body += len(metadata).to_bytes(3, "big") + metadata
    return frame(key, stream, flags, body + data)


def payload(stream: int, data: bytes, flags: int = NEXT, metadata: bytes | None = None) -> bytes:
    """PAYLOAD."""
    return request(PAYLOAD, stream, data, flags, metadata=metadata)


def request_n(stream: int, n: int) -> bytes:
    """REQUEST_N."""
    return frame(REQUEST_N, stream, 0, struct.pack(">I", n))


def keepalive(flags: int = RESPOND, data: bytes = b"", position: int = 0) -> bytes:
    """KEEPALIVE."""
    return frame(KEEPALIVE, 0, flags, struct.pack(">Q", position) + data)


def error(stream: int, code: int, said: bytes = b"by hand") -> bytes:
    """ERROR."""
    return frame(ERROR, stream, 0, struct.pack(">I", code) + said)


def resume(token: bytes, received: int = 0, available: int = 0) -> bytes:
    """RESUME of version 1.0."""
    body = struct.pack(">HHH", 1, 0, len(token)) + token + struct.pack(">QQ", received, available)
    return frame(RESUME, 0, 0, body)


def entry(mime: int | bytes, content: bytes) -> bytes:
    """An entry of composite metadata."""
    head = bytes([0x80 | mime]) if isinstance(mime, int) else bytes([len(mime) - 1]) + mime
    return head + len(content).to_bytes(3, "big") + content


@dataclass(frozen=True)
class Passed:
    """One frame as the driver counts it, and the bytes of its direction up to its end."""

    key: int
    flags: int
    stream: int
    body: bytes
    end: int


@dataclass
class Peer:
    """One side of one connection, `client` or `server`."""

    socket: socket.socket
    side: str
    connection: int
    wrong: bool
    blames: list[Blame]
    buffer: bytes = b""
    passed: dict[str, list[Passed]] = field(default_factory=lambda: {"client": [], "server": []})
    ended: bool = False

    @property
    def other(self) -> str:
        """The side that is not this one."""
        return "server" if self.side == "client" else "client"

    def _count(self, sender: str, data: bytes) -> Passed:
        """Counts a frame, whatever it is."""
        before = self.passed[sender][-1].end if self.passed[sender] else 0
        stream, word = struct.unpack_from(">IH", data)
        one = Passed(word >> 10, word & 0x3FF, stream, data[6:], before + 3 + len(data))
        self.passed[sender].append(one)
        return one

    def send(self, *frames: bytes) -> None:
        """Sends frames, each as a segment of its own."""
        for each in frames:
            self.together(each)

    def together(self, *frames: bytes) -> None:
        """Sends frames in one segment."""
        for each in frames:
            self._count(self.side, each)
        try:
            self.socket.sendall(b"".join(len(f).to_bytes(3, "big") + f for f in frames))
        except OSError:
            self.ended = True
        time.sleep(0.02)

    def blame(self, rules: str, sender: str = "", *, nth: int = 0, last: int = 0) -> None:
        """Says which frame the rules are to name: the last one that the sender sent, or `nth`."""
        sender = sender or self.side
        place = nth or len(self.passed[sender])
        for rule in rules.split():
            one = self.passed[sender][place - 1]
            counted = one.key, one.stream, one.end
            self.blames.append(Blame(f"RSK-{rule}", self.connection, sender, place, last, counted))

    def read(self, wait: float = 3) -> Passed | None:
        """The next frame; None when the other side ends, or nothing comes in time."""
        self.socket.settimeout(wait)
        while len(self.buffer) < 3 or len(self.buffer) < 3 + self._length():
            try:
                data = self.socket.recv(65536)
            except OSError:
                return None
            if not data:
                self.ended = True
                return None
            self.buffer += data
        end = 3 + self._length()
        data, self.buffer = self.buffer[3:end], self.buffer[end:]
        return self._count(self.other, data)

    def _length(self) -> int:
        return int.from_bytes(self.buffer[:3], "big")

    def until(self, key: int, stream: int | None = None, flags: int = 0, wait: float = 3) -> Passed:
        """Reads up to a frame of a type, on a stream, with flags; it must come."""
        limit = time.monotonic() + wait
        while (left := limit - time.monotonic()) > 0:
            one = self.read(left)
            if one is None:
                break
            if one.key == key and stream in (None, one.stream) and one.flags & flags == flags:
                return one
        raise SystemExit(f"no frame of type {key} on stream {stream} from the {self.other}")

    def drain(self, wait: float) -> list[Passed]:
        """Reads all that comes in some time."""
        limit, found = time.monotonic() + wait, []
        while (left := limit - time.monotonic()) > 0 and (one := self.read(left)):
            found.append(one)
        return found

    def finish(self) -> None:
        """Ends this side of the connection, everything said."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Ends the connection politely: FIN, and what still comes is read."""
        self.finish()
        self.drain(0.3)
        self.socket.close()


@dataclass
class Hand:
    """The connections of one play, whether it is to go wrong, and the frames that are to blame."""

    wrong: bool
    blames: list[Blame] = field(default_factory=list)
    connections: int = 0

    def _peer(self, connected: socket.socket, side: str) -> Peer:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connections += 1
        return Peer(connected, side, self.connections - 1, self.wrong, self.blames)

    def client(self, *first: bytes) -> Peer:
        """A connection to the server, its first frames sent in one segment: SETUP, or others."""
        peer = self._peer(socket.create_connection((lab.HOST, PORT)), "client")
        peer.together(*first or (setup(),))
        return peer

    @contextmanager
    def server(self, serve: Callable[[Peer], None], number: int) -> Iterator[None]:
        """Serves so many connections, one by one, while the block runs; waits for their end."""
        failed: list[BaseException] = []

        def accept() -> None:
            try:
                for _ in range(number):
                    peer = self._peer(listening.accept()[0], "server")
                    serve(peer)
                    peer.drain(5)
                    peer.close()
            except BaseException as problem:  # noqa: BLE001
                failed.append(problem)

        with socket.create_server((lab.HOST, PORT)) as listening:
            thread = threading.Thread(target=accept, daemon=True)
            thread.start()
            yield
            thread.join(20)
        if failed or thread.is_alive():
            raise SystemExit(f"the server by hand: {failed or 'does not end'}")
