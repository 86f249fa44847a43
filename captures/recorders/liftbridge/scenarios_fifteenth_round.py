"""Faults and healthy programs of the fifteenth blind round: see docs/checking.md."""

from captures.recorders.liftbridge.setup import APART, EARLIER_GO
from captures.recorders.liftbridge.threads import called, fault, near_miss

DRIVER = "fifteenth_round"

SHOWS = "40 bills, billing that reads all, an audit that begins after 20, and a screen."
THREAD = "liftbridge-io/go-liftbridge#9"
fault(
    "audit_of_new_bills_only",
    "A reader begins at new messages, though the stream has some",
    driver=DRIVER,
    server=APART,
    kind="positions",
    thread=THREAD,
    shows=SHOWS,
    says="The audit subscribes to bills with the default start, which is NEW_ONLY, when 20 bills "
    "are there: it never gets them. It has to give a start position: the earliest, or an offset.",
    marks=(called("Subscribe", skip=2),),
)
near_miss(
    "audit_of_all_bills",
    "A reader begins at the earliest message, and a screen at new ones",
    driver=DRIVER,
    server=APART,
    thread=THREAD,
    shows=SHOWS,
)
fault(
    "subscription_not_renewed",
    "A subscription ends with the server, and is not made again",
    driver=DRIVER,
    server=APART,
    kind="reconnecting",
    thread="liftbridge-io/go-liftbridge#8",
    shows="48 alarms, a display that subscribes again after a restart, a watch that does not.",
    says="The subscription of the watch ended when the server was restarted. The watch is "
    "connected again and asks for metadata, but does not subscribe again: 32 alarms come "
    "without it. It has to subscribe again after the last offset that it has.",
    marks=(called("FetchPartitionMetadata"),),
)
fault(
    "publishes_no_more",
    "The stream of publishes ends with the server, and no other one is opened",
    peer=EARLIER_GO,
    driver="",
    server=APART,
    kind="reconnecting",
    thread="liftbridge-io/go-liftbridge#119",
    shows="50 sales, and a restart of the server after 20.",
    says="The call of PublishAsync ended when the server was restarted, and the client opens no "
    "other one: it asks for metadata on its new connection and publishes nothing, so that 30 "
    "sales time out. It has to call PublishAsync again.",
    marks=(called("FetchMetadata", skip=1),),
)
near_miss(
    "meters_over_a_restart",
    "Readers of two partitions go on after a restart, by their cursors",
    driver=DRIVER,
    server=APART,
    thread="a healthy program of several readers",
    shows="80 readings by key, two readers with cursors, and a restart of the server.",
)
