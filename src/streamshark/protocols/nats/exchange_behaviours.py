"""What clients publish and ask for twice, what is refused to them, and what never arrives."""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.behaviours import NO_NODE, OWN_SUBJECT, SELF
from streamshark.protocols.nats.jetstream_errors import CODE
from streamshark.protocols.nats.row_names import DELIVERED, IS_ACK, PROGRAM, SENT

SERVICE_CODE: Final = "item(fields.headers, 'Nats-Service-Error-Code')"
SERVICE_ERROR: Final = (
    f"asked.state == 'asked' and asked.meaning is None and number({SERVICE_CODE}) > 0 and "
    "fields.status is None"
)
"""The row answers a request with an error of a service."""
REFUSED: Final = (
    "asked.state == 'asked' and starts(payload, OPEN) and "
    "between(payload, 'error\":{\"code\":', ',') is not None"
)
"""The row answers with an error of JetStream."""
PASSING: Final = "('10037', '10059', '10014', '10070', '10071', '10164', '10058', '10013')"
"""Codes by which programs find out what exists, or who was faster."""
_SAMPLED: Final = "reply_to is not None and conn.published < FORMAT_SAMPLE and len(payload) > 1"
ASKS: Final = f"{_SAMPLED} and not starts(subject, '$') and {NO_NODE}"
"""One of the first requests of a client that are no requests of JetStream."""
_SAME: Final = "conn.pair_subject == subject and conn.pair_content == digest(payload)"
TWICE: Final = (
    f"{OWN_SUBJECT} and len(payload) >= 8 and {_SAME} and conn.run == 1 and "
    "coalesce(conn.pairs, 0) + 1 >= PAIR_LIMIT"
)
"""The row is the second of two equal messages, after other such pairs."""
AT_BOTH: Final = (
    f"{OWN_SUBJECT} and len(payload) >= 8 and topic.flow != flow and topic.flow >= 0 and "
    "msg_id.first_n is None and topic.content == digest(payload) and "
    "t - topic.latest_t <= BOTH_TIME and "
    "topic.content != coalesce(topic.hit, '')"
)
"""Another connection has just published the same message."""


def _is_sibling(subject: str) -> str:
    """Return a condition: a subject of the program itself, of more than one token."""
    return (
        f"literal({subject}) and not starts({subject}, '_') and not starts({subject}, '$') and "
        f"token({subject}, 1) is not None and {NO_NODE}"
    )


REMOVES: Final = (
    "reply_to is not None and (starts(subject, '$JS.API.STREAM.DELETE.') or "
    "starts(subject, '$JS.API.STREAM.PURGE.') and len(payload) == 0)"
)
"""The row deletes a stream, or all of its messages."""
ENDS_CONSUMER: Final = "reply_to is not None and starts(subject, '$JS.API.CONSUMER.DELETE.')"

_LOST: Final = (
    "conn.cut == 1 and conn.start and conn.whole and conn.peers is None and sub.state == 'live' "
    f"and sub.delivered > 0 and {NO_NODE}"
)
"""The server has ended the connection of a subscription that received messages."""

