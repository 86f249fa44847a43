"""Faults, near misses and programs of the eighth round of the blind test: see docs/checking.md."""

import os
import subprocess
import threading
import time

from captures.recorders.rabbitmq_stream import clients, wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import THREE
from captures.recorders.rabbitmq_stream.scenarios_fifth_round import later
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill, holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import u16, u64

DRIVER, HA = "eighth_round.go", "ha_rolling.go"
SCRIPT, PYTHON = "js_eighth_round.mjs", "rstream_eighth_round.py"
PARTITIONS = ("b8-tickets-0", "b8-tickets-1", "b8-tickets-2")


def stored_times(found: list[Seen]) -> list[Seen]:
    """StoreOffset and Subscribe whose offset is a time."""
    least = 1_600_000_000_000
    stores = [
        each
        for each in those(wire.STORE_OFFSET)(found)
        if int.from_bytes(each.body[-8:], "big") > least
    ]
    asks = holding(wire.SUBSCRIBE, rb"b8-doorbell\x00\x04" + u64(least)[:3])(found)
    return stores + asks


@scenario(
    "The time from which a consumer begins is stored as its offset, by the Go client 1.4.1",
    client="go_1_4",
    release="4",
    healthy=False,
    driver=f"go_1_4_{DRIVER}",
    faults=GO,
    category="second layer",
    thread="rabbitmq/rabbitmq-stream-go-client#392",
    fault="The consumer begins at a time a minute ago and is delivered nothing yet; the client "
    "stores that time in milliseconds as its offset after 1.5 s, and the next starts subscribe at "
    "an offset of 1.8 * 10^12, which the stream will never have: no visitor is handled.",
    shows="Four starts of a service that stores its offset by itself.",
    guilty=stored_times,
)
def bug_time_stored_as_offset_go(stage: Stage) -> Facts:
    return stage.drive(f"go_1_4_{DRIVER}", "minute_ago", "b8-doorbell")


@scenario(
    "A consumer that begins at a time stores offsets, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#392",
    shows="Four starts of a service that stores its offset by itself.",
)
def begins_at_a_time_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "minute_ago", "b8-doorbell-2")


def paced(stage: Stage, stream: str, given: int) -> Facts:
    """A consumer that handles a chunk in a tenth of a second, and gives credits after it."""
    writer = stage.client(name="turnstile").login()
    writer.declare(0, stream)
    reader = stage.client(name="counter").login()
    reader.subscribe(3, stream, wire.FIRST, 4)
    number = chunks = 0
    for _ in range(45):
        for _ in range(2):
            writer.publish(0, 1000 + number, [b"passage %d" % number])
            number += 1
        if reader.until(wire.DELIVER, wait=1):
            chunks += 1
            reader.credit(3)
            time.sleep(0.1)
            if given > 1:
                reader.credit(3, given - 1)
    writer.confirmed(number)
    for one in (writer, reader):
        one.close()
    return {"published": number, "chunks": chunks}


@scenario(
    "Each chunk is credited twice",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b8-passages", 4),
    category="flow control",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#444",
    fault="The client gives a credit for each chunk as it comes, and the program, which was to do "
    "so by itself, gives another after it has handled it: the credits add up by one with each "
    "chunk, from 4 to some 50, and no longer limit what the broker sends.",
    shows="90 messages, and their consumer.",
)
def bug_credit_twice_per_chunk(stage: Stage) -> Facts:
    facts = paced(stage, "b8-passages", 2)
    reader = stage.connections[1]
    given = [n for n, frame in enumerate(reader.sent, 1) if frame.key == wire.CREDIT]
    stage.accuse(reader, nth=given[3], last=given[-1])
    return facts


@scenario(
    "Each chunk is credited once, as it comes",
    release="4",
    healthy=True,
    setup=lambda stage: fill(stage, "b8-passages-2", 4),
    thread="rabbitmq/rabbitmq-stream-dotnet-client#444",
    shows="90 messages, and their consumer.",
)
def credit_once_per_chunk(stage: Stage) -> Facts:
    return paced(stage, "b8-passages-2", 1)


def tickets(stage: Stage) -> None:
    """A super stream of three partitions, with messages in each."""
    stage.ctl("add_super_stream b8-tickets --partitions 3", "rabbitmq-streams")
    client = stage.client(name="feeder").login()
    for number, stream in enumerate(PARTITIONS):
        client.declare(number, stream)
        client.publish(number, 0, [b"ticket %d" % n for n in range(20)])
        client.confirmed(20)
    client.close()


