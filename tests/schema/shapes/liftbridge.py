"""Liftbridge: an envelope with a magic number and an optional sum over protobuf or over records.

The envelope has no length: its NATS payload is the frame, so the head has no total.
"""

from streamshark.schema import (
    I8,
    I16,
    I32,
    I64,
    REST,
    U8,
    U32,
    FrameKind,
    FrameSchema,
    Head,
    Literal,
    Many,
    Member,
    ProtoMessage,
    Record,
    Region,
    Sender,
    When,
    crc32c,
    field,
    len_,
    proto,
    raw,
    text,
    this,
)

_SPEC = "liftbridge v1.9.0, server/protocol"
CHECKSUM = 0x01

HEAD = Head(
    members=(
        Literal(b"\xb9\x0e\x43\xb4", "Magic number."),
        field("version", U8, "Always 0."),
        field(
            "header_length",
            U8,
            "Where the payload begins.",
            claims=(this.flags & CHECKSUM) * 4 + 8 + len_(this.extension),
        ),
        field("flags", U8, "What the header has.", flags={CHECKSUM: "checksum"}),
        field("message_type", U8, "Which message."),
        When(this.flags & CHECKSUM, field("checksum", U32, "CRC-32C of the payload.", base="hex")),
        When(
            this.header_length > (this.flags & CHECKSUM) * 4 + 8,
            field(
                "extension",
                raw(this.header_length - (this.flags & CHECKSUM) * 4 - 8),
                "More header than is known.",
            ),
        ),
    ),
    total=None,
    key="message_type",
    least=8,
    hidden=("header_length", "message_type"),
    source=f"{_SPEC}/envelope.go",
)


def _body(*parts: Member) -> tuple[Member, ...]:
    return (Region(REST, *parts, checksum=crc32c(this.checksum, when=this.flags & CHECKSUM)),)


def message(*fields: str, **nested: ProtoMessage) -> ProtoMessage:
    """`1 name kind`, a `*` after the kind for repeated; nested types by name."""
    out = {}
    for line in fields:
        number, name, kind = line.split()
        out[int(number)] = proto(
            name, kind.rstrip("*"), "A field.", repeated=kind.endswith("*"),
            message=nested.get(name),
        )  # fmt: skip
    return ProtoMessage(out)


HEADERS = message("1 key string", "2 value bytes")
PUBLISH = message(
    "1 offset int64", "2 key bytes", "3 value bytes", "4 timestamp int64", "5 stream string",
    "6 partition int32", "7 subject string", "8 reply_subject string", "9 headers map",
    "10 ack_inbox string", "11 correlation_id string", "12 ack_policy enum", headers=HEADERS,
)  # fmt: skip
ACK = message(
    "1 stream string", "2 partition_subject string", "3 msg_subject string", "4 offset int64",
    "5 ack_inbox string", "6 correlation_id string", "7 ack_policy enum",
    "8 reception_timestamp int64", "9 commit_timestamp int64", "10 ack_error enum",
)  # fmt: skip
N64, N32, NB = (message(f"1 value {kind}") for kind in ("int64", "int32", "bool"))
CONFIG = message(
    "1 retention_max_bytes message", "2 retention_max_messages message",
    "3 retention_max_age message", "7 compact_max_goroutines message", "8 compact_enabled message",
    retention_max_bytes=N64, retention_max_messages=N64, retention_max_age=N64,
    compact_max_goroutines=N32, compact_enabled=NB,
)  # fmt: skip
PARTITION = message(
    "1 subject string", "2 stream string", "3 id int32", "4 group string",
    "5 replication_factor int32", "6 replicas string*", "7 leader string", "8 isr string*",
    "9 leader_epoch uint64", "10 epoch uint64", "11 paused bool", "12 readonly bool",
)  # fmt: skip
STREAM = message(
    "1 name string", "2 subject string", "3 partitions message*", "4 config message",
    "5 creation_timestamp int64", partitions=PARTITION, config=CONFIG,
)  # fmt: skip
PROPAGATED = message(
    "1 op enum", "2 create_stream_op message", "3 shrink_isr_op message",
    "4 report_leader_op message", "7 pause_stream_op message",
    create_stream_op=message("1 stream message", stream=STREAM),
    shrink_isr_op=message(
        "1 stream string", "2 partition int32", "3 replica_to_remove string", "4 leader string",
        "5 leader_epoch uint64"),
    report_leader_op=message(
        "1 stream string", "2 partition int32", "3 replica string", "4 leader string",
        "5 leader_epoch uint64"),
    pause_stream_op=message("1 stream string", "2 partitions int32*", "3 resume_all bool"),
)  # fmt: skip

RECORD = Record(
    field("offset", I64, "Offset of the message."),
    field("timestamp", I64, "When it was stored.", unit="ns"),
    field("leader_epoch", I64, "Epoch of the leader that stored it."),
    Region(
        U32,
        field("crc", U32, "CRC-32C of the rest.", base="hex"),
        Region(
            REST,
            field("magic", I8, "Always 1."),
            field("attributes", I8, "Always 0."),
            field("key", raw(I32, null=True), "Key, null when there is none."),
            field("value", raw(I32, null=True), "Value."),
            field(
                "headers",
                Many(
                    Record(
                        field("key", text(I16), "Name."),
                        field("value", raw(I32, null=True), "Value."),
                    ),
                    count=I16,
                ),
                "With the subject and the reply of the publish.",
            ),
            checksum=crc32c(this.crc),
        ),
    ),
)

