"""Rules for what clients do with JetStream and with requests over time."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats import jetstream_names
from streamshark.protocols.nats.jetstream_behaviours import (
    MISSES,
    NEXT_ABANDONED,
    OVERWRITES,
    PLAIN_NEXT,
    REMOVES_OTHERS,
    SEQUENCE,
)
from streamshark.protocols.nats.row_names import ACKING, DELIVERED, SENT, STORED
from streamshark.protocols.nats.sources import CONSUMER, STREAM

_API: Final = "nats-server v2.12.2, server/jetstream_api.go"
_IS_STORED: Final = (
    "starts(payload, OPEN) and between(payload, '{\"stream\":\"', '\"') is not None and "
    "between(payload, '\"seq\":', '') is not None"
)
"""The row looks like the ack of a publish."""
_LEFT: Final = (
    "why in ('closed', 'reset') and served.state == 'waiting' and conn.left == 1 and "
    "conn.cut is None and "
    "has(conn.serves, served.asked)"
)
_KEPT: Final = (
    "served.state == 'in_progress' and served.beats >= BEATS_LIMIT and conn.verdict_n > served.n"
)

PUBLISHES: Final = (
    Rule(
        id="NATS-B71",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message stored again after the duplicate window",
        on=DELIVERED,
        when=f"asked.again_n is not None and {STORED} and "
        "between(payload, DUPLICATE, 'rue') is None and "
        f"msg_id.stored < {SEQUENCE}",
        needs="",
        of="conn",
        evidence="asked.n, n, asked.again_n",
        message="the message to {asked.subject} with Nats-Msg-Id {asked.msg_id} was published "
        "again after {asked.t - asked.again_t:time} and is stored a second time; the "
        "first time it got sequence {msg_id.stored}",
        cause="The publisher tries again after the stream's duplicate_window: by then the stream "
        "has forgotten the id.",
        source=f"{STREAM}, storeMsgId, purgeMsgIds; docs.nats.io, JetStream, message deduplication",
        healthy="Ids that are used again for a message that is meant to be stored again.",
    ),
    Rule(
        id="NATS-B72",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="JetStream publish with an id and without a reply subject",
        on="client:hpub",
        when="reply_to is None and item(headers, 'Nats-Msg-Id') is not None",
        needs="",
        per="client, server, subject",
        message="the message to {subject} has a Nats-Msg-Id and no reply subject: the client "
        "cannot learn whether it is stored",
        cause="The client publishes without asking for the ack: a message that the stream refuses, "
        "or that no stream receives, is lost without a sign.",
        source=f"{STREAM}, processJetStreamMsg",
        healthy="Messages that may be lost.",
    ),
    Rule(
        id="NATS-B75",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="sequence of a subject's last message expected as that of the stream",
        on="client:hpub",
        when="conn.read == subject and conn.read_of == conn.wrong_of and "
        "conn.read_at < conn.wrong_last and conn.wrong_n < conn.read_n and "
        "number(item(headers, 'Nats-Expected-Last-Sequence')) == conn.read_at",
        needs="",
        of="conn",
        evidence="n, conn.read_n, conn.wrong_n",
        message="the message to {subject} expects {conn.read_at} as the last sequence of the "
        "stream, which is that of the last message to this subject (frame {conn.read_n}); the "
        "stream was at {conn.wrong_last} already",
        cause="Nats-Expected-Last-Sequence is about the whole stream: as soon as another subject "
        "was written it is refused, and reading the subject again does not help. For one subject "
        "there is Nats-Expected-Last-Subject-Sequence.",
        source=f"{STREAM}, processJetStreamMsg; nats-server issue 3716",
        echo_of="NATS-B1",
    ),
    Rule(
        id="NATS-B76",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request answered by a stream as well as by a service",
        on=DELIVERED,
        when="asked.state == 'answered' and asked.meaning is None and reply_to is None and "
        f"(asked.stored_n is not None and not ({_IS_STORED}) or "
        f"asked.stored_n is None and {_IS_STORED})",
        needs="object both",
        per="client, server, asked.subject",
        evidence="asked.n, n, asked.answer_n",
        message="the request to {asked.subject} has two answers: the ack of a stream that stores "
        "it, and one of a service",
        cause="The subjects of a stream match requests: the requester may read the ack as its "
        "answer. Leave the subjects of requests out of streams.",
        source=f"{STREAM}, processJetStreamMsg; docs.nats.io, Request-Reply",
        healthy="The requester expects both.",
    ),
    Rule(
        id="NATS-B77",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages in a stream with retention interest that has no consumer",
        on="end:asked",
        when="keeper.made_n is not None and keeper.unkept + 1 >= UNKEPT_LIMIT",
        needs="",
        of="keeper",
        evidence="asked.n, keeper.first_n, keeper.made_n",
        message="{keeper.unkept + 1} messages were published to stream {asked.stream}, which no "
        "consumer was created for: with retention interest it drops them at once",
        cause="The publisher starts before the consumers exist; such a stream keeps a message only "
        "for consumers that exist when it is stored.",
        source=f"{STREAM}, checkInterest; docs.nats.io, JetStream, streams, RetentionPolicy",
        healthy="A consumer that was created in captures which are not read.",
    ),
)

ACKS: Final = (
    Rule(
        id="NATS-N43",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="JetStream ack sent in answer to a message that is not JetStream's",
        on=SENT,
        when=f"served.asked is not None and begins(payload, VERDICTS) is not None and "
        f"not ({ACKING}) and not starts(subject, '$JS.')",
        needs="",
        of="conn",
        evidence="n, served.n",
        message="{begins(payload, VERDICTS)} is published to {subject}, the reply subject of a "
        "request to {served.asked}: it is an answer there, not an ack",
        cause="A subscription without JetStream acknowledges what it receives: requesters get the "
        "word as an answer, perhaps before the true one.",
        source=f"{CONSUMER}, processAck; redpanda-data/connect issue 1772",
    ),
    Rule(
        id="NATS-N43b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request answered by a JetStream ack word",
        on=DELIVERED,
        when="asked.state == 'asked' and not starts(asked.subject, '$JS.ACK.') and "
        "begins(payload, VERDICTS) is not None",
        needs="",
        per="client, server, asked.subject",
        evidence="n, asked.n",
        message="the request to {asked.subject} is answered by {begins(payload, VERDICTS)}, a word "
        "by which messages of JetStream are acknowledged",
        cause="A subscriber acknowledges messages that are not JetStream's: its word reaches the "
        "requester as an answer.",
        source=f"{CONSUMER}, processAck; redpanda-data/connect issue 1772",
        echo_of="NATS-N43",
    ),
    Rule(
        id="NATS-N44",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="JetStream ack subject with too few tokens",
        on=SENT,
        when=f"{ACKING} and token(subject, 8) is None",
        needs="",
        of="conn",
        message="an ack is published to {subject}, which has fewer than nine tokens: no consumer "
        "receives it",
        cause="The client builds the subject itself, or cuts it; the ack belongs to the reply "
        "subject of the delivery, as it is.",
        source=f"{CONSUMER}, replyInfo; ADR-15",
    ),
    Rule(
        id="NATS-B78",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages kept in progress (+WPI) and never acknowledged",
        on="end:served",
        when=f"{_KEPT} and conn.unfinished >= 1 and why in ('closed', 'reset') and conn.left == 1 "
        "and conn.cut is None",
        needs="start whole both",
        of="conn",
        evidence="served.last_n, conn.unfinished_n, served.n",
        message="the message in frame {served.n} was reported as in progress {served.beats} times, "
        "until the client closed the connection, and neither acknowledged nor rejected, as others "
        "before it; later messages were",
        cause="The handling of the message has failed, and a timer still sends +WPI: ack_wait "
        "never runs out, so that it is not delivered again. Stop the timer and send -NAK.",
        source=f"{CONSUMER}, progressUpdate; numaflow issue 626",
    ),
    Rule(
        id="NATS-B78b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message kept in progress (+WPI) to the end",
        on="end:served",
        when=_KEPT,
        needs="start whole both",
        of="conn",
        evidence="served.last_n, served.n",
        message="the message in frame {served.n} was reported as in progress {served.beats} times, "
        "and neither acknowledged nor rejected; later messages were",
        cause="The handling of the message has failed, and a timer still sends +WPI: ack_wait "
        "never runs out, so that it is not delivered again.",
        source=f"{CONSUMER}, progressUpdate; numaflow issue 626",
        healthy="A task that takes long is still in work.",
        echo_of="NATS-B78",
    ),
    Rule(
        id="NATS-B78c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="progress (+WPI) of messages that are acknowledged already",
        on=SENT,
        when=f"served.state == 'answered' and {ACKING} and starts(payload, PROGRESS) and "
        "coalesce(conn.late_beats, 0) + 1 >= AFTER_LIMIT",
        needs="",
        of="conn",
        evidence="n, served.answer_n",
        message="+WPI is sent for a message that was acknowledged or rejected in frame "
        "{served.answer_n}, {coalesce(conn.late_beats, 0) + 1} times on this connection",
        cause="The timer that reports progress is not stopped when a message is done.",
        source=f"{CONSUMER}, progressUpdate",
        healthy="A timer that fires while the message is acknowledged.",
    ),
    Rule(
        id="NATS-B79",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="progress (+WPI) reported far more often than ack_wait needs",
        on="flood:progress",
        needs="",
        message="+WPI is sent for one message {BEATS_LIMIT} times in a row, each within a 20th of "
        "the ack_wait of {conn.ack_wait:time} after the one before",
        cause="One report in half of ack_wait is enough; each one is a message that the server, "
        "and in a cluster its peers, process.",
        source=f"{CONSUMER}, progressUpdate; ADR-15",
        healthy="Progress is reported after each step of a task.",
    ),
    Rule(
        id="NATS-B80",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="all JetStream messages of a connection rejected (-NAK, +TERM)",
        on="end:conn",
        when="conn.rejected >= REJECTED_LIMIT and conn.rejected == conn.verdicts",
        needs="start whole both",
        evidence="conn.verdict_n, conn.verdict_first_n",
        message="the client rejected all {conn.rejected} messages that it answered by -NAK or "
        "+TERM, and acknowledged none",
        cause="The client cannot process any message: the consumer does not progress, or +TERM "
        "drops the messages for good.",
        source="ADR-15; docs.nats.io, JetStream, acknowledgement",
        healthy="What the messages need is away.",
    ),
    Rule(
        id="NATS-B85",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="message rejected (-NAK) at its last delivery",
        on=SENT,
        when=f"conn.max_deliver > 0 and {ACKING} and starts(payload, NAK) and "
        "number(token(subject, 4)) >= conn.max_deliver and count(conn.consumers) == 1",
        needs="",
        of="conn",
        evidence="n, served.n, conn.described_n",
        message="-NAK asks for another delivery of a message that was delivered "
        "{token(subject, 4)} times; max_deliver of the consumer is {conn.max_deliver}: it is not "
        "delivered again",
        cause="max_deliver counts the first delivery too; messages that fail must be stored "
        "elsewhere, or max_deliver raised.",
        source=f"{CONSUMER}, hasMaxDeliveries",
        healthy="Messages that cannot be processed are meant to be skipped.",
        echo_of="NATS-B29",
    ),
)

ENDS: Final = (
    Rule(
        id="NATS-B74",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections of a service closed with requests in hand, one after another",
        on="end:served",
        when=f"{_LEFT} and served.queue is not None and (quit.times >= STOPS_LIMIT or "
        "quit.times + 1 >= STOPS_LIMIT and quit.flow != flow)",
        needs="start whole both",
        of="quit",
        evidence="served.n, quit.latest_n",
        message="{coalesce(conn.client_name, client)} closed its connection before it had answered "
        "the request to {served.asked} in frame {served.n}, as on another connection before: the "
        "requester waits until its timeout",
        cause="The program closes its connection without a drain: it has to unsubscribe, answer "
        "what it has received, and then close.",
        source="docs.nats.io, Drain Messages Before Disconnect; nats.net issue 1260",
        healthy="The process is killed.",
    ),
    Rule(
        id="NATS-B74b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection of a service closed with requests in hand",
        on="end:served",
        when=_LEFT,
        needs="start whole both",
        of="conn",
        evidence="served.n",
        message="{coalesce(conn.client_name, client)} closed its connection before it had answered "
        "the request to {served.asked} in frame {served.n}: the requester waits until its timeout",
        cause="The program closes its connection without a drain: it has to unsubscribe, answer "
        "what it has received, and then close.",
        source="docs.nats.io, Drain Messages Before Disconnect; nats.net issue 1260",
        healthy="A program that is stopped.",
        echo_of="NATS-B74",
    ),
    Rule(
        id="NATS-B74c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections of a consumer closed with unacknowledged messages, one after another",
        on="end:conn",
        when="stopped.times + 1 >= STOPS_LIMIT and conn.unacked > 0 and conn.left == 1 and "
        "conn.cut is None",
        needs="start whole both",
        of="stopped",
        evidence="conn.unacked_n, stopped.latest_n",
        message="{coalesce(conn.client_name, client)} closed its connection with {conn.unacked} "
        "messages of consumer {token(conn.ack_to, 3)} that it had not acknowledged, as on another "
        "connection before: they are delivered again only after ack_wait",
        cause="The program does not finish its batch, or reject it by -NAK, before it closes.",
        source=f"{CONSUMER}, checkPending; docs.nats.io, Drain Messages Before Disconnect",
        healthy="A program that is stopped while it works.",
    ),
)

DROPPED: Final = (
    Rule(
        id="NATS-B74d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message delivered again that a connection had left unacknowledged when it closed",
        on="server:msg server:hmsg",
        when="starts(reply_to, '$JS.ACK.') and number(token(reply_to, 4)) > 1 and "
        "conn.t >= team.left_t",
        needs="",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        evidence="n, team.left_n",
        message="message {token(reply_to, 5)} of consumer {token(reply_to, 3)} is delivered again; "
        "an earlier connection was closed by its client with {team.left_open:count message} that "
        "it had not acknowledged",
        cause="The program does not finish its batch, or reject it by -NAK, before it closes: the "
        "messages wait for ack_wait, and are processed again if they were done.",
        source=f"{CONSUMER}, checkPending; docs.nats.io, Drain Messages Before Disconnect; "
        "wolverine pull request 4039",
        healthy="A program that is stopped while it works.",
        echo_of="NATS-B74c",
    ),
    Rule(
        id="NATS-B130",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages of a stream removed before its consumer received them",
        on="server:msg server:hmsg",
        when=f"{MISSES} and number(token(reply_to, 5)) - conn.read_place >= MISSED_LIMIT + 1",
        needs="start whole both",
        per="server, token(reply_to, 2), token(reply_to, 3)",
        evidence="n, conn.read_place_n, conn.create_n",
        message="delivery {token(reply_to, 6)} of consumer {token(reply_to, 3)} is message "
        "{token(reply_to, 5)} of stream {token(reply_to, 2)}, the one before it was message "
        "{conn.read_place}: those between them are gone, although the consumer has no filter",
        cause="The stream has reached max_msgs, max_bytes or max_age and drops its oldest "
        "messages, or somebody deletes them, before this consumer has read them.",
        source=f"{STREAM}, processJetStreamMsg; docs.nats.io, JetStream, streams, DiscardPolicy",
        healthy="A stream that is to keep the newest messages only.",
    ),
)

NAMES: Final = (
    Rule(
        id="NATS-B73",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="name of a stream or consumer similar to one that exists (typo)",
        on=DELIVERED,
        when="asked.state == 'asked' and asked.meaning is not None and "
        "between(payload, '_response\",\"error\":{\"code\":', ',') == '404'",
        predicate=jetstream_names.is_nearly_known,
        reads="asked.subject names.subjects",
        needs="",
        per="client, server, asked.subject",
        evidence="asked.n, n",
        message="{asked.subject} is about something that does not exist; {found} does",
        cause="The name is misspelt: names of streams and consumers are compared with upper and "
        "lower case.",
        source=f"{_API}; docs.nats.io, JetStream, streams",
        echo_of="NATS-N24",
    ),
    Rule(
        id="NATS-N42",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="subject similar to a request of the JetStream API (typo)",
        on="end:asked",
        when="asked.meaning == 'api request' and asked.state != 'answered'",
        predicate=jetstream_names.is_nearly_a_request,
        reads="asked.subject",
        needs="",
        per="client, server, asked.subject",
        evidence="asked.n",
        message="{asked.subject} is no request of the JetStream API; {found} is near",
        cause="The subject is misspelt, or lacks the name of the stream or consumer: no server "
        "answers it.",
        source=f"{_API}, allJsSubs",
        echo_of="NATS-N14",
    ),
    Rule(
        id="NATS-N47",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="JetStream API request without a reply subject",
        on=SENT,
        when="reply_to is None and starts(subject, '$JS.API.')",
        needs="",
        per="client, server, subject",
        message="the request to {subject} has no reply subject: the client does not learn what "
        "became of it",
        cause="The client publishes the request instead of asking for an answer; a pull request "
        "without a reply subject brings no message.",
        source=_API,
        healthy="A consumer that is deleted in passing.",
    ),
    Rule(
        id="NATS-N48",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="subscription to all inboxes",
        on="client:sub",
        when="subject in ('_INBOX.>', '_INBOX.*', '_INBOX.*.*', '_INBOX.*.>') and "
        "conn.cluster is None",
        needs="",
        per="client, server",
        message="the client subscribed to {subject}: it receives the replies to all clients",
        cause="The prefix of the client's own inboxes is missing in the subject.",
        source="docs.nats.io, Request-Reply; ADR-4",
        healthy="A program that watches all messages.",
    ),
)

WASTE: Final = (
    Rule(
        id="NATS-B81",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="JetStream pull requests that never expire pile up",
        on="repetition:endless",
        needs="",
        message="{ENDLESS_LIMIT} pull requests in a row ({subject}) have neither `expires` nor "
        "`no_wait`, and brought no message",
        cause="Each of them waits at the server without end, up to max_waiting of the consumer; "
        "messages are delivered to the oldest, which the client may have given up.",
        source=f"{CONSUMER}, processNextMsgRequest; ADR-13, Pull Subscribe",
        healthy="Several tasks that each wait for a message.",
    ),
    Rule(
        id="NATS-B82",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="object stored in small chunks",
        on=SENT,
        when="object.chunks >= CHUNKS_LIMIT and object.bytes < object.chunks * SMALL_CHUNK and "
        "starts(subject, '$O.') and token(subject, 2) == 'M'",
        needs="",
        of="conn",
        evidence="n, object.first_n, object.chunk_n",
        message="an object of {object.bytes} bytes was stored in {object.chunks} chunks",
        cause="Each chunk is a message with its overhead; clients use 128 KiB.",
        source="ADR-20, Object Store",
        healthy="Clients with little memory.",
    ),
    Rule(
        id="NATS-B83",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="stored JetStream messages deleted one by one",
        on="repetition:deleted_singly",
        needs="",
        message="{DELETED_LIMIT} messages in a row were each deleted by a request of their own "
        "({subject})",
        cause="Each request costs a round trip, and leaves a gap that the stream has to remember; "
        "STREAM.PURGE with a filter or a sequence removes many.",
        source="docs.nats.io, JetStream, streams; ADR-31",
        healthy="A few messages that must not be kept.",
    ),
    Rule(
        id="NATS-B84",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS connections of a program without any message",
        on="leak:idle",
        needs="",
        message="{idle.left} connections of one program neither subscribed nor published anything",
        cause="The program opens a connection for each part of it, or again after an error, and "
        "forgets them: each costs the server memory and PINGs.",
        source="docs.nats.io, Connecting",
        healthy="Connections that are kept for later.",
    ),
)

WRITES: Final = (
    Rule(
        id="NATS-B86",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writes to a key that undo the write of another client",
        on=DELIVERED,
        when=f"{OVERWRITES} and coalesce(entry.overwrites, 0) + 1 >= OVERWRITE_LIMIT",
        needs="",
        of="entry",
        evidence="asked.n, entry.written_n, asked.based_n",
        message="{OVERWRITE_LIMIT} writes to {asked.key} state no revision and came after a write "
        "of another client that theirs had not read: the last one is based on {asked.based}, and "
        "the other client had written {entry.sequence}",
        cause="Clients read a key, change its value and put it back without "
        "Nats-Expected-Last-Subject-Sequence: one of two such changes at a time is lost.",
        source="ADR-8, JetStream based Key-Value Stores",
        healthy="The written value does not depend on the one that was read: the last one holds.",
    ),
    Rule(
        id="NATS-B136",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="keys removed without a revision after another client took them",
        on=DELIVERED,
        when=f"{REMOVES_OTHERS} and coalesce(entry.seized, 0) + 1 >= SEIZED_LIMIT",
        needs="",
        of="entry",
        evidence="asked.n, entry.written_n, conn.held_n",
        message="{SEIZED_LIMIT} times {asked.key} was removed without a revision by a client that "
        "had written it as {conn.held_at}, after another client had written {entry.sequence}",
        cause="The key is a lock whose time to live ends before the work of its holder: the next "
        "client takes it, and the first one then removes the lock of the other.",
        source="ADR-8, JetStream based Key-Value Stores",
        healthy="Clients that write a key in turn, of which any may remove it.",
    ),
    Rule(
        id="NATS-B87",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections given up because no heartbeat follows +NXT",
        on="end:conn",
        when=f"{NEXT_ABANDONED} and coalesce(unbeaten.times, 0) + 1 >= NEXT_LIMIT",
        needs="start whole both",
        of="unbeaten",
        evidence="conn.next_n, conn.connect_n, unbeaten.latest_n",
        message="the client closed {NEXT_LIMIT} connections, the last one {conn.left_t - "
        "conn.next_t:time} after +NXT without idle_heartbeat; its pull request had asked for a "
        "heartbeat every {conn.beat:time}",
        cause="The client waits for heartbeats, which the server sends only for a request that "
        "states idle_heartbeat, and takes the silence for a lost server.",
        source=f"{CONSUMER}, processNextMsgReq; ADR-13, Pull Subscribe",
        healthy="A program that stops while it waits.",
    ),
    Rule(
        id="NATS-B87b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="+NXT without the heartbeat of the pull request",
        on=SENT,
        when=f"{PLAIN_NEXT} and coalesce(conn.nexts, 0) + 1 >= NEXT_LIMIT",
        needs="",
        of="conn",
        message="+NXT asks for the next message without idle_heartbeat; the pull request before "
        "it had asked for a heartbeat every {conn.beat:time}",
        cause="+NXT is a new request: the server sends no heartbeat for it unless its JSON asks "
        "for one.",
        source=f"{CONSUMER}, processNextMsgReq; ADR-13, Pull Subscribe",
        healthy="A client that expects no heartbeat after +NXT.",
    ),
    Rule(
        id="NATS-B88",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="NATS connections of a program left open without use",
        on="leak:left",
        needs="",
        message="{left.left} connections of one program had done nothing for {LEFT_FOR:time} or "
        "more when they ended, and waited for no message",
        cause="The program opens a connection at each start of a part of it, and does not close "
        "the former one.",
        source="docs.nats.io, Connecting",
        healthy="A pool of connections, or several programs of one name.",
        echo_of="NATS-B348",
    ),
)

JETSTREAM_BEHAVIOURS: Final = (*PUBLISHES, *ACKS, *ENDS, *DROPPED, *NAMES, *WASTE, *WRITES)
"""Part of the rules of the protocol."""
