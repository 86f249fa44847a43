"""What proves that a behaviour harms its program: messages handled again, not read or not stored.

The behaviours alone are notes; `harm_rules.py` has the warnings.
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.row_names import (
    ACKING,
    CLIENT_OF_NATS,
    CREATING,
    DELIVERED,
    IS_LEFT,
    OF_PROGRAM,
    PROCESSED,
    PROGRAM,
    SENT,
    STORED,
    member,
)
from streamshark.protocols.nats.silence_behaviours import GIVEN_UP

_HERE: Final = (
    "(number(token(conn.ack_to, 5)) if token(conn.ack_to, 2) == conn.create_stream else None)"
)
"""How far this connection has read the stream of the consumer that is created."""
REACHED: Final = f"max(coalesce({_HERE}, 0), coalesce(place.reached, 0))"
"""How far the program has read it, also on the connection before; 0 if that is not known."""
CREATED: Final = f"asked.state == 'asked' and asked.meaning in {CREATING}"
"""The row is the answer to the creation of a consumer."""
BEGUN_AGAIN: Final = (
    f"{CREATED} and (0 < conn.begin_at <= {REACHED} or place.reached >= 5 and "
    "conn.whole_stream is not None and conn.durable is None and place.flow != flow)"
)
"""A new consumer begins before messages that the program has received."""
SKIPS_AHEAD: Final = (
    f"{CREATED} and conn.skips in ('new', 'last') and place.reached > 0 and "
    "place.flow != flow and conn.durable is None"
)
"""A new consumer begins after what was stored while its program was away."""
SKIPPED: Final = (
    "number(token(reply_to, 5)) > conn.left_at + 1 and starts(reply_to, '$JS.ACK.') and "
    "token(reply_to, 2) == conn.create_stream and token(reply_to, 6) == '1'"
)
"""The first message of such a consumer, when each one of the stream was for it: not the next."""
WRITES_ON: Final = f"me.pings >= 1 and C.command_t - me.ping_t > WRITING_FOR and {CLIENT_OF_NATS}"
"""The server sends PING again, and the client has sent lines long after the one before."""
PONG_BEHIND: Final = (
    "C.pings >= 1 and conn.left == 1 and conn.cut is None and conn.shut_t is not None and "
    f"conn.delivered > 0 and conn.left_t - C.ping_t > GIVES_UP_FROM and {CLIENT_OF_NATS}"
)
"""The client ended a connection with PING unanswered, and did not read what had come."""
DONE_AGAIN: Final = (
    f"conn.again >= DONE_AGAIN_LIMIT and {ACKING} and {PROCESSED} and "
    "token(subject, 2) == conn.create_stream and number(token(subject, 5)) <= conn.again_to"
)
"""The row acks a message that the program acked before it began again, not for the first time."""

STANDS_BEYOND: Final = (
    "asked.meaning == 'stream info' and asked.state == 'asked' and "
    "t - reach.told_t <= MOVED_TIME and "
    "number(between(payload, '\"last_seq\":', ',')) < reach.sequence"
)
"""The row describes a stream whose last sequence is below that of a consumer."""
NOT_REACHED: Final = f"shelf.beyond is not None and {STORED} and {member('seq')} <= shelf.beyond"
"""A message was stored with a sequence that its consumer has passed."""

CUT_SHORT: Final = "max_msgs is None and sub.chunks > 0 and sub.chunks_left > 0"
"""The client ends the subscription of an object before the last chunk."""

NEVER_PULLED: Final = (
    "conn.create_n is not None and conn.push_to is None and conn.pulls is None and "
    "conn.idle_inbox_n is not None and conn.ack_to is None and conn.peers is None and "
    "stock.latest_t > conn.create_t + GONE_FOR and "
    "(conn.filter is None or matching(stock.latest, conn.filter))"
)
"""A pull consumer was created and never pulled from, though its stream stored messages."""

STOPPED: Final = "coalesce(loop.left_t, t) - loop.pull_t"
"""Time since the last pull request of a loop."""
STOPPED_FOR_LONG: Final = (
    f"{STOPPED} > 2 * UNREAD_FOR and stock.latest_t > loop.pull_t + UNREAD_FOR and "
    f"coalesce(conn.unacked, 0) == 0 and {CLIENT_OF_NATS}"
)
"""The loop pulls no more, though more and more messages are stored."""
MANY_SILENT: Final = "handler.silent >= SILENT_LEAST and t - handler.silent_t > SILENT_FOR"
"""Requests go on to come to a handler, and none has a reply."""

HARMS: Final[tuple[Table, ...]] = (
    Constant(name="DONE_AGAIN_LIMIT", value=2, doc="Times that a program reads a stream again."),
    Constant(name="UNPULLED_LEAST", value=10, doc="Messages that wait for a pull request."),
    Constant(name="UNREAD_FOR", value="5 s", doc="Time for which messages are stored unread."),
    Constant(name="SILENT_LEAST", value=5, doc="Requests to a handler without a reply."),
    Constant(name="SILENT_FOR", value="5 s", doc="Time in which it replies to none of them."),
    Constant(name="LEFT_LEAST", value=3, doc="Connections of a program that are of no use."),
    Constant(name="LEFT_AGAIN", value=3, doc="Connections that are opened beside them."),
    Constant(name="WRITING_FOR", value="5 s", doc="Time for which a client sends after a PING."),
    Constant(name="GIVES_UP_FROM", value="1 s", doc="Time that a client waits for PONG."),
    Constant(name="GIVES_UP_LIMIT", value=3, doc="Connections that it gives up so."),
    # Messages that a new consumer leaves out.
    Action(
        on="end:conn",
        when="conn.ack_to is not None",
        do="place.dense = 1 if token(conn.ack_to, 5) == token(conn.ack_to, 6) else None",
    ),
    Action(
        on=DELIVERED,
        when=f"{SKIPS_AHEAD} and (place.dense == 1 or conn.filter is None)",
        do="conn.left_at = place.reached",
    ),
    # Connections that are given up before what has come is read.
    Lifecycle(
        name="flooded",
        scope="capture",
        doc="A program that gives up its connections before it has read what has come.",
        key={"end:conn": f"({PROGRAM}) if {PONG_BEHIND} else None"},
        most=1024,
    ),
    Action(
        on="end:conn",
        do="flooded.times = coalesce(flooded.times, 0) + 1; "
        "flooded.first_n = coalesce(flooded.first_n, C.ping_n)",
    ),
    # Connections that pile up.
    Lifecycle(
        name="pile",
        scope="capture",
        doc="The connections of a program that are left open, by the order of their ends.",
        key={"end:conn": f"({OF_PROGRAM}) if {IS_LEFT} else None"},
        most=1024,
    ),
    Action(
        on="end:conn",
        when="pile.idle >= LEFT_LEAST and conn.t > pile.since",
        do="pile.beside = coalesce(pile.beside, 0) + 1; pile.beside_n = conn.connect_n; "
        "pile.most = pile.idle",
    ),
    Action(
        on="end:conn",
        do="pile.idle = coalesce(pile.idle, 0) + 1; "
        "pile.since = max(coalesce(pile.since, 0), C.command_t); "
        "pile.client_name = conn.client_name; pile.flow = flow; "
        "pile.first_n = coalesce(pile.first_n, conn.connect_n)",
    ),
    # Messages that are handled again.
    Action(
        on=SENT,
        when=f"{ACKING} and conn.create_stream is not None and {PROCESSED}",
        do="conn.done_at = subject",
    ),
    # (Who reads the whole stream once on each connection may build its state from it.)
    Action(on=DELIVERED, when=BEGUN_AGAIN, do="conn.begun = coalesce(conn.begun, 0) + 1"),
    Action(
        on=DELIVERED,
        when=f"{BEGUN_AGAIN} and (conn.begin_at > 1 or conn.begun > 1)",
        do="place.begun = coalesce(place.begun, 0) + 1; conn.again = place.begun; "
        "conn.again_to = max(coalesce(number(token(conn.done_at, 5)) "
        "if token(conn.done_at, 2) == conn.create_stream else None, 0), coalesce(place.acked, 0))",
    ),
    Action(
        on="end:conn",
        when="token(conn.done_at, 2) == token(conn.ack_to, 2)",
        do="place.acked = number(token(conn.done_at, 5))",
    ),
    # Messages that a program sets aside when they cannot be processed.
    Lifecycle(
        name="aside",
        scope="capture",
        doc="A server one of whose clients learns of messages that cannot be processed.",
        key={
            "client:sub": f"server if starts(subject, '{GIVEN_UP}') else None",
            "end:again": "server",
        },
    ),
    Action(on="client:sub", do="aside.taken_n = n"),
    # Messages that a consumer does not reach.
    Action(
        on=DELIVERED,
        when=STANDS_BEYOND,
        do="shelf.beyond = reach.sequence; shelf.beyond_n = n; shelf.consumer = reach.consumer",
    ),
    # Objects that are never read to their end.
    Action(on="end:sub", when="why == 'removed' and sub.chunks_left > 0",
           do="conn.cut_reads = coalesce(conn.cut_reads, 0) + 1; conn.cut_read_n = n"),
)  # fmt: skip
"""Part of the tables of the protocol."""
