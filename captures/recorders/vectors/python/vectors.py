"""What the Python recorders share: a line per vector, and a tap that records a TCP connection.

The expected values are the arguments given to the peer that wrote the bytes.
"""

import json
import socket
import threading
import time
from collections.abc import Callable

NULL = "<null>"


def emit(file: str, name: str, source: str, data: bytes, expect: object, **facts: object) -> None:
    """Print one vector; `facts` are further members (command, note, bare, ...)."""
    vector = {"file": file, "name": name, "hex": data.hex(), "source": source, "expect": expect}
    print(json.dumps({**vector, **facts}))


class Tap:
    """Forwards TCP connections to a port of this machine and keeps the bytes of both directions."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.up = bytearray()
        self.down = bytearray()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, sink, kept in ((client, server, self.up), (server, client, self.down)):
                threading.Thread(target=self._copy, args=(source, sink, kept), daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, sink: socket.socket, kept: bytearray) -> None:
        try:
            while data := source.recv(65536):
                kept += data
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            sink.close()

    def clear(self) -> None:
        """Forget what was recorded."""
        self.up.clear()
        self.down.clear()


def wait_for_port(port: int, seconds: float = 10) -> None:
    """Wait until something listens on the port."""
    wait(lambda: socket.create_connection(("127.0.0.1", port), 1).close() or True, seconds)


def wait(happened: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until `happened` returns true; a refused connection counts as not yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if happened():
                return
        except OSError:
            pass
        time.sleep(0.02)
    raise TimeoutError
