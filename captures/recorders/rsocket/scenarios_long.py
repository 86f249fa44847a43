"""Long runs of real programs: many requests, restarts of the server, reconnects; all is right."""

import threading
import time

from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import Facts, Play, Scenario, add

EARLIER = {
    "java": {"RSK-S2": "requests that start at once on several threads: 3, 5, 7 are sent before 1"},
    "go": {"RSK-S2": "requests that start at once on several threads: 107 is sent before 105"},
}
"""Known faults of the libraries."""
UPTIMES = (8, 8, 11)
"""Seconds that the server is up, each time; it is away for a second in between."""


def restarts(peer: str, carrier: str = "tcp") -> Play:
    """A long play of a library; its server, rsocket-java, is started three times meanwhile."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        failed: list[str] = []

        def drive() -> None:
            try:
                facts.update(clients.drive(peer, "long", carrier, driver="long"))
            except SystemExit as problem:
                failed.append(str(problem))

        thread = threading.Thread(target=drive)
        for number, seconds in enumerate(UPTIMES):
            with clients.serving(carrier, "bare"):
                if not number:
                    thread.start()
                if number < len(UPTIMES) - 1:
                    time.sleep(seconds)
                else:
                    thread.join()
            time.sleep(1)
        if failed:
            raise SystemExit(failed[0])
        return facts

    return play


for _peer, _library, _carrier in (
    ("java", "rsocket-java", "tcp"),
    ("js", "rsocket-js", "tcp"),
    ("py", "rsocket-py", "tcp"),
    ("go", "rsocket-go", "websocket"),
):
    add(
        Scenario(
            f"long_run_{'websocket_' * (_carrier == 'websocket')}{_peer}",
            restarts(_peer, _carrier),
            f"Half a minute of a busy client whose server restarts twice, by {_library}",
            peer=_peer,
            server="java",
            faults=EARLIER.get(_peer, {}),
            healthy=True,
            shows="Requests of every kind, some at once: answers, errors, streams in batches and "
            "whole, streams that are cancelled, fire and forget, channels; the server ends twice "
            "in the midst of it, and the client connects again with a growing pause.",
        )
    )
