"""What the document requires of peers, in its order, with the rules that hold it.

The document has no MUST: a row is a sentence, or a line of a layout, that peers have to keep.
"""

from typing import Final

from streamshark.findings.requirement import Document, held, unseen

_TYPES: Final = (
    held("Types", "bytes - int32 for the length followed by the bytes of content", "RMQ-F4"),
    held(
        "Types",
        "string - int16 for the length followed by the bytes of UTF8-encoded content",
        "RMQ-S1",
        "RMQ-F4",
    ),
    held("Types", "length of -1 indicates null.", "RMQ-S2"),
    held(
        "Types",
        "arrays - int32 for the length followed by the repetition of the structure",
        "RMQ-F10",
    ),
    held(
        "Frame Structure",
        "Size => uint32 (size without the 4 bytes of the size element)",
        "RMQ-F1",
        "RMQ-F1b",
        "RMQ-F2",
        "RMQ-F3",
    ),
    held("Frame Structure", "some commands (e.g. `Deliver`) are one-direction only", "RMQ-F8"),
    held(
        "Frame Structure",
        "the most significant bit being used to make the difference between a "
        "request (0) and a response (1).",
        "RMQ-F9",
        "RMQ-F7",
        "RMQ-T7",
    ),
    held("Response Codes", "Unknown frame|0x0d", "RMQ-F5", "RMQ-F6", "RMQ-V5"),
    held("Response Codes", "Frame too large|0x0e", "RMQ-T3", "RMQ-T4"),
    held(
        "Commands",
        "|Command |From |Key | Expects response?",
        "RMQ-F5",
        "RMQ-F8",
        "RMQ-X1",
        "RMQ-X2",
        "RMQ-X3",
    ),
)

_PUBLISHING: Final = (
    held("DeclarePublisher", "PublisherId => uint8", "RMQ-I1", "RMQ-I2", "RMQ-I3"),
    held("DeclarePublisher", "PublisherReference => string // max 256 characters", "RMQ-S3"),
    held("Publish", "Use version 1 if there is no filter value.", "RMQ-U1"),
    held("Publish", "Use version 2 if there is a filter value.", "RMQ-U1", "RMQ-U2"),
    held("Publish", "PublishedMessages => [PublishedMessage]", "RMQ-U3", "RMQ-U4", "RMQ-U5"),
    held(
        "PublishConfirm",
        "PublishingIds => [uint64] // to correlate with the messages sent",
        "RMQ-I7",
        "RMQ-I8",
    ),
    held("PublishError", "Code => uint16 // code to identify the problem", "RMQ-U7"),
    held("QueryPublisherSequence", "PublisherReference => string // max 256 characters", "RMQ-S3"),
    held(
        "DeletePublisher",
        "DeletePublisherRequest => Key Version CorrelationId PublisherId",
        "RMQ-X6",
    ),
)

_CONSUMING: Final = (
    held(
        "Subscribe",
        "SubscriptionId => uint8 // client-supplied id to identify the subscription",
        "RMQ-I3b",
        "RMQ-I4",
        "RMQ-I5",
    ),
    held("Subscribe", "Stream => string // the name of the stream", "RMQ-X6"),
    held(
        "Subscribe",
        "OffsetType => uint16 // 1 (first), 2 (last), 3 (next), 4 (offset), 5 (timestamp)",
        "RMQ-D15b",
    ),
    held("Subscribe", "Offset => uint64 (for offset) | int64 (for timestamp)", "RMQ-D15"),
    held("Subscribe", "milliseconds from epoch", "RMQ-D14", "RMQ-D13b"),
    held("Subscribe", "Credit => uint16", "RMQ-C6", "RMQ-C7"),
    held("Subscribe", "`single-active-consumer`: set to `true` to enable", "RMQ-A2b", "RMQ-A2"),
    unseen(
        "Subscribe",
        "set to the name of the super stream the subscribed is a partition of.",
        "Which streams are partitions of a super stream is known to the broker.",
    ),
    held(
        "Subscribe",
        "prefix to use to define filter values for the subscription.",
        "RMQ-S4",
        "RMQ-V6",
    ),
    held(
        "Subscribe",
        "`match-unfiltered`: whether to return messages without any filter value or not.",
        "RMQ-S4",
    ),
    held("Deliver", "MagicVersion => int8", "RMQ-D1"),
    held(
        "Deliver",
        "ChunkType => int8 // 0: user, 1: tracking delta, 2: tracking snapshot",
        "RMQ-D1",
        "RMQ-D11",
    ),
    held("Deliver", "the size of the array is defined by NumEntries", "RMQ-D2", "RMQ-D3"),
    held(
        "Deliver",
        "Timestamp => int64 // erlang system time in milliseconds, since epoch",
        "RMQ-D10",
    ),
    held("Deliver", "ChunkFirstOffset => uint64", "RMQ-D6", "RMQ-D12"),
    held("Deliver", "ChunkCrc => int32", "RMQ-D5"),
    held("Deliver", "DataLength => uint32", "RMQ-D4"),
    held("Deliver", "CommittedChunkId => uint64", "RMQ-D7", "RMQ-D8"),
    unseen(
        "Deliver",
        "Reserved => uint24 // 24 bits reserved for future use",
        "Brokers of 4.x use them.",
    ),
    held(
        "Credit",
        "Credit => uint16 // the number of chunks that can be sent",
        "RMQ-C1",
        "RMQ-C6",
        "RMQ-C5",
    ),
    held(
        "Credit",
        "the server sent a response only in case of problem, e.g. crediting an unknown "
        "subscription.",
        "RMQ-C4",
        "RMQ-I5",
    ),
    held("StoreOffset", "Reference => string // max 256 characters", "RMQ-S3", "RMQ-S5"),
    held("QueryOffset", "Reference => string // max 256 characters", "RMQ-S3"),
    held("Unsubscribe", "Unsubscribe => Key Version CorrelationId SubscriptionId", "RMQ-I5"),
    held(
        "ConsumerUpdate",
        "ConsumerUpdateQuery => Key Version CorrelationId SubscriptionId Active",
        "RMQ-A1",
        "RMQ-A3",
    ),
    held(
        "ConsumerUpdate",
        "OffsetType => uint16 // 0 (none), 1 (first), 2 (last), 3 (next), 4 "
        "(offset), 5 (timestamp)",
        "RMQ-A4",
        "RMQ-A4b",
    ),
)

