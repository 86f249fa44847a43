"""Rules for the order and number of lines: what is left out, comes twice or out of turn."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.order_behaviours import (
    CONSUMED,
    ENDS_PULL,
    FED,
    IS_PUBLISH,
    ISSUED,
    SEQUENCE,
    STORED_AT,
    STORES,
)
from streamshark.protocols.nats.row_names import ACKING, DELIVERED, SENT
from streamshark.protocols.nats.sources import ADR_13, CLIENT, CONSUMER, PROTOCOL

_REPLIES: Final = "docs.nats.io, Request-Reply"
_STREAM: Final = "nats-server v2.12.2, server/stream.go, processJetStreamMsg"
_API: Final = "nats-server v2.12.2, server/jetstream_api.go, sendAPIResponse"
_FROM_API: Final = "between(payload, 'io.nats.jetstream.api.v1.', '_response\"') is not None"
_SERVED: Final = (
    "starts(sub.subject, '_INBOX.') and not literal(sub.subject) and token(sub.subject, 1) != '>'"
)
"""The row comes to the inbox of a client for all its requests."""

ORDER_RULES: Final = (
    Rule(
        id="NATS-B220",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request answered, and the PING before it not",
        on="server:msg server:hmsg",
        when="asked.state == 'asked' and C.owed > 0 and asked.n > C.owed_n",
        needs="start whole both",
        of="C",
        evidence="n, C.owed_n, asked.n",
        message="the request of frame {asked.n} is answered, but {C.owed:count ping} before it "
        "still has no PONG",
        cause="A server answers in the order of the lines: the PONG is lost, or PING was sent "
        "twice.",
        source=f"{CLIENT}, processPing",
        guilty="server",
    ),
    Rule(
        id="NATS-B220b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="reply of a client that has not answered the PING before its request",
        on=SENT,
        when="served.state == 'waiting' and S.owed > 0 and served.n > S.owed_n",
        needs="start whole both",
        of="S",
        evidence="n, S.owed_n, served.n",
        message="the client replies to frame {served.n}, but {S.owed:count ping} of the server "
        "before it still has no PONG",
        cause="The client does not answer PING, or queues PONG after its replies: the server ends "
        "the connection as stale after a few PINGs.",
        source=f"{CLIENT}, processPingTimer",
        healthy="A client whose replies are written by another thread.",
    ),
    Rule(
        id="NATS-B220c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="PINGs without PONG when the client ends the connection",
        on="end:conn",
        when="conn.left == 1 and conn.cut is None and C.owed >= 2",
        needs="start whole both",
        evidence="C.owed_n",
        message="{C.owed:count ping} of the client had no PONG when it ended the connection",
        cause="The server, or a proxy before it, no longer answers.",
        source=f"{PROTOCOL}, PING/PONG",
        healthy="A client that ends at once.",
        echo_of="NATS-N7 NATS-N7b",
    ),
    Rule(
        id="NATS-B221",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="CONNECT before INFO",
        on="server:info",
        when="conn.greeted_n is None and conn.connect_n is not None and not conn.encrypted",
        needs="start whole both",
        evidence="conn.connect_n, n",
        message="the client sent CONNECT before the server had sent INFO",
        cause="The client does not read INFO first: it cannot know whether the server requires TLS "
        "or a signed nonce.",
        source=f"{PROTOCOL}, INFO",
        healthy="A client that knows its server.",
    ),
    Rule(
        id="NATS-B222",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="PING before CONNECT",
        on="client:ping client:pong",
        when="conn.connect_n is None and conn.peers is None",
        needs="start whole",
        message="the client sent {name} before CONNECT",
        cause="The client starts before it has identified itself; a server that requires "
        "credentials refuses it.",
        source=f"{PROTOCOL}, CONNECT",
        healthy="A probe that asks whether the server is up.",
    ),
    Rule(
        id="NATS-B223",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="second UNSUB of a subscription",
        on="client:unsub",
        when="sub.state == 'removed' and sub.over_n is not None",
        needs="object",
        of="conn",
        evidence="n, sub.over_n",
        message="UNSUB {sid} again: frame {sub.over_n} has ended this subscription",
        cause="Two parts of the client end the same subscription; if its sid is used again, the "
        "second UNSUB ends the new one.",
        source=f"{CLIENT}, processUnsub",
        healthy="The server ignores it silently.",
    ),
    Rule(
        id="NATS-B224",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="more messages than UNSUB permits (max_msgs)",
        on="server:msg server:hmsg",
        when="sub.state == 'removed' and sub.delivered >= sub.limit and sub.limit_t == sub.t and "
        "coalesce(S.answered_n, 0) <= sub.unsub_n",
        needs="object both",
        evidence="n, sub.unsub_n",
        message="a message for sid {sid} after the {sub.limit} that UNSUB in frame {sub.unsub_n} "
        "permits",
        cause="",
        source=f"{PROTOCOL}, UNSUB, max_msgs",
        guilty="server",
    ),
    Rule(
        id="NATS-B225",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="request sent again with the same reply subject",
        on=SENT,
        when="reply_to is not None and asked.state == 'asked' and asked.subject == subject and "
        "asked.request == digest(payload)",
        needs="object",
        of="conn",
        evidence="n, asked.n",
        message="the request to {subject} is sent again with the reply subject {reply_to} of frame "
        "{asked.n}, which has no answer yet",
        cause="The request is written twice, or repeated before its answer: it is carried out "
        "twice, and the first answer is taken for both.",
        source=_REPLIES,
        healthy="A client that repeats a request until somebody answers.",
    ),
    Rule(
        id="NATS-B226",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="second answer of the JetStream API to one request",
        on=DELIVERED,
        when=f"asked.state == 'answered' and {_FROM_API} and asked.answer == digest(payload)",
        needs="object both",
        of="conn",
        evidence="n, asked.answer_n, asked.n",
        message="the request to {asked.subject} in frame {asked.n} is answered again, with the "
        "same content as in frame {asked.answer_n}",
        cause="A server answers once: the answer was delivered twice, or two servers take the "
        "request.",
        source=_API,
    ),
    Rule(
        id="NATS-B226b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="same answer twice for one request",
        on=DELIVERED,
        when=f"asked.state == 'answered' and not {_FROM_API} and reply_to is None and "
        f"{IS_PUBLISH} and asked.answer == digest(payload)",
        needs="object both",
        of="conn",
        evidence="n, asked.answer_n, asked.n",
        message="the request to {asked.subject} in frame {asked.n} has the answer of frame "
        "{asked.answer_n} a second time",
        cause="The answer is delivered or published twice, or two responders take the request.",
        source=_REPLIES,
        healthy="A request to several responders that all give the same answer.",
        echo_of="NATS-B67",
    ),
    Rule(
        id="NATS-B226c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="same message twice for one direct get",
        on="server:hmsg",
        when="asked.state == 'answered' and asked.meaning == 'direct get' and "
        "item(fields.headers, 'Nats-Num-Pending') is None and asked.answer == digest(payload)",
        needs="object both",
        of="conn",
        evidence="n, asked.answer_n, asked.n",
        message="the request to {asked.subject} in frame {asked.n} has the message of frame "
        "{asked.answer_n} a second time",
        cause="The answer was delivered twice, or two servers take the request.",
        source="ADR-31, Direct Get",
        guilty="server",
    ),
    Rule(
        id="NATS-B227",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="answer of JetStream to no request of the connection",
        on=DELIVERED,
        when=f"asked.state == 'absent' and {_SERVED} and ({_FROM_API} or "
        "starts(payload, OPEN) and (between(payload, '{\"stream\":\"', '\"') is not None or "
        "between(payload, '{\"error\":{\"code\":', ',') is not None))",
        needs="start whole both",
        of="conn",
        evidence="n, sub.n",
        message="an answer of JetStream comes to {subject}, which no request of this connection "
        "has named",
        cause="The reply subject was changed on the way, or the answer belongs to another client.",
        source=_API,
        healthy="Another connection of the program sends the requests.",
    ),
    Rule(
        id="NATS-B227b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="answer to no request of the connection",
        on=DELIVERED,
        when=f"asked.state == 'absent' and ({_SERVED} and sub.answers >= 1 or "
        "conn.single_inbox is not None and subject == sub.subject) and reply_to is None and "
        f"starts(subject, '_INBOX.') and len(payload) > 0 and not {_FROM_API}",
        needs="start whole both",
        of="conn",
        evidence="n, sub.n",
        message="a message comes to {subject}, which no request of this connection has named, on "
        "the subscription that would get the answer",
        cause="The reply subject was changed on the way, or the request was sent by another "
        "connection.",
        source=_REPLIES,
        healthy="A program that passes on its inbox in other ways than as a reply subject.",
        echo_of="NATS-B227",
    ),
    Rule(
        id="NATS-B227c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="status to no request of the connection",
        on="server:hmsg",
        when="asked.state == 'absent' and pull.state == 'absent' and "
        "starts(sub.subject, '_INBOX.') and fields.status in (404, 408, 503)",
        needs="start whole both",
        of="conn",
        evidence="n, sub.n",
        message="status {fields.status} comes to {subject}, which no request of this connection "
        "has named",
        cause="The reply subject was changed on the way, or the status belongs to another client.",
        source="ADR-4",
        healthy="Another connection of the program sends the requests.",
    ),
    Rule(
        id="NATS-B228",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="more statuses than pull requests",
        on="server:hmsg",
        when=f"{ENDS_PULL} and sub.statuses >= sub.pulls and sub.state == 'live'",
        needs="start whole both",
        of="sub",
        evidence="n, sub.pull_n",
        message="status {fields.status} for {subject}, although {sub.statuses} statuses have ended "
        "{sub.pulls:count pull} of this subscription",
        cause="",
        source=f"{CONSUMER}, processNextMsgRequest; {ADR_13}",
        guilty="server",
    ),
    Rule(
        id="NATS-B228b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="same status twice for one request",
        on="server:hmsg",
        when="fields.status in (404, 503) and asked.state in ('answered', 'no_responders') and "
        "asked.status == fields.status",
        needs="object both",
        of="conn",
        evidence="n, asked.n",
        message="the request to {asked.subject} in frame {asked.n} has status {fields.status} a "
        "second time",
        cause="",
        source="ADR-4; nats-server v2.12.2, server/client.go, processInboundClientMsg",
        guilty="server",
    ),
    Rule(
        id="NATS-B229",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="delivery of a JetStream consumer that comes twice or out of order",
        on=DELIVERED,
        when=f"{FED} and {CONSUMED} <= team.place and ({CONSUMED} > 1 or team.place == 1)",
        needs="since both",
        of="team",
        evidence="n, team.place_n",
        message="delivery {token(reply_to, 6)} of consumer {token(reply_to, 3)} on stream "
        "{token(reply_to, 2)} comes after delivery {team.place}",
        cause="Each delivery of a consumer has the next number: a line was repeated or moved on "
        "its way, or the consumer was made anew.",
        source=f"{CONSUMER}, deliverMsg",
        guilty="server",
    ),
    Rule(
        id="NATS-B229b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="gap in the deliveries of a JetStream pull consumer",
        on="end:conn",
        when="conn.gap_n is not None and team.place_shared is None and "
        "token(conn.ack_to, 3) == conn.gap_of",
        needs="start whole both all",
        evidence="conn.gap_n, conn.gap_after_n",
        message="delivery {conn.gap_place} of consumer {conn.gap_of} follows delivery "
        "{conn.gap_after}",
        cause="What is between was lost, or went to another client that pulls from this consumer.",
        source=f"{CONSUMER}, deliverMsg",
        healthy="Several workers pull from the consumer, of which this capture has one.",
    ),
    Rule(
        id="NATS-B229c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="JetStream consumer that goes back in its stream",
        on=DELIVERED,
        when=f"{FED} and {CONSUMED} > team.place and number(token(reply_to, 4)) == 1 and "
        f"{STORED_AT} <= team.stored",
        needs="since both",
        of="team",
        evidence="n, team.place_n",
        message="message {token(reply_to, 5)} of stream {token(reply_to, 2)} is delivered for the "
        "first time, after message {team.stored}",
        cause="A consumer delivers messages in the order of the stream: the stream or the consumer "
        "was reset.",
        source=f"{CONSUMER}, getNextMsg",
        guilty="server",
    ),
    Rule(
        id="NATS-B230",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="sequence of a stored message that is not above the one before",
        on=DELIVERED,
        when=f"{STORES} and {SEQUENCE} <= ledger.place and {SEQUENCE} > 1",
        needs="since both",
        of="ledger",
        evidence="n, ledger.place_n, asked.n",
        message="the message of frame {asked.n} is stored with a sequence that is not above "
        "{ledger.place}, that of the message before",
        cause="The stream was restored or made anew, or the ack is not this request's.",
        source=_STREAM,
        guilty="server",
    ),
    Rule(
        id="NATS-B230b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages stored in another order than they were published",
        on=DELIVERED,
        when=f"{STORES} and {SEQUENCE} > ledger.place and asked.n < ledger.asked_n",
        needs="since both",
        of="ledger",
        evidence="n, asked.n, ledger.asked_n",
        message="the message of frame {asked.n} is stored after that of frame {ledger.asked_n}, "
        "which was published later",
        cause="The acks are exchanged: what the client takes for refused or stored is another "
        "message.",
        source=_STREAM,
    ),
    Rule(
        id="NATS-B231",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message delivered twice on a subscription",
        on="end:sub",
        when="sub.again_n is not None",
        needs="start whole both all",
        of="sub",
        evidence="sub.again_n, sub.again_first_n, sub.again_of",
        message="the message that frame {sub.again_of} published comes to the subscription to "
        "{sub.subject} a second time",
        cause="A link between servers repeats messages, or a service publishes them again.",
        source=f"{CLIENT}, deliverMsg",
        healthy="A client that is not in this capture publishes the same.",
    ),
    Rule(
        id="NATS-B231b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message left out between others of its publisher",
        on=DELIVERED,
        when=f"{ISSUED} and sub.queue is None and (issue.place > heard.place + 1 or "
        "heard.place is None and heard.equal_n is None and issue.place > 1 and "
        "issue.flow == flow and issue.first_n > sub.n)",
        needs="start whole both all",
        of="sub",
        evidence="n, heard.place_n, issue.sent_n",
        message="message {issue.place} of its publisher to {subject} comes to sid {sid} after "
        "{coalesce(heard.place, 0)}: what is between was not delivered",
        cause="The server or a link dropped it, or another message was delivered in its place: "
        "NATS delivers each message once at most.",
        source=f"{CLIENT}, deliverMsg; docs.nats.io, Core NATS",
        healthy="A mapping of subjects that passes on a share of the messages.",
    ),
    Rule(
        id="NATS-B231c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages of one publisher in another order",
        on="end:sub",
        when="sub.back_n is not None",
        needs="start whole both all",
        of="sub",
        evidence="sub.back_n, sub.back_after_n, sub.back_of",
        message="the message that frame {sub.back_of} published comes to the subscription to "
        "{sub.subject} after one that was published later",
        cause="NATS keeps the order of a publisher: a link or proxy between has several paths.",
        source="docs.nats.io, Core NATS; nats-server v2.12.2, server/client.go, deliverMsg",
    ),
    Rule(
        id="NATS-B232",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="own message delivered to a client without echo",
        on=DELIVERED,
        when=f"{ISSUED} and conn.echo == False and issue.flow == flow",
        needs="start whole both all",
        of="conn",
        evidence="n, conn.connect_n, issue.sent_n",
        message="the client gets what it published in frame {issue.sent_n}, although CONNECT sets "
        "echo to false",
        cause="The server is too old for the option, or the message comes back by another path.",
        source=f"{PROTOCOL}, CONNECT, echo",
        healthy="Another client that is not in this capture publishes the same.",
    ),
    Rule(
        id="NATS-B233",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream message left out among acknowledged ones",
        on="end:served",
        when="why in ('closed', 'reset') and served.state == 'waiting' and "
        "team.settled_flow == flow and team.settled > served.n and team.policy == 'explicit'",
        needs="start whole both",
        of="conn",
        evidence="served.n, team.settled",
        message="the message of frame {served.n} was not acknowledged, although later ones were",
        cause="The ack was lost in the client, or its handler failed: the message is delivered "
        "again after ack_wait.",
        source="docs.nats.io, JetStream, acknowledgement",
        healthy="Several workers share the connection, which was closed while one was at work.",
    ),
    Rule(
        id="NATS-B234",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream ack of a message that was not delivered on the connection",
        on=SENT,
        when=f"{ACKING} and served.state == 'absent' and token(subject, 8) is not None",
        needs="start whole both",
        of="conn",
        message="{subject} acknowledges a message that this connection has not received",
        cause="The ack subject was changed, or made up: it has to be the reply subject of the "
        "message as it came.",
        source="ADR-15, JS Ack",
        healthy="Another connection of the program receives the messages.",
    ),
    Rule(
        id="NATS-B235",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream message acknowledged again in the same way",
        on=SENT,
        when=f"{ACKING} and served.state == 'answered' and served.reply == digest(payload) and "
        "reply_to is None",
        needs="object both",
        of="conn",
        evidence="n, served.reply_n, served.n",
        message="the message of frame {served.n} has the ack of frame {served.reply_n} a second "
        "time",
        cause="Both the library and the program acknowledge, or the handler ran twice.",
        source="docs.nats.io, JetStream, acknowledgement",
        healthy="The server ignores the second ack.",
        echo_of="NATS-B26",
    ),
    Rule(
        id="NATS-B236",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same reply sent twice to one request",
        on=SENT,
        when="served.state == 'answered' and not starts(subject, '$') and len(payload) > 0 and "
        "served.reply == digest(payload)",
        needs="object both",
        of="conn",
        evidence="n, served.reply_n, served.n",
        message="the request of frame {served.n} has the reply of frame {served.reply_n} a second "
        "time",
        cause="The handler ran twice, or both it and the library reply.",
        source=_REPLIES,
        healthy="A reply of several messages, of which two are equal.",
        echo_of="NATS-B118",
    ),
    Rule(
        id="NATS-B237",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reply to a request that was not delivered on the connection",
        on=SENT,
        when="starts(subject, '_INBOX.') and served.state == 'absent' and "
        "conn.handler_replies >= 1",
        needs="start whole both",
        of="conn",
        message="a reply is sent to {subject}, which no message to this connection has named",
        cause="The reply subject was changed, or the request was received by another connection.",
        source=_REPLIES,
        healthy="A service that receives and replies on different connections.",
    ),
)
"""Part of the rules of the protocol."""
