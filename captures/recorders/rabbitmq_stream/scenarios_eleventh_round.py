"""Scenarios of the eleventh round of the blind test: see docs/checking.md."""

import socket
import time
from collections.abc import Callable

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import THREE, leader_of
from captures.recorders.rabbitmq_stream.scenarios_fifth_round import later
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import FIRST, string, strings, u8, u16, u64

GO_DRIVER, JAVA, PYTHON = "eleventh_round.go", "Skips.java", "rstream_eleventh_round.py"


def beats_that_end(found: list[Seen]) -> list[Seen]:
    """Heartbeat of the broker after which a connection ends without Close."""
    last = {each.stream: each for each in found if each.sender == "server"}
    return [each for each in last.values() if each.key == wire.HEARTBEAT]


LEADER = 5554
LONELY = {"initial-cluster-size": "1", "queue-leader-locator": "client-local"}


def on_the_last_node(stage: Stage, *streams: str) -> None:
    """Streams whose leader is the last node."""
    client = stage.client(port=LEADER).login()
    for stream in streams:
        client.create(stream, LONELY)
    time.sleep(1)
    client.close()


def balanced(stage: Stage, streams: list[str], *, closes: bool) -> Facts:
    """Looks through a balancer for the leaders of streams, and publishes there."""
    locator = stage.client(name="locator").login()
    kept, turn, published = [], 0, 0
    for stream in streams:
        leader, _ = leader_of(locator.request(wire.METADATA, strings([stream])))
        for _ in range(6):
            kept.append(
                stage.client(port=THREE[turn % 2], name=f"shop-{stream}").login(heartbeat=4)
            )
            turn += 1
            if closes:
                kept.pop().close()
            time.sleep(0.25)
        client = stage.client(port=leader, name=f"shop-{stream}").login(heartbeat=4)
        client.declare(0, stream)
        for number in range(6):
            client.publish(0, number, [b"receipt %d.%d" % (number, n) for n in range(4)])
            client.confirmed(4)
            published += 4
            time.sleep(0.4)
        beat(kept)
        client.request(wire.DELETE_PUBLISHER, u8(0))
        client.close()
    for _ in range(3):
        time.sleep(2.0)
        beat(kept)
    locator.close()
    for each in kept:
        each.drop()
    return {"published": published, "connections": len(stage.connections)}


def beat(clients: list[wire.Client]) -> None:
    """Sends the Heartbeat of connections that do nothing."""
    for each in clients:
        each.send(wire.HEARTBEAT)


def idle(found: list[Seen]) -> list[Seen]:
    """Open on connections of the shop that never declare a publisher."""
    used = {f.stream for f in found if f.key == wire.DECLARE_PUBLISHER}
    opened = [f for f in found if (f.key, f.sender) == (wire.OPEN, "client")]
    return [f for f in opened if f.stream not in used | {0}]


SHOWS = "Two publishers look through a load balancer for the leader of their stream."


@scenario(
    "Connections to nodes that are not the leader stay open",
    release="4",
    healthy=False,
    variant="cluster",
    setup=lambda stage: on_the_last_node(stage, "b11-a", "b11-b"),
    what="tcp portrange 5552-5554",
    ports=THREE,
    category="leaks",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#304",
    fault="Behind a load balancer the client connects until the node is the leader; it does not "
    "close the connections to the other nodes, twelve for two publishers, which stay open and "
    "idle with their heartbeats. What is not the wanted node has to be closed.",
    shows=SHOWS,
    guilty=idle,
)
def bug_lookups_leave_connections(stage: Stage) -> Facts:
    return balanced(stage, ["b11-a", "b11-b"], closes=False)


@scenario(
    "Connections to nodes that are not the leader are closed",
    release="4",
    healthy=True,
    variant="cluster",
    setup=lambda stage: on_the_last_node(stage, "b11-c"),
    what="tcp portrange 5552-5554",
    ports=THREE,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#304",
    shows="A publisher looks through a load balancer for the leader of its stream.",
)
def lookups_close_connections(stage: Stage) -> Facts:
    return balanced(stage, ["b11-c"], closes=True)


