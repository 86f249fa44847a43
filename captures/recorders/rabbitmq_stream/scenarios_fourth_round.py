"""Faults and near misses of the fourth round of the blind test: see docs/checking.md."""

import re
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import Client, string, u64

DRIVER, PYTHON, SCRIPT = "fourth_round.go", "rstream_fourth_round.py", "js_fourth_round.mjs"
JAVA = "Compresses.java"
WRITER, LEDGER = "payments-writer", "ledger"


def resumed(found: list[Seen]) -> list[Seen]:
    """Subscribe and the first Deliver of the connections that resume, and the offset stored."""
    stored = holding(wire.STORE_OFFSET, rb"warehouse-sink")(found)
    asked = holding(wire.SUBSCRIBE, rb"b4-orders.{0,2}\x00\x04")(found)
    return stored + asked


@scenario(
    "A connector stores the next offset, and starts one after the stored offset, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="sequence",
    thread="coders51/rabbitmq-stream-js-client#252, rabbitmq/rabbitmq-stream-dotnet-client#84; the "
    "habit of Kafka's commits is a variant of this repository",
    fault="Each run of warehouse-sink stores the offset after the last one that it was delivered "
    "(20, where 19 was the last), and each start subscribes at stored + 1: one message is never "
    "handled at each of four restarts.",
    shows="Five runs of a connector that takes two chunks each.",
    guilty=resumed,
)
def bug_stores_next_offset_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "stores_next", "b4-orders")


@scenario(
    "A connector stores the last offset it was delivered and starts one after it, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#84",
    shows="Five runs of a connector that takes two chunks each.",
)
def stores_last_offset_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "stores_last", "b4-orders-2")


def overtaken(found: list[Seen]) -> list[Seen]:
    """Later subscriptions at the first offset, and the first Deliver of each."""
    asked = holding(wire.SUBSCRIBE, rb"b4-audit.{0,2}\x00\x01")(found)[1:]
    delivered = those(wire.DELIVER, sender="server")(found)
    return asked + [next(d for d in delivered if d.stream == each.stream) for each in asked]


@scenario(
    "Retention deletes what a consumer has not read, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="limit",
    thread="amazon-mq/rabbitmq-stream-s3#237",
    fault="nightly-report had stored 199, but the stream keeps only 60 kB: the stored offset is "
    "gone together with the messages (QueryOffset finds none), so it begins at the oldest chunk, "
    "more than a thousand messages after the last one that it was delivered, twice, without any "
    "error.",
    shows="Three runs of a consumer, 2,500 messages between them.",
    guilty=overtaken,
)
def bug_retention_overtakes_consumer_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "overtaken", "b4-audit")


@scenario(
    "A short stream whose consumer comes back in time, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="amazon-mq/rabbitmq-stream-s3#237",
    shows="Four runs of a consumer, 150 messages between them.",
)
def retention_behind_consumer_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "keeps_up", "b4-audit-2")


@scenario(
    "The property of the single active consumer is spelt as in AMQP 0-9-1, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="mismatch",
    thread="rabbitmq-community/rstream#233, #228",
    fault="Two consumers of the group fulfilment subscribe with x-single-active-consumer, which "
    "the broker does not know (it is single-active-consumer): both are active and each of the 40 "
    "parcels is handled twice.",
    shows="Two consumers with one name, and 40 messages.",
    guilty=holding(wire.SUBSCRIBE, rb"x-single-active-consumer"),
)
def bug_single_active_misnamed_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "single_active_misnamed", "b4-parcels")


@scenario(
    "Two applications with a name each read the whole stream, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq-community/rstream#228",
    shows="Two consumers with two names, and 40 messages.",
)
def two_applications_read_all_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "two_applications", "b4-parcels-2")


@scenario(
    "The creation time of messages is in seconds, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="second_layer",
    thread="AMQP 1.0, 1.6.17 timestamp (milliseconds); the unit is a variant of this repository",
    fault="Each invoice has creation-time as seconds, where the AMQP 1.0 timestamp counts "
    "milliseconds: all messages say that they are of January 1970.",
    shows="15 messages with properties.",
    guilty=holding(wire.PUBLISH, rb"invoice-"),
)
def bug_creation_time_in_seconds_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "creation_in_seconds", "b4-invoices")


@scenario(
    "A service deletes its stream at each start and creates it anew, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="churn",
    thread="rabbitmq/rabbitmq-stream-rust-client#154 (delete_stream left in from an example)",
    fault="Each start of booking-service deletes the stream bookings and creates it anew with the "
    "same arguments: the 20 messages of the run before, all confirmed, are lost before anybody has "
    "read them, four times.",
    shows="Five runs of a service that publishes 20 messages.",
    guilty=holding(wire.DELETE, rb"b4-bookings"),
)
def bug_deletes_stream_at_start_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "deletes_at_start", "b4-bookings")


@scenario(
    "Each job makes a stream of its own, reads it and deletes it, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="rabbitmq/rabbitmq-stream-rust-client#154",
    shows="Five jobs with a stream of 20 messages each.",
)
def temporary_streams_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "temporary", "b4-export")


