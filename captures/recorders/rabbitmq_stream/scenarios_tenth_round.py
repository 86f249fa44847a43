"""Faults and near misses of the tenth round of the blind test: see docs/checking.md."""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_fifth_round import later
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill, holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import FIRST, string, u16, u64

SCRIPT = "js_tenth_round.mjs"
GROUP = {"single-active-consumer": "true", "name": "booking"}

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
    fault="The consumer notifier filters by job.created without match-unfiltered, and the "
    "publisher sets no filter values: the broker holds back every chunk, so that none of the "
    "eighteen jobs that were created is notified. The publisher has to send filter values.",
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


class Desk:
    """A group whose members begin at what is stored, or at the first offset."""

    def __init__(self, stream: str, *, waits: bool) -> None:
        self.stream, self.waits, self.handled = stream, waits, 0
        self.members: list[wire.Client] = []

    def attend(self, seconds: float) -> None:
        """Handles what comes in some time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for member in self.members:
                for frame in member.drain(0.03):
                    if frame.key == wire.CONSUMER_UPDATE:
                        self.begin(member, frame)
                    if frame.key == wire.DELIVER:
                        self.handle(member, frame)

    def begin(self, member: wire.Client, frame: wire.Frame) -> None:
        """Answers ConsumerUpdate; who becomes active asks for the stored offset first."""
        start = u16(0)
        if frame.body[5]:
            asked = member.request(wire.QUERY_OFFSET, string("booking") + string(self.stream))
            known = self.waits and asked.code == 1
            start = wire.offset(int.from_bytes(asked.body[6:14], "big") + 1) if known else FIRST
        member.send(wire.CONSUMER_UPDATE | wire.RESPONSE, frame.body[:4] + u16(1) + start)

    def handle(self, member: wire.Client, frame: wire.Frame) -> None:
        """Counts a chunk, and stores its last offset."""
        chunk = frame.body[1:]
        count = int.from_bytes(chunk[2:4], "big")
        last = int.from_bytes(chunk[24:32], "big") + count - 1
        self.handled += count
        member.credit(frame.body[0])
        member.send(wire.STORE_OFFSET, string("booking") + string(self.stream) + u64(last))


def handed_over(stage: Stage, stream: str, *, waits: bool) -> Facts:
    """A group whose active member leaves three times."""
    desk = Desk(stream, waits=waits)
    writer = stage.client(name="desk").login()
    writer.declare(0, stream)
    number = 100
    for place in range(4):
        member = stage.client(name=f"booking-{place}").login()
        member.subscribe(place, stream, FIRST, 3, GROUP)
        desk.members.append(member)
        for _ in range(6):
            writer.publish(0, number, [b"booking %d of the day" % number])
            number += 1
            desk.attend(0.25)
        if place:
            desk.members.pop(0).close()
            desk.attend(1.0)
    desk.attend(0.5)
    for each in (*desk.members, writer):
        each.close()
    return {"published": number - 100, "handled": desk.handled}


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
