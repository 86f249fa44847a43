"""Scenarios of the seventeenth round of the blind test: see docs/checking.md."""

import contextlib
import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import FALL, THREE, leader_of
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_java import freeze_broker
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss

JAVA, JS = "SeventeenthBlind.java", "js_seventeenth_blind.mjs"
GO_DRIVER, OLD_GO = "seventeenth_blind.go", "go_hasty_seventeenth_blind.go"
PY = "rstream_seventeenth_blind.py"


def hung(stage: Stage, play: str, stream: str) -> Facts:
    """A pipeline whose broker hangs for eleven seconds."""
    return stage.drive(JAVA, play, stream, on={"hang": freeze_broker(stage, 11)})


SHOWS = "Readings with a heartbeat of three seconds, their reader, and a broker that hangs."
THREAD = "rabbitmq/rabbitmq-server#9457"
fault(
    "unconfirmed_not_sent_again_java",
    lambda stage: hung(stage, "once", "b17-readings"),
    "Messages without a confirm are not published again after a reconnect",
    client="java",
    driver=JAVA,
    kind="recovery",
    thread=THREAD,
    shows=SHOWS,
    says="The connection ends while messages have no confirm. After the reconnect the publisher "
    "continues with the messages that follow; those without a confirm are never published again "
    "and may be lost. They have to be sent again (retryOnRecovery), with an id against duplicates.",
    guilty=those(wire.PUBLISH),
)
near_miss(
    "unconfirmed_sent_again_java",
    lambda stage: hung(stage, "again", "b17-meters"),
    "Messages without a confirm are published again after a reconnect",
    client="java",
    driver=JAVA,
    faults={
        "RMQ-H1": "the broker hangs for eleven seconds",
        "RMQ-B223": "the broker accepts connections while it hangs",
        "RMQ-I7": "74 messages have no confirm as the broker hangs; they are published again",
    },
    thread=THREAD,
    shows=SHOWS,
)
SHOWS = "Four exports of 400 lines, each by a producer of its own."
THREAD = "rabbitmq/rabbitmq-stream-go-client#103, #104"
fault(
    "closed_before_all_is_sent_go",
    lambda stage: stage.drive(OLD_GO, "at_once", "b17-exports"),
    "A producer is closed before its last messages are sent",
    client="go_hasty",
    driver=OLD_GO,
    kind="closing",
    thread=THREAD,
    shows=SHOWS,
    says="Each export has 400 lines, as each line says; the publisher is deleted before the last "
    "ones have been sent and while others have no confirm. Those lines are lost. Close has to wait "
    "until all messages are sent and confirmed.",
    guilty=those(wire.DELETE_PUBLISHER),
)
near_miss(
    "closed_when_all_is_confirmed_go",
    lambda stage: stage.drive(GO_DRIVER, "confirmed", "b17-reports"),
    "A producer is closed when all its messages are confirmed",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    thread=THREAD,
    shows=SHOWS,
)
fault(
    "first_chunk_dropped_js",
    lambda stage: stage.drive(JS, "late", "b17-entries"),
    "The chunk that comes with the answer to Subscribe is dropped",
    client="js",
    driver=JS,
    kind="credit",
    thread="coders51/rabbitmq-stream-js-client#85",
    shows="Entries, and three runs of a ledger that stores offsets; ten credits.",
    says="The first chunks come right after the answer to Subscribe, when the client does not know "
    "its consumer yet: it drops them and gives no credit for them. Their entries are never handled "
    "and the credit is gone; later chunks are handled. The consumer has to be known before "
    "Subscribe is sent.",
    guilty=those(wire.DELIVER, sender="server"),
)
fault(
    "offset_of_another_message_rstream",
    lambda stage: stage.drive(PY, "offsets", "b17-hellos"),
    "Stored offsets are not those of the messages that were read",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="offsets",
    thread="rabbitmq-community/rstream#117, #118",
    shows="192 messages in chunks of 96, and five runs of a consumer that takes 30 messages.",
    says="The client does not count the messages of a chunk that it skips: after it has read 30 to "
    "59 it stores 29, and the next run begins at 30 again, for ever. The offset stored has to be "
    "that of the message: the chunk's first offset and its place in the chunk.",
    guilty=those(wire.STORE_OFFSET, 4),
)
near_miss(
    "library_rstream",
    lambda stage: stage.drive(PY, "library", "b17-loans"),
    "A library with two counters, a desk and a shelf, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    thread="",
    shows="Loans of two producers with a pause, a desk that stores offsets, a shelf from now on.",
)


