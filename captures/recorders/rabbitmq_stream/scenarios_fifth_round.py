"""Faults and near misses of the fifth round of the blind test: see docs/checking.md."""

import re
import threading
import time

from captures.recorders.rabbitmq_stream import clients, wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Choice, Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import Client, string, u8, u32

DRIVER, PYTHON, SCRIPT = "fifth_round.go", "rstream_fifth_round.py", "js_fifth_round.mjs"
OUTBOX, RECOVERIES = "Outbox.java", "Recoveries.java"
FIRST, FROM_17, FROM_NOW = rb".{0,2}\x00\x01", rb".{0,2}\x00\x04\x00{7}\x11", rb".{0,2}\x00\x05"
"""Offset specifications of Subscribe, after the name of the stream."""
GATEWAY = "meter-gateway"


def later(key: int, pattern: bytes) -> Choice:
    """Frames of clients with a key whose body matches, without the first."""
    return lambda found: holding(key, pattern)(found)[1:]


def reader_added(stage: Stage) -> None:
    """A user of its own for the reader, whose connections are closed."""
    stage.ctl("add_user reader reader")
    stage.ctl("set_permissions -p / reader '.*' '.*' '.*'")


def cut(stage: Stage) -> clients.Events:
    """What the driver may ask for: that the broker closes the connections of the reader."""

    def close(_pid: int) -> None:
        stage.ctl("close_all_user_connections reader maintenance")

    return {"cut": close}


def unfiltered(found: list[Seen]) -> list[Seen]:
    """Subscribe without a filter."""
    asked = holding(wire.SUBSCRIBE, rb"b5-orders")(found)
    return [each for each in asked if b"filter." not in each.body]


@scenario(
    "A consumer loses its filter when it connects again, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    setup=reader_added,
    category="identity",
    thread="rabbitmq-community/rstream#229",
    fault="The first subscription has the filter value paid; after each of three lost connections "
    "the program subscribes at the next offset without any filter, and is delivered all kinds of "
    "events.",
    shows="Events of four kinds, and three lost connections of their reader.",
    guilty=unfiltered,
)
def bug_filter_lost_after_reconnect_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filter_lost", "b5-orders", on=cut(stage))


@scenario(
    "A consumer that connects again has its filter as before, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    setup=reader_added,
    thread="rabbitmq-community/rstream#229",
    shows="Events of four kinds, and three lost connections of their reader.",
)
def filter_kept_after_reconnect_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filter_kept", "b5-orders-2", on=cut(stage))


def runs(stage: Stage, play: str, stream: str, names: list[str], text: str) -> Facts:
    """Runs of a reader, each after 40 more messages."""
    consumed = 0
    for number, name in enumerate(names):
        stage.drive(DRIVER, "publish", stream, text, str(40 * number), "40")
        consumed += stage.drive(DRIVER, play, stream, name)["consumed"]
        time.sleep(0.2)
    return {"published": 40 * len(names), "consumed": consumed}


@scenario(
    "Each run of a consumer has a new name, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="identity",
    thread="rabbitmq/rabbitmq-stream-java-client#6 (random names of consumers), "
    "rabbitmq/rabbitmq-server#9432",
    fault="The name of the consumer is that of its container, which is new for each run: each "
    "stores its offset under its own name, the next one finds none (QueryOffset) and reads the "
    "whole stream again, three times.",
    shows="Four runs of a report, each after 40 messages.",
    guilty=later(wire.SUBSCRIBE, rb"b5-readings" + FIRST),
)
def bug_consumer_name_per_run_go(stage: Stage) -> Facts:
    names = [f"report-7d4f9c5b8-{each}" for each in ("x2lqz", "9kfwm", "tt7bd", "c5vhn")]
    return runs(stage, "report", "b5-readings", names, "reading %d")


@scenario(
    "A cache without a name is filled from the whole stream at each start, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#388 (state rebuilt from the stream)",
    shows="Four runs of a cache, each after 40 messages.",
)
def cache_filled_at_each_start_go(stage: Stage) -> Facts:
    return runs(stage, "cache", "b5-prices", [""] * 4, "price %d")


