"""Faults and near misses of the seventh round of the blind test: see docs/checking.md."""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.coverage import Seen
from captures.recorders.rabbitmq_stream.scenarios_fifth_round import FIRST, cut, later, reader_added
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import JS, RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import fill, holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Choice, Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8

DRIVER, STORES = "seventh_round.go", "stores_offset.go"
SCRIPT, PYTHON = "js_seventh_round.mjs", "rstream_seventh_round.py"
BATCHES = "LargeBatches.java"


def of_connections(key: int, start: int, stop: int = 0) -> Choice:
    """Frames of clients with a key, on the connections from one to another."""

    def choose(found: list[Seen]) -> list[Seen]:
        mine = those(key)(found)
        return [each for each in mine if start <= each.stream and (not stop or each.stream < stop)]

    return choose


@scenario(
    "The offset of the only message of a stream is never stored, by the Go client 1.4.1",
    client="go_1_4",
    release="4",
    healthy=False,
    driver=f"go_1_4_{STORES}",
    faults=GO,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-go-client#306",
    fault="The program stores its offset after each message, and nothing is sent for offset 0, as "
    "the client takes it for no progress: QueryOffset finds nothing at each of six starts, and the "
    "first message of the stream is read and handled six times.",
    shows="Seven starts of a reader of a stream that has one message, and a second one at last.",
    guilty=later(wire.SUBSCRIBE, rb"b7-settings" + FIRST),
)
def bug_offset_zero_never_stored_go(stage: Stage) -> Facts:
    return stage.drive(f"go_1_4_{STORES}", "single", "b7-settings")


@scenario(
    "The offset of the only message of a stream is stored, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=STORES,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#306",
    shows="Seven starts of a reader of a stream that has one message, and a second one at last.",
)
def offset_zero_stored_go(stage: Stage) -> Facts:
    return stage.drive(STORES, "single", "b7-settings-2")


@scenario(
    "A consumer counts its offsets from where it began, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-go-client#158; played with the count given by hand",
    fault="The consumer begins at offset 60 and counts from 0: after the messages 60 to 119 it "
    "stores 9, 19 and so on up to 59, and the next start goes on at 60 again, so it handles each "
    "message several times.",
    shows="Four starts of a reader that begins in the middle of a stream.",
    guilty=those(wire.STORE_OFFSET),
)
def bug_offsets_counted_from_zero_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "counted", "b7-positions")


@scenario(
    "A consumer that begins in the middle stores its offset every ten messages, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=STORES,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#158",
    shows="Four starts of a reader that begins in the middle of a stream.",
)
def offset_stored_from_the_middle_go(stage: Stage) -> Facts:
    return stage.drive(STORES, "middle", "b7-positions-2")


@scenario(
    "Readings come seldom on connections with a heartbeat of four seconds, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#325",
    shows="A reading every 2.7 s.",
)
def heartbeat_of_four_seconds_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "heartbeat_4s", "b7-tanks-2")


def first_of_each_start(found: list[Seen]) -> list[Seen]:
    """The first Publish of each connection but the first."""
    mine = those(wire.PUBLISH)(found)
    firsts = {each.stream: each for each in reversed(mine)}
    return [firsts[stream] for stream in sorted(firsts)][1:]


@scenario(
    "A publisher takes its last number again after each start, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="sequence",
    thread="rabbitmq/rabbitmq-stream-rust-client#234; played with the numbers given by hand",
    fault="QueryPublisherSequence says the last publishing id, and the first message after each "
    "start has that id instead of the next one: the broker takes it for a duplicate, confirms it "
    "and does not store it; four bookings are lost.",
    shows="Five starts of a publisher with a name.",
    guilty=first_of_each_start,
)
def bug_last_number_again_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "sequence_again", "b7-bookings")


@scenario(
    "A publisher takes the next number after each start, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-rust-client#234",
    shows="Five starts of a publisher with a name.",
)
def next_number_after_start_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "sequence_after", "b7-bookings-2")


