"""Clients that end at a frame of the broker, and a stream without a leader."""

import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault

PY, JS = "rstream_rules.py", "js_rules.mjs"
HEARTBEAT, THREE = 23, (5552, 5553, 5554)


def made(stage: Stage) -> None:
    """The stream of a scenario."""
    client = stage.client().login()
    client.create(stage.scenario)
    client.close()


def made_on_the_third(stage: Stage) -> None:
    """The same, whose leader is on the third node; the others have a replica."""
    client = stage.client(port=5554).login()
    client.create(stage.scenario)
    client.close()
    time.sleep(5)


def without_leader(stage: Stage) -> Facts:
    """Two of three nodes stop, that of the leader among them."""
    for node in (1, 2):
        stage.ctl("stop_app", node=node)
    facts = stage.drive(PY, "tries", stage.scenario)
    for node in (1, 2):
        stage.ctl("start_app", node=node)
    return facts


def deleted(stage: Stage) -> Facts:
    """An operator deletes the stream of a till."""
    late = threading.Timer(2.5, lambda: stage.ctl(f"delete_queue {stage.scenario}"))
    late.start()
    facts = stage.drive(JS, stage.scenario, wait=20)
    late.join()
    return facts


def beaten(stage: Stage) -> Facts:
    """A meter that is started three times."""
    facts = [stage.drive(PY, "beats", stage.scenario, wait=20) for _ in range(3)]
    return {"published": sum(each["published"] for each in facts)}


fault(
    "stream_without_leader_rstream",
    without_leader,
    "A stream has no leader for a minute, read by rstream",
    client="rstream",
    driver=PY,
    setup=made_on_the_third,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    faults=RSTREAM,
    kind="clusters",
    thread="rabbitmq/rabbitmq-server#5889, rabbitmq/rabbitmq-server#16822",
    shows="Three nodes, two of which stop; a reader that subscribes again and again.",
    says="Two of three nodes are stopped, with the leader of the stream: the third one refuses to "
    "subscribe, as the stream is not available. A second node has to be started.",
    guilty=those(wire.SUBSCRIBE | wire.RESPONSE, 1, sender="server"),
)
fault(
    "ends_at_metadata_update_js",
    deleted,
    "A client fails when its stream is deleted, by js",
    client="js",
    driver=JS,
    setup=made,
    kind="connections",
    thread="rabbitmq/rabbitmq-stream-js-client#242",
    shows="A till that publishes, and an operator who deletes its stream.",
    says="The till fails in its listener for MetadataUpdate and ends its connection at once, "
    "without Close.",
    guilty=those(wire.METADATA_UPDATE, 1, sender="server"),
)
fault(
    "ends_at_heartbeat_rstream",
    beaten,
    "A client ends at each Heartbeat, by rstream",
    client="rstream",
    driver=PY,
    setup=made,
    faults=RSTREAM,
    kind="connections",
    thread="rabbitmq/rabbitmq-stream-elixir-client pull request 22",
    shows="A meter that is started three times, and publishes a value each time.",
    says="The meter does not expect Heartbeat: each of its three connections ends when the first "
    "one comes, after two seconds.",
    guilty=those(HEARTBEAT, 1, sender="server"),
)