@scenario(
    "Sub-batches of two short random messages, compressed by gzip, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver=JAVA,
    category="waste",
    thread="docs of the Java client (sub-entry batching and compression); a variant of this "
    "repository",
    fault="Sub-batches hold two messages of 24 random bytes each, and gzip makes every one of them "
    "larger than it was: compression costs time and room and saves nothing.",
    shows="240 messages in sub-batches of two, published and read.",
    guilty=holding(wire.PUBLISH, rb"^.{5}.{8}\x90"),
)
def bug_compression_grows_java(stage: Stage) -> Facts:
    return stage.drive(JAVA, "b4-keys", "random")


@scenario(
    "Sub-batches of fifty similar messages, compressed by zstd, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=JAVA,
    thread="docs of the Java client (sub-entry batching and compression)",
    shows="1,500 messages in sub-batches of fifty, published and read.",
)
def compression_pays_java(stage: Stage) -> Facts:
    return stage.drive(JAVA, "b4-climate", "similar")


def payments(start: int) -> list[bytes]:
    """Five payments."""
    return [b"payment %d" % (start + i) for i in range(5)]


def outage(client: Client, stream: str, written: int, ident: int, *, new: bool) -> Client:
    """Twelve batches, four of which have no confirm when the connection is lost; sends them again.

    The new connection, whose last request is the number that the next batch may begin with.
    """
    waiting = []
    for batch in range(12):
        client.publish(0, ident, payments(written))
        if batch < 8:
            client.confirmed(5)
        else:
            waiting.append((ident, payments(written)))
        written, ident = written + 5, ident + 5
        time.sleep(0.06 if batch < 8 else 0.02)
    time.sleep(0.2)
    client.drop()
    time.sleep(0.3)
    client = Client(name="payments").login()
    client.declare(0, stream, WRITER)
    answer = client.request(wire.QUERY_SEQUENCE, string(WRITER) + string(stream))
    last = int.from_bytes(answer.body[6:14], "big")
    for place, (own, bodies) in enumerate(waiting):
        client.publish(0, last + 1 + 5 * place if new else own, bodies)
        client.confirmed(5)
        time.sleep(0.02)
    return client


def outages(stream: str, *, new: bool) -> Facts:
    """Three outages of a publisher, and a reader of all that was stored."""
    client = Client(name="payments").login()
    client.create(stream)
    client.declare(0, stream, WRITER)
    for number in range(3):
        client = outage(client, stream, 60 * number, (80 if new else 60) * number, new=new)
    client.close()
    reader = Client(name="ledger").login()
    reader.subscribe(0, stream, wire.FIRST, 10)
    consumed = reader.consume(0, 1000, wait=0.8)
    reader.close()
    return {"published": 180, "consumed": consumed}


def again(found: list[Seen]) -> list[Seen]:
    """Publish of messages that were published before."""
    known, repeated = set(), []
    for each in those(wire.PUBLISH)(found):
        message = re.search(rb"payment \d+", each.body)
        if message and message[0] in known:
            repeated.append(each)
        known.add(message[0] if message else b"")
    return repeated


@scenario(
    "Messages without a confirm are sent again under new publishing ids",
    release="4",
    healthy=False,
    category="sequence",
    thread="rabbitmq-community/rstream#276, coders51/rabbitmq-stream-js-client#233",
    fault="After a lost connection payments-writer asks for its last publishing id and sends the "
    "20 messages that had no confirm again, numbered after that id, which says that they were "
    "stored: each of them is stored twice, three times over.",
    shows="Three lost connections with 20 messages without a confirm each.",
    guilty=again,
)
def bug_resent_under_new_ids(_stage: Stage) -> Facts:
    return outages("b4-payments", new=True)


@scenario(
    "Messages without a confirm are sent again under their own publishing ids",
    release="4",
    healthy=True,
    thread="rabbitmq-community/rstream#276",
    shows="Three lost connections with 20 messages without a confirm each.",
)
def resent_under_own_ids(_stage: Stage) -> Facts:
    return outages("b4-payments-2", new=False)


def run_of_ledger(stream: str) -> int:
    """Handles 65 messages from the stored offset on; every message of the first chunk too."""
    client = Client(name=LEDGER).login()
    got = client.request(wire.QUERY_OFFSET, string(LEDGER) + string(stream))
    start = int.from_bytes(got.body[6:14], "big") + 1 if got.code == 1 else 0
    client.subscribe(0, stream, wire.offset(start), 1)
    name, handled, done = string(LEDGER) + string(stream), 0, 0
    while handled < 65 and (frame := client.until(wire.DELIVER, wait=2)):
        body = frame.body[9 if frame.version == 2 else 1 :]
        first, many = int.from_bytes(body[24:32], "big"), int.from_bytes(body[4:8], "big")
        for done in range(first, first + min(many, 65 - handled)):
            handled += 1
            if handled % 10 == 0:
                client.send(wire.STORE_OFFSET, name + u64(done))
                time.sleep(0.015)
        client.credit(0)
    client.send(wire.STORE_OFFSET, name + u64(done))
    time.sleep(0.2)
    client.unsubscribe(0)
    client.close()
    return handled


