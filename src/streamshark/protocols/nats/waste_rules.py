"""Rules for NATS clients that waste: leaks, small packets, round trips, unchanged values."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.row_names import BATCH, CREATES, IS_PULL, OF_NAME, OF_STREAM, SENT
from streamshark.protocols.nats.sources import ADR_13, CONSUMER

LEAKS: Final = (
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
        source=f"{CONSUMER}, max_ack_pending",
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
        source=ADR_13,
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
