"""Scenarios of the twelfth round of the blind test: see docs/checking.md."""

import contextlib
import socket
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.relay import key, relay, untouched
from captures.recorders.rabbitmq_stream.scenarios_fifth_round import cut, later, reader_added
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import RELAY, Choice, Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss
from captures.recorders.rabbitmq_stream.wire import FIRST, NEXT, strings, u8, u16, u32

JS_DRIVER, PYTHON, GO_DRIVER = "js_twelfth_round.mjs", "rstream_twelfth_round.py", "locators.go"

ANSWERS = RSTREAM | {"RMQ-A4": "rstream always appends an offset to its ConsumerUpdate answer"}


def around(wanted: int, other: int, *, after: bool) -> Choice:
    """Frames of clients with a key, on connections that have sent another key before, or not."""

    def choose(found: list[Seen]) -> list[Seen]:
        sent: set[int] = set()
        ours = []
        for each in found:
            if each.sender == "client" and each.key == other:
                sent.add(each.stream)
            elif (each.sender, each.key) == ("client", wanted) and (each.stream in sent) == after:
                ours.append(each)
        return ours

    return choose


SHOWS = "Three consumers of three streams, whose connections are closed twice by an operator."
fault(
    "recovery_given_up_js",
    lambda stage: stage.drive(JS_DRIVER, "given_up", "b12-gates", on=cut(stage)),
    "A consumer whose recovery takes too long once is never tried again, by the JavaScript client",
    client="js",
    driver=JS_DRIVER,
    faults=JS,
    setup=reader_added,
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-java-client#630",
    shows=SHOWS,
    says="After the first cut all three consumers connect again; one of them waits too short a "
    "time for the answer to Subscribe, closes its connection and never comes back. Its stream is "
    "published to for eight more seconds without a consumer. The recovery has to be tried again.",
    guilty=later(wire.SUBSCRIBE, rb"b12-gates-1"),
)
near_miss(
    "recovery_of_all_js",
    lambda stage: stage.drive(JS_DRIVER, "recovered", "b12-doors", on=cut(stage)),
    "All consumers are there again after two cuts, by the JavaScript client",
    client="js",
    driver=JS_DRIVER,
    faults=JS,
    setup=reader_added,
    thread="rabbitmq/rabbitmq-stream-java-client#630",
    shows=SHOWS,
)


def looked_up(stage: Stage, stream: str, *, early: bool) -> Facts:
    """Looks for the leader of a stream on a connection for each look, some given up."""
    reader = stage.client(name="go-stream-consumer").login()
    reader.subscribe(0, stream, NEXT, 10)
    writer = stage.client(name="go-stream-producer").login()
    writer.declare(0, stream)
    left = []
    for number in range(12):
        locator = stage.client(name="go-stream-locator")
        locator.hello()
        locator.authenticate()
        if early and number % 3 == 2:
            locator.send(wire.CLOSE, u32(9) + u16(1) + wire.string("OK"))
            left.append(locator)
        else:
            locator.tune(20)
            locator.request(wire.OPEN, wire.string("/"))
            locator.request(wire.METADATA, strings([stream]))
            locator.close()
        writer.publish(0, 3 * number, [b"position %d of truck %d" % (number, n) for n in range(3)])
        writer.confirmed(3)
        reader.consume(0, 3, 1)
        time.sleep(0.25)
    ended = [locator.ended(4) for locator in left]
    for each in (reader, writer):
        each.close()
    return {"published": 36, "server_ended": ended}


SHOWS = "Twelve looks for the leader of a stream, beside a publisher and a consumer."
fault(
    "close_before_open",
    lambda stage: looked_up(stage, "b12-trucks", early=True),
    "A locator that is given up sends Close before Open",
    setup=lambda stage: fill(stage, "b12-trucks", 2),
    kind="order of the handshake",
    thread="rabbitmq/rabbitmq-stream-go-client#210",
    shows=SHOWS,
    says="Four of twelve locators are given up during the handshake: they send Close where the "
    "broker waits for the answer to Tune. The broker does not know Close in this state (unknown "
    "command) and ends the connection without an answer; the locators wait for one, and keep their "
    "sockets. Before Open a client can only end the connection.",
    guilty=around(wire.CLOSE, wire.OPEN, after=False),
)
near_miss(
    "locators_closed_go",
    lambda stage: stage.drive(GO_DRIVER, "b12-ferries"),
    "A consumer for each of eight trips, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#210",
    shows="Eight environments that look for the leader, read a little, and are closed.",
)

