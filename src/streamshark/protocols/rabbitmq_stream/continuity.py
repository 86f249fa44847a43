"""How clients go on: publishing ids, messages and offsets after an end, credit, closes."""

from typing import Final

from streamshark.conversations.behaviours import Churn, Count, Forbidden, Leak, Ratio, Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.rabbitmq_stream.behaviours import LEFT, PROGRAM, SENT

CONSTANTS: Final = (
    Constant(name="CLOSED_LIMIT", value=2, doc="Frames after the broker's Close."),
    Constant(name="DRAINED_LIMIT", value=4, doc="Credits that come when none is left."),
    Constant(name="LOOP_LIMIT", value=3, doc="Messages that return to their stream."),
    Constant(name="LOOPED", value=32, doc="Chunks of a subscription whose messages may return."),
    Constant(name="LOOP_TIME", value="2 s", doc="Time in which a message returns."),
    Constant(name="BELOW_LIMIT", value=2, doc="Stored offsets below the subscription's place."),
    Constant(name="FILTERED_LIMIT", value=4, doc="Chunks of which a filter leaves out none."),
    Constant(name="FILTERED_VALUES", value=3, doc="Filter values of which a filter has some."),
    Constant(name="SLOW_UPDATE", value="1 s", doc="Time in which no consumer becomes active."),
    Constant(name="FEW_MESSAGES", value=10, doc="Messages of a publisher that is soon deleted."),
    Constant(name="FEW_CHUNKS", value=4, doc="Chunks of a subscription that is soon ended."),
    Constant(name="BRIEF_LIMIT", value=5, doc="Publishers or subscriptions that end so."),
    Constant(name="BOTH_LIMIT", value=3, doc="Messages that two publishers send at once."),
    Constant(name="AT_BOTH", value="1 s", doc="Time in which two publishers send one message."),
    Constant(name="BOTH_PAUSE", value="60 s", doc="Longest time between two of these."),
    Constant(name="RETRIED", value="10 s", doc="Time in which a client that failed tries again."),
    Constant(name="PILE", value=8, doc="Objects without use that are too many to be kept ready."),
    Constant(name="KEPT_LIMIT", value=4, doc="Unused connections that end together."),
    Constant(name="KEPT", value="3 s", doc="Age from which an unused connection is kept."),
    Constant(name="KEPT_PAUSE", value="1 s", doc="Time in which a program ends its connections."),
    Constant(name="LOOKED_UP_LIMIT", value=3,
             doc="Connections that only ask where a stream is."),
    Constant(name="GONE_LIMIT", value=3, doc="Connections that end at the same frame."),
    Constant(name="GONE", value="50 ms", doc="Time in which a client is gone after a frame."),
    Constant(name="GONE_PAUSE", value="60 s", doc="Longest time between two of them."),
    Constant(name="BEATEN_PAUSE", value="300 s", doc="The same where Heartbeat ends them."),
    Constant(name="FREED_LIMIT", value=2, doc="Connections that are left open after their use."),
    Constant(name="HALF_OPEN", value="5 s", doc="Time in which a client notices a FIN."),
    Constant(name="TURNS_LIMIT", value=4, doc="Times that another consumer becomes active."),
    Constant(name="TURNS_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="VACANT", value="5 s", doc="Time in which a broker makes a consumer active."),
    Constant(name="LAGGING", value="3 s",
             doc="Time by which chunks come later than the first one, beside their own times."),
    Constant(name="HEADS_MOST", value=16,
             doc="Chunks of a subscription whose first messages are compared."),
    Constant(name="STOPPED", value="1 s", doc="Time after a chunk in which its reader ends."),
)  # fmt: skip

_OF_PROGRAM: Final = f"(client, conn.vhost, pub.stream, pub.reference, {PROGRAM})"
"""Publishers of one program and one name for a stream."""
_LOST: Final = (
    "(why == 'reset' or why == 'closed' and C.close_n is None and "
    "(conn.first_fin == S.side or S.close_n is not None))"
)
"""The connection of an object was lost, and not closed by the client."""

PUBLISHED: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="cut",
        scope="capture",
        doc="A publisher of a program that has ended: what it sent, and what had no confirm.",
        key={"end:pub": f"{_OF_PROGRAM} if pub.publish_n is not None else None"},
    ),
    Action(
        on="publish",
        when="pub.low_n is None",
        do="pub.low_n = n; pub.begins = first(published_messages.publishing_id)",
    ),
    Action(
        on="end:pub",
        do="cut.samples = pub.samples; cut.sample_n = pub.first_sample_n; cut.flow = flow; "
        "cut.over_n = pub.last_n; cut.confirmed = pub.confirmed; "
        f"cut.open = count(pub.waiting) if {_LOST} else 0; "
        "cut.open_n = oldest_n(pub.waiting); cut.sent_n = pub.publish_n; cut.top = pub.top",
    ),
)
"""What publishers leave when they end, and with what the next one begins."""

