"""Faults and near misses of the third round of the blind test: see docs/checking.md."""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u32

DRIVER, PYTHON, JAVA = "third_round.go", "rstream_third_round.py", "SuperStreamRestart.java"


@scenario(
    "Two publishers of one stream write different formats",
    client="go_and_rstream",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO | RSTREAM,
    category="mismatch",
    thread="rabbitmq/rabbitmq-stream-rust-client#221, rabbitmq-community/rstream#7",
    fault="The catalogue publishes AMQP 1.0 messages to the stream articles, the pricing service "
    "(rstream, which sends bytes as they are) plain JSON: consumers that decode AMQP 1.0 cannot "
    "read half of the stream.",
    shows="Twelve messages of the Go client, twelve of rstream, and a consumer in Go.",
    guilty=holding(wire.PUBLISH, rb'"article"'),
)
def bug_raw_bytes_beside_amqp(stage: Stage) -> Facts:
    stage.drive(DRIVER, "articles", "articles")
    stage.drive(PYTHON, "raw_bytes", "articles")
    return stage.drive(DRIVER, "reads", "articles")


@scenario(
    "A consumer that stores its offset starts from next each time, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="sequence",
    thread="rabbitmq/amqp091-go#277",
    fault="The consumer invoices stores its offset before it stops and never asks for it: each "
    "restart subscribes from next, and the ten messages that were published meanwhile are never "
    "read, three times.",
    shows="Four runs of one consumer, 20 messages during each and ten after it.",
    guilty=those(wire.SUBSCRIBE, 2),
)
def bug_next_on_restart_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "restarts", "restarted")


@scenario(
    "Each message has a filter value of its own, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="waste",
    thread="docs: Stream Filtering (filter values are to be shared by many messages)",
    fault="Each of 400 messages is published with its own filter value (reading-00000000 and so "
    "on): the Bloom filter of every chunk is full of values that are never asked for twice, and "
    "filtering finds single messages at the price of a scan.",
    shows="20 batches of 20 messages, and a consumer that filters by one value.",
    guilty=holding(wire.PUBLISH, rb"reading-"),
)
def bug_filter_value_per_message_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "filter_per_message", "b3-readings")


@scenario(
    "The publisher waits for the confirm of each message, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="waste",
    thread="rabbitmq-community/rstream#82 (send_wait); the loop is a variant of this repository",
    fault="300 messages are sent one after the other, each in a Publish of its own that waits for "
    "its PublishConfirm: one message for a round trip, and no batches.",
    shows="Publish and PublishConfirm in turn, 300 times.",
    guilty=those(wire.PUBLISH, 3),
)
def bug_send_wait_per_message_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "send_wait", "b3-import")


@scenario(
    "A producer of a super stream goes on at the lowest publishing id of all partitions",
    client="java",
    release="4",
    healthy=False,
    driver=JAVA,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-java-client#986",
    fault="After a restart the producer orders-writer asks the last publishing id of its three "
    "partitions and goes on after the lowest: new orders to the partitions that are ahead have ids "
    "that are stored already, are confirmed and not stored.",
    shows="40 orders to three partitions, a restart after getLastPublishingId, and 20 more to two.",
    guilty=holding(wire.PUBLISH, rb"of the second run"),
)
def bug_lowest_sequence_for_all_partitions_java(stage: Stage) -> Facts:
    return stage.drive(JAVA, "b3-orders")


def more_consumers(found: list[Seen]) -> list[Seen]:
    """Subscribe of the second and third connection where the stream is there, and the answers."""
    asked = those(wire.SUBSCRIBE)(found)
    answered = those(wire.SUBSCRIBE | wire.RESPONSE, sender="server")(found)
    return asked[3::2] + answered[3::2]


@scenario(
    "Retries of the first connection leave consumers that all read",
    release="4",
    healthy=False,
    category="identity",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#273",
    fault="The stream is not there at first; three retries that run at once end in three "
    "connections with one name and reference that all subscribe: each message is delivered to and "
    "read by the program three times.",
    shows="Three connections whose Subscribe is refused, and once more when the stream is there; "
    "40 messages are read by each.",
    guilty=more_consumers,
)
def bug_raw_consumers_left_by_retries(stage: Stage) -> Facts:
    stream, tries, consumed = "b3-tables", [], [0] * 3
    known = {"name": "table-consumer"}
    for _ in range(3):
        client = stage.client(name="table-consumer-0f3c").login()
        client.subscribe(0, stream, wire.FIRST, 10, known)
        tries.append(client)
        time.sleep(0.15)
    publisher = stage.client(name="tables").login()
    publisher.create(stream)
    publisher.declare(0, stream)
    time.sleep(0.2)
    for client in tries:
        client.request(wire.METADATA, wire.strings([stream]))
        client.subscribe(0, stream, wire.FIRST, 10, known)
    for batch in range(8):
        publisher.publish(0, batch * 5, [b"row %d" % (batch * 5 + n) for n in range(5)])
        publisher.confirmed(5)
        for place, client in enumerate(tries):
            consumed[place] += client.consume(0, 5, wait=1)
        time.sleep(0.15)
    for client in (*tries, publisher):
        client.close()
    return {"consumed": consumed}


