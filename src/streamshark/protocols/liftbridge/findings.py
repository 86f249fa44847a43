"""What is said of peers that misbehave.

Ids are those of the rules as this project numbers them, `LFB-L` before them; what has several
sides is several rules with one id. Where the server does
otherwise than one would expect, the rule follows it: plain messages on the subject of a stream are
stored, an ack of one policy may overtake one of the other, NATS's answer that there are no
responders is an answer.
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.general_rules import general
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.answer_rules import ANSWER_RULES
from streamshark.protocols.liftbridge.content_rules import CONTENTS, FORMATS
from streamshark.protocols.liftbridge.cursor_rules import CURSORS, UNREAD_PARTITIONS
from streamshark.protocols.liftbridge.group_rules import GROUP_READERS, GROUPS
from streamshark.protocols.liftbridge.message_path_rules import MESSAGE_PATH_RULES
from streamshark.protocols.liftbridge.object_state_rules import OBJECT_STATE_RULES
from streamshark.protocols.liftbridge.partition_rules import PARTITIONS
from streamshark.protocols.liftbridge.program_rules import PROGRAM_RULES
from streamshark.protocols.liftbridge.publishing_rules import (
    LOOPS,
    PUBLISHING,
    STREAM_NAMES_AS_SUBJECTS,
    UNCORRELATED,
    WILDCARDS,
)
from streamshark.protocols.liftbridge.request_rules import REQUEST_RULES
from streamshark.protocols.liftbridge.return_rules import RETURN_RULES
from streamshark.protocols.liftbridge.sources import API, PARTITION, SERVER
from streamshark.protocols.liftbridge.storage_rules import STORAGE_RULES
from streamshark.protocols.liftbridge.stream_rules import AGES, STREAMS, TYPOS
from streamshark.protocols.liftbridge.subscription_rules import (
    DELETED_STREAMS,
    PAUSED_STREAMS,
    POSITIONS,
    READING,
    RECONNECTS,
)

_FOR_CLIENTS: Final = (0, 5, 6, 7, 9, 10, 11, 12)
"""Operations that a server passes on for a client (`codes.Op`)."""
_REFUSED: Final = 3
"""The same refusals that are no longer one that a client handles."""
_OLD_EPOCHS: Final = 2
"""Subscriptions with an old epoch that are more than one during a rebalance."""
_ENVELOPE: Final = f"{SERVER}/protocol/envelope.go, checkEnvelope"
_REPLICATOR: Final = f"{SERVER}/replicator.go"
_FORGOTTEN: Final = (
    "not orphan and coalesce(req.ack_policy, 0) != 2 and ack.stream is None "
    "and ack.ack_inbox is None"
)
"""A call of Publish or PublishToSubject is answered without the ack that it wants."""
_NO_ACK: Final = "{req.method} was answered without an ack, although one was requested"

MESSAGES: Final = (
    Rule(
        id="LFB-L1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="invalid envelope header",
        on="problem:claim problem:unknown_version problem:length problem:literal",
        needs="",
        message="{name}: {problem_text}, at byte {problem_offset}",
        cause="",
        by="problem",
        causes={
            "unknown_version": "The envelope version must be 0.",
            "claim": "A header has 8 bytes, or 12 with a checksum.",
            "length": "A header has 8 bytes, or 12 with a checksum.",
        },
        source=_ENVELOPE,
    ),
    Rule(
        id="LFB-L1b",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="unknown flags or extra bytes in an envelope header",
        on="any",
        when="version == 0 and (len(extension) > 0 or fields.flags > 1)",
        needs="",
        message="{name} has flags {fields.flags} and {coalesce(len(extension), 0):count byte} of "
        "unknown header",
        cause="Flags are 0 with a header of 8 bytes, or 1 with a header of 12.",
        source=_ENVELOPE,
    ),
    Rule(
        id="LFB-L2",
        severity=Severity.ERROR,
        group=Group.CHECKSUM,
        title="envelope checksum mismatch",
        on="problem:checksum",
        when="name != 'replication_response'",
        needs="",
        message="checksum mismatch in {name}: the checksum in the header is not that of the body",
        cause="The checksum is not the CRC-32C of the bytes after the header (big-endian), or "
        "bytes were changed in transit.",
        source=_ENVELOPE,
    ),
    Rule(
        id="LFB-L3",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="unknown message type",
        on="problem:unknown_key",
        needs="",
        message="the envelope on {carrier.subject} has the unknown message type {problem_value}",
        cause="The peer may run a newer release.",
        source=_ENVELOPE,
    ),
    Rule(
        id="LFB-L3b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="message type on the wrong subject",
        on="propagated_request raft_join_request server_info_request partition_notification",
        when="not ("
        "name == 'propagated_request' and matching(carrier.subject, '*.raft.metadata.propagate')"
        " or name == 'raft_join_request' and matching(carrier.subject, '*.raft.metadata.join')"
        " or name == 'server_info_request' and matching(carrier.subject, '*.raft.metadata.info')"
        " or name == 'partition_notification' and matching(carrier.subject, '*.notify.*'))",
        needs="",
        message="{name} was sent on {carrier.subject}, which does not carry it",
        cause="The server drops it.",
        source=f"{_ENVELOPE}: the type must be the expected one",
    ),
    Rule(
        id="LFB-L4",
        severity=Severity.ERROR,
        group=Group.UNDECODED,
        title="undecodable protobuf message",
        on="problem:short problem:varint problem:wiretype problem:text problem:trailing",
        when="name != 'replication_response'",
        needs="",
        message="{name}: {problem_text}, at byte {problem_offset}",
        cause="The server drops it.",
        source=f"{SERVER}/protocol/envelope.go, unmarshalEnvelope",
    ),
    Rule(
        id="LFB-L4b",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="unknown protobuf fields",
        on="publish ack",
        when="len(unknown_fields) > 0",
        needs="",
        message="{name} has {len(unknown_fields)} fields without a known name",
        cause="The peer uses a newer release of the API.",
        source="liftbridge-api v1.9.0, api.proto",
        healthy="Newer peers may send more fields; protobuf skips unknown ones.",
    ),
    Rule(
        id="LFB-L5",
        severity=Severity.WARNING,
        group=Group.MALFORMED,
        title="envelope with a wrong magic number",
        on="client:plain_publish",
        when="not starts(value, MAGIC) and begins(value, NEARLY) is not None",
        needs="",
        message="a message on {carrier.subject} begins with {begins(value, NEARLY)}: the server "
        "stores it as a plain message",
        cause="The magic number of an envelope is b9 0e 43 b4.",
        source=f"{PARTITION}, getMessage",
    ),
    Rule(
        id="LFB-L5b",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="plain NATS message on a stream's subject",
        on="client:plain_publish",
        when="not starts(value, MAGIC) and not starts(value, OLD_MAGIC) and "
        "begins(value, NEARLY) is None",
        needs="",
        message="a message without an envelope on {carrier.subject} is stored without a key and "
        "not acknowledged",
        cause="The publisher is a plain NATS client.",
        source=f"{PARTITION}, natsToProtoMessage",
        healthy="Storing plain NATS messages is what Liftbridge is for.",
    ),
    Rule(
        id="LFB-L5c",
        severity=Severity.WARNING,
        group=Group.DEPRECATED,
        title="old envelope (LIFT) sent to a newer server",
        on="client:publish",
        when="version is None and known.streams == 'new'",
        needs="",
        message="a message on {carrier.subject} has the envelope LIFT: the server stores it as a "
        "plain message",
        cause="The client dates from 2019 and the server is v1.0.0 or later: readers receive the "
        "envelope's bytes as the value, and no ack is sent.",
        source=f"{PARTITION}, getMessage; liftbridge v0.0.1-alpha, the same",
    ),
)
"""What bytes show."""

PUBLISHES: Final = (
    Rule(
        id="LFB-L6",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="ack requested without an ack inbox",
        on="client:publish",
        when="version == 0 and coalesce(ack_policy, 0) != 2 and ack_inbox is None",
        needs="",
        message="a publish on {carrier.subject} requests an ack but has no ack inbox",
        cause="The client uses NewMessage without AckInbox; or it calls Publish without a "
        "deadline, which the server turns into a publish that waits for no ack.",
        source=f"{PARTITION}, sendAck; {API}, Publish",
        healthy="A client that needs no acks may leave the ack policy at its default.",
    ),
    Rule(
        id="LFB-L7",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="missing ack",
        on="timer:ack",
        when="wait.state == 'waiting'",
        needs="both whole",
        per="server, wait.subject",
        evidence="wait.n",
        message="the message to {wait.subject} was not acknowledged within {ACK_LATE:time}",
        cause="",
        source=f"{PARTITION}, messageProcessingLoop",
    ),
    Rule(
        id="LFB-L7b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="ack for an unknown correlation id",
        on="server:ack",
        when="wait.state == 'absent' and pub.state == 'unknown' and conn.wanted == 1 and "
        "correlation_id is not None",
        needs="start whole both",
        message="{stream} acknowledged {correlation_id}, which was never published",
        cause="Two publishers share an ack inbox, or the client changes ids after publishing.",
        source=f"{PARTITION}, sendAck",
    ),
    Rule(
        id="LFB-L7c",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="duplicate ack",
        on="server:ack",
        when="wait.state == 'acked' and wait.stream == stream"
        " and wait.partition == partition_subject and wait.acks >= wait.asked",
        needs="object",
        of="wait",
        evidence="n, wait.acked_n",
        message="{stream} acknowledged this message a second time",
        cause="Two servers act as the leader of the partition.",
        source=f"{PARTITION}, sendAck",
        healthy="If several streams share a subject, each acknowledges once.",
    ),
    Rule(
        id="LFB-L8",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="ack with an error: message not stored",
        on="ack",
        when="coalesce(ack_error, 0) not in (0, 2)",
        of="pub",
        per="stream, msg_subject, ack_error",
        needs="",
        message="{stream} did not store a message on {msg_subject}: {ack_error:name}",
        cause="",
        by="ack_error",
        causes={
            3: "The message is too large to be replicated: its size exceeds the limit.",
            4: "The server could not encrypt it.",
        },
        source=f"{PARTITION}, processPendingMessage",
    ),
    Rule(
        id="LFB-L8b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="ack with an error: incorrect expected offset",
        on="ack",
        when="coalesce(ack_error, 0) == 2",
        per="stream, msg_subject",
        worsens=True,
        needs="",
        message="{stream} did not store a message on {msg_subject}: {ack_error:name}",
        cause="Another publish took the expected offset: read the end of the stream, then publish "
        "again.",
        healthy="If several publishers expect the same offset, one succeeds and the others retry.",
        source=f"{PARTITION}, processPendingMessage",
    ),
    Rule(
        id="LFB-L9",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing offsets in acks",
        on="client:ack",
        when="coalesce(ack_error, 0) == 0 and offset <= order.offset",
        of="order",
        needs="since",
        evidence="n, order.by",
        message="{stream} acknowledged offset {offset} after {order.offset}",
        cause="Two servers act as the leader, or a log was truncated.",
        source=f"{PARTITION}, sendAck",
        healthy="A stream that was deleted and created again starts at 0, and no frame shows that.",
    ),
    Rule(
        id="LFB-L10",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="expected offset 0 on a non-empty stream",
        on="publish_request",
        when="log.optimistic == 1 and log.stored == 1 and log.site == server and "
        "coalesce(expected_offset, 0) == 0",
        of="log",
        needs="whole",
        message="a publish to {stream} expects offset 0, which is already taken",
        cause="Clients other than Go's leave expectedOffset at 0, which is a real offset; -1 means "
        "any.",
        source=f"{PARTITION}, processPendingMessage; go-liftbridge v2.3.0, ExpectedOffset",
    ),
    Rule(
        id="LFB-L11",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="message too large to be replicated",
        on="client:publish client:plain_publish publish_request publish_to_subject_request",
        when="size > LARGEST",
        of="pub",
        needs="",
        message="a message of {size:count byte} exceeds the {LARGEST:count byte} that replication "
        "can carry",
        cause="No replication response has room for it, so followers never receive it and fall out "
        "of sync; since v1.5 the leader refuses it.",
        source="liftbridge-io/liftbridge issue 305; clustering.replication.max.bytes",
    ),
    Rule(
        id="LFB-L11b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="message larger than NATS max_payload",
        on="client:publish",
        when="size > agreed.max_payload and not size > LARGEST",
        of="pub",
        needs="",
        message="a message of {size:count byte} on {carrier.subject} exceeds the "
        "{agreed.max_payload:count byte} that NATS accepts",
        cause="The NATS server closes the connection; a call of the API fails.",
        source=f"{API}, publish; nats-server v2.12.2, server/client.go, maxPayloadViolation",
    ),
    Rule(
        id="LFB-L20",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="Publish answered without the requested ack",
        on="publish_response",
        when=f"{_FORGOTTEN} and async_error.message is None",
        per="client",
        needs="",
        evidence="req.n, n",
        message=_NO_ACK,
        cause="Without a call deadline (grpc-timeout) the server does not wait for the ack: lost "
        "messages go unnoticed.",
        healthy="The client counts the acks that come, and sets no deadline.",
        source="liftbridge-io/liftbridge issue 347; server/api.go, publish",
    ),
    Rule(
        id="LFB-L20b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="PublishToSubject answered without the requested ack",
        on="publish_to_subject_response",
        when=_FORGOTTEN,
        per="client",
        needs="",
        evidence="req.n, n",
        message=_NO_ACK,
        cause="Without a call deadline (grpc-timeout) the server does not wait for the ack: lost "
        "messages go unnoticed.",
        healthy="The client counts the acks that come, and sets no deadline.",
        source="liftbridge-io/liftbridge issue 347; server/api.go, PublishToSubject",
    ),
)
"""What publishers should look at."""

SERVERS: Final = (
    Rule(
        id="LFB-L12",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="replication response from another leader epoch",
        on="replication_response",
        when="req.epoch > 0 and leader_epoch > 0 and leader_epoch != req.epoch",
        of="lead",
        needs="",
        evidence="n, req.n",
        message="a follower in epoch {req.epoch} was answered by a leader in epoch {leader_epoch}",
        cause="The partition has a new leader that one of the two does not know yet.",
        source=f"{_REPLICATOR}; pull request 183",
    ),
    Rule(
        id="LFB-L12b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="two leaders of one partition",
        on="client:replication_response",
        when="lead.flow is not None and lead.flow != flow and lead.leader_epoch == leader_epoch",
        of="lead",
        needs="",
        evidence="n, lead.by",
        message="two servers answered for {req.topic} in epoch {leader_epoch}",
        cause="This is a split brain: two servers lead one partition.",
        source=f"{PARTITION}, becomeLeader",
    ),
    Rule(
        id="LFB-L13",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="malformed replication response",
        on="problem:any",
        when="name == 'replication_response'",
        needs="",
        message="{problem_text}, at byte {problem_offset} of a response of {size:size}",
        cause="A follower panics on a response that it cannot decode.",
        source=f"{_REPLICATOR}, replicate; server/protocol/envelope.go, "
        "UnmarshalReplicationResponse",
    ),
    Rule(
        id="LFB-L13b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="records out of order in a replication response",
        on="replication_response",
        when="unordered(records.offset) or any_ne(records.magic, 1)",
        of="lead",
        needs="",
        message="records from offset {first(records.offset)} are out of order, or have another "
        "layout",
        cause="",
        source=f"{SERVER}/commitlog/message_set.go",
    ),
    Rule(
        id="LFB-L13c",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="decreasing high watermark",
        on="client:replication_response",
        when="lead.leader_epoch == leader_epoch and lead.flow == flow and high_watermark < lead.hw",
        of="lead",
        needs="",
        evidence="n, lead.by",
        message="the high watermark of {req.topic} fell from {lead.hw} to {high_watermark}",
        cause="The leader has lost messages that it had committed.",
        source=f"{PARTITION}, high watermark",
    ),
    Rule(
        id="LFB-L14",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="unanswered replication request",
        on="timer:reply",
        when="asked.state == 'waiting'",
        needs="both whole",
        evidence="asked.n",
        message="the leader did not answer on {asked.topic} within {REPLY_LATE:time}",
        cause="The leader is gone, or it drops the request because its epoch differs from the "
        "follower's.",
        source=f"{PARTITION}, handleReplicationRequest: requests of another epoch are dropped",
    ),
    Rule(
        id="LFB-L15",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="follower far behind the leader",
        on="replication_request",
        when="lead.newest - offset > FAR_BEHIND",
        of="lead",
        needs="",
        message="{replica_id} is at offset {offset} of {carrier.subject}, the leader at "
        "{lead.newest}",
        cause="The follower falls out of sync unless it catches up.",
        source=f"{_REPLICATOR}, maxLagTime",
        healthy="A server that was stopped for a while, and catches up.",
    ),
    Rule(
        id="LFB-L15b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="follower that does not catch up",
        on="timer:behind",
        needs="both whole",
        evidence="copy.asked_n",
        message="{copy.replica} has lagged on {copy.topic} for {BEHIND:time}: it is at offset "
        "{copy.offset}, and {copy.hw} is committed",
        cause="The leader removes it from the in-sync replicas.",
        source=f"{_REPLICATOR}, tick",
    ),
    Rule(
        id="LFB-L16",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="truncation of committed messages",
        on="server:leader_epoch_offset_response",
        when="copy.hw is not None and coalesce(end_offset, 0) < copy.hw",
        of="copy",
        needs="",
        evidence="n, copy.by",
        message="a follower with high watermark {copy.hw} is instructed to truncate to "
        "{coalesce(end_offset, 0)}",
        cause="The new leader lacks messages that the old leader had committed.",
        source="liftbridge-io/liftbridge issue 38; server/partition.go, truncateUncommitted",
    ),
    Rule(
        id="LFB-L17",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request refused by the metadata leader",
        on="client:propagated_response",
        when=f"error.code > 0 and op not in {_FOR_CLIENTS}",
        needs="",
        message="{op:name} was refused with {error.code:name}: {error.msg}",
        cause="",
        by="error.msg",
        causes={"leader generation mismatch": "The partition has a new leader."},
        source=f"{SERVER}/propagation.go",
    ),
    Rule(
        id="LFB-L17b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="repeated ShrinkISR or ReportLeader requests",
        on="repeat:reports",
        needs="",
        message="{op:name} was sent {REPORTS} times within {REPORTING:time}",
        cause="The servers do not agree: check which server leads, and the network between them.",
        source="liftbridge-io/liftbridge issues 322, 354, 414",
    ),
    Rule(
        id="LFB-L17c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request of a client refused by the metadata leader",
        on="client:propagated_response",
        when=f"error.code > 0 and op in {_FOR_CLIENTS}",
        needs="",
        per="client, server, op, error.msg",
        worse_from=_REFUSED,
        message="{op:name} was refused with {error.code:name}: {error.msg}",
        cause="",
        source=f"{SERVER}/propagation.go",
        healthy="A client of this server creates what exists, or removes what does not.",
    ),
    Rule(
        id="LFB-L23",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="repeated replication requests for the same offset",
        on="repeat:asks",
        needs="",
        message="{replica_id} sent {ASKS} requests to {carrier.subject} within {ASKING:time} for "
        "messages after offset {coalesce(offset, 0)}",
        cause="The leader wakes the follower although there is nothing new: with small segments "
        "the last offset of the active segment may not be that of the log. The next message, or a "
        "pause, ends it.",
        source="liftbridge-io/liftbridge v1.9.0, server/commitlog/segment.go, WaitForLEO; "
        "server/replicator.go, caughtUp",
    ),
    Rule(
        id="LFB-L18",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="two Raft bootstrap seeds",
        on="client:raft_bootstrap",
        when="seed.server != id",
        of="seed",
        needs="",
        evidence="n, seed.by",
        message="{id} bootstraps the cluster as the first server, as {seed.server} did",
        cause="Two servers were started with raft.bootstrap.seed: there are two clusters in one "
        "namespace.",
        source=f"{SERVER}/raft.go, detectBootstrapMisconfig",
    ),
)
"""What servers do to each other."""

READERS: Final = (
    Rule(
        id="LFB-L19",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="subscription without the initial empty message",
        on="message",
        when="sub.count == 0 and sub.state == 'asked' and size > 0",
        needs="object",
        message="the first message of the subscription to {sub.stream} is not empty",
        cause="The empty message announces that the subscription is ready; clients drop the first "
        "message.",
        source=f"{API}, Subscribe",
    ),
    Rule(
        id="LFB-L19b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing offsets in a subscription",
        on="message",
        when="sub.count > 1 and offset <= sub.last",
        of="sub",
        needs="object",
        evidence="n, sub.last_at",
        message="offset {offset} of {stream} was delivered after {sub.last}",
        cause="The log was truncated while it was being read.",
        source=f"{API}, Subscribe",
    ),
    Rule(
        id="LFB-L22",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message skipped when a subscription resumes",
        on="subscribe_request",
        when="start_position == 1 and "
        "reader.last + 2 <= start_offset <= reader.last + 1 + MOST_SKIPPED",
        of="reader",
        needs="both whole all",
        evidence="n, reader.last_at",
        message="{stream} was read up to offset {reader.last} and is read again from "
        "{start_offset}",
        cause="The client resumes too late: it counts messages that it has not received.",
        source="liftbridge-io/go-liftbridge issues 51, 69; pull request 110",
    ),
    Rule(
        id="LFB-L21",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="consumer that no longer fetches its assignments",
        on="end:member",
        when="member.state == 'joined' and "
        "conn.last_t - member.fetched_t > coalesce(member.timeout, CONSUMER_SILENT)",
        needs="both whole",
        evidence="member.asked_at",
        message="{member.consumer} of group {member.group} has not fetched its assignments for "
        "{coalesce(member.timeout, CONSUMER_SILENT):time}",
        cause="Fetching is the consumer's heartbeat: the coordinator considers it dead.",
        source=f"{SERVER}/groups.go",
    ),
    Rule(
        id="LFB-L21b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription with an old group epoch",
        on="subscribe_request",
        when="coalesce(consumer.group_epoch, 0) < member.group_epoch",
        of="member",
        needs="both whole",
        worse_from=_OLD_EPOCHS,
        evidence="n, member.answered_at",
        message="the consumer subscribed with group epoch {coalesce(consumer.group_epoch, 0)}, but "
        "its assignments have epoch {member.group_epoch}",
        cause="The client keeps the epoch of its join; the server refuses the subscription.",
        source=f"{SERVER}/groups.go",
        healthy="A member that subscribes while the group is balanced again, and joins it anew.",
    ),
)
"""What readers should look at."""

BEHAVIOURS: Final = (
    *READING, *POSITIONS, *CONTENTS, *RECONNECTS, *CURSORS, *PUBLISHING, *PARTITIONS, *FORMATS,
    *STREAM_NAMES_AS_SUBJECTS, *STREAMS, *DELETED_STREAMS, *LOOPS, *TYPOS, *GROUP_READERS,
    *UNREAD_PARTITIONS, *UNCORRELATED, *PAUSED_STREAMS, *WILDCARDS, *AGES, *GROUPS,
)  # fmt: skip
"""Rules for what clients do over time."""

RULES: Final = (
    *MESSAGES,
    *PUBLISHES,
    *SERVERS,
    *READERS,
    *BEHAVIOURS,
    *OBJECT_STATE_RULES,
    *PROGRAM_RULES,
    *RETURN_RULES,
    *STORAGE_RULES,
    *ANSWER_RULES,
    *MESSAGE_PATH_RULES,
    *REQUEST_RULES,
    *general("LFB", _ENVELOPE, "Liftbridge"),
)