YOUNG: Final = "coalesce(pub.sampled, 0) < SAMPLE"
"""The publisher has sent few frames so far."""
LOOPS: Final[tuple[Table, ...]] = (
    Action(
        on="deliver",
        when="sub.chunks <= LOOPED and size < SAMPLED_SIZE and topic.used_t is not None",
        do="topic.delivered = digest(first(chunk.entries.data)); topic.delivered_t = t; "
        "topic.delivered_n = n",
    ),
    Action(
        on="publish",
        when=f"{YOUNG} and topic.delivered_t is not None",
        do="topic.returned = coalesce(topic.returned, 0) + 1 "
        "if t - topic.delivered_t <= LOOP_TIME and topic.delivered != topic.former and "
        "digest(first(published_messages.message)) == topic.delivered else 0; "
        "topic.former = topic.delivered",
    ),
)
"""Messages that are published to the stream that they came from."""

BOTH: Final[tuple[Table, ...]] = (
    Action(
        on="publish",
        when=YOUNG,
        do="topic.now = digest(first(published_messages.message)); "
        "topic.hit = 1 if topic.now == topic.sent and topic.sent_flow != flow and "
        "t - topic.sent_t <= AT_BOTH else 0; "
        "topic.both = (coalesce(topic.both, 0) + 1 if t - topic.hit_t <= BOTH_PAUSE else 1) "
        "if topic.hit == 1 else topic.both; "
        "topic.hit_t = t if topic.hit == 1 else topic.hit_t; topic.sent = topic.now; "
        "topic.sent_flow = -1 if topic.hit == 1 else flow; topic.sent_t = t; topic.sent_n = n",
    ),
)
"""Messages that two publishers send at the same time."""

BRIEF: Final[tuple[Table, ...]] = (
    Churn(
        name="few_messages",
        life="pub",
        per="flow, pub.stream",
        when=f"why == 'removed' and 1 < {SENT} <= FEW_MESSAGES",
        limit="BRIEF_LIMIT",
    ),
    Churn(
        name="few_chunks",
        life="sub",
        per="flow, sub.stream",
        when="why == 'removed' and 1 < sub.chunks <= FEW_CHUNKS",
        limit="BRIEF_LIMIT",
    ),
    Action(
        on="subscribe_response declare_publisher_response",
        when="response_code == 1",
        do="conn.holds = coalesce(conn.holds, 0) + 1",
    ),
    Action(
        on="unsubscribe_response delete_publisher_response",
        when="response_code == 1",
        do="conn.holds = conn.holds - 1; conn.freed_n = req.n; conn.freed_t = t",
    ),
    Leak(
        name="freed",
        life="conn",
        per="client, server",
        when="conn.holds == 0 and t - conn.freed_t > IDLE and C.close_n is None",
        frame="conn.freed_n",
        limit="FREED_LIMIT",
        percent_left=20,
    ),
    Repetition(
        name="looked_up",
        on="client:tcp.close",
        when="conn.used_n is None and conn.found_n is not None and t - conn.metadata_t > REACHING",
        per="client, server, conn.vhost",
        same="conn.leads_to",
        question="conn.found_n",
        limit="LOOKED_UP_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="kept_unused",
        on="client:tcp.close client:tcp.reset",
        when="conn.used_n is None and conn.opened_n is not None and conn.close_n is None and "
        "coalesce(conn.first_fin, C.side) == C.side and t - conn.t > KEPT and "
        "C.last_t - conn.t > KEPT",
        per="client, conn.vhost",
        question="conn.open_n",
        limit="KEPT_LIMIT",
        pause="KEPT_PAUSE",
        may_back_off=False,
    ),
    Action(
        on="client:any:request client:publish client:credit client:store_offset",
        do="conn.latest = name; conn.latest_n = n; conn.latest_t = t",
    ),
    Action(
        on="consumer_update metadata_update publish_error server:heartbeat",
        do="S.sign = name; S.sign_n = n",
    ),
    Action(
        on="any:coded",
        when="response_code not in (1, 10)",
        do="S.sign = name; S.sign_n = n",
    ),
    Repetition(
        name="gone",
        on="client:tcp.close client:tcp.reset",
        when="S.sign_n == S.last_n and t - S.last_t < GONE and conn.close_n is None and "
        "coalesce(conn.first_fin, C.side) == C.side",
        per="client, conn.vhost",
        same="S.sign",
        question="S.sign_n",
        limit="GONE_LIMIT",
        pause="(BEATEN_PAUSE if S.sign == 'heartbeat' else GONE_PAUSE)",
        may_back_off=False,
    ),
    Repetition(
        name="dies_at",
        on="end:sub",
        when="why in ('closed', 'reset') and conn.close_n is None and conn.first_fin == S.side and "
        "sub.chunks > 0 and 0 <= conn.fin_t - sub.credit_t < GONE and sub.credit_n > sub.deliver_n",
        per="client, conn.vhost, sub.stream",
        same="sub.next",
        question="sub.credit_n",
        limit="GONE_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
    ),
    Repetition(
        name="fails_at",
        on="end:sub",
        when="why in ('closed', 'reset') and conn.close_n is None and "
        "coalesce(conn.first_fin, C.side) == C.side and S.last_n == sub.deliver_n and "
        f"{LEFT} - S.last_t < GONE and coalesce(sub.credit_n, 0) < sub.deliver_n",
        per="client, conn.vhost, sub.stream",
        same="sub.next",
        question="sub.deliver_n",
        limit="GONE_LIMIT",
        pause="GONE_PAUSE",
        may_back_off=False,
    ),
)
"""Publishers, subscriptions and connections that soon end."""

