"""A hand-made client over TCP, for what the libraries do not do: plain bytes, each line counted."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from captures.recorders.nats.setup import CLIENTS, Blame

CONNECT = {"verbose": False, "pedantic": False, "lang": "hand", "version": "1", "protocol": 1,
           "headers": True, "no_responders": True}  # fmt: skip


class Hand:
    """One connection, and what it has sent; `wrong` where the play is to misbehave."""

    def __init__(self, *, wrong: bool, taken: socket.socket | None = None) -> None:
        self.wrong = wrong
        self.side = "server" if taken else "client"
        self.blames: list[Blame] = []
        self.sent = 0
        self.buffer = b""
        self.socket = taken or socket.create_connection(("127.0.0.1", CLIENTS), 3)
        self.socket.settimeout(3)

    def send(self, *lines: bytes) -> None:
        """Lines, each with what belongs to it."""
        self.sent += len(lines)
        with suppress(OSError):
            self.socket.sendall(b"".join(lines))

    def blame(self, rule: str, back: int = 0) -> None:
        """The line sent last, or one before it, is what a rule is to name."""
        if self.wrong:
            self.blames.append(Blame(f"NATS-{rule}", 0, self.side, self.sent - back))

    def until(self, wanted: bytes) -> bytes:
        """Read up to a line that begins so; what came before it is dropped."""
        while True:
            at = (b"\n" + self.buffer).find(b"\n" + wanted)
            end = self.buffer.find(b"\n", max(at, 0))
            if at >= 0 and end >= 0:
                line, self.buffer = self.buffer[at : end + 1], self.buffer[end + 1 :]
                return line
            try:
                data = self.socket.recv(65536)
            except OSError:
                return b""
            if not data:
                return b""
            self.buffer += data

    def connect(self, **options: object) -> None:
        """INFO, CONNECT, PING, PONG."""
        self.until(b"INFO ")
        said = {key: each for key, each in {**CONNECT, **options}.items() if each is not None}
        self.send(b"CONNECT " + json.dumps(said).encode() + b"\r\n")
        self.flush()

    def flush(self) -> None:
        """All that was sent has been read."""
        self.send(b"PING\r\n")
        self.until(b"PONG")

    def close(self) -> None:
        """Half a second later."""
        time.sleep(0.3)
        self.socket.close()


def pub(subject: str, payload: bytes = b"hi", size: int | None = None) -> bytes:
    """PUB."""
    return (
        f"PUB {subject} {len(payload) if size is None else size}\r\n".encode() + payload + b"\r\n"
    )


def hpub(subject: str, block: bytes, payload: bytes = b"hi", size: int | None = None) -> bytes:
    """HPUB."""
    first = len(block) if size is None else size
    line = f"HPUB {subject} {first} {len(block) + len(payload)}\r\n".encode()
    return line + block + payload + b"\r\n"


@contextmanager
def served(serve: Callable[[Hand], None], *, wrong: bool) -> Iterator[list[Blame]]:
    """A server by hand for one connection while the block runs; the blames are in the result."""
    blames: list[Blame] = []
    with socket.create_server(("127.0.0.1", CLIENTS)) as listening:

        def work() -> None:
            taken, _ = listening.accept()
            hand = Hand(wrong=wrong, taken=taken)
            serve(hand)
            blames.extend(hand.blames)
            hand.close()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield blames
        thread.join(15)
