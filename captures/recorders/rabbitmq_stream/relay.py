"""A relay between a client and the broker that changes frames on their way.

For faults that no client makes alone: the broker's real bytes with one thing changed in them, or
late, or missing. What the client sees is recorded, on the relay's port.
"""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from captures.recorders import lab
from captures.recorders.rabbitmq_stream.setup import RELAY
from captures.recorders.rabbitmq_stream.wire import DELIVER, u32

Change = Callable[[bytes], list[bytes]]
"""From one whole frame to the frames that go on in its place."""


def untouched(frame: bytes) -> list[bytes]:
    """Goes on as it came."""
    return [frame]


def key(frame: bytes) -> int:
    """The key on the wire."""
    return int.from_bytes(frame[4:6], "big")


def sized(frame: bytes) -> bytes:
    """A frame whose body was changed, with the size that it has now."""
    return u32(len(frame) - 4) + frame[4:]


def at(frame: bytes, place: int, data: bytes) -> bytes:
    """A frame with bytes replaced."""
    return frame[:place] + data + frame[place + len(data) :]


def only(wanted: int, nth: int, change: Change) -> Change:
    """The change of the nth frame (from 1) with that key alone."""
    seen = 0

    def one(frame: bytes) -> list[bytes]:
        nonlocal seen
        seen += key(frame) == wanted
        return change(frame) if key(frame) == wanted and seen == nth else [frame]

    return one


def chunk(nth: int, place: int, form: str, value: Callable[[int], int]) -> Change:
    """Changes a number in the chunk of the nth Deliver of version 1; `place` from the chunk on."""

    def change(frame: bytes) -> list[bytes]:
        old = struct.unpack_from(form, frame, 9 + place)[0]
        return [at(frame, 9 + place, struct.pack(form, value(old)))]

    return only(DELIVER, nth, change)


@contextmanager
def relay(server: Change = untouched, client: Change = untouched) -> Iterator[None]:
    """Passes connections on to the broker while the block runs."""
    with socket.create_server(("0.0.0.0", RELAY)) as listener:  # noqa: S104
        threading.Thread(target=_accept, args=(listener, server, client), daemon=True).start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)  # wakes the thread, which else keeps the port


def _accept(listener: socket.socket, server: Change, client: Change) -> None:
    while True:
        try:
            near, _ = listener.accept()
        except OSError:
            return
        far = socket.create_connection((lab.HOST, 5552))
        for one in (near, far):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for source, target, change in ((near, far, client), (far, near, server)):
            threading.Thread(target=_pass, args=(source, target, change), daemon=True).start()


def _pass(source: socket.socket, target: socket.socket, change: Change) -> None:
    buffer = b""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            buffer += data
            while len(buffer) >= 4 and len(buffer) >= 4 + int.from_bytes(buffer[:4], "big"):
                end = 4 + int.from_bytes(buffer[:4], "big")
                frame, buffer = buffer[:end], buffer[end:]
                target.sendall(b"".join(change(frame)))
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
