"""How parts of programs work over time: handlers, loops that pull, what ends connections."""

from typing import Final

from streamshark.conversations.behaviours import Churn
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.behaviours import NO_NODE
from streamshark.protocols.nats.exchange_behaviours import PASSING, REFUSED
from streamshark.protocols.nats.jetstream_errors import CODE
from streamshark.protocols.nats.row_names import ACKING, DELIVERED, IS_ACK, IS_PULL, PROCESSED, SENT

IS_TASK: Final = "reply_to is not None and not starts(reply_to, '$JS.')"
"""The message asks for a reply of the client."""
IS_REPLY: Final = "served.state == 'waiting' and served.handler is not None"
"""The row is the first reply to such a message."""
QUEUED: Final = (
    "served.t <= handler.reply_t and served.n > handler.replied_n and "
    "(t - handler.reply_t) * 2 >= handler.work and (t - served.t) * 2 >= handler.work * 3"
)
"""The request waited for the one before it: its reply takes the time of one more request."""
FLUSHED_LATE: Final = (
    "handler.open == 2 and t - handler.taken_t <= FLUSH_TIME and "
    "t - served.t >= SERIAL_TIME and served.t < handler.taken_t"
)
"""The reply comes just after the next request."""
ACKS: Final = f"{ACKING} and {PROCESSED}"
HELD_UP: Final = (
    f"{ACKS} and served.state == 'waiting' and served.t <= conn.acked_t and conn.unacked >= 4 and "
    "conn.usual_acks >= 3 and t - conn.acked_t > HELD_TIME and "
    "t - conn.acked_t > 10 * conn.usual_ack"
)
"""The message is acknowledged long after the one before, while others wait that were delivered."""
STUCK: Final = (
    "served.state == 'waiting' and t - conn.nested_answer_t >= STUCK_TIME and "
    "(t - conn.nested_t) * 20 <= conn.nested_took * 21 and "
    "(t - conn.nested_t) * 20 >= conn.nested_took * 19"
)
"""A handler continues long after its answer, and as long after its request as the time before."""
_PROGRAM: Final = "client, server, coalesce(conn.client_name, '')"
_LEFT: Final = f"conn.left == 1 and conn.cut is None and {NO_NODE}"
"""The client has ended the connection."""

