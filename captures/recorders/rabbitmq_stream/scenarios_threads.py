"""Faults from issue threads of the clients, and healthy scenarios that look like them.

They are recorded by somebody who does not write rules: what is at fault is said from the thread,
the documents and the broker. Each fault has its class, its thread and the sentence of a maintainer;
`guilty` chooses the frames that show it.
"""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, fill, made
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import THREE
from captures.recorders.rabbitmq_stream.scenarios_bugs import ALONE
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.setup import Choice, Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import offset, string, u16, u64


def those(key: int, start: int = 1, stop: int = 0, *, sender: str = "client") -> Choice:
    """Frames with a key, in the order of the connections: from one, counted from 1, to another."""

    def choose(found: list[Seen]) -> list[Seen]:
        all_of_it = [f for f in found if (f.key, f.sender) == (key, sender)]
        return all_of_it[start - 1 : stop or None]

    return choose


def cut(stage: Stage) -> dict:
    """What a driver may ask for: that the broker closes all stream connections."""

    def close(_pid: int) -> None:
        stage.ctl("close_all_connections --vhost / 'maintenance'")

    return {"cut": close}


@scenario(
    "Statistics are asked for without a pause, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver="StatsPolled.java",
    category="storm",
    thread="rabbitmq/rabbitmq-stream-java-client#368 (queryStreamStats); the loop is our own",
    fault="A health check asks StreamStats of one stream 150 times in a row, each as soon as the "
    "last is answered, and gets the same answer each time.",
    shows="StreamStats 150 times on the locator's connection.",
    guilty=those(wire.STREAM_STATS, 10),
)
def bug_stats_polled_java(stage: Stage) -> Facts:
    return stage.drive("StatsPolled.java", stage.scenario, "150", "0")


@scenario(
    "A consumer that reconnects and does not subscribe again",
    release="4",
    healthy=False,
    setup=fill("bug-silent-return", 2),
    category="abandoned",
    thread="rabbitmq/rabbitmq-server#10550",
    fault="After its connection was closed the consumer connects again under the same name but "
    "never subscribes: it idles with heartbeats while messages arrive in its stream.",
    shows="A consumer reads; the broker closes its connection; it is back at once, only to send "
    "heartbeats, while another client publishes.",
)
def bug_reconnect_without_subscribe(stage: Stage) -> Facts:
    reader = stage.client(name="orders-reader").login(heartbeat=2)
    reader.subscribe(0, "bug-silent-return")
    consumed = reader.consume(0, 10)
    stage.ctl("close_all_connections --vhost / 'node restarts'")
    reader.until(wire.CLOSE)
    reader.send(wire.CLOSE | wire.RESPONSE, wire.u32(1) + u16(1))
    reader.ended(3)
    again = stage.client(name="orders-reader").login(heartbeat=2)
    writer = stage.client(name="orders-writer").login()
    writer.declare(0, "bug-silent-return")
    for n in range(6):
        writer.publish(0, 100 + n, bodies(1, "late"))
        again.drain(1)
        again.send(wire.HEARTBEAT)
    stage.accuse(again, nth=len(again.sent) - 5, last=len(again.sent))
    writer.request(wire.DELETE_PUBLISHER, wire.u8(0))
    writer.close()
    again.close()
    return {"consumed": consumed, "published": 6}


@scenario(
    "A report that reads the whole stream each time it runs, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver="js_polls.mjs",
    faults=JS,
    category="waste",
    thread="coders51/rabbitmq-stream-js-client#252, motis-project/motis#390",
    fault="The consumer 'report' subscribes from the first offset on each of six connections, "
    "never stores an offset, and is sent the same 40 messages six times.",
    shows="Six connections, each with Subscribe at first and all 40 messages.",
    guilty=those(wire.SUBSCRIBE, 2),
)
def bug_polls_from_first_js(stage: Stage) -> Facts:
    return stage.drive("js_polls.mjs", stage.scenario)


@scenario(
    "A consumer that resumes one message too late, by the Rust client",
    client="rust",
    release="4",
    healthy=False,
    driver="resumes.rs",
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-go-client#321; liftbridge-io/go-liftbridge#51 has the same",
    fault="A consumer that keeps its offsets outside the broker remembers the next one and then "
    "subscribes at that plus one: each restart skips a message, offsets 10, 20 and 30 are lost.",
    shows="Four rounds of ten messages; what was delivered ends at 9, the next Subscribe is at 11.",
    guilty=those(wire.SUBSCRIBE, 2),
)
def bug_resumes_too_far_rust(stage: Stage) -> Facts:
    return stage.drive("resumes.rs", stage.scenario, "2")


