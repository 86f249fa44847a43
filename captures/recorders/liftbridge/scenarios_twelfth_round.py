"""Faults and near misses of the twelfth blind round: see docs/checking.md."""

from captures.recorders.liftbridge.setup import ONE
from captures.recorders.liftbridge.threads import called, fault, near_miss

DRIVER = "twelfth_round"
SHOWS = "64 orders in four partitions, three pods that read, and payments in between."

fault(
    "partition_without_a_reader",
    "Three pods read the partition of their number, and the stream has four",
    driver=DRIVER,
    server=ONE,
    kind="keys and partitions",
    thread="liftbridge-io/go-liftbridge#103",
    shows=SHOWS,
    says="orders has four partitions, and each of three pods subscribes to the one of its number: "
    "partition 3 is read by no pod, so a quarter of the orders is never handled. The pods have to "
    "share all partitions, by hand or as a consumer group.",
    marks=(called("Subscribe"),),
)
near_miss(
    "partition_for_a_pod_with_two",
    "Three pods share four partitions",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#103",
    shows=SHOWS,
)

SHOWS = "16 temperatures with AckPolicy ALL, lines of a log, and a screen that reads both."
fault(
    "two_replicas_wanted_of_one",
    "A stream wants two replicas in sync, and has one",
    driver=DRIVER,
    server=ONE,
    kind="mismatch between sides",
    thread="liftbridge-io/liftbridge#270, #269",
    shows=SHOWS,
    says="heat is created with minIsr 2 and one replica: no message is ever committed, so every "
    "publish with AckPolicy ALL times out, and the screen gets none of them. It needs a "
    "replication factor of two, or minIsr 1.",
    marks=(called("CreateStream"),),
)
near_miss(
    "one_replica_wanted_of_one",
    "A stream wants one replica in sync, and has one",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#270",
    shows=SHOWS,
)

SHOWS = "14 rooms and 14 users that are published to subjects, and a screen that reads both."
fault(
    "subject_without_a_stream",
    "An acknowledgement is awaited for a subject that has no stream",
    driver=DRIVER,
    server=ONE,
    kind="unanswered and abandoned",
    thread="liftbridge-io/liftbridge#153",
    shows=SHOWS,
    says="The program publishes to room:created, as its programs write it, and the stream rooms is "
    "attached to room.created: no stream gets the message, none acknowledges it, and each call "
    "waits until its deadline. The subject has to be that of the stream.",
    marks=(called("PublishToSubject"),),
)
near_miss(
    "subject_with_a_stream",
    "An acknowledgement is awaited for a subject that has a stream",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#153",
    shows=SHOWS,
)
