"""Scenarios of foreign protocols: what they are, how servers start, and the ports of ours."""

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"
OURS = (4222, 5552, 7000, 9292, 12345, 50051)
"""Default ports of the protocols that Streamshark reads."""
Serve = Callable[[Path], AbstractContextManager[None]]
Play = Callable[[int, int], object]
"""Takes the port to connect to, and which round it is."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A foreign protocol between a real server and a real client.

    The server listens on `port`; the client plays `rounds` times, then once over each of `relayed`.
    `others` are further ports of the server.
    """

    name: str
    title: str
    server: str
    client: str
    port: int
    serve: Serve
    play: Play
    rounds: int = 3
    relayed: tuple[int, ...] = OURS
    others: tuple[int, ...] = ()

    @property
    def ports(self) -> tuple[int, ...]:
        """Those that are recorded."""
        return (self.port, *self.others, *self.relayed)

    @property
    def source(self) -> str:
        """The file that has the play, as the repository sees it."""
        file = Path(sys.modules[self.play.__module__].__file__ or "")
        return str(file.relative_to(Path(__file__).parents[3]))


ALL: dict[str, Scenario] = {}


def add(scenario: Scenario) -> None:
    """Makes a scenario known."""
    assert scenario.name not in ALL, scenario.name
    ALL[scenario.name] = scenario


def wait(port: int) -> None:
    """Waits until somebody listens on a port."""
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), 1):
            return
        time.sleep(0.1)
    log = Path(f"{port}.log")
    raise SystemExit(f"no server on port {port}\n{log.read_text() if log.exists() else ''}")


@contextmanager
def program(*command: object, port: int, cwd: Path | None = None) -> Iterator[None]:
    """Runs a server while the block runs."""
    with (
        Path(f"{port}.log").open("wb") as log,
        subprocess.Popen(
            [str(each) for each in command], stdout=log, stderr=log, cwd=cwd
        ) as server,
    ):
        try:
            wait(port)
            yield
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


def client(*command: object, give: str = "") -> str:
    """Runs a client, which must succeed; returns what it prints."""
    done = subprocess.run(
        [str(each) for each in command],
        input=give,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def pump(source: socket.socket, target: socket.socket) -> None:
    """Hands on what one peer sends until it has ended."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


class Relay:
    """Listens on a port, and connects to the server from the same port of other addresses.

    So each connection is recorded twice: with the port as the server's, and as the client's.
    """

    taken = 1

    def __init__(self, port: int, target: int) -> None:
        self.port, self.target = port, target
        self.listener = socket.create_server((LOOPBACK, port))
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Listens no more; shutting down ends the wait for the next connection."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                Relay.taken += 1
                source = f"127.0.{Relay.taken >> 8}.{Relay.taken & 255}", self.port
                far = socket.create_connection((LOOPBACK, self.target), 10, source)
                far.settimeout(None)
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=pump, args=pair, daemon=True).start()


def play(scenario: Scenario) -> None:
    """Plays all rounds, on the server's port and on those of ours."""
    for nth in range(scenario.rounds):
        scenario.play(scenario.port, nth)
    with ExitStack() as stack:
        for nth, port in enumerate(scenario.relayed):
            relay = Relay(port, scenario.port)
            stack.callback(relay.stop)
            scenario.play(port, scenario.rounds + nth)