@scenario(
    "A consumer is ended before it stores its offset for the first time, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-go-client#337",
    fault="The offset is to be stored after 10,000 messages or a minute, and each run is killed "
    "after a second: nothing is ever stored, QueryOffset finds nothing, and each of four runs "
    "reads the stream from its start.",
    shows="Four runs of a consumer, each after 40 messages.",
    guilty=later(wire.SUBSCRIBE, rb"b5-visits" + FIRST),
)
def bug_killed_before_the_first_commit_go(stage: Stage) -> Facts:
    return runs(stage, "killed", "b5-visits", ["visit-counter"] * 4, "visit %d")


def again(pattern: bytes) -> Choice:
    """Publish of messages that were published before."""

    def choose(found: list[Seen]) -> list[Seen]:
        known: set[bytes] = set()
        repeated = []
        for each in those(wire.PUBLISH)(found):
            texts = set(re.findall(pattern, each.body))
            repeated += [each] if texts & known else []
            known |= texts
        return repeated

    return choose


@scenario(
    "Each run of a publisher has a new name, and deduplication no effect, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver=OUTBOX,
    category="identity",
    thread="rabbitmq/rabbitmq-stream-java-client#41, rabbitmq-community/rstream#99 (deduplication "
    "goes by the name); the random name is a variant of this repository",
    fault="Each start publishes the whole outbox under the numbers of the invoices and relies on "
    "deduplication, but the name of the publisher has a new UUID in each run: the broker stores "
    "all invoices of the runs before once more.",
    shows="Four runs of an outbox, and a reader of all that was stored.",
    guilty=again(rb"invoice \d+"),
)
def bug_publisher_name_per_run_java(stage: Stage) -> Facts:
    return stage.drive(OUTBOX, "b5-invoices", "new")


@scenario(
    "Each run publishes the whole outbox under the same name and numbers, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=OUTBOX,
    thread="rabbitmq/rabbitmq-stream-java-client#41",
    shows="Four runs of an outbox, of which the broker stores each message once.",
)
def publisher_name_kept_java(stage: Stage) -> Facts:
    return stage.drive(OUTBOX, "b5-invoices-2", "same")


@scenario(
    "Messages whose routing key has no partition are never sent, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="mismatch",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#269 (the key strategy; a key may have no "
    "partition)",
    fault="Of fifty orders twenty have the routing key EMEA or latam, for which Route names no "
    "partition (the super stream has emea, amer and apac): the program logs the error and goes "
    "on, and these orders are never published, while Route is asked again for each.",
    shows="Fifty orders of five regions for a super stream of three.",
    guilty=holding(wire.ROUTE, rb"(EMEA|latam)"),
)
def bug_route_finds_nothing_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "unrouted", "b5-regions")


def imports(stage: Stage, play: str, stream: str, starts: int) -> Facts:
    """Starts of a consumer of 38 messages, the eighteenth of which is no JSON."""
    for text, start, count in (
        ('{"id": %d, "x": 1}', "0", "17"),
        ('{"id": %d,, "x": 1}', "17", "1"),
        ('{"id": %d, "x": 1}', "18", "20"),
    ):
        stage.drive(DRIVER, "publish", stream, text, start, count)
    handled = 0
    for number in range(starts):
        handled += stage.drive(DRIVER, play, stream, str(number))["handled"]
        time.sleep(0.1)
    return {"published": 38, "handled": handled}


@scenario(
    "A message that cannot be handled stops the consumer at each start, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="storm",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#399, rabbitmq-community/rstream#158",
    fault="The handler fails at message 17 and the program ends; it is started again and again "
    "and subscribes at 17 each time, eleven times: it never gets further, and the twenty messages "
    "after it are never handled.",
    shows="38 messages, and twelve starts of their consumer.",
    guilty=later(wire.SUBSCRIBE, rb"b5-imports" + FROM_17),
)
def bug_poison_message_in_a_loop_go(stage: Stage) -> Facts:
    return imports(stage, "poison", "b5-imports", 12)


@scenario(
    "A message is set aside after two failed starts, and the consumer goes on, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq-community/rstream#158",
    shows="38 messages, and three starts of their consumer.",
)
def poison_message_set_aside_go(stage: Stage) -> Facts:
    return imports(stage, "parks", "b5-imports-2", 3)


