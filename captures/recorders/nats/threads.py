"""How scenarios from issue threads and documents are made: faults and near misses."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from captures.recorders.marks import Mark
from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import STORED
from captures.recorders.nats.setup import CLIENTS, RAW, Facts, Play, Scenario, add
from captures.recorders.nats.wire import CONNECT, Hand

Do = Callable[[Hand], None]


def fault(  # noqa: PLR0913
    name: str,
    play: Play,
    title: str,
    *,
    peer: str,
    kind: str,
    thread: str,
    shows: str,
    says: str,
    marks: tuple[Mark, ...],
    ports: tuple[int, ...] = (CLIENTS,),
) -> None:
    """A client that misbehaves; `says` is what a maintainer would say of it, `kind` its class."""
    add(
        Scenario(
            name=f"bug_{name}",
            play=written_by_caller(play),
            title=title,
            peer=peer,
            healthy=False,
            shows=shows,
            fault=says,
            kind=kind,
            thread=thread,
            marks=marks,
            ports=ports,
        )
    )


def near_miss(  # noqa: PLR0913
    name: str,
    play: Play,
    title: str,
    *,
    peer: str,
    thread: str,
    shows: str,
    ports: tuple[int, ...] = (CLIENTS,),
) -> None:
    """What looks like a fault and is right."""
    add(
        Scenario(
            name=name,
            play=written_by_caller(play),
            title=title,
            peer=peer,
            healthy=True,
            shows=shows,
            thread=thread,
            ports=ports,
        )
    )


def pair(  # noqa: PLR0913
    name: str,
    twin: str,
    *,
    title: str,
    title_of_twin: str,
    played: Callable[[str], Play],
    peer: str,
    kind: str,
    thread: str,
    shows: str,
    says: str,
    marks: tuple[Mark, ...],
) -> None:
    """A fault, and its near miss under the name `twin`; `played` gives the play of a name."""
    fault(
        name,
        played(name),
        title,
        peer=peer,
        kind=kind,
        thread=thread,
        shows=shows,
        says=says,
        marks=marks,
    )
    near_miss(twin, played(twin), title_of_twin, peer=peer, thread=thread, shows=shows)


def written_by_caller(play: Play) -> Play:
    """A play whose source is the file that asks for it: the script with the scenario."""
    frame = sys._getframe()  # noqa: SLF001
    while frame.f_back and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    place = frame.f_code.co_filename
    play.__code__ = play.__code__.replace(co_filename=place)  # type: ignore[attr-defined]
    return play


def library(peer: str, name: str, driver: str, configuration: str = STORED) -> Play:
    """A play of a driver against one server."""

    def play() -> Facts:
        with peers.servers(configuration):
            return peers.drive(peer, name, driver=driver)

    return play


def restarting(
    peer: str, name: str, driver: str, configuration: str = STORED, *, after: float, down: float
) -> Play:
    """The same, and the server is stopped after some seconds and started again."""

    def play() -> Facts:
        facts: dict[str, object] = {}

        def drive() -> None:
            facts.update(peers.drive(peer, name, driver=driver))

        with peers.servers(configuration) as running:
            thread = threading.Thread(target=drive)
            thread.start()
            time.sleep(after)
            restart(running, down)
            thread.join()
        return facts

    return play


def restart(running: list[subprocess.Popen[bytes]], down: float) -> None:
    """Stops the only server, and starts it again some seconds later."""
    running[0].terminate()
    running[0].wait(5)
    time.sleep(down)
    command = [str(peers.server_of(peers.NEW)), "-c", "server-0.conf"]
    quiet = subprocess.DEVNULL
    running[0] = subprocess.Popen(command, stdout=quiet, stderr=quiet)


def by_hand(do: Do, configuration: str = STORED) -> Play:
    """A play by hand on one connection."""

    def play() -> Facts:
        with peers.servers(configuration):
            hand = Hand(wrong=True)
            hand.connect()
            do(hand)
            hand.close()
        return {"lines_sent": hand.sent}

    return play


def api(hand: Hand, subject: str, body: object = None) -> dict[str, object]:
    """A request to the API of JetStream, and its answer."""
    hand.send(b"SUB _INBOX.api 90\r\n", b"UNSUB 90 1\r\n")
    payload = b"" if body is None else json.dumps(body).encode()
    hand.send(f"PUB $JS.API.{subject} _INBOX.api {len(payload)}\r\n".encode() + payload + b"\r\n")
    line = hand.until(b"MSG _INBOX.api")
    size = int(line.split()[-1])
    while len(hand.buffer) < size:
        hand.buffer += hand.socket.recv(65536)
    answer, hand.buffer = hand.buffer[:size], hand.buffer[size + 2 :]
    return dict(json.loads(answer))


__all__ = [
    "CONNECT",
    "RAW",
    "Mark",
    "api",
    "by_hand",
    "fault",
    "library",
    "near_miss",
    "pair",
    "restart",
    "restarting",
]
