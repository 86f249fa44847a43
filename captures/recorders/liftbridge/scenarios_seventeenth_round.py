"""Faults and healthy programs of the seventeenth blind round: see docs/checking.md."""

import ctypes
import json
import socket
import struct
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from captures.recorders.liftbridge import clients
from captures.recorders.liftbridge.setup import API, BUS, GO, NATS, PYTHON, Facts
from captures.recorders.liftbridge.threads import Shown, fault, near_miss

DRIVER = "seventeenth_round"
FAR = 9391
"""Where the server of a relay listens, which is not recorded."""
ATTACH_FILTER = 26
DROP = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
"""A filter of the kernel that lets no packet through."""

fault(
    "pings_too_often_py",
    "A client with keepalive of half a second",
    driver=DRIVER,
    peer=PYTHON,
    kind="keepalive",
    thread="grpc/grpc#25722",
    shows="A watcher with keepalive and a log without it; four alarms after 24 s.",
    says="The watcher is set to ping each half second, though servers allow one in five minutes; "
    "its library sends two PINGs and then none, so a dead line would not be noticed. It has to be "
    "set to ten seconds or more, with a server that allows it.",
    marks=(Shown("a PING", "http2.type == 6 && http2.flags == 0 && tcp.dstport == 9292"),),
)


class Relay:
    """Carries connections to the server, until the kernel drops what comes from those clients."""

    def __init__(self) -> None:
        self.open: list[socket.socket] = []

    def accepts(self, listening: socket.socket) -> None:
        """Opens a connection to the server for each client."""
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", FAR))
                self.open.append(near)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self.carries, args=ends, daemon=True).start()

    def carries(self, source: socket.socket, target: socket.socket) -> None:
        """Passes bytes on."""
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def dies(self) -> None:
        """Nothing that clients send on their connections arrives any more, not even for TCP."""
        for each in self.open:
            dropping = struct.pack("HL", 1, ctypes.addressof(DROP))
            each.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, dropping)


def on_a_dead_line(*driver: str) -> Facts:
    """A server beyond a relay that is recorded at its clients."""
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
                if line.startswith("dead"):
                    relay.dies()
                    playing.stdin.write("\n")
                    playing.stdin.flush()
    return dict(json.loads(last))


def written_on_a_dead_line_py() -> Facts:
    """By gRPC for Python."""
    python, script = clients.folder_of(PYTHON) / "bin/python", clients.DRIVERS / f"py_{DRIVER}.py"
    return on_a_dead_line(str(python), str(script), "written_on_a_dead_line_py")


def written_on_a_dead_line_go() -> Facts:
    """By go-liftbridge."""
    return on_a_dead_line(str(clients.folder_of(GO) / DRIVER))


fault(
    "written_on_a_dead_line_py",
    "A client writes on a dead line and does not notice",
    peer=PYTHON,
    server=BUS,
    play=written_on_a_dead_line_py,
    kind="keepalive",
    thread="grpc/grpc#14717",
    shows="56 measures on one call of PublishAsync; after twelve of them the line goes dead. A "
    "console opens a new connection, which works.",
    says="From one packet on nothing that the machine sends is acknowledged, for 22 s until the "
    "end: TCP sends the same bytes again with longer and longer pauses. There is no PING and no "
    "new connection; its measures are not stored. It needs keepalive with a time limit.",
    marks=(Shown("bytes sent again", "tcp.analysis.retransmission && tcp.dstport == 9292"),),
)
near_miss(
    "exchange_py",
    "An exchange with two publishers and two readers, one of which leaves",
    driver=DRIVER,
    peer=PYTHON,
    thread="a healthy program of many parts",
    shows="80 rates, each with a deadline, and two subscriptions that are cancelled in order.",
)
fault(
    "written_on_a_dead_line_go",
    "A client of go-liftbridge writes on a dead line and does not notice",
    driver=DRIVER,
    server=BUS,
    play=written_on_a_dead_line_go,
    kind="keepalive",
    thread="grpc/grpc#14717",
    shows="50 levels, after twelve of which the line goes dead; a map opens a new connection.",
    says="From one packet on nothing that the well sends is acknowledged, for 19 s until the end: "
    "TCP sends the same bytes again. There is no PING and no new connection.",
    marks=(Shown("bytes sent again", "tcp.analysis.retransmission && tcp.dstport == 9292"),),
)
