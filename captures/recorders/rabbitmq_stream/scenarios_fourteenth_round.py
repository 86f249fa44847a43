"""Scenarios of the fourteenth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import holding
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss

GO_DRIVER, JS, RBFLY = "fourteenth_round.go", "js_fourteenth_round.mjs", "rbfly_fourteenth_round.py"
RUST, JAVA, PY = "fourteenth_round.rs", "Fourteenth.java", "rstream_fourteenth_round.py"

SHOWS = "Two mailers of a group, started together; the first ends after four seconds."
fault(
    "stale_offset_when_active_js",
    lambda stage: stage.drive(JS, "stale", "b14-mails"),
    "A consumer becomes active and begins where it was when it started, by the JavaScript client",
    client="js",
    driver=JS,
    kind="single active consumer",
    thread="coders51/rabbitmq-stream-js-client#239",
    shows=SHOWS,
    says="mailer-1 becomes active after mailer-0 has handled and stored some 80 messages, and "
    "answers ConsumerUpdate with the first offset, which was right when it started: it mails all "
    "of them again. It has to ask for the stored offset when it becomes active.",
    guilty=those(wire.CONSUMER_UPDATE | wire.RESPONSE, 2),
)
near_miss(
    "stored_offset_when_active_js",
    lambda stage: stage.drive(JS, "fresh", "b14-letters"),
    "A consumer becomes active and begins after the stored offset, by the JavaScript client",
    client="js",
    driver=JS,
    thread="coders51/rabbitmq-stream-js-client#239",
    shows=SHOWS,
)

SHOWS = "A resizer reads photos and publishes thumbnails; it crashes twice and is started again."
fault(
    "offset_stored_before_the_result_go",
    lambda stage: stage.drive(GO_DRIVER, "early", "b14-photos"),
    "A consumer stores the offset of messages whose results it has not published, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    kind="offsets",
    thread="rabbitmq/rabbitmq-stream-go-client#322",
    shows=SHOWS,
    says="The resizer stores the offset of photos when they arrive, and publishes their thumbnails "
    "later. It crashes in between and goes on after the stored offset: thumbnails of the photos "
    "between the last thumbnail and the stored offset are never published. The offset may be "
    "stored only once the results are confirmed.",
    guilty=those(wire.STORE_OFFSET),
)
near_miss(
    "offset_stored_after_the_result_go",
    lambda stage: stage.drive(GO_DRIVER, "late", "b14-scans"),
    "A consumer stores the offset of messages once their results are confirmed, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#322",
    shows=SHOWS,
)

SHOWS = "Bookings of a site, and two mirrors, one in each direction."
fault(
    "mirrors_copy_each_other_rbfly",
    lambda stage: stage.drive(RBFLY, "plain", "b14-bookings"),
    "Two programs copy what the other has copied, by rbfly",
    client="rbfly",
    driver=RBFLY,
    kind="floods",
    thread="cloudamqp/lavinmq#1051",
    shows=SHOWS,
    says="Each mirror copies to the other stream all that it reads, and so what the other mirror "
    "has put there: booking 0 comes back again and again, and the streams grow without end. A "
    "mirror has to leave out what comes from its target.",
    guilty=holding(wire.PUBLISH, rb"booking 0 of"),
)
near_miss(
    "mirrors_know_the_origin_rbfly",
    lambda stage: stage.drive(RBFLY, "marked", "b14-reserves"),
    "Two programs copy streams to each other and leave out copies, by rbfly",
    client="rbfly",
    driver=RBFLY,
    thread="cloudamqp/lavinmq#1051",
    shows=SHOWS,
)

SHOWS = "Steps of parcels, numbered in each parcel, by a pool of three connections."
fault(
    "steps_out_of_order_rust",
    lambda stage: stage.drive(RUST, "any", "b14-parcels"),
    "Messages of a group are stored in another order than they are numbered, by the Rust client",
    client="rust",
    driver=RUST,
    kind="ordering",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#425",
    shows=SHOWS,
    says="The steps of one parcel (group-id, numbered by group-sequence) are published over three "
    "connections whose batches wait for different times: parcel-0 is loaded before it is packed. "
    "Messages whose order matters have to go through one publisher.",
    guilty=those(wire.PUBLISH),
)
near_miss(
    "steps_in_order_rust",
    lambda stage: stage.drive(RUST, "own", "b14-crates"),
    "Messages of a group go through one connection of a pool, by the Rust client",
    client="rust",
    driver=RUST,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#425",
    shows=SHOWS,
)

SHOWS = "Four runs of a ledger, which stores its place after each ten sales."
fault(
    "count_stored_as_offset_go",
    lambda stage: stage.drive(GO_DRIVER, "count", "b14-sales"),
    "A consumer stores how many messages it has handled in place of an offset, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    kind="offsets",
    thread="rabbitmq/osiris#99",
    shows=SHOWS,
    says="The ledger stores the number of messages that it has handled, 10, 20, 30, as offset, "
    "while the messages have other offsets: other entries take offsets too. The stored place "
    "drifts away from what it has handled, and each run begins at a wrong place.",
    guilty=those(wire.STORE_OFFSET),
)
near_miss(
    "offset_of_each_tenth_go",
    lambda stage: stage.drive(GO_DRIVER, "offset", "b14-refunds"),
    "A consumer stores the offset of each tenth message, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    thread="rabbitmq/osiris#99",
    shows=SHOWS,
)

SHOWS = "Two consumers of a group, and a publisher."
fault(
    "active_consumer_hangs_java",
    lambda stage: stage.drive(JAVA, "hangs", "b14-invoices"),
    "The active consumer of a group hangs while another waits, by the Java client",
    client="java",
    driver=JAVA,
    kind="stalls",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#246",
    shows=SHOWS,
    says="After 60 messages the handler of the active consumer hangs: it gives no credit any more, "
    "and nothing is delivered for eight seconds while messages are published. Its connection "
    "lives, so the broker does not make the waiting consumer active.",
    guilty=those(wire.CREDIT),
)
near_miss(
    "active_consumer_is_slow_java",
    lambda stage: stage.drive(JAVA, "works", "b14-bills"),
    "The active consumer of a group is slow and goes on, by the Java client",
    client="java",
    driver=JAVA,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#246",
    shows=SHOWS,
)


def restarted(stage: Stage) -> Facts:
    """A play during which the broker's application is stopped and started again."""

    def restart(_pid: int) -> None:
        stage.ctl("stop_app")
        time.sleep(1)
        stage.ctl("start_app")

    return stage.drive(JAVA, "restart", "b14-journal", on={"restart": restart})


