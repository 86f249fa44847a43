"""Faults and near misses of the second round of the blind test: see docs/checking.md."""

import re
import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Choice, Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u64


def holding(key: int, pattern: bytes) -> Choice:
    """Frames of clients with a key whose body matches."""

    def choose(found: list[Seen]) -> list[Seen]:
        mine = those(key)(found)
        return [each for each in mine if re.search(pattern, each.body, re.DOTALL)]

    return choose


def fill(stage: Stage, stream: str, rounds: int) -> None:
    """A stream with five messages for each round."""
    client = stage.client(name="feeder").login()
    client.create(stream)
    client.declare(0, stream)
    for n in range(rounds):
        client.publish(0, 5 * n, [b"message %d" % (5 * n + i) for i in range(5)])
        client.confirmed(5)
    client.close()


@scenario(
    "The route of the first key is used for all keys, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver="rstream_routes.py",
    faults=RSTREAM,
    category="mismatch",
    thread="rabbitmq/rabbitmq-stream-rust-client#243 (rstream 1.1.1 has the same)",
    fault="Route is asked for the key italy alone; messages with the keys france and spain are "
    "published to the partition of italy too, and the other two partitions get nothing.",
    shows="A super stream with three binding keys, one Route, 18 messages with three keys, all "
    "to one partition.",
    guilty=holding(wire.PUBLISH, rb"france|spain"),
)
def bug_route_of_first_key_for_all_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_routes.py", "by_key", "b2-invoices")


@scenario(
    "Two publishers of a super stream route the same keys to different partitions",
    client="go_and_rstream",
    release="4",
    healthy=False,
    driver="routes.go",
    faults=GO | RSTREAM,
    category="mismatch",
    thread="rabbitmq/rabbitmq-server#8319, rabbitmq/rabbitmq-stream-java-client#348 (every client "
    "hashes keys by 32-bit murmur3)",
    fault="The Go publisher puts order-0 to order-11 by murmur3 of 32 bits, the Python one hashes "
    "the same message ids otherwise: messages of one order are in different partitions, and their "
    "order is lost.",
    shows="The Go client publishes one message for each of twelve orders, then rstream two.",
    guilty=holding(wire.PUBLISH, rb"status paid"),
)
def bug_hash_differs_between_clients(stage: Stage) -> Facts:
    first = stage.drive("routes.go", "by_hash", "b2-orders")
    time.sleep(0.5)
    second = stage.drive("rstream_routes.py", "by_hash", "b2-orders")
    return {"confirmed_go": first["confirmed"], "confirmed_rstream": second["confirmed"]}


@scenario(
    "Partitions and Route are asked for each message",
    release="4",
    healthy=False,
    category="waste",
    thread="rabbitmq-community/rstream#73",
    fault="Before each of 40 messages the publisher asks Partitions and Route again, for three "
    "keys whose answers never change: 80 round trips for 40 messages.",
    shows="Partitions, Route, Publish, 40 times.",
    guilty=those(wire.ROUTE, 4),
)
def bug_route_asked_per_message(stage: Stage) -> Facts:
    keys = ["0", "1", "2"]
    names = [f"b2-routed-{key}" for key in keys]
    client = stage.client(name="shop").login()
    body = string("b2-routed") + wire.strings(names) + wire.strings(keys) + wire.pairs({})
    client.request(wire.CREATE_SUPER_STREAM, body)
    for place, name in enumerate(names):
        client.declare(place, name)
    for n in range(40):
        client.request(wire.PARTITIONS, string("b2-routed"))
        client.request(wire.ROUTE, string(keys[n % 3]) + string("b2-routed"))
        client.publish(n % 3, n, [b"order %d" % n])
        client.confirmed(1)
    client.close()
    return {"published": 40}


@scenario(
    "A consumer that was given nothing stores offset 0 when it closes",
    release="4",
    healthy=False,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-go-client#336",
    fault="The consumer resumed at 40, was delivered nothing, and on closing it stores offset 0 "
    "for its reference: the stored 39 is lost, and the next start reads all 40 messages again.",
    shows="Three runs of one consumer: 40 messages and StoreOffset 39, nothing and StoreOffset 0, "
    "40 messages again.",
    guilty=holding(wire.STORE_OFFSET, rb"\x00{8}$"),
)
def bug_zero_stored_by_idle_consumer(stage: Stage) -> Facts:
    stream, consumed = "b2-mails", []
    fill(stage, stream, 8)
    for _ in range(3):
        client = stage.client(name="mailer").login()
        answer = client.request(wire.QUERY_OFFSET, string("mailer") + string(stream))
        stored = int.from_bytes(answer.body[6:14], "big") if answer.code == 1 else -1
        client.subscribe(0, stream, wire.FIRST if stored < 0 else wire.offset(stored + 1))
        got = client.consume(0, 40, wait=1.2)
        place = u64(39 if got else 0)
        client.send(wire.STORE_OFFSET, string("mailer") + string(stream) + place)
        time.sleep(0.2)
        client.unsubscribe(0)
        client.close()
        consumed.append(got)
        time.sleep(0.2)
    return {"consumed": consumed}