PROGRAMS: Final[tuple[Table, ...]] = (
    Constant(name="LATE_PONG", value="1 s", doc="Time after which a PONG is late."),
    Constant(name="JUST_BEFORE", value="100 ms", doc="Time between a reply and what it is about."),
    Constant(name="DEAD_LIMIT", value=3, doc="Requests to a handler that has stopped to reply."),
    Constant(name="DEAD_TIME", value="1 s", doc="Time in which a handler replies."),
    Constant(name="GONE_ON_LIMIT", value=3, doc="Messages to an inbox that is unsubscribed."),
    Constant(name="SERIAL_LIMIT", value=3, doc="Requests in a row that wait for the one before."),
    Constant(name="SERIAL_TIME", value="50 ms", doc="Time of a request that makes others wait."),
    Constant(name="BEHIND_LIMIT", value=8, doc="Requests that wait for a handler."),
    Constant(name="BEHIND_TIME", value="500 ms", doc="Time that they wait."),
    Constant(name="FLUSH_TIME", value="5 ms", doc="Time from a request to the reply before it."),
    Constant(name="HELD_TIME", value="1 s", doc="Time for which a message holds up others."),
    Constant(name="STUCK_TIME", value="500 ms", doc="Time for which a handler misses its answer."),
    Constant(name="ENDINGS_LIMIT", value=3, doc="Connections in a row that end at the same line."),
    Constant(name="ENDS_AT", value="1 s", doc="Time from a line to the end that it causes."),
    Constant(name="LOOP_PULLS", value=5, doc="Pull requests that make a loop."),
    Constant(name="LOOP_STOPS", value="2 s", doc="Time without a pull request that ends a loop."),
    # Handlers of requests.
    Lifecycle(
        name="handler",
        scope="connection",
        doc="What replies to the messages of a subscription.",
        key={
            DELIVERED: f"sid if {IS_TASK} else None",
            SENT: "served.handler if served.handler is not None else None",
            "client:unsub": "sid",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=IS_TASK,
        do="served.handler = sid; handler.subject = subject; "
        "handler.open = coalesce(handler.open, 0) + 1; handler.taken_t = t; "
        "handler.silent = coalesce(handler.silent, 0) + 1; "
        "handler.silent_n = n if handler.silent == 1 else handler.silent_n; "
        "handler.silent_t = t if handler.silent == 1 else handler.silent_t; conn.hand_t = t",
    ),
    Action(
        on=SENT,
        when=IS_REPLY,
        do=f"handler.serial = coalesce(handler.serial, 0) + 1 if {QUEUED} else 0; "
        f"handler.unflushed = coalesce(handler.unflushed, 0) + 1 if {FLUSHED_LATE} else 0; "
        "handler.work = t - served.t if served.t > coalesce(handler.reply_t, 0) else handler.work; "
        "handler.least = min(coalesce(handler.least, t - served.t), t - served.t); "
        "handler.longest = max(coalesce(handler.longest, 0), t - served.t); "
        "handler.reply_t = t; handler.replied_n = served.n; "
        "handler.replies = coalesce(handler.replies, 0) + 1; "
        "handler.open = handler.open - 1; handler.silent = 0; "
        "conn.handler_replies = coalesce(conn.handler_replies, 0) + 1; "
        "conn.handler_longest = max(coalesce(conn.handler_longest, 0), t - served.t)",
    ),
    Action(on="client:unsub", do="handler.left_n = n"),
    Lifecycle(
        name="audience",
        scope="capture",
        doc="A subject whose requests are delivered to several connections each.",
        key={
            DELIVERED: f"(server, subject) if {IS_TASK} else None",
            "end:handler": "(server, handler.subject)",
        },
        most=4096,
    ),
    Action(
        on=DELIVERED,
        when=IS_TASK,
        do="audience.several = 1 if audience.reply == reply_to and audience.flow != flow else "
        "audience.several; audience.reply = reply_to; audience.flow = flow",
    ),
    Lifecycle(
        name="desk",
        scope="capture",
        doc="The inboxes of a client that asks, by what is before their last token.",
        key={
            "client:sub": "(server, stem(subject)) if starts(subject, '_INBOX.') else None",
            "end:conn": "(server, stem(conn.inbox)) if starts(conn.inbox, '_INBOX.') else None",
            SENT: f"(server, stem(subject)) if {IS_REPLY} and starts(subject, '_INBOX.') else None",
        },
        most=4096,
    ),
    Action(on="client:sub", do="desk.gone_n = None"),
    Action(on="end:conn", do="desk.gone_n = C.last_n; desk.gone_t = t"),
    Action(on="end:sub", when="why == 'removed' and sub.delivered > 0",
           do="inbox.left_n = sub.unsub_n; inbox.left_t = t; inbox.after = 0"),
    Action(on="client:sub", do="inbox.left_t = None"),
    Action(on=SENT, when="t - inbox.left_t > JUST_BEFORE", do="inbox.after = inbox.after + 1"),
    # What a handler does before a late PONG, and when it waits for an answer of its own.
    Action(on="server:ping", when="coalesce(me.pings, 0) <= 1",
           do="conn.frames_at_ping = C.frames; conn.worked_t = None"),
    Action(on=SENT, when="served.state == 'waiting'",
           do="conn.worked_t = t; conn.worked_from_t = served.t; conn.worked_from_n = served.n"),
    Action(on=DELIVERED, when=IS_ACK, do="conn.hand_t = t"),
    Action(on=DELIVERED, when="conn.nested_reply is not None and subject == conn.nested_reply",
           do="conn.nested_answer_t = t; conn.nested_answer_n = n"),
    Action(
        on=SENT,
        when="conn.nested_answer_t is not None",
        do=f"conn.stuck = coalesce(conn.stuck, 0) + 1 if ({STUCK}) else 0; "
        "conn.nested_took = t - conn.nested_t; conn.nested_answer_t = None; "
        "conn.nested_reply = None",
    ),
    Action(
        on=SENT,
        when=f"reply_to is not None and conn.hand_t is not None and not {ACKING}",
        do="conn.nested_reply = reply_to; conn.nested_t = t; conn.nested_n = n; "
        "conn.nested_answer_t = None",
    ),
    Action(on=SENT, when="served.state == 'waiting'", do="conn.hand_t = None"),
    # Messages of JetStream: what fails while one is handled, and what holds up the others.
    *(
        Action(
            on=on,
            when="asked.state == 'asked' and asked.meaning is None and conn.unacked == 1 and "
            f"{is_error}",
            do="conn.failed_n = n; conn.failed_subject = asked.subject; "
            "conn.failed_asked_n = asked.n",
        )
        for on, is_error in (
            ("server:hmsg", "fields.status == 503"),
            (DELIVERED, f"{REFUSED} and {CODE} not in {PASSING}"),
        )
    ),
    Action(on=SENT, when="conn.failed_n is not None",
           do="conn.failed_n = None"),
    Action(on=DELIVERED, when=IS_ACK, do="conn.since_ack = coalesce(conn.since_ack, 0) + 1; "
           "conn.since_ack_n = n if conn.since_ack == 1 else conn.since_ack_n; "
           "conn.since_ack_t = t if conn.since_ack == 1 else conn.since_ack_t"),
    Action(
        on=SENT,
        when=f"{ACKING} and served.state == 'waiting'",
        do="conn.usual_ack = max(coalesce(conn.usual_ack, 0), t - max(served.t, conn.done_t)) "
        "if conn.done_t is not None else 0; conn.done_t = t; conn.since_ack = 0; "
        "conn.usual_acks = coalesce(conn.usual_acks, 0) + 1; "
        "conn.ack_longest = max(coalesce(conn.ack_longest, 0), t - served.t)",
    ),
    # Loops that pull.
    Lifecycle(
        name="loop",
        scope="connection",
        doc="Pull requests to one consumer.",
        key={
            SENT: f"subject if starts(subject, '$JS.') and {IS_PULL} else None",
            DELIVERED: "sub.pull_of if sub.pull_of is not None else None",
            "client:unsub": "sub.pull_of if sub.pull_of is not None else None",
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when=f"starts(subject, '$JS.') and {IS_PULL}",
        do="loop.gap = max(coalesce(loop.gap, 0), t - coalesce(loop.pull_t, t)); loop.pull_t = t; "
        "loop.pull_n = n; loop.pulls = coalesce(loop.pulls, 0) + 1",
    ),
    Action(
        on=DELIVERED,
        when="sub.pull_of is not None",
        do="loop.latest_n = n; loop.status = None; "
        "loop.waiting = number(token(reply_to, 8)) if starts(reply_to, '$JS.ACK.') else "
        "loop.waiting",
    ),
    Action(on="server:hmsg", when="sub.pull_of is not None", do="loop.status = fields.status"),
    Action(on=DELIVERED, when=f"sub.pull_of is not None and {IS_ACK}",
           do="loop.stream = token(reply_to, 2); loop.subject = subject"),
    Action(on="client:unsub", do="loop.left_t = t"),
    # What ends connections.
    Action(on="server:ping", do="conn.final_n = n; conn.final = 'PING'"),
    Action(on="server:info", when="conn.connect_n is not None",
           do="conn.final_n = n; conn.final = 'INFO'"),
    Action(on="server:err", do="conn.final_n = n; conn.final = message"),
    Action(on="server:hmsg", when="fields.status >= 400",
           do="conn.final_n = n; conn.final = coalesce(description, 'No Responders')"),
    Action(on="server:msg", when=f"asked.state == 'asked' and {REFUSED}",
           do="conn.final_n = n; conn.final = between(payload, DESCRIPTION, QUOTE)"),
    Churn(
        name="endings",
        life="conn",
        per=f"{_PROGRAM}, conn.final",
        when=f"{_LEFT} and conn.final is not None and S.last_n == conn.final_n and "
        "C.last_n < conn.final_n and conn.left_t - S.last_t <= ENDS_AT",
        limit="ENDINGS_LIMIT",
        pause="60 s",
    ),
    Action(
        on=DELIVERED,
        when="not starts(subject, '_') and not starts(subject, '$')",
        do="conn.latest_n = n; conn.latest_subject = subject; "
        "conn.former_payload = conn.latest_payload; conn.latest_payload = payload",
    ),
    Lifecycle(
        name="poison",
        scope="capture",
        doc="A message at which a program ends its connections.",
        key={
            "end:conn": f"({_PROGRAM}, conn.latest_subject, digest(conn.latest_payload)) "
            f"if {_LEFT} and conn.delivered >= 2 and conn.shut_t is None and "
            "conn.latest_payload != conn.former_payload and "
            "S.last_n == conn.latest_n and C.last_n < conn.latest_n and "
            "conn.left_t - S.last_t <= ENDS_AT else None"
        },
        most=1024,
    ),
    Action(
        on="end:conn",
        do="poison.times = coalesce(poison.times, 0) + 1; "
        "poison.first_n = coalesce(poison.first_n, conn.latest_n)",
    ),
)  # fmt: skip
"""Part of the tables of the protocol."""
