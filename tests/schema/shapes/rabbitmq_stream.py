"""RabbitMQ Streams, the hard parts: unions by a bit and by what fits, claims, a summed region.

The protocol's own folder has all of it; here is what each word must carry.
"""

from streamshark.schema import (
    I16,
    I32,
    I64,
    REST,
    U8,
    U16,
    U24,
    U32,
    U64,
    Bits,
    Either,
    Fits,
    FrameKind,
    FrameSchema,
    Head,
    Many,
    Member,
    Record,
    Region,
    Sender,
    Slot,
    Switch,
    Tail,
    When,
    any_of,
    crc32,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)

_SPEC = "PROTOCOL.adoc"
STRING = text(I16, null=True)
BYTES = raw(I32, null=True)
CAP = 64 * 1024 * 1024
CODECS = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd", 7: "user"}

HEAD = Head(
    members=(
        field("size", U32, "Bytes after this number."),
        Bits(2, part("response", 1, "Set on responses."), part("key", 15, "Which command.")),
        field("version", U16, "Of the command."),
    ),
    total=this.size + 4,
    key="key",
    version="version",
    response="response",
    least=8,
    hidden=("size", "response", "key", "version"),
    source=_SPEC,
)

_PACKED = Slot("sub_batch", codec=this.compression, size=this.uncompressed_size, cap=CAP)
ENTRY = Either(
    clear=(field("body", raw(U32, slot="body"), "Message."),),
    set=(
        Bits(1, reserved(1, written=1), part("compression", 3, "How.", names=CODECS), reserved(4)),
        field("record_count", U16, "Messages inside."),
        field("uncompressed_size", U32, "Bytes before compression."),
        field("records", raw(U32, slot=_PACKED), "The messages, packed."),
    ),
)
SUB_BATCH = Record(field("records", Many(Record(field("body", raw(U32), "Message."))), "Messages."))
_PAIR = Record(field("key", STRING, "Name."), field("value", STRING, "Value."))
MAP = Many(_PAIR, count=U32)
_ID = field("correlation_id", U32, "Echoed.", role="correlates")
_CODE = field("response_code", U16, "1 is good.", role="response_code")
_TRACKED = Record(
    field("type", U8, "What it is."),
    field("reference", text(U8), "Whose."),
    field("value", U64, "Sequence, offset or time."),
)
_OFFSET = (
    field("offset_type", U16, "Where."),
    Switch(
        this.offset_type,
        {
            4: (field("offset", U64, "Offset."),),
            5: (field("timestamp", I64, "Time.", unit="ms"),),
        },
        default=(),
    ),
)
CHUNK = (
    Bits(1, part("magic", 4, "Always 5."), part("chunk_version", 4, "Always 0.")),
    field("chunk_type", U8, "0 messages, else tracking."),
    field("num_entries", U16, "Entries."),
    field("num_records", U32, "Messages."),
    field("timestamp", I64, "Time.", unit="ms"),
    field("epoch", U64, "Epoch."),
    field("chunk_id", U64, "Offset of the first."),
    field("crc", U32, "CRC-32 of the entries.", base="hex"),
    field("data_length", U32, "Bytes of the entries."),
    field("trailer_length", U32, "Bytes of the trailer, if it is there."),
    field("bloom_size", U8, "Of the filter, which is not sent."),
    field("reserved", U24, "0."),
    Region(
        this.data_length,
        When(this.chunk_type == 0, field("entries", Many(Record(ENTRY)), "Entries.")),
        When(this.chunk_type != 0, field("tracking", raw(REST), "Tracking.")),
        checksum=crc32(this.crc),
    ),
    Tail(field("trailer", Many(_TRACKED), "Tracking of the chunk."), need=1),
)


def _frame(
    key: int,
    name: str,
    kind: FrameKind,
    *body: Member,
    version: int = 1,
    response: bool | None = None,
) -> FrameSchema:
    return FrameSchema(
        name, key, kind, Sender.BOTH, f"{name}.", _SPEC, body, version=version,
        responses=None if response is None else (response,),
    )  # fmt: skip


_PUBLISHING_ID = field("publishing_id", U64, "Id.")
FRAMES = (
    _frame(
        2, "publish", FrameKind.COMMAND,
        field("publisher_id", U8, "Whose."),
        field("messages", Many(Record(_PUBLISHING_ID, ENTRY), claim=U32), "In order."),
    ),
    _frame(
        2, "publish", FrameKind.COMMAND,
        field("publisher_id", U8, "Whose."),
        field(
            "messages",
            Many(
                Record(
                    _PUBLISHING_ID,
                    field("filter_value", STRING, "Null when unset."),
                    field("body", BYTES, "Message."),
                ),
                claim=U32,
            ),
            "In order.",
        ),
        version=2,
    ),
    _frame(3, "publish_confirm", FrameKind.COMMAND, field("publisher_id", U8, "Whose."),
           field("publishing_ids", Many(U64, count=U32), "Ids.")),
    _frame(7, "subscribe", FrameKind.REQUEST, _ID, field("subscription_id", U8, "Id."),
           field("stream", STRING, "Stream."), *_OFFSET, field("credit", U16, "Chunks."),
           Tail(field("properties", MAP, "Properties."))),
    _frame(8, "deliver", FrameKind.COMMAND, field("subscription_id", U8, "Id."), *CHUNK),
    _frame(8, "deliver", FrameKind.COMMAND, field("subscription_id", U8, "Id."),
           field("committed_chunk_id", U64, "Newest."), *CHUNK, version=2),
    _frame(9, "credit", FrameKind.RESPONSE, _CODE, field("subscription_id", U8, "Id.")),
    _frame(15, "metadata", FrameKind.RESPONSE, _ID,
           field("brokers", Many(Record(field("reference", U16, "Number."),
                                        field("host", STRING, "Host."),
                                        field("port", U32, "Port.")), count=U32), "Nodes."),
           field("streams", Many(Record(field("stream", STRING, "Stream."), _CODE,
                                        field("leader", U16, "Number."),
                                        field("replicas", Many(U16, count=U32), "Numbers.")),
                                 count=U32), "Streams.")),
    _frame(19, "sasl_authenticate", FrameKind.RESPONSE, _ID, _CODE,
           When(any_of(this.response_code, 10),
                Fits(u32=(field("challenge", raw(U32), "Challenge."),),
                     u16=(field("challenge", raw(U16), "Challenge."),)))),
    _frame(24, "route", FrameKind.RESPONSE, _ID, _CODE,
           Fits(list=(field("streams", Many(STRING, count=U32), "Streams."),),
                one=(field("stream", STRING, "Stream, of early brokers."),))),
    _frame(29, "create_super_stream", FrameKind.REQUEST, _ID, field("name", STRING, "Name."),
           field("partitions", Many(STRING, count=U32), "Streams."),
           field("binding_keys", Many(STRING, count=U32), "As many."),
           field("arguments", MAP, "Arguments.")),
)  # fmt: skip
EMBEDDED_RECORDS = {"sub_batch": SUB_BATCH}


def adapted(_expect: object) -> object:
    """Leave the names to the protocol's own tests: this shape has its own."""
    return None
