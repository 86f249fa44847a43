"""Lines to a server: slow ones, distant ones, those that end what is idle, and those that go dead.

A line whose server does not listen accepts connections and closes them.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Line:
    """A line from a port of its own to that of a server, for each client."""

    port: int
    to: int
    idle: float = 0
    """Seconds without bytes after which it ends a connection; 0 for never."""
    rate: int = 0
    """Bytes in a second; 0 for as many as come."""
    delay: float = 0
    """Seconds that bytes take."""
    lost: set[socket.socket] = field(default_factory=set)
    """The ends at clients of which nothing is passed on any more."""
    _seen: dict[socket.socket, float] = field(default_factory=dict)
    """The end at the client to when bytes came last."""

    def accepts(self, listening: socket.socket) -> None:
        """Opens a connection to the server for each client."""
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.to))
                except ConnectionRefusedError:
                    near.close()
                    continue
                self._seen[near] = time.monotonic()
                for work, *ends in (
                    (self._carries, near, far, near),
                    (self._carries, far, near, near),
                    (self._watches, near, far),
                ):
                    threading.Thread(target=work, args=ends, daemon=True).start()

    def _carries(self, source: socket.socket, target: socket.socket, near: socket.socket) -> None:
        """Passes bytes on."""
        with suppress(OSError):
            while data := source.recv(self.rate // 20 or 65536):
                self._seen[near] = time.monotonic()
                if near in self.lost:
                    continue
                if self.delay:
                    threading.Timer(self.delay, target.sendall, (data,)).start()
                    continue
                target.sendall(data)
                if self.rate:
                    time.sleep(len(data) / self.rate)
        time.sleep(2 * self.delay)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def loses(self) -> None:
        """Passes nothing on any more of what connections there are; does not close them."""
        self.lost |= set(self._seen)

    def _watches(self, near: socket.socket, far: socket.socket) -> None:
        """Ends a connection that is idle."""
        while self.idle and time.monotonic() - self._seen[near] < self.idle:
            time.sleep(0.01)
        for each in (near, far) if self.idle else ():
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def line(port: int, to: int, *, idle: float = 0, rate: int = 0, delay: float = 0) -> Iterator[Line]:
    """A line that is open meanwhile."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        opened = Line(port, to, idle, rate, delay)
        threading.Thread(target=opened.accepts, args=(listening,), daemon=True).start()
        yield opened
        listening.shutdown(socket.SHUT_RDWR)
