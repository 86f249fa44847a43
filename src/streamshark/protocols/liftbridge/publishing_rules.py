"""Rules for publishers of Liftbridge: acks, keys, offsets, subjects, loops."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.behaviours import TWICE
from streamshark.protocols.liftbridge.sources import API, CLIENT, PARTITION, SERVER

PUBLISHING: Final = (
    Rule(
        id="LFB-B10",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="connection closed with unacknowledged messages (PublishAsync)",
        on="end:conn",
        when="conn.pending > 0 and why in ('closed', 'reset')",
        of="conn",
        needs="start whole both",
        evidence="coalesce(conn.pending_n, C.last_n)",
        message="the connection was closed while {conn.pending:count publish publishes} had no ack",
        cause="The client does not wait for its acks, so it does not know whether the messages "
        "were stored.",
        source=f"{API}, PublishAsync",
        healthy="A program that is stopped, or whose messages may be lost.",
    ),
    Rule(
        id="LFB-B11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="correlation id reused for several messages",
        on="publish_request",
        when="correlation_id == conn.latest_id and conn.same_id == SAME_ID_LIMIT - 2 and "
        "digest(value) != conn.latest_value",
        of="conn",
        needs="",
        message="{SAME_ID_LIMIT} different messages in a row have the correlation id "
        "{correlation_id}",
        cause="Acks are matched by correlation id: each message needs a new one.",
        source=f"{CLIENT}, PublishAsync; {API}, publishAsyncSession",
    ),
    Rule(
        id="LFB-B11b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="open calls of Publish with one ack inbox and no correlation id",
        on="publish_request",
        when="box.open + 1 >= SAME_ID_LIMIT and t - box.asked_t <= ACK_LATE",
        of="box",
        needs="whole both",
        evidence="n, box.first_n",
        message="{box.open + 1} calls of Publish have the ack inbox {ack_inbox} and no correlation "
        "id, and none of them is answered yet: each takes whichever ack comes first",
        cause="An ack names its message by the correlation id, or by an inbox of its own: a "
        "message may be taken for stored although its ack is missing.",
        source=f"{API}, Publish",
    ),
    Rule(
        id="LFB-B69",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="each message of a stream published twice in a row",
        on="publish_request",
        when=TWICE,
        of="conn",
        needs="whole both",
        evidence="n, conn.pair_n",
        message="{PAIR_LIMIT} messages in a row were each published twice to {stream}, with the "
        "same value",
        cause="Two parts of the program send the message, or a retry does although the first one "
        "was stored: consumers get it twice.",
        source=f"{API}, Publish",
        healthy="Values that are measured twice.",
    ),
    Rule(
        id="LFB-B10b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="PublishAsync message that is not acknowledged in time",
        on="timer:async_ack",
        when="conn.pending > 0 and conn.pending_n is not None",
        of="conn",
        needs="both whole",
        evidence="conn.pending_n",
        message="{conn.pending:count message} of PublishAsync had no ack within {ACK_LATE:time}",
        cause="The messages are not committed: replicas are missing, or the leader is away; or the "
        "stream has no leader that sends acks; or the line is dead, and they do not reach the "
        "server.",
        source=f"{API}, PublishAsync",
        echo_of="GRPC-B9",
    ),
    Rule(
        id="LFB-B12",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="Publish of one message at a time, waiting for each ack",
        on="roundtrips:published_singly",
        needs="",
        message="{STEP_LIMIT} messages in a row were sent with Publish, each after the answer to "
        "the previous one",
        cause="Each message costs a round trip; PublishAsync allows many outstanding acks.",
        source=f"{API}, PublishAsync",
        healthy="The order of messages matters more than their rate.",
    ),
    Rule(
        id="LFB-B13",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="message close to the replication size limit",
        on="publish_request publish_to_subject_request client:publish",
        when="size > NEARLY_LARGEST and size <= LARGEST",
        of="log",
        needs="",
        message="a message has {size:count byte}, close to the limit of {LARGEST:count byte} for "
        "replication",
        cause="A slightly larger message does not reach the followers.",
        source="liftbridge-io/liftbridge issue 305; clustering.replication.max.bytes",
        healthy="The limit (clustering.replication.max.bytes) may be set higher.",
    ),
    Rule(
        id="LFB-B25",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="separate PublishAsync call for each message",
        on="repetition:called_singly",
        needs="",
        message="{CALL_LIMIT} messages in a row were published by PublishAsync, each in a call of "
        "its own",
        cause="One call of PublishAsync carries any number of messages; each call costs an HTTP/2 "
        "stream and a round trip.",
        source=f"{API}, PublishAsync",
        healthy="Messages that are rare.",
    ),
    Rule(
        id="LFB-B26",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="PublishAsync message refused (asyncError)",
        on="publish_response",
        when="len(async_error.message) > 0",
        needs="",
        per="client, server, async_error.code",
        message="a message was not stored: {async_error.message}",
        cause="The publisher has to look at the errors among the acks; the message is lost unless "
        "it is sent again.",
        source=f"{API}, PublishAsync, publishAsyncSession",
        healthy="The publisher sends it again.",
        echo_of="LFB-B26b",
    ),
    Rule(
        id="LFB-B26b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="consecutive PublishAsync messages refused (asyncError)",
        on="repetition:async_refused",
        needs="",
        message="{ASYNC_LIMIT} messages in a row were not stored: {async_error.message}",
        cause="The publisher does not look at the errors among the acks and goes on.",
        source=f"{API}, PublishAsync, publishAsyncSession",
    ),
    Rule(
        id="LFB-B27",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="repeated publishes to a read-only stream (SetStreamReadonly)",
        on="publish_request",
        when="log.tries + 1 >= TRIES and log.readonly_n is not None and "
        "(coalesce(len(log.readonly), 0) == 0 or "
        "any_eq(log.readonly, coalesce(partition, 0)))",
        of="log",
        needs="",
        evidence="n, log.readonly_n",
        message="{log.tries + 1} messages were published to {stream} since SetStreamReadonly has "
        "made it read-only",
        cause="The publisher is not stopped when the stream is closed for publishes, and ignores "
        "the errors.",
        source=f"{API}, SetStreamReadonly",
    ),
    Rule(
        id="LFB-B28",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="messages without a key in a compacted stream",
        on="publish_request",
        when="log.compacted and log.keyless + 1 == KEYLESS_LIMIT and "
        "coalesce(len(fields.key), 0) == 0",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="{stream} keeps only the last message of each key, and {KEYLESS_LIMIT} messages "
        "without a key were published to it",
        cause="Compaction needs keys: messages without one are kept for ever.",
        source=f"{SERVER}/commitlog/compact_cleaner.go",
    ),
    Rule(
        id="LFB-B28b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="compacted stream whose messages all have different keys",
        on="publish_request",
        when="log.compacted and log.fresh + 1 == FRESH_LIMIT and keyed.latest_n is None and "
        "len(fields.key) > 0",
        of="log",
        needs="since",
        evidence="n, log.made_n",
        message="{stream} keeps only the last message of each key, and its first {FRESH_LIMIT} "
        "messages all have different keys: compaction removes none of them",
        cause="The key contains a time, a number or a random part; make it that of the thing whose "
        "last state is to be kept.",
        source=f"{SERVER}/commitlog/compact_cleaner.go",
        healthy="A table with many keys that is filled for the first time.",
    ),
    Rule(
        id="LFB-B29",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="all messages published to partition 0 of several",
        on="publish_request",
        when="log.partitions > 1 and log.first + 1 == FIRST_LIMIT and coalesce(partition, 0) == 0",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="{FIRST_LIMIT} messages were published to partition 0 of {stream}, and none to its "
        "other {log.partitions - 1:count partition}",
        cause="The client does not choose a partition, by a key for example: 0 is the default.",
        source=f"{API}, Publish, Partition",
        healthy="A partition for each kind of message.",
    ),
    Rule(
        id="LFB-B30",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="expected offset on a stream without concurrency control",
        on="publish_request",
        when="expected_offset > 0 and log.made_n is not None and log.optimistic is None",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="a publish expects offset {expected_offset} of {stream}, which was created without "
        "optimistic concurrency control: the server ignores it",
        cause="The stream needs optimistic concurrency control when it is created.",
        source=f"{PARTITION}, processPendingMessage",
        healthy="The configuration of the server may enable it for all streams.",
    ),
)

STREAM_NAMES_AS_SUBJECTS: Final = (
    Rule(
        id="LFB-B50",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="message published to the name of a stream instead of its subject",
        on="publish_to_subject_request client:publish",
        when="len(log.subject) > 0 and log.subject != coalesce(carrier.subject, subject)",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="a message is published to the subject {coalesce(carrier.subject, subject)}, which "
        "is the name of a stream whose subject is {log.subject}",
        cause="The stream stores what comes on its subject: this message is lost, and without an "
        "ack nothing shows it.",
        source=f"{API}, PublishToSubject; python-liftbridge issue 5",
        healthy="Another stream has this subject.",
    ),
)

LOOPS: Final = (
    Rule(
        id="LFB-B61",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="program that publishes into the stream it reads (loop)",
        on="repetition:echoed",
        needs="",
        message="{ECHO_LIMIT} times in a row the client published the value that it had just read "
        "from {stream} to {stream} again, and received it",
        cause="Messages that are passed on need another stream, or a mark by which the program "
        "leaves out its own.",
        source=f"{API}, Publish, Subscribe",
        healthy="A program that publishes equal values and reads them itself.",
    ),
)

UNCORRELATED: Final = (
    Rule(
        id="LFB-B55",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="PublishAsync messages that want acks without a correlation id",
        on="publish_request",
        when="carrier.method == 'PublishAsync' and coalesce(ack_policy, 0) != 2 and "
        "coalesce(len(correlation_id), 0) == 0 and conn.pending >= 1",
        of="conn",
        needs="",
        evidence="n, conn.pending_n",
        message="a message for {stream} asks for an ack and has no correlation id, while "
        "{conn.pending:count ack} of earlier messages did not come yet",
        cause="Acks are matched by correlation id: the client cannot tell which message was stored "
        "or refused.",
        source=f"{API}, PublishAsync; {CLIENT}, PublishAsync",
        healthy="A client that only counts its acks.",
    ),
)

WILDCARDS: Final = (
    Rule(
        id="LFB-B57",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="PublishToSubject to a subject with a wildcard or an empty token",
        on="publish_to_subject_request",
        when="not literal(subject)",
        of="conn",
        needs="",
        message="a message is published to {subject}, which has a wildcard or an empty token: no "
        "stream stores it",
        cause="The client names the pattern of a stream instead of a subject.",
        source=f"{API}, PublishToSubject; docs.nats.io, Subject-Based Messaging",
    ),
)