@scenario(
    "A consumer that comes back where it was, by the Rust client",
    client="rust",
    release="4",
    healthy=True,
    driver="resumes.rs",
    thread="the healthy twin of rabbitmq/rabbitmq-stream-go-client#321",
    shows="Four rounds of ten messages; the last offset is stored, the next Subscribe comes after.",
)
def resumes_after_stored_rust(stage: Stage) -> Facts:
    return stage.drive("resumes.rs", stage.scenario, "1")


@scenario(
    "The offset of one stream is stored for another",
    release="4",
    healthy=False,
    setup=lambda stage: (fill("bug-orders", 6, 10)(stage), fill("bug-refunds", 2, 10)(stage)),
    category="sequence",
    thread="cf. rabbitmq/rabbitmq-stream-go-client#322 (one offset for all partitions)",
    fault="One variable holds the offset of two streams: 59, reached in bug-orders, is stored for "
    "bug-refunds, which ends at 19; after the restart the consumer subscribes there at 60 and "
    "misses what is published at 20 to 24.",
    faults={"RMQ-D12": "the offset is beyond the end, so that the broker begins at the end"},
    shows="StoreOffset ahead of everything that was delivered, QueryOffset, Subscribe beyond the "
    "end, five messages that are not delivered.",
)
def bug_offset_of_another_stream(stage: Stage) -> Facts:
    reader = stage.client(name="ledger").login()
    reader.subscribe(0, "bug-refunds")
    consumed = reader.consume(0, 20)
    reader.subscribe(1, "bug-orders")
    consumed += reader.consume(1, 60)
    for stream in ("bug-orders", "bug-refunds"):
        reader.send(wire.STORE_OFFSET, string("ledger") + string(stream) + u64(59))
    stage.accuse(reader)
    time.sleep(0.5)
    reader.close()
    again = stage.client(name="ledger").login()
    answer = again.request(wire.QUERY_OFFSET, string("ledger") + string("bug-refunds"))
    stored = int.from_bytes(answer.body[6:14], "big")
    again.subscribe(0, "bug-refunds", offset(stored + 1))
    stage.accuse(again)
    writer = stage.client(name="shop").login()
    writer.declare(0, "bug-refunds")
    writer.publish(0, 100, bodies(5, "refund"))
    writer.confirmed(5)
    writer.close()
    missed = sum(f.key == wire.DELIVER for f in again.drain(3))
    again.unsubscribe(0)
    again.close()
    return {"consumed": consumed, "stored": [stored], "delivered_later": missed}


@scenario(
    "rstream resumes in the past after sub-batches",
    client="rstream",
    release="4",
    healthy=False,
    driver="rstream_recovers.py",
    faults=RSTREAM,
    category="sequence",
    thread="our own finding in rstream 1.1.1, consumer.py: chunk_first_offset + num_entries",
    fault="All 60 messages were delivered, but after the connection was closed rstream subscribes "
    "at offset 41: it counts entries, not records, of the last chunk, a sub-batch of twenty; the "
    "application gets 41 to 59 twice.",
    shows="Three sub-batches, the broker closes all connections, Subscribe by the recovery.",
    guilty=those(wire.SUBSCRIBE, 2),
)
def bug_resumes_in_the_past_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_recovers.py", stage.scenario, on=cut(stage))


@scenario(
    "rstream turns next into first when it recovers",
    client="rstream",
    release="4",
    healthy=False,
    driver="rstream_recovers.py",
    faults=RSTREAM,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-java-client#26; our own finding in rstream 1.1.1",
    fault="A consumer that began at next and was sent nothing subscribes at offset 0 after its "
    "connection was closed, and is sent the 60 messages that it did not want.",
    shows="Subscribe with next, the broker closes all connections, Subscribe with offset 0.",
    guilty=those(wire.SUBSCRIBE, 2),
)
def bug_next_becomes_first_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_recovers.py", stage.scenario, on=cut(stage))


@scenario(
    "Two consumers store their offsets under one name, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver="OneReference.java",
    category="identity",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#273 (several consumers of one name at once)",
    fault="Two connections consume the stream under the name 'billing' without single active "
    "consumer: both get every message, and each overwrites the offset that the other stored.",
    shows="Automatic tracking on two connections: StoreOffset of the same reference and stream.",
    guilty=lambda found: [
        f
        for f in those(wire.STORE_OFFSET)(found)
        if f.stream == max(g.stream for g in those(wire.STORE_OFFSET)(found))
    ],
)
def bug_one_reference_two_consumers_java(stage: Stage) -> Facts:
    return stage.drive("OneReference.java", stage.scenario)


