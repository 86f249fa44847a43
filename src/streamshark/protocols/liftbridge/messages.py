"""The messages of protobuf that several frames, or the API and the servers, have in common.

Source: `api.proto` of liftbridge-api v1.9.0 (Message, Ack), `internal.proto` of liftbridge v1.9.0.
"""

from typing import Final

from streamshark.protocols.liftbridge.codes import AckError, AckPolicy, Op, Status
from streamshark.protocols.liftbridge.types import (
    ACK_INBOX,
    BYTE_MAP,
    CONSUMER_ID,
    COORDINATOR,
    CORRELATION_ID,
    EPOCH,
    EXPIRED,
    GROUP_ID,
    LEADER_EPOCH,
    PARTITION,
    PARTITIONS,
    POLICY_SENTENCE,
    READONLY,
    RESUME_ALL,
    STREAM,
    STREAMS,
    code,
    flag,
    message,
    nested,
    number,
    settings,
    string,
)
from streamshark.schema import ProtoMessage, proto

_OFFSET: Final = number(
    "offset",
    "int64",
    "In a publish the offset that it expects to get, -1 for any (absent is 0); in a delivery its "
    "own.",
    role="chance",
)
_KEY: Final = proto("key", "bytes", "Key, for compaction and the choice of a partition.")
_VALUE: Final = proto("value", "bytes", "What is published.", slot="liftbridge.value", role="body")
_TIMESTAMP: Final = number(
    "timestamp", "int64", "When the leader received it.", unit="ns", role="chance time"
)
_SUBJECT: Final = string("subject", "Subject of NATS that it was published to.")
_REPLY_SUBJECT: Final = string(
    "reply_subject", "Reply subject of NATS that stood with it.", role="chance"
)
_HEADERS: Final = proto(
    "headers", "map", "Headers; servers add subject and reply to what is stored.", message=BYTE_MAP
)
_POLICY: Final = code("ack_policy", AckPolicy, POLICY_SENTENCE)

MESSAGE: Final = message(
    _OFFSET, _KEY, _VALUE, _TIMESTAMP, STREAM, PARTITION, _SUBJECT, _REPLY_SUBJECT, _HEADERS,
    ACK_INBOX, CORRELATION_ID, _POLICY,
)  # fmt: skip
OLD_MESSAGE: Final = message(
    _OFFSET, _KEY, _VALUE, _TIMESTAMP, _SUBJECT, _REPLY_SUBJECT, _HEADERS, ACK_INBOX,
    CORRELATION_ID, _POLICY,
)  # fmt: skip
"""The numbering of 2019 and of v1.0.0-alpha and -beta."""

ACK: Final = message(
    STREAM,
    string("partition_subject", "Subject of the partition."),
    string("msg_subject", "Subject that the message was published to."),
    number(
        "offset",
        "int64",
        "Offset that it has; absent for 0, of no meaning with an error.",
        role="chance",
    ),
    ACK_INBOX,
    CORRELATION_ID,
    _POLICY,
    number(
        "reception_timestamp",
        "int64",
        "When the leader received it.",
        unit="ns",
        role="chance time",
    ),
    number("commit_timestamp", "int64", "When the ack was sent.", unit="ns", role="chance time"),
    code("ack_error", AckError, "Why it was not stored; absent for ok.", role="response_code"),
)

STREAM_CONFIG: Final = message(*settings())
PARTITION_STATE: Final = message(
    string("subject", "Subject that it listens to."),
    STREAM,
    number("id", "int32", "Number of the partition; absent for 0."),
    string("group", "Queue group that its leader joins."),
    number("replication_factor", "int32", "How many replicas; -1 for all servers."),
    string("replicas", "Ids of the servers that have it.", repeated=True),
    string("leader", "Id of its leader."),
    string("isr", "Ids of those that are in sync.", repeated=True),
    LEADER_EPOCH,
    number("epoch", "uint64", "One more for each change of the partition.", role="chance"),
    flag("paused", "Whether it is paused."),
    flag("readonly", "Whether it is read-only."),
)
STREAM_STATE: Final = message(
    string("name", "Name of the stream.", role="stream"),
    string("subject", "Subject of the stream.", role="stream"),
    nested("partitions", PARTITION_STATE, "Its partitions.", repeated=True),
    nested("config", STREAM_CONFIG, "How its log is kept."),
    number("creation_timestamp", "int64", "When it was created.", unit="ns", role="chance time"),
)

