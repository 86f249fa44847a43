"""What the parts of programs do: handlers that wait, take turns or stop, and timers that are late.

`parts.py` lists how they fail, and `findings/programs.py` has the rules.
"""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.rabbitmq_stream.behaviours import PROGRAM

CONSTANTS: Final = (
    Constant(name="CREDITED_BEFORE", value=3,
             doc="Credits of a subscription that show that its handler works."),
    Constant(name="MUCH_LONGER", value=10,
             doc="Times the longest pause so far that a handler never needs."),
    Constant(name="CREDIT_TURN", value="100 ms", doc="Time that a chunk takes at least in turn."),
    Constant(name="CREDIT_TURNS", value=6, doc="Credits in turn, at equal distances."),
    Constant(name="CREDIT_CLIMB", value=7, doc="Credits in a row of which each comes later."),
    Constant(name="STORED_BEFORE", value=5, doc="Stored offsets that show how often one comes."),
    Constant(name="LATE_BEATS", value=3, doc="Heartbeats in a row that come too late."),
    Constant(name="STORED_AFTER", value=3, doc="Offsets that are stored after Unsubscribe."),
)  # fmt: skip

LATE_BEAT: Final = (
    "conn.state == 'open' and conn.heartbeat > 1 and "
    "(t - C.acted_t) * 4 > conn.heartbeat * 5000000000"
)
"""A heartbeat comes more than one and a quarter of the interval after the frame before it."""
ASKS: Final = (
    "client:declare_publisher client:publish client:query_publisher_sequence "
    "client:delete_publisher client:subscribe client:query_offset client:unsubscribe client:create "
    "client:delete client:metadata client:route client:partitions client:stream_stats "
    "client:resolve_offset_spec"
)
"""Frames that the broker answers."""
TAKES_TURN: Final = (
    "sub.came_t <= C.turn_t and subscription_id != C.turn_id and t - C.turn_t >= CREDIT_TURN and "
    "max(t - C.turn_t, coalesce(C.turn_took, t - C.turn_t)) * 4 <= "
    "min(t - C.turn_t, coalesce(C.turn_took, t - C.turn_t)) * 5"
)
"""The chunk was there when another subscription was credited, as long ago as that took itself."""

THREADS: Final[tuple[Table, ...]] = (
    Action(
        on=ASKS,
        do="conn.asking = name; conn.asking_n = n; conn.asking_t = t; conn.heard_n = None",
    ),
    Action(
        on="server:any:response server:publish_confirm",
        when="conn.asking_n is not None",
        do="conn.heard_n = coalesce(conn.heard_n, n)",
    ),
    Action(
        on="client:credit",
        when="conn.unfed > 0",
        do="conn.most_unfed = max(coalesce(conn.most_unfed, 1), conn.unfed); "
        "conn.longest_feed = max(coalesce(conn.longest_feed, 0), t - conn.unfed_t); "
        "conn.feeds = coalesce(conn.feeds, 0) + 1",
    ),
    Action(
        on="client:credit client:store_offset client:consumer_update_response",
        do="conn.unfed = 0; conn.asking_n = None",
    ),
    Action(
        on="deliver",
        do="conn.unfed = coalesce(conn.unfed, 0) + 1; conn.unfed_n = n; conn.unfed_t = t",
    ),
    Repetition(
        name="late_beats",
        on="client:heartbeat",
        when=LATE_BEAT,
        per="C",
        limit="LATE_BEATS",
        pause="conn.heartbeat * 5000000000",
        breaks="client:heartbeat",
        breaks_when=f"not ({LATE_BEAT})",
        may_back_off=False,
    ),
    Action(on="client:any", do="C.acted_t = t"),
)
"""Threads that read and write a connection, and the timer of heartbeats."""

HANDLERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="crew",
        scope="capture",
        doc="The subscriptions of a program, on whichever connection.",
        key={
            "credit end:sub": f"client, conn.vhost, {PROGRAM}",
        },
    ),
    Action(
        on="credit",
        when="credit > 0 and (sub.fed_t is None or t - sub.fed_t > USED_EVERY)",
        do="sub.fed_t = t; crew.fed_t = t; crew.fed_n = n",
    ),
    Action(
        on="credit",
        when="credit > 0 and sub.came_t is not None",
        do="sub.climb = coalesce(sub.climb, 0) + 1 if t - sub.came_t > sub.delay else 0; "
        "sub.climb_from = sub.climb_from if sub.climb > 0 else t - sub.came_t; "
        "sub.climb_n = sub.climb_n if sub.climb > 0 else n; sub.delay = t - sub.came_t; "
        "sub.delay_most = max(coalesce(sub.delay_most, 0), sub.delay); "
        "sub.credits = coalesce(sub.credits, 0) + 1; "
        f"C.turns = coalesce(C.turns, 0) + 1 if {TAKES_TURN} else 0; "
        "C.turn_took = t - C.turn_t; C.turn_id = subscription_id; C.turn_n = n; C.turn_t = t; "
        "sub.came_t = None",
    ),
    Action(on="deliver", do="sub.came_t = coalesce(sub.came_t, t)"),
    Action(
        on="store_offset",
        each="sub",
        when="sub.stream == stream and sub.state == 'live' and sub.next is not None",
        do="sub.store_gap = max(coalesce(sub.store_gap, 0), "
        "sub.next - coalesce(sub.store_next, sub.next)); "
        "sub.store_pause = max(coalesce(sub.store_pause, 0), t - coalesce(sub.store_t, t)); "
        "sub.store_next = sub.next; sub.store_t = t; sub.store_n = n; "
        "sub.store_times = coalesce(sub.store_times, 0) + 1",
    ),
    Action(
        on="unsubscribe_response",
        when="response_code == 1",
        do="conn.left_stream = sub.stream; conn.left_t = t; conn.left_n = req.n; "
        "conn.left_stores = 0",
    ),
    Action(
        on="subscribe",
        when="stream == conn.left_stream",
        do="conn.left_stream = None",
    ),
    Action(
        on="store_offset",
        when="stream == conn.left_stream and t - conn.left_t > RACE",
        do="conn.left_stores = conn.left_stores + 1",
    ),
)
"""Handlers of messages, and what stores their offsets."""

PROGRAMS: Final[tuple[Table, ...]] = (*CONSTANTS, *THREADS, *HANDLERS)
"""Added to the tables of `conversations`."""