@scenario(
    "One name on two streams, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver="TwoStreams.java",
    thread="the healthy twin of two consumers of one name",
    shows="Producers 'billing-0' and 'billing-1' on two streams, each with ids from 0; a consumer "
    "'billing' on each of them stores offsets there.",
)
def reference_on_two_streams_java(stage: Stage) -> Facts:
    return stage.drive("TwoStreams.java", stage.scenario)


@scenario(
    "Filter values in other letters, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver="filter_case.go",
    faults=GO,
    category="mismatch",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#469, #451 (filtered consumers that get nothing)",
    fault="The consumer filters for 'emea', the producer publishes with 'EMEA' and 'AMER': twelve "
    "messages are meant for it and the broker delivers none.",
    shows="Publish version 2 with values in capitals, Subscribe with filter.0 in small letters.",
    guilty=those(wire.SUBSCRIBE),
)
def bug_filter_in_other_case_go(stage: Stage) -> Facts:
    return stage.drive("filter_case.go", stage.scenario)


@scenario(
    "A ConsumerUpdate is answered twice",
    release="4",
    healthy=False,
    setup=fill("bug-answers-twice", 4),
    category="allowed now",
    thread="coders51/rabbitmq-stream-js-client#239; rabbitmq-community/rstream#235 (listeners)",
    fault="The client answers the ConsumerUpdate at once with no offset, and a second time when it "
    "has asked for the stored one: the second answer belongs to no request.",
    shows="Two answers with one correlation id, the second with an offset; what 4.x does.",
)
def bug_consumer_update_answered_twice(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(wire.STORE_OFFSET, string("group") + string("bug-answers-twice") + u64(9))
    time.sleep(0.3)
    client.subscribe(0, "bug-answers-twice", properties=ALONE)
    update = client.until(wire.CONSUMER_UPDATE)
    assert update
    answer = update.body[:4] + u16(1)
    client.send(wire.CONSUMER_UPDATE | wire.RESPONSE, answer + u16(0))
    found = client.request(wire.QUERY_OFFSET, string("group") + string("bug-answers-twice"))
    stored = int.from_bytes(found.body[6:14], "big")
    client.send(wire.CONSUMER_UPDATE | wire.RESPONSE, answer + offset(stored + 1))
    stage.accuse(client)
    consumed = client.consume(0, 20, wait=2)
    ended = client.until(wire.CLOSE, wait=1) is not None
    if not ended:
        client.unsubscribe(0)
        client.close()
    return {"consumed": consumed, "stored": [stored], "server_closed": ended}


@scenario(
    "A retention smaller than a segment, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver="rstream_creates.py",
    faults=RSTREAM,
    category="limit",
    thread="rabbitmq-community/rstream#119 (max-length-bytes of 1024)",
    fault="The stream is created with max-length-bytes 20000 and segments of the default 500 MB: "
    "whole segments are dropped, never the last one, so nothing is ever dropped.",
    shows="Create with max-length-bytes alone; 110 kB are published, and all of them are read.",
    guilty=those(wire.CREATE),
)
def bug_retention_below_segment_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_creates.py", stage.scenario)


@scenario(
    "A password with a line feed, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver="js_line_feed.mjs",
    category="second layer",
    thread="our own: a secret that was read from a file, in the loop of many clients",
    fault="The password ends with a line feed; the broker refuses it, and the client tries the "
    "same again five times.",
    shows="Five connections, SaslAuthenticate with guest and 'guest' and a line feed, code 8.",
    guilty=those(wire.SASL_AUTHENTICATE),
)
def bug_password_with_line_feed_js(stage: Stage) -> Facts:
    return stage.drive("js_line_feed.mjs", stage.scenario)


def with_other_arguments(stage: Stage) -> None:
    """The stream is there, with a retention by length."""
    client = stage.client().login()
    client.create(stage.scenario, {"max-length-bytes": "1000000000"})
    client.close()


@scenario(
    "A stream that is there with other arguments, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    setup=with_other_arguments,
    driver="rstream_creates.py",
    faults=RSTREAM,
    category="error ignored",
    thread="rabbitmq/rabbitmq-stream-go-client#99",
    fault="Create with max-age 7D is refused, as the stream exists with other arguments; the "
    "application ignores that and publishes to a stream without the retention that it asked for.",
    shows="Create refused, then DeclarePublisher and Publish as if nothing were wrong.",
    guilty=lambda found: [
        *those(wire.CREATE)(found),
        *those(wire.CREATE | wire.RESPONSE, sender="server")(found),
    ],
)
def bug_other_arguments_ignored_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_creates.py", stage.scenario)


@scenario(
    "Heartbeats of connections that are gone",
    release="4",
    healthy=False,
    setup=made("bug-timers"),
    category="storm",
    thread="rabbitmq/rabbitmq-stream-rust-client#286, #212 (tasks that outlive their connection)",
    fault="Each reconnect starts another heartbeat timer and ends none: after four lost "
    "connections the fifth sends five heartbeats in the two seconds in which one is due.",
    shows="Four connections that are dropped, then one with five timers of two seconds.",
)
def bug_heartbeats_of_dead_connections(stage: Stage) -> Facts:
    timers = 0
    for _ in range(4):
        client = stage.client(name="worker").login(heartbeat=2)
        client.declare(0, "bug-timers")
        time.sleep(0.3)
        client.drop()
        timers += 1
    client = stage.client(name="worker").login(heartbeat=2)
    client.declare(0, "bug-timers")
    first = len(client.sent) + timers + 2
    for n in range((timers + 1) * 4):
        client.send(wire.HEARTBEAT)
        client.drain(2 / (timers + 1) + (0.05 if n % 2 else -0.05))
    stage.accuse(client, nth=first, last=len(client.sent))
    client.request(wire.DELETE_PUBLISHER, wire.u8(0))
    client.close()
    return {"heartbeats": (timers + 1) * 4}


@scenario(
    "A property that is 0 stops the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver="js_zero_property.mjs",
    faults=JS,
    category="second layer",
    thread="our own finding in rabbitmq-stream-js-client 1.0.0; cf. its issue 286",
    fault="The client writes the property 'attempt' of 0 as null, and its own consumer throws at "
    "such a property: it gives no credit for that chunk and reads nothing of it.",
    shows="Application properties of 0 to 3, every fourth is null on the wire; the consumer's "
    "credit runs out.",
    guilty=lambda found: [
        *those(wire.PUBLISH)(found),
        *those(wire.DELIVER, sender="server")(found),
    ],
)
def bug_zero_property_js(stage: Stage) -> Facts:
    return stage.drive("js_zero_property.mjs", stage.scenario)


@scenario(
    "Two jobs read all of a stream, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver="two_jobs.go",
    faults=GO,
    thread="the healthy twin of a consumer that reads everything twice",
    shows="'audit' and 'export' each read 60 messages in three runs, each from its own offset.",
)
def two_jobs_read_all_go(stage: Stage) -> Facts:
    return stage.drive("two_jobs.go", stage.scenario)


@scenario(
    "Statistics once a second, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver="StatsPolled.java",
    thread="the healthy twin of a health check without a pause",
    shows="StreamStats eight times, a second between two.",
)
def stats_every_second_java(stage: Stage) -> Facts:
    return stage.drive("StatsPolled.java", stage.scenario, "8", "1000")


@scenario(
    "Two consumers of a group take over from each other, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver="standby.go",
    faults=GO,
    thread="the healthy twin of coders51/rabbitmq-stream-js-client#239",
    shows="Four times the active consumer leaves and the standby goes on behind the stored offset.",
)
def standby_and_back_go(stage: Stage) -> Facts:
    return stage.drive("standby.go", stage.scenario)


def two_hosts(stage: Stage) -> None:
    """A second virtual host with a stream of the same name."""
    stage.ctl("add_vhost second")
    stage.ctl("set_permissions -p second guest '.*' '.*' '.*'")
    for vhost in ("/", "second"):
        client = stage.client().login(vhost=vhost)
        client.create("near-orders")
        client.close()


@scenario(
    "One reference in two virtual hosts",
    release="4",
    healthy=True,
    setup=two_hosts,
    thread="the healthy twin of two owners of one reference",
    shows="Two connections, one in '/' and one in 'second', each with the publisher 'billing', ids "
    "1 to 10, and the consumer 'ledger' with its stored offset.",
)
def reference_in_two_vhosts(stage: Stage) -> Facts:
    consumed = 0
    clients = [stage.client(name="billing").login(vhost=vhost) for vhost in ("/", "second")]
    for client in clients:
        client.declare(0, "near-orders", "billing")
        client.request(wire.QUERY_SEQUENCE, string("billing") + string("near-orders"))
    for client in clients:
        client.publish(0, 1, bodies(10))
        client.confirmed(10)
        client.subscribe(0, "near-orders")
        consumed += client.consume(0, 10)
        client.send(wire.STORE_OFFSET, string("ledger") + string("near-orders") + u64(9))
    for client in clients:
        client.unsubscribe(0)
        client.request(wire.DELETE_PUBLISHER, wire.u8(0))
        client.close()
    return {"published": 20, "consumed": consumed}


@scenario(
    "A publisher reference that is handed over, and back",
    release="4",
    healthy=True,
    setup=made("near-handover"),
    thread="the healthy twin of rabbitmq/rabbitmq-stream-java-client#986",
    shows="'billing' publishes 1 to 10 and deletes its publisher; another host asks for the "
    "sequence and goes on with 11 to 20, deletes its own, and the first goes on with 21.",
)
def reference_handed_over(stage: Stage) -> Facts:
    clients = [stage.client(name=f"host-{n}").login() for n in range(2)]
    sequences = []
    for turn in range(4):
        client = clients[turn % 2]
        client.declare(turn, "near-handover", "billing")
        answer = client.request(wire.QUERY_SEQUENCE, string("billing") + string("near-handover"))
        sequences.append(int.from_bytes(answer.body[6:14], "big"))
        client.publish(turn, sequences[-1] + 1, bodies(10))
        client.confirmed(10)
        client.request(wire.DELETE_PUBLISHER, wire.u8(turn))
        time.sleep(0.3)
    for client in clients:
        client.close()
    return {"published": 40, "sequences": sequences}


ENDS = {"RMQ-K2": "the broker ends connections without a Close, when it is told to or stops"}


@scenario(
    "Two minutes of a shop on three nodes, by the Java client",
    client="java",
    release="4",
    healthy=True,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    driver="LongRun.java",
    faults=ENDS,
    shows="Four producers (plain, named, sub-batches, super stream), a consumer that stores its "
    "offset, a group of single active consumers whose members join and leave; all connections are "
    "closed once, the leader's node stops and comes back.",
)
def long_run_java(stage: Stage) -> Facts:
    stopped: list[int] = []

    def stop(_pid: int) -> None:
        rows = stage.broker.ctl("list_queues --no-table-headers name leader").splitlines()
        leader = next(r.split("\t")[1] for r in rows if r.startswith(f"{stage.scenario}-orders"))
        stopped.append(int(leader[len("rabbit")]))
        stage.ctl("stop_app", node=stopped[0])

    def start(_pid: int) -> None:
        stage.ctl("start_app", node=stopped[0])

    def close(_pid: int) -> None:
        stage.ctl("close_all_connections --vhost / maintenance")

    on = {"stop": stop, "start": start, "close": close}
    return stage.drive("LongRun.java", stage.scenario, wait=300, on=on)


@scenario(
    "Two minutes of a service, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver="long_run.go",
    faults=GO | ENDS,
    shows="A reliable producer and a reliable consumer, a group of single active consumers that "
    "come and go, filters; all connections are closed twice.",
)
def long_run_go(stage: Stage) -> Facts:
    def close(_pid: int) -> None:
        stage.ctl("close_all_connections --vhost / maintenance")

    return stage.drive("long_run.go", stage.scenario, wait=300, on={"close": close})


@scenario(
    "A minute of a service, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver="rstream_long_run.py",
    faults=RSTREAM | ENDS,
    thread="many operations in a row, to find false alarms",
    shows="Batches, single messages, sub-batches and a super stream, a reader that recovers when "
    "all connections are closed, and a job that comes back four times to its stored offset.",
)
def long_run_rstream(stage: Stage) -> Facts:
    def close(_pid: int) -> None:
        stage.ctl("close_all_connections --vhost / maintenance")

    return stage.drive("rstream_long_run.py", stage.scenario, wait=200, on={"close": close})


@scenario(
    "A minute of a service, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver="js_long_run.mjs",
    faults=JS,
    thread="many operations in a row, to find false alarms",
    shows="A publisher, a super stream with a group, a reader, and a job that comes back four "
    "times to its stored offset.",
)
def long_run_js(stage: Stage) -> Facts:
    return stage.drive("js_long_run.mjs", stage.scenario, wait=200)


@scenario(
    "Half a minute of a service, by the Rust client",
    client="rust",
    release="4",
    healthy=True,
    driver="rust_long_run.rs",
    thread="many operations in a row, to find false alarms",
    shows="A plain and a named producer, a reader, and a job that comes back four times to its "
    "stored offset.",
)
def long_run_rust(stage: Stage) -> Facts:
    return stage.drive("rust_long_run.rs", stage.scenario, wait=200)
