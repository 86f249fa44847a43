"""Scenarios of the sixteenth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_java import freeze_broker
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_threads import cut, those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss

PY, GO_DRIVER = "rstream_sixteenth_blind.py", "sixteenth_blind.go"
OLD_PY, OLD_GO = "rstream_0_31_sixteenth_blind.py", "go_1_4_sixteenth_blind.go"
RUST, JS, JAVA = "rust_0_2_sixteenth_blind.rs", "js_sixteenth_blind.mjs", "SixteenthBlind.java"

fault(
    "closed_producers_keep_connections_rust",
    lambda stage: stage.drive(RUST, "b16-reports"),
    "Producers are closed and their connections stay open",
    client="rust_0_2",
    driver=RUST,
    kind="leaks",
    thread="rabbitmq/rabbitmq-stream-rust-client#180",
    shows="Nine reports, each by a producer of its own, which is closed.",
    says="Each producer is closed by DeletePublisher, and its connection stays open for ever with "
    "heartbeats and nothing else: each closed producer leaves one more. The connection has to be "
    "closed when its last publisher is deleted.",
    guilty=those(wire.DELETE_PUBLISHER),
)
SHOWS = "Readings in chunks of six, read by the library's client of frames, with one credit."
fault(
    "one_credit_and_no_more_rstream",
    lambda stage: stage.drive(PY, "low", "b16-readings", "once"),
    "A subscription with one credit that is never given more",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="credit",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#12",
    shows=SHOWS,
    says="The subscription has one credit, which the first chunk uses up; the client never gives "
    "another one, so no message follows, although the stream has many more.",
    guilty=those(wire.DELIVER, sender="server"),
)
fault(
    "super_stream_not_created_js",
    lambda stage: stage.drive(JS, "group", "b16-orders"),
    "A consumer of a super stream that does not exist",
    client="js",
    driver=JS,
    kind="set-up",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#195",
    shows="A stream, and three starts of a consumer that takes it for a super stream.",
    says="The client asks for the partitions of a name that is a plain stream or does not exist; "
    "without partitions it subscribes to nothing. The super stream has to be created first.",
    guilty=those(wire.PARTITIONS | wire.RESPONSE, sender="server"),
)
SHOWS = "A worker that asks for its offset when it starts, four times, and has none at first."
fault(
    "no_offset_yet_ends_worker_rstream",
    lambda stage: stage.drive(PY, "starts", "b16-tasks", "ends"),
    "A worker ends since no offset has been stored for it yet",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="offsets",
    thread="rabbitmq-community/rstream#25",
    shows=SHOWS,
    says="QueryOffset is answered by 19, as no offset has been stored under the name yet. That is "
    "how each consumer begins, but the worker takes it for an error and ends, at each of four "
    "starts: it never subscribes. It has to begin at its default offset.",
    guilty=those(wire.QUERY_OFFSET | wire.RESPONSE, sender="server"),
)
near_miss(
    "no_offset_yet_begins_first_rstream",
    lambda stage: stage.drive(PY, "starts", "b16-jobs", "begins"),
    "A worker begins at the first message since no offset has been stored for it yet",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    thread="rabbitmq-community/rstream#25",
    shows=SHOWS,
)
fault(
    "offset_stored_for_other_partition_rstream",
    lambda stage: stage.drive(OLD_PY, "partitions", "b16-invoices", "named"),
    "A consumer of a super stream stores the offsets of all partitions for one of them",
    client="rstream_0_31",
    driver=OLD_PY,
    faults=RSTREAM
    | {
        "RMQ-A8": "the program does not name the super stream when it subscribes",
        "RMQ-B11": "in the second run the offsets of another partition begin anew",
    },
    kind="offsets",
    thread="rabbitmq-community/rstream#241",
    shows="Two runs of a consumer of a super stream of three partitions, which stores offsets.",
    says="The offsets of messages of all three partitions are stored for the last partition: that "
    "one skips messages or reads them again in the next run, and the others have no offset and "
    "begin anew. StoreOffset has to name the partition that the message came from.",
    guilty=those(wire.STORE_OFFSET),
)


def backup(stage: Stage, stream: str) -> None:
    """Another program, which publishes ten messages."""
    other = stage.client(name="backup").login()
    other.create(f"{stream}-backup")
    other.declare(0, f"{stream}-backup")
    for n in range(10):
        other.publish(0, n, [b"backup %d" % n])
        time.sleep(1.2)
    other.close()


def hung(stage: Stage, stream: str, seconds: float) -> Facts:
    """A program whose broker hangs for some seconds; then another program works."""
    on = {"hang": freeze_broker(stage, seconds), "others": lambda _pid: backup(stage, stream)}
    counted = stage.drive(OLD_GO, "hangs", stream, on=on)
    return counted | {name: counted[name] + 10 for name in ("published", "confirmed")}


def probed(stage: Stage, stream: str) -> Facts:
    """A probe whose broker hangs while it works; then another program works."""
    freeze = freeze_broker(stage, 18)
    on = {
        "hang": lambda pid: threading.Thread(target=freeze, args=(pid,)).start(),
        "others": lambda _pid: backup(stage, stream),
    }
    counted = stage.drive(PY, "gives_up", stream, on=on)
    return counted | {"published": counted["published"] + 10}


def restarted(stage: Stage, driver: str, stream: str) -> Facts:
    """A program whose broker's application is stopped and started again."""

    def restart(_pid: int) -> None:
        stage.ctl("stop_app")
        time.sleep(2)
        stage.ctl("start_app")

    return stage.drive(driver, "senders", stream, on={"restart": restart})