@scenario(
    "A consumer does not react to MetadataUpdate",
    release="4",
    healthy=False,
    category="abandoned",
    thread="coders51/rabbitmq-stream-js-client#185, rabbitmq/rabbitmq-stream-rust-client#96, "
    "rabbitmq/rabbitmq-stream-dotnet-client#64",
    fault="MetadataUpdate says that the stream is gone, which ends the subscription; the consumer "
    "neither asks Metadata nor subscribes again, but stays connected with heartbeats and gets none "
    "of the messages of the stream that was made anew.",
    shows="A stream is deleted under its consumer and created again; eight messages are published "
    "to it, and the consumer sends Heartbeat.",
    guilty=those(wire.METADATA_UPDATE, sender="server"),
)
def bug_deaf_after_metadata_update(stage: Stage) -> Facts:
    stream = "b2-news"
    fill(stage, stream, 4)
    reader = stage.client(name="reader").login(heartbeat=2)
    reader.subscribe(0, stream)
    consumed = reader.consume(0, 20)
    operator = stage.client(name="operator").login()
    operator.delete(stream)
    time.sleep(1.0)
    operator.create(stream)
    operator.declare(0, stream)
    for n in range(8):
        operator.publish(0, n, [b"late news %d" % n])
        operator.confirmed(1)
        reader.drain(0.9)
        reader.send(wire.HEARTBEAT)
    operator.close()
    reader.drain(0.5)
    reader.drop()
    return {"consumed": consumed}


@scenario(
    "The same offset is stored again and again while nothing arrives",
    release="4",
    healthy=False,
    category="waste",
    thread="rabbitmq/osiris#32, rabbitmq/rabbitmq-stream-go-client#102 (tracking by a timer); own "
    "variant",
    fault="Nothing was delivered after offset 19, and a timer stores 19 again 30 times: each one "
    "is written to the stream.",
    shows="20 messages, then StoreOffset 19 each 200 ms.",
    guilty=those(wire.STORE_OFFSET, 2),
)
def bug_idle_offset_stored_again(stage: Stage) -> Facts:
    stream = "b2-idle"
    fill(stage, stream, 4)
    client = stage.client(name="sleeper").login()
    client.subscribe(0, stream)
    consumed = client.consume(0, 20)
    for _ in range(31):
        client.send(wire.STORE_OFFSET, string("sleeper") + string(stream) + u64(19))
        client.drain(0.2)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "Messages are routed by key, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver="routes.go",
    thread="rabbitmq/rabbitmq-stream-rust-client#243, rabbitmq-community/rstream#73",
    shows="Route is asked once for each of three keys, 18 messages go to three partitions.",
)
def route_asked_once_per_key_go(stage: Stage) -> Facts:
    return stage.drive("routes.go", "by_key", "b2-countries")


@scenario(
    "A consumer stores what it has read when it closes, and nothing where it read nothing",
    client="go",
    release="4",
    healthy=True,
    driver="routes.go",
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#336",
    shows="Three runs of one consumer: 25 messages each in two of them, in the third none, and "
    "StoreOffset only after messages.",
)
def last_offset_stored_at_close_go(stage: Stage) -> Facts:
    return stage.drive("routes.go", "stores_at_close", "b2-mails-2")


@scenario(
    "A consumer reacts to MetadataUpdate: it asks Metadata with pauses and subscribes again",
    release="4",
    healthy=True,
    thread="rabbitmq/rabbitmq-stream-java-client#203",
    shows="A stream is deleted under its consumer and created again after 1.2 s; the consumer "
    "tries to subscribe after 0.4, 0.8 and 1.6 s.",
)
def subscribes_again_after_metadata_update(stage: Stage) -> Facts:
    stream = "b2-news-2"
    fill(stage, stream, 4)
    reader = stage.client(name="reader").login(heartbeat=20)
    reader.subscribe(0, stream)
    reader.consume(0, 20)
    operator = stage.client(name="operator").login()
    operator.delete(stream)

    def anew() -> None:
        time.sleep(1.2)
        operator.create(stream)
        operator.declare(0, stream)
        operator.publish(0, 0, [b"late news %d" % n for n in range(6)])
        operator.confirmed(6)

    making = threading.Thread(target=anew)
    making.start()
    reader.until(wire.METADATA_UPDATE, wait=5)
    pause = 0.4
    while True:
        time.sleep(pause)
        pause *= 2
        reader.request(wire.METADATA, wire.strings([stream]))
        if reader.subscribe(1, stream, wire.FIRST).code == 1:
            break
    consumed = reader.consume(1, 6)
    making.join()
    reader.unsubscribe(1)
    reader.close()
    operator.close()
    return {"consumed": consumed}