@scenario(
    "Each web request publishes under a name of its own, by the Go client",
    client="go",
    release="4",
    healthy=False,
    driver=DRIVER,
    faults=GO,
    category="leak",
    thread="rabbitmq/rabbitmq-server#7372 (of AMQP publishers; the stream keeps the names of its "
    "own clients in the same way)",
    fault="Each of 26 requests declares a publisher under a new reference and publishes one "
    "message: the stream keeps the last number of each reference for deduplication, which nobody "
    "will ask for again, and its tracking data grows with each request.",
    shows="26 publishers of one message each.",
    guilty=later(wire.DECLARE_PUBLISHER, rb"request-"),
)
def bug_name_per_request_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "names_of_their_own", "b7-views")


@scenario(
    "Web requests publish under four names in turn, by the Go client",
    client="go",
    release="4",
    healthy=True,
    driver=DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-server#7372",
    shows="26 publishers of one message each.",
)
def four_names_in_turn_go(stage: Stage) -> Facts:
    return stage.drive(DRIVER, "names_of_four", "b7-views-2")


@scenario(
    "A consumer is there only to ask for the stored offset, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="waste",
    thread="coders51/rabbitmq-stream-js-client#206",
    fault="At each of six starts the program subscribes at the first offset only to send "
    "QueryOffset, throws away what it is delivered, unsubscribes, and subscribes again where it "
    "wants to go on: the stream is delivered from its start each time for nothing.",
    shows="Six starts of a report, each after 25 more messages.",
    guilty=later(wire.SUBSCRIBE, rb"b7-receipts" + FIRST),
)
def bug_subscribes_to_ask_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "asks_by_consumer", "b7-receipts")


@scenario(
    "A report asks for its stored offset before it subscribes, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#206",
    shows="Six starts of a report, each after 25 more messages.",
)
def asks_before_it_subscribes_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "asks_first", "b7-receipts-2")


@scenario(
    "The numbers of publishers are used up, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="limits",
    thread="coders51/rabbitmq-stream-js-client#291",
    fault="Each session declares a publisher with the next number and deletes it, and no number is "
    "used again: after 255 there is none left, and the sessions after that ask for Metadata and "
    "declare nothing any more.",
    shows="268 sessions on one connection.",
    guilty=lambda found: (
        those(wire.DECLARE_PUBLISHER)(found)[-5:] + those(wire.METADATA)(found)[-13:]
    ),
)
def bug_publisher_numbers_used_up_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sessions_300", "b7-sessions")


@scenario(
    "Forty sessions, each with a publisher that is deleted, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#291",
    shows="40 sessions on one connection.",
)
def publisher_per_session_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sessions_40", "b7-sessions-2")


@scenario(
    "The arguments of streams have the names of AMQP 0-9-1, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="second layer",
    thread="coders51/rabbitmq-stream-js-client#174",
    fault="Create has x-max-age, x-max-length-bytes and x-stream-max-segment-size-bytes, which are "
    "the names of queue arguments; the stream protocol has them without x-: the broker ignores all "
    "three, and five streams have no retention.",
    shows="Five streams with a retention each.",
    guilty=holding(wire.CREATE, rb"x-max-age"),
)
def bug_arguments_with_prefix_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "arguments_with_prefix", "b7-lines")


@scenario(
    "Streams with a maximum age, length and size of segments, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="coders51/rabbitmq-stream-js-client#174",
    shows="Five streams with a retention each.",
)
def arguments_without_prefix_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "arguments_plain", "b7-lines-2")


@scenario(
    "A consumer that is closed opens again, by the JavaScript client",
    client="js",
    release="4",
    healthy=False,
    driver=SCRIPT,
    faults=JS,
    category="storm",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#251; played by a timer of the program",
    fault="The program closes its consumer five times to rest; what watches over the consumer "
    "takes each Close for a lost connection, connects again a quarter of a second later and "
    "subscribes, so the consumer never rests.",
    shows="150 messages, and a consumer that is closed five times.",
    guilty=later(wire.SUBSCRIBE, rb"b7-ticks"),
)
def bug_opens_again_when_closed_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "opens_again", "b7-ticks")