def credited(stage: Stage, stream: str, *, each_message: bool) -> Facts:
    """A consumer that asks for a chunk after each message, or after each chunk."""
    writer = stage.client(name="sensor").login()
    writer.declare(0, stream)
    reader = stage.client(name="dashboard").login()
    reader.subscribe(3, stream, FIRST, 2)
    number = got = 0
    for _ in range(26):
        writer.publish(0, number, [b"temperature %d of room 3" % (number + n) for n in range(7)])
        writer.confirmed(7)
        number += 7
        for frame in reader.drain(0.12):
            if frame.key == wire.DELIVER:
                count = int.from_bytes(frame.body[3:5], "big")
                got += count
                for _ in range(count if each_message else 1):
                    reader.credit(3)
    reader.unsubscribe(3)
    reader.close()
    writer.request(wire.DELETE_PUBLISHER, u8(0))
    writer.close()
    return {"published": number, "handled": got}


SHOWS = "Chunks of seven messages, and a consumer that shows them."


@scenario(
    "A credit is given for each message instead of each chunk",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b11-rooms", 3),
    category="flow control",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#265",
    fault="A credit stands for a chunk, and the consumer gives one for each message: seven for "
    "each chunk, so that its credit grows without an end and no longer holds back the broker.",
    shows=SHOWS,
    guilty=those(wire.CREDIT, 2),
)
def bug_credit_for_each_message(stage: Stage) -> Facts:
    return credited(stage, "b11-rooms", each_message=True)


@scenario(
    "A credit is given for each chunk",
    release="4",
    healthy=True,
    setup=lambda stage: fill(stage, "b11-rooms-2", 3),
    thread="rabbitmq/rabbitmq-stream-dotnet-client#265",
    shows=SHOWS,
)
def credit_for_each_chunk(stage: Stage) -> Facts:
    return credited(stage, "b11-rooms-2", each_message=False)


def stores(stage: Stage, stream: str, *, by_subscription: bool) -> Facts:
    """A consumer that stores its offset after 20 messages, three times."""
    got, ended = 0, []
    for start in range(3):
        reader = stage.client(name="audit").login()
        reader.subscribe(1, stream, wire.offset(20 * start), 4)
        got += reader.consume(1, 20)
        where = u8(1) if by_subscription else string(stream)
        reader.send(wire.STORE_OFFSET, string("audit") + where + u64(20 * start + 19))
        if by_subscription:
            ended.append(reader.ended(3))
        else:
            time.sleep(0.4)
            reader.close()
        time.sleep(0.4)
    return {"handled": got, "server_ended": ended}


SHOWS = "A consumer that stores an offset after 20 messages, at three starts."


@scenario(
    "StoreOffset names the subscription instead of the stream",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b11-audit", 14),
    category="encoding",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#3",
    fault="StoreOffset has the subscription id, a byte, where the name of the stream has to be: "
    "the broker cannot read the frame and closes the connection, at each start.",
    shows=SHOWS,
    guilty=those(wire.STORE_OFFSET),
)
def bug_store_offset_of_subscription(stage: Stage) -> Facts:
    return stores(stage, "b11-audit", by_subscription=True)


def beaten(stage: Stage, stream: str, *, survives: bool) -> Facts:
    """A publisher with pauses in which the broker sends Heartbeat, beside a healthy one."""
    other = stage.client(name="metrics").login(heartbeat=3)
    other.declare(1, stream)
    published = 0
    for life in range(1 if survives else 4):
        client = stage.client(name="orders").login(heartbeat=2)
        client.declare(0, stream)
        for number in range(2 + life % 2):
            client.publish(0, published, [b"order %d of life %d" % (number, life)])
            published += 1
            client.confirmed(1)
            other.publish(1, published, [b"queue length %d" % published])
            other.confirmed(1)
            time.sleep(0.2)
        for _ in range(4 if survives else 1):
            client.until(wire.HEARTBEAT, wait=4)
            if survives:
                client.send(wire.HEARTBEAT)
            else:
                client.drop()
            other.send(wire.HEARTBEAT)
        if survives:
            client.close()
        time.sleep(0.3)
    other.close()
    return {"published": 2 * published}