BODIES: dict[str, tuple[int, tuple[Member, ...]]] = {
    "publish": (0, (PUBLISH,)),
    "ack": (1, (ACK,)),
    "replication_request": (2, (
        message("1 replica_id string", "2 offset int64", "3 leader_epoch uint64"),)),
    "replication_response": (3, (
        field("leader_epoch", I64, "Epoch of the leader."),
        field("high_watermark", I64, "-1 when nothing is committed."),
        field("records", Many(RECORD), "Stored messages."))),
    "raft_join_request": (4, (message("1 node_id string", "2 node_addr string"),)),
    "raft_join_response": (5, (message("1 error string"),)),
    "leader_epoch_offset_request": (6, (message("1 leader_epoch uint64"),)),
    "leader_epoch_offset_response": (7, (message("1 end_offset int64"),)),
    "propagated_request": (8, (PROPAGATED,)),
    "propagated_response": (9, (
        message("1 op enum", "2 error message", error=message("1 code uint32", "2 msg string")),)),
    "server_info_response": (11, (message("1 id string", "2 host string", "3 port int32"),)),
    "partition_status_response": (13, (message("1 exists bool", "2 is_leader bool"),)),
    "partition_notification": (14, (message("1 stream string", "2 partition int32"),)),
}  # fmt: skip

LIFT = FrameSchema(
    "publish",
    0,
    FrameKind.COMMAND,
    Sender.BOTH,
    "publish.",
    "liftbridge v0.0.1-alpha",
    (
        message(
            "1 offset int64",
            "2 key bytes",
            "3 value bytes",
            "4 timestamp int64",
            "5 subject string",
            "6 reply_subject string",
            "7 headers map",
            "8 ack_inbox string",
            "9 correlation_id string",
            "10 ack_policy enum",
            headers=HEADERS,
        ),
    ),
    dialect="lift",
)
HEADS = {"": HEAD, "lift": Head((Literal(b"LIFT", "Magic of 2019."),), None, "", least=5)}
FRAMES = (
    *(
        FrameSchema(name, key, FrameKind.COMMAND, Sender.BOTH, f"{name}.", _SPEC, _body(*body))
        for name, (key, body) in BODIES.items()
    ),
    LIFT,
)

_PARTITIONS = message("1 stream string", "2 partitions int32*", "3 resume_all bool")
_TIMESTAMPS = message("1 first_timestamp int64", "2 latest_timestamp int64")
EMBEDDED_RECORDS = {
    "activity_stream_event": Record(message(
        "1 id uint64", "2 op enum", "3 create_stream_op message",
        "9 leave_consumer_group_op message", create_stream_op=_PARTITIONS,
        leave_consumer_group_op=message(
            "1 group_id string", "2 consumer_id string", "3 expired bool"))),
    "create_stream_request": Record(message(
        "1 subject string", "2 name string", "3 group string", "4 replication_factor int32",
        "5 partitions int32", "6 retention_max_bytes message", "7 retention_max_messages message",
        "8 retention_max_age message", "11 segment_max_age message",
        "12 compact_max_goroutines message", "13 compact_enabled message",
        "15 auto_pause_disable_if_subscribers message", "18 encryption message",
        retention_max_bytes=N64, retention_max_messages=N64, retention_max_age=N64,
        segment_max_age=N64, compact_max_goroutines=N32, compact_enabled=NB,
        auto_pause_disable_if_subscribers=NB, encryption=NB)),
    "fetch_cursor_response": Record(message("1 offset int64")),
    "fetch_metadata_request": Record(message("1 streams string*", "2 groups string*")),
    "fetch_metadata_response": Record(message(
        "1 brokers message*", "2 stream_metadata message*",
        brokers=message(
            "1 id string", "2 host string", "3 port int32", "4 partition_count int32",
            "5 leader_count int32"),
        stream_metadata=message(
            "1 name string", "2 subject string", "3 error enum", "4 partitions map",
            "5 creation_timestamp int64",
            partitions=message(
                "1 key int32", "2 value message",
                value=message(
                    "1 id int32", "2 leader string", "3 replicas string*", "4 isr string*",
                    "5 high_watermark int64", "6 newest_offset int64", "7 paused bool",
                    "8 readonly bool", "9 messages_received_timestamps message",
                    messages_received_timestamps=_TIMESTAMPS))))),
    "join_consumer_group_response": Record(message(
        "1 coordinator string", "2 epoch uint64", "3 consumer_timeout int64",
        "4 coordinator_timeout int64")),
    "pause_stream_request": Record(
        message("1 name string", "2 partitions int32*", "3 resume_all bool")),
    "publish_request": Record(message(
        "1 key bytes", "2 value bytes", "3 stream string", "4 partition int32", "5 headers map",
        "6 ack_inbox string", "7 correlation_id string", "8 ack_policy enum",
        "9 expected_offset int64", headers=HEADERS)),
    "publish_response": Record(message(
        "1 ack message", "2 async_error message", "3 correlation_id string", ack=ACK,
        async_error=message("1 code enum", "2 message string"))),
    "subscribe_request": Record(message(
        "1 stream string", "2 partition int32", "3 start_position enum", "4 start_offset int64",
        "5 start_timestamp int64", "6 read_isr_replica bool", "7 resume bool",
        "8 stop_position enum", "9 stop_offset int64", "10 stop_timestamp int64",
        "11 consumer message",
        consumer=message("1 group_id string", "2 group_epoch uint64", "3 consumer_id string"))),
}  # fmt: skip
