"""Words of the two .proto files in ours, and the members that every envelope has.

Names are those of the files in snake_case. `proto` of package `proto` is the clients' API, of
package `protocol` what servers say to each other; where both have a message of one name they
differ.
"""

from typing import Any, Final

from streamshark.schema import REST, Member, ProtoField, ProtoMessage, Region, crc32c, proto, this

ENVELOPE: Final = "liftbridge v1.9.0, server/protocol/envelope.go"
INTERNAL: Final = "liftbridge v1.9.0, server/protocol/internal.proto"
API: Final = "liftbridge-api v1.9.0, api.proto"
FIRST: Final = "liftbridge v0.0.1-alpha"

CHECKSUM: Final = 0x01
"""Flag of an envelope: a sum is in its header."""
LIFT: Final = "lift"
"""The dialect of 2019: LIFT, then the message."""
BARE: Final = "bare"
"""What is in NATS without an envelope; its subject says what it is."""
ALPHA: Final = "alpha"
"""The dialect of v1.0.0-alpha and -beta: the envelope, and the numbering of 2019 in it."""


def string(name: str, sentence: str, *, repeated: bool = False, **facts: Any) -> ProtoField:  # noqa: ANN401 - any fact
    """Declare a text."""
    return proto(name, "string", sentence, repeated=repeated, **facts)


def number(name: str, kind: str, sentence: str, **facts: Any) -> ProtoField:  # noqa: ANN401 - any fact
    """Declare a number of any width."""
    return proto(name, kind, sentence, **facts)


def flag(name: str, sentence: str) -> ProtoField:
    """Declare a boolean."""
    return proto(name, "bool", sentence)


def code(name: str, names: Any, sentence: str, **facts: Any) -> ProtoField:  # noqa: ANN401 - an IntEnum
    """Declare a number with names."""
    return proto(name, "enum", sentence, names=names, **facts)


def nested(
    name: str, message: ProtoMessage, sentence: str, *, repeated: bool = False
) -> ProtoField:
    """Declare a nested message."""
    return proto(name, "message", sentence, repeated=repeated, message=message)


def numbers(name: str, sentence: str) -> ProtoField:
    """Numbers of partitions, packed."""
    return proto(name, "int32", sentence, repeated=True)


def message(*fields: ProtoField) -> ProtoMessage:
    """Declare a message whose fields are numbered from 1 on."""
    return ProtoMessage(dict(enumerate(fields, 1)))


def body(*members: Member) -> tuple[Member, ...]:
    """Return the members after the header of an envelope; its checksum covers them."""
    return (Region(REST, *members, checksum=crc32c(this.checksum, when=this.flags & CHECKSUM)),)


STREAM: Final = string("stream", "Name of the stream.", role="stream")
PARTITION: Final = number("partition", "int32", "Number of the partition; absent for 0.")
LEADER_EPOCH: Final = number(
    "leader_epoch",
    "uint64",
    "Epoch of the partition's leader: one more for each new leader.",
    role="chance",
)
GROUP_ID: Final = string("group_id", "Name of the consumer group.")
CONSUMER_ID: Final = string("consumer_id", "Name of the consumer.")
EPOCH: Final = number(
    "epoch", "uint64", "Epoch of the group: one more for each change of it.", role="chance"
)
COORDINATOR: Final = string("coordinator", "Id of the server that looks after the group.")
POLICY_SENTENCE: Final = "When to acknowledge; absent for leader."
CORRELATION_ID: Final = string(
    "correlation_id", "Chosen by the publisher, comes back in the ack.", role="correlates chance"
)
ACK_INBOX: Final = string(
    "ack_inbox", "Subject of NATS for the ack; without it none is sent.", role="chance"
)
PARTITIONS: Final = numbers("partitions", "Numbers of the partitions; all of them if empty.")
RESUME_ALL: Final = flag("resume_all", "Whether a publish to one paused partition wakes all.")
READONLY: Final = flag("readonly", "Whether to refuse publishes from now on.")
STREAMS: Final = string("streams", "Names of the streams.", repeated=True)
EXPIRED: Final = flag("expired", "Whether the consumer went silent, in place of leaving.")


def _of(kind: str) -> ProtoMessage:
    """Declare a number or boolean that may be absent."""
    return message(proto("value", kind, "The value; absent for 0 or false."))


N64: Final = _of("int64")
N32: Final = _of("int32")
TRUTH: Final = _of("bool")
BYTE_MAP: Final = ProtoMessage(
    {
        1: string("key", "Name."),
        2: proto("value", "bytes", "Value; absent where it is empty."),
    }
)


def settings() -> tuple[ProtoField, ...]:
    """How the log of a stream is kept: thirteen members, the server's own where absent."""
    return (
        nested("retention_max_bytes", N64, "Bytes that a partition may have before it is cut."),
        nested("retention_max_messages", N64, "Messages that it may have."),
        nested("retention_max_age", N64, "Age of messages, in ms."),
        nested("cleaner_interval", N64, "Time between cuts, in ms."),
        nested("segment_max_bytes", N64, "Bytes of a file of the log."),
        nested("segment_max_age", N64, "Age of a file of the log, in ms."),
        nested("compact_max_goroutines", N32, "How many compact at a time."),
        nested("compact_enabled", TRUTH, "Whether only the last message of a key is kept."),
        nested("auto_pause_time", N64, "Idle time until it is paused, in ms; 0 is never."),
        nested("auto_pause_disable_if_subscribers", TRUTH, "Whether subscribers keep it awake."),
        nested("min_isr", N32, "Replicas that must be in sync for a message to be committed."),
        nested("optimistic_concurrency_control", TRUTH,
               "Whether a publish must know the next offset."),
        nested("encryption", TRUTH, "Whether values are encrypted where they are stored."),
    )  # fmt: skip