@scenario(
    "Two outstanding requests have the same correlation id",
    release="4",
    healthy=False,
    category="identity",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#10",
    fault="Threads number their requests apart: QueryPublisherSequence and Metadata are "
    "outstanding on one connection with the same correlation id, so an answer is given to the "
    "wrong caller, who asks again.",
    shows="Eight times both requests at once, with one correlation id.",
    guilty=holding(wire.METADATA, rb"b3-claims"),
)
def bug_one_id_for_two_requests(stage: Stage) -> Facts:
    stream, writer = "b3-claims", "claims-writer"
    client = stage.client(name="claims").login()
    client.create(stream)
    client.declare(0, stream, writer)
    for n in range(8):
        number = u32(100 + n)
        client.together(
            client.frame(wire.QUERY_SEQUENCE, number + string(writer) + string(stream)),
            client.frame(wire.METADATA, number + wire.strings([stream])),
        )
        client.until(wire.QUERY_SEQUENCE | wire.RESPONSE)
        client.until(wire.METADATA | wire.RESPONSE)
        client.publish(0, n, [b"claim %d" % n])
        client.confirmed(1)
        time.sleep(0.15)
    client.close()
    return {"published": 8}


def properties(content_type: bytes) -> bytes:
    """Properties of a message with an id and a content type, which is an encoded value."""
    fields = b"\xa1\x03id7" + b"\x40" * 5 + content_type
    return b"\x00\x53\x73\xc0" + bytes([len(fields) + 1, 7]) + fields


def publishes(stage: Stage, stream: str, before: bytes) -> Facts:
    """Publishes ten messages with such a section before their data, and reads them."""
    client = stage.client(name="dotnet").login()
    client.create(stream)
    client.declare(0, stream)
    for n in range(10):
        body = before + wire.message(b'{"row": %d}' % n)
        client.send(wire.PUBLISH, u8(0) + u32(1) + wire.entry(n, body))
        client.confirmed(1)
        time.sleep(0.08)
    client.subscribe(0, stream, wire.FIRST)
    consumed = client.consume(0, 10)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "The content type of a message is a string and not a symbol",
    release="4",
    healthy=False,
    category="second_layer",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#211, rabbitmq/rabbitmq-server#6837",
    fault="Each of ten messages has the content type in its AMQP 1.0 properties as a string "
    "(0xa1), where a symbol (0xa3) is required: the broker stores it, strict decoders and AMQP "
    "consumers refuse the message.",
    shows="Ten messages with properties, published and read.",
    guilty=holding(wire.PUBLISH, rb"\xa1\x10application/json"),
)
def bug_content_type_as_string(stage: Stage) -> Facts:
    return publishes(stage, "b3-types", properties(b"\xa1\x10application/json"))


@scenario(
    "The content type of a message is a symbol",
    release="4",
    healthy=True,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#211",
    shows="Ten messages with properties, published and read.",
)
def content_type_as_symbol(stage: Stage) -> Facts:
    return publishes(stage, "b3-types-2", properties(b"\xa3\x10application/json"))


def partition_of(order: int) -> int:
    """The partition of an order: the second one gets no more after a while."""
    if order % 5 < 3:
        return 0
    return 1 if order % 5 == 3 and order < 12 else 2


@scenario(
    "A producer of a super stream goes on after the highest publishing id of all partitions",
    release="4",
    healthy=True,
    thread="rabbitmq/rabbitmq-stream-java-client#986",
    shows="30 orders to three partitions with common ids, a restart, and 20 more.",
)
def highest_sequence_for_all_partitions(stage: Stage) -> Facts:
    name, writer = "b3-orders-2", "orders-writer"
    parts = [f"{name}-{n}" for n in range(3)]
    client = stage.client(name="setup").login()
    keys = wire.strings(["0", "1", "2"])
    body = string(name) + wire.strings(parts) + keys + wire.pairs({})
    client.request(wire.CREATE_SUPER_STREAM, body)
    for place, part in enumerate(parts):
        client.declare(place, part, writer)

    def publish(first: int, number: int) -> None:
        for n in range(first, first + number):
            client.publish(partition_of(n), n, [b"order %d" % n])
            client.confirmed(1)

    publish(0, 30)
    client.close()
    time.sleep(0.3)
    client = stage.client(name=writer).login()
    last = []
    for place, part in enumerate(parts):
        client.declare(place, part, writer)
        answer = client.request(wire.QUERY_SEQUENCE, string(writer) + string(part))
        last.append(int.from_bytes(answer.body[6:14], "big"))
    publish(max(last) + 1, 20)
    reader = stage.client(name="billing").login()
    consumed = 0
    for place, part in enumerate(parts):
        reader.subscribe(place, part, wire.FIRST, 10)
        consumed += reader.consume(place, 100, wait=0.8)
        reader.unsubscribe(place)
    reader.close()
    client.close()
    return {"published": 50, "consumed": consumed}


@scenario(
    "Two publishers of different makes write AMQP 1.0 to one stream",
    client="go_and_rstream",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO | RSTREAM,
    thread="rabbitmq/rabbitmq-stream-rust-client#221",
    shows="Twelve messages of the Go client, twelve of rstream, and a consumer in Go.",
)
def both_write_amqp(stage: Stage) -> Facts:
    stage.drive(DRIVER, "articles", "articles-2")
    stage.drive(PYTHON, "amqp", "articles-2")
    return stage.drive(DRIVER, "reads", "articles-2")


@scenario(
    "A dashboard without a name shows what comes from now on, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/amqp091-go#277",
    shows="Four runs of a consumer from next that stores no offset.",
)
def live_tail_from_next_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "live_tail", "b3-tail")


@scenario(
    "Messages have one of four filter values, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="docs: Stream Filtering",
    shows="20 batches of 20 messages, and a consumer that filters by one value.",
)
def filter_value_per_region_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "filter_per_region", "b3-regions")
