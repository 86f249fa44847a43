"""What NATS clients do over time: loops, leaks, waste, redeliveries, shared consumers."""

from typing import Final

from streamshark.conversations.behaviours import (
    Alternation,
    Churn,
    Count,
    Leak,
    Ratio,
    Repetition,
    RoundTrips,
    Sequence,
    SharedIdentity,
)
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table, Transition
from streamshark.protocols.nats.row_names import (
    ACKING,
    BATCH,
    CREATES,
    DELIVERED,
    IS_ACK,
    IS_PULL,
    OF_NAME,
    OF_STREAM,
    SENT,
    STORED,
)

_API: Final = "starts(subject, '$JS.')"
_ERROR: Final = "between(payload, 'error\":{\"code\":', ',')"
"""The code of an error in an answer of JetStream."""
_DURABLE: Final = f"{CREATES} and between(payload, DURABLE, COLON) is not None"
_DELIVERY: Final = "token(reply_to, 2), token(reply_to, 3)"
"""Stream and consumer of a delivery of JetStream."""
_POLLED: Final = (
    "consumer info", "stream info", "stream names", "stream list", "consumer names",
    "consumer list", "info",
)  # fmt: skip
_READ_ONE: Final = ("stream msg get", "direct get")

CONSTANTS: Final = (
    Constant(name="DURABLE", value='"durable_name"', doc="Text that makes a consumer durable."),
    Constant(name="COLON", value=":", doc="Text after the name of a member of JSON."),
    Constant(name="REFUSED_LIMIT", value=4, doc="The same refusals in a row."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="ERR_LIMIT", value=3, doc="The same -ERR for one client in a row."),
    Constant(name="ERR_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="POLL_LIMIT", value=10, doc="The same queries, or empty pulls, in a row."),
    Constant(name="POLL_PAUSE", value="100 ms", doc="Longest time between two of them."),
    Constant(name="LOOP_LIMIT", value=3, doc="Redeliveries of one message in a row."),
    Constant(name="LOOP_PAUSE", value="5 s", doc="Longest time between two of them."),
    Constant(name="CREATE_LIMIT", value=5, doc="Consumers created in a row on a stream."),
    Constant(name="STEP_LIMIT", value=10, doc="Requests one by one that could be joined."),
    Constant(name="STORE_LIMIT", value=20, doc="Publishes one by one that wait for their acks."),
    Constant(name="INBOX_LIMIT", value=6, doc="Inboxes that serve one request each."),
    Constant(name="LEFT_LIMIT", value=5, doc="Inboxes that are left subscribed."),
    Constant(name="RECONNECT_LIMIT", value=5, doc="Connections one after the other."),
    Constant(name="DURABLE_LIMIT", value=3, doc="Durable consumers, one for each connection."),
    Constant(name="ECHO_LIMIT", value=10, doc="Messages that cause the next one."),
)  # fmt: skip

LOOPS: Final[tuple[Table, ...]] = (
    Repetition(
        name="refused",
        on=DELIVERED,
        when=f"asked.state == 'asked' and {_ERROR} is not None",
        per="client, server, asked.subject",
        same="between(payload, DESCRIPTION, QUOTE)",
        question="asked.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        success=DELIVERED,
        success_when=f"asked.state == 'asked' and {_ERROR} is None",
    ),
    Repetition(
        name="unheard",
        on="hmsg",
        when="asked.state == 'asked' and fields.status == 503",
        per="client, server, asked.subject",
        question="asked.n",
        limit="REFUSED_LIMIT",
        pause="REFUSED_PAUSE",
        breaks="hmsg",
        breaks_when="asked.state == 'asked' and fields.status is None",
        success="msg",
        success_when="asked.state == 'asked'",
    ),
    Repetition(
        name="erred",
        on="err",
        per="client, server, message",
        question="coalesce(C.command_n, n)",
        limit="ERR_LIMIT",
        pause="ERR_PAUSE",
    ),
    Repetition(
        name="empty_pulls",
        on="server:hmsg",
        when="pull.state == 'asked' and fields.status == 404 and "
        "pull.n > coalesce(conn.pulled_n, 0)",
        per="flow, pull.subject",
        question="pull.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="polled",
        on=SENT,
        when=f"{_API} and called(subject, JETSTREAM) in {_POLLED!r}",
        per="flow, subject",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="redelivered",
        on=DELIVERED,
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1",
        per=f"server, {_DELIVERY}, token(reply_to, 5)",
        limit="LOOP_LIMIT",
        pause="LOOP_PAUSE",
    ),
    Repetition(
        name="created",
        on=SENT,
        when=CREATES,
        per=f"client, server, coalesce(conn.client_name, ''), {OF_STREAM}",
        limit="CREATE_LIMIT",
        pause="REFUSED_PAUSE",
        breaks=SENT,
        breaks_when=f"{_API} and called(subject, JETSTREAM) == 'consumer delete'",
    ),
    Action(on=SENT, when="not starts(subject, '$') and reply_to is None",
           do="conn.sent_subject = subject; conn.caused = conn.echoed_t; "
           "conn.echoed_t = None"),
    Repetition(
        name="echoed",
        on=DELIVERED,
        when="subject == conn.sent_subject and t - conn.caused < 10000000",
        per="flow, subject",
        limit="ECHO_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Action(on=DELIVERED, when="subject == conn.sent_subject", do="conn.echoed_t = t"),
    Churn(
        name="reconnected",
        life="conn",
        per="client, server, coalesce(conn.client_name, '')",
        when="conn.state == 'open' and conn.peers is None and C.frames <= 8 and "
        "conn.published + conn.delivered <= 2",
        limit="RECONNECT_LIMIT",
    ),
)  # fmt: skip

CHURN_AND_LEAKS: Final[tuple[Table, ...]] = (
    Churn(
        name="inbox_per_request",
        life="sub",
        per="flow",
        when="starts(sub.subject, '_INBOX.') and sub.delivered <= 1 and why == 'removed'",
        limit="INBOX_LIMIT",
    ),
    Leak(
        name="inboxes",
        life="sub",
        when="starts(sub.subject, '_INBOX.') and sub.limit is None and sub.delivered == 1 and "
        "sub.pull_n is None",
        limit="LEFT_LIMIT",
        percent_left=50,
        percent_ended=10,
    ),
    Action(on=DELIVERED, do="sub.delivered_n = n"),
    SharedIdentity(
        name="subscribed_twice",
        life="sub",
        on="client:sub",
        when="queue_group is None",
        key="flow, subject, server",
        end_key="flow, sub.subject if sub.queue is None else None, server",
        used="sub.delivered_n",
    ),
)

REDELIVERIES: Final[tuple[Table, ...]] = (
    Action(on=DELIVERED, when=IS_ACK,
           do="conn.unacked = coalesce(conn.unacked, 0) + 1; conn.stalls = 0; "
           "conn.unacked_n = coalesce(conn.unacked_n, n); "
           "conn.waiting = number(token(reply_to, 8)); conn.pulled_n = n"),
    Action(on=SENT, when=f"{ACKING} and begins(payload, ACKS) != 'in progress'",
           do="conn.unacked = coalesce(conn.unacked, 0) - 1; conn.unacked_n = None"),
    Action(on=SENT, when=f"{_API} and {IS_PULL}", do="pull.subject = subject"),
    Action(on="server:hmsg", when="fields.status == 408 and pull.state == 'asked'",
           do="conn.stalls = coalesce(conn.stalls, 0) + 1"),
    Lifecycle(
        name="again",
        scope="connection",
        doc="A message of JetStream that was delivered again, by stream, consumer and sequence.",
        key={
            DELIVERED: f"({_DELIVERY}, token(reply_to, 5)) if {IS_ACK} and "
            "number(token(reply_to, 4)) > 1 else None",
            SENT: f"(token(subject, 2), token(subject, 3), token(subject, 5)) if {ACKING} "
            "else None",
        },
        most=1024,
    ),
    Action(on=DELIVERED, when=f"{IS_ACK} and number(token(reply_to, 4)) > 1",
           do="again.number = number(token(reply_to, 4)); again.delivered_n = n"),
    Sequence(
        name="consumed",
        on=DELIVERED,
        when=f"{IS_ACK} and sub.pull_n is None and sub.queue is None and sub.state == 'live'",
        per="flow, sid, token(reply_to, 2), token(reply_to, 3)",
        value="number(token(reply_to, 6))",
        expect="leaves no gap",
    ),
)  # fmt: skip

SHARED: Final[tuple[Table, ...]] = (
    Alternation(
        name="configured",
        on=SENT,
        when=_DURABLE,
        per=f"server, {OF_STREAM}, {OF_NAME}",
        by="digest(payload)",
    ),
    Lifecycle(
        name="consumer",
        scope="capture",
        doc="A push consumer of JetStream, by its deliveries.",
        key={DELIVERED: f"(server, {_DELIVERY}) if {IS_ACK} and sub.pull_n is None else None"},
        most=1024,
    ),
    Action(on=DELIVERED, when=f"{IS_ACK} and sub.pull_n is None",
           do="consumer.sequence = number(token(reply_to, 6)); consumer.flow = flow; "
           "consumer.delivered_n = n"),
    Lifecycle(
        name="durables",
        scope="capture",
        doc="The durable consumers that programs of one name create on a stream.",
        key={
            SENT: f"(client, server, coalesce(conn.client_name, ''), {OF_STREAM}) if "
            f"{_DURABLE} else None",
            "end:conn": "(client, server, coalesce(conn.client_name, ''), conn.durable_stream) if "
            "conn.durable_stream is not None else None",
        },
        most=1024,
    ),
    Action(on=SENT,
           when=_DURABLE,
           do=f"put(durables.names, {OF_NAME}); "
           "durables.former_n = coalesce(durables.latest_n, n); durables.latest_n = n; "
           "durables.live = coalesce(durables.live, 0) + "
           "(1 if conn.durable_stream is None else 0)"),
    Action(on=SENT,
           when=_DURABLE,
           do=f"conn.durable_stream = coalesce(conn.durable_stream, {OF_STREAM})"),
    Action(on="end:conn", do="durables.live = durables.live - 1"),
    Lifecycle(
        name="inbox",
        scope="capture",
        doc="A reply subject that somebody has subscribed to, and then given up.",
        key={
            "client:sub": "(server, subject) if starts(subject, '_INBOX.') else None",
            "end:sub": "(server, sub.subject) if starts(sub.subject, '_INBOX.') else None",
            SENT: "(server, subject) if starts(subject, '_INBOX.') else None",
        },
        steps=(
            Transition("absent unknown", "client:sub", "listened"),
            Transition("gone", "client:sub", "listened"),
        ),
        most=4096,
    ),
    Action(on="end:sub", when="why == 'removed' and sub.delivered == 0",
           do="inbox.gone_n = sub.last_n; inbox.gone_t = t"),
    Action(on="client:sub", do="inbox.gone_n = None"),
)  # fmt: skip

UNHEARD: Final[tuple[Table, ...]] = (
    Action(
        on=SENT,
        when=f"{_API} and not {ACKING} and reply_to is not None",
        do="conn.unheard_n = n; conn.unheard_reply = reply_to",
    ),
    Action(
        on=SENT,
        each="sub",
        when=f"{_API} and sub.state == 'live' and matching(reply_to, sub.subject)",
        do="conn.unheard_n = None",
    ),
)

WASTE: Final[tuple[Table, ...]] = (
    RoundTrips(
        name="pulled_singly",
        ask=SENT,
        when=f"{_API} and {IS_PULL} and (len(payload) == 0 or {BATCH} == 1)",
        answer=DELIVERED,
        answer_when=IS_ACK,
        per="conn",
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="flushed",
        ask="client:ping",
        answer="server:pong",
        per="conn",
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="read_singly",
        ask=SENT,
        when=f"{_API} and called(subject, JETSTREAM) in {_READ_ONE!r}",
        answer=DELIVERED,
        answer_when=f"asked.state == 'asked' and asked.meaning in {_READ_ONE!r}",
        per="conn",
        limit="STEP_LIMIT",
    ),
    RoundTrips(
        name="stored_singly",
        ask=SENT,
        when="not starts(subject, '$') and reply_to is not None",
        answer=DELIVERED,
        answer_when=STORED,
        per="conn",
        limit="STORE_LIMIT",
    ),
    Ratio(
        name="acked_twice",
        per="conn",
        of=Count(
            SENT,
            f"{ACKING} and served.state == 'answered' and begins(payload, ACKS) != 'in progress'",
        ),
        to=Count(SENT, ACKING),
        least=2,
        percent=5,
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *LOOPS, *CHURN_AND_LEAKS, *REDELIVERIES, *SHARED, *UNHEARD, *WASTE,
)  # fmt: skip
"""Part of the tables of the protocol."""
