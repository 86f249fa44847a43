"""Scenarios played by the reference Java client."""

import os
import signal
import time
from collections.abc import Callable

from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario

SCRIPT = "JavaPlays.java"
THREE = (5552, 5553, 5554)


def freeze(stage: Stage, seconds: float) -> Callable[[int], None]:
    """Stops a process for a while, so that it neither sends nor reads."""

    def act(pid: int) -> None:
        stage.log.append(f"kill -STOP of the client, {seconds} s later kill -CONT")
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)

    return act


def freeze_broker(stage: Stage, seconds: float) -> Callable[[int], None]:
    """Stops the broker for a while."""

    def act(_pid: int) -> None:
        stage.log.append(f"kill -STOP of the broker, {seconds} s later kill -CONT")
        broker = int(stage.broker.ctl("eval 'os:getpid().'").strip('"'))
        os.kill(broker, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(broker, signal.SIGCONT)

    return act


@scenario(
    "The Java client publishes messages to 3.10 and reads them back",
    client="java",
    healthy=True,
    shows="The whole life of a stream by the reference client: Create with arguments, "
    "DeclarePublisher, Publish of AMQP 1.0 messages, Subscribe, Deliver version 1, Credit, "
    "Unsubscribe, Delete, Close. ExchangeCommandVersions is not sent to 3.10.",
)
def publish_and_consume_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "The Java client publishes messages to 4.0 and reads them back",
    client="java",
    release="4.0",
    healthy=True,
    shows="The same as publish_and_consume_java with a 4.0 broker: ExchangeCommandVersions, "
    "Deliver version 2.",
)
def publish_and_consume_java_4_0(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "The Java client publishes messages to 4.x and reads them back",
    client="java",
    release="4",
    healthy=True,
    shows="The same as publish_and_consume_java with a 4.x broker: ExchangeCommandVersions, "
    "Deliver version 2.",
)
def publish_and_consume_java_4(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "A named producer of the Java client sends some messages twice",
    client="java",
    release="4.0",
    healthy=True,
    faults={"RMQ-I6": "ids 6 to 10 are sent again on purpose: confirmed, but not stored"},
    shows="QueryPublisherSequence, publishing ids 1 to 10, then on a new connection 6 to 15: all "
    "are confirmed, fifteen are stored.",
)
def deduplication_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "named", stage.scenario)


@scenario(
    "A named producer of the Java client is closed and opened again on one connection",
    client="java",
    release="4",
    healthy=False,
    faults={
        "RMQ-I2": "the producer is declared again without having been deleted",
        "RMQ-X6": "code 17",
    },
    shows="Two producers on one connection; one is closed, which sends no DeletePublisher, and "
    "declared again under its name: 17.",
)
def producer_reopened_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "reopened", stage.scenario)


@scenario(
    "Sub-batches by the Java client in every codec",
    client="java",
    release="4",
    healthy=True,
    shows="Forty messages each as sub-batches of fifteen: not compressed, gzip, snappy, lz4, zstd; "
    "then five simple entries; a reader from the start and one from the middle of a sub-batch.",
)
def sub_batches_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sub_batches", stage.scenario)


@scenario(
    "Sub-batches by the Java client in every codec, on 3.10",
    client="java",
    healthy=True,
    shows="The same as sub_batches_java with Deliver version 1.",
)
def sub_batches_java_3_10(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sub_batches", stage.scenario)


@scenario(
    "Filter values by the Java client",
    client="java",
    release="4",
    healthy=True,
    shows="Publish version 2 with filter values and with null ones; Subscribe with two filters, "
    "and with one and match-unfiltered; Deliver of the chunks that may match.",
)
def filter_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filters", stage.scenario)


@scenario(
    "Single active consumers by the Java client: one leaves, the other takes over",
    client="java",
    release="4.0",
    healthy=True,
    shows="ConsumerUpdate to the first, StoreOffset; the first connection closes, ConsumerUpdate "
    "to the second, which asks for the stored offset and answers with the one behind it. It is "
    "handed what the chunk holds below that one too.",
)
def single_active_consumer_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "single_active", stage.scenario)


