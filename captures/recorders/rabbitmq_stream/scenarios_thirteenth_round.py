"""Scenarios of the thirteenth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.relay import key, relay
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import answer_update
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill, holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import RELAY, Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss
from captures.recorders.rabbitmq_stream.wire import NEXT, string, strings, u32

RUNS, FRAMES = "runs.rs", "go_1_4_small_frames.go"
LINE, FILTERS = "rstream_thirteenth_round.py", "rbfly_thirteenth_round.py"


def publishing(client: wire.Client, rounds: int, *publishers: int) -> threading.Thread:
    """Starts to publish three messages by each publisher, five times a second."""

    def publish() -> None:
        for number in range(rounds):
            for publisher in publishers:
                bodies = [b"entry %d.%d of publisher %d" % (number, n, publisher) for n in range(3)]
                client.publish(publisher, 3 * number, bodies)
                client.confirmed(3)
            time.sleep(0.2)

    thread = threading.Thread(target=publish)
    thread.start()
    return thread


def taken(clients: list[wire.Client], seconds: float) -> int:
    """Reads deliveries of clients for some seconds, one credit for each; counts the messages."""
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for client in clients:
            for frame in client.drain(0.05):
                if frame.key == wire.DELIVER:
                    count += int.from_bytes(frame.body[3:5], "big")
                    client.credit(frame.body[0])
                elif frame.key == wire.CONSUMER_UPDATE:
                    client.inbox.append(frame)
                    answer_update(client, NEXT)
    return count


def elected(stage: Stage, stream: str, *, lost: bool) -> Facts:
    """Three consumers of a group, which are restarted together while messages are published."""
    second_life = threading.Event()

    def server_side(frame: bytes) -> list[bytes]:
        dropped = lost and second_life.is_set() and key(frame) == wire.CONSUMER_UPDATE
        return [] if dropped else [frame]

    group = {"single-active-consumer": "true", "name": "billing"}
    consumed = []
    with relay(server=server_side):
        writer = stage.client(port=RELAY, name="till").login()
        writer.declare(2, stream, "till-7")
        thread = publishing(writer, 55, 2)
        for life in range(2):
            clients = [
                stage.client(port=RELAY, name=f"billing-{life}-{n}").login() for n in range(3)
            ]
            for number, client in enumerate(clients):
                client.subscribe(4 + number, stream, NEXT, 8, group)
            consumed.append(taken(clients, 3 if life == 0 else 7))
            second_life.set()
            for client in reversed(clients):
                client.close()
            time.sleep(0.4)
        thread.join()
        writer.close()
    return {"published": 165, "delivered": consumed}


SHOWS = "Three consumers of one group, restarted together, and a publisher that goes on."
fault(
    "no_consumer_is_elected",
    lambda stage: elected(stage, "b13-bills", lost=True),
    "No consumer of a group becomes active after a restart of all",
    relay="it drops ConsumerUpdate after the restart, as a broker does that elects nobody.",
    setup=lambda stage: fill(stage, "b13-bills", 6),
    kind="single active consumer",
    thread="rabbitmq/rabbitmq-server#7743",
    shows=SHOWS,
    says="After the restart all three consumers of billing are subscribed, and none is told to be "
    "active: no ConsumerUpdate comes, so nothing is delivered for seven seconds, while messages "
    "are published. The broker has to elect one of them.",
    guilty=those(wire.SUBSCRIBE, 4),
)
near_miss(
    "a_consumer_is_elected",
    lambda stage: elected(stage, "b13-fees", lost=False),
    "A consumer of a group becomes active after a restart of all",
    relay="nothing is changed.",
    setup=lambda stage: fill(stage, "b13-fees", 6),
    thread="rabbitmq/rabbitmq-server#7743",
    shows=SHOWS,
)


def active_again(stage: Stage, stream: str, *, starves: bool) -> Facts:
    """A consumer of a super stream that is inactive for a while on one of two partitions."""
    parts = [f"{stream}-{n}" for n in range(2)]
    updates: list[int] = []

    def server_side(frame: bytes) -> list[bytes]:
        if key(frame) == wire.CONSUMER_UPDATE and frame[12] == 11:
            updates.append(frame[13])
        late = updates[-1:] == [1] and 0 in updates
        dropped = starves and late and key(frame) == wire.DELIVER and frame[8] == 11
        return [] if dropped else [frame]

    group = {"single-active-consumer": "true", "name": "stock", "super-stream": stream}
    consumed = []
    with relay(server=server_side):
        writer = stage.client(port=RELAY, name="orders").login()
        body = string(stream) + strings(parts) + strings(["0", "1"]) + u32(0)
        writer.request(wire.CREATE_SUPER_STREAM, body)
        for number, part in enumerate(parts):
            writer.declare(number, part)
        thread = publishing(writer, 60, 0, 1)
        first = stage.client(port=RELAY, name="stock-a").login()
        for number, part in enumerate(parts):
            first.subscribe(10 + number, part, NEXT, 6, group)
        consumed.append(taken([first], 2))
        second = stage.client(port=RELAY, name="stock-b").login()
        for number, part in enumerate(parts):
            second.subscribe(20 + number, part, NEXT, 6, group)
        consumed.append(taken([first, second], 3))
        for number in range(2):
            second.unsubscribe(20 + number)
        second.close()
        consumed.append(taken([first], 7))
        thread.join()
        first.close()
        writer.close()
    return {"published": 360, "delivered": consumed, "active": updates}


SHOWS = "Two consumers of a super stream of two partitions, one of which comes and goes."
fault(
    "starved_when_active_again",
    lambda stage: active_again(stage, "b13-orders", starves=True),
    "A consumer gets nothing any more once it is active again",
    relay="it drops Deliver of subscription 11 once that is active again, as a broker does that "
    "takes the subscription for one without credit.",
    kind="stalls",
    thread="rabbitmq/rabbitmq-server#7638",
    shows=SHOWS,
    says="Subscription 11 is active, inactive and active again; it has credit left, and the broker "
    "counted it away while it was inactive: nothing of partition 1 is delivered after that, while "
    "messages are published there and partition 0 goes on.",
    guilty=those(wire.CONSUMER_UPDATE | wire.RESPONSE, 5, 5),
)
near_miss(
    "served_when_active_again",
    lambda stage: active_again(stage, "b13-returns", starves=False),
    "A consumer goes on once it is active again",
    relay="nothing is changed.",
    thread="rabbitmq/rabbitmq-server#7638",
    shows=SHOWS,
)


def dead_line(stage: Stage, stream: str, *, dead: bool) -> Facts:
    """A publisher by rstream over a line that is dead after some seconds, or for two seconds."""
    start, over = time.monotonic(), threading.Event()

    def passes(frame: bytes) -> list[bytes]:
        if dead and time.monotonic() - start > 6:
            over.wait(30)  # neither frames nor the end of a connection pass
            return []
        return [frame]

    with relay(server=passes, client=passes):
        facts = stage.drive(LINE, stream, "19")
        over.set()
    return facts


SHOWS = "A position of a truck twice a second, with a heartbeat of 2 s."
fault(
    "dead_line_not_noticed_rstream",
    lambda stage: dead_line(stage, "b13-trucks", dead=True),
    "A publisher goes on for long after the broker was last heard, by rstream",
    client="rstream",
    driver=LINE,
    faults=RSTREAM,
    relay="it passes on nothing any more after some seconds, as a line does that is dead.",
    setup=lambda stage: fill(stage, "b13-trucks", 2),
    kind="recovery",
    thread="rabbitmq-community/rstream#201, rabbitmq/rabbitmq-stream-dotnet-client#393",
    shows=SHOWS,
    says="No confirm and no heartbeat comes for more than ten seconds, five heartbeats long, and "
    "the client goes on to publish and to send heartbeats on this connection: it only logs that "
    "heartbeats are missing. After two of them it has to close the connection and connect again.",
    guilty=holding(wire.PUBLISH, rb"position (2\d|3\d)"),
)
near_miss(
    "line_stays_alive_rstream",
    lambda stage: dead_line(stage, "b13-vans", dead=False),
    "A publisher whose line stays alive, by rstream",
    client="rstream",
    driver=LINE,
    faults=RSTREAM,
    relay="nothing is changed.",
    setup=lambda stage: fill(stage, "b13-vans", 2),
    thread="rabbitmq-community/rstream#201",
    shows=SHOWS,
)

SHOWS = "Four runs of a bookkeeper, each after 42 receipts."
fault(
    "offset_not_stored_at_close_rust",
    lambda stage: stage.drive(RUNS, "b13-receipts", "every_25th"),
    "A consumer does not store its offset when it is closed, by the Rust client",
    client="rust",
    driver=RUNS,
    kind="offsets",
    thread="rabbitmq/rabbitmq-stream-java-client#40",
    shows=SHOWS,
    says="The bookkeeper stores the offset of every 25th message and is closed without storing the "
    "last one: each run begins with up to 24 receipts that the run before has handled already. It "
    "has to store the offset of the last message before it is closed.",
    guilty=holding(wire.SUBSCRIBE, rb"b13-receipts.{0,2}\x00\x04"),
)
near_miss(
    "offset_stored_at_close_rust",
    lambda stage: stage.drive(RUNS, "b13-invoices", "at_close"),
    "A consumer stores its offset when it is closed, by the Rust client",
    client="rust",
    driver=RUNS,
    thread="rabbitmq/rabbitmq-stream-java-client#40",
    shows=SHOWS,
)

SHOWS = "Orders of four locations, a kitchen that wants those of one, and an archive."
fault(
    "publisher_without_filter_rbfly",
    lambda stage: stage.drive(FILTERS, "b13-meals", "plain"),
    "A publisher sends no filter values, and a consumer filters, by rbfly",
    client="rbfly",
    driver=FILTERS,
    kind="mismatch between sides",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#382",
    shows=SHOWS,
    says="The kitchen subscribes with the filter value 9 and without match-unfiltered, and the "
    "publisher sets no filter value (Publish version 1): no chunk ever matches, so the kitchen "
    "gets none of its 27 orders. The publisher needs the filter value of each message.",
    guilty=holding(wire.SUBSCRIBE, rb"filter\."),
)
near_miss(
    "publisher_with_filter_rbfly",
    lambda stage: stage.drive(FILTERS, "b13-drinks", "filtered"),
    "A publisher sends filter values, and a consumer filters, by rbfly",
    client="rbfly",
    driver=FILTERS,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#382",
    shows=SHOWS,
)


def too_large(found: list[Seen]) -> list[Seen]:
    """Publish of more than 4096 bytes."""
    return [each for each in those(wire.PUBLISH)(found) if len(each.body) > 4088]


SHOWS = "Five starts of a gauge with frames of 4096 bytes at most, and a watcher."
fault(
    "frame_above_the_limit_go",
    lambda stage: stage.drive(FRAMES, "b13-gauges", "300"),
    "A batch is larger than the negotiated frame size, by the Go client 1.4.1",
    client="go_1_4",
    variant="frames",
    driver=FRAMES,
    faults=GO,
    kind="limits",
    thread="rabbitmq/rabbitmq-stream-go-client#504",
    shows=SHOWS,
    says="The broker announces frames of 4096 bytes at most, and the client checks the bytes of "
    "the messages alone against that: with 12 bytes of head for each, a batch of 300 makes a "
    "larger frame. The broker ends the connection, and the batch is never confirmed, at each "
    "start.",
    guilty=too_large,
)
near_miss(
    "frames_within_the_limit_go",
    lambda stage: stage.drive(FRAMES, "b13-meters", "100"),
    "Batches fit into the negotiated frame size, by the Go client 1.4.1",
    client="go_1_4",
    variant="frames",
    driver=FRAMES,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#504",
    shows=SHOWS,
)