def meter_values(client: Client, first: int, count: int) -> None:
    """A Publish of one sub-batch."""
    bodies = [wire.message(b"meter value %d" % number) for number in range(first, first + count)]
    batch = wire.sub_batch(first, 0, bodies, wire.records(bodies))
    client.send(wire.PUBLISH, u8(0) + u32(1) + batch)


def outage(client: Client, stream: str, start: int) -> tuple[Client, int]:
    """Seven sub-batches, two of which have no confirm when the connection is lost.

    The new connection, which has sent these again in sub-batches of other sizes; the next number.
    """
    for number in range(5):
        meter_values(client, start + 10 * number, 10)
        client.confirmed(1)
        time.sleep(0.06)
    lost, end = start + 50, start + 70
    for first in (lost, lost + 10):
        meter_values(client, first, 10)
        time.sleep(0.02)
    time.sleep(0.2)
    client.drop()
    time.sleep(0.3)
    client = Client(name=GATEWAY).login()
    client.declare(0, stream, GATEWAY)
    client.request(wire.QUERY_SEQUENCE, string(GATEWAY) + string(stream))
    for first in range(lost, end, 16):
        meter_values(client, first, min(16, end - first))
        client.confirmed(1)
        time.sleep(0.04)
    return client, end


@scenario(
    "Sub-batches are sent again divided otherwise, under a name",
    release="4",
    healthy=False,
    category="sequence",
    thread="docs of the Java client (sub-entry batching and deduplication do not go together); a "
    "variant of this repository",
    fault="A sub-batch has one publishing id for all its messages, and after each of three lost "
    "connections the messages without a confirm are sent again in other sub-batches: the one that "
    "begins in the middle of a stored batch has a higher id, so the broker stores its first "
    "messages twice.",
    shows="Three lost connections with two sub-batches without a confirm each.",
    guilty=again(rb"meter value \d+"),
)
def bug_sub_batches_divided_otherwise(_stage: Stage) -> Facts:
    stream, number = "b5-meters", 0
    client = Client(name=GATEWAY).login()
    client.create(stream)
    client.declare(0, stream, GATEWAY)
    for _ in range(3):
        client, number = outage(client, stream, number)
    client.close()
    reader = Client(name="billing").login()
    reader.subscribe(0, stream, wire.FIRST, 10)
    consumed = reader.consume(0, 1000, wait=0.8)
    reader.close()
    return {"published": number, "consumed": consumed}


@scenario(
    "An application property whose value is a list, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="second_layer",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#371, #372",
    fault="Each of 24 messages has the application property tags with a list as its value, where "
    "AMQP 1.0 allows simple types alone: strict decoders refuse the message.",
    shows="24 messages with application properties.",
    guilty=holding(wire.PUBLISH, rb"\x00\x53\x74.*tags[\xc0\xd0\xe0\xf0\x45]"),
)
def bug_tags_as_list_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "tags_as_list", "b5-articles")


@scenario(
    "A list in the message annotations, which may have one, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#372",
    shows="24 messages with application properties and message annotations.",
)
def tags_as_text_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "tags_as_text", "b5-articles-2")


@scenario(
    "A web handler opens a connection for each message, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="waste",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#388 (connections that live for one use); the "
    "loop is a variant of this repository",
    fault="Each of 14 visits opens its own connections, one to find the leader and one to publish, "
    "logs in on both, publishes one message and closes them: some twenty frames for one message, "
    "where one connection would carry them all.",
    shows="14 messages on 28 connections.",
    guilty=holding(wire.DECLARE_PUBLISHER, rb"b5-hits"),
)
def bug_connection_per_message_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "connection_per_message", "b5-hits")


@scenario(
    "Each answer has a stream of its own, which is never deleted, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="leak",
    thread="liftbridge-io/go-liftbridge#83 (the same elsewhere); a variant of this repository",
    fault="For each of 16 quotes the program creates a stream for the answer, reads the one "
    "message and goes on: no stream is ever deleted, and each keeps files and processes on the "
    "broker.",
    shows="16 requests and their answers, each on a stream of its own.",
    guilty=holding(wire.CREATE, rb"b5-quotes-answer"),
)
def bug_stream_per_answer_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "stream_per_answer", "b5-quotes")


