"""What NATS clients do over time: loops, leaks, waste, redeliveries, shared consumers."""

from typing import Final

from streamshark.conversations.behaviours import (
    Alternation,
    Churn,
    Count,
    Leak,
    Mixture,
    Ratio,
    Repetition,
    RoundTrips,
    Sequence,
    SharedIdentity,
)
from streamshark.conversations.payload_formats import FORMATS, format_of
from streamshark.conversations.tables import (
    CAPTURED,
    Action,
    Constant,
    Lifecycle,
    Table,
    Timer,
    Transition,
)
from streamshark.protocols.nats.row_names import (
    ACKING,
    BATCH,
    CREATES,
    CREATING,
    DELIVERED,
    IS_ACK,
    IS_PULL,
    OF_NAME,
    OF_PROGRAM,
    OF_STREAM,
    PROCESSED,
    PROGRAM,
    SENT,
    SHUT_OUT,
    START,
    STORED,
    member,
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
NO_NODE: Final = "conn.peers is None and not starts(coalesce(conn.client_name, ''), 'LIFT.')"
"""The connection is not that of a node of a cluster, of NATS or of Liftbridge."""
_PROGRAM: Final = "client, coalesce(conn.client_name, ''), coalesce(conn.client_product, '')"
_INBOXES: Final = "starts(sub.subject, '_INBOX.')"
_IS_INBOX: Final = "(starts(sub.subject, '_INBOX.') or has(conn.replies, sub.subject))"
"""A subscription for replies: by its name, or because a request has named it."""
_CUT: Final = "conn.cut == 1 and conn.connect_n is not None and conn.peers is None"
"""The connection of an object that has ended was lost, and not closed."""
_DELIVERS_TO: Final = (
    """coalesce(between(payload, '"deliver_subject":"', '"'), """
    """between(payload, '"deliver_subject": "', '"'))"""
)
_READ_ONE: Final = ("stream msg get", "direct get")

_CHUNK: Final = "starts(subject, '$O.') and token(subject, 2) == 'C'"
"""The row is a part of an object of an object store."""
_META: Final = "starts(subject, '$O.') and token(subject, 2) == 'M'"
"""The row names and describes an object."""
_CREATES_BUCKET: Final = "starts(subject, '$JS.API.STREAM.CREATE.OBJ_')"
_PURGES: Final = "starts(subject, '$JS.API.STREAM.PURGE.OBJ_')"
_NUID: Final = """coalesce(between(payload, '"nuid":"', '"'), between(payload, '"nuid": "', '"'))"""
_PURGED: Final = "between(payload, '.C.', '\"')"
"""The nuid of chunks that are purged."""
CHUNKS: Final = member("chunks")
SIZE: Final = member("size")
META: Final = _META
DELETED: Final = """(coalesce(between(payload, '"deleted":', 'rue'), '') in ('t', ' t'))"""
"""The metadata says that the object was deleted."""

_LISTS: Final = ("stream names", "stream list", "consumer names", "consumer list", "stream info")
"""Requests that are answered by a page of a list."""
_LISTING: Final = f"{_API} and called(subject, JETSTREAM) in {_LISTS!r}"

SELF: Final = (
    "coalesce(program(conn.client_name), client), coalesce(conn.client_product, ''), "
    "coalesce(conn.client_version, '')"
)
"""What instances of one program have in common."""

FORMAT: Final = format_of("payload")

CONSTANTS: Final = (
    Constant(name="DURABLE", value='"durable_name"', doc="Text that makes a consumer durable."),
    Constant(name="COLON", value=":", doc="Text after the name of a member of JSON."),
    Constant(name="REFUSED_LIMIT", value=3, doc="The same refusals in a row."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two requests."),
    Constant(name="ERR_LIMIT", value=3, doc="The same -ERR for one client in a row."),
    Constant(name="ERR_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="POLL_LIMIT", value=5, doc="The same queries, or empty pulls, in a row."),
    Constant(name="POLL_PAUSE", value="100 ms", doc="Longest time between two of them."),
    Constant(name="LOOP_LIMIT", value=3, doc="Redeliveries of one message in a row."),
    Constant(name="LOOP_PAUSE", value="40 s", doc="Longest time between two of them."),
    Constant(name="PUT_OFF_LIMIT", value=8, doc="Deliveries that a client puts off by -NAK."),
    Constant(name="CREATE_LIMIT", value=4, doc="Consumers created in a row on a stream."),
    Constant(name="CREATE_PAUSE", value="60 s", doc="Longest time between two of them."),
    Constant(name="REMADE_CONSUMERS", value=6, doc="Consumers of a stream made in a row."),
    Constant(name="STEP_LIMIT", value=6, doc="Requests one by one that could be joined."),
    Constant(name="STORE_LIMIT", value=8, doc="Publishes one by one that wait for their acks."),
    Constant(name="INBOX_LIMIT", value=4, doc="Inboxes that serve one request each."),
    Constant(name="LEFT_LIMIT", value=5, doc="Inboxes that are left subscribed."),
    Constant(name="RECONNECT_LIMIT", value=3, doc="Connections one after the other."),
    Constant(name="FEW_MESSAGES", value=8, doc="Messages of a connection for one task."),
    Constant(name="DURABLE_LIMIT", value=3, doc="Durable consumers, one for each connection."),
    Constant(name="GONE_LIMIT", value=2, doc="Pulls in a row from a consumer that is gone."),
    Constant(name="EARLY_LIMIT", value=3, doc="Messages before their subscription, in a row."),
    Constant(name="EARLY_TIME", value="100 ms", doc="Time by which a subscription is too late."),
    Constant(name="MISSED_BEATS", value=3, doc="Heartbeats of a consumer that do not come."),
    Constant(name="NEVER_ACKED", value=3, doc="Messages of a consumer, none of which is acked."),
    Constant(name="WITHOUT_ACK", value="3 s", doc="Time in which the first of them is acked."),
    Constant(name="STALLED", value="3 s", doc="Time without acks at max_ack_pending."),
    Constant(name="RESTORED", value="2 s",
             doc="Time in which a client that has reconnected subscribes again."),
    Constant(name="NOTICED", value=3,
             doc="Intervals of heartbeats after which a client notices that they are missing."),
    Constant(name="UNANSWERED_LIMIT", value=3, doc="Requests to a subject without any reply."),
    Constant(name="REPLY_TIME", value="1 s", doc="Time in which a reply is due."),
    Constant(name="TWICE_LIMIT", value=3, doc="Requests that two instances answer."),
    Constant(name="SPLIT_LIMIT", value=5, doc="Small messages that come in several packets."),
    Constant(name="UNHEARD_LIMIT", value=64,
             doc="Subscriptions of a connection that are compared with what is published."),
    Constant(name="VERBOSE_LIMIT", value=4, doc="Messages of a client in verbose mode."),
    Constant(name="LOST_LATELY", value="60 s",
             doc="Time in which a program comes back after its connection was lost."),
    Constant(name="AWAY", value="5 s", doc="Time in which a program comes back to its server."),
    Constant(name="KEY_LIMIT", value=6, doc="The same key read in a row."),
    Constant(name="SAME_VALUE", value=3, doc="The same value written in a row."),
    Constant(name="ECHO_LIMIT", value=5, doc="Messages that cause the next one."),
    Constant(name="MARKERS_LIMIT", value=16, doc="Objects that are deleted and not put again."),
    Constant(name="COPIES_LIMIT", value=4, doc="Equal subscriptions of a connection."),
    Constant(name="STREAM_LIMIT", value=3, doc="Streams created in a row."),
    Constant(name="ENSURED_LIMIT", value=4, doc="The same stream created or updated in a row."),
    Constant(name="QUERY_PAUSE", value="2 s", doc="Longest time between two equal queries."),
    Constant(name="BEAT_LIMIT", value=6, doc="PINGs of an idle client in a row."),
    Constant(name="MISSED_LIMIT", value=3, doc="Messages before the first subscription."),
    Constant(name="FORMATS", value=FORMATS, doc="First bytes of a payload to its format."),
    Constant(name="FORMAT_SAMPLE", value=64, doc="Messages of a connection that are compared."),
    Constant(name="OTHERS_LIMIT", value=2, doc="Messages of a subject in another format."),
)  # fmt: skip

LOOPS: Final[tuple[Table, ...]] = (
    Repetition(
        name="refused",
        on=DELIVERED,
        when=f"asked.state == 'asked' and {_ERROR} is not None and "
        "between(payload, DESCRIPTION, QUOTE) != 'maximum messages per subject exceeded'",
        per=f"{PROGRAM}, asked.subject, coalesce(asked.reads, '')",
        same="between(payload, DESCRIPTION, QUOTE)",
        question="asked.n",
        limit="REFUSED_LIMIT",
        pause=f"2000000000 if {_ERROR} == '404' else 60000000000",
        success=DELIVERED,
        success_when=f"asked.state == 'asked' and {_ERROR} is None",
    ),
    Repetition(
        name="unheard",
        on="hmsg",
        when="asked.state == 'asked' and fields.status == 503",
        per=f"{PROGRAM}, asked.subject",
        question="asked.n",
        limit="REFUSED_LIMIT",
        pause="10 s",
        breaks="hmsg",
        breaks_when="asked.state == 'asked' and fields.status is None",
        success="msg",
        success_when="asked.state == 'asked'",
    ),
    Repetition(
        name="shut_out",
        on="err",
        when=f"message in {SHUT_OUT}",
        per=PROGRAM,
        question="coalesce(C.command_n, n)",
        limit=1,
        may_back_off=False,
        success="server:pong",
        success_when="conn.welcomed is None",
    ),
    Action(on="server:pong", do="conn.welcomed = 1"),
    Repetition(
        name="erred",
        on="err",
        per=f"{PROGRAM}, coalesce(between(message, '', ' to '), message)",
        question="coalesce(C.command_n, n)",
        limit="ERR_LIMIT",
        pause="ERR_PAUSE",
    ),
    Repetition(
        name="empty_pulls",
        on="server:hmsg",
        when="pull.state == 'asked' and pull.n > coalesce(conn.pulled_n, 0) and "
        "(fields.status == 404 or fields.status == 408 and t - pull.t < POLL_PAUSE)",
        per="flow, pull.subject",
        question="pull.n",
        limit="POLL_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="pulled_in_vain",
        on="server:hmsg",
        when="pull.state == 'asked' and "
        "(fields.status == 503 or description == 'Consumer Deleted')",
        per="flow, pull.subject",
        question="pull.n",
        limit="GONE_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    Repetition(
        name="polled",
        on=SENT,
        when=f"{_API} and called(subject, JETSTREAM) in {_POLLED!r}",
        per="flow, subject",
        limit="POLL_LIMIT",
        pause="QUERY_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="redelivered",
        on=DELIVERED,
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1 and "
        "(handed.put_off_n is None or number(token(reply_to, 4)) > PUT_OFF_LIMIT)",
        per=f"server, {_DELIVERY}, token(reply_to, 5)",
        limit="LOOP_LIMIT",
        pause="LOOP_PAUSE",
    ),
    Repetition(
        name="created",
        on=SENT,
        when=f"{CREATES} and not starts({OF_STREAM}, 'OBJ_') and "
        f"coalesce({OF_NAME}, '') != coalesce(conn.made_name, '-')",
        per=f"client, server, coalesce(conn.client_name, ''), {OF_STREAM}",
        limit="CREATE_LIMIT",
        pause="CREATE_PAUSE",
        breaks=SENT,
        breaks_when=f"{_API} and called(subject, JETSTREAM) == 'consumer delete'",
    ),
    Action(on=SENT, when=CREATES, do=f"conn.made_name = {OF_NAME}"),
    Repetition(
        name="consumers_remade",
        on=SENT,
        when=CREATES,
        per=f"flow, {OF_STREAM}",
        limit="REMADE_CONSUMERS",
        pause="REFUSED_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="streams_created",
        on=SENT,
        when=f"{_API} and called(subject, JETSTREAM) == 'stream create' and "
        "subject != coalesce(conn.stream_subject, '')",
        per="client, server, coalesce(conn.client_name, '')",
        limit="STREAM_LIMIT",
        pause="REFUSED_PAUSE",
        may_back_off=False,
    ),
    Action(
        on=SENT,
        when=f"{_API} and called(subject, JETSTREAM) == 'stream create'",
        do="conn.stream_subject = subject",
    ),
    Repetition(
        name="ensured",
        on=SENT,
        when=f"{_API} and called(subject, JETSTREAM) in ('stream create', 'stream update')",
        per="client, server, coalesce(conn.client_name, ''), token(subject, 4)",
        same="digest(payload)",
        limit="ENSURED_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    Repetition(
        name="pinged",
        on="client:ping",
        when="coalesce(me.pings, 0) <= 1",
        per="conn",
        limit="BEAT_LIMIT",
        pause="REFUSED_PAUSE",
        breaks=f"{SENT} client:sub client:unsub",
        may_back_off=False,
    ),
    Repetition(
        name="key_polled",
        on=SENT,
        when=f"{_API} and called(subject, JETSTREAM) in {_READ_ONE!r}",
        per="flow, subject, digest(payload)",
        limit="KEY_LIMIT",
        pause="REFUSED_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="written_again",
        on=SENT,
        when="starts(subject, '$KV.') and len(payload) > 0",
        per="conn",
        same="subject, digest(payload)",
        limit="SAME_VALUE",
        pause="10 s",
        may_back_off=False,
    ),
    Action(on=SENT, when="not starts(subject, '$') and reply_to is None",
           do="conn.sent_subject = subject; "
           "conn.caused = conn.echoed_t if conn.echoes == 1 else None; "
           "conn.echoed_t = None; conn.echoes = 0"),
    Repetition(
        name="echoed",
        on=DELIVERED,
        when="subject == conn.sent_subject and t - conn.caused < 10000000",
        per="flow, subject",
        limit="ECHO_LIMIT",
        pause="POLL_PAUSE",
        may_back_off=False,
    ),
    Action(on=DELIVERED, when="subject == conn.sent_subject",
           do="conn.echoed_t = t; conn.echoes = coalesce(conn.echoes, 0) + 1"),
    Churn(
        name="reconnected",
        life="conn",
        per="client, server, coalesce(conn.client_name, '')",
        when="conn.state == 'open' and conn.peers is None and C.frames <= 8 and "
        "conn.published + conn.delivered <= 2",
        limit="RECONNECT_LIMIT",
    ),
    Action(
        on="client:tcp.resync",
        when="starts(reason, 'this is TLS')",
        do="conn.veiled_t = coalesce(conn.veiled_t, t)",
    ),
    Churn(
        name="veiled",
        life="conn",
        per="client, server",
        when="conn.veiled_t is not None and conn.connect_n is None and "
        "conn.left_t - conn.t <= REPLY_TIME",
        limit="RECONNECT_LIMIT",
        pause="10 s",
        is_hidden=True,
    ),
    Churn(
        name="reconnected_often",
        life="conn",
        per="client, server, coalesce(conn.client_name, '')",
        when="conn.state == 'open' and conn.peers is None and C.frames <= 16 and "
        "conn.published + conn.delivered <= FEW_MESSAGES",
        limit="RECONNECT_LIMIT",
        pause="10 s",
    ),
)  # fmt: skip

CHURN_AND_LEAKS: Final[tuple[Table, ...]] = (
    Churn(
        name="inbox_per_request",
        life="sub",
        per="flow",
        when=f"{_IS_INBOX} and sub.delivered <= 1 and why == 'removed'",
        limit="INBOX_LIMIT",
    ),
    Leak(
        name="inboxes",
        life="sub",
        when=f"{_IS_INBOX} and sub.limit is None and sub.pull_n is None and "
        "not has(conn.many_asked, sub.subject) and "
        "(sub.delivered == 1 or has(conn.own_replies, sub.subject))",
        limit="LEFT_LIMIT",
        percent_left=50,
        percent_ended=10,
    ),
    Action(
        on=SENT,
        when="reply_to is not None and not starts(reply_to, '_INBOX.') and "
        "not starts(subject, '$JS.ACK.')",
        do="put(conn.replies, reply_to)",
    ),
    Action(
        on=SENT,
        when="starts(reply_to, '_INBOX.') and has(conn.own_replies, reply_to)",
        do="put(conn.many_asked, reply_to)",
    ),
    Action(
        on=SENT,
        when="starts(reply_to, '_INBOX.') and has(conn.subjects, reply_to) and "
        "not starts(subject, '$JS.')",
        do="put(conn.own_replies, reply_to)",
    ),
    Leak(
        name="copies",
        life="sub",
        per="flow, sub.subject",
        when=f"sub.queue is None and not starts(sub.subject, '_INBOX.') and {NO_NODE}",
        limit="COPIES_LIMIT",
    ),
    Lifecycle(
        name="silent",
        scope="capture",
        doc="Requests of a client to one subject that had no reply.",
        key={
            "end:asked": "(client, server, asked.subject) if asked.state == 'asked' and "
            f"asked.meaning is None and t - asked.t > REPLY_TIME and {NO_NODE} and "
            "(starts(asked.id, '_INBOX') or has(conn.subjects, asked.id) or "
            "matching(asked.id, coalesce(conn.wide_subject, ''))) and "
            "why in ('closed', 'reset', 'end') else None"
        },
    ),
    Action(
        on="end:asked",
        do="silent.times = coalesce(silent.times, 0) + 1; silent.asked_n = asked.n; "
        "silent.first_n = coalesce(silent.first_n, asked.n)",
    ),
    Action(on=DELIVERED, do="sub.delivered_n = n"),
    Action(on=DELIVERED, when=IS_ACK, do="sub.taken_n = n"),
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

_TELLS: Final = "('consumer create', 'consumer durable create', 'consumer info')"
"""Requests whose answer has the configuration of a consumer."""

_POLICY: Final = "between(payload, '\"ack_policy\":\"', '\"')"
_ACK_WAIT: Final = "number(between(payload, '\"ack_wait\":', ','))"
_MAX_DELIVER: Final = "number(between(payload, '\"max_deliver\":', ','))"
_MAX_PENDING: Final = "number(between(payload, '\"max_ack_pending\":', ','))"

_TOTAL: Final = "number(between(payload, '\"total\":', ','))"
"""How many items a list has, of which the answer is a page."""
_PAGE_END: Final = (
    "number(between(payload, '\"offset\":', ',')) + number(between(payload, '\"limit\":', ','))"
)
"""Where the page ends."""

REDELIVERIES: Final[tuple[Table, ...]] = (
    Action(on=DELIVERED, when=IS_ACK,
           do="conn.unacked = coalesce(conn.unacked, 0) + 1; conn.stalls = 0; "
           "conn.unacked_n = coalesce(conn.unacked_n, n); "
           "conn.ack_to = reply_to; conn.pulled_n = n; conn.taken_t = coalesce(conn.taken_t, t)"),
    Action(on=DELIVERED, when=f"asked.state == 'asked' and asked.meaning in {_TELLS}",
           # `conn.max_deliver` may also be what another connection was sent, see `team`
           do=f"conn.policy = {_POLICY}; conn.ack_wait = {_ACK_WAIT}; "
           f"conn.max_deliver = {_MAX_DELIVER}; conn.own_max_deliver = {_MAX_DELIVER}; "
           f"conn.max_pending = {_MAX_PENDING}; "
           "conn.described_n = n; put(conn.consumers, between(payload, '\"name\":\"', '\"'))"),
    Action(on=SENT, when=f"{ACKING} and begins(payload, ACKS) != 'in progress'",
           do="conn.unacked = coalesce(conn.unacked, 0) - 1; conn.unacked_n = None; "
           "conn.acked_n = n; conn.acked_t = t"),
    Action(on=SENT, when=f"{_API} and {IS_PULL}", do="pull.subject = subject"),
    Action(on="server:hmsg", when="fields.status == 408 and pull.state == 'asked'",
           do="conn.stalls = coalesce(conn.stalls, 0) + 1"),
    Lifecycle(
        name="again",
        scope="connection",
        doc="A message of JetStream that was delivered again, or is delivered once at most, by "
        "stream, consumer and sequence.",
        key={
            DELIVERED: f"({_DELIVERY}, token(reply_to, 5)) if {IS_ACK} and "
            "(number(token(reply_to, 4)) > 1 or conn.own_max_deliver == 1) else None",
            SENT: f"(token(subject, 2), token(subject, 3), token(subject, 5)) if {ACKING} "
            "else None",
        },
        most=16384,
    ),
    Action(on=DELIVERED,
           when=f"{IS_ACK} and (number(token(reply_to, 4)) > 1 or conn.own_max_deliver == 1)",
           do="again.delivery = number(token(reply_to, 4)); again.delivered_n = n; "
           "again.delivered_t = t; again.acked_n = None"),
    Action(on=SENT, when=f"{ACKING} and begins(payload, ACKS) not in ('in progress', 'nak')",
           do="again.acked_n = n"),
    Action(on=SENT, when=f"{ACKING} and begins(payload, ACKS) == 'in progress'",
           do="again.delivered_t = t"),
    Timer(name="stalled", of="conn", on=DELIVERED, limit="STALLED", mode="again",
          when=f"conn.unacked >= conn.max_pending and {IS_ACK}"),
    Sequence(
        name="consumed",
        on=DELIVERED,
        when=f"{IS_ACK} and sub.pull_n is None and sub.queue is None and sub.state == 'live'",
        per="flow, sid, token(reply_to, 2), token(reply_to, 3)",
        value="number(token(reply_to, 6))",
        expect="leaves no gap",
    ),
)  # fmt: skip

TEAMS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="emptied",
        scope="capture",
        doc="A stream whose messages a client has removed.",
        key={
            SENT: "(server, token(subject, 4)) if starts(subject, '$JS.API.STREAM.DELETE.') or "
            "starts(subject, '$JS.API.STREAM.PURGE.') else None",
            DELIVERED: "(server, conn.create_stream) if asked.state == 'asked' and "
            f"asked.meaning in {CREATING} else None",
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when="starts(subject, '$JS.API.STREAM.DELETE.') or "
        "starts(subject, '$JS.API.STREAM.PURGE.')",
        do="emptied.removed_n = n",
    ),
    Lifecycle(
        name="team",
        scope="capture",
        doc="A consumer of JetStream, and which connections its messages are delivered to.",
        key={
            DELIVERED: f"(server, {_DELIVERY}) if {IS_ACK} else "
            "(server, between(payload, '\"stream_name\":\"', '\"'), "
            "between(payload, '\"name\":\"', '\"')) "
            f"if asked.meaning in {_TELLS} else None",
            SENT: f"(server, token(subject, 2), token(subject, 3)) if {ACKING} else "
            "(server, token(subject, 4), token(subject, 5)) "
            "if starts(subject, '$JS.API.CONSUMER.DELETE.') else None",
            "end:conn": "(server, token(conn.ack_to, 2), token(conn.ack_to, 3)) "
            "if conn.ack_to is not None else None",
            "end:served": "(server, token(served.id, 2), token(served.id, 3)) "
            "if served.state == 'waiting' and starts(served.id, '$JS.ACK.') else None",
        },
    ),
    Action(
        on=DELIVERED,
        when=f"asked.meaning in {_TELLS}",
        do=f"team.policy = {_POLICY}; team.ack_wait = {_ACK_WAIT}; "
        f"team.max_deliver = {_MAX_DELIVER}; team.described_n = n",
    ),
    Action(
        on=SENT,
        when=f"{ACKING} and begins(payload, ACKS) in ('ack', 'ack and next', 'term') and "
        "number(token(subject, 5)) > coalesce(team.top, 0)",
        do="team.top = number(token(subject, 5)); team.top_n = n",
    ),
    Action(
        on=DELIVERED,
        when=f"coalesce(team.user, -1) != flow and {IS_ACK}",
        do="team.user = flow; team.used_n = n",
    ),
    Action(
        on=DELIVERED,
        when=f"conn.described_n is None and team.described_n is not None and {IS_ACK}",
        do="conn.policy = team.policy; conn.ack_wait = team.ack_wait; "
        "conn.max_deliver = team.max_deliver; "
        "conn.described_n = team.described_n; put(conn.consumers, token(reply_to, 3))",
    ),
    Lifecycle(
        name="handed",
        scope="capture",
        doc="A message of a consumer some of whose messages were delivered again.",
        key={
            DELIVERED: f"(server, {_DELIVERY}, token(reply_to, 5)) if {IS_ACK} and "
            "(team.again_n is not None or number(token(reply_to, 4)) > 1) else None",
            SENT: "(server, token(subject, 2), token(subject, 3), token(subject, 5)) "
            f"if team.again_n is not None and {ACKING} else None",
        },
        most=4096,
    ),
    Action(
        on=DELIVERED,
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1",
        do="team.again_n = n",
    ),
    Action(
        on=DELIVERED,
        when="team.again_n is not None",
        do="handed.delivery = number(token(reply_to, 4)); handed.delivered_n = n; handed.to = flow",
    ),
    Action(
        on=SENT,
        when=f"{ACKING} and starts(payload, NAK)",
        do="handed.put_off_n = n if len(payload) > 4 else None",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and asked.meaning in {CREATING}",
        do="team.asked_n = asked.n",
    ),
    Action(
        on=DELIVERED,
        when=f"conn.limit_n is None and team.asked_n is not None and {IS_ACK}",
        do="conn.limit_n = team.asked_n",
    ),
    Action(on="end:conn", when="team.user == flow", do="team.user = None"),
    Action(
        on="end:conn",
        when="conn.unacked > 0 and conn.left == 1 and conn.cut is None and "
        "conn.acked_n is not None",
        do="team.left_n = coalesce(conn.unacked_n, conn.pulled_n); team.left_t = conn.left_t; "
        "team.left_open = conn.unacked",
    ),
    Action(
        on=DELIVERED,
        when=f"team.policy == 'all' and {IS_ACK} and team.flow != flow",
        do="team.former = team.turn; team.former_t = team.turn_t; "
        "team.former_flow = team.turn_flow; team.former_n = team.turn_n; "
        "team.turn = team.latest; team.turn_t = team.latest_t; team.turn_flow = team.flow; "
        "team.turn_n = team.latest_n",
    ),
    Action(
        on=DELIVERED,
        when=f"team.policy == 'all' and {IS_ACK}",
        do="team.flow = flow; team.latest = number(token(reply_to, 6)); team.latest_t = t; "
        "team.latest_n = n",
    ),
    *(
        Action(
            on=SENT,
            when=f"team.policy == 'all' and {ACKING} and {PROCESSED} and {CAPTURED} and "
            f"team.{turn}_flow != flow and conn.t < team.{turn}_t and "
            f"coalesce(team.acked, 0) < team.{turn} and "
            f"team.{turn} < number(token(subject, 6))",
            do=f"put(team.losers, team.{turn}_flow); team.lost = team.{turn}; "
            f"team.lost_n = team.{turn}_n; team.taken_n = n; "
            "team.taken = number(token(subject, 6))",
        )
        for turn in ("former", "turn")
    ),
    Action(
        on=SENT,
        when=f"team.policy == 'all' and {ACKING} and {PROCESSED}",
        do="team.acked = max(coalesce(team.acked, 0), number(token(subject, 6)))",
    ),
)
"""Consumers with ack_policy all: an ack is for all messages up to its own."""

PAGES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="listing",
        scope="connection",
        doc="A list of JetStream that is answered in pages, by the subject that asks for it.",
        key={
            SENT: f"subject if {_LISTING} else None",
            DELIVERED: f"asked.subject if asked.meaning in {_LISTS!r} else None",
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when=f"{_LISTING} and coalesce({member('offset')}, 0) > 0",
        do="listing.times = 0",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and asked.meaning in {_LISTS!r} and {_PAGE_END} < {_TOTAL}",
        do="listing.times = coalesce(listing.times, 0) + 1; listing.asked_n = asked.n; "
        f"listing.page_n = n; listing.page_t = t; listing.end = {_PAGE_END}; "
        f"listing.total = {_TOTAL}; listing.subject = asked.subject",
    ),
)
"""Pages of lists."""

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
    ),
    Action(on=DELIVERED, when=f"{IS_ACK} and sub.pull_n is None",
           do="consumer.sequence = number(token(reply_to, 6)); consumer.flow = flow; "
           "consumer.delivered_n = n"),
    Lifecycle(
        name="durables",
        scope="capture",
        doc="The durable consumers with names of one length, as those with an id or a time have, "
        "that programs of one name create on a stream.",
        key={
            SENT: f"({OF_PROGRAM}, {OF_STREAM}, len({OF_NAME})) if {_DURABLE} else "
            f"({OF_PROGRAM}, token(subject, 4), len(token(subject, 5))) "
            "if starts(subject, '$JS.API.CONSUMER.DELETE.') else None",
            "end:conn": f"({OF_PROGRAM}, conn.durable_stream, conn.durable_length) "
            "if conn.durable_stream is not None "
            "else None",
        },
    ),
    Action(on=SENT,
           when=_DURABLE,
           do=f"put(durables.names, {OF_NAME}); "
           "durables.former_n = coalesce(durables.latest_n, n); durables.latest_n = n; "
           "durables.live = coalesce(durables.live, 0) + "
           "(1 if conn.durable_stream is None else 0)"),
    Action(on=SENT,
           when=_DURABLE,
           do=f"conn.durable_stream = coalesce(conn.durable_stream, {OF_STREAM}); "
           f"conn.durable_length = coalesce(conn.durable_length, len({OF_NAME}))"),
    Action(on=SENT, when="starts(subject, '$JS.API.CONSUMER.DELETE.')",
           do="drop(durables.names, token(subject, 5))"),
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
    ),
    Action(on="end:sub", when="why == 'removed' and sub.delivered == 0",
           do="inbox.gone_n = sub.last_n; inbox.gone_t = t"),
    Action(on="client:sub", do="inbox.gone_n = None"),
)  # fmt: skip