SECRETS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="renewal",
        scope="capture",
        doc="The secrets of a user that a client has replaced on open connections.",
        key={"sasl_authenticate_response": "client, server, conn.asked_user"},
    ),
    Action(
        on="sasl_authenticate_response",
        when="response_code == 1 and conn.state == 'open' and "
        "conn.secret != digest(req.sasl_opaque_data)",
        do="put(renewal.replaced, conn.secret); renewal.new_n = req.n",
    ),
    Action(
        on="sasl_authenticate_response",
        when="response_code == 1",
        do="conn.secret = digest(req.sasl_opaque_data)",
    ),
)
"""Secrets that a client renews on its connections."""

PLACES: Final[tuple[Table, ...]] = (
    Action(
        on="subscribe",
        each="sub",
        when="sub.stream == stream and sub.state == 'live' and subscription_id != sub.sid",
        do="conn.twin_n = n",
    ),
    Action(
        on="store_offset",
        each="sub",
        when="sub.stream == stream and sub.chunks > 0 and fields.offset > sub.next and "
        "sub.beyond_n is None",
        do="sub.beyond_n = n; sub.beyond = fields.offset; sub.beyond_next = sub.next",
    ),
    Action(
        on="store_offset",
        each="sub",
        when="sub.stream == stream and sub.chunks > 0 and "
        "fields.offset + 1 < max(sub.first_chunk, sub.wanted if sub.offset_type == 4 else 0)",
        do="sub.below = coalesce(sub.below, 0) + 1; sub.below_at = fields.offset; sub.below_n = n",
    ),
)
"""Offsets that are stored beside what a subscription has received."""

CREDITS: Final[tuple[Table, ...]] = (
    Ratio(
        name="drained",
        per="sub",
        of=Count("credit", "credit > 0 and sub.initial > 1 and sub.balance <= credit"),
        to=Count("credit"),
        least="DRAINED_LIMIT",
        percent=80,
    ),
)

NAMES: Final[tuple[Table, ...]] = (
    Action(
        on="declare_publisher_response",
        when="response_code == 1",
        do="put(there.written, req.stream); there.written_n = req.n",
    ),
    Action(on="subscribe_response", when="response_code == 1", do="put(there.read, req.stream)"),
)
"""The streams of a virtual host that are published to, and read."""

