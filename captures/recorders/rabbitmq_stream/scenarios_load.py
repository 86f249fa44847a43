"""Larger workloads and lines with trouble, to count and to time."""

import gzip
import time

from captures.recorders import lab
from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.lossy_line import NAME, NEAR, Line
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import ALARM, bodies, filled, made
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import THREE, leader_of
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import u8, u32

STREAMS = [f"load-{n}" for n in range(4)]
TEXT = "an order with some text in it, number"


@scenario(
    "Four publishers and four consumers on one connection, three thousand messages",
    healthy=True,
    setup=made(*STREAMS),
    shows="Batches of 5, 10, 20 and 40 in turn on four streams, never more than eight batches "
    "without a confirm, deliveries and credits between them.",
)
def load_four_streams(stage: Stage) -> Facts:
    client = stage.client().login()
    for n, stream in enumerate(STREAMS):
        client.declare(n, stream)
        client.subscribe(n, stream, wire.NEXT, 10)
    sent, confirmed, consumed = [0] * 4, [0] * 4, [0] * 4

    def take(wait: float) -> None:
        for frame in client.drain(wait):
            n = frame.body[0]
            if frame.key == wire.CONFIRM:
                confirmed[n] += int.from_bytes(frame.body[1:5], "big")
            if frame.key == wire.DELIVER:
                consumed[n] += int.from_bytes(frame.body[5:9], "big")
                client.credit(n)

    for _ in range(40):
        for n, size in enumerate((5, 10, 20, 40)):
            client.publish(n, sent[n], bodies(size, TEXT))
            sent[n] += size
        while sum(sent) - sum(confirmed) > 150:
            take(0.02)
        take(0.03)
    take(1.5)
    for n in range(4):
        client.request(wire.DELETE_PUBLISHER, u8(n))
        client.unsubscribe(n)
    client.close()
    return {
        "published": sum(sent),
        "confirmed": sum(confirmed),
        "consumed": sum(consumed),
        "per_stream": dict(zip(STREAMS, sent, strict=True)),
    }


@scenario(
    "Batches of every size, and the same in compressed sub-batches",
    healthy=True,
    setup=made("load-sizes", "load-packed"),
    shows="1, 10, 100 and 500 messages in a frame, confirmed one after the other; then sub-batches "
    "of 100 messages in gzip; a consumer of both.",
)
def load_batch_sizes(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "load-sizes")
    client.declare(1, "load-packed")
    published = confirmed = 0
    for size in (1, 10, 100, 500):
        for _ in range(3):
            client.publish(0, published, bodies(size, TEXT))
            published += size
            confirmed += client.confirmed(size)
    for n in range(10):
        inside = [wire.message(b) for b in bodies(100, f"{TEXT} {n}")]
        packed = gzip.compress(wire.records(inside), mtime=0)
        client.send(wire.PUBLISH, u8(1) + u32(1) + wire.sub_batch(n, 1, inside, packed))
        confirmed += client.confirmed(1)
    client.subscribe(0, "load-sizes", credit=5)
    consumed = client.consume(0, published)
    client.unsubscribe(0)
    client.subscribe(1, "load-packed", credit=5)
    consumed += client.consume(1, 1000)
    client.unsubscribe(1)
    for n in range(2):
        client.request(wire.DELETE_PUBLISHER, u8(n))
    client.close()
    return {"published": published + 1000, "confirmed_ids": confirmed, "consumed": consumed}


@scenario(
    "A consumer that does not read: its window closes",
    healthy=True,
    setup=lambda stage: filled(stage, "load-slow", 16, 800),
    shows="A receive buffer of a few kilobytes, sixteen chunks of credit, three seconds without a "
    "read: zero window from the client and the server's probes; then everything comes.",
)
def zero_window_consumer(stage: Stage) -> Facts:
    lab.run("sysctl -q -w net.ipv4.tcp_rmem='4096 8192 8192'")
    client = stage.client()
    client.login()
    client.subscribe(0, "load-slow", credit=16)
    time.sleep(3)
    consumed = client.consume(0, 16 * 800, wait=5)
    client.unsubscribe(0)
    client.close()
    lab.run("sysctl -q -w net.ipv4.tcp_rmem='4096 131072 6291456'")
    return {"consumed": consumed}


@scenario(
    "A publisher that the broker does not read: its window closes",
    healthy=False,
    setup=made("load-blocked"),
    shows="A disk alarm while a publisher writes: the broker stops to read, its window closes; "
    "after the alarm everything is read and confirmed.",
    faults={"RMQ-I9": "the publisher is blocked for three seconds"},
)
def zero_window_publisher(stage: Stage) -> Facts:
    lab.run("sysctl -q -w net.ipv4.tcp_rmem='4096 8192 8192'")
    client = stage.client().login()
    client.declare(0, "load-blocked")
    client.publish(0, 0, bodies(10))
    confirmed = client.confirmed(10)
    stage.ctl(f"eval 'rabbit_alarm:set_alarm({ALARM}).'")
    time.sleep(1)
    client.socket.settimeout(60)
    for n in range(30):
        client.publish(0, 10 + 100 * n, bodies(100, TEXT))
    time.sleep(3)
    stage.ctl("eval 'rabbit_alarm:clear_alarm({resource_limit, disk, node()}).'")
    confirmed += client.confirmed(3000)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    lab.run("sysctl -q -w net.ipv4.tcp_rmem='4096 131072 6291456'")
    return {"published": 3010, "confirmed": confirmed}