HEARTBEATS: Final[tuple[Table, ...]] = (
    Action(
        on=SENT,
        when=CREATES,
        do=f"conn.create_n = n; conn.create_t = t; conn.push_to = {_DELIVERS_TO}; "
        f"conn.push_beat = {member('idle_heartbeat')}; "
        f"conn.begin_at = {START}; conn.create_stream = {OF_STREAM}; "
        "conn.whole_stream = between(payload, 'deliver_policy', 'll'); "
        "conn.durable = between(payload, DURABLE, COLON); conn.filter = coalesce("
        """between(payload, '"filter_subject":"', '"'), """
        """between(payload, '"filter_subject": "', '"')); """
        """conn.group = coalesce(between(payload, '"deliver_group":"', '"'), """
        """between(payload, '"deliver_group": "', '"')); """
        "conn.skips = between(payload, '\"deliver_policy\":\"', '\"')",
    ),
    Action(
        on="client:sub",
        do="sub.create_n = conn.create_n; put(conn.subjects, subject); "
        "put(conn.queued, (subject, coalesce(queue_group, '')))",
    ),
    Lifecycle(
        name="outlet",
        scope="capture",
        doc="A subject to which a push consumer delivers, and the queue groups that hear it.",
        key={
            SENT: f"(server, {_DELIVERS_TO}) if {CREATES} and {_DELIVERS_TO} is not None else None",
            "client:sub": "(server, subject) if literal(subject) and not starts(subject, '_') "
            "else None",
            "end:sub": "(server, sub.subject) if sub.delivered == 0 else None",
        },
    ),
    Action(on="client:sub", do="put(outlet.groups, coalesce(queue_group, ''))"),
    Action(
        on=SENT,
        when=CREATES,
        do="outlet.group = conn.group; outlet.create_n = n; outlet.create_t = t",
    ),
    Action(on="client:sub", when="not literal(subject)", do="conn.wide_subject = subject"),
    Lifecycle(
        name="network",
        scope="capture",
        doc="The subjects of a server that clients publish to, and the inboxes that they hear.",
        key={
            SENT: "server if not starts(subject, '$') and not starts(subject, '_') else None",
            "client:sub": "server",
            DELIVERED: "server if asked.meaning == 'stream create' else None",
            "end:sub": "server if sub.delivered == 0 else None",
            "end:conn": "server if conn.push_to is not None or conn.filter is not None else None",
        },
    ),
    Action(on="client:sub", when="starts(subject, '_INBOX')", do="put(network.inboxes, subject)"),
    Action(
        on="client:sub",
        when="starts(subject, '_INBOX') and not literal(subject)",
        do="network.wide_inbox = subject",
    ),
    Action(on=SENT, do="put(network.subjects, subject); network.latest_n = n"),
    Action(
        on="end:sub",
        when="sub.delivered == 0",
        do="conn.unheard_subs = coalesce(conn.unheard_subs, 0) + 1",
    ),
    Action(
        on="end:sub",
        when=f"sub.delivered == 0 and why != 'removed' and {_INBOXES}",
        do="conn.idle_inbox_n = sub.n",
    ),
    Action(
        on="server:hmsg",
        when="fields.status == 100 and sub.pull_n is None and reply_to is None",
        do="conn.beaten_n = n; "
        "sub.every = min(coalesce(sub.every, t - sub.beat_t), t - sub.beat_t); "
        "sub.beat_t = t; sub.beat_n = n; sub.create_n = coalesce(sub.create_n, conn.create_n)",
    ),
    Timer(
        name="beat",
        of="sub",
        on=DELIVERED,
        when="sub.every > 0",
        limit="sub.every * MISSED_BEATS",
        clear="unsub tcp.close tcp.reset",
        mode="again",
    ),
)

RECONNECTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="before",
        scope="capture",
        doc="What a program was subscribed to when its connection was lost, by its name.",
        key={
            "client:sub end:sub end:conn server:tcp.close server:tcp.reset": _PROGRAM,
        },
    ),
    Action(
        on="end:sub",
        when=f"{_CUT} and not {_INBOXES} and sub.state == 'live' and sub.limit is None",
        do="put(before.subjects, sub.subject); before.lost_n = sub.n; before.lost_t = t",
    ),
    Action(on="end:conn", when="conn.create_n is not None", do="before.push = None"),
    Action(
        on="end:conn",
        when=f"{_CUT} and starts(conn.push_to, '_INBOX') and conn.beaten_n > conn.create_n",
        do="before.push = conn.push_to; before.push_stream = conn.create_stream; "
        "before.push_n = conn.create_n; before.push_t = t; before.push_end = conn.beaten_n",
    ),
    Action(
        on=SENT,
        when=f"{_API} and {IS_PULL}",
        do=f"conn.pulls = subject; conn.pull_n = n; conn.pull_beat = {member('idle_heartbeat')}",
    ),
    Action(on="end:conn", when="conn.pulls is not None", do="before.pulls = None"),
    Action(
        on="end:conn",
        when=f"{_CUT} and conn.pulls is not None",
        do="before.pulls = conn.pulls; before.pull_n = conn.pull_n; before.pull_t = t; "
        "before.pull_beat = conn.pull_beat",
    ),
    Action(on="client:sub", when="subject == before.push", do="before.push = None"),
    Action(
        on="client:sub",
        when="has(before.subjects, subject)",
        do="conn.restored_t = t; conn.restored_n = n; put(conn.restored, subject)",
    ),
    Action(on="client:sub", do="drop(before.subjects, subject); conn.subs_n = n"),
    Lifecycle(
        name="limited",
        scope="capture",
        doc="A subscription with a limit of a program whose connection was lost.",
        key={
            "end:sub": f"({_PROGRAM}, sub.subject) if sub.limit is not None else None",
            "client:unsub": f"({_PROGRAM}, sub.subject) if max_msgs is not None else None",
        },
    ),
    Action(
        on="end:sub",
        when=f"{_CUT} and sub.delivered > 0 and sub.state == 'live'",
        do="limited.left = sub.limit - sub.delivered; limited.lost_n = sub.unsub_n",
    ),
    Action(on="client:unsub", do="limited.left = None"),
    Lifecycle(
        name="grouped",
        scope="capture",
        doc="A subscription in a queue group of a program whose connection was lost.",
        key={
            "end:sub": f"({_PROGRAM}, sub.subject) if sub.queue is not None else None",
            "client:sub": f"{_PROGRAM}, subject",
        },
        most=4096,
    ),
    Action(
        on="end:sub",
        when=f"{_CUT} and sub.state == 'live'",
        do="grouped.queue = sub.queue; grouped.lost_n = sub.n; grouped.lost_t = t",
    ),
    Action(on="client:sub", when="queue_group is not None", do="grouped.lost_t = None"),
    Lifecycle(
        name="place",
        scope="capture",
        doc="How far a program has read a stream of JetStream.",
        key={
            DELIVERED: f"({_PROGRAM}, conn.create_stream) if asked.meaning in {CREATING} else None",
            "end:conn": f"({_PROGRAM}, token(conn.ack_to, 2)) if conn.ack_to is not None else None",
        },
    ),
    Action(
        on="end:conn",
        do="place.reached = number(token(conn.ack_to, 5)); place.flow = flow; "
        "place.filter = conn.filter if conn.cut == 1 and conn.durable is None and "
        "conn.create_stream == token(conn.ack_to, 2) else None; place.create_n = conn.create_n",
    ),
)