SHOWS = "Two instances of a service with single active consumers on two streams, three hand-overs."
fault(
    "update_of_other_stream_rstream",
    lambda stage: stage.drive(PYTHON, "first", "b12-invoices", "b12-refunds"),
    "A single active consumer starts at the stored offset of another stream, by rstream",
    client="rstream",
    driver=PYTHON,
    faults=ANSWERS,
    kind="offsets",
    thread="rabbitmq-community/rstream#210",
    shows=SHOWS,
    says="Each subscription has a listener of ConsumerUpdate, and that of the first one is called "
    "for both: it asks for the stored offset of invoices and answers with it for refunds, too, so "
    "the consumer of refunds starts past what it has not handled.",
    guilty=lambda found: those(wire.CONSUMER_UPDATE | wire.RESPONSE)(found)[3::2],
)
near_miss(
    "update_of_own_stream_rstream",
    lambda stage: stage.drive(PYTHON, "own", "b12-bills", "b12-vouchers"),
    "Single active consumers start at the stored offset of their own stream, by rstream",
    client="rstream",
    driver=PYTHON,
    faults=ANSWERS,
    thread="rabbitmq-community/rstream#210",
    shows=SHOWS,
)


def gone(client: wire.Client) -> bool:
    """Whether the server has ended the connection."""
    client.socket.settimeout(0.01)
    try:
        return not client.socket.recv(1, socket.MSG_PEEK)
    except TimeoutError:
        return False


def crashing(stage: Stage, streams: list[str], *, crashes: bool) -> Facts:
    """Three subscriptions and a publisher on one connection, which the broker may end."""
    asked, got, published = [0], 0, 0

    def client_side(frame: bytes) -> list[bytes]:
        if crashes and key(frame) == wire.CREDIT and frame[8] == 1:
            asked[0] += 1
            if asked[0] % 3 == 0:
                raise ConnectionError
        return [frame]

    with relay(client=client_side):
        for life in range(4 if crashes else 2):
            client = stage.client(port=RELAY, name="dashboard").login()
            client.declare(4, streams[0])
            for place, stream in enumerate(streams):
                client.subscribe(place, stream, FIRST, 2)
            end = time.monotonic() + (6 if crashes else 3)
            with contextlib.suppress(OSError):
                while time.monotonic() < end and not gone(client):
                    client.publish(4, published, [b"value %d in life %d" % (published, life)])
                    published += 1
                    for frame in client.drain(0.12):
                        if frame.key == wire.DELIVER:
                            got += int.from_bytes(frame.body[3:5], "big")
                            client.credit(frame.body[0])
            if not crashes:
                client.close()
            time.sleep(0.5)
    return {"published": published, "delivered": got}


def last_credits(found: list[Seen]) -> list[Seen]:
    """The last Credit of subscription 1 on each connection."""
    ours = {f.stream: f for f in found if (f.key, f.body[:1]) == (wire.CREDIT, b"\x01")}
    return list(ours.values())


def three(stage: Stage, *streams: str) -> None:
    """Streams with 200 messages each."""
    for stream in streams:
        fill(stage, stream, 40)


SHOWS = "Three subscriptions and a publisher on one connection."
fault(
    "broker_dies_of_a_read",
    lambda stage: crashing(stage, ["b12-cpu", "b12-disk", "b12-net"], crashes=True),
    "The broker drops the whole connection when it cannot read one stream",
    relay="it ends the connection at every third Credit of subscription 1, as a broker does whose "
    "reader fails in the chunk that this Credit asks for.",
    setup=lambda stage: three(stage, "b12-cpu", "b12-disk", "b12-net"),
    kind="crashes of the server",
    thread="rabbitmq/rabbitmq-server#16502",
    shows=SHOWS,
    says="The broker's reader of one stream fails when Credit asks for the next chunk, and takes "
    "the connection with it, without Close: two other subscriptions and a publisher are lost each "
    "time. The client connects again, begins at the same place, and the connection ends at the "
    "same Credit, four times.",
    guilty=last_credits,
)
near_miss(
    "three_subscriptions_in_two_lives",
    lambda stage: crashing(stage, ["b12-cpu-2", "b12-disk-2", "b12-net-2"], crashes=False),
    "Three subscriptions and a publisher, at two starts",
    relay="nothing is changed.",
    setup=lambda stage: three(stage, "b12-cpu-2", "b12-disk-2", "b12-net-2"),
    thread="rabbitmq/rabbitmq-server#16502",
    shows=SHOWS,
)