def together(stage: Stage) -> Facts:
    """Clients of three libraries: one publishes, two read."""
    facts: dict[str, object] = {}

    def read(name: str, script: str) -> None:
        facts[name] = stage.drive(script, "follows", "b14-quotes").get("consumed")

    readers = [threading.Thread(target=read, args=each) for each in (("ticker", PY), ("chart", JS))]
    feeder = threading.Thread(
        target=lambda: facts.update(stage.drive(GO_DRIVER, "feed", "b14-quotes"))
    )
    feeder.start()
    time.sleep(1)
    for each in readers:
        each.start()
    feeder.join()
    for each in readers:
        each.join()
    return facts


for _name, _client, _driver, _play, _title, _shows, _faults in (
    (
        "broker_restarts_java",
        "java",
        JAVA,
        restarted,
        "A publisher and a reader recover from a restart of the broker's application",
        "The broker's application is stopped and started again while both work.",
        None,
    ),
    (
        "import_in_three_runs_java",
        "java",
        JAVA,
        lambda stage: stage.drive(JAVA, "imports", "b14-register"),
        "An import goes on after the last publishing id in each of three runs",
        "Forty rows more in each run; each reads all rows at its end.",
        None,
    ),
    (
        "slow_reader_rbfly",
        "rbfly",
        RBFLY,
        lambda stage: stage.drive(RBFLY, "slow", "b14-tables"),
        "A slow reader goes on after the offset that it has written",
        "Orders of a hundred bytes, a reader of fourteen a second, three sessions.",
        None,
    ),
    (
        "super_stream_and_rest_rust",
        "rust",
        RUST,
        lambda stage: stage.drive(RUST, "regions", "b14-regions"),
        "A super stream with two sessions of a reader, and a rest",
        "A producer of three partitions, two readers one after the other, heartbeats in a rest.",
        None,
    ),
    (
        "large_maps_rstream",
        "rstream",
        PY,
        lambda stage: stage.drive(PY, "large", "b14-maps"),
        "Large messages and compressed batches, and a reader that rests",
        "Messages of up to 120 kB, which the reader handles slowly with three credits.",
        RSTREAM,
    ),
    (
        "operator_beside_work_go",
        "go",
        GO_DRIVER,
        lambda stage: stage.drive(GO_DRIVER, "admin", "b14-ops"),
        "An operator's tool beside a publisher and a reader",
        "Streams are declared and deleted, metadata, statistics and partitions are asked for.",
        GO,
    ),
    (
        "three_libraries_together",
        "three",
        GO_DRIVER,
        together,
        "A feed by the Go client, read by rstream and the JavaScript client",
        "Bursts and pauses; two readers in two sessions each, with offsets of their own.",
        GO,
    ),
):
    near_miss(
        _name,
        _play,
        _title,
        client=_client,
        driver=_driver,
        thread="",
        shows=_shows,
        **({"faults": _faults} if _faults else {}),
    )

