"""Scenarios played by the Go client and by its performance test."""

import json
import re
import subprocess

from captures.recorders.rabbitmq_stream import clients
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario

SCRIPT = "go_plays.go"
GO = {"RMQ-K3": "the Go client sends Close and does not wait for the answer"}


@scenario(
    "The Go client publishes messages to 3.10 and reads them back",
    client="go",
    healthy=True,
    faults=GO,
    shows="The whole life of a stream by the Go client: correlation ids from 1, Tune answered with "
    "0x8014, AMQP 1.0 properties, no ExchangeCommandVersions to 3.10.",
)
def publish_and_consume_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "The Go client publishes messages to 4.x and reads them back",
    client="go",
    release="4",
    healthy=True,
    faults=GO,
    shows="The same as publish_and_consume_go with a 4.x broker: ExchangeCommandVersions with "
    "Publish 1 to 2 alone, so Deliver stays at version 1.",
)
def publish_and_consume_go_4(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "A named producer of the Go client sends some messages twice",
    client="go",
    release="4",
    healthy=True,
    faults=GO | {"RMQ-I6": "ids 6 to 10 are sent again on purpose: confirmed, but not stored"},
    shows="QueryPublisherSequence, publishing ids 1 to 10, then from a new producer 6 to 15.",
)
def deduplication_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "named", stage.scenario)


@scenario(
    "Sub-batches by the Go client in every codec",
    client="go",
    release="4.0",
    healthy=True,
    faults=GO,
    shows="Forty messages each as sub-batches of fifteen: not compressed, gzip, snappy, lz4, zstd.",
)
def sub_batches_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sub_batches", stage.scenario)


@scenario(
    "Filter values by the Go client",
    client="go",
    release="4",
    healthy=True,
    faults=GO,
    shows="Publish version 2, Subscribe with a filter.",
)
def filter_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filters", stage.scenario)


@scenario(
    "Filter values by the Go client, some messages without one",
    client="go",
    release="4",
    healthy=False,
    faults=GO
    | {
        "RMQ-U1": "the Go client writes a null filter value with four bytes instead of two",
        "RMQ-U4": "so the entries no longer fit the frame, whose size does not count them",
    },
    shows="Publish version 2 whose messages have no filter value: four bytes of -1 each that the "
    "size of the frame leaves out. What the broker makes of it.",
)
def filter_value_left_out_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filters_empty", stage.scenario)


@scenario(
    "Single active consumers by the Go client: the active one crashes",
    client="go",
    release="4",
    healthy=False,
    faults=GO,
    shows="Two processes; the active one stores an offset and is killed: the other gets "
    "ConsumerUpdate, asks for the stored offset and goes on behind it.",
)
def single_active_consumer_crash_go(stage: Stage) -> Facts:
    others: list[subprocess.Popen[str]] = []
    first: dict = {}

    def start(_pid: int) -> None:
        others.append(clients.start(SCRIPT, "first", stage.scenario))
        first.update({f"{key}_first": value for key, value in clients.heard(others[0]).items()})

    def crash(_pid: int) -> None:
        stage.log.append("kill -KILL of the active consumer")
        others[0].kill()

    facts = stage.drive(
        SCRIPT, "single_active", stage.scenario, on={"first": start, "crash": crash}
    )
    return first | facts


@scenario(
    "A super stream by the Go client, routed by hash",
    client="go",
    release="4.0",
    healthy=True,
    faults=GO,
    shows="CreateSuperStream, Partitions, three producers, three consumers, DeleteSuperStream.",
)
def super_stream_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "super_stream", stage.scenario)


@scenario(
    "A super stream by the Go client, routed by key",
    client="go",
    release="4",
    healthy=True,
    faults=GO,
    shows="CreateSuperStream with binding keys, Route for each key.",
)
def super_stream_by_key_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "super_by_key", stage.scenario)


@scenario(
    "Offset tracking by the Go client, by hand and by itself",
    client="go",
    release="4.0",
    healthy=True,
    faults=GO,
    shows="StoreOffset by the application, QueryOffset and Subscribe behind it; StoreOffset by the "
    "client every five messages and every two seconds.",
)
def offset_tracking_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "tracking", stage.scenario)


@scenario(
    "All five places where a consumer of the Go client may start",
    client="go",
    healthy=True,
    faults=GO,
    shows="Subscribe at first, last, next, an offset in the middle of a chunk, and a timestamp.",
)
def subscribe_offsets_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "offsets", stage.scenario)


@scenario(
    "The Go client asks a 3.10 broker for statistics",
    client="go",
    healthy=False,
    faults=GO | {"RMQ-V5": "StreamStats, which 3.10 does not know", "RMQ-K1": "Close 13"},
    shows="StreamStats to 3.10, answered with Close 13, unknown frame.",
)
def stream_stats_go_3_10(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "statistics", stage.scenario)


@scenario(
    "The Go client works on a stream that is not there",
    client="go",
    healthy=False,
    faults={
        "RMQ-M2": "code 2 in Metadata",
        "RMQ-X6": "code 2",
        "RMQ-V5": "StreamStats, which 3.10 does not know",
        "RMQ-K1": "Close 13",
    },
    shows="Metadata with code 2, Delete and QueryOffset answered 2; then StreamStats, which 3.10 "
    "does not know.",
)
def missing_stream_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "missing", stage.scenario)


@scenario(
    "The Go client idles with heartbeats of three seconds",
    client="go",
    release="4.0",
    healthy=True,
    faults=GO,
    shows="Tune answered with a heartbeat of three seconds; heartbeats of both sides for eight.",
)
def heartbeats_go(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "idle", stage.scenario)


@scenario(
    "The operator closes all connections, and the Go client's reliable pair comes back",
    client="go",
    release="4.0",
    healthy=False,
    faults=GO | {"RMQ-K2": "the server ends the connections without a Close"},
    shows="FIN on three connections; new ones: Metadata, DeclarePublisher, Subscribe.",
)
def reconnect_go(stage: Stage) -> Facts:
    kill = {"kill": lambda _pid: stage.ctl("close_all_connections maintenance")}
    return stage.drive(SCRIPT, "killed", stage.scenario, on=kill)


@scenario(
    "The Go client over TLS, with its secrets",
    client="go",
    release="4",
    variant="tls",
    what="tcp port 5551",
    ports=(5551,),
    healthy=True,
    faults=GO,
    shows="TLS 1.2 on port 5551, four connections; the secrets are in the file, so tshark "
    "decrypts it. Frames are counted in what it decrypts, bytes are those of TLS.",
)
def tls_go(stage: Stage) -> Facts:
    stage.secrets = stage.work / "secrets.txt"
    return stage.drive(SCRIPT, "secure", stage.scenario, str(stage.secrets))


@scenario(
    "The Go client's performance test",
    client="perf_test",
    release="4",
    healthy=True,
    faults=GO,
    shows="Two publishers and two consumers of one stream, messages of 32 bytes, checksums "
    "checked; a second asked for are ten. It ends in the middle of everything.",
)
def perf_test_go(stage: Stage) -> Facts:
    arguments = (
        "--uris rabbitmq-stream://guest:guest@broker:5552 --publishers 2 --consumers 2 --rate 150 "
        "--batch-size 50 --fixed-body 32 --time 1 --max-length-bytes 50MB --crc-check --no-color"
    )
    command = [
        str(clients.CLIENTS / "go/perfTest"),
        *arguments.split(),
        "--streams",
        stage.scenario,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    last = re.sub(r"^\S+ \S+ ", "", said[-1]) if said else ""
    return {"said_last": json.dumps(last)[1:-1][:200], "arguments": arguments}