SHOWS = "A publisher with pauses of two seconds and a heartbeat of two seconds, beside another."


@scenario(
    "A publisher panics at the broker's first Heartbeat, and starts again",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b11-orders", 2),
    category="crashes",
    thread="rabbitmq/rabbitmq-stream-rust-client#162",
    fault="The publisher does not know Heartbeat: at the first one that the broker sends it ends "
    "the connection without Close, starts again, and ends at the next one, four times. A client "
    "has to take Heartbeat at any time.",
    shows=SHOWS,
    guilty=beats_that_end,
)
def bug_panics_at_heartbeat(stage: Stage) -> Facts:
    return beaten(stage, "b11-orders", survives=False)


@scenario(
    "A publisher takes the broker's Heartbeat",
    release="4",
    healthy=True,
    setup=lambda stage: fill(stage, "b11-orders-2", 2),
    thread="rabbitmq/rabbitmq-stream-rust-client#162",
    shows=SHOWS,
)
def heartbeat_taken(stage: Stage) -> Facts:
    return beaten(stage, "b11-orders-2", survives=True)


def filled(*streams: str) -> Callable[[Stage], None]:
    """A set-up step: streams with five messages each."""

    def setup(stage: Stage) -> None:
        for stream in streams:
            fill(stage, stream, 1)

    return setup


class Ticker:
    """A connection with two subscriptions, of which the first ends."""

    def __init__(self, stage: Stage, streams: list[str]) -> None:
        self.reader = stage.client(name="broker-view").login(heartbeat=5)
        self.gone, self.got = False, 0
        for place, stream in enumerate(streams):
            self.reader.subscribe(place, stream, wire.NEXT, 5)

    def attend(self) -> None:
        """Handles what comes in some time."""
        for frame in self.reader.drain(0.25):
            if frame.key == wire.DELIVER:
                self.got += 1
                if frame.body[0] == 1 or not self.gone:
                    self.reader.credit(frame.body[0])

    def hang(self, turn: int) -> None:
        """Reads nothing; heartbeats have a thread of their own."""
        time.sleep(0.25)
        if turn % 8 == 7:
            self.reader.send(wire.HEARTBEAT)

    def leave(self, *, waits: bool) -> None:
        """Ends the first subscription, and reads the answer or waits for it in vain."""
        self.gone = True
        if waits:
            self.reader.correlation += 1
            self.reader.send(wire.UNSUBSCRIBE, wire.u32(self.reader.correlation) + u8(0))
        else:
            self.reader.unsubscribe(0)


def left(stage: Stage, streams: list[str], *, stuck: bool) -> Facts:
    """One of two subscriptions of a connection ends, by its handler or beside it."""
    writer = stage.client(name="exchange").login()
    for place, stream in enumerate(streams):
        writer.declare(place, stream)
    ticker = Ticker(stage, streams)
    for turn in range(44):
        for place in (0, 1):
            writer.publish(place, turn, [b"quote %d of %d" % (turn, place)])
            writer.confirmed(1)
        if ticker.gone and stuck:
            ticker.hang(turn)
        else:
            ticker.attend()
        if turn == 9:
            ticker.leave(waits=stuck)
    if stuck:
        ticker.reader.drop()
    else:
        ticker.reader.close()
    writer.close()
    return {"published": 88, "handled": ticker.got}


SHOWS = "Two subscriptions on a connection, of which one ends after ten quotes."


