"""Faults and healthy scenarios of the blind test: recorded like those of `scenarios_threads`.

The authors of the rules did not know them before the score in docs/checking.md was taken.
"""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, made
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u16, u32, u64


@scenario(
    "A batch larger than a frame, again and again, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver="rstream_large_batches.py",
    faults=RSTREAM,
    category="storm",
    thread="rabbitmq-community/rstream#274; send_batch of rstream 1.1.1 does it still",
    fault="Publish frames of 13 kB where 8192 bytes are agreed: the broker closes with "
    "frame_too_large, the client connects anew and sends the same batch again, four times; none of "
    "it is stored.",
    shows="frame_max 8192 in Tune, send_batch of eighty messages, Close 14, a new connection.",
    guilty=those(wire.PUBLISH),
)
def bug_batch_above_frame_max_again_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_large_batches.py", stage.scenario)


@scenario(
    "A producer for each request, never closed, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver="producers_left.go",
    faults=GO,
    category="leak",
    thread="rabbitmq/rabbitmq-stream-rust-client#287, #180; wagslane/go-rabbitmq#92",
    fault="For each of fifteen messages the client opens a connection and declares a publisher, "
    "and never closes either: fifteen connections stay open and carry heartbeats only.",
    shows="Fifteen connections 'request-handler' with one message each, open until the end.",
    guilty=those(wire.DECLARE_PUBLISHER, 5),
)
def bug_producers_left_open_go(stage: Stage) -> Facts:
    return stage.drive("producers_left.go", stage.scenario)


@scenario(
    "A connection for each question about an offset, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver="rstream_asks_offset.py",
    faults=RSTREAM,
    category="churn",
    thread="rabbitmq-community/rstream#235",
    fault="The client opens a connection 'offset-consumer', with the whole handshake, for a single "
    "QueryOffset and drops it, twelve times, although it has a connection that could ask.",
    shows="QueryOffset on twelve short connections beside the consumer's own.",
    guilty=those(wire.QUERY_OFFSET, 3),
)
def bug_connection_per_offset_query_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_asks_offset.py", stage.scenario)


def three_partitions(stage: Stage) -> None:
    """A super stream."""
    client = stage.client().login()
    names = [f"bug-invoices-{n}" for n in range(3)]
    body = string("bug-invoices") + wire.strings(names) + wire.strings(["0", "1", "2"]) + u32(0)
    client.request(wire.CREATE_SUPER_STREAM, body)
    client.close()


@scenario(
    "Two of three partitions are lost on reconnect",
    release="4",
    healthy=False,
    setup=three_partitions,
    category="abandoned",
    thread="rabbitmq/rabbitmq-stream-go-client#453",
    fault="Before its connection was closed the super stream producer had publishers for all three "
    "partitions; after it only bug-invoices-1 has one again, and nothing is published to the "
    "others any more.",
    shows="Three publishers, thirty messages; the broker closes; one publisher, ten messages.",
)
def bug_partitions_lost_on_reconnect(stage: Stage) -> Facts:
    client = stage.client(name="invoices-producer").login()
    client.request(wire.PARTITIONS, string("bug-invoices"))
    for n in range(3):
        client.declare(n, f"bug-invoices-{n}")
    for n in range(30):
        client.publish(n % 3, n, bodies(1, "invoice"))
    client.confirmed(30)
    stage.ctl("close_all_connections --vhost / 'node restarts'")
    client.until(wire.CLOSE)
    client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
    client.ended(3)
    again = stage.client(name="invoices-producer").login()
    first = len(again.sent)
    again.declare(1, "bug-invoices-1")
    for n in range(10):
        again.publish(1, 30 + n, bodies(1, "invoice"))
        time.sleep(0.1)
    again.confirmed(10)
    stage.accuse(again, nth=first, last=len(again.sent))
    time.sleep(2)
    again.request(wire.DELETE_PUBLISHER, u8(1))
    again.close()
    return {"published": 40}


@scenario(
    "Sub-batches of one message, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver="sub_batches_alone.go",
    faults=GO,
    category="waste",
    thread="rabbitmq/rabbitmq-stream-go-client (SetSubEntrySize with one message per send)",
    fault="Each of sixty sub-batches holds one message: gzip makes it larger than it was, and each "
    "is a frame that waits for its confirm.",
    shows="BatchSend of one message with sub-entries of ten and gzip, sixty times.",
    guilty=those(wire.PUBLISH, 5),
)
def bug_sub_batches_of_one_go(stage: Stage) -> Facts:
    return stage.drive("sub_batches_alone.go", stage.scenario, "1")