TURNS: Final[tuple[Table, ...]] = (
    Forbidden(
        name="after_close",
        on="client:any:request client:publish client:credit client:store_offset",
        when="S.close_n is not None and name != 'close'",
        since="S.close_t",
        race="500 ms",
        limit="CLOSED_LIMIT",
    ),
    Repetition(
        name="turns",
        on="consumer_update",
        when="active == 1 and sub.reference is not None",
        per="conn.vhost, sub.stream, sub.reference",
        limit="TURNS_LIMIT",
        pause="TURNS_PAUSE",
        may_back_off=False,
    ),
)

_ENDED: Final = (
    "why in ('closed', 'reset') and C.close_n is None and "
    "(conn.first_fin == S.side or S.close_n is not None)"
)
"""The broker has ended the connection of an object."""
LAPSED: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="lapsed",
        scope="capture",
        doc="The subscriptions of a client to a stream, since the broker ended one of them.",
        key={
            "subscribe": "client, conn.vhost, stream",
            "end:sub": f"(client, conn.vhost, sub.stream) if {_ENDED} and sub.chunks > 0 else None",
        },
    ),
    Action(
        on="end:sub",
        when=f"{_ENDED} and sub.used_by_n is not None",
        do="lapsed.since_t = t; lapsed.sub_n = sub.n; lapsed.got_n = sub.deliver_n; "
        "lapsed.stream = sub.stream; lapsed.host = conn.vhost; lapsed.next = sub.next",
    ),
    Action(on="subscribe", do="lapsed.since_t = None"),
)
"""Subscriptions that the broker has ended, and that have not been made again."""

_KIND: Final = (
    "(2 + coalesce(first(chunk.entries.compression), 0) "
    "if coalesce(first(chunk.entries.entry_type), 0) == 1 else "
    "1 if starts(first(chunk.entries.data), SECTION) else 0)"
)
"""Whether a chunk begins with a sub-batch, and its compression, or with a message of AMQP 1.0."""
HEADS: Final[tuple[Table, ...]] = (
    Action(
        on="deliver",
        when="sub.chunks == 1",
        do="sub.first_age = t - chunk.timestamp * 1000000",
    ),
    Action(
        on="deliver",
        when="sub.chunks <= HEADS_MOST and size < SAMPLED_SIZE",
        do=f"sub.head_t = t; sub.head_kind = {_KIND}; "
        "sub.first_kind = coalesce(sub.first_kind, sub.head_kind); "
        "sub.odd_n = coalesce(sub.odd_n, n) if sub.head_kind != sub.first_kind else sub.odd_n; "
        "put(sub.heads, (n, sub.head_kind, first(chunk.entries.data)))",
    ),
)
"""How the first message of each chunk is encoded."""

_GROUP_OF: Final = (
    "(conn.vhost, sub.stream, sub.reference) if sub.single == 'true' and "
    "sub.reference is not None else None"
)
_LEADS: Final = "group.leader_flow == flow and group.leader_sid == sub.id"
"""The subscription is the active one, unless another one has become active since."""
GROUPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="group",
        scope="capture",
        doc="A group of single active consumers of a stream: since when none is active.",
        key={"subscribe_response consumer_update end:sub": _GROUP_OF},
    ),
    Action(
        on="subscribe_response",
        when="response_code == 1 and group.leader_flow is None",
        do="group.vacant_t = coalesce(group.vacant_t, t); "
        "group.vacant_n = coalesce(group.vacant_n, req.n)",
    ),
    Action(
        on="consumer_update",
        when="active == 1",
        do="group.leader_flow = flow; group.leader_sid = sub.id; group.vacant_t = None; "
        "group.led_n = n",
    ),
    Action(
        on="consumer_update",
        when=f"active == 0 and {_LEADS}",
        do="group.vacant_t = t; group.vacant_n = n; group.leader_flow = -1",
    ),
    Action(
        on="end:sub",
        when=_LEADS,
        do="group.vacant_t = t; group.vacant_n = sub.last_n; group.leader_flow = -1",
    ),
)
"""Groups of single active consumers, and which of them is active."""

CONTINUITY: Final[tuple[Table, ...]] = (
    *CONSTANTS, *PUBLISHED, *LOOPS, *BOTH, *BRIEF, *SECRETS, *PLACES, *CREDITS, *NAMES, *TURNS,
    *LAPSED, *HEADS, *GROUPS,
)  # fmt: skip
"""Added to the tables of `conversations`."""
