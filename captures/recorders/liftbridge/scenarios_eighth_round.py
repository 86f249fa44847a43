"""Faults, near misses and programs of the eighth round of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import GUFO, ONE, THREE, Facts, scenario
from captures.recorders.liftbridge.threads import called, fault, near_miss

DRIVER = "eighth_round"

fault(
    "subscribed_at_a_closed_end",
    "A stream was made read-only, and its reader subscribes at its end again and again",
    driver=DRIVER,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/go-liftbridge#64 (an error like EOF at the end of a read-only stream)",
    shows="A stream that is made read-only after fourteen messages, and the next one.",
    says="epoch-1 is read-only and has been read to its end: each Subscribe at the next offset "
    "ends at once, and the reader repeats it four times a second, while messages go to epoch-2.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "goes_on_in_the_next_stream",
    "A stream was made read-only, and its reader goes on in the next one",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#64",
    shows="A stream that is made read-only after fourteen messages, and the next one.",
)

fault(
    "back_to_a_message_that_fails",
    "A reader subscribes at the offset of a message that it can never handle, again and again",
    driver=DRIVER,
    server=ONE,
    kind="unanswered and abandoned",
    thread="liftbridge-io/go-liftbridge#102",
    shows="34 invoices, the tenth of which is never right.",
    says="The invoice at offset 9 always fails, and the reader cancels and subscribes at offset 9 "
    "again, twenty times in six seconds: it never gets past it, and the invoices behind it are "
    "sent each time and never booked. It has to put the message aside and go on.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "message_that_fails_put_aside",
    "A message that fails three times is published to a stream for such, and reading goes on",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#102",
    shows="34 invoices, the tenth of which is never right.",
)

fault(
    "what_came_meanwhile_skipped",
    "A reader starts with what is new in each run",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="liftbridge-io/liftbridge#46, #103 (a fault-tolerant consumer tracks its position)",
    shows="Messages each 140 ms and five runs of a reader.",
    says="Each run after the first subscribes NEW_ONLY, so what was published while no run was "
    "there is never read: some five messages between each two runs. It has to go on after the "
    "offset that it read last.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "what_came_meanwhile_read",
    "A reader goes on after the offset of its last run",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#46",
    shows="Messages each 140 ms and five runs of a reader.",
)


@scenario(
    "An archive that publishes in bulk and reads on at cursors, by gufo-liftbridge",
    peer=GUFO,
    healthy=True,
    server=ONE,
    shows="Bulks of twelve messages, some compressed by the client, to two partitions, and four "
    "runs of two readers.",
)
def archive_gufo() -> Facts:
    return plays(GUFO, "archive", "gufo_eighth_round")


@scenario(
    "An archive on three servers, one of which ends, by gufo-liftbridge",
    peer=GUFO,
    healthy=True,
    server=THREE,
    shows="Bulks of twelve messages to two partitions of three replicas, and four runs of readers.",
)
def archive_of_three_gufo() -> Facts:
    return plays(GUFO, "archive_of_three", "gufo_eighth_round")