SHOWS = "Alarms and their board with a heartbeat of three seconds; the broker hangs; a backup."
fault(
    "never_back_after_missed_heartbeats_go",
    lambda stage: hung(stage, "b16-alarms", 48),
    "A client gives up a broker without heartbeats and never returns",
    client="go_1_4",
    driver=OLD_GO,
    faults=GO | {"RMQ-I7": "86 messages have no confirm, as the broker hung"},
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-go-client#362",
    shows=SHOWS,
    says="The broker hangs, and the client ends its connections as heartbeats are missing. It "
    "takes that for an end that was asked for: when the broker is back and serves others, neither "
    "the publisher nor the consumer connects again.",
    guilty=those(wire.CLOSE),
)
SHOWS = "Four senders share one reliable producer; the broker is stopped and started again."
fault(
    "senders_blocked_after_reconnect_go",
    lambda stage: restarted(stage, OLD_GO, "b16-telemetry"),
    "Three of four senders stay blocked after a reconnect",
    client="go_1_4",
    driver=OLD_GO,
    faults=GO,
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-go-client#335",
    shows=SHOWS,
    says="Four senders publish sixty messages a second together. The producer comes back after the "
    "restart, but only one sender goes on: the others stay blocked, and the messages of three "
    "engines are missing from then on.",
    guilty=those(wire.PUBLISH),
)
near_miss(
    "senders_go_on_after_reconnect_go",
    lambda stage: restarted(stage, GO_DRIVER, "b16-engines"),
    "Four senders go on after a reconnect",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#335",
    shows=SHOWS,
)
near_miss(
    "factory_java",
    lambda stage: stage.drive(JAVA, "factory", "b16-parts", on=cut(stage)),
    "A factory whose connections are closed once, by the Java client",
    client="java",
    driver=JAVA,
    faults={
        "RMQ-A13": "the library asks for its stored offset for ten seconds before it answers "
        "ConsumerUpdate"
    },
    thread="",
    shows="A super stream with a group that a second member joins and leaves, a publisher with ids "
    "of its own, sub-batches, an archive; the operator closes all connections once.",
)
near_miss(
    "shop_js",
    lambda stage: stage.drive(JS, "shop", "b16-shop"),
    "A shop with a super stream, a ledger in two instances and a slow chart, by JavaScript",
    client="js",
    driver=JS,
    thread="",
    shows="Receipts with pauses; the second instance takes over when the first one leaves.",
)
fault(
    "stream_taken_for_super_stream_rstream",
    lambda stage: stage.drive(PY, "group", "b16-dishes"),
    "A consumer of a super stream that is a plain stream, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="set-up",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#195",
    shows="A stream, and three starts of a consumer that takes it for a super stream.",
    says="The client asks for the partitions of a plain stream, which has none: it subscribes to "
    "nothing.",
    guilty=those(wire.PARTITIONS | wire.RESPONSE, sender="server"),
)
fault(
    "no_offset_yet_ends_worker_js",
    lambda stage: stage.drive(JS, "starts", "b16-chores"),
    "A worker ends since no offset has been stored for it yet, by JavaScript",
    client="js",
    driver=JS,
    kind="offsets",
    thread="rabbitmq-community/rstream#25",
    shows="A worker that asks for its offset when it starts, four times, and has none.",
    says="QueryOffset is answered by 19, as the worker is new; it takes that for an error and ends "
    "at each of four starts, and never subscribes.",
    guilty=those(wire.QUERY_OFFSET | wire.RESPONSE, sender="server"),
)
fault(
    "gives_up_hanging_broker_rstream",
    lambda stage: probed(stage, "b16-levels"),
    "A probe gives up a broker that hangs and never returns",
    client="rstream",
    driver=PY,
    faults=RSTREAM | {"RMQ-I7": "the messages have no confirm, as the broker hung"},
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-go-client#362",
    shows="Levels of a probe; the broker hangs for eighteen seconds; a backup.",
    says="The broker hangs, and the client ends its connection after twelve seconds with messages "
    "unconfirmed. The broker serves others again, and the client does not come back.",
    guilty=those(wire.PUBLISH),
)