def attend(members: list[wire.Client], read: set[int], seconds: float) -> None:
    """Answers each ConsumerUpdate and credits each Deliver of some members."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for member in members:
            for frame in member.drain(0.03):
                if frame.key == wire.CONSUMER_UPDATE:
                    place, active = frame.body[4], frame.body[5]
                    where = wire.offset(20) if place in read else wire.FIRST
                    reply = frame.body[:4] + u16(1) + (where if active else u16(0))
                    member.send(wire.CONSUMER_UPDATE | wire.RESPONSE, reply)
                if frame.key == wire.DELIVER:
                    read.add(frame.body[0])
                    member.credit(frame.body[0])


def group(stage: Stage, *, mixed: bool) -> Facts:
    """Members of a group: some of the whole super stream, some of one partition by itself."""
    alone = {"single-active-consumer": "true", "name": "desk"}
    whole = alone | {"super-stream": "b8-tickets"}
    codes, members = [], []
    read: set[int] = set()
    for number in range(4):
        member = stage.client(name=f"desk-{number}").login()
        members.append(member)
        for place, stream in enumerate(PARTITIONS):
            properties = alone if mixed and number % 2 else whole
            codes.append(member.subscribe(place, stream, wire.FIRST, 5, properties).code)
            attend(members, read, 0.2)
        attend(members, read, 0.9)
    while members:
        members.pop(0).close()
        attend(members, read, 0.5)
    return {"codes": codes}


@scenario(
    "A group has members with and without its super stream",
    release="4",
    healthy=False,
    setup=tickets,
    category="identity",
    thread="rabbitmq/rabbitmq-server#13835",
    fault="Two of four members of the group desk subscribe to the partitions with super-stream, "
    "and two to the same ones without it: the group of a partition is of one kind only, and the "
    "broker refuses those of the other.",
    shows="Four members of a group, on three partitions.",
    guilty=lambda found: [
        each for each in those(wire.SUBSCRIBE)(found) if b"super-stream" not in each.body
    ],
)
def bug_group_of_two_kinds(stage: Stage) -> Facts:
    return group(stage, mixed=True)


@scenario(
    "A group of four members of a super stream",
    release="4",
    healthy=True,
    setup=tickets,
    thread="rabbitmq/rabbitmq-server#13835",
    shows="Four members of a group, on three partitions.",
)
def group_of_one_kind(stage: Stage) -> Facts:
    return group(stage, mixed=False)


def named_alike(found: list[Seen]) -> list[Seen]:
    """DeclarePublisher of the stations, but for the first."""
    return later(wire.DECLARE_PUBLISHER, rb"b8-weather")(found)


@scenario(
    "Four producers take one reference, by rstream 0.15.0",
    client="rstream_0_15",
    release="4",
    healthy=False,
    driver=f"rstream_0_15_{PYTHON.removeprefix('rstream_')}",
    faults=RSTREAM,
    category="identity",
    thread="rabbitmq-community/rstream#222",
    fault="The client makes a reference of the stream and the publisher's number, so four programs "
    "declare their publishers under the same one, and each counts its ids from 1: the broker takes "
    "ids that another one has used for duplicates, confirms them and stores nothing.",
    shows="Four weather stations that publish 40 readings each to one stream.",
    guilty=named_alike,
)
def bug_one_reference_by_default_rstream(stage: Stage) -> Facts:
    return stage.drive(f"rstream_0_15_{PYTHON.removeprefix('rstream_')}", "b8-weather")


@scenario(
    "Four producers have references of their own, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq-community/rstream#222",
    shows="Four weather stations that publish 40 readings each to one stream.",
)
def references_of_their_own_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "b8-weather-2")


@scenario(
    "Each instance of a service makes up its own group, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="identity",
    thread="coders51/rabbitmq-stream-js-client#190",
    fault="The consumer of a super stream has no name, so the client makes up a random one in each "
    "instance: each is the only member of a group of its own, all three are active on all three "
    "partitions, and each basket is billed three times.",
    shows="150 lines of baskets, and three instances of a service.",
    guilty=later(wire.SUBSCRIBE, rb"single-active-consumer"),
)
def bug_group_of_its_own_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "instances_of_random_names", "b8-baskets")


@scenario(
    "Three instances of a service are one group, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#190",
    shows="150 lines of baskets, and three instances of a service.",
)
def instances_are_one_group_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "instances_of_one_name", "b8-baskets-2")


@scenario(
    "A consumer loses the first chunk of some subscriptions",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b8-alarms", 12),
    category="abandoned",
    thread="rabbitmq/rabbitmq-stream-rust-client#160",
    fault="The client enters a subscription into its table after the answer to Subscribe, and "
    "drops a Deliver that comes before that: three of nine subscriptions of one credit get no "
    "credit any more and stay silent, while the other six read the whole stream.",
    shows="Nine consumers of one stream, on one connection.",
)
def bug_first_chunk_lost(stage: Stage) -> Facts:
    reader = stage.client(name="watchers").login()
    dropped, chunks = (2, 5, 8), 0
    for number in range(9):
        reader.subscribe(number, "b8-alarms", wire.FIRST, 1)
        if number in dropped:
            stage.accuse(reader)
        time.sleep(0.15)
        for _ in range(14):
            frame = reader.until(wire.DELIVER, wait=0.25)
            if not frame:
                break
            if frame.body[0] not in dropped:
                reader.credit(frame.body[0])
                chunks += 1
    reader.drain(4)
    reader.close()
    return {"chunks": chunks}


@scenario(
    "A nightly job over TLS, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    variant="tls",
    what="tcp port 5551",
    ports=(5551,),
    shows="Three nights of export and import, on connections in TLS whose secrets the file has.",
)
def nightly_job_tls_js(stage: Stage) -> Facts:
    stage.secrets = stage.work / "secrets.txt"
    os.environ["NODE_OPTIONS"] = f"--tls-keylog={stage.secrets}"
    try:
        return stage.drive(SCRIPT, "tls", "b8-nights")
    finally:
        del os.environ["NODE_OPTIONS"]


@scenario(
    "Three nodes restart in turn under reliable producers and consumers, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=HA,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    faults=GO | {"RMQ-K2b": "a node that stops ends its connections without a Close"},
    shows="A producer and two consumers of the package ha on three nodes, each of which restarts.",
)
def rolling_restart_ha_go(stage: Stage) -> Facts:
    order = iter((1, 2, 0))

    def restart(_pid: int) -> None:
        def both(node: int) -> None:
            stage.ctl("stop_app", node=node)
            time.sleep(1.5)
            stage.ctl("start_app", node=node)

        threading.Thread(target=both, args=(next(order),)).start()

    return stage.drive(HA, stage.scenario, wait=240, on={"restart": restart})


@scenario(
    "The broker's own health checks and tools, beside a publisher and a reader",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    shows="Ports are probed by connections without a byte, streams and their clients are listed, a "
    "super stream is added and deleted, and offsets are read, while four stations publish.",
)
def tools_of_the_broker(stage: Stage) -> Facts:
    def look() -> None:
        for tool, command in (
            ("rabbitmq-diagnostics", "check_port_connectivity"),
            ("rabbitmq-diagnostics", "check_port_listener 5552"),
            ("rabbitmq-streams", "list_stream_connections user conn_name"),
            ("rabbitmq-streams", "list_stream_publishers stream publisher_id reference"),
            ("rabbitmq-streams", "add_super_stream b8-made --partitions 2"),
            ("rabbitmq-streams", "list_stream_tracking b8-weather-3"),
            ("rabbitmq-streams", "delete_super_stream b8-made"),
            ("rabbitmq-diagnostics", "check_port_connectivity"),
        ):
            stage.ctl(command, tool)

    thread = threading.Thread(target=look)
    thread.start()
    facts = stage.drive(PYTHON, "b8-weather-3")
    thread.join()
    return facts


@scenario(
    "Its performance test compresses sub-batches on three streams, by the Go client",
    client="perf_test",
    release="4",
    healthy=True,
    faults=GO,
    shows="Three publishers of sub-batches of 20 messages in lz4 and three consumers that begin at "
    "the end, on three streams, with messages of several sizes, for three seconds.",
)
def perf_test_sub_batches_go(stage: Stage) -> Facts:
    arguments = (
        "--uris rabbitmq-stream://guest:guest@broker:5552 --publishers 3 --consumers 3 --rate 400 "
        "--batch-size 40 --variable-body 90 --time 3 --sub-entry-size 20 --compression lz4 "
        "--consumer-offset last --initial-credits 4 --max-age 2 --no-color"
    )
    streams = ",".join(f"{stage.scenario}-{number}" for number in range(3))
    command = [str(clients.CLIENTS / "go/perfTest"), *arguments.split(), "--streams", streams]
    subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return {"arguments": arguments}


@scenario(
    "Templates and a listener container of Spring, by spring-rabbit-stream",
    client="spring",
    release="4",
    healthy=True,
    driver="SpringTemplates.java",
    shows="Five rounds of 30 events from a RabbitStreamTemplate, and a container that is stopped "
    "and started again in between.",
)
def templates_spring(stage: Stage) -> Facts:
    return stage.drive("SpringTemplates.java", stage.scenario)