@scenario(
    "A super stream by the Java client, routed by hash",
    client="java",
    release="4",
    healthy=True,
    shows="CreateSuperStream, Partitions, three producers, a consumer of all partitions.",
)
def super_stream_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "super_stream", stage.scenario)


@scenario(
    "A super stream by the Java client, routed by key, one key leading nowhere",
    client="java",
    release="4.0",
    healthy=False,
    faults={"RMQ-M9": "the key 'nowhere' is bound to no partition"},
    shows="CreateSuperStream with binding keys, Route for each key, one of them answered with an "
    "empty list: its messages are never sent.",
)
def super_stream_by_key_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "super_stream_by_key", stage.scenario)


@scenario(
    "Two groups of single active consumers on a super stream by the Java client",
    client="java",
    release="4",
    healthy=True,
    shows="The first takes all three partitions; when the second comes, the broker moves one over: "
    "ConsumerUpdate with active 0, then 1. Offsets are stored by the client itself. "
    "DeleteSuperStream.",
)
def super_stream_groups_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "super_stream_groups", stage.scenario)


@scenario(
    "Offset tracking by the Java client, by hand and by itself",
    client="java",
    healthy=True,
    shows="StoreOffset by the application, QueryOffset and Subscribe behind it; StoreOffset by the "
    "client every five messages and every two seconds.",
)
def offset_tracking_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "tracking", stage.scenario)


@scenario(
    "All five places where a consumer of the Java client may start",
    client="java",
    release="4.0",
    healthy=True,
    shows="Subscribe at first, last, next, an offset in the middle of a chunk, and a timestamp; "
    "then three live messages for all of them.",
)
def subscribe_offsets_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "offsets", stage.scenario)


@scenario(
    "Statistics of a stream by the Java client",
    client="java",
    release="4",
    healthy=True,
    shows="StreamStats of an empty and of a filled stream; StoreOffset without a consumer.",
)
def stream_stats_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "statistics", stage.scenario)


@scenario(
    "Statistics of a stream by the Java client, on 4.0",
    client="java",
    release="4.0",
    healthy=True,
    shows="StreamStats as 4.0 answers it, without the committed offset.",
)
def stream_stats_java_4_0(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "statistics", stage.scenario)


@scenario(
    "The Java client resolves offset specifications",
    client="java",
    release="4",
    healthy=True,
    shows="ResolveOffsetSpec of every kind and QueryPublisherSequence by the client's lower layer.",
)
def resolve_offset_spec_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "resolve", stage.scenario)


@scenario(
    "The Java client works on a stream that is not there",
    client="java",
    release="4",
    healthy=False,
    faults={"RMQ-M2": "code 2 in Metadata", "RMQ-X6": "code 2"},
    shows="Metadata with code 2 for a producer and a consumer; Delete, StreamStats and "
    "DeleteSuperStream answered 2.",
)
def missing_stream_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "missing", stage.scenario)


@scenario(
    "The Java client with a wrong password, on 4.0",
    client="java",
    release="4.0",
    healthy=False,
    faults={"RMQ-N6": "code 8"},
    shows="SaslAuthenticate answered 8 after three seconds.",
)
def login_fails_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "wrong_password", stage.scenario)


@scenario(
    "The Java client idles with heartbeats of two seconds",
    client="java",
    healthy=True,
    shows="Tune answered with a heartbeat of two seconds; heartbeats of both sides for seven.",
)
def heartbeats_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "idle", stage.scenario)


@scenario(
    "The Java client is frozen for nine seconds with heartbeats of two",
    client="java",
    release="4",
    healthy=False,
    faults={
        "RMQ-H1": "the client is silent for longer than twice the heartbeat",
        "RMQ-K2": "the server ends the connections without a Close",
    },
    shows="The broker misses the client's heartbeats and ends all three connections; thawed, the "
    "client connects again, declares, and subscribes at the last offset that it was given, so one "
    "message comes twice.",
)
def client_frozen_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "frozen", stage.scenario, on={"freeze": freeze(stage, 9)})


