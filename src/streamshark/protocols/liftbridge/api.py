"""What is in calls of the API: the messages of its gRPC service, by method.

Embedded records of the slots `grpc.message` and `grpc.reply`, chosen by the path of the call. The
first message of every subscription is empty: it says that the server is ready.

Source: `api.proto` of liftbridge-api v1.9.0; `reverse` is of API v2.
"""

from collections.abc import Iterator
from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.protocols.liftbridge.codes import (
    AckPolicy,
    AsyncError,
    GroupError,
    StartPosition,
    StopPosition,
    StreamError,
)
from streamshark.protocols.liftbridge.messages import ACK, MESSAGE
from streamshark.protocols.liftbridge.types import (
    ACK_INBOX,
    BYTE_MAP,
    CONSUMER_ID,
    COORDINATOR,
    CORRELATION_ID,
    EPOCH,
    GROUP_ID,
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
    numbers,
    settings,
    string,
)
from streamshark.schema import ProtoMessage, Record, proto

SERVICE: Final = "/proto.API/"
SHOWS: Final = (
    "stream={stream} {name} stream={ack.stream} subject={subject} partition={partition} "
    "from={start_position} cursor={cursor_id} group={group_id} consumer={consumer_id} "
    "streams={streams} {brokers.id}@{brokers.host}:{brokers.port} {stream_metadata.name} "
    "offset={offset} offset={ack.offset} {value:bytes}"
)
"""What one line shows of a message, as far as it has these members."""

_NAME: Final = string("name", "Name of the stream.", role="stream")
_KEY: Final = proto("key", "bytes", "Key of the message.")
_VALUE: Final = proto("value", "bytes", "What is published.", slot="liftbridge.value", role="body")
_HEADERS: Final = proto("headers", "map", "Headers of the message.", message=BYTE_MAP)
_POLICY: Final = code("ack_policy", AckPolicy, POLICY_SENTENCE)
_CURSOR: Final = string("cursor_id", "Name of the cursor.")
_NOTHING: Final = ProtoMessage({})

TIMESTAMPS: Final = message(
    number("first_timestamp", "int64", "When it happened first.", unit="ns", role="chance time"),
    number("latest_timestamp", "int64", "When it happened last.", unit="ns", role="chance time"),
)
PARTITION_METADATA: Final = message(
    number("id", "int32", "Number of the partition; absent for 0."),
    string("leader", "Id of its leader."),
    string("replicas", "Ids of the servers that have it.", repeated=True),
    string("isr", "Ids of those that are in sync.", repeated=True),
    number("high_watermark", "int64", "Offset up to which it is committed.", role="chance"),
    number("newest_offset", "int64", "Newest offset of its leader.", role="chance"),
    flag("paused", "Whether it is paused."),
    flag("readonly", "Whether it is read-only."),
    nested("messages_received_timestamps", TIMESTAMPS, "When messages came."),
    nested("pause_timestamps", TIMESTAMPS, "When it was paused or woken."),
    nested("readonly_timestamps", TIMESTAMPS, "When it was closed or opened."),
)
STREAM_METADATA: Final = message(
    _NAME,
    string("subject", "Subject of the stream."),
    code("error", StreamError, "Whether there is such a stream; absent for ok."),
    proto(
        "partitions",
        "map",
        "Its partitions by number.",
        message=message(
            number("key", "int32", "Number; absent for 0."),
            nested("value", PARTITION_METADATA, "The partition."),
        ),
    ),
    number("creation_timestamp", "int64", "When it was created.", unit="ns", role="chance time"),
)
BROKER: Final = message(
    string("id", "Id of the server."),
    string("host", "Host that it is reached at.", role="host"),
    number("port", "int32", "Port that it is reached at.", role="port"),
    number("partition_count", "int32", "Partitions that it has."),
    number("leader_count", "int32", "Partitions that it leads."),
)
GROUP_METADATA: Final = message(
    GROUP_ID,
    code("error", GroupError, "Whether there is such a group; absent for ok."),
    COORDINATOR,
    EPOCH,
)