@scenario(
    "A consumer rests five times, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    driver=SCRIPT,
    faults=JS,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#251",
    shows="150 messages, and a consumer that closes and subscribes again at the next offset.",
)
def consumer_rests_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "rests", "b7-ticks-2")


@scenario(
    "Consumers that live for a moment leave their connections open, by rstream",
    client="rstream",
    release="4",
    healthy=False,
    driver=PYTHON,
    faults=RSTREAM,
    category="leak",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#205",
    fault="Each of 14 lookups opens connections for a consumer of its own, reads three messages "
    "and unsubscribes, and the connections stay open without a subscription: at the end there are "
    "28 idle ones.",
    shows="14 lookups of three messages each.",
    guilty=those(wire.UNSUBSCRIBE),
)
def bug_connections_left_open_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "left_open", "b7-lookups")


@scenario(
    "Consumers that live for a moment close their connections, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#205",
    shows="14 lookups of three messages each.",
)
def lookups_closed_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "closed_again", "b7-lookups-2")


def after_update(found: list[Seen]) -> list[Seen]:
    """Publish frames of the connection that was told that its stream is gone."""
    told = {each.stream for each in found if each.key == wire.METADATA_UPDATE}
    mine = [each for each in those(wire.PUBLISH)(found) if each.stream in told]
    return mine[2:]


@scenario(
    "A publisher goes on after MetadataUpdate, by rstream 0.15.0",
    client="rstream_0_15",
    release="4",
    healthy=False,
    driver="rstream_0_15_seventh_round.py",
    faults=RSTREAM,
    category="abandoned",
    thread="rabbitmq-community/rstream#166",
    fault="The broker says by MetadataUpdate that the stream is not available, and so that the "
    "publisher is gone; the client ignores it and publishes on with the same publisher, which is "
    "not declared any more: no message is stored.",
    shows="A stream that is deleted and created again under its publisher.",
    guilty=after_update,
)
def bug_publishes_after_metadata_update_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_0_15_seventh_round.py", "published_on", "b7-records")


@scenario(
    "A publisher declares itself again after MetadataUpdate, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    thread="rabbitmq-community/rstream#166",
    shows="A stream that is deleted and created again under its publisher.",
)
def declares_again_after_metadata_update_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "published_on", "b7-records-2")


@scenario(
    "A member of a group comes back without its properties, by rstream 0.31.0",
    client="rstream_0_31",
    release="4",
    healthy=False,
    driver="rstream_0_31_seventh_round.py",
    faults=RSTREAM,
    setup=reader_added,
    category="identity",
    thread="rabbitmq-community/rstream#248",
    fault="Two consumers are single active consumers of the name auditor; after each of three lost "
    "connections of the first reconnect_stream subscribes without these properties, so it is no "
    "member of the group any more and is delivered everything that the other one is delivered too.",
    shows="A group of two, one of whose connections are closed three times.",
    guilty=lambda found: [
        each for each in those(wire.SUBSCRIBE)(found) if b"single-active-consumer" not in each.body
    ],
)
def bug_group_left_at_reconnect_rstream(stage: Stage) -> Facts:
    return stage.drive("rstream_0_31_seventh_round.py", "reconnects", "b7-audits", on=cut(stage))


@scenario(
    "A member of a group comes back to it after lost connections, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    driver=PYTHON,
    faults=RSTREAM,
    setup=reader_added,
    thread="rabbitmq-community/rstream#248",
    shows="A group of two, one of whose connections are closed three times.",
)
def comes_back_to_its_group_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "comes_back", "b7-audits-2", on=cut(stage))


@scenario(
    "A sub-batch is larger than a frame may be, by the Java client",
    client="java",
    release="4",
    healthy=False,
    driver=BATCHES,
    category="limits",
    thread="rabbitmq/rabbitmq-server#17133",
    fault="Tune agrees on frames of at most 16384 bytes, and the client puts up to 64 messages of "
    "700 bytes into one sub-batch: the Publish of 38 kB is refused, the broker closes the "
    "connection (frame too large), and neither of its two publishers publishes any more.",
    shows="A publisher of small messages, and one of sub-batches of 64 messages.",
    guilty=lambda found: [each for each in those(wire.PUBLISH)(found) if each.length > 16388],
)
def bug_sub_batch_larger_than_a_frame_java(stage: Stage) -> Facts:
    return stage.drive(BATCHES, "b7-loads", "64")