RETURNS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="resident",
        scope="capture",
        doc="A program, and when it lost its connection.",
        key={
            "client:ping end:conn": _PROGRAM,
        },
        most=4096,
    ),
    Lifecycle(
        name="home",
        scope="capture",
        doc="A host whose programs have lost their connections, and when one came back.",
        key={
            "client:ping": "client",
            "end:conn": f"client if {_CUT} else None",
            "end:resident": "resident.client if resident.lost_t is not None else None",
        },
    ),
    Action(on="end:conn", when=_CUT, do="home.lost_t = t; home.back_t = None"),
    Action(
        on="client:ping",
        when="conn.t > home.lost_t",
        do="home.back_t = coalesce(home.back_t, t)",
    ),
    Action(
        on="client:ping",
        do="resident.lost_t = None; resident.newest = max(coalesce(resident.newest, 0), conn.t)",
    ),
    Action(
        on="end:conn",
        when=f"{_CUT} and conn.cluster is None and conn.start and conn.whole and "
        "coalesce(resident.newest, 0) <= conn.t",
        do="resident.lost_t = t; resident.lost_n = conn.connect_n; resident.last_sent_n = "
        "C.last_n; resident.client = client; resident.client_name = "
        "coalesce(conn.client_name, client); resident.refused_n = conn.err_n; "
        "resident.flow = flow",
    ),
)
"""Programs that come back after their connection was lost, and those that do not."""