LINE = Line()


def far_user(stage: Stage) -> None:
    """A user that may come from elsewhere than loopback, a full stream, and the line."""
    stage.ctl("add_user far far")
    stage.ctl("set_permissions far '.*' '.*' '.*'")
    filled(stage, "load-lossy", 12, 100)
    LINE.prepare()


@scenario(
    "A line that loses packets",
    healthy=True,
    setup=far_user,
    interface=NAME,
    shows="Two TUN devices with a thread between them that drops some packets each way, recorded "
    "at the broker's end: retransmissions, packets out of order, duplicate acknowledgements; all "
    "messages come all the same.",
)
def lossy_line(stage: Stage) -> Facts:
    LINE.lost_to_server |= {9, 13, 14, 22}
    LINE.lost_to_client |= {8, 12, 20, 21, 30, 44}
    LINE.passed.update(client=0, server=0)

    def scene() -> dict[str, object]:
        client = stage.client(host=NEAR).login(user="far", password="far")
        client.declare(0, "load-lossy")
        published = confirmed = 0
        for n in range(12):
            client.publish(0, 100 * n, bodies(100, TEXT))
            published += 100
            if n % 3 == 2:
                confirmed += client.confirmed(300)
        client.subscribe(0, "load-lossy", credit=4)
        consumed = client.consume(0, 2400, wait=10)
        client.unsubscribe(0)
        client.request(wire.DELETE_PUBLISHER, u8(0))
        client.close()
        return {"published": published, "confirmed": confirmed, "consumed": consumed}

    facts = LINE.play(scene)
    assert isinstance(facts, dict)
    lost = len(LINE.lost_to_server) + len(LINE.lost_to_client)
    return facts | {"packets_lost_on_the_line": lost}


@scenario(
    "Two programs, and one of them reconnects",
    release="4",
    healthy=False,
    setup=lambda stage: (
        stage.ctl("add_user reader reader"),
        stage.ctl("set_permissions reader '.*' '.*' '.*'"),
        made("load-shared")(stage),
    ),
    shows="A producer 'orders-writer' and a consumer 'orders-reader', told apart by their client "
    "properties; the operator closes the consumer's connection twice (rabbitmqctl "
    "close_all_user_connections), it "
    "reconnects under the same name and goes on behind what it has stored.",
    faults={"RMQ-K2": "the broker ends the connection without a Close"},
)
def two_clients_reconnect(stage: Stage) -> Facts:
    writer = stage.client(name="orders-writer").login()
    writer.declare(0, "load-shared", "writer")
    reference = wire.string("reader") + wire.string("load-shared")
    consumed, ended, start = 0, [], 0
    for turn in range(3):
        reader = stage.client(name="orders-reader").login(user="reader", password="reader")
        reader.request(wire.QUERY_OFFSET, reference)
        reader.subscribe(0, "load-shared", wire.offset(start))
        writer.publish(0, 1 + 50 * turn, bodies(50, TEXT))
        writer.confirmed(50)
        consumed += reader.consume(0, 50)
        reader.send(wire.STORE_OFFSET, reference + wire.u64(start + 49))
        time.sleep(0.5)
        start += 51  # the stored offset uses one up
        if turn < 2:
            stage.ctl("close_all_user_connections reader maintenance")
            ended.append(reader.ended(5))
            time.sleep(0.5)
    reader.unsubscribe(0)
    reader.close()
    writer.request(wire.DELETE_PUBLISHER, u8(0))
    writer.close()
    return {"published": 150, "confirmed": 150, "consumed": consumed, "server_ended": ended}


@scenario(
    "From the locator to the leaders and replicas of three streams",
    release="4",
    healthy=True,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    shows="One locator connection that asks Metadata, then a producer to each leader and a "
    "consumer to a replica of each of three streams on a cluster of three nodes.",
)
def locator_to_leader(stage: Stage) -> Facts:
    names = [f"load-spread-{n}" for n in range(3)]
    locator = stage.client(name="orders-locator").login()
    for name in names:
        arguments = {"initial-cluster-size": "3", "queue-leader-locator": "balanced"}
        locator.create(name, arguments)
    time.sleep(3)
    published = confirmed = consumed = 0
    leaders = []
    for number, name in enumerate(names):
        leader, replicas = leader_of(locator.request(wire.METADATA, wire.strings([name])))
        leaders.append(leader)
        producer = stage.client(port=leader, name=f"orders-producer-{number}").login()
        reader = stage.client(
            port=replicas[number % len(replicas)], name=f"orders-consumer-{number}"
        ).login()
        producer.declare(0, name, "orders")
        reader.subscribe(0, name, wire.FIRST)
        for turn in range(5):
            producer.publish(0, 1 + 40 * turn, bodies(40, TEXT))
            published += 40
            confirmed += producer.confirmed(40)
        consumed += reader.consume(0, 200)
        reader.unsubscribe(0)
        producer.request(wire.DELETE_PUBLISHER, u8(0))
        reader.close()
        producer.close()
    locator.close()
    return {
        "published": published,
        "confirmed": confirmed,
        "consumed": consumed,
        "leaders": leaders,
    }
