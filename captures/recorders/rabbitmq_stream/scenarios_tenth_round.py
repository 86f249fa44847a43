"""Faults and near misses of the tenth round of the blind test: see docs/checking.md."""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_fifth_round import later
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill, holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u16, u64

SCRIPT = "js_tenth_round.mjs"

SHOWS = "54 messages of jobs, a consumer that filters and one that reads all."


@scenario(
    "A consumer filters a stream whose messages have no filter values, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="filters",
    thread="coders51/rabbitmq-stream-js-client#235",
    fault="The consumer notifier filters by job.created without match-unfiltered, and the publisher "
    "sets no filter values: the broker holds back every chunk, so that none of the eighteen jobs "
    "that were created is notified. The publisher has to send filter values.",
    shows=SHOWS,
    guilty=holding(wire.SUBSCRIBE, rb"job\.created"),
)
def bug_filter_without_values_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "no_filter_values", "b10-jobs")


@scenario(
    "A consumer filters a stream whose messages have filter values, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#235",
    shows=SHOWS,
)
def filter_with_values_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filter_values", "b10-jobs-2")


SHOWS = "Four starts of a meter with a name, and its consumer."


def started_again(found: list[Seen]) -> list[Seen]:
    """Publish of a reading of the starts after the first, as far as the first one counted."""
    return [
        each
        for each in holding(wire.PUBLISH, rb"start [1-3], reading")(found)
        if int.from_bytes(each.body[5:13], "big") < 22
    ]


@scenario(
    "A named publisher numbers from 0 after each start, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="sequences across restarts",
    thread="coders51/rabbitmq-stream-js-client#230",
    fault="The publisher meter-7 does not ask for its last publishing id and begins with 0 after "
    "each start: the broker confirms what it takes for duplicates and stores only what goes "
    "beyond the highest id, three readings of each further start.",
    shows=SHOWS,
    guilty=started_again,
)
def bug_numbers_from_nought_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "from_nought", "b10-meter")


@scenario(
    "A named publisher goes on after its last number, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#230",
    shows=SHOWS,
)
def numbers_go_on_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "goes_on", "b10-meter-2")


SHOWS = "480 orders of eight countries, and a consumer of one of them."


@scenario(
    "Each chunk has messages of all filter values, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="filters",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#451",
    fault="Orders of eight countries are published in turn, so each chunk has all eight filter "
    "values, and the broker, which filters whole chunks, holds back none: the consumer of fr is "
    "sent all 480 orders for its 60. Messages of a value have to be published together.",
    shows=SHOWS,
    guilty=those(wire.PUBLISH),
)
def bug_filter_values_in_turn_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "in_turn", "b10-orders")


@scenario(
    "Each chunk has messages of one filter value, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#451",
    shows=SHOWS,
)
def filter_values_together_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "by_country", "b10-orders-2")


def handed_over(stage: Stage, stream: str, *, waits: bool) -> Facts:
    """A group whose active member leaves three times; the next one begins at what is stored."""
    properties = {"single-active-consumer": "true", "name": "booking"}
    members: list[wire.Client] = []
    handled = 0

    def attend(seconds: float) -> None:
        nonlocal handled
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for member in members:
                for frame in member.drain(0.03):
                    if frame.key == wire.CONSUMER_UPDATE:
                        stored = wire.FIRST
                        if frame.body[5]:
                            answer = asked(member)
                            if waits and answer is not None:
                                stored = wire.offset(answer + 1)
                        reply = frame.body[:4] + u16(1) + (stored if frame.body[5] else u16(0))
                        member.send(wire.CONSUMER_UPDATE | wire.RESPONSE, reply)
                    if frame.key == wire.DELIVER:
                        chunk = frame.body[1:]
                        first, count = int.from_bytes(chunk[24:32], "big"), chunk[2:4]
                        last = first + int.from_bytes(count, "big") - 1
                        handled += int.from_bytes(count, "big")
                        member.credit(frame.body[0])
                        body = string("booking") + string(stream) + u64(last)
                        member.send(wire.STORE_OFFSET, body)

    def asked(member: wire.Client) -> int | None:
        answer = member.request(wire.QUERY_OFFSET, string("booking") + string(stream))
        return int.from_bytes(answer.body[6:14], "big") if answer.code == 1 else None

    writer = stage.client(name="desk").login()
    writer.declare(0, stream)
    number = 100
    for place in range(4):
        member = stage.client(name=f"booking-{place}").login()
        member.subscribe(place, stream, wire.FIRST, 3, properties)
        members.append(member)
        for _ in range(6):
            writer.publish(0, number, [b"booking %d of the day" % number])
            number += 1
            attend(0.25)
        if place:
            members.pop(0).close()
            attend(1.0)
    attend(0.5)
    for each in (*members, writer):
        each.close()
    return {"published": number - 100, "handled": handled}


SHOWS = "Four members of a group, of which three leave one after the other."


@scenario(
    "The answer to ConsumerUpdate does not wait for the stored offset",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b10-bookings", 5),
    category="second layer",
    thread="rabbitmq/rabbitmq-stream-java-client#691",
    fault="A member that becomes active asks for the stored offset, gives up the query at once and "
    "answers ConsumerUpdate with the first offset: at each change of the active member all "
    "bookings are handled again. It has to answer with the stored offset plus one.",
    shows=SHOWS,
    guilty=later(wire.CONSUMER_UPDATE | wire.RESPONSE, rb"^.{6}\x00\x01$"),
)
def bug_stored_offset_not_waited_for(stage: Stage) -> Facts:
    return handed_over(stage, "b10-bookings", waits=False)


@scenario(
    "The answer to ConsumerUpdate begins after the stored offset",
    release="4",
    healthy=True,
    setup=lambda stage: fill(stage, "b10-bookings-2", 5),
    thread="rabbitmq/rabbitmq-stream-java-client#691",
    shows=SHOWS,
)
def stored_offset_waited_for(stage: Stage) -> Facts:
    return handed_over(stage, "b10-bookings-2", waits=True)


PYTHON = "rstream_tenth_round.py"
SHOWS = "80 messages, twelve requests that want the state that they make, and further messages."


@scenario(
    "Each request reads the whole stream on a connection of its own, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="waste",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#388",
    fault="For each of twelve requests the service opens a connection, subscribes at the first "
    "offset, reads all messages to build its state, and closes: the same eighty messages are sent "
    "twelve times, each time after a handshake. A consumer that stays would keep the state.",
    shows=SHOWS,
    guilty=later(wire.SUBSCRIBE, rb"b10-carts"),
)
def bug_state_rebuilt_per_request_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "rebuilt", "b10-carts")


@scenario(
    "A consumer keeps the state that requests want, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#388",
    shows=SHOWS,
)
def state_kept_by_a_consumer_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "kept", "b10-carts-2")