def limbo(stage: Stage) -> Facts:
    """A publisher, an archive that reads, and a stream without a leader for some seconds."""
    name = "b17-limbo"
    one = stage.client(name="orders").login()
    one.create(name)
    one.declare(0, name)
    other = stage.client(name="audit").login()
    other.create(f"{name}-audit")
    other.declare(0, f"{name}-audit")
    for n in range(12):
        one.publish(0, n, [b"order %d" % n])
        time.sleep(0.25)
    one.confirmed(12)
    stage.ctl(f"eval '{FALL}'")
    one.drain(1)
    code = one.declare(1, name).code
    one.drain(0.5)
    for n in range(8):
        other.publish(0, n, [b"audit %d" % n])
        other.drain(0.8)
        one.drain(0.2)
        if n == 2:
            stage.ctl("eval 'sys:resume(osiris_server_sup).'")
    again = stage.client(name="billing").login()
    codes = []
    for _ in range(12):
        codes.append(again.declare(0, name).code)
        if codes[-1] == 1:
            break
        time.sleep(1.5)
    for n in range(8):
        again.publish(0, n, [b"bill %d" % n])
        again.drain(0.9)
        one.drain(0.1)
    one.drain(4)
    for each in (one, other, again):
        with contextlib.suppress(OSError):
            each.close()
    return {"codes": [code, *codes]}


fault(
    "gives_up_stream_in_limbo",
    limbo,
    "A publisher gives up as its stream is not available for a moment",
    variant="fallen",
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#140",
    shows="Orders and bills of one stream, whose processes are stopped for some seconds.",
    says="After MetadataUpdate the publisher of orders is declared again once, which is refused "
    "by code 6, stream not available; that is a matter of seconds, but the client never tries "
    "again. Bills are published to the same stream soon after. It has to try again with a pause.",
    guilty=those(wire.DECLARE_PUBLISHER, 2, 2),
)


def leader_is_gone(stage: Stage, name: str, *, asks: bool) -> Facts:
    """A publisher whose node stops; it tries that node alone, or asks another one."""
    first = stage.client(name="setup").login()
    first.create(name, {"initial-cluster-size": "3"})
    time.sleep(2)
    leader, replicas = leader_of(first.request(wire.METADATA, wire.strings([name])))
    first.close()
    depot = stage.client(port=replicas[0], name="depot").login()
    depot.subscribe(0, name)
    publisher = stage.client(port=leader, name="parcels").login()
    publisher.declare(0, name)
    for n in range(10):
        publisher.publish(0, n, [b"parcel %d" % n])
        time.sleep(0.2)
    publisher.confirmed(10)
    stop = threading.Thread(target=stage.ctl, args=("stop_app",), kwargs={"node": leader - 5552})
    stop.start()
    ended, refused, published = publisher.ended(15), 0, 10
    for _ in range(3 if asks else 24):
        try:
            stage.client(port=leader, name="parcels").hello()
        except (OSError, AttributeError):
            refused += 1
        time.sleep(0.6)
    stop.join()
    if asks:
        other = stage.client(port=replicas[1], name="parcels").login()
        after = leader
        while after in (0, leader):
            time.sleep(1)
            after, _ = leader_of(other.request(wire.METADATA, wire.strings([name])))
        other.close()
        again = stage.client(port=after, name="parcels").login()
        again.declare(0, name)
        for n in range(10, 20):
            again.publish(0, n, [b"parcel %d" % n])
            time.sleep(0.2)
        again.confirmed(10)
        again.close()
        published = 20
    with contextlib.suppress(OSError):
        depot.drain(0.5)
        depot.close()
    stage.ctl("start_app", node=leader - 5552)
    return {
        "published": published,
        "refused": refused,
        "publisher_ended": ended,
        "leader": leader,
    }


fault(
    "tries_the_dead_leader_alone",
    lambda stage: leader_is_gone(stage, "b17-parcels", asks=False),
    "A publisher tries the stopped leader 24 times and no other node",
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#150",
    shows="Three nodes, parcels, and a depot that reads on another node; the leader stops.",
    says="The leader's node is stopped. The publisher tries its port 24 times, and is refused each "
    "time, though two other nodes are there, one of which is the new leader. It has to ask another "
    "node for Metadata and go to the new leader.",
    guilty=those(wire.PUBLISH, 10),
)
SHOWS = "Notes, and three runs of a journal by the library's client of frames; ten credits."
fault(
    "first_chunk_dropped_rstream",
    lambda stage: stage.drive(PY, "dropped", "b17-notes", "late"),
    "Chunks that come with the answer to Subscribe are dropped, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="credit",
    thread="coders51/rabbitmq-stream-js-client#85",
    shows=SHOWS,
    says="The chunks that come right after the answer to Subscribe get no credit, later ones do: "
    "the client has dropped them.",
    guilty=those(wire.DELIVER, sender="server"),
)
near_miss(
    "first_chunk_handled_rstream",
    lambda stage: stage.drive(PY, "dropped", "b17-memos", "in_time"),
    "Chunks that come with the answer to Subscribe are handled",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    thread="coders51/rabbitmq-stream-js-client#85",
    shows=SHOWS,
)
near_miss(
    "asks_another_node_for_the_leader",
    lambda stage: leader_is_gone(stage, "b17-crates", asks=True),
    "A publisher asks another node for the new leader",
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#150",
    shows="Three nodes, parcels, and a depot that reads on another node; the leader stops.",
)