@scenario(
    "Close in the handler of a consumer blocks the reader of the connection",
    release="4",
    healthy=False,
    setup=filled("b11-dax", "b11-smi"),
    category="deadlocks",
    thread="rabbitmq/rabbitmq-stream-go-client#57",
    fault="The handler of one consumer unsubscribes and waits for the answer, which the same "
    "thread would have to read: from then on the client reads nothing. Its heartbeats go on, the "
    "other consumer of the connection gives no credit and stops after five chunks.",
    shows=SHOWS,
    guilty=those(wire.UNSUBSCRIBE),
)
def bug_close_in_the_handler(stage: Stage) -> Facts:
    return left(stage, ["b11-dax", "b11-smi"], stuck=True)


@scenario(
    "One consumer of a connection is closed beside its handler",
    release="4",
    healthy=True,
    setup=filled("b11-dow", "b11-cac"),
    thread="rabbitmq/rabbitmq-stream-go-client#57",
    shows=SHOWS,
)
def close_beside_the_handler(stage: Stage) -> Facts:
    return left(stage, ["b11-dow", "b11-cac"], stuck=False)


SHOWS = "A named consumer whose offset is not stored yet, and a publisher."


@scenario(
    "A worker ends when there is no stored offset, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=GO_DRIVER,
    faults=GO,
    category="retries",
    thread="rabbitmq/rabbitmq-stream-go-client#122",
    fault="The worker takes the answer 19 to QueryOffset for a failure: it ends, is started again, "
    "and asks again, eleven times, and never subscribes. No stored offset means that the "
    "consumer is new and has to begin where it wants.",
    shows=SHOWS,
    guilty=later(wire.QUERY_OFFSET, rb"thumbnails"),
)
def bug_no_offset_is_fatal_go(stage: Stage) -> Facts:
    return stage.drive(GO_DRIVER, "fatal", "b11-images")


@scenario(
    "A worker begins at the first offset when none is stored, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=GO_DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#122",
    shows=SHOWS,
)
def no_offset_is_first_go(stage: Stage) -> Facts:
    return stage.drive(GO_DRIVER, "first", "b11-images-2")


SHOWS = "240 messages and a consumer that stores its offset."


@scenario(
    "The offset is stored after each message, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="waste",
    thread="rabbitmq-community/rstream#220",
    fault="The consumer stores its offset after each message: each StoreOffset writes a tracking "
    "chunk into the stream, 240 for 240 messages, and reading the stream fills the disk.",
    shows=SHOWS,
    guilty=those(wire.STORE_OFFSET, 2),
)
def bug_stores_each_message_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "1", "b11-disk")


@scenario(
    "The offset is stored after 60 messages, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq-community/rstream#220",
    shows=SHOWS,
)
def stores_sixty_messages_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "60", "b11-disk-2")


SHOWS = "A named consumer that skips what is left at a message, at three starts."


@scenario(
    "The value of the specification next is stored as an offset, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver=JAVA,
    category="offsets",
    thread="rabbitmq/rabbitmq-stream-java-client#77",
    fault="To skip the rest of the stream the consumer stores the offset of the specification next,"
    " which is a number without a meaning: at the next start it does not go on after what it was "
    "handed.",
    shows=SHOWS,
    guilty=those(wire.STORE_OFFSET),
)
def bug_stores_the_specification_java(stage: Stage) -> Facts:
    return stage.drive(JAVA, "b11-bids", "specification")


@scenario(
    "The offset of the message is stored, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=JAVA,
    thread="rabbitmq/rabbitmq-stream-java-client#77",
    shows=SHOWS,
)
def stores_the_offset_java(stage: Stage) -> Facts:
    return stage.drive(JAVA, "b11-bids-2", "context")