_STREAMS: Final = (
    held("Create", "Arguments => [Argument]", "RMQ-S4b", "RMQ-S4c", "RMQ-S6", "RMQ-S7"),
    held("Create", "Create => Key Version CorrelationId Stream Arguments", "RMQ-S3b", "RMQ-M8"),
    held("Delete", "Delete => Key Version CorrelationId Stream", "RMQ-M8"),
    held(
        "Metadata",
        "StreamMetadata => StreamName ResponseCode LeaderReference ReplicasReferences",
        "RMQ-M1",
        "RMQ-M2",
        "RMQ-M7",
    ),
    held("MetadataUpdate", "MetadataInfo => Code Stream", "RMQ-M6", "RMQ-M6c", "RMQ-M11"),
    held("Route", "RouteQuery => Key Version CorrelationId RoutingKey SuperStream", "RMQ-M9"),
    held(
        "ExchangeCommandVersions",
        "Command => Key MinVersion MaxVersion",
        "RMQ-V2",
        "RMQ-V4",
        "RMQ-V5b",
    ),
    held(
        "CreateSuperStream",
        "CreateSuperStream => Key Version CorrelationId Name [Partition] [BindingKey] Arguments",
        "RMQ-S8",
    ),
)

_CONNECTION: Final = (
    held(
        "Authentication", "it initiates an authentication sequence.", "RMQ-N1", "RMQ-N1b", "RMQ-N5"
    ),
    held(
        "Authentication",
        "the client asks about the SASL mechanisms the server supports. It can "
        "then pick one from the list the server returns.",
        "RMQ-N2",
    ),
    held(
        "Authentication",
        "the client answers to the server's challenge(s), using the SASL mechanism it picked.",
        "RMQ-N3",
        "RMQ-N3b",
        "RMQ-N9",
    ),
    held(
        "Authentication",
        "The server will send a `Tune` frame once it is satisfied with the "
        "client authentication response.",
        "RMQ-N1",
        "RMQ-N6",
    ),
    held(
        "Authentication",
        "The client answers with a `Tune` frame with the settings he agrees on, "
        "possibly adjusted from the server's suggestions.",
        "RMQ-T1",
        "RMQ-T1b",
        "RMQ-T2",
        "RMQ-T7",
    ),
    held(
        "Authentication",
        "the client sends an `Open` frame to pick a virtual host to connect to.",
        "RMQ-N4",
        "RMQ-N6",
        "RMQ-N10",
    ),
    held("Tune", "FrameMax => uint32 // in bytes, 0 means no limit", "RMQ-T3", "RMQ-T6"),
    held(
        "Tune",
        "Heartbeat => uint32 // in seconds, 0 means no heartbeat",
        "RMQ-H1",
        "RMQ-H3",
        "RMQ-H4",
        "RMQ-T5",
    ),
    held("Heartbeat", "Heartbeat => Key Version", "RMQ-F7"),
    held(
        "Close",
        "CloseRequest => Key Version CorrelationId ClosingCode ClosingReason",
        "RMQ-K1",
        "RMQ-K2",
        "RMQ-K3",
        "RMQ-K5",
    ),
    held("Close", "CloseResponse => Key Version CorrelationId ResponseCode", "RMQ-K4", "RMQ-K6"),
)

REQUIREMENTS: Final = (
    Document(
        "RabbitMQ Streams Protocol Reference",
        "PROTOCOL.adoc of rabbitmq-server, with ResolveOffsetSpec left out",
        (*_TYPES, *_PUBLISHING, *_CONSUMING, *_STREAMS, *_CONNECTION),
    ),
)
"""Printed to docs/findings/rabbitmq_stream_requirements.md."""
