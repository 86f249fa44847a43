"""What one line owes another: which PING, request, status and message is still to be answered."""

from typing import Final

from streamshark.conversations.tables import Action, Lifecycle, Table
from streamshark.protocols.nats.behaviours import OWN_SUBJECT
from streamshark.protocols.nats.row_names import (
    ACKING,
    DELIVERED,
    IS_ACK,
    SENT,
    member,
)

ENDS_PULL: Final = "fields.status in (404, 408)"
"""The status ends one pull request; 409 may come twice, as a server stops."""
SEQUENCE: Final = member("seq")
"""The sequence at which a message was stored."""
IS_PUBLISH: Final = "coalesce(asked.meaning, 'key value') in ('key value', 'object store')"
"""The request is a message, and not one to the API."""
IS_STORED: Final = (
    f"asked.state == 'asked' and {IS_PUBLISH} and starts(payload, OPEN) and "
    """between(payload, '{"stream":"', '"') is not None"""
)
"""The row is the answer to a message, key or part of an object that is stored."""
STORES: Final = f"{IS_STORED} and between(payload, DUPLICATE, 'rue') is None"
"""The same, and the message was not dropped as a duplicate."""
CONSUMED: Final = "number(token(reply_to, 6))"
"""The number of a delivery of a consumer."""
STORED_AT: Final = "number(token(reply_to, 5))"
"""The sequence in the stream of a message that a consumer delivers."""
FED: Final = f"{IS_ACK} and team.place_flow == flow and team.place_sid == sid"
"""The row is a delivery of a consumer, as was the one before, on the same subscription."""
_DELIVERY: Final = (
    "not starts(subject, '$') and not starts(subject, '_') and len(payload) > 1 and "
    "conn.delivered < FORMAT_SAMPLE and conn.peers is None and "
    f"not coalesce({IS_ACK}, starts(subject, '$'))"
)
ISSUED: Final = "issue.place is not None and issue.several is None and issue.times == 1"
"""The row delivers a message that one client of the capture has published, once."""

ORDER: Final[tuple[Table, ...]] = (
    Action(on="server:info", when="conn.greeted_n is None", do="conn.greeted_n = n"),
    # PING without a PONG.
    Action(on="ping", do="me.owed = coalesce(me.owed, 0) + 1; me.owed_n = n"),
    Action(on="pong", do="peer.owed = max(coalesce(peer.owed, 1) - 1, 0)"),
    # Subscriptions that have ended.
    Action(on="client:unsub", when="sub.state == 'live' and max_msgs is None",
           do="sub.over_n = n"),
    Action(on="client:unsub", when="sub.state == 'live' and max_msgs > 0", do="sub.limit_t = t"),
    # Requests and their answers.
    Action(
        on=SENT,
        when="reply_to is not None and asked.state != 'asked' and "
        "(conn.published < FORMAT_SAMPLE or starts(subject, '$JS.'))",
        do="asked.request = digest(payload)",
    ),
    Action(
        on=DELIVERED,
        when="asked.state == 'asked'",
        do="sub.answers = coalesce(sub.answers, 0) + 1; "
        "conn.single_inbox = n if literal(sub.subject) else conn.single_inbox; "
        "asked.answer = digest(payload) if len(payload) > 0 and "
        "(conn.delivered < FORMAT_SAMPLE or asked.meaning is not None) else None",
    ),
    Action(on="server:hmsg", when="asked.state == 'asked'", do="asked.status = fields.status"),
    Action(
        on=SENT,
        when="served.state in ('waiting', 'in_progress') and "
        "(conn.published < FORMAT_SAMPLE or starts(subject, '$JS.ACK.'))",
        do="served.reply = digest(payload); served.reply_n = n",
    ),
    Action(on="server:hmsg", when=ENDS_PULL, do="sub.statuses = coalesce(sub.statuses, 0) + 1"),
    # Deliveries of consumers, and what streams have stored.
    Action(
        on=DELIVERED,
        when=f"{FED} and {CONSUMED} > team.place + 1 and sub.pull_n is not None and "
        "conn.gap_n is None",
        do="conn.gap_n = n; conn.gap_after_n = team.place_n; conn.gap_after = team.place; "
        f"conn.gap_place = {CONSUMED}; conn.gap_of = token(reply_to, 3)",
    ),
    Action(
        on=DELIVERED,
        when=IS_ACK,
        do="team.place_shared = n if team.place_flow != flow else team.place_shared; "
        f"team.place = {CONSUMED}; team.place_flow = flow; team.place_sid = sid; team.place_n = n; "
        f"team.stored = {STORED_AT} if number(token(reply_to, 4)) == 1 else "
        "0 if team.place == 1 else team.stored",
    ),
    Lifecycle(
        name="ledger",
        scope="connection",
        doc="A stream that stores what the client publishes, by its name.",
        key={DELIVERED: f"""between(payload, '"stream":"', '"') if {IS_STORED} else None"""},
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=STORES,
        do=f"ledger.place = {SEQUENCE}; ledger.place_n = n; ledger.asked_n = asked.n",
    ),
    Action(on=SENT, when=f"{ACKING} and served.state in ('waiting', 'in_progress')",
           do="team.settled = served.n; team.settled_flow = flow"),
    # Messages that are not JetStream's, from their publisher to each subscription.
    Lifecycle(
        name="issue",
        scope="capture",
        doc="A message that a client has published, by its subject and content.",
        key={
            SENT: "(server, subject, coalesce(reply_to, ''), digest(payload)) "
            f"if {OWN_SUBJECT} else None",
            DELIVERED: "(server, subject, coalesce(reply_to, ''), digest(payload)) "
            f"if {_DELIVERY} else None",
        },
        most=4096,
    ),
    Action(on=SENT, when="topic.publisher != flow", do="topic.several = n"),
    Action(
        on=SENT,
        do="topic.publisher = flow; issue.place = topic.sent; issue.flow = flow; issue.sent_n = n; "
        "issue.several = topic.several; issue.first_n = topic.sent_n; "
        "issue.times = coalesce(issue.times, 0) + 1",
    ),
    Lifecycle(
        name="heard",
        scope="connection",
        doc="The messages on a subject that a subscription gets.",
        key={DELIVERED: f"(sid, subject) if {_DELIVERY} else None"},
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=f"{ISSUED} and issue.place == heard.place and sub.again_n is None",
        do="sub.again_n = n; sub.again_first_n = heard.place_n; sub.again_of = issue.sent_n",
    ),
    Action(
        on=DELIVERED,
        when=f"{ISSUED} and issue.place < heard.place and sub.back_n is None",
        do="sub.back_n = n; sub.back_after_n = heard.place_n; sub.back_of = issue.sent_n",
    ),
    Action(on=DELIVERED, when=ISSUED, do="heard.place = issue.place; heard.place_n = n"),
    Action(
        on=DELIVERED,
        when="issue.times > 1",
        do="heard.place = None; heard.equal_n = n",
    ),
)  # fmt: skip
"""Part of the tables of the protocol."""
