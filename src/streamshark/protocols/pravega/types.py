"""The types of `WireCommands` in our words, and the members that many frames share.

All integers are big-endian. Text is a 16-bit length and Java's modified UTF-8 (the Rust client
writes plain UTF-8: the same bytes for all but U+0000 and what is above U+FFFF). Members that a
later release put at the end are there only while bytes remain; readers take the default else.

A key with no bytes says a length of 12 like the others would, but neither its bytes nor its version
follow (`WireCommands.TableKey`, confirmed against the encoders of eight releases).
"""

from typing import Final

from streamshark.protocols.pravega.codes import AttributeUpdateType, ScaleType
from streamshark.schema import (
    I8,
    I32,
    I64,
    U8,
    U16,
    UUID,
    Limit,
    Many,
    Member,
    Record,
    Tail,
    When,
    field,
    len_,
    raw,
    text,
    this,
)

DOCUMENT: Final = "WireCommands of pravega/pravega 0.13.0"
"""What the fields are named after: the classes are the protocol's document."""
OLDEST: Final = "0.0"
"""Name of the dialect of 0.0-prerelease."""
DRAFT: Final = "draft"
"""Name of the dialect of the proposal."""
LARGEST_KEY: Final = Limit(8 * 1024, "TableStore.MAXIMUM_KEY_LENGTH")
"""Most bytes of a table key (`TableStore.MAXIMUM_KEY_LENGTH`)."""

STRING: Final = text(U16, encoding="mutf-8")
BYTES: Final = raw(I32)

REQUEST_ID: Final = field(
    "request_id",
    I64,
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; "
    "the same for a writer's set-up and all its appends.",
    role="correlates chance",
)
LATER_REQUEST_ID: Final = Tail(REQUEST_ID, default=-1)
"""Where releases before 0.5 have none."""
SEGMENT: Final = field(
    "segment",
    STRING,
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    role="stream",
)
TARGET: Final = field("target", STRING, "Segment that is merged into.", role="stream")
SOURCE: Final = field("source", STRING, "Segment that is merged.", role="stream")
WRITER_ID: Final = field(
    "writer_id", UUID, "Writer, chosen by the client.", role="identifies chance"
)
EVENT_NUMBER: Final = field(
    "event_number", I64, "Number of the event, growing for each writer.", role="identifies"
)
DELEGATION_TOKEN: Final = Tail(
    field(
        "delegation_token",
        STRING,
        "Token (JWT) that allows the operation; empty where security is off.",
        secret=True,
        role="chance",
    ),
    need=1,
    default="",
)
"""Since 0.3.0."""
STACK_TRACE: Final = Tail(
    field("server_stack_trace", STRING, "Where the server failed; mostly empty.", role="text"),
    need=1,
    default="",
)
"""Since 0.4.0."""
ERROR_OFFSET: Final = Tail(
    field(
        "offset",
        I64,
        "Offset of the read, or number of the event, that failed; -1 for none.",
        role="chance",
    ),
    default=-1,
)
"""Since 0.5.0."""
TRANSACTION_ID: Final = field("transaction_id", UUID, "Which transaction.", role="chance")
"""Up to 0.2."""
TARGET_RATE: Final = field("target_rate", I32, "Rate above which the segment is split.")
SCALE_TYPE: Final = field("scale_type", I8, "What is counted.", names=ScaleType)
ROLLOVER: Final = Tail(
    field(
        "rollover_size_bytes",
        I64,
        "Size at which storage begins a new chunk; 0 for the server's own.",
        unit="bytes",
    ),
    default=0,
)
"""Since 0.10.0."""
TABLE_OFFSET: Final = Tail(
    field(
        "table_segment_offset",
        I64,
        "Length that the table segment must have for the update; -1 for any.",
        unit="bytes",
        role="chance",
    ),
    default=-1,
)
"""Since 0.8.0."""
CONTINUATION: Final = field(
    "continuation_token",
    BYTES,
    "Where the next call continues; empty for the start or the end.",
    role="chance",
)


def flag(name: str, sentence: str) -> Member:
    """Declare a byte that is true or false."""
    return field(name, U8, sentence, boolean=True)


def reply(*body: Member) -> tuple[Member, ...]:
    """Declare a reply about a segment: most have no other members."""
    return (REQUEST_ID, SEGMENT, *body)


def several(name: str, item: Record, sentence: str) -> Member:
    """Declare a counted list of records."""
    return field(name, Many(item, count=I32), sentence)


KEY: Final = Record(
    field(
        "total",
        I32,
        "Bytes of the key after this number; 12 for an empty one, which has 4.",
        claims=len_(this.data) + 12,
        unit="bytes",
    ),
    field("data", raw(I32, limit=LARGEST_KEY), "The key itself."),
    When(
        len_(this.data) > 0,
        field(
            "key_version",
            I64,
            "Version that the entry must have: -1 for none at all, the lowest number for any.",
            role="chance",
        ),
    ),
)
VALUE: Final = Record(
    field(
        "total",
        I32,
        "Bytes of the value after this number.",
        claims=len_(this.data) + 4,
        unit="bytes",
    ),
    field("data", BYTES, "The value itself."),
)
ENTRY: Final = Record(field("key", KEY, "Its key."), field("value", VALUE, "Its value."))
KEYS: Final = several("keys", KEY, "Keys.")
ENTRIES: Final = several("entries", ENTRY, "Keys with their values.")
FILTERS: Final = (
    Tail(
        field(
            "prefix_filter", BYTES, "Keys must begin with it; releases from 0.11 on leave it empty."
        ),
        default=b"",
    ),
    Tail(field("from_key", BYTES, "First key; empty for the lowest."), default=b""),
    Tail(field("to_key", BYTES, "Last key; empty for the highest."), default=b""),
)
"""Since 0.8.0 (the first) and 0.11.0."""
ATTRIBUTE_ID: Final = field("attribute_id", UUID, "Which attribute of the segment.")
ATTRIBUTE_UPDATES: Final = Tail(
    several(
        "attribute_updates",
        Record(
            ATTRIBUTE_ID,
            field("attribute_update_type", U8, "How it changes.", names=AttributeUpdateType),
            field("new_value", I64, "Value to be set."),
            field("old_value", I64, "Value that it must have."),
        ),
        "What must hold of the target's attributes, and changes with the merge.",
    )
)
"""Since 0.10.0."""