QUEUES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="queue",
        scope="capture",
        doc="The queue groups of a subject among programs of one name.",
        key={
            "client:sub": "(server, program(conn.client_name), subject) "
            f"if conn.client_name is not None and {NO_NODE} else None",
            "end:sub": "(server, program(conn.client_name), sub.subject) "
            "if conn.client_name is not None else None",
        },
    ),
    Action(
        on="client:sub",
        do="queue.live = coalesce(queue.live, 0) + 1; queue.flow = flow; queue.latest_n = n; "
        "queue.latest = coalesce(queue_group, ''); put(queue.names, coalesce(queue_group, ''))",
    ),
    Action(on="end:sub", do="queue.live = queue.live - 1"),
    Lifecycle(
        name="replica",
        scope="capture",
        doc="A subject that instances of one program subscribe to without a queue group.",
        key={
            "client:sub": f"(server, {SELF}, subject) if queue_group is None and {NO_NODE} and "
            "not starts(subject, '_') and not starts(subject, '$') else None",
            "end:sub": f"(server, {SELF}, sub.subject) if sub.queue is None and "
            f"sub.delivered >= TWICE_LIMIT and {NO_NODE} else None",
        },
    ),
    Action(
        on="client:sub",
        when="replica.flow != flow and replica.live > 0",
        do="replica.second_n = coalesce(replica.second_n, n); "
        "replica.first_n = coalesce(replica.first_n, replica.sub_n)",
    ),
    Action(
        on="client:sub",
        do="replica.flow = flow; replica.sub_n = n; replica.live = coalesce(replica.live, 0) + 1; "
        "replica.subject = subject; replica.client_name = coalesce(conn.client_name, client)",
    ),
    Action(
        on="end:sub",
        do="replica.live = replica.live - 1; put(replica.served, flow); "
        "replica.most = max(coalesce(replica.most, 0), sub.delivered)",
    ),
)

OBJECTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="object",
        scope="capture",
        doc="The chunks of an object, by their nuid.",
        key={
            SENT: "None if not starts(subject, '$O.') else "
            f"(server, token(subject, 3)) if {_CHUNK} else (server, {_NUID}) if {_META} else None"
        },
    ),
    Lifecycle(
        name="bucket",
        scope="capture",
        doc="A bucket of objects, by its name.",
        key={
            SENT: "None if not starts(subject, '$') else "
            f"(server, between(subject, '.OBJ_', '')) if {_CREATES_BUCKET} else "
            f"(server, token(subject, 1)) if {_META} else None"
        },
    ),
    Action(on=SENT, when=_CREATES_BUCKET, do="bucket.made_n = n"),
    Action(
        on=SENT,
        when=f"{_META} and {DELETED}",
        do="put(bucket.markers, subject); bucket.marker_n = coalesce(bucket.marker_n, n)",
    ),
    Action(on=SENT, when=f"{_META} and not {DELETED}", do="drop(bucket.markers, subject)"),
    Lifecycle(
        name="named",
        scope="capture",
        doc="An object, by the subject of its metadata, since its bucket was created.",
        key={SENT: f"(server, subject, coalesce(bucket.made_n, 0)) if {_META} else None"},
    ),
    Lifecycle(
        name="former",
        scope="capture",
        doc="The chunks that an object had before it was put again, by their nuid.",
        key={
            SENT: f"(server, named.nuid) if {_META} and named.nuid != {_NUID} else "
            f"(server, {_PURGED}) if {_PURGES} else None"
        },
    ),
    Action(on=SENT, when=_PURGES, do="former.purged_n = n; conn.purged_n = n"),
    Action(
        on=SENT,
        when=f"{_META} and named.nuid != {_NUID} and former.purged_n is None",
        do="former.replaced_n = n; former.replaced_t = t; former.meta_n = named.meta_n; "
        "former.bucket = token(subject, 1); "
        "conn.replaced = coalesce(conn.replaced, 0) + 1; conn.replaced_n = n; "
        "conn.replaced_meta_n = named.meta_n",
    ),
    Action(
        on=SENT,
        when=_CHUNK,
        do="object.chunks = coalesce(object.chunks, 0) + 1; "
        "object.bytes = coalesce(object.bytes, 0) + len(payload); "
        "object.first_n = coalesce(object.first_n, n); object.chunk_n = n; "
        "object.sure = coalesce(object.sure, 1 if conn.start and conn.whole else 0)",
    ),
    Action(on=SENT, when=_META, do=f"named.nuid = {_NUID}; named.meta_n = n"),
    Action(
        on=SENT,
        when="starts(subject, '$O.')",
        do="conn.chunk_n = n if token(subject, 2) == 'C' else None; conn.chunk_subject = subject",
    ),
    Action(
        on=SENT,
        when="conn.chunk_n is not None and starts(subject, '$JS.API.STREAM.PURGE.OBJ_')",
        do="conn.chunk_n = None",
    ),
)
"""Objects of an object store: chunks, then the message that names and describes them."""

