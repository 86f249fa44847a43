"""A client of NATS by hand, and envelopes as nobody should write them."""

import json
import socket
import struct
import time
from types import TracebackType
from typing import Self

from captures.recorders.liftbridge.setup import NATS, Blame

MAGIC = bytes.fromhex("b90e43b4")


def varint(value: int) -> bytes:
    """A number in base 128."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def member(number: int, value: int | str | bytes) -> bytes:
    """A field of protobuf."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def envelope(
    key: int, body: bytes, *, version: int = 0, length: int = 8, flags: int = 0, more: bytes = b""
) -> bytes:
    """A header and a body."""
    return MAGIC + bytes([version, length, flags, key]) + more + body


def publish(value: bytes, inbox: str = "", identity: str = "", policy: int = 0) -> bytes:
    """The body of a publish."""
    out = member(3, value)
    out += member(10, inbox) if inbox else b""
    out += member(11, identity) if identity else b""
    return out + (member(12, policy) if policy else b"")


def replication(epoch: int, high: int, *records: bytes) -> bytes:
    """The body of a replication response."""
    return struct.pack(">Qq", epoch, high) + b"".join(records)


class Peer:
    """One connection to the bus. It counts the envelopes that it sends."""

    def __init__(self, name: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", NATS))
        self.socket.settimeout(5)
        self.sent = 0
        self.frames: list[tuple[int, int]] = []
        self.held = b""
        self.sid = 0
        self.line()
        options = {"verbose": False, "pedantic": False, "name": name, "headers": True}
        options |= {"no_responders": True, "lang": "hand", "version": "1", "protocol": 1}
        self.write(b"CONNECT " + json.dumps(options).encode() + b"\r\nPING\r\n")
        while self.line() != b"PONG":
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        time.sleep(0.3)
        self.socket.close()

    @property
    def port(self) -> int:
        """Its own port."""
        port: int = self.socket.getsockname()[1]
        return port

    def write(self, data: bytes) -> None:
        """Bytes."""
        self.socket.sendall(data)
        self.sent += len(data)

    def line(self) -> bytes:
        """The next line."""
        while b"\r\n" not in self.held:
            self.held += self.socket.recv(65536)
        line, _, self.held = self.held.partition(b"\r\n")
        return line

    def subscribe(self, subject: str) -> None:
        """SUB, and wait until it holds."""
        self.sid += 1
        self.write(f"SUB {subject} {self.sid}\r\nPING\r\n".encode())
        while self.line() != b"PONG":
            pass

    def send(self, subject: str, data: bytes, reply: str = "") -> None:
        """PUB."""
        self.write(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")
        if data.startswith(MAGIC) and len(data) >= 8:
            self.frames.append((data[7], self.sent))
        time.sleep(0.05)

    def message(self) -> tuple[str, str, bytes]:
        """The next message: subject, reply subject, payload."""
        while True:
            words = self.line().split()
            if words and words[0] in (b"MSG", b"HMSG"):
                size = int(words[-1])
                while len(self.held) < size + 2:
                    self.held += self.socket.recv(65536)
                data, self.held = self.held[:size], self.held[size + 2 :]
                rest = words[3:-1] if words[0] == b"MSG" else words[3:-2]
                return words[1].decode(), rest[0].decode() if rest else "", data

    def blame(self, rule: str) -> Blame:
        """The envelope that was sent last breaks a rule."""
        return Blame(rule, self.port, "client", len(self.frames), counted=self.frames[-1])
