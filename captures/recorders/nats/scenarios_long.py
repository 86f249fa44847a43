"""Long runs of real programs: many operations, restarts of servers, reconnects; all is right."""

import subprocess
import threading
import time

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import STORED
from captures.recorders.nats.setup import CLIENTS, NEW, ROUTES, Facts, Play, Scenario, add

NODES = 3
ROUTED = ", ".join(f'"nats://127.0.0.1:{ROUTES + number}"' for number in range(NODES))
CLUSTER = [
    f"""\
listen: 127.0.0.1:{CLIENTS + number}
server_name: broker-{number}
jetstream {{ store_dir: "js/{number}", max_mem: 16MB, max_file: 64MB }}
cluster {{ name: three, listen: "127.0.0.1:{ROUTES + number}", routes: [{ROUTED}] }}
"""
    for number in range(NODES)
]


def restarts(peer: str, configurations: list[str], stops: list[tuple[float, int, float]]) -> Play:
    """A long play; servers are stopped meanwhile: seconds, which one, and for how long."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        failed: list[str] = []

        def drive() -> None:
            try:
                facts.update(peers.drive(peer, "long", driver="long"))
            except SystemExit as problem:
                failed.append(str(problem))

        with peers.servers(*configurations) as running:
            time.sleep(4 if len(configurations) > 1 else 0)
            thread = threading.Thread(target=drive)
            thread.start()
            started = time.monotonic()
            for at, number, down in stops:
                time.sleep(max(0, started + at - time.monotonic()))
                running[number].terminate()
                running[number].wait(10)
                time.sleep(down)
                command = [str(peers.server_of(NEW)), "-c", f"server-{number}.conf"]
                running[number] = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            thread.join()
        if failed:
            raise SystemExit(failed[0])
        return facts

    return play


add(
    Scenario(
        name="long_run_go",
        play=restarts("go", CLUSTER, [(6, 0, 2), (13, 1, 2), (20, 2, 2)]),
        title="Half a minute of a shop on three servers, each restarted once, by nats.go",
        peer="go",
        healthy=True,
        shows="Publishers with acks, two workers of one pull consumer, a service in a queue "
        "group, a "
        "key-value bucket with a watch and an ordered consumer, on a stream of three replicas, "
        "while "
        "the servers are restarted one after the other; workers stop and start; all drain.",
        ports=tuple(CLIENTS + number for number in range(NODES)),
    )
)

for _peer, _library in (("py", "nats-py"), ("js", "nats.js")):
    add(
        Scenario(
            name=f"long_run_{_peer}",
            play=restarts(_peer, [STORED], [(8, 0, 1.0), (16, 0, 1.0)]),
            title=f"Half a minute of a shop on a server that restarts twice, by {_library}",
            peer=_peer,
            healthy=True,
            shows="Publishers with acks and message ids, pull and push consumers, a service that "
            "is "
            "asked, a key-value bucket with a watch; the server restarts twice and everything goes "
            "on; subscriptions come and go; all drain.",
        )
    )
