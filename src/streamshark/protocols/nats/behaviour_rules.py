"""Rules for what NATS clients do over time: loops, leaks, waste, redeliveries, shared consumers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import subject_predicates
from streamshark.protocols.nats.behaviours import (
    CHUNKS,
    DELETED,
    FORMAT,
    META,
    SELF,
    SHARES_REPLY,
    SIZE,
    UNHEARD_WORD,
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
    OF_STREAM,
    OVER_LIMIT,
    SENT,
    member,
)

LATE_ACKS: Final = 3
"""Late acks for a consumer that are more than one slow message."""
_CLIENT: Final = "nats-server v2.12.2, server/client.go"
_CONSUMER: Final = "nats-server v2.12.2, server/consumer.go"
_CLIENT_OF_NATS: Final = (
    "conn.peers is None and conn.cluster is None and "
    "not starts(coalesce(conn.client_name, ''), 'LIFT.')"
)
_ADR_13: Final = "ADR-13, Pull Subscribe"

_HERE: Final = (
    "(number(token(conn.ack_to, 5)) if token(conn.ack_to, 2) == conn.create_stream else None)"
)
"""How far this connection has read the stream of the consumer that is created."""
_REACHED: Final = f"max(coalesce({_HERE}, 0), coalesce(place.reached, 0))"
"""How far the program has read it, also on the connection before; 0 if that is not known."""
_CREATED: Final = f"asked.state == 'asked' and asked.meaning in {CREATING}"

_OLD_CHUNKS: Final = (
    "The client leaves the old chunks in the stream of the store, which grows with each upload."
)

LOOPS: Final = (
    Rule(
        id="NATS-B1",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream request repeated after the same error",
        on="repetition:refused",
        needs="",
        message="the request to {asked.subject} was refused {REFUSED_LIMIT} times in a row: "
        "{between(payload, DESCRIPTION, QUOTE)}",
        cause="The client retries without a pause, or does not read the error in the answer.",
        source="nats-server v2.12.2, server/errors.json; nats.net issue 420",
        echo_of="NATS-N24d",
    ),
    Rule(
        id="NATS-B2",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request repeated despite no responders (503)",
        on="repetition:unheard",
        # Servers of Liftbridge ask each other so while one of them is away.
        when="conn.connect_n is not None and conn.cluster is None and "
        "not starts(coalesce(conn.client_name, ''), 'LIFT.')",
        needs="",
        message="{REFUSED_LIMIT} requests in a row to {asked.subject} were answered with status "
        "503: no subscriber and no stream receives them",
        cause="The client ignores the status or takes it for an ack; its messages are lost.",
        source="ADR-4; nats.rs issue 218",
        healthy="A client that waits for a service to start.",
    ),
    Rule(
        id="NATS-B3",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="same -ERR sent repeatedly by the server",
        on="repetition:erred",
        needs="",
        message="the server sent -ERR {message} to {client}, {ERR_LIMIT} in a row of this kind",
        cause="The client does not read -ERR: it repeats the refused command, or reconnects "
        "with the same mistake.",
        source=f"{_CLIENT}, sendErr; nats.net issue 376",
        echo_of="NATS-N5 NATS-N9",
    ),
    Rule(
        id="NATS-B4",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="empty JetStream pulls in a loop (no_wait)",
        on="repetition:empty_pulls",
        needs="",
        evidence="pull.n, empty_pulls.second_n, n",
        message="{POLL_LIMIT} pull requests in a row were answered with status 404 at once, at "
        "most {POLL_PAUSE:time} apart",
        cause="The client pulls with no_wait; with `expires` the server waits for messages "
        "instead.",
        source=f"{_ADR_13}; nats.go issue 809",
        echo_of="NATS-N27",
    ),
    Rule(
        id="NATS-B5",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="JetStream API query repeated without a pause",
        on="repetition:polled",
        needs="",
        message="{called(subject, JETSTREAM)} was requested {POLL_LIMIT} times in a row, at most "
        "{POLL_PAUSE:time} apart",
        cause="The client asks before each step instead of keeping the answer: each query costs "
        "a round trip and loads the stream's leader.",
        healthy="A program that watches a consumer or a stream.",
        source="docs.nats.io, JetStream, consumer info",
    ),
    Rule(
        id="NATS-B6",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="message redelivered in a loop",
        on="repetition:redelivered",
        needs="",
        message="consumer {token(reply_to, 3)} has delivered the message with sequence "
        "{token(reply_to, 5)} of stream {token(reply_to, 2)} {token(reply_to, 4)} times",
        cause="The client cannot process the message, or never acknowledges it in time: limit "
        "max_deliver, set backoff, reject it with a delay (-NAK), or end it with +TERM.",
        source=f"{_CONSUMER}, didNotDeliver, checkPending",
        echo_of="NATS-B14",
        healthy="The consumer rejects the message until something else has happened.",
    ),
    Rule(
        id="NATS-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream consumers created in a loop and not deleted",
        on="repetition:created",
        needs="",
        worsens=True,
        message=f"{{CREATE_LIMIT}} consumers in a row were created on stream {{{OF_STREAM}}}, "
        "none of which the client deleted",
        cause="The client creates a consumer for each read or retry; each is kept by the "
        "server until inactive_threshold, a durable one for ever.",
        source="docs.nats.io, JetStream, consumers; ADR-15",
        healthy="A program that sets up several consumers when it starts.",
    ),
    Rule(
        id="NATS-B7b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream consumer made for each read",
        on="repetition:consumers_remade",
        needs="",
        message=f"{{REMADE_CONSUMERS}} consumers in a row were created on stream {{{OF_STREAM}}}, "
        "at most {REFUSED_PAUSE:time} apart",
        cause="The client creates a consumer for each message or listing, and deletes it: each "
        "costs several round trips, and in a cluster a Raft group. One consumer reads on.",
        source="docs.nats.io, JetStream, consumers; ADR-15",
        healthy="A program that sets up several consumers when it starts, or lists keys.",
        echo_of="NATS-B7",
    ),
    Rule(
        id="NATS-B8",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publish loop on a subject that the client itself subscribes to",
        on="repetition:echoed",
        needs="",
        message="{ECHO_LIMIT} times in a row the client received its own message on {subject} and "
        "published to that subject again at once",
        cause="The client subscribes to the subject that it publishes to, so each message "
        "causes the next one. With echo:false in CONNECT it does not receive its own messages.",
        source="docs.nats.io, Client Protocol, CONNECT",
        healthy="The client measures round trips through the server.",
    ),
    Rule(
        id="NATS-B62",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many JetStream streams created in a row",
        on="repetition:streams_created",
        needs="",
        message="{STREAM_LIMIT} streams in a row were created; the last request is {subject}",
        cause="The client creates a stream, or a bucket, for each task or user: each of them costs "
        "files and, in a cluster, a Raft group. One stream can have many subjects.",
        source="docs.nats.io, JetStream, streams",
        healthy="A program that sets up its streams when it starts.",
    ),
    Rule(
        id="NATS-B62b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same JetStream stream created or updated repeatedly",
        on="repetition:ensured",
        needs="",
        message="the same request was sent {ENSURED_LIMIT} times in a row ({subject})",
        cause="The client makes sure before each task that the stream exists: each request goes "
        "through the leader of the cluster.",
        source="docs.nats.io, JetStream, streams",
        healthy="Several instances of a program that start one after the other.",
    ),
    Rule(
        id="NATS-B63",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="frequent PINGs of an idle client",
        on="repetition:pinged",
        needs="",
        message="the client sent {BEAT_LIMIT} PINGs in a row and nothing else, at most "
        "{REFUSED_PAUSE:time} apart",
        cause="The client's ping interval is too short, or has another unit than meant: libraries "
        "use two minutes.",
        source="docs.nats.io, Client Protocol, PING",
        healthy="A program that measures round trips.",
        echo_of="NATS-B23",
    ),
    Rule(
        id="NATS-B9",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived NATS connections in a row",
        on="churn:reconnected",
        evidence="conn.connect_n",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row, "
        "each with at most two messages",
        cause="The client connects for each task: the handshake alone costs two round trips.",
        source="docs.nats.io, Connecting",
        healthy="A command that is run for each message.",
    ),
    Rule(
        id="NATS-B9b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS connections for a few messages each",
        on="churn:reconnected_often",
        evidence="conn.connect_n",
        needs="",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} one after "
        "another, each with at most {FEW_MESSAGES} messages",
        cause="The client connects for each task: the handshake alone costs two round trips.",
        source="docs.nats.io, Connecting",
        healthy="A command that is run for each task.",
        echo_of="NATS-B9",
    ),
    Rule(
        id="NATS-B9c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS connections with TLS that are closed at once, in a row",
        on="churn:veiled",
        evidence="conn.n",
        needs="",
        worsens=True,
        message="{client} opened {RECONNECT_LIMIT} connections to {server} one after another, "
        "began TLS on each, and closed it within {REPLY_TIME:time}",
        cause="The handshake of TLS fails: the client does not trust the certificate of the "
        "server, or the name in it is another one, or the server refuses that of the client.",
        source="docs.nats.io, TLS",
        healthy="A command that is run for each task.",
    ),
)

CHURN_AND_LEAKS: Final = (
    Rule(
        id="NATS-B10",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new inbox subscription for each request",
        on="churn:inbox_per_request",
        needs="start whole both",
        message="{INBOX_LIMIT} inboxes in a row received one reply each; the last was "
        "{sub.subject}",
        cause="The client subscribes for each request; one wildcard subscription serves all of "
        "them.",
        healthy="A client with old-style requests.",
        source="docs.nats.io, Request-Reply; ADR-4",
    ),
    Rule(
        id="NATS-B11",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="leak of inbox subscriptions (no UNSUB)",
        on="leak:inboxes",
        needs="",
        message="{conn.inboxes_left} inboxes, each for the replies to one request, were still "
        "subscribed when the connection ended",
        cause="The client subscribes for each request and does not send UNSUB: its "
        "subscriptions grow without bound.",
        source="docs.nats.io, Client Protocol, UNSUB",
    ),
    Rule(
        id="NATS-B12",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="duplicate subscription to a subject on one connection",
        on="identity:subscribed_twice",
        needs="start whole both",
        message="the connection subscribed to {sub.subject} twice, so each message arrives twice; "
        "sid {sub.id} is the earlier subscription",
        cause="The client subscribes again, for instance after a reconnect, although its "
        "subscription still exists.",
        healthy="Two parts of a program each need the messages.",
        source="docs.nats.io, Client Protocol, SUB; nats.go issue 288",
    ),
    Rule(
        id="NATS-B12b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="growing number of equal subscriptions on one connection",
        on="leak:copies",
        needs="",
        message="{copies.left} subscriptions of one connection to the same subject were left when "
        "it ended: each message arrives as often",
        cause="The client subscribes again, for each task or after each error, and does not end "
        "its former subscription.",
        source="docs.nats.io, Client Protocol, SUB, UNSUB",
        echo_of="NATS-B12",
    ),
    Rule(
        id="NATS-B13",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new durable consumer name for each connection",
        on=SENT,
        when=f"{CREATES} and count(durables.names) + 1 >= DURABLE_LIMIT and durables.live <= 0 and "
        f"not has(durables.names, {OF_NAME})",
        needs="",
        of="durables",
        evidence="n, durables.latest_n, durables.former_n",
        message="this client has created {count(durables.names) + 1} durable consumers, with names "
        f"of one length, on stream {{{OF_STREAM}}}, each on a new connection; the last is "
        f"{{{OF_NAME}}}",
        cause="The durable name contains something that changes with each start: the stream "
        "keeps the old consumers, and each new one starts from the beginning.",
        source="docs.nats.io, JetStream, durable consumers",
    ),
)

REDELIVERIES: Final = (
    Rule(
        id="NATS-B14",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream ack after the redelivery of its message",
        on=SENT,
        when=f"{ACKING} and handed.delivery > number(token(subject, 4))",
        needs="all",
        per="server, token(subject, 2), token(subject, 3)",
        worse_from=LATE_ACKS,
        evidence="n, handed.delivered_n",
        message="the message with sequence {token(subject, 5)} of stream {token(subject, 2)} was "
        "acknowledged after it had been redelivered in frame {handed.delivered_n}"
        "{'' if handed.to == flow else ', to another connection'}",
        cause="Processing takes longer than ack_wait, or messages wait in the client's buffer: "
        "fetch fewer at once, raise ack_wait, or report progress with +WPI.",
        source=f"{_CONSUMER}, checkPending; nats.go issue 1929",
        healthy="A consumer for which one message takes long: it is delivered twice.",
    ),
    Rule(
        id="NATS-B14b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream ack after ack_wait",
        on=SENT,
        when=f"{ACKING} and served.state == 'waiting' and t - served.t > conn.ack_wait and "
        "begins(payload, ACKS) in ('ack', 'ack and next') and count(conn.consumers) == 1 and "
        "conn.policy in ('explicit', 'all')",
        needs="",
        per="server, token(subject, 2), token(subject, 3)",
        worse_from=LATE_ACKS,
        evidence="n, served.n, conn.described_n",
        message="the message with sequence {token(subject, 5)} of stream {token(subject, 2)} was "
        "acknowledged {t - served.t:time} after its delivery, but ack_wait of the consumer is "
        "{conn.ack_wait:time}: it is delivered again",
        cause="Processing takes longer than ack_wait, or messages wait in the client's buffer: "
        "fetch fewer at once, raise ack_wait, or report progress with +WPI.",
        source=f"{_CONSUMER}, checkPending; nats.go issue 1929",
        echo_of="NATS-B14",
        healthy="A consumer for which one message takes long: it is delivered twice.",
    ),
    Rule(
        id="NATS-B14c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream message delivered again after its ack",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1 and again.acked_n is not None",
        needs="since",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        evidence="n, again.acked_n",
        message="the message with sequence {token(reply_to, 5)} of stream {token(reply_to, 2)} is "
        "delivered again, although it was acknowledged in frame {again.acked_n}",
        cause="The ack came after ack_wait, as the message took long to process, or it did not "
        "reach the consumer.",
        source=f"{_CONSUMER}, checkPending, processAckMsg; nats.net issue 860",
        healthy="An ack that crosses the redelivery of its message.",
        echo_of="NATS-B14 NATS-B14b",
    ),
    Rule(
        id="NATS-B14d",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream progress (+WPI) reported after ack_wait",
        on=SENT,
        when=f"{ACKING} and begins(payload, ACKS) == 'in progress' and "
        "served.state in ('waiting', 'in_progress') and conn.ack_wait > 0 and "
        "t - coalesce(served.beat_t, served.t) > conn.ack_wait and "
        "count(conn.consumers) == 1 and conn.policy in ('explicit', 'all')",
        needs="whole both",
        per="server, token(subject, 2), token(subject, 3)",
        worse_from=LATE_ACKS,
        evidence="n, served.n, conn.described_n",
        message="+WPI for the message with sequence {token(subject, 5)} of stream "
        "{token(subject, 2)} comes {t - coalesce(served.beat_t, served.t):time} after its delivery "
        "or the +WPI before, but ack_wait of the consumer is {conn.ack_wait:time}: the message is "
        "delivered again",
        cause="The client reports progress less often than ack_wait asks for: twice within "
        "ack_wait is safe.",
        source=f"{_CONSUMER}, checkPending, progressUpdate; ADR-15",
        echo_of="NATS-B14",
        healthy="A consumer that is stopped for a moment.",
    ),
    Rule(
        id="NATS-B129",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="JetStream message delivered again after a later one was acknowledged (order)",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and number(token(reply_to, 4)) > 1 and "
        "number(token(reply_to, 5)) < team.top",
        needs="",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        evidence="n, team.top_n",
        message="the message with sequence {token(reply_to, 5)} of stream {token(reply_to, 2)} is "
        "delivered again after message {team.top} was acknowledged: they are processed in another "
        "order than they were stored",
        cause="Other messages are delivered while a rejected or late one waits for its next "
        "delivery. max_ack_pending of 1 keeps the order, and an ordered consumer does.",
        source=f"{_CONSUMER}, processNak, checkPending",
        healthy="Messages that do not depend on each other.",
        echo_of="NATS-B14 NATS-B14b NATS-B14c NATS-B98",
    ),
    Rule(
        id="NATS-B15",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream pull requests expiring at max_ack_pending",
        on="server:hmsg",
        when="fields.status == 408 and pull.state == 'asked' and conn.stalls >= 1 and "
        "conn.unacked > 0 and number(token(conn.ack_to, 8)) > 0",
        needs="start whole both",
        of="conn",
        evidence="n, conn.unacked_n, pull.n, conn.limit_n",
        message="pull requests expire although messages wait in the stream; {conn.unacked} "
        "delivered messages are not acknowledged",
        cause="The consumer has reached max_ack_pending: the client does not acknowledge "
        "messages, or drops them.",
        source=f"{_CONSUMER}, max_ack_pending; nats.net.v1 issue 812",
    ),
    Rule(
        id="NATS-B16",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="gap in the sequence of a JetStream consumer",
        on="sequence:consumed",
        needs="start whole both",
        message="delivery {token(reply_to, 6)} of consumer {token(reply_to, 3)} on sid {sid} "
        "follows delivery {consumed.last}: the messages in between did not arrive here",
        cause="A message was dropped on the way, or another subscriber received it; an ordered "
        "consumer must be created again at the missing message.",
        source="ADR-17, Ordered Consumer; nats.net issue 980",
    ),
    Rule(
        id="NATS-B17",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="push consumer stalled by unanswered flow control",
        on="server:hmsg",
        when="fields.status == 100 and item(headers, 'Nats-Consumer-Stalled') is not None",
        needs="",
        of="conn",
        message="the consumer is stalled: the client did not answer the flow control request "
        "{item(headers, 'Nats-Consumer-Stalled')}",
        cause="The client must publish an empty message to the subject in "
        "Nats-Consumer-Stalled, or to the reply subject of the flow control request.",
        source=f"{_CONSUMER}, sendIdleHeartbeat; ADR-9; nats.py issue 244",
    ),
)

_STALLS: Final = (
    "conn.unacked >= conn.max_pending and (number(token(conn.ack_to, 8)) > 0 or "
    "origin.wanted > number(token(conn.ack_to, 5))) and "
    "conn.policy != 'none' and count(conn.consumers) == 1 and conn.left is None and "
    "t - coalesce(conn.acked_t, conn.taken_t) >= STALLED"
)
"""As many messages are open as may be, and others wait."""
CONSUMERS: Final = (
    Rule(
        id="NATS-B69",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="JetStream list of which only the first page is read",
        on="end:listing",
        when="listing.times > 0 and (conn.left is not None or t - listing.page_t > REPLY_TIME)",
        needs="start whole both",
        of="listing",
        evidence="listing.asked_n, listing.page_n",
        message="the answer to {listing.subject} ends at item {listing.end} of {listing.total}, "
        "and the client never asked for the next page: it does not see the others",
        cause="JetStream answers lists in pages: as long as offset + limit is below total, the "
        "client has to ask again, with the next `offset` in the request.",
        source="nats-server v2.12.2, server/jetstream_api.go, ApiPaged; dart-nats issue 45",
        healthy="A program that shows the first page, or has found on it what it looked for.",
    ),
    Rule(
        id="NATS-B70",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer with ack_policy all shared by several connections",
        on="end:conn",
        when="has(team.losers, flow)",
        needs="start whole both",
        of="team",
        evidence="team.taken_n, team.lost_n",
        message="delivery {team.lost} of consumer {token(conn.ack_to, 3)}, which was sent to "
        "{client}, was not acknowledged by it, but by the ack of delivery {team.taken} on another "
        "connection: with ack_policy all an ack is for all messages up to its own",
        cause="Several workers share the consumer, and each one's ack is for the messages of the "
        "others too: those that a worker fails to process are not delivered again. Workers need "
        "ack_policy explicit.",
        source=f"{_CONSUMER}, processAckMsg; nats.ex issue 230",
    ),
    Rule(
        id="NATS-N37",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="JetStream ack word in place of the reply subject",
        on=SENT,
        when=f"{ACKING} and reply_to is not None and (starts(reply_to, '+') or "
        "starts(reply_to, '-'))",
        needs="",
        per="flow, reply_to",
        evidence="n, served.n",
        message="{reply_to} is written before the length, where it is a reply subject: the server "
        "reads a payload of {len(payload)} bytes as the ack",
        cause="The word of an ack is its payload, after the line of PUB. Without a payload the "
        "server takes any of them for +ACK; with another one it ignores the ack.",
        source=f"{_CONSUMER}, processAck; nats.php issue 89",
    ),
    Rule(
        id="NATS-B28",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="missing heartbeats of a JetStream consumer",
        on="timer:beat",
        when="sub.state == 'live' and conn.left is None and conn.dropped is None",
        needs="object both",
        evidence="sub.beat_n, sub.create_n",
        message="sid {sub.id} ({sub.subject}) received nothing for {MISSED_BEATS} times "
        "{sub.every:time}, the interval of the consumer's earlier heartbeats",
        cause="The consumer is gone, deleted or removed for inactivity, and the client does not "
        "notice: it has to create it again when two heartbeats are missing.",
        source="ADR-15; ADR-17; nats.py issue 510",
    ),
    Rule(
        id="NATS-B59",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="JetStream consumer filter similar to the published subjects (typo)",
        on="end:conn",
        when="conn.filter is not None and conn.taken_t is None and "
        f"count(network.subjects) <= 256 and {_CLIENT_OF_NATS} and t - conn.create_t > REPLY_TIME",
        predicate=subject_predicates.is_filter_nearly_published,
        reads="conn.filter network.subjects",
        needs="start whole both",
        evidence="conn.create_n, network.latest_n",
        message="a consumer with the filter {conn.filter} received nothing; messages were "
        "published to {found}",
        cause="The filter or the subject of the messages is misspelt, or has another number of "
        "tokens: `*` matches one token, `>` one or more at the end, and upper and lower case "
        "differ.",
        source="docs.nats.io, JetStream, consumers, FilterSubject",
        healthy="Both subjects are in use, and nothing was published to the first one yet.",
    ),
    Rule(
        id="NATS-B60",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="push consumer with a deliver group, subscribed to in another one",
        on="end:conn",
        when="len(conn.group) > 0 and conn.taken_t is None and has(conn.subjects, conn.push_to) "
        "and not has(conn.queued, (conn.push_to, conn.group)) and t - conn.create_t > REPLY_TIME",
        needs="start whole both",
        evidence="conn.create_n",
        message="the consumer delivers to {conn.push_to} in queue group {conn.group}, but this "
        "connection subscribed to that subject without this group, and received nothing",
        cause="The queue group in SUB and deliver_group of the consumer must be the same.",
        source=f"{_CONSUMER}, hasDeliveryInterest; ADR-15",
        healthy="Another connection of the program has the subscription.",
    ),
    Rule(
        id="NATS-N25b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated pulls from a missing consumer",
        on="repetition:pulled_in_vain",
        needs="",
        message="{GONE_LIMIT} pull requests in a row ({pull.subject}) find no consumer: status "
        "{fields.status} {coalesce(description, '')}",
        cause="The consumer was deleted, or removed after its inactive_threshold because pulls are "
        "too seldom; the client has to create it again.",
        source=f"{_CONSUMER}, processNextMsgRequest, deleteNotActive",
    ),
    Rule(
        id="NATS-N25c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream pull request refused (invalid, over a limit, or push)",
        on="server:hmsg",
        when="pull.state == 'asked' and (fields.status == 400 or fields.status == 409 and "
        f"{OVER_LIMIT} and not starts(description, 'Exceeded MaxWaiting') and "
        "not (starts(description, 'Message Size') and "
        "coalesce(sub.taken_n, 0) > pull.n))",
        needs="",
        per="client, server, fields.status, description",
        evidence="pull.n, n",
        message="the pull request was refused with status {fields.status} {description}",
        cause="The batch, time or size of the request, or the number of open requests, is above "
        "what the consumer permits.",
        source=f"{_CONSUMER}, processNextMsgRequest",
        healthy="A pull of at most max_bytes ends with Message Size Exceeds MaxBytes when the next "
        "message no longer fits; that is no finding if messages came before.",
    ),
    Rule(
        id="NATS-B29",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unacknowledged JetStream message delivered max_deliver times",
        on="end:again",
        when="again.delivery >= conn.max_deliver and conn.max_deliver > 0 and "
        "count(conn.consumers) == 1 and again.acked_n is None and "
        "t - again.delivered_t > min(coalesce(conn.ack_wait, REPLY_TIME), REPLY_TIME)",
        needs="start whole both",
        of="conn",
        evidence="again.delivered_n",
        message="a message was delivered {again.delivery} times, the max_deliver of its consumer, "
        "and never acknowledged: it is not delivered again",
        cause="The message cannot be processed: it stays in the stream and is skipped.",
        source=f"{_CONSUMER}, hasMaxDeliveries",
        healthy="Messages that cannot be processed are meant to be skipped.",
    ),
    Rule(
        id="NATS-B30",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream consumer without any acknowledged message",
        on="end:conn",
        when="conn.acked_n is None and conn.unacked >= NEVER_ACKED and "
        "conn.policy in ('explicit', 'all') and count(conn.consumers) == 1 and "
        "t - conn.taken_t > WITHOUT_ACK",
        needs="start whole both",
        evidence="conn.unacked_n, conn.pulled_n",
        message="none of {conn.unacked} messages of a consumer was acknowledged in "
        "{t - conn.taken_t:time}, although its ack_policy is {conn.policy}",
        cause="The client does not acknowledge: the messages are delivered again after ack_wait, "
        "and the consumer stops at max_ack_pending.",
        source="docs.nats.io, JetStream, acknowledgement",
    ),
    Rule(
        id="NATS-B31",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="acks for a consumer with ack_policy none",
        on=SENT,
        when=f"{ACKING} and conn.policy == 'none' and count(conn.consumers) == 1",
        needs="",
        of="conn",
        evidence="n, conn.described_n",
        message="messages of consumer {token(subject, 3)} are acknowledged, although its "
        "ack_policy is none",
        cause="Each ack costs a message that the server ignores.",
        healthy="A program that handles messages of several consumers alike.",
        source="docs.nats.io, JetStream, acknowledgement",
    ),
    Rule(
        id="NATS-B32",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="JetStream consumer stopped at max_ack_pending",
        on="timer:stalled",
        when=f"{_STALLS} and conn.max_pending > 1",
        needs="start whole both",
        of="conn",
        evidence="conn.pulled_n, conn.unacked_n",
        message="{conn.unacked} messages are not acknowledged, which is max_ack_pending of the "
        "consumer: nothing was acknowledged for {STALLED:time}, while further messages wait",
        cause="The client does not acknowledge, such as after an error, or takes longer for a "
        "message than others can wait.",
        source=f"{_CONSUMER}, max_ack_pending; nats-server issue 4112",
    ),
    Rule(
        id="NATS-B32b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream consumer waits for the one message that may be open",
        on="timer:stalled",
        when=f"{_STALLS} and conn.max_pending == 1",
        needs="start whole both",
        of="conn",
        evidence="conn.pulled_n",
        message="max_ack_pending of the consumer is 1, and the message that is open was not "
        "acknowledged for {STALLED:time}, while further messages wait",
        cause="The client takes long for a message, or does not acknowledge it.",
        source=f"{_CONSUMER}, max_ack_pending",
        healthy="A worker that handles one message after the other, as is wanted.",
        echo_of="NATS-B32",
    ),
)

RECONNECTS: Final = (
    Rule(
        id="NATS-B33",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="NATS subscription not restored after a reconnect",
        on="end:conn",
        when="count(before.subjects) > 0 and conn.connect_n > before.lost_n and "
        "conn.t - before.lost_t < LOST_LATELY and conn.cluster is None and "
        "(t - conn.restored_t > RESTORED or "
        "conn.subs_n is None and t - conn.t > RESTORED) and "
        "(why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.connect_n, C.last_n, before.lost_n",
        message="{coalesce(conn.client_name, client)} reconnected {t - conn.t:time} ago and has "
        "not subscribed to {first(before.subjects)} again, to which it was subscribed before its "
        "connection was lost",
        cause="The client reconnects and does not restore its subscriptions: messages no longer "
        "reach it.",
        source="docs.nats.io, Reconnecting; jedisct1/rust-nats issue 4",
        healthy="The program was restarted and no longer needs the subject.",
    ),
    Rule(
        id="NATS-B34",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="UNSUB max_msgs repeated in full after a reconnect",
        on="client:unsub",
        when="0 < limited.left and limited.left < max_msgs",
        needs="",
        of="sub",
        evidence="n, limited.lost_n",
        message="UNSUB {sid} {max_msgs} limits {sub.subject} again, although only {limited.left} "
        "messages of the limit were left when the connection was lost",
        cause="After a reconnect the client repeats UNSUB with the whole number: more messages "
        "arrive than were wanted.",
        source="docs.nats.io, Client Protocol, UNSUB; nats.go issue 152",
    ),
    Rule(
        id="NATS-B120",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="queue group of a subscription lost with its connection",
        on="client:sub",
        when="queue_group is None and conn.t - grouped.lost_t < LOST_LATELY and "
        "conn.connect_n > grouped.lost_n",
        needs="",
        of="grouped",
        evidence="n, grouped.lost_n",
        message="{coalesce(conn.client_name, client)} subscribes to {subject} without a queue "
        "group; before its connection was lost it was in {grouped.queue}",
        cause="The client restores its subscriptions without their queue groups: each instance "
        "gets every message, and all of them process it.",
        source="docs.nats.io, Queue Groups; nats.php issue 141",
        healthy="The program was changed and started again.",
    ),
    Rule(
        id="NATS-B121",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="filter of a JetStream consumer lost with its connection",
        on=DELIVERED,
        when=f"{_CREATED} and len(place.filter) > 0 and conn.filter is None and "
        "conn.create_stream is not None and place.flow != flow",
        needs="",
        of="conn",
        evidence="conn.create_n, n, place.create_n",
        message="the consumer of stream {conn.create_stream} is created again without a filter; "
        "before the connection was lost it had {place.filter}",
        cause="The client makes its consumer again with other options: it gets messages of all "
        "subjects.",
        source="ADR-17, Ordered Consumer",
        healthy="The program was changed and started again.",
    ),
    Rule(
        id="NATS-B35",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new JetStream consumer starting after messages not yet received",
        on=DELIVERED,
        when=f"{_CREATED} and conn.begin_at > {_REACHED} + 1 and {_REACHED} > 0",
        needs="whole all",
        of="conn",
        evidence="conn.create_n, n",
        message="a consumer of stream {conn.create_stream} begins at sequence {conn.begin_at}, but "
        f"the program had received the messages up to {{{_REACHED}}}: those between them are "
        "skipped",
        cause="The client adds one to its place twice, or has counted messages of another stream.",
        source="ADR-17, Ordered Consumer",
        healthy="The messages between do not match the filter, or are not wanted.",
    ),
    Rule(
        id="NATS-B35b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new JetStream consumer starting before messages already received",
        on=DELIVERED,
        when=f"{_CREATED} and (0 < conn.begin_at <= {_REACHED} or place.reached >= 5 and "
        "conn.whole_stream is not None and conn.durable is None and place.flow != flow)",
        needs="",
        per="client, conn.create_stream",
        of="conn",
        evidence="conn.create_n, n",
        message="a consumer of stream {conn.create_stream} begins before messages that the program "
        f"has received already, up to {{{_REACHED}}}: it receives them again",
        cause="The client takes the last message for the next one, or does not keep its place.",
        source="ADR-17, Ordered Consumer",
        healthy="The program reads the stream again on purpose.",
    ),
    Rule(
        id="NATS-B35c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new JetStream consumer that skips what was stored while the program was away",
        on=DELIVERED,
        when=f"{_CREATED} and conn.skips in ('new', 'last') and place.reached > 0 and "
        "place.flow != flow and conn.durable is None",
        needs="",
        of="conn",
        evidence="conn.create_n, n",
        message="the program had received messages of stream {conn.create_stream} up to "
        "{place.reached} on another connection; its new consumer has deliver_policy {conn.skips} "
        "and skips those stored since",
        cause="After a reconnect the client creates its consumer as at its start, instead of "
        "after the last message that it received, or without a durable name.",
        source="docs.nats.io, JetStream, consumers, DeliverPolicy",
        healthy="Only the latest messages are of interest.",
    ),
    Rule(
        id="NATS-B35d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="durable JetStream consumer created again, from the beginning of its stream",
        on=DELIVERED,
        when=f"{_CREATED} and conn.durable is not None and team.top > 0 and "
        "between(payload, '\"deliver_policy\":\"', '\"') == 'all' and "
        "number(between(payload, '\"delivered\":{\"consumer_seq\":', ',')) == 0 and "
        f"{member('num_pending')} > 0 and coalesce(emptied.removed_n, -1) < team.top_n",
        needs="whole all",
        of="conn",
        evidence="asked.n, n, team.top_n",
        message="a durable consumer of stream {conn.create_stream} is created anew with "
        "deliver_policy all, although its messages up to {team.top} were acknowledged: all are "
        "delivered again",
        cause="The consumer was deleted, or removed after its inactive_threshold, and the new one "
        "knows nothing of the acks. opt_start_seq after the last message that was acknowledged "
        "lets it go on there.",
        source=f"{_CONSUMER}, selectStartingSeqNo; docs.nats.io, JetStream, consumers, "
        "DeliverPolicy",
        healthy="The messages are to be processed again, on purpose.",
    ),
    Rule(
        id="NATS-B36",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="unsubscribed deliver inbox of a push consumer",
        on="end:conn",
        when="starts(conn.push_to, '_INBOX') and t - conn.create_t > REPLY_TIME and "
        "not has(conn.subjects, conn.push_to) and "
        "not matching(conn.push_to, coalesce(conn.wide_subject, '')) and "
        "(network.inboxes is None or not has(network.inboxes, conn.push_to)) and "
        "not matching(conn.push_to, coalesce(network.wide_inbox, ''))",
        needs="start whole both",
        evidence="conn.create_n",
        message="the consumer delivers to {conn.push_to}, to which no connection in these captures "
        "subscribed",
        cause="The deliver subject is misspelt, or the subscription is missing: nothing is "
        "delivered.",
        source="docs.nats.io, JetStream, push consumers",
        healthy="A connection that is not in the captures has the subscription.",
    ),
    Rule(
        id="NATS-B36b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="deliver_subject not subscribed by the push consumer's creator",
        on="end:conn",
        when="len(conn.push_to) > 0 and not starts(conn.push_to, '_INBOX') and "
        "t - conn.create_t > REPLY_TIME and "
        "not has(conn.subjects, conn.push_to) and "
        "not matching(conn.push_to, coalesce(conn.wide_subject, ''))",
        needs="start whole both",
        evidence="conn.create_n",
        message="the consumer delivers to {conn.push_to}, to which this connection never "
        "subscribed",
        cause="The deliver subject is misspelt, or the subscription is missing: nothing is "
        "delivered.",
        source="docs.nats.io, JetStream, push consumers",
        healthy="Another connection of the program has the subscription.",
    ),
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
    Rule(
        id="NATS-B40",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="unheard subscription similar to the published subjects (typo)",
        on="end:sub",
        when="sub.delivered == 0 and not starts(sub.subject, '_') and "
        "not starts(sub.subject, '$') and coalesce(conn.unheard_subs, 0) < UNHEARD_LIMIT and "
        f"count(network.subjects) <= 256 and {_CLIENT_OF_NATS}",
        predicate=subject_predicates.is_nearly_published,
        reads="sub.subject network.subjects",
        needs="start object both",
        evidence="sub.n, network.latest_n",
        message="nothing came for the subscription to {sub.subject}; messages were published to "
        "{found}",
        cause="The subject of the subscription or that of the messages is misspelt, or has another "
        "number of tokens: `*` matches one token, `>` for one or more at the end, and upper and "
        "lower case differ.",
        source="docs.nats.io, Subject-Based Messaging",
        healthy="Both subjects are in use, and nothing was published to the first one yet.",
    ),
    Rule(
        id="NATS-B40b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="unheard subscription one token longer or shorter than a published subject",
        on="end:sub",
        when="sub.delivered == 0 and not starts(sub.subject, '_') and "
        "not starts(sub.subject, '$') and coalesce(conn.unheard_subs, 0) < UNHEARD_LIMIT and "
        f"count(network.subjects) <= 256 and {_CLIENT_OF_NATS}",
        predicate=subject_predicates.is_related_to_published,
        reads="sub.subject network.subjects",
        needs="start object both",
        evidence="sub.n, network.latest_n",
        message="nothing came for the subscription to {sub.subject}; messages were published to "
        "{found}",
        cause="The subject of the subscription or that of the messages lacks a token.",
        source="docs.nats.io, Subject-Based Messaging",
        healthy="Both subjects are in use, and nothing was published to the first one yet.",
    ),
    Rule(
        id="NATS-B42",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that stays until a server in lame duck mode closes its connection",
        on="server:tcp.close server:tcp.reset",
        when="conn.left is None and C.command_t > conn.ldm_t and conn.peers is None",
        needs="start whole both",
        evidence="conn.ldm_n, C.command_n",
        message="INFO said that the server leaves (lame duck mode); the client went on for "
        "{t - conn.ldm_t:time}, until its connection was closed",
        cause="The client ignores ldm in INFO: it should drain the connection and reconnect to "
        "another server while it can.",
        source="docs.nats.io, Lame Duck Mode; nats.py issue 868",
        healthy="A library that leaves it to the program, as most do.",
    ),
    Rule(
        id="NATS-B48",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="push consumer neither resubscribed nor created again after a reconnect",
        on="end:conn",
        when="before.push is not None and conn.connect_n > before.push_n and "
        "conn.t - before.push_t < LOST_LATELY and t - conn.t > RESTORED and "
        "conn.cluster is None and conn.create_n is None and (why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.connect_n, C.last_n, before.push_n",
        message="{coalesce(conn.client_name, client)} had a consumer of stream "
        "{before.push_stream} that delivered to {before.push}; since its reconnect "
        "{t - conn.t:time} ago it neither subscribed to that subject nor created a consumer",
        cause="The client does not restore the consumer, that of a watcher for example: nothing "
        "is delivered any more.",
        source="ADR-17, Ordered Consumer; nats.rs issue 1596",
        healthy="The program was restarted and no longer needs the consumer.",
    ),
    Rule(
        id="NATS-B48b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="pull requests not sent again after a reconnect",
        on="end:conn",
        when="before.pulls is not None and conn.connect_n > before.pull_n and "
        "conn.t - before.pull_t < LOST_LATELY and t - conn.t > RESTORED and "
        "conn.cluster is None and conn.pulls is None and conn.subs_n is not None and "
        "(why == 'end' or conn.left == 1)",
        needs="start whole both",
        evidence="conn.connect_n, C.last_n, before.pull_n",
        message="{coalesce(conn.client_name, client)} pulled messages ({before.pulls}) until its "
        "connection was lost; since its reconnect {t - conn.t:time} ago it has subscribed, but "
        "sent no pull request",
        cause="The client restores its subscriptions and not its open pull request: nothing is "
        "delivered any more.",
        source="ADR-13, Pull Subscribe; nats.net pull request 114",
        healthy="The program was restarted and no longer needs the consumer.",
    ),
    Rule(
        id="NATS-B128",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="program that does not come back after the server ended its connection",
        on="end:resident",
        when="t - resident.lost_t > AWAY and (t - home.back_t > AWAY or "
        "resident.refused_n is not None)",
        needs="",
        evidence="resident.last_sent_n, resident.lost_n",
        message="the server ended the connection of {resident.client_name} "
        "{t - resident.lost_t:time} before the end of the captures; it has made no other one"
        "{'' if home.back_t is None else ', although others of this host are back'}",
        cause="The client does not reconnect: it takes the error for a final one, has used up its "
        "attempts, or does not notice that the connection has ended.",
        source="docs.nats.io, Reconnecting; nats.go issue 1552",
        healthy="A program that is stopped with the server, or whose user is locked out.",
    ),
    Rule(
        id="NATS-B41",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="small NATS messages split over several packets",
        on="ratio:split",
        when="not conn.carried",
        needs="start",
        message="{conn.split_count} of {conn.published} messages of the client came in several "
        "packets, although they would fit into one",
        cause="The client writes the line and the payload one by one: each write costs a system "
        "call and a packet.",
        healthy="The network splits packets, such as a tunnel with a small MTU.",
        source="docs.nats.io, Client Protocol, PUB",
    ),
    Rule(
        id="NATS-B39",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="verbose mode with many messages",
        on="end:conn",
        when="conn.verbose and conn.published >= VERBOSE_LIMIT",
        needs="start whole",
        evidence="conn.connect_n",
        message="CONNECT asks for +OK (verbose), which the server sent for each of "
        "{conn.published} messages",
        cause="verbose is true unless CONNECT says otherwise; it is meant for tests.",
        healthy="A client that reads +OK to learn that the server has processed a command.",
        source="docs.nats.io, Client Protocol, CONNECT",
    ),
    Rule(
        id="NATS-N32",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="nkey or JWT in CONNECT without a signed nonce",
        on="client:connect",
        when="(nkey is not None or jwt is not None) and sig is None and conn.nonce is not None",
        needs="",
        per="client, server",
        message="CONNECT has {'an nkey' if nkey is not None else 'a JWT'} but no signature of the "
        "nonce in INFO",
        cause="The client has no seed to sign with, or does not sign: the server refuses it.",
        source="docs.nats.io, NKeys; nats.net issue 1087",
    ),
)

SHARED: Final = (
    Rule(
        id="NATS-B43",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="similar but different queue groups of one program on a subject",
        on="client:sub",
        when="queue_group is not None and queue.live > 0 and queue.flow != flow and "
        "len(queue.latest) > 0 and not has(queue.names, queue_group)",
        predicate=subject_predicates.are_alike,
        reads="queue_group queue.latest",
        needs="",
        of="queue",
        evidence="n, queue.latest_n",
        message="{conn.client_name} subscribes to {subject} in queue group {queue_group}, and on "
        "another connection in {queue.latest}: each group receives every message",
        cause="The name of the group is misspelt, or contains something of the instance, such as "
        "its number.",
        source="docs.nats.io, Queue Groups",
    ),
    Rule(
        id="NATS-B43b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="several queue groups of one program on a subject",
        on="client:sub",
        when="queue_group is not None and queue.live > 0 and queue.flow != flow and "
        "len(queue.latest) > 0 and not has(queue.names, queue_group)",
        needs="",
        of="queue",
        evidence="n, queue.latest_n",
        message="{conn.client_name} subscribes to {subject} in queue group {queue_group}, and on "
        "another connection in {queue.latest}: each group receives every message",
        cause="Instances of one program need the same group to share the messages.",
        source="docs.nats.io, Queue Groups",
        healthy="The program processes each message in two ways.",
        echo_of="NATS-B43",
    ),
    Rule(
        id="NATS-B44",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscriptions of one program with and without a queue group",
        on="client:sub",
        when="queue.live > 0 and queue.flow != flow and "
        "(queue_group is None and len(queue.latest) > 0 or "
        "queue_group is not None and queue.latest == '' and not has(queue.names, queue_group))",
        needs="",
        of="queue",
        evidence="n, queue.latest_n",
        message="{conn.client_name} subscribes to {subject} "
        "{'without a' if queue_group is None else 'in a'} queue group, and on another connection "
        "{'in one' if queue_group is None else 'without'}: each message is processed twice",
        cause="One instance of the program lacks the queue group.",
        source="docs.nats.io, Queue Groups",
        healthy="The second subscription only watches.",
    ),
    Rule(
        id="NATS-B55",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="instances of one program subscribed to a subject without a queue group",
        on="end:replica",
        when="replica.second_n is not None and count(replica.served) >= 2",
        needs="all",
        evidence="replica.second_n, replica.first_n",
        message="{count(replica.served)} connections of {replica.client_name} subscribe to "
        "{replica.subject} without a queue group, and each received up to "
        "{replica.most:count message}: every message is processed by all of them",
        cause="The instances share no queue group.",
        source="docs.nats.io, Queue Groups",
        healthy="Each instance needs all messages, such as for a cache.",
    ),
    Rule(
        id="NATS-B56",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="object metadata that does not fit its chunks",
        on=SENT,
        when=f"{META} and object.sure == 1 and ({CHUNKS} != object.chunks or "
        f"{SIZE} != object.bytes) and not {DELETED}",
        needs="since",
        of="object",
        evidence="n, object.chunk_n, object.first_n",
        message="the metadata in {subject} announces other numbers of chunks and bytes than the "
        "{object.chunks:count chunk} with {object.bytes:count byte} that were published",
        cause="Chunks are missing, were sent twice, or another upload uses the same nuid: readers "
        "find that the digest is wrong.",
        source="ADR-20, Object Store",
    ),
    Rule(
        id="NATS-B57",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="chunks of a replaced object not purged",
        on="end:former",
        when="former.replaced_n is not None and former.purged_n is None and "
        "t - former.replaced_t > REPLY_TIME",
        needs="",
        per="former.bucket",
        evidence="former.replaced_n, former.meta_n",
        message="the object was put again with other chunks, and those that it had before (frame "
        "{former.meta_n}) were not purged",
        cause=_OLD_CHUNKS,
        source="ADR-20, Object Store",
    ),
    Rule(
        id="NATS-B57b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="no chunks of replaced objects purged on a connection",
        on="end:conn",
        when="conn.replaced >= TWICE_LIMIT and conn.purged_n is None and "
        "why in ('closed', 'reset')",
        needs="whole",
        evidence="conn.replaced_n, conn.replaced_meta_n",
        message="objects were put again with other chunks {conn.replaced:count time}, and the "
        "client purged none of the chunks before it closed the connection",
        cause=_OLD_CHUNKS,
        source="ADR-20, Object Store",
        echo_of="NATS-B57",
    ),
    Rule(
        id="NATS-B45",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="object chunks without the metadata that completes the object",
        on="end:conn",
        when="conn.chunk_n is not None and why in ('closed', 'reset')",
        needs="whole",
        evidence="conn.chunk_n",
        message="chunks of an object were published to {conn.chunk_subject}, but its metadata was "
        "not: no reader finds the object",
        cause="The upload was given up, or failed, and its chunks were not purged.",
        source="ADR-20, Object Store",
    ),
    Rule(
        id="NATS-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="durable consumer with alternating configurations",
        on="alternation:configured",
        needs="",
        message=f"the durable consumer {{{OF_NAME}}} of stream {{{OF_STREAM}}} is set back to a "
        "configuration that another request had replaced",
        cause="Two programs use one durable name with different settings: each undoes the "
        "settings of the other, such as its filter.",
        source="docs.nats.io, JetStream, consumers; nats.net issue 791",
    ),
    Rule(
        id="NATS-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="push consumer with two subscribers and no queue group",
        on="server:msg server:hmsg",
        when=f"{IS_ACK} and consumer.sequence == number(token(reply_to, 6)) and "
        "consumer.flow != flow",
        needs="",
        of="consumer",
        evidence="n, consumer.delivered_n",
        message="delivery {token(reply_to, 6)} of consumer {token(reply_to, 3)} on stream "
        "{token(reply_to, 2)} reaches two connections, and both process it",
        cause="Two programs subscribe to the deliver subject of one push consumer without a queue "
        "group.",
        source="docs.nats.io, JetStream, push consumers",
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

CONTENT: Final = (
    Rule(
        id="NATS-B58",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="messages of one subject in different formats",
        on="mixture:content",
        needs="",
        message=f"messages to {{subject}} are in {{content.first}} from one client and in "
        f"{{{FORMAT}}} from another one",
        cause="The publishers encode their messages differently: subscribers of one format cannot "
        "read the other.",
        source="docs.nats.io, Client Protocol, PUB",
        healthy="Subscribers that recognise both formats.",
    ),
    Rule(
        id="NATS-B58b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="messages of one client to one subject in different formats",
        on="mixture:mixed",
        needs="",
        message=f"messages to {{subject}} are first in {{mixed.first}}, then in {{{FORMAT}}}, from "
        "one client",
        cause="Two parts of the program encode messages differently, or a value was not encoded.",
        source="docs.nats.io, Client Protocol, PUB",
        healthy="Subscribers that recognise both formats.",
    ),
)

SUBJECTS: Final = (
    Rule(
        id="NATS-N34",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="wildcard character inside a token of a subscription",
        on="client:sub",
        when="not starts(subject, '_')",
        predicate=subject_predicates.has_wildcard_in_token,
        reads="subject",
        needs="",
        per="client, server, subject",
        message="the client subscribed to {subject}, which has {found}: it is no wildcard there",
        cause="`*` and `>` match whole tokens, `>` only at the end: elsewhere they are "
        "ordinary characters that no subject has, or the server refuses the subscription.",
        source="docs.nats.io, Subject-Based Messaging, Wildcards",
    ),
    Rule(
        id="NATS-N11b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="reply subject with a wildcard or an empty token",
        on=SENT,
        when="reply_to is not None and not literal(reply_to)",
        needs="",
        per="client, server, reply_to",
        message="the request to {subject} asks for its reply on {reply_to}, which has a wildcard "
        "or an empty token",
        cause="The client names the pattern that it has subscribed to instead of a subject: "
        "no reply can be published to it.",
        source="docs.nats.io, Client Protocol, PUB; docs.nats.io, Request-Reply",
    ),
    Rule(
        id="NATS-N35",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="reply subjects of one word without a subscriber (space in a subject)",
        on=SENT,
        when=f"{UNHEARD_WORD} and count(conn.words) >= 1 and not has(conn.words, reply_to)",
        needs="start",
        of="conn",
        message="the message to {subject} asks for its reply on {reply_to}, which this connection "
        "does not subscribe to, and an earlier one on {first(conn.words)}",
        cause="The subject contains a space, such as that of a name: what follows the space is "
        "read as the reply subject, and the message arrives on the first part.",
        source="docs.nats.io, Subject-Based Messaging; nats.go issue 1809",
        healthy="Another program receives the replies.",
    ),
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
    Rule(
        id="NATS-N36",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unknown operation of a key-value store",
        on="client:hpub",
        when="starts(subject, '$KV.') and item(headers, 'KV-Operation') is not None and "
        "item(headers, 'KV-Operation') not in ('DEL', 'PURGE')",
        needs="",
        of="conn",
        message="KV-Operation is '{item(headers, 'KV-Operation')}' for {subject}; it is DEL or "
        "PURGE",
        cause="Other clients read the message as a value.",
        source="ADR-8, Key Value Store",
    ),
    Rule(
        id="NATS-B68",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="empty value written to a key",
        on="client:pub",
        when="starts(subject, '$KV.') and len(payload) == 0",
        needs="",
        per="client, server, subject",
        message="an empty value is written to {subject}: without the header KV-Operation this "
        "deletes nothing",
        cause="The client deletes keys by publishing nothing: readers get an empty value.",
        source="ADR-8, Key Value Store",
        healthy="Keys whose value is empty.",
    ),
    Rule(
        id="NATS-B64",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published before the first subscription to their subject",
        on="client:sub",
        when="topic.sent >= MISSED_LIMIT and topic.heard_n is None and "
        "listeners.wide_n is None and conn.cluster is None",
        needs="all",
        of="topic",
        evidence="topic.sent_n, n",
        message="{topic.sent:count message} or more were published to {subject} before anybody "
        "in these captures subscribed to it: subscribers do not receive them",
        cause="The publisher starts before the subscriber: NATS without JetStream keeps no "
        "messages.",
        source="docs.nats.io, Core NATS, Publish-Subscribe",
        healthy="A stream stores the messages, or a subscriber that is not in the captures "
        "receives them.",
    ),
    Rule(
        id="NATS-B64b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published before the first subscription, which has a wildcard",
        on="client:sub",
        when="network.sent >= MISSED_LIMIT and network.heard_n is None and not literal(subject) "
        "and conn.cluster is None",
        predicate=subject_predicates.matches_published,
        reads="subject network.subjects",
        needs="",
        of="network",
        evidence="n, network.latest_n",
        message="{network.sent:count message} were published, some to {found}, before anybody in "
        "these captures subscribed; {subject} matches it: the subscriber does not receive them",
        cause="The publisher starts before the subscriber: NATS without JetStream keeps no "
        "messages.",
        source="docs.nats.io, Core NATS, Publish-Subscribe",
        healthy="A stream stores the messages, or a subscriber that is not in the captures "
        "receives them.",
    ),
    Rule(
        id="NATS-B127",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published before the stream for their subject was created",
        on=DELIVERED,
        when="asked.state == 'asked' and asked.meaning == 'stream create' and "
        "network.sent >= MISSED_LIMIT and between(payload, '\"did_create\":', 'rue') is not None",
        predicate=subject_predicates.stores_published,
        reads="payload network.subjects",
        needs="",
        of="network",
        evidence="asked.n, n, network.latest_n",
        message="messages were published to {found} before the stream that stores this subject "
        "was created: it does not have them",
        cause="The publisher starts before the program that creates the stream, and does not ask "
        "for acks, so that it does not learn that nothing stores its messages.",
        source="nats-server v2.12.2, server/stream.go, processJetStreamMsg",
        healthy="The subject was used without a stream before.",
    ),
    Rule(
        id="NATS-B64c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages published while no subscription to their subject was left",
        on="client:sub",
        when="topic.away >= MISSED_LIMIT and listeners.wide_n is None and conn.cluster is None",
        needs="",
        of="topic",
        evidence="n, topic.away_n",
        message="{topic.away:count message} were published to {subject} after its subscriptions "
        "in these captures had ended, and before this one: they are lost",
        cause="The subscriber was away, while it reconnected or was restarted: NATS without "
        "JetStream keeps no messages.",
        source="docs.nats.io, Core NATS, Publish-Subscribe; docs.nats.io, Reconnecting; "
        "nats.net.v1 issue 125",
        healthy="A stream stores the messages, or a subscriber that is not in the captures "
        "receives them.",
        echo_of="NATS-B104",
    ),
    Rule(
        id="NATS-B65",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="same message published again under another Nats-Msg-Id",
        on="client:hpub",
        when="copy.message_id != item(headers, 'Nats-Msg-Id') and "
        "t - copy.sent_t <= DUPLICATE_WINDOW",
        needs="",
        of="conn",
        evidence="n, copy.sent_n",
        message="a message to {subject} has the payload of the one in frame {copy.sent_n}, but "
        "another Nats-Msg-Id: the stream stores both",
        cause="A retry makes a new id, so that the stream cannot recognise the message.",
        source="docs.nats.io, JetStream, message deduplication",
        healthy="Two messages that happen to be equal.",
    ),
)

_UNHEARD: Final = "starts(subject, '$JS.') and reply_to is not None and conn.unheard_n is not None"
_WORKS_OFF: Final = (
    "matching(conn.unheard_reply, conn.closed_inbox) and conn.acked_t >= conn.closed_inbox_t"
)
"""The subscription has ended, and the client acknowledges what it had received before."""
UNHEARD: Final = (
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
        source="nats.js 2.29.3, PullConsumerMessagesImpl",
        healthy="A consumer of nats.js that is closed while messages wait in it.",
        echo_of="NATS-B27",
    ),
)

WASTE: Final = (
    Rule(
        id="NATS-B46",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="same stored message or key read repeatedly",
        on="repetition:key_polled",
        needs="",
        message="the same message was requested {KEY_LIMIT} times in a row ({subject})",
        cause="The client polls a key: a watcher receives each change, and no more.",
        source="ADR-8, Key Value Store; ADR-31, Direct Get",
        healthy="A key that is read whenever a task begins.",
    ),
    Rule(
        id="NATS-B47",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="unchanged value written to a key repeatedly",
        on="repetition:written_again",
        needs="",
        message="the same value was written to {subject} {SAME_VALUE} times in a row",
        cause="Each write is a new revision, which is stored, replicated and sent to all watchers.",
        source="ADR-8, Key Value Store",
        healthy="A key with a time to live that has to be renewed.",
    ),
    Rule(
        id="NATS-B49",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="pull batch above the consumer's max_ack_pending",
        on=SENT,
        when=f"starts(subject, '$JS.') and {IS_PULL} and {BATCH} > conn.max_pending and "
        "conn.max_pending > 0 and count(conn.consumers) == 1 and conn.policy != 'none'",
        needs="",
        of="conn",
        evidence="n, conn.described_n",
        message="a batch above {conn.max_pending} messages is requested, but the consumer delivers "
        "at most {conn.max_pending} without acks",
        cause="The batch is larger than max_ack_pending: it is filled only as messages are "
        "acknowledged.",
        source=f"{_CONSUMER}, max_ack_pending",
        healthy="A client that acknowledges messages while the batch arrives.",
    ),
    Rule(
        id="NATS-B22",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="JetStream pull requests for one message each",
        on="roundtrips:pulled_singly",
        needs="",
        message="{STEP_LIMIT} pull requests in a row asked for one message each, right after the "
        "previous message",
        cause="Each message costs a round trip; a larger batch lets the server send ahead.",
        source=_ADR_13,
        healthy="Each message takes long, and none may wait in the client.",
    ),
    Rule(
        id="NATS-B23",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="PING after each PONG (flush after each message)",
        on="roundtrips:flushed",
        needs="",
        message="{STEP_LIMIT} PINGs in a row were sent right after the previous PONG",
        cause="The client flushes after each message: each flush costs a round trip.",
        source="docs.nats.io, Client Protocol, PING",
        healthy="The client measures round trips.",
    ),
    Rule(
        id="NATS-B24",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="stored JetStream messages fetched one by one (MSG.GET)",
        on="roundtrips:read_singly",
        needs="",
        message="{STEP_LIMIT} messages in a row were each fetched by a request of their own",
        cause="Each request costs a round trip; a consumer, or a batched direct get, reads many "
        "messages.",
        source="ADR-31, Direct Get",
        healthy="A key-value store whose keys are read as they are needed.",
    ),
    Rule(
        id="NATS-B25",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="JetStream publish of one message at a time, waiting for each ack",
        on="roundtrips:stored_singly",
        needs="",
        message="{STORE_LIMIT} messages in a row were published to JetStream, each after the ack "
        "of the previous one",
        cause="Each message costs a round trip; asynchronous publishes allow many outstanding "
        "acks.",
        source="docs.nats.io, JetStream, publishing",
        healthy="The order of messages matters more than their rate.",
    ),
    Rule(
        id="NATS-B26",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="JetStream messages acknowledged twice",
        on="ratio:acked_twice",
        needs="start whole both",
        message="{conn.acked_twice_count} of {conn.acked_twice_among} acks are for messages that "
        "were already acknowledged",
        cause="Both the client library and the program acknowledge the message.",
        source="docs.nats.io, JetStream, acknowledgement",
    ),
)

BEHAVIOURS: Final = (
    *LOOPS, *CHURN_AND_LEAKS, *REDELIVERIES, *CONSUMERS, *RECONNECTS, *SHARED,
    *CONTENT, *SUBJECTS, *UNHEARD, *WASTE,
)  # fmt: skip
"""Part of the rules of the protocol."""