LAME_DUCKS: Final[tuple[Table, ...]] = (
    Action(on="info", when="ldm and conn.ldm_t is None", do="conn.ldm_t = t"),
)

OWN_SUBJECT: Final = (
    "conn.published < FORMAT_SAMPLE and len(payload) > 1 and not starts(subject, '$') and "
    f"not starts(subject, '_') and {NO_NODE}"
)
"""One of the first messages of a client, on a subject of its own choice."""
CONTENT: Final[tuple[Table, ...]] = (
    *(
        Mixture(
            name=name,
            on=SENT,
            when=OWN_SUBJECT,
            per="subject",
            value=FORMAT,
            alone=alone,
            limit="OTHERS_LIMIT",
        )
        for name, alone in (("content", False), ("mixed", True))
    ),
    Lifecycle(
        name="topic",
        scope="capture",
        doc="A subject: how many messages it had before somebody subscribed to it.",
        key={
            SENT: f"subject if {OWN_SUBJECT} else None",
            "client:sub": "subject if not starts(subject, '_') else None",
            "end:sub": "sub.subject if not starts(sub.subject, '_') else None",
        },
    ),
    Action(
        on=SENT,
        do="topic.sent = coalesce(topic.sent, 0) + 1; topic.sent_n = coalesce(topic.sent_n, n)",
    ),
    Repetition(
        name="too_early",
        on="client:sub",
        when="topic.sent == 1 and topic.heard_n is None and literal(subject) and "
        "topic.flow != flow and topic.server == server and t - topic.latest_t <= EARLY_TIME and "
        "conn.cluster is None and conn.peers is None",
        per=PROGRAM,
        question="topic.latest_n",
        limit="EARLY_LIMIT",
        pause="60 s",
        may_back_off=False,
        breaks="client:sub",
        breaks_when="not starts(subject, '_') and literal(subject) and topic.sent is None",
    ),
    Action(on="client:sub", do="topic.heard_n = n"),
    Lifecycle(
        name="listeners",
        scope="capture",
        doc="All subscribers: whether one has a wildcard.",
        key={"client:sub": "0 * size"},
    ),
    Action(
        on="client:sub",
        when="not starts(subject, '_') and not literal(subject)",
        do="listeners.wide_n = n; put(listeners.wide, subject)",
    ),
)
"""In which formats the messages of a subject are."""

