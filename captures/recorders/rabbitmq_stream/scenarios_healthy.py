"""Healthy programs that a rule had accused, or of new kinds: see docs/checking.md."""

import itertools
import socket
import threading
import time
from contextlib import suppress

from captures.recorders.rabbitmq_stream import clients
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import THREE
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario

JAVA, PYTHON, SCRIPT = "Healthy.java", "rstream_healthy.py", "js_healthy.mjs"
BALANCER = 5560


@scenario(
    "Instances that share a super stream are replaced, and one is killed, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    faults=RSTREAM,
    driver=PYTHON,
    shows="Invoices in two partitions; single active consumers of four instances.",
)
def deploy_rstream(stage: Stage) -> Facts:
    started = {}
    facts: dict[str, object] = {}

    def start(name: str) -> None:
        started[name] = clients.start(PYTHON, stage.scenario, "instance")

    def stop(name: str) -> None:
        started[name].terminate()
        facts[name] = clients.heard(started[name])
        started[name].wait(10)

    def run() -> None:
        time.sleep(2)
        start("old-1")
        time.sleep(3)
        start("old-2")
        time.sleep(4)
        start("new-1")
        time.sleep(2)
        stop("old-1")
        started["old-2"].kill()
        started["old-2"].wait()
        start("new-2")

    thread = threading.Thread(target=run)

    def created(_pid: int) -> None:
        thread.start()

    facts["sender"] = stage.drive(PYTHON, stage.scenario, "sends", on={"created": created})
    thread.join()
    time.sleep(2)
    for name in ("new-1", "new-2"):
        stop(name)
    return facts


@scenario(
    "A monitor that looks each second and leaves, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    driver=SCRIPT,
    shows="108 messages, and nine looks at metadata and statistics; one of the two streams that it "
    "asks for is missing.",
)
def monitor_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, stage.scenario)


def balances(listening: socket.socket) -> None:
    """Passes each connection on to the next of three nodes."""
    turn = itertools.cycle(THREE)

    def carries(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    with suppress(OSError):
        while True:
            near, _ = listening.accept()
            far = socket.create_connection(("127.0.0.1", next(turn)))
            for ends in ((near, far), (far, near)):
                threading.Thread(target=carries, args=ends, daemon=True).start()


@scenario(
    "Three nodes beyond a load balancer, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=JAVA,
    variant="cluster",
    what=f"tcp port {BALANCER}",
    ports=(BALANCER,),
    shows="The address resolver of the documentation: the client connects until it is at the node "
    "that it wants.",
)
def balanced_java(stage: Stage) -> Facts:
    with socket.create_server(("127.0.0.1", BALANCER)) as listening:
        threading.Thread(target=balances, args=(listening,), daemon=True).start()
        return stage.drive(JAVA, stage.scenario)