@scenario(
    "The broker is frozen for seven seconds under the Java client, with heartbeats of two",
    client="java",
    release="4",
    healthy=False,
    faults={"RMQ-H1": "the server is silent for longer than twice the heartbeat"},
    shows="The client misses the broker's heartbeats, gives up its connections, and comes back at "
    "the last offset that it was given: one message comes twice.",
)
def broker_frozen_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "frozen", stage.scenario, on={"freeze": freeze_broker(stage, 7)})


@scenario(
    "The operator closes all connections, and the Java client comes back",
    client="java",
    release="4",
    healthy=False,
    faults={"RMQ-K2": "the server ends the connections without a Close"},
    shows="FIN on three connections; a second later new ones: Metadata, DeclarePublisher, "
    "QueryPublisherSequence, Subscribe behind the stored offset. Nothing is lost or doubled.",
)
def reconnect_java(stage: Stage) -> Facts:
    kill = {"kill": lambda _pid: stage.ctl("close_all_connections maintenance")}
    return stage.drive(SCRIPT, "killed", stage.scenario, on=kill)


@scenario(
    "A stream is deleted under the Java client's producer and consumer",
    client="java",
    release="4.0",
    healthy=False,
    faults={"RMQ-M2": "code 2 in Metadata, since the stream is gone"},
    shows="MetadataUpdate on two connections; the client asks for Metadata until it gives up.",
)
def delete_stream_under_java(stage: Stage) -> Facts:
    delete = {"delete": lambda _pid: stage.ctl(f"delete_queue {stage.scenario}")}
    return stage.drive(SCRIPT, "deleted", stage.scenario, on=delete)


@scenario(
    "The node that leads a stream of the Java client stops",
    client="java",
    release="4",
    healthy=False,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    faults={"RMQ-K2": "the stopped node ends its connections without a Close"},
    shows="Three nodes: producer on the leader, consumer on a replica; the leader's node stops, "
    "MetadataUpdate on the replica, Metadata, and the client goes on with the new leader, its "
    "consumer at the last offset that it was given.",
)
def cluster_leader_stops_java(stage: Stage) -> Facts:
    stopped = []

    def stop(_pid: int) -> None:
        rows = stage.broker.ctl("list_queues --no-table-headers name leader").splitlines()
        leader = next(row.split("\t")[1] for row in rows if row.startswith(stage.scenario))
        stopped.append(int(leader[len("rabbit")]))
        stage.ctl("stop_app", node=stopped[0])

    facts = stage.drive(SCRIPT, "cluster", stage.scenario, on={"stop": stop})
    stage.ctl("start_app", node=stopped[0])
    return facts


@scenario(
    "Messages by the Java client with properties of every type",
    client="java",
    release="4",
    healthy=True,
    shows="Message ids of all four kinds, all thirteen properties, application properties of every "
    "type but decimals, message annotations with a list, a map and an array; an empty body.",
)
def message_properties_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "properties", stage.scenario)


@scenario(
    "Messages with every section and type of AMQP 1.0",
    client="java",
    healthy=True,
    shows="Bodies written by proton-j 0.35.0 and passed through by the Java client: header, "
    "delivery annotations, footer; amqp-sequence; amqp-value of every primitive, described, list, "
    "map and array; two data sections. [expected] has their bytes.",
)
def message_sections_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sections", stage.scenario)


@scenario(
    "A consumer of the Java client never says that a message is processed",
    client="java",
    release="4",
    healthy=False,
    faults={"RMQ-C2": "the initial credit is never renewed, though the stream has data"},
    shows="Twenty chunks, flow strategy 'half of the messages processed', credit two: a few "
    "deliveries, then nothing.",
)
def credit_starves_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "starved", stage.scenario)


@scenario(
    "Four ways in which the Java client gives credit",
    client="java",
    release="4.0",
    healthy=True,
    shows="Credit when a chunk arrives, when half of it is processed, when eight tenths are, and "
    "for every third chunk: twenty chunks each.",
)
def credit_strategies_java(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "credits", stage.scenario)