EXCHANGES: Final[tuple[Table, ...]] = (
    Constant(name="UNMET_LIMIT", value=3, doc="Requests to a program that does not come back."),
    Constant(name="SAME_ERROR_LIMIT", value=4, doc="The same errors of a service in a row."),
    Constant(name="SAME_ERROR_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="FAILING_LIMIT", value=4, doc="Requests or messages refused alike in a row."),
    Constant(name="FAILING_PAUSE", value="60 s", doc="Longest time between two of them."),
    Constant(name="UNHEARD_KIND_LIMIT", value=3, doc="Requests without responders in a row."),
    Constant(name="PAIR_LIMIT", value=3, doc="Messages in a row that are each sent twice."),
    Constant(name="BOTH_LIMIT", value=3, doc="Messages that two clients publish at once."),
    Constant(name="BOTH_TIME", value="1 s", doc="Time in which two clients publish the same."),
    Constant(name="AT_ONCE_LIMIT", value=3, doc="Equal requests that are open at once."),
    Constant(name="ASKED_AGAIN", value=3, doc="Requests that are sent again unanswered."),
    Constant(name="ASKED_PAUSE", value="100 ms", doc="Time after which a request is sent again."),
    Constant(name="AGAIN_LIMIT", value=3, doc="Requests that one client answers twice."),
    Constant(name="REQUEUED_LIMIT", value=3, doc="Messages that their receiver publishes again."),
    Constant(name="SIBLINGS_LIMIT", value=16, doc="Subscriptions that differ in the last token."),
    Constant(name="PULL_LATE", value="2 s", doc="Time after which an expired pull has a status."),
    Constant(name="UNHEARD_TIME", value="1 s", doc="Time after which a subscription is in force."),
    Constant(name="REPLY_MISSED", value="10 s", doc="Time in which a request is answered."),
    Action(on=SENT, when=ASKS, do="asked.content = digest(payload)"),
    Repetition(
        name="service_refused",
        on="hmsg",
        when=f"{SERVICE_ERROR} and asked.content is not None",
        per=f"{PROGRAM}, asked.subject, asked.content",
        same=SERVICE_CODE,
        question="asked.n",
        limit="SAME_ERROR_LIMIT",
        pause="SAME_ERROR_PAUSE",
        success="msg",
        success_when="asked.state == 'asked' and asked.content is not None",
    ),
    Repetition(
        name="failing",
        on=DELIVERED,
        when=f"{REFUSED} and {CODE} not in {PASSING}",
        per=f"{PROGRAM}, coalesce(asked.meaning, '')",
        same=CODE,
        question="asked.n",
        limit="FAILING_LIMIT",
        pause="FAILING_PAUSE",
        success=DELIVERED,
        success_when="asked.state == 'asked' and starts(payload, OPEN) and "
        "between(payload, 'error\":{\"code\":', ',') is None",
    ),
    Repetition(
        name="unheard_kind",
        on="hmsg",
        when="fields.status == 503 and asked.state == 'asked' and asked.meaning is None and "
        "token(asked.subject, 1) is not None and asked.subject != coalesce(conn.unheard_last, '')",
        per=f"{PROGRAM}, stem(asked.subject)",
        question="asked.n",
        limit="UNHEARD_KIND_LIMIT",
        pause="10 s",
        breaks="hmsg",
        breaks_when="conn.unheard_last is not None and asked.state == 'asked' and "
        "fields.status is None",
        success="msg",
        success_when="(conn.unheard_last is not None or conn.published < FORMAT_SAMPLE) and "
        "asked.state == 'asked' and asked.meaning is None",
    ),
    Action(on="hmsg", when="fields.status == 503 and asked.state == 'asked'",
           do="conn.unheard_last = asked.subject; conn.run = 0"),
    Action(on=DELIVERED, when=f"conn.run is not None and {REFUSED}", do="conn.run = 0"),
    Action(
        on=SENT,
        when=f"{OWN_SUBJECT} and len(payload) >= 8",
        do=f"conn.same = 1 if {_SAME} else 0; "
        "conn.pairs = (coalesce(conn.pairs, 0) + 1 if conn.run == 1 else 0) if conn.same == 1 "
        "else coalesce(conn.pairs, 0) if conn.run == 2 else 0; "
        "conn.run = coalesce(conn.run, 0) + 1 if conn.same == 1 else 1; "
        "conn.pair_subject = subject; conn.pair_content = digest(payload); conn.pair_n = n",
    ),
    Action(
        on=SENT,
        when=AT_BOTH,
        do="topic.both = coalesce(topic.both, 0) + 1; topic.hit = topic.content",
    ),
    Action(
        on=SENT,
        when=OWN_SUBJECT,
        do="topic.flow = flow; topic.content = digest(payload); topic.latest_t = t; "
        "topic.latest_n = n; topic.server = server; topic.user = conn.user; "
        f"topic.program = ({SELF})",
    ),
    Lifecycle(
        name="twin",
        scope="connection",
        doc="Requests to one subject with one content.",
        key={
            SENT: f"(subject, digest(payload)) if {ASKS} else None",
            DELIVERED: "(asked.subject, asked.content) if asked.content is not None and "
            "asked.state == 'asked' else None",
        },
        most=1024,
    ),
    Repetition(
        name="asked_again",
        on=SENT,
        when=f"{ASKS} and twin.open >= 1 and t - twin.asked_t > ASKED_PAUSE",
        per="flow, subject",
        limit="ASKED_AGAIN",
        pause="10 s",
        may_back_off=False,
    ),
    Action(on=SENT, when=ASKS, do="twin.asked_t = t; twin.asked_n = n"),
    Action(on=SENT, when=ASKS,
           do="twin.open = coalesce(twin.open, 0) + 1; twin.second_n = n if twin.open == 2 else "
           "twin.second_n; twin.first_n = n if twin.open == 1 else twin.first_n"),
    Action(on=DELIVERED, when="asked.content is not None and asked.state == 'asked'",
           do="twin.open = twin.open - 1"),
    Action(
        on=DELIVERED,
        when=f"{IS_ACK} and conn.delivered < FORMAT_SAMPLE and len(payload) >= 8",
        do="put(conn.bodies, (subject, digest(payload)))",
    ),
    Repetition(
        name="requeued",
        on=SENT,
        when="conn.bodies is not None and conn.published < FORMAT_SAMPLE and "
        "has(conn.bodies, (subject, digest(payload)))",
        per="flow, subject",
        limit="REQUEUED_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Action(on=SENT, when="served.state == 'waiting' and served.asked is not None",
           do="served.size = len(payload)"),
    Action(on=SENT, when="served.state == 'answered' and served.size == len(payload) and "
           "served.again_n is None and len(payload) > 0",
           do="conn.answered_again = coalesce(conn.answered_again, 0) + 1; served.again_n = n"),
    Lifecycle(
        name="used",
        scope="capture",
        doc="A stream, and the connections that receive its messages.",
        key={
            DELIVERED: f"(server, token(reply_to, 2)) if conn.uses is None and {IS_ACK} else None",
            SENT: f"(server, token(subject, 4)) if {REMOVES} else None",
            "end:conn": "(server, conn.uses) if conn.uses is not None else None",
        },
        most=1024,
    ),
    Action(on=DELIVERED, when=f"conn.uses is None and {IS_ACK}",
           do="conn.uses = token(reply_to, 2); used.readers = coalesce(used.readers, 0) + 1; "
           "used.flow = flow; used.taken_n = n"),
    Action(on="end:conn", when="conn.uses is not None", do="used.readers = used.readers - 1"),
    Lifecycle(
        name="siblings",
        scope="connection",
        doc="Subscriptions that differ in their last token alone, and have not ended.",
        key={
            "client:sub": f"stem(subject) if {_is_sibling('subject')} else None",
            "end:sub": f"stem(sub.subject) if {_is_sibling('sub.subject')} else None",
        },
        most=1024,
    ),
    Action(on="end:sub", do="siblings.count = siblings.count - 1"),
    Action(on="client:sub", when=_is_sibling("subject"),
           do="siblings.count = coalesce(siblings.count, 0) + 1; "
           "siblings.first_n = coalesce(siblings.first_n, n)"),
    Lifecycle(
        name="post",
        scope="capture",
        doc="A subject whose only known subscriber has lost its connection, and its requests.",
        key={
            "end:sub": f"(server, sub.subject) if {_LOST} and not starts(sub.subject, '_') "
            "else None",
            "client:sub": "(server, subject)",
            "end:asked": "(server, asked.subject) if asked.state == 'no_responders' else None",
        },
        most=4096,
    ),
    Action(on="client:sub", do="post.lost_t = None"),
    Action(on="end:sub", when=_LOST,
           do="post.lost_t = t; post.lost_n = conn.connect_n; post.sent_n = C.last_n; "
           "post.subject = sub.subject; post.missed = 0; "
           "post.flow = flow; "
           "post.client_name = coalesce(conn.client_name, client)"),
    Action(on="end:asked", when="post.lost_t is not None and asked.state == 'no_responders'",
           do="post.missed = post.missed + 1; "
           "post.missed_n = coalesce(post.missed_n, asked.n); post.missed_t = t"),
)  # fmt: skip
"""Part of the tables of the protocol."""
