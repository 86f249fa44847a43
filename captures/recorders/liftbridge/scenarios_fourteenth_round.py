"""Faults and healthy programs of the fourteenth blind round: see docs/checking.md."""

from captures.recorders.liftbridge.setup import APART, THREE
from captures.recorders.liftbridge.threads import called, fault, near_miss

DRIVER = "fourteenth_round"

SHOWS = "16 payments to a stream with three replicas, one of which ends, and a reader."
fault(
    "acks_waited_for_too_short",
    "Payments are published again before their acknowledgement can come",
    driver=DRIVER,
    server=THREE,
    kind="duplicates",
    thread="liftbridge-io/liftbridge#390",
    shows=SHOWS,
    says="A replica has ended, and until it is out of the ISR (4 s) no acknowledgement of AckPolicy"
    " ALL comes. The client waits 0.9 s and publishes the same payment again, each time: every try "
    "is stored, and is acknowledged later. It has to wait longer than replica.max.lag.time, or "
    "the reader has to know payments by a number.",
    marks=(called("PublishAsync"),),
)
near_miss(
    "acks_waited_for_over_a_loss",
    "Payments wait for their acknowledgement while a replica ends",
    driver=DRIVER,
    server=THREE,
    thread="liftbridge-io/liftbridge#390",
    shows=SHOWS,
)
SHOWS = "Measurements each 0.06 s, and an archive that reads for 1.2 s and goes on at its cursor."
fault(
    "kept_shorter_than_it_is_away",
    "Measurements are deleted before the archive comes back",
    driver=DRIVER,
    server=APART,
    kind="lost data",
    thread="liftbridge-io/liftbridge#28",
    shows=SHOWS,
    says="The stream keeps 30 messages and the archive is away for 3.2 s, in which 50 come: it "
    "subscribes at the offset after its cursor, and the first message that it gets is some later "
    "one. What is between is deleted and never archived. The retention has to be longer than the "
    "archive is away.",
    marks=(called("Subscribe", skip=1),),
)
near_miss(
    "kept_longer_than_it_is_away",
    "Measurements are kept until the archive comes back",
    driver=DRIVER,
    server=APART,
    thread="liftbridge-io/liftbridge#28",
    shows=SHOWS,
)
SHOWS = "26 pages with the newest news, an editor, and visits."
fault(
    "subscription_for_each_page",
    "A web server subscribes for each page, and never ends a subscription",
    driver=DRIVER,
    server=APART,
    kind="leaks",
    thread="liftbridge-io/go-liftbridge#35",
    shows=SHOWS,
    says="The web server subscribes to the same partition for each page, on one connection, and "
    "cancels none of the subscriptions: after 26 pages each message is sent 26 times, and the "
    "number grows. It has to cancel the subscription with the page, or to share one.",
    marks=(called("Subscribe", skip=1),),
)
near_miss(
    "subscription_ends_with_a_page",
    "A web server subscribes for each page, and ends the subscription with it",
    driver=DRIVER,
    server=APART,
    thread="liftbridge-io/go-liftbridge#35",
    shows=SHOWS,
)
near_miss(
    "warehouse_of_parcels",
    "Readers of three partitions go on over a restart",
    driver=DRIVER,
    server=APART,
    thread="a healthy program of several readers",
    shows="66 parcels by key, three readers that go on after the last offset when the server is "
    "restarted, a compacted stream, a paused one.",
)
