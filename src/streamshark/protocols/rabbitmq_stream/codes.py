"""Numbers with names: command keys, response codes and the document's smaller enumerations.

The members are the document's words; in lower case they are what JSON, filters and text show. A
number that is not listed here stays a number without a name.

Source: PROTOCOL.adoc, "Response Codes" and "Commands"; `rabbit_stream.hrl` of
rabbitmq_stream_common for what the document lacks (response codes 20 and 21); `osiris_log.erl`
and `osiris_tracking.erl` of osiris for what is in a chunk.
"""

from enum import IntEnum
from typing import Final


class Key(IntEnum):
    """Command keys: the low 15 bits of a frame's key.

    The document's example gives subscribe the key 6; its table, and every broker, give it 7.
    """

    DECLARE_PUBLISHER = 0x01
    PUBLISH = 0x02
    PUBLISH_CONFIRM = 0x03
    PUBLISH_ERROR = 0x04
    QUERY_PUBLISHER_SEQUENCE = 0x05
    DELETE_PUBLISHER = 0x06
    SUBSCRIBE = 0x07
    DELIVER = 0x08
    CREDIT = 0x09
    STORE_OFFSET = 0x0A
    QUERY_OFFSET = 0x0B
    UNSUBSCRIBE = 0x0C
    CREATE = 0x0D
    DELETE = 0x0E
    METADATA = 0x0F
    METADATA_UPDATE = 0x10
    PEER_PROPERTIES = 0x11
    SASL_HANDSHAKE = 0x12
    SASL_AUTHENTICATE = 0x13
    TUNE = 0x14
    OPEN = 0x15
    CLOSE = 0x16
    HEARTBEAT = 0x17
    ROUTE = 0x18
    PARTITIONS = 0x19
    CONSUMER_UPDATE = 0x1A
    EXCHANGE_COMMAND_VERSIONS = 0x1B
    STREAM_STATS = 0x1C
    CREATE_SUPER_STREAM = 0x1D
    DELETE_SUPER_STREAM = 0x1E
    RESOLVE_OFFSET_SPEC = 0x1F


class ResponseCode(IntEnum):
    """How a request ended; also why a connection closes, a message failed or a stream is gone.

    Since 3.9.0, but for `NO_OFFSET` (3.9.12 and 3.10.0) and the last two (3.13.0), which the
    document's table lacks.
    """

    OK = 1
    STREAM_DOES_NOT_EXIST = 2
    SUBSCRIPTION_ID_ALREADY_EXISTS = 3
    SUBSCRIPTION_ID_DOES_NOT_EXIST = 4
    STREAM_ALREADY_EXISTS = 5
    STREAM_NOT_AVAILABLE = 6
    SASL_MECHANISM_NOT_SUPPORTED = 7
    AUTHENTICATION_FAILURE = 8
    SASL_ERROR = 9
    SASL_CHALLENGE = 10
    SASL_AUTHENTICATION_FAILURE_LOOPBACK = 11
    VIRTUAL_HOST_ACCESS_FAILURE = 12
    UNKNOWN_FRAME = 13
    FRAME_TOO_LARGE = 14
    INTERNAL_ERROR = 15
    ACCESS_REFUSED = 16
    PRECONDITION_FAILED = 17
    PUBLISHER_DOES_NOT_EXIST = 18
    NO_OFFSET = 19
    SASL_CANNOT_CHANGE_MECHANISM = 20
    SASL_CANNOT_CHANGE_USERNAME = 21


class OffsetType(IntEnum):
    """Where a subscription starts; only `OFFSET` and `TIMESTAMP` have a value after them."""

    NONE = 0
    FIRST = 1
    LAST = 2
    NEXT = 3
    OFFSET = 4
    TIMESTAMP = 5


class Active(IntEnum):
    """The document's boolean of ConsumerUpdate."""

    INACTIVE = 0
    ACTIVE = 1


class ChunkType(IntEnum):
    """What the entries of a chunk hold."""

    USER = 0
    TRACKING_DELTA = 1
    TRACKING_SNAPSHOT = 2


class EntryType(IntEnum):
    """The top bit of an entry."""

    SIMPLE = 0
    SUB_BATCH = 1


class Compression(IntEnum):
    """How the records of a sub-batch are packed; 5 and 6 are reserved.

    Snappy is the framing format, LZ4 the frame format (`CompressionUtils.java` of the Java client).
    """

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4
    USER = 7


class TrackingType(IntEnum):
    """What a tracking entry remembers for a reference."""

    SEQUENCE = 0
    OFFSET = 1
    TIMESTAMP = 2


NO_LEADER: Final = 0xFFFF
"""Leader of a stream in a Metadata response when none is known (`rabbit_stream_core.erl`)."""
