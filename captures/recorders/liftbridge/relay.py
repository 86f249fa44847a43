"""A relay between clients and a server of Liftbridge, which is recorded at its clients."""

import json
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from captures.recorders.liftbridge import clients
from captures.recorders.liftbridge.setup import API, NATS, Facts

FAR = 9391
"""Where the server of a relay listens, which is not recorded."""


class Relay:
    """Carries connections to the server."""

    def __init__(self) -> None:
        self.open: list[tuple[socket.socket, socket.socket]] = []
        """The ends of each connection, at the client and at the server."""
        self.most: int | None = None
        """How often bytes of the client of a new connection are passed on; None for always."""

    def accepts(self, listening: socket.socket) -> None:
        """Opens a connection to the server for each client."""
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", FAR))
                self.open.append((near, far))
                for ends in ((near, far, self.most), (far, near, None)):
                    threading.Thread(target=self.carries, args=ends, daemon=True).start()

    @staticmethod
    def carries(source: socket.socket, target: socket.socket, most: int | None) -> None:
        """Passes bytes on, so many times."""
        with suppress(OSError):
            times = 0
            while data := source.recv(65536):
                if most is None or times < most:
                    target.sendall(data)
                times += 1
            target.shutdown(socket.SHUT_WR)

    def resets(self) -> None:
        """Resets all connections."""
        for ends in self.open:
            for each in ends:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RD)
                each.close()
        self.open = []


def through_a_relay(cue: str, fails: Callable[[Relay], None], *driver: str) -> Facts:
    """A server whose relay fails when the driver prints a line that begins with the cue."""
    text = clients.ONE_CONFIG.format(
        port=API, folder=Path.cwd(), id="lift-1", seed="true", most=1 << 20, activity="false",
        cursors=0,
    )  # fmt: skip
    text = text.replace(f"listen: 127.0.0.1:{API}", f"listen: 127.0.0.1:{FAR}")
    Path("lift-1.yaml").write_text(f"{text}  servers: [nats://127.0.0.1:{NATS}]\n")
    server = str(clients.folder_of("server") / "program")
    with (
        clients.process(server, "--config", "lift-1.yaml"),
        socket.create_server(("127.0.0.1", API)) as listening,
    ):
        relay, last = Relay(), ""
        clients.listens(FAR)
        threading.Thread(target=relay.accepts, args=(listening,), daemon=True).start()
        time.sleep(4)
        with subprocess.Popen(
            driver, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as playing:
            assert playing.stdin
            assert playing.stdout
            for line in playing.stdout:
                last = line
                if line.startswith(cue):
                    fails(relay)
                    playing.stdin.write("\n")
                    playing.stdin.flush()
        listening.shutdown(socket.SHUT_RDWR)  # `accepts` ends
        relay.resets()  # nothing is sent again while the next scenario is recorded
    return dict(json.loads(last))