@scenario(
    "Sub-batches that fit into a frame, by the Java client",
    client="java",
    release="4",
    healthy=True,
    driver=BATCHES,
    thread="rabbitmq/rabbitmq-server#17133",
    shows="Four rounds of 64 messages in sub-batches of eight.",
)
def sub_batches_fit_into_frames_java(stage: Stage) -> Facts:
    return stage.drive(BATCHES, "b7-loads-2", "8")


def handled_late(stage: Stage, stream: str, *, credits_late: bool) -> int:
    """Four rounds of a consumer that unsubscribes while it handles what was delivered."""
    reader = stage.client(name="importer").login()
    consumed = 0
    for number in range(4):
        reader.subscribe(number, stream, wire.FIRST, 3)
        waiting = 0
        for _ in range(3):
            if reader.until(wire.DELIVER, wait=2):
                waiting += 1
        for _ in range(2):
            time.sleep(0.05)
            reader.credit(number)
            waiting -= 1
        reader.unsubscribe(number)
        consumed += waiting + 2
        for _ in range(waiting + 3):
            time.sleep(0.07)  # handles the others
            if credits_late:
                reader.credit(number)
        reader.drain(0.3)
        reader.request(wire.QUERY_OFFSET, string("importer") + string(stream))
    reader.close()
    return consumed


@scenario(
    "Credit is given for a subscription that has ended",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b7-imports", 30),
    category="allowed now",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#154",
    fault="The consumer unsubscribes while it still handles messages and gives a credit after each "
    "of them: the broker answers each with CreditResponse (subscription id does not exist), which "
    "the client does not expect.",
    shows="Four subscriptions that end while their messages are handled.",
)
def bug_credit_after_unsubscribe_by_hand(stage: Stage) -> Facts:
    consumed = handled_late(stage, "b7-imports", credits_late=True)
    [reader] = stage.connections
    given = [n for n, frame in enumerate(reader.sent, 1) if frame.key == wire.CREDIT]
    for number in range(2, len(given), 6):
        stage.accuse(reader, nth=given[number], last=given[number + 3])
    return {"chunks": consumed}


@scenario(
    "Messages are handled after Unsubscribe, without credit",
    release="4",
    healthy=True,
    setup=lambda stage: fill(stage, "b7-imports-2", 30),
    thread="rabbitmq/rabbitmq-stream-dotnet-client#154",
    shows="Four subscriptions that end while their messages are handled.",
)
def handles_on_after_unsubscribe(stage: Stage) -> Facts:
    return {"chunks": handled_late(stage, "b7-imports-2", credits_late=False)}


@scenario(
    "A port scanner sends frames of no size",
    release="4",
    healthy=False,
    setup=lambda stage: fill(stage, "b7-scanned", 3),
    category="format",
    thread="rabbitmq/rabbitmq-server#15703",
    fault="Three connections begin with eight zero bytes, which are two frames of size 0 without a "
    "key: no client of this protocol sent them, but a scanner of ports, and the broker ends each.",
    shows="Three connections of a scanner, between two of a program that publishes.",
)
def bug_frames_of_no_size(stage: Stage) -> Facts:
    writer = stage.client(name="writer").login()
    writer.declare(0, "b7-scanned")
    scanners = []
    for number in range(3):
        scanner = stage.client()
        scanners.append(scanner)
        scanner.together(bytes(4), bytes(4))
        writer.publish(0, 100 + number, [b"reading %d" % number])
        writer.confirmed(1)
        scanner.ended(1.0)
        time.sleep(0.3)
    stage.accuse(scanners[0], nth=1, last=2)
    stage.accuse(scanners[1], nth=1, last=2)
    stage.accuse(scanners[2], nth=1, last=2)
    writer.request(wire.DELETE_PUBLISHER, u8(0))
    writer.close()
    return {"published": 3}
