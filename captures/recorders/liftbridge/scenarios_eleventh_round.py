"""Faults, near misses and a program of the eleventh blind round: see docs/checking.md."""

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import ACCOUNTS, GUFO, ONE, THREE, Facts, scenario
from captures.recorders.liftbridge.threads import Shown, called, fault, near_miss

DRIVER = "eleventh_round"
SHOWS = "45 messages of a device over NATS, and publishes of alarms in between."

fault(
    "published_in_another_account",
    "A device publishes in another account of NATS than the one of the servers",
    driver=DRIVER,
    server=ACCOUNTS,
    kind="mismatch between sides",
    thread="liftbridge-io/go-liftbridge#35",
    shows=SHOWS,
    says="plc-7 is connected to NATS as guest, whose account is not that of the Liftbridge server: "
    "what it publishes to plant.pressure reaches no subscription of the other account, and the "
    "stream pressure stays empty. The device needs a user of that account, or the account an "
    "export.",
    marks=(Shown("a message over NATS", 'tcp contains "PUB plant.pressure"'),),
)
near_miss(
    "published_in_their_account",
    "A device publishes in the account of the servers",
    driver=DRIVER,
    server=ACCOUNTS,
    thread="liftbridge-io/go-liftbridge#35",
    shows=SHOWS,
)

SHOWS = "A stream of three partitions, and an archive of their subjects."
fault(
    "archive_misses_one_partition",
    "The subject of an archive matches all partitions but the first",
    driver=DRIVER,
    server=ONE,
    kind="subjects and filters",
    thread="liftbridge-io/liftbridge#184",
    shows=SHOWS,
    says="The partitions of orders have the subjects orders, orders.1 and orders.2. The stream "
    "archive-0 is attached to orders.*, which does not match the first of them: a third of the "
    "orders is never archived.",
    marks=(called("CreateStream", skip=1),),
)
near_miss(
    "archive_of_all_partitions",
    "Two archives whose subjects match all partitions",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#184",
    shows=SHOWS,
)

SHOWS = "A message each 160 ms, and a job that pauses a stream each 450 ms."
fault(
    "paused_while_published",
    "A stream is paused again and again while messages are published to it",
    driver=DRIVER,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/liftbridge-api#18",
    shows=SHOWS,
    says="The job pauses visits each 450 ms, although a message comes each 160 ms: the next "
    "publish resumes it, all its partitions are opened again, and it is paused again. Only a "
    "stream that is idle is to be paused, best by its auto pause time.",
    marks=(called("PauseStream"),),
)
near_miss(
    "paused_when_it_is_sparse",
    "A stream to which nothing is published is paused again and again",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge-api#18",
    shows=SHOWS,
)

SHOWS = "24 messages on three servers, and the high watermark after each."
fault(
    "watermark_asked_of_a_follower",
    "The high watermark is asked of a server that follows the partition",
    driver=DRIVER,
    server=THREE,
    kind="asked of the wrong server",
    thread="liftbridge-io/liftbridge#242",
    shows=SHOWS,
    says="FetchPartitionMetadata is answered by the leader of the partition only; the monitor asks "
    "a follower, is refused with FailedPrecondition, and asks it again each 250 ms instead of "
    "looking for the leader in the metadata.",
    marks=(called("FetchPartitionMetadata"),),
)
near_miss(
    "watermark_asked_of_the_leader",
    "The high watermark is asked of the server that leads the partition",
    driver=DRIVER,
    server=THREE,
    thread="liftbridge-io/liftbridge#242",
    shows=SHOWS,
)


@scenario(
    "A journal with a writer, runs of an auditor and a dashboard, by gufo-liftbridge",
    peer=GUFO,
    healthy=True,
    server=ONE,
    shows="75 messages, three runs of a reader with a cursor, one that follows, and a removal.",
)
def journal_gufo() -> Facts:
    return plays(GUFO, "journal", "gufo_eleventh_round")
