"""Rules for requests and replies of NATS: unanswered, late, answered twice, shared inboxes."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.behaviours import SELF, SHARES_REPLY
from streamshark.protocols.nats.row_names import DELIVERED, SENT

_UNHEARD: Final = "starts(subject, '$JS.') and reply_to is not None and conn.unheard_n is not None"
_WORKS_OFF: Final = (
    "matching(conn.unheard_reply, conn.closed_inbox) and "
    "coalesce(conn.acked_t, 0) >= conn.closed_inbox_t"
)
"""The subscription has ended, and the client acknowledges what it had received before."""

REPLIES: Final = (
    Rule(
        id="NATS-B37",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated requests to one subject without a reply",
        on="end:asked",
        when="coalesce(silent.times, 0) + 1 >= UNANSWERED_LIMIT and asked.state == 'asked'",
        needs="whole both",
        of="silent",
        evidence="asked.n, silent.asked_n, silent.first_n, conn.connect_n",
        message="{silent.times + 1} requests of this client to {asked.subject} had no reply"
        "{'' if conn.wants_no_responders else ', and CONNECT does not ask for no_responders'}",
        by="1 if conn.wants_no_responders else 0",
        causes={
            0: "If nothing receives the subject, the server would say so at once (status 503) to a "
            "client that sets headers and no_responders in CONNECT: this one waits until its "
            "timeout each time. Otherwise the service does not reply.",
        },
        cause="The service receives the requests and does not reply to their reply subject, or "
        "only stores them; the client waits until its timeout each time.",
        source="docs.nats.io, Request-Reply",
        healthy="The reply subject is meant for others, or for later.",
        echo_of="NATS-B20",
    ),
    Rule(
        id="NATS-B38",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="one NATS request answered by two instances (no queue group)",
        on=SENT,
        when="inbox.reply_n is not None and inbox.reply_flow != flow and "
        f"inbox.reply_name == ({SELF}) and inbox.state != 'listened' and "
        "not starts(coalesce(req.asked_subject, ''), '$SRV.') and "
        "coalesce(conn.second_replies, 0) + 1 >= TWICE_LIMIT",
        needs="whole both",
        of="conn",
        evidence="n, inbox.reply_n",
        message="the request with reply subject {subject} is answered by two connections of "
        "{coalesce(conn.client_name, client)}",
        cause="The instances subscribe without a queue group, so that each of them processes every "
        "request.",
        source="docs.nats.io, Queue Groups",
        healthy="The requester gathers the replies of all instances.",
    ),
    Rule(
        id="NATS-B125",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS requests answered by two programs",
        on=SENT,
        when="inbox.reply_n is not None and inbox.reply_flow != flow and "
        f"inbox.reply_name != ({SELF}) and inbox.state != 'listened' and "
        "not starts(coalesce(req.asked_subject, ''), '$SRV.') and "
        "coalesce(conn.foreign_replies, 0) + 1 >= TWICE_LIMIT",
        needs="whole both",
        of="conn",
        evidence="n, inbox.reply_n",
        message="requests with a reply subject such as {subject} are answered by "
        "{coalesce(conn.client_name, client)} and by another program before it",
        cause="Two programs reply to what one of them only wants to hear: the requester takes the "
        "first answer, whichever that is.",
        source="docs.nats.io, Request-Reply",
        healthy="The requester gathers the replies of several services.",
        echo_of="NATS-B38",
    ),
)

LATE_REPLIES: Final = (
    Rule(
        id="NATS-B260",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late reply to a request",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and t - asked.t > LATE_REPLY",
        needs="whole both",
        per="client, server, asked.subject",
        evidence="asked.n, n",
        message="the reply to the request to {asked.subject} came after "
        "{t - asked.t:time}; most clients have timed out by then",
        cause="The service is busy or was started late, or handles one request at a time.",
        source="docs.nats.io, Request-Reply",
        healthy="The reply subject is meant for what happens later.",
    ),
    Rule(
        id="NATS-B20",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reply after the requester gave up",
        on=SENT,
        when="inbox.gone_n is not None",
        needs="",
        per="server, conn.client_name",
        evidence="n, inbox.gone_n, served.n",
        message="a reply was published to {subject} {t - inbox.gone_t:time} after the requester "
        "had ended its subscription without a reply",
        cause="The requester's timeout is shorter than the time that the service needs.",
        source="docs.nats.io, Request-Reply; nats.go issue 533",
    ),
    Rule(
        id="NATS-B21",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reply subject subscribed only after the request",
        on="client:sub",
        when="asked.state == 'asked' and starts(subject, '_INBOX')",
        needs="start whole",
        evidence="n, asked.n",
        message="the client subscribed to {subject} after its request in frame {asked.n}: a reply "
        "sent in between is lost",
        cause="The client must send SUB for the reply subject before the request.",
        source="docs.nats.io, Request-Reply; nats.java issue 5",
    ),
)

SHARED_REPLIES: Final = (
    Rule(
        id="NATS-B66",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reply subjects that are each used by two open requests",
        on=SENT,
        when=f"{SHARES_REPLY} and count(conn.shared_replies) >= 1 and "
        "not has(conn.shared_replies, reply_to)",
        needs="since both",
        of="conn",
        evidence="n, asked.n",
        message="the request to {subject} has the reply subject {reply_to} of the open request to "
        "{asked.subject}: whichever answer comes first may be read as the answer of either",
        cause="Tasks share an inbox, or its random part is too short or not made anew.",
        source="docs.nats.io, Request-Reply; nats.py issue 187",
        healthy="The requester gathers answers of several services.",
    ),
    Rule(
        id="NATS-B66b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reply subject used by several open requests",
        on=SENT,
        when=SHARES_REPLY,
        needs="since both",
        of="conn",
        evidence="n, asked.n",
        message="the request to {subject} has the reply subject {reply_to} of the open request to "
        "{asked.subject}: whichever answer comes first may be read as the answer of either",
        cause="Tasks share an inbox, or its random part is too short or not made anew.",
        source="docs.nats.io, Request-Reply; nats.py issue 187",
        healthy="The requester gathers answers of several services.",
        echo_of="NATS-B66",
    ),
    Rule(
        id="NATS-B67",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="publish stored more than once (second JetStream ack)",
        on=DELIVERED,
        when="asked.state == 'answered' and asked.meaning is None and starts(payload, OPEN) and "
        "between(payload, '{\"stream\":\"', '\"') is not None and "
        "between(payload, ',\"seq\":', '') is not None",
        needs="object both",
        of="conn",
        evidence="n, asked.answer_n, asked.n",
        message="the publish to {asked.subject} in frame {asked.n} has a second ack in frame {n}, "
        "after that in frame {asked.answer_n}: the message is stored twice",
        cause="Streams have overlapping subjects, or a mapping or a service publishes the message "
        "again with its reply subject.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg; nats-server issue 7801",
    ),
)

UNSUBSCRIBED_REPLIES: Final = (
    Rule(
        id="NATS-B27",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="JetStream request with a reply subject that is not subscribed",
        on=SENT,
        when=f"{_UNHEARD} and not ({_WORKS_OFF})",
        needs="start whole both",
        of="conn",
        evidence="conn.unheard_n, n",
        message="the request in frame {conn.unheard_n} asks for its reply on "
        "{conn.unheard_reply}, but no subscription of this connection matches it",
        cause="The reply subject does not have the prefix of the client's inboxes, or its "
        "subscription has ended: pulled messages are delivered and lost.",
        source="docs.nats.io, custom inbox prefix; nats.net issue 167",
        healthy="Another connection of the program has the subscription.",
    ),
    Rule(
        id="NATS-B27b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="pull request after the end of its subscription",
        on=SENT,
        when=f"{_UNHEARD} and {_WORKS_OFF}",
        needs="start whole both",
        of="conn",
        evidence="conn.unheard_n, n",
        message="the request in frame {conn.unheard_n} asks for its reply on "
        "{conn.unheard_reply}, to which the client has ended its subscription",
        cause="The client handles what it had received before it stopped, and asks for as many "
        "messages again.",
        source="docs.nats.io, custom inbox prefix; nats.js 2.29.3, PullConsumerMessagesImpl",
        healthy="A consumer of nats.js that is closed while messages wait in it.",
        echo_of="NATS-B27",
    ),
)