UNHEARD_WORD: Final = (
    "reply_to is not None and token(reply_to, 1) is None and not starts(reply_to, '_') and "
    "not starts(subject, '$') and not has(conn.subjects, reply_to) and "
    "not matching(reply_to, coalesce(conn.wide_subject, ''))"
)
"""The reply subject is one word that the connection does not subscribe to."""
SHARES_REPLY: Final = (
    "reply_to is not None and asked.state == 'asked' and asked.subject != subject and "
    "t - asked.latest_t <= REPLY_TIME"
)
"""The request has the reply subject of another one that has no answer yet."""
COPIES: Final[tuple[Table, ...]] = (
    Action(on=SENT, when=UNHEARD_WORD, do="put(conn.words, reply_to)"),
    Action(on=SENT, when=SHARES_REPLY, do="put(conn.shared_replies, reply_to)"),
    Action(on=SENT, when="reply_to is not None", do="asked.latest_t = t"),
    Lifecycle(
        name="copy",
        scope="capture",
        doc="A message with a Nats-Msg-Id, by its payload.",
        key={
            "client:hpub": "(server, subject, digest(payload)) if len(payload) >= 8 and "
            "item(headers, 'Nats-Msg-Id') is not None else None"
        },
    ),
    Action(on="client:hpub",
           do="copy.message_id = item(headers, 'Nats-Msg-Id'); copy.sent_n = n; copy.sent_t = t"),
)  # fmt: skip
"""Messages that are published again."""

ANSWERED_TWICE: Final[tuple[Table, ...]] = (
    Action(on=SENT, when="inbox.reply_n is not None and inbox.reply_flow != flow and "
           f"inbox.reply_name == ({SELF})",
           do="conn.second_replies = coalesce(conn.second_replies, 0) + 1"),
    Action(on=SENT, when="inbox.reply_n is not None and "
           f"inbox.reply_name != ({SELF})",
           do="conn.foreign_replies = coalesce(conn.foreign_replies, 0) + 1"),
    Action(on=SENT, when="starts(subject, '_INBOX.')",
           do=f"inbox.reply_n = n; inbox.reply_flow = flow; inbox.reply_name = ({SELF})"),
)  # fmt: skip

UNHEARD: Final[tuple[Table, ...]] = (
    Action(
        on="client:unsub",
        when="starts(sub.subject, '_INBOX.') and conn.unacked > 0",
        do="conn.closed_inbox = sub.subject; conn.closed_inbox_t = t",
    ),
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
            f"{ACKING} and served.state == 'answered' and reply_to is None and "
            "begins(payload, ACKS) != 'in progress'",
        ),
        to=Count(SENT, ACKING),
        least=3,
        percent=10,
    ),
    Ratio(
        name="split",
        per="conn",
        of=Count(SENT, "pieces > 1 and size < 1400"),
        to="conn.published",
        least="SPLIT_LIMIT",
        percent=50,
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *LOOPS, *CHURN_AND_LEAKS, *REDELIVERIES, *TEAMS, *PAGES, *SHARED, *HEARTBEATS,
    *RECONNECTS, *RETURNS, *QUEUES, *OBJECTS, *LAME_DUCKS, *CONTENT, *COPIES, *ANSWERED_TWICE,
    *UNHEARD, *WASTE,
)  # fmt: skip
"""Part of the tables of the protocol."""