def behind_deliveries(stage: Stage, streams: list[str], *, apart: bool) -> Facts:
    """Consumers that are added while the handler of the first one is slow."""
    slow = stage.client(name="archive").login()
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 9000)
    slow.subscribe(0, streams[0], FIRST, 8)
    added = stage.client(name="archive-requests").login() if apart else slow
    late, handled = 0, 0
    for place, stream in enumerate(streams[1:], 1):
        started = time.monotonic()
        for _ in range(2):
            added.correlation += 1
            asked = wire.u32(added.correlation) + string("archive") + string(stream)
            added.send(wire.QUERY_OFFSET, asked)
            answered = False
            while not answered and time.monotonic() - started < 1.2:
                frame = added.read(0.2 if apart else 0.6)
                if frame is None:
                    continue
                answered = frame.key == wire.QUERY_OFFSET | wire.RESPONSE
                if frame.key == wire.DELIVER:
                    handled += 1
                    time.sleep(0.7)
                    added.credit(frame.body[0])
            if answered:
                break
            late += 1
            started = time.monotonic()
        added.correlation += 1
        body = u8(place) + string(stream) + FIRST + u16(1)
        added.send(wire.SUBSCRIBE, wire.u32(added.correlation) + body)
        if apart:
            time.sleep(0.3)
    for each in {id(c): c for c in (slow, added)}.values():
        each.drain(1.0)
        each.close()
    return {"handled": handled, "given_up": late}


def large(stage: Stage) -> None:
    """A stream of large chunks, and three small ones."""
    for stream in ("b11-archive", "b11-one", "b11-two", "b11-three"):
        client = stage.client(name="feeder").login()
        client.create(stream)
        client.declare(0, stream)
        size = 60000 if stream == "b11-archive" else 20
        for number in range(12):
            body = (b"page %d %d " % (number, number * 77773)) * (size // 10)
            client.publish(0, number, [body[:size]])
            client.confirmed(1)
        client.close()


SHOWS = "A slow consumer of large chunks, and requests for three further consumers."


@scenario(
    "Requests are given up while a slow handler holds back their answers",
    release="4",
    healthy=False,
    setup=large,
    category="head of line",
    thread="rabbitmq/rabbitmq-stream-java-client#862",
    fault="A slow handler reads the connection, so the answers to QueryOffset wait unread behind "
    "the chunks: the client gives each of them up after 1.2 s and asks again, although the broker "
    "has answered. A slow consumer needs little credit and a connection of its own.",
    shows=SHOWS,
    guilty=later(wire.QUERY_OFFSET, rb"archive"),
)
def bug_requests_behind_deliveries(stage: Stage) -> Facts:
    return behind_deliveries(stage, ["b11-archive", "b11-one", "b11-two", "b11-three"], apart=False)


@scenario(
    "The connection of a closed consumer is left open, by an old Rust client",
    client="rust_0_4",
    release="4",
    healthy=False,
    driver="rust_0_4_locators.rs",
    category="leaks",
    thread="rabbitmq/rabbitmq-stream-rust-client#235",
    fault="When a consumer is closed, the library sends Unsubscribe and does not close the "
    "connection that it had opened for the consumer: nine connections that do nothing but answer "
    "heartbeats are left after nine reports.",
    shows="Nine reports, each by a consumer of its own, beside a publisher.",
    guilty=those(wire.UNSUBSCRIBE),
)
def bug_consumer_connection_left_rust(stage: Stage) -> Facts:
    return stage.drive("rust_0_4_locators.rs", "b11-visits")


@scenario(
    "A consumer for each report, by the Rust client",
    client="rust",
    release="4",
    healthy=True,
    driver="locators.rs",
    thread="rabbitmq/rabbitmq-stream-rust-client#235",
    shows="Nine reports, each by a consumer of its own, beside a publisher.",
)
def consumer_connection_closed_rust(stage: Stage) -> Facts:
    return stage.drive("locators.rs", "b11-visits-2")


@scenario(
    "A service publishes, reads, stores its offset and starts again, by the Rust client",
    client="rust",
    release="4",
    healthy=True,
    driver="tickets.rs",
    thread="a program: a service with a named publisher and a named consumer, three starts",
    shows="Batches and single messages, three starts, offsets stored after 25 messages.",
)
def tickets_rust(stage: Stage) -> Facts:
    return stage.drive("tickets.rs", "b11-tickets")