fault(
    "ring_of_copiers_rstream",
    lambda stage: stage.drive(PY, "three", "b14-ring"),
    "Three programs copy streams in a ring, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="floods",
    thread="cloudamqp/lavinmq#1051",
    shows="Receipts of a till, and three copiers between three streams.",
    says="Each copier copies all that it reads to the next stream of a ring of three, so each "
    "receipt comes back to its own stream again and again.",
    guilty=holding(wire.PUBLISH, rb"receipt \d+ of"),
)
fault(
    "count_stored_as_offset_rstream",
    lambda stage: stage.drive(PY, "counts", "b14-gates"),
    "A consumer stores how many messages it has handled in place of an offset, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="offsets",
    thread="rabbitmq/osiris#99",
    shows="Three runs of a counter of visitors, which stores its place after each four.",
    says="The counter stores 4, 8, 12 and so on, the number of visitors, as offset: offsets of "
    "messages are others, as what it stores takes some of them.",
    guilty=those(wire.STORE_OFFSET),
)
fault(
    "offset_stored_before_the_result_rstream",
    lambda stage: stage.drive(PY, "pipeline", "b14-texts"),
    "A consumer stores the offset of messages whose results it has not published, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="offsets",
    thread="rabbitmq/rabbitmq-stream-go-client#322",
    shows="A translator reads texts and publishes translations; it is stopped once.",
    says="The translator stores the offset of each text when it arrives, and translates it later; "
    "when it is stopped, texts that it had not translated are left out for good.",
    guilty=those(wire.STORE_OFFSET),
)
fault(
    "steps_out_of_order_go",
    lambda stage: stage.drive(GO_DRIVER, "parcels", "b14-boxes"),
    "Messages of a group are stored in another order than they are numbered, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    kind="ordering",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#425",
    shows="Steps of parcels by two connections in turn, whose batches wait for different times.",
    says="Step 1 of parcel-0 is published before step 0: each step goes through another one of two "
    "connections. Messages whose order matters have to go through one publisher.",
    guilty=those(wire.PUBLISH),
)
fault(
    "active_consumer_hangs_go",
    lambda stage: stage.drive(GO_DRIVER, "hangs", "b14-costs"),
    "The active consumer of a group hangs while another waits, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    kind="stalls",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#246",
    shows="Two consumers of a group, and a publisher.",
    says="After 45 messages the handler of the active consumer hangs and gives no credit any more, "
    "while messages are published and another member of the group waits.",
    guilty=those(wire.CREDIT),
)
fault(
    "count_stored_as_offset_rbfly",
    lambda stage: stage.drive(RBFLY, "counts", "b14-meters"),
    "A consumer stores the number of its last message in place of an offset, by rbfly",
    client="rbfly",
    driver=RBFLY,
    kind="offsets",
    thread="rabbitmq/osiris#99",
    shows="A meter that stores its place after each five readings.",
    says="The meter stores 4, 9, 14 and so on, the number of its last reading, as offset: offsets "
    "of messages are others, as what it stores takes some of them.",
    guilty=those(wire.STORE_OFFSET),
)