def reused(stage: Stage, streams: list[str], *, late: bool) -> Facts:
    """A publisher id that is used for one stream after the other, with confirms that come late."""
    held: list[bytes] = []
    declared = [0]

    def server_side(frame: bytes) -> list[bytes]:
        if late and key(frame) == wire.CONFIRM and frame[8] == 3:
            held.append(frame)
            return []
        if key(frame) == wire.DECLARE_PUBLISHER | wire.RESPONSE:
            declared[0] += 1
            freed, held[:] = list(held), []
            return [frame, *freed]
        return [frame]

    confirmed = 0
    with relay(server=server_side if late else untouched):
        other = stage.client(port=RELAY, name="meter").login()
        other.declare(7, streams[0])
        client = stage.client(port=RELAY, name="batch-job").login()
        for turn in range(8):
            stream = streams[turn % len(streams)]
            client.declare(3, stream)
            other.publish(7, turn, [b"reading %d" % turn])
            other.confirmed(1)
            if late:
                confirmed += sum(
                    int.from_bytes(f.body[1:5], "big")
                    for f in client.drain(0.3)
                    if f.key == wire.CONFIRM
                )
            for batch in range(3):
                bodies = [b"row %d.%d.%d" % (turn, batch, n) for n in range(4)]
                client.publish(3, 100 * turn + 4 * batch, bodies)
            if not late:
                confirmed += client.confirmed(12)
            time.sleep(0.15)
            client.request(wire.DELETE_PUBLISHER, u8(3))
        client.close()
        other.close()
    return {"published": 96 + 8, "confirms_of_jobs": confirmed}


SHOWS = "Eight jobs that publish to two streams in turn under the same publisher id."
fault(
    "confirm_of_deleted_publisher",
    lambda stage: reused(stage, ["b12-import", "b12-export"], late=True),
    "The broker sends the confirms of a deleted publisher to the next one of its id",
    relay="it holds back the PublishConfirm of publisher 3 until the next DeclarePublisher is "
    "answered, as a broker does that is late.",
    setup=lambda stage: three(stage, "b12-import", "b12-export"),
    kind="confirms",
    thread="rabbitmq/rabbitmq-server#10158",
    shows=SHOWS,
    says="A publisher is deleted and its id declared for another stream; the confirms of the "
    "deleted one come afterwards, for publishing ids that the new publisher has never sent. The "
    "broker has to drop confirms of a publisher that is gone.",
    guilty=lambda found: [
        f for f in found if (f.key, f.sender, f.body[:1]) == (wire.CONFIRM, "server", b"\x03")
    ],
)
near_miss(
    "publisher_id_used_again",
    lambda stage: reused(stage, ["b12-import-2", "b12-export-2"], late=False),
    "A publisher id is used again once everything is confirmed",
    relay="nothing is changed.",
    setup=lambda stage: three(stage, "b12-import-2", "b12-export-2"),
    thread="rabbitmq/rabbitmq-server#10158",
    shows=SHOWS,
)


def left(stage: Stage, streams: list[str], *, late: bool) -> Facts:
    """Sessions with three subscriptions, ended before the connection is closed or after that."""
    got, ended = 0, []
    for session in range(5):
        writer = stage.client(name="tills").login()
        for place, stream in enumerate(streams):
            writer.declare(place, stream)
            writer.publish(
                place, session, [b"sale %d of session %d" % (n, session) for n in range(6)]
            )
        writer.confirmed(18)
        reader = stage.client(name="report").login(heartbeat=10)
        for place, stream in enumerate(streams):
            reader.subscribe(place, stream, FIRST, 3)
        for frame in reader.drain(0.6):
            if frame.key == wire.DELIVER:
                got += int.from_bytes(frame.body[3:5], "big")
                reader.credit(frame.body[0])
        if late:
            number = reader.correlation
            close = reader.frame(wire.CLOSE, u32(number + 1) + u16(1) + wire.string("OK"))
            reader.together(
                close,
                *(
                    reader.frame(wire.UNSUBSCRIBE, u32(number + 2 + place) + u8(place))
                    for place in range(len(streams))
                ),
            )
            ended.append(reader.ended(4))
        else:
            for place in range(len(streams)):
                reader.unsubscribe(place)
            reader.close()
        writer.close()
        time.sleep(0.2)
    return {"published": 90, "delivered": got, "server_ended": ended}


SHOWS = "Five sessions of a report over three streams."
fault(
    "unsubscribe_after_close",
    lambda stage: left(stage, ["b12-north", "b12-south", "b12-west"], late=True),
    "Consumers are unsubscribed on a connection that is already closed",
    setup=lambda stage: three(stage, "b12-north", "b12-south", "b12-west"),
    kind="order of the end",
    thread="rabbitmq/rabbitmq-stream-java-client#437",
    shows=SHOWS,
    says="The client sends Close and then Unsubscribe for each consumer of the connection: the "
    "broker takes no requests after Close, so these have no answer, and the client waits for them "
    "in vain. A client that is closed must not be asked to unsubscribe.",
    guilty=around(wire.UNSUBSCRIBE, wire.CLOSE, after=True),
)
near_miss(
    "unsubscribe_before_close",
    lambda stage: left(stage, ["b12-red", "b12-green", "b12-blue"], late=False),
    "Consumers are unsubscribed before the connection is closed",
    setup=lambda stage: three(stage, "b12-red", "b12-green", "b12-blue"),
    thread="rabbitmq/rabbitmq-stream-java-client#437",
    shows=SHOWS,
)
