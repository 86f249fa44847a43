"""Faults and healthy programs of the sixteenth blind round: see docs/checking.md."""

import json
import socket
import struct
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from captures.recorders.liftbridge import clients
from captures.recorders.liftbridge.setup import APART, API, BUS, NATS, PYTHON, Facts
from captures.recorders.liftbridge.threads import Shown, called, fault, near_miss

DRIVER = "sixteenth_round"
FAR = 9391
"""Where the server of a relay listens, which is not recorded."""

SHOWS = "36 prices, an archive, and a shop that takes the newest price for each of 9 pages."
THREAD = "grpc/grpc-go#4159"
fault(
    "subscriptions_left_open",
    "A program subscribes for each page and ends no subscription",
    driver=DRIVER,
    server=APART,
    kind="leaks",
    thread=THREAD,
    shows=SHOWS,
    says="The shop subscribes to prices for each page, takes one message, and does not end the "
    "subscription: after 9 pages 9 are open, and each price is sent to the shop 9 times. It has "
    "to cancel each call when it has what it wants.",
    marks=(called("Subscribe", skip=2),),
)
near_miss(
    "subscriptions_ended_by_page",
    "A program subscribes for each page and ends the subscription",
    driver=DRIVER,
    server=APART,
    thread=THREAD,
    shows=SHOWS,
)
near_miss(
    "parcels_of_two_couriers",
    "Two members of a group, of which one joins later and one leaves in order",
    driver=DRIVER,
    server=APART,
    thread="a healthy program of a group",
    shows="64 parcels by key in three partitions, and two couriers of a group.",
)


class Relay:
    """Carries connections to the server; cuts them, and lets those of the next moment stall."""

    def __init__(self) -> None:
        self.open: list[socket.socket] = []
        self.stalls = False

    def accepts(self, listening: socket.socket) -> None:
        """Opens a connection to the server for each client."""
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", FAR))
                self.open += [near, far]
                for source, target, stalls in ((near, far, self.stalls), (far, near, False)):
                    threading.Thread(
                        target=self.carries, args=(source, target, stalls), daemon=True
                    ).start()

    def carries(self, source: socket.socket, target: socket.socket, stalls: bool) -> None:  # noqa: FBT001
        """Passes bytes on; of a stalling connection the first ones alone: the settings."""
        with suppress(OSError):
            passed = False
            while data := source.recv(65536):
                if not (stalls and passed):
                    target.sendall(data)
                passed = True
            target.shutdown(socket.SHUT_WR)

    def cuts(self) -> None:
        """Resets all connections, and is in disorder for the next two seconds."""
        self.stalls = True
        for each in self.open:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with suppress(OSError):
                each.shutdown(socket.SHUT_RD)
            each.close()
        self.open = []
        threading.Timer(2, lambda: setattr(self, "stalls", False)).start()


def stalled_channel_py() -> Facts:
    """A server beyond a relay that is recorded at its clients."""
    text = clients.ONE_CONFIG.format(
        port=API, folder=Path.cwd(), id="lift-1", seed="true", most=1 << 20, activity="false",
        cursors=0,
    )  # fmt: skip
    text = text.replace(f"listen: 127.0.0.1:{API}", f"listen: 127.0.0.1:{FAR}")
    Path("lift-1.yaml").write_text(f"{text}  servers: [nats://127.0.0.1:{NATS}]\n")
    server = str(clients.folder_of("server") / "program")
    driver = [
        str(clients.folder_of(PYTHON) / "bin/python"),
        str(clients.DRIVERS / f"py_{DRIVER}.py"),
        "hall",
    ]
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
                if line.startswith("cut"):
                    relay.cuts()
                    playing.stdin.write("\n")
                    playing.stdin.flush()
    return dict(json.loads(last))


fault(
    "subscription_on_a_dead_channel_py",
    "A subscription on a channel that is dead waits for ever",
    peer=PYTHON,
    server=BUS,
    play=stalled_channel_py,
    kind="reconnecting",
    thread="bvis/aegis-hass#238",
    shows="67 departures, a hall that subscribes on a new channel after a cut, and a screen that "
    "subscribes on its old one, whose next connection carries nothing to the server.",
    says="After the reset the screen subscribes again. Its connection is dead: Subscribe is not "
    "answered, not even by headers, for 19 s until the end, while the hall gets each departure. "
    "The screen has neither a deadline nor keepalive: it has to ping, or to open a new channel.",
    marks=(
        Shown("a call of Subscribe", 'http2.headers.path matches "/Subscribe$"', skip=2, most=1),
    ),
)