def set_back(found: list[Seen]) -> list[Seen]:
    """StoreOffset of an offset below one that was stored before."""
    highest, below = -1, []
    for each in holding(wire.STORE_OFFSET, rb"ledger")(found):
        stored = int.from_bytes(each.body[-8:], "big")
        if stored < highest:
            below.append(each)
        highest = max(highest, stored)
    return below


@scenario(
    "A consumer handles the messages of its first chunk that lie before its start",
    release="4",
    healthy=False,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-rust-client#222, #223",
    fault="The consumer subscribes at 65 and is delivered the chunk of 40 to 79, of which it "
    "handles all: it stores 49 and 59, before its own start, so messages are handled again after "
    "each restart and the stored offset is set back.",
    shows="Six chunks of 40 messages, and four runs that handle 65 messages each.",
    guilty=set_back,
)
def bug_head_of_chunk_handled_again(_stage: Stage) -> Facts:
    stream = "b4-transfers"
    publisher = Client(name="bank").login()
    publisher.create(stream)
    publisher.declare(0, stream)
    for first in range(0, 240, 40):
        publisher.publish(0, first, [b"transfer %d" % (first + i) for i in range(40)])
        publisher.confirmed(40)
        time.sleep(0.1)
    handled = 0
    for _ in range(4):
        handled += run_of_ledger(stream)
        time.sleep(0.2)
    publisher.close()
    return {"published": 240, "handled": handled}


def given_up(found: list[Seen]) -> list[Seen]:
    """Subscribe of each connection that is given up, and what is sent on it last."""
    asked = holding(wire.SUBSCRIBE, rb"b4-thumbnails")(found)
    sides = [[f for f in found if (f.stream, f.sender) == (a.stream, "server")] for a in asked]
    return asked + [side[-1] for side in sides]


@scenario(
    "The handler of messages blocks the connection, which sends no heartbeat",
    release="4",
    healthy=False,
    category="limit",
    thread="rabbitmq/rabbitmq-stream-go-client#439, #440",
    fault="The handler works on a chunk for seconds on the thread that sends heartbeats, although "
    "2 s were agreed: the broker gives the connection up, and the consumer starts anew and is "
    "delivered the same chunk, three times; it never gets on.",
    shows="Three connections that are silent until the broker ends them.",
    guilty=given_up,
)
def bug_handler_blocks_heartbeats(_stage: Stage) -> Facts:
    stream = "b4-thumbnails"
    publisher = Client(name="uploads").login()
    publisher.create(stream)
    publisher.declare(0, stream)
    publisher.publish(0, 0, [b"picture %d" % i for i in range(30)])
    publisher.confirmed(30)
    publisher.close()
    for _ in range(3):
        client = Client(name="thumbnails").login(heartbeat=2)
        client.subscribe(0, stream, wire.FIRST, 1)
        client.until(wire.DELIVER)
        end = time.monotonic() + 12
        while time.monotonic() < end and client.read(end - time.monotonic()):
            pass
        client.drop()
        time.sleep(0.3)
    return {"published": 30}


@scenario(
    "A subscription for each filter value, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="waste",
    thread="coders51/rabbitmq-stream-js-client#170 (filters of a consumer are a list); the loop is "
    "a variant of this repository",
    fault="One program makes six subscriptions of the stream events, each with one filter value, "
    "where one subscription takes all six: chunks that hold more than one of the values are "
    "delivered up to six times over.",
    shows="240 messages of six filter values, and six subscriptions.",
    guilty=holding(wire.SUBSCRIBE, rb"b4-events.*filter\.0"),
)
def bug_subscription_per_filter_value_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filters_apart", "b4-events")


@scenario(
    "One subscription for six filter values, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#170",
    shows="240 messages of six filter values, and one subscription.",
)
def subscription_for_six_values_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filters_together", "b4-events-2")


@scenario(
    "The keys of message annotations are strings and not symbols, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="second_layer",
    thread="amqp/rhea#63 (the same in another library); rabbitmq-stream-js-client 1.0.0 writes "
    "them so by itself",
    fault="Each of 30 messages has message annotations whose keys are strings (0xa1), where AMQP "
    "1.0 demands symbols (0xa3): the broker stores them as they are, and strict decoders and AMQP "
    "1.0 consumers refuse them.",
    shows="30 messages with annotations, published and read.",
    guilty=holding(wire.PUBLISH, rb"\x00\x53\x72.*\xa1\x0bx-opt-depot"),
)
def bug_annotation_key_as_string_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "annotated", "b4-scans")


@scenario(
    "The keys of message annotations are symbols, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="amqp/rhea#63",
    shows="30 messages with annotations.",
)
def annotation_key_as_symbol_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "annotated", "b4-scans-2")