_LEADER: Final = string("leader", "Id of the leader that is known.")
CREATE_STREAM_OP: Final = message(nested("stream", STREAM_STATE, "The stream."))
SHRINK_ISR_OP: Final = message(
    STREAM, PARTITION, string("replica_to_remove", "Id of the one that lags."), _LEADER,
    LEADER_EPOCH,
)  # fmt: skip
EXPAND_ISR_OP: Final = message(
    STREAM, PARTITION, string("replica_to_add", "Id of the one that has caught up."), _LEADER,
    LEADER_EPOCH,
)  # fmt: skip
REPORT_LEADER_OP: Final = message(
    STREAM, PARTITION, string("replica", "Id of the one that reports."), _LEADER, LEADER_EPOCH
)
DELETE_STREAM_OP: Final = message(STREAM)
PAUSE_STREAM_OP: Final = message(STREAM, PARTITIONS, RESUME_ALL)
RESUME_STREAM_OP: Final = message(STREAM, PARTITIONS)
SET_READONLY_OP: Final = message(STREAM, PARTITIONS, READONLY)
JOIN_GROUP_OP: Final = message(GROUP_ID, CONSUMER_ID, STREAMS)
LEAVE_GROUP_OP: Final = message(GROUP_ID, CONSUMER_ID, EXPIRED)
REPORT_COORDINATOR_OP: Final = message(GROUP_ID, CONSUMER_ID, COORDINATOR, EPOCH)

_OP: Final = code("op", Op, "What is asked; absent for create_stream.")
PROPAGATED_REQUEST: Final = message(
    _OP,
    nested("create_stream_op", CREATE_STREAM_OP, "A stream to create."),
    nested("shrink_isr_op", SHRINK_ISR_OP, "A replica that is no longer in sync."),
    nested("report_leader_op", REPORT_LEADER_OP, "A leader that is silent."),
    nested("expand_isr_op", EXPAND_ISR_OP, "A replica that is in sync again."),
    nested("delete_stream_op", DELETE_STREAM_OP, "A stream to delete."),
    nested("pause_stream_op", PAUSE_STREAM_OP, "A stream to pause."),
    nested("resume_stream_op", RESUME_STREAM_OP, "A stream to wake."),
    nested("set_stream_readonly_op", SET_READONLY_OP, "A stream to close for publishes, or open."),
    nested("join_consumer_group_op", JOIN_GROUP_OP, "A consumer that joins."),
    nested("leave_consumer_group_op", LEAVE_GROUP_OP, "A consumer that leaves."),
    nested("report_consumer_group_coordinator_op", REPORT_COORDINATOR_OP,
           "A coordinator that is silent."),
)  # fmt: skip
"""Numbers differ from those of the entries of Raft's log from 4 on."""
PROPAGATED_RESPONSE: Final = ProtoMessage(
    {
        1: _OP,
        2: nested(
            "error",
            message(
                number("code", "uint32", "Status code of gRPC.", names=Status),
                string("msg", "Why.", role="text"),
            ),
            "Why it was refused; absent where it was not.",
        ),
        11: nested(
            "join_consumer_group_resp",
            message(COORDINATOR, EPOCH),
            "The group that was joined.",
        ),
    }
)
OLD_PROPAGATED_REQUEST: Final = message(
    code("op", Op, "What is asked; absent for the creation of a partition."),
    nested(
        "create_partition_op",
        message(nested("partition", PARTITION_STATE, "The partition.")),
        "A partition to create.",
    ),
    nested("shrink_isr_op", SHRINK_ISR_OP, "A replica that is no longer in sync."),
    nested("report_leader_op", REPORT_LEADER_OP, "A leader that is silent."),
    nested("expand_isr_op", EXPAND_ISR_OP, "A replica that is in sync again."),
)
"""As it was in 2019."""

REPLICATION_REQUEST: Final = message(
    string("replica_id", "Id of the follower."),
    number("offset", "int64", "Newest offset that it has; -1 for none.", role="chance"),
    LEADER_EPOCH,
)
RAFT_JOIN_REQUEST: Final = message(
    string("node_id", "Id of the server that joins."),
    string("node_addr", "Its address: the same as its id."),
)
RAFT_JOIN_RESPONSE: Final = message(
    string("error", "Why it may not; absent where it may.", role="text")
)
LEADER_EPOCH_OFFSET_REQUEST: Final = message(LEADER_EPOCH)
LEADER_EPOCH_OFFSET_RESPONSE: Final = message(
    number("end_offset", "int64", "Last offset of that epoch; the follower "
           "drops its messages after it.", role="chance")
)  # fmt: skip
SERVER_INFO_REQUEST: Final = message(string("id", "Id of the server that asks."))
SERVER_INFO_RESPONSE: Final = message(
    string("id", "Id of the server."),
    string("host", "Host that clients reach it at.", role="host"),
    number("port", "int32", "Port that clients reach it at.", role="port"),
)
PARTITION_STATUS_REQUEST: Final = message(STREAM, PARTITION)
PARTITION_STATUS_RESPONSE: Final = message(
    flag("exists", "Whether the server has the partition."),
    flag("is_leader", "Whether it is the leader of it."),
)
PARTITION_NOTIFICATION: Final = message(STREAM, PARTITION)
