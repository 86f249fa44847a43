"""The document's types in our words, and the members that many frames share.

All integers are big-endian. What the document's section "Types" leaves open, and what brokers do:

- *string* counts bytes, not characters, and is UTF-8; clients that count characters shift every
  field after the first non-ASCII one. The document lets each string and *bytes* be null, with a
  length of -1. Brokers take null in two places only: the filter value of Publish 2 and the data of
  SaslAuthenticate. Anywhere else it is shown as null with a problem: a broker closes the connection
  with code 13, or, where it is in a map, silently (seen on 4.0.5; `parse_request`
  and `parse_map` of `rabbit_stream_core.erl`).
- *arrays* have a count before them. For the last member of a frame the count is only a claim: the
  broker reads items to the end of the frame (`parse_map`, `list_of_strings/1` and `list_of_longs`
  of `rabbit_stream_core.erl`), so such a list is read that way here and a wrong count is shown.
  Lists in the middle of a frame (CreateSuperStream, the brokers of Metadata) are counted.
- Productions that only group (OffsetSpecification, MetadataInfo) add no level to names.
"""

from typing import Final

from streamshark.protocols.rabbitmq_stream.codes import (
    Compression,
    EntryType,
    OffsetType,
    ResponseCode,
)
from streamshark.schema import (
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bits,
    Limit,
    Many,
    Member,
    Record,
    Slot,
    Switch,
    Tail,
    Word,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)

MAX_REFERENCE: Final = Limit(255, "rabbit_stream_reader.erl, IS_INVALID_REF")
"""Most bytes of a reference: it is stored with a one-byte length.

The document says 256 characters. Brokers before 4.0.3 accept more and fail later
(rabbitmq-server issue 12499); from 4.0.3 on they refuse it (`rabbit_stream_reader.erl`,
`IS_INVALID_REF`).
"""
MAX_UNPACKED: Final = 64 * 1024 * 1024
"""Most bytes of an unpacked sub-batch (`rabbit_stream_utils.erl`, 4.3.5; none before)."""

STRING: Final = text(I16, refuses_null=True)
NULLABLE_STRING: Final = text(I16, null=True)
REFERENCE: Final = text(I16, limit=MAX_REFERENCE, refuses_null=True)
BYTES: Final = raw(I32, refuses_null=True)
NULLABLE_BYTES: Final = raw(I32, null=True)
MESSAGE: Final = raw(I32, slot="message")
"""A message as the client encoded it, usually AMQP 1.0. The top bit of its length is 0."""


def array(item: Word) -> Many:
    """Declare a list in the middle of a frame, with as many items as its count."""
    return Many(item, count=U32)


def last_array(item: Word) -> Many:
    """Declare the last list of a frame: items up to the end; the count before them is a claim."""
    return Many(item, claim=U32)


MAP: Final = last_array(
    Record(field("key", STRING, "Name."), field("value", STRING, "Value, always text."))
)

CORRELATION_ID: Final = field(
    "correlation_id",
    U32,
    "Number that a request chooses and its response repeats; each direction has its own.",
    role="correlates chance",
)
RESPONSE_CODE: Final = field(
    "response_code",
    U16,
    "How the request ended; 1 is success.",
    role="response_code",
    names=ResponseCode,
)
RESPONSE: Final[tuple[Member, ...]] = (CORRELATION_ID, RESPONSE_CODE)
"""What responses begin with, and all that most of them hold."""
OUTCOME: Final = "code={response_code:ok ok}"
"""What one line shows of a response."""
OUTCOME_OF_STREAM: Final = f"{{@stream}} {OUTCOME}"
"""What one line shows of a response about a stream."""

PUBLISHER_ID: Final = field(
    "publisher_id",
    U8,
    "Publisher, a number that the client chose; it is known on this connection only.",
    role="identifies",
)
PUBLISHING_ID: Final = field(
    "publishing_id",
    U64,
    "Client's number for the message, named again when it is confirmed. "
    "With a publisher reference the broker drops ids that are not above the last stored one.",
    role="identifies",
)
SUBSCRIPTION_ID: Final = field(
    "subscription_id",
    U8,
    "Subscription, a number that the client chose; it is known on this connection only.",
    role="identifies",
)
STREAM: Final = field("stream", STRING, "Name of the stream.", role="stream")

OFFSET_TYPE: Final = field(
    "offset_type",
    U16,
    "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
    names=OffsetType,
)


def _offset(*bare: OffsetType) -> Switch:
    """Declare the value after an offset type; only two types have one."""
    return Switch(
        this.offset_type,
        {
            **dict.fromkeys(bare, ()),
            OffsetType.OFFSET: (
                field(
                    "offset",
                    U64,
                    "Offset of a message; below the first means first, beyond the end next.",
                    role="chance",
                ),
            ),
            OffsetType.TIMESTAMP: (
                field(
                    "timestamp",
                    I64,
                    "Time since 1970: the first chunk that is not older is meant.",
                    unit="ms",
                    role="chance time",
                ),
            ),
        },
        default=None,
    )


_PLACES: Final = (OffsetType.FIRST, OffsetType.LAST, OffsetType.NEXT)
OFFSET_SPECIFICATION: Final[tuple[Member, ...]] = (OFFSET_TYPE, _offset(*_PLACES))
OFFSET_OR_NONE: Final[tuple[Member, ...]] = (OFFSET_TYPE, _offset(OffsetType.NONE, *_PLACES))
"""The same in the answer to ConsumerUpdate, which may leave the place to the broker."""

PROPERTIES: Final = Tail(
    field(
        "properties",
        MAP,
        "Options: `name`, `single-active-consumer`, `super-stream`, `filter.<n>`, "
        "`match-unfiltered`, `chunk_selector`; absent when there are none.",
    ),
    need=4,
)

SUB_BATCH: Final[tuple[Member, ...]] = (
    Bits(
        1,
        part(
            "entry_type",
            1,
            "1: this entry is a sub-batch; absent on a simple one.",
            names=EntryType,
        ),
        part("compression", 3, "How the records are packed.", names=Compression),
        reserved(4),
    ),
    field("record_count", U16, "Messages in the sub-batch.", role="counts"),
    field("uncompressed_size", U32, "Bytes of the records before packing.", unit="bytes"),
    field(
        "records",
        raw(
            U32,
            slot=Slot(
                "sub_batch",
                codec=this.compression,
                size=this.uncompressed_size,
                cap=MAX_UNPACKED,
                count=this.record_count,
            ),
        ),
        "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.",
    ),
)
"""An entry of several messages (`osiris_log.erl`, SubBatchEntry); its header has 11 bytes."""