@scenario(
    "Publishing ids from a clock, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver="ClockIds.java",
    category="sequence",
    thread="coders51/rabbitmq-stream-js-client#233, rabbitmq/rabbitmq-stream-java-client#41",
    fault="The publisher 'sensor' gives all messages of a second the same publishing id: the "
    "broker takes the later ones for duplicates, confirms and drops them; of 40 messages some five "
    "are stored.",
    shows="Publishing ids that are seconds since 1970, ten messages for each.",
    guilty=those(wire.PUBLISH, 2),
)
def bug_publishing_id_from_clock_java(stage: Stage) -> Facts:
    return stage.drive("ClockIds.java", stage.scenario)


@scenario(
    "A group whose members have different names, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver="js_groups.mjs",
    faults=JS,
    category="mismatch",
    thread="coders51/rabbitmq-stream-js-client#216",
    fault="Three workers subscribe to the super stream as single active consumers under three "
    "different names: each is alone in its group, all are active, and each gets every message.",
    shows="declareSuperStreamConsumer without a reference: a name with a UUID for each worker.",
    guilty=those(wire.SUBSCRIBE, 3),
)
def bug_group_names_differ_js(stage: Stage) -> Facts:
    return stage.drive("js_groups.mjs", stage.scenario)


def map_section(size_off: int) -> bytes:
    """Application properties whose map states a size that is wrong by so much."""
    items = b"\xa1\x06region\xa1\x04emea\xa1\x05shelf\xa1\x03top"
    return b"\x00\x53\x74\xc1" + bytes([1 + len(items) + size_off, 4]) + items


@scenario(
    "A map that states a wrong size",
    release="4",
    healthy=False,
    setup=made("bug-map-size"),
    category="second layer",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#211, rabbitmq/rabbitmq-server#6837",
    faults={"RMQ-Q3": "the map states a size that is one too small"},
    fault="The application properties' map states a size without the byte of its count, one less "
    "than it is: readers that trust the size take the last byte of it for the next section.",
    shows="Publish of three messages, stored and delivered as they are.",
)
def bug_map_size_wrong(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "bug-map-size")
    rows = b""
    for n in range(3):
        data = map_section(-1) + wire.message(b"order %d" % n)
        rows += u64(n) + u32(len(data)) + data
    client.send(wire.PUBLISH, u8(0) + u32(3) + rows)
    stage.blame("Q3", client)
    client.confirmed(3)
    client.subscribe(0, "bug-map-size")
    consumed = client.consume(0, 3)
    client.unsubscribe(0)
    client.close()
    return {"published": 3, "consumed": consumed}


@scenario(
    "A client that waits longer each time",
    release="4",
    healthy=True,
    thread="the healthy twin of coders51/rabbitmq-stream-js-client#242",
    shows="The stream is not there yet: Subscribe is refused four times, after 0.5, 1, 2 and 4 "
    "seconds more; then it is there.",
)
def waits_longer_each_time(stage: Stage) -> Facts:
    client = stage.client(name="early").login()
    other = stage.client(name="deployment").login()
    codes = []
    for wait in (0.5, 1, 2, 4):
        codes.append(client.subscribe(0, "near-later").code)
        time.sleep(wait)
    other.create("near-later")
    codes.append(client.subscribe(0, "near-later").code)
    other.declare(0, "near-later")
    other.publish(0, 0, bodies(5))
    other.confirmed(5)
    consumed = client.consume(0, 5)
    client.unsubscribe(0)
    client.close()
    other.request(wire.DELETE_PUBLISHER, u8(0))
    other.close()
    return {"codes": codes, "published": 5, "consumed": consumed}


@scenario(
    "Twelve publishers, all of them used, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver="TwelvePartitions.java",
    thread="the healthy twin of coders51/rabbitmq-stream-js-client#194",
    shows="A super stream of twelve partitions, 120 messages over all of them, read back.",
)
def twelve_partitions_java(stage: Stage) -> Facts:
    return stage.drive("TwelvePartitions.java", stage.scenario)


@scenario(
    "A sub-batch of one at the end of each batch, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver="sub_batches_alone.go",
    faults=GO,
    thread="the healthy twin of sub-batches of one",
    shows="Batches of 51 messages in sub-batches of ten: the last one has the message left over.",
)
def last_sub_batch_of_one_go(stage: Stage) -> Facts:
    return stage.drive("sub_batches_alone.go", stage.scenario, "51")


@scenario(
    "A reading now and then, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver="js_sensor.mjs",
    faults=JS,
    thread="the healthy twin of coders51/rabbitmq-stream-js-client#101",
    shows="A Publish of one message each 350 ms: there is nothing to batch.",
)
def sensor_by_timer_js(stage: Stage) -> Facts:
    return stage.drive("js_sensor.mjs", stage.scenario)