@scenario(
    "A consumer starts at the present time after each restart, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="sequence",
    thread="rabbitmq/amqp091-go#277 (restart without the offset); the time is a variant of this "
    "repository",
    fault="shipping stores its offset before it stops and never asks for it: each restart "
    "subscribes at the time of its start, and the fifteen orders that came while it was away are "
    "never handled, four times.",
    shows="Five runs of a consumer, fifteen messages between them.",
    guilty=later(wire.SUBSCRIBE, rb"b5-shop" + FROM_NOW),
)
def bug_starts_at_now_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "starts_at_now", "b5-shop")


def to_partition(stream: str) -> Choice:
    """Publish of publishers that are declared for a stream."""

    def choose(found: list[Seen]) -> list[Seen]:
        declared: dict[tuple[int, int], bool] = {}
        chosen = []
        for each in found:
            if (each.key, each.sender) == (wire.DECLARE_PUBLISHER, "client"):
                declared[each.stream, each.body[4]] = each.body.endswith(string(stream))
            if each.key == wire.PUBLISH and declared.get((each.stream, each.body[0])):
                chosen.append(each)
        return chosen

    return choose


@scenario(
    "A consumer of a super stream never learns of a new partition, by the Go client",
    client="go_and_pika",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="mismatch",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#185",
    fault="The super stream shipments gets a fourth partition; the publisher finds it at its next "
    "start and publishes a part of the shipments to it, and the consumer, which asked Partitions "
    "once at its own start, never subscribes to it: no consumer reads these messages.",
    shows="A super stream of three partitions, which gets a fourth.",
    guilty=to_partition("b5-shipments-3"),
)
def bug_new_partition_never_read_go(stage: Stage) -> Facts:
    name = "b5-shipments"
    published = stage.drive(DRIVER, "super_publish", name, "declare", "0", "40")["published"]
    reader = clients.start(DRIVER, "super_read", name, "9")
    assert reader.stdout
    reader.stdout.readline()
    published += stage.drive(DRIVER, "super_publish", name, "no", "40", "40")["published"]
    stage.drive("pika_adds_partition.py", name, "3")
    time.sleep(0.5)
    for first in ("80", "160"):
        published += stage.drive(DRIVER, "super_publish", name, "no", first, "80")["published"]
    return {"published": published} | clients.heard(reader)


@scenario(
    "The members of a group on a super stream do not name the super stream, by rstream",
    client="go_and_rstream",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=RSTREAM,
    category="mismatch",
    thread="coders51/rabbitmq-stream-js-client#217",
    fault="Three members subscribe to the three partitions as single active consumers of one name, "
    "without the property super-stream: the broker does not share the partitions out, and the "
    "first member is active on all three while the others get nothing.",
    shows="A super stream of three partitions, and three members of a group.",
    guilty=holding(wire.SUBSCRIBE, rb"b5-billing-\d.*single-active-consumer"),
)
def bug_group_without_super_stream_rstream(stage: Stage) -> Facts:
    name = "b5-billing"
    published = stage.drive(DRIVER, "super_publish", name, "declare", "0", "20")["published"]
    group = clients.start(PYTHON, "group_without_super_stream", name)
    assert group.stdout
    group.stdout.readline()
    published += stage.drive(DRIVER, "super_publish", name, "no", "20", "100")["published"]
    return clients.heard(group) | {"published": published}


@scenario(
    "A publisher and a consumer recover four times from closed connections, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=RECOVERIES,
    thread="rabbitmq/rabbitmq-stream-java-client#41, #26 (recovery)",
    shows="A minute of a publisher and a consumer whose connections are closed four times.",
)
def recovers_from_closed_connections_java(stage: Stage) -> Facts:
    facts: dict[str, object] = {}
    play = threading.Thread(
        target=lambda: facts.update(stage.drive(RECOVERIES, "alone", "b5-long", "58"))
    )
    play.start()
    for pause in (12, 11, 13, 10):
        time.sleep(pause)
        stage.ctl("close_all_connections --vhost / maintenance")
    play.join()
    return facts


@scenario(
    "Members of a group on a super stream come and go for a minute, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=RECOVERIES,
    thread="rabbitmq-community/rstream#178 (single active consumers of a super stream)",
    shows="A minute of a group whose members change every seven seconds.",
)
def group_comes_and_goes_java(stage: Stage) -> Facts:
    return stage.drive(RECOVERIES, "group", "b5-group", "58")
