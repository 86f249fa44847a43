"""Faults and near misses of the tenth round of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.setup import ONE, THREE
from captures.recorders.liftbridge.threads import called, fault, near_miss

DRIVER = "tenth_round"
SHOWS = "Messages each 110 ms on three servers, and four runs of a reader."

fault(
    "cursors_turned_off",
    "A reader keeps its position by cursors, which the servers have turned off",
    driver=DRIVER,
    server=THREE,
    kind="configuration",
    thread="liftbridge-io/liftbridge#316",
    shows=SHOWS,
    says="cursors.stream.partitions is 0, so the client finds no server for its cursors and sets "
    "none; the reader goes on as if they were set and begins with the first message in each run: "
    "all alerts of the earlier runs are paged again.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "offset_noted_by_itself",
    "A reader keeps its position by itself",
    driver=DRIVER,
    server=THREE,
    thread="liftbridge-io/liftbridge#316",
    shows=SHOWS,
)

SHOWS = "Three messages each 2.6 s, and their reader."

fault(
    "paused_while_read",
    "A stream is paused when it is idle, although it is read",
    driver=DRIVER,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/liftbridge#260",
    shows=SHOWS,
    says="doors is paused after 0.9 s without a message, also under its reader: the subscription "
    "ends each time, and the reader, which does not ask to resume, subscribes in vain each 0.4 s "
    "until something is published. The stream needs autoPauseDisableIfSubscribers.",
    marks=(called("CreateStream"), called("Subscribe", skip=1)),
)

near_miss(
    "not_paused_while_read",
    "A stream is paused when it is idle, but for its subscribers",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#260",
    shows=SHOWS,
)
