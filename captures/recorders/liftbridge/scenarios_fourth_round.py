"""Faults and near misses of the fourth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import BOTH, GO, Facts, Play
from captures.recorders.liftbridge.threads import ONE, PYTHON, Shown, called, fault, near_miss

DRIVER = "fourth_round"


def published(name: str) -> Play:
    """A play of a group that reads while another program publishes."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        thread = threading.Thread(target=lambda: facts.update(plays(GO, "group", DRIVER)))
        thread.start()
        time.sleep(4)
        sent = plays(PYTHON, name, DRIVER)
        thread.join()
        return facts | sent

    return play


fault(
    "resubscribes_at_one",
    "A subscription that has got nothing yet is made again at offset 1",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="liftbridge-io/go-liftbridge#51",
    shows="Three subscribers on the stubs of liftbridge-api, whose partition is paused.",
    says="Three subscribers wait for new alarms; the partition is paused before one came, and each "
    "subscribes again after the last offset it has got, which is still 0, so at offset 1: it gets "
    "19 old alarms that it never asked for.",
    marks=(called("Subscribe", skip=3),),
)

near_miss(
    "resubscribes_after_the_newest",
    "A subscription that has got nothing yet is made again after the newest offset of its start",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#51",
    shows="Three subscribers on the stubs of liftbridge-api, whose partition is paused.",
)

fault(
    "stream_per_session",
    "Each session creates a stream that is never deleted",
    driver=DRIVER,
    server=ONE,
    kind="churn and leak",
    thread="liftbridge-io/go-liftbridge#83",
    shows="18 sessions with a stream of two messages each.",
    says="Each of 18 sessions creates a stream for its user, publishes and reads two messages, and "
    "goes: no stream is ever deleted, and each keeps files open on the server until it has no "
    "more.",
    marks=(called("CreateStream"),),
)

near_miss(
    "stream_of_a_session_deleted",
    "Each session creates a stream and deletes it at its end",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#83",
    shows="18 sessions with a stream of two messages each.",
)

fault(
    "cursor_id_per_run",
    "The cursor has another id in each run",
    driver=DRIVER,
    server=ONE,
    kind="identity",
    thread="liftbridge-io/liftbridge#214, #46",
    shows="Five runs of a reader while another program publishes.",
    says="Each run of the mailer has a new random cursor id: FetchCursor finds nothing (-1), so "
    "each run reads all mails from the first one again, and a cursor that is never fetched again "
    "is left on the server.",
    marks=(called("FetchCursor", skip=1),),
)

fault(
    "resumes_at_the_cursor",
    "Each run starts at the cursor instead of after it",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="liftbridge-io/go-liftbridge#108, liftbridge-io/liftbridge#214",
    shows="Five runs of a reader while another program publishes.",
    says="The cursor is the offset of the last mail that was handled, and each run subscribes at "
    "this offset instead of the next one: the last mail of each run is handled twice.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "resumes_after_the_cursor",
    "Each run starts after the cursor",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#108",
    shows="Five runs of a reader while another program publishes.",
)

fault(
    "cursor_ahead_of_delivery",
    "The cursor is set to the newest offset before the messages are read",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="liftbridge-io/liftbridge#214",
    shows="Five runs of a reader that takes six messages each.",
    says="At its start each run sets the cursor to the newest offset of the partition and then "
    "reads; it is ended after six mails, and the next run goes on after that cursor: all mails "
    "between are never read.",
    marks=(called("SetCursor"),),
)

fault(
    "all_in_partition_zero",
    "All messages of a stream with four partitions are published to the first",
    driver=DRIVER,
    peer=BOTH,
    server=ONE,
    kind="mismatch between sides",
    thread="dgzlopes/python-liftbridge#9",
    shows="python-liftbridge publishes 60 messages; three members of a group in Go share the four "
    "partitions.",
    says="The stream orders has four partitions, which three members of the group billing share; "
    "the publisher never states a partition, so all 60 orders go to partition 0: one member has "
    "all the work, and three partitions stay empty.",
    marks=(
        Shown(
            "an order",
            'tcp.payload matches "order [0-9]+ of customer" && tcp.dstport == 9292',
        ),
    ),
    play=published("all_in_partition_zero"),
)

near_miss(
    "partition_by_customer",
    "Each customer has a partition, and three members share the four",
    driver=DRIVER,
    peer=BOTH,
    server=ONE,
    thread="dgzlopes/python-liftbridge#9, liftbridge-io/liftbridge#81",
    shows="The stub of python-liftbridge publishes 60 messages; three members of a group in Go "
    "share the four partitions.",
    play=published("partition_by_customer"),
)

fault(
    "stops_reading",
    "A subscriber stops reading",
    driver=DRIVER,
    server=ONE,
    kind="limits about to be met",
    thread="liftbridge-io/liftbridge#44",
    shows="A subscriber on the stubs of liftbridge-api, and 60 messages of 4 kB.",
    says="After eight pictures the subscriber takes no more from its stream and sends no "
    "WINDOW_UPDATE: the window of 65535 bytes is used up, and the server sends nothing for the "
    "last seconds, though 60 pictures are stored.",
    marks=(called("Subscribe"),),
)