REQUESTS: Final[dict[str, tuple[ProtoMessage, str]]] = {
    "create_stream_request": (
        message(
            string("subject", "Subject of NATS that it is attached to."),
            _NAME,
            string("group", "Queue group that the leaders of its partitions join."),
            number("replication_factor", "int32", "Servers that have it; -1 for all."),
            number("partitions", "int32", "How many partitions; absent for 1."),
            *settings(),
        ),
        "CreateStream",
    ),
    "delete_stream_request": (message(_NAME), "DeleteStream"),
    "pause_stream_request": (message(_NAME, PARTITIONS, RESUME_ALL), "PauseStream"),
    "set_stream_readonly_request": (message(_NAME, PARTITIONS, READONLY), "SetStreamReadonly"),
    "subscribe_request": (
        message(
            STREAM,
            PARTITION,
            code("start_position", StartPosition, "Where it begins; absent for new only."),
            number("start_offset", "int64", "First offset, where it begins at one.", role="chance"),
            number("start_timestamp", "int64", "First time, where it begins at one.", unit="ns",
                   role="chance time"),
            flag("read_isr_replica", "Whether a follower may serve it."),
            flag("resume", "Whether a paused partition is woken."),
            code("stop_position", StopPosition, "Where it ends; absent for never."),
            number("stop_offset", "int64", "Last offset, where it ends at one.", role="chance"),
            number("stop_timestamp", "int64", "Last time, where it ends at one.", unit="ns",
                   role="chance time"),
            nested(
                "consumer",
                message(GROUP_ID, number("group_epoch", "uint64", "Epoch of the group.",
                                         role="chance"),
                        CONSUMER_ID),
                "The member of a group that reads.",
            ),
        ),
        "Subscribe",
    ),
    "fetch_metadata_request": (
        message(STREAMS, string("groups", "Names of consumer groups.", repeated=True)),
        "FetchMetadata",
    ),
    "fetch_partition_metadata_request": (message(STREAM, PARTITION), "FetchPartitionMetadata"),
    "publish_request": (
        message(
            _KEY, _VALUE, STREAM, PARTITION, _HEADERS, ACK_INBOX, CORRELATION_ID, _POLICY,
            number("expected_offset", "int64", "Offset that it must get; -1 for any.",
                   role="chance"),
        ),
        "Publish PublishAsync",
    ),
    "publish_to_subject_request": (
        message(
            _KEY, _VALUE, string("subject", "Subject of NATS."), _HEADERS, ACK_INBOX,
            CORRELATION_ID, _POLICY,
        ),
        "PublishToSubject",
    ),
    "set_cursor_request": (
        message(STREAM, PARTITION, _CURSOR, number("offset", "int64", "What it has reached.",
                                                   role="chance")),
        "SetCursor",
    ),
    "fetch_cursor_request": (message(STREAM, PARTITION, _CURSOR), "FetchCursor"),
    "join_consumer_group_request": (message(GROUP_ID, CONSUMER_ID, STREAMS), "JoinConsumerGroup"),
    "leave_consumer_group_request": (message(GROUP_ID, CONSUMER_ID), "LeaveConsumerGroup"),
    "fetch_consumer_group_assignments_request": (
        message(GROUP_ID, CONSUMER_ID, EPOCH), "FetchConsumerGroupAssignments"),
    "report_consumer_group_coordinator_request": (
        message(GROUP_ID, CONSUMER_ID, COORDINATOR, EPOCH), "ReportConsumerGroupCoordinator"),
}  # fmt: skip
"""Messages to a server, and the methods that take them."""

REPLIES: Final[dict[str, tuple[ProtoMessage, str]]] = {
    "create_stream_response": (_NOTHING, "CreateStream"),
    "delete_stream_response": (_NOTHING, "DeleteStream"),
    "pause_stream_response": (_NOTHING, "PauseStream"),
    "set_stream_readonly_response": (_NOTHING, "SetStreamReadonly"),
    "message": (MESSAGE, "Subscribe"),
    "fetch_metadata_response": (
        message(
            nested("brokers", BROKER, "The servers.", repeated=True),
            nested("stream_metadata", STREAM_METADATA, "The streams.", repeated=True),
            nested("group_metadata", GROUP_METADATA, "The consumer groups.", repeated=True),
        ),
        "FetchMetadata",
    ),
    "fetch_partition_metadata_response": (
        message(nested("metadata", PARTITION_METADATA, "The partition.")),
        "FetchPartitionMetadata",
    ),
    "publish_response": (
        message(
            nested("ack", ACK, "The ack; absent where none is wanted, or none is waited for."),
            nested(
                "async_error",
                message(
                    code("code", AsyncError, "Why; absent for unknown.", role="response_code"),
                    string("message", "Why, in words.", role="text"),
                ),
                "Why a message of PublishAsync was refused.",
            ),
            CORRELATION_ID,
        ),
        "Publish PublishAsync",
    ),
    "publish_to_subject_response": (
        message(nested("ack", ACK, "The first ack that came.")), "PublishToSubject"),
    "set_cursor_response": (_NOTHING, "SetCursor"),
    "fetch_cursor_response": (
        message(number("offset", "int64", "What it has reached; -1 for no such cursor.",
                       role="chance")),
        "FetchCursor",
    ),
    "join_consumer_group_response": (
        message(
            COORDINATOR,
            EPOCH,
            number("consumer_timeout", "int64", "Silence that ends a membership.", unit="ns"),
            number("coordinator_timeout", "int64", "Silence after which it is reported.",
                   unit="ns"),
        ),
        "JoinConsumerGroup",
    ),
    "leave_consumer_group_response": (_NOTHING, "LeaveConsumerGroup"),
    "fetch_consumer_group_assignments_response": (
        message(
            EPOCH,
            nested(
                "assignments",
                message(STREAM, numbers("partitions", "Partitions that the consumer reads.")),
                "What the consumer has to read.",
                repeated=True,
            ),
        ),
        "FetchConsumerGroupAssignments",
    ),
    "report_consumer_group_coordinator_response": (_NOTHING, "ReportConsumerGroupCoordinator"),
}  # fmt: skip
"""Messages of a server, and the methods that they answer."""


def _embedded_records() -> Iterator[EmbeddedRecord]:
    for slot, messages in (("grpc.message", REQUESTS), ("grpc.reply", REPLIES)):
        for name, (record, methods) in messages.items():
            yield EmbeddedRecord(
                id=f"liftbridge.{name}",
                slots=frozenset({slot}),
                record=Record(record),
                types=frozenset(f"{SERVICE}{method}" for method in methods.split()),
                shows=SHOWS,
            )


API: Final = tuple(_embedded_records())
"""One embedded record for each message."""
