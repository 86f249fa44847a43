"""Deliver (0x08): the server sends a chunk of messages to a subscription.

One frame is one chunk and costs one credit. The frame may be larger than the agreed frame size,
since chunks are not split. The first chunk may begin below the offset that was asked for, and
filters choose chunks, not messages: clients drop what they do not want.

Version 2 (3.11.0 on) adds the id of the newest committed chunk; it is used for a whole connection
once ExchangeCommandVersions said so. The document's production calls it CommittedOffset, its
field list CommittedChunkId; it is a chunk id.

The document gives no values for magic and version (5 and 0), types the CRC int32 and does not say
what it covers (the data bytes alone), writes entries as "EntryTypeAndSize, Data => bytes", which
has one length too many, and leaves sub-batches out. Brokers never send the bloom filter that
`bloom_size` announces, and the trailer only with `chunk_selector=all` (rabbitmq-server pull
requests 11329 and 11533).

Dialect `2020`: the older document gives this one frame a version of 32 bits and the chunk a
header of 31 bytes. Frame heads have 16 bits of version, so the upper half of that version is
there, always 0, and the lower half is a field. No released broker sends it.

Spec: PROTOCOL.adoc, "Deliver".
"""

from streamshark.protocols.rabbitmq_stream.chunk import CHUNK, CHUNK_2020
from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import SUBSCRIPTION_ID
from streamshark.schema import U16, U64, FrameKind, FrameSchema, Numbering, Sender, field

_SHOWN = (
    "{@stream} offsets={chunk.chunk_id+chunk.num_records} {chunk.chunk_type:not user?} "
    "sub={subscription_id}"
)
_OFFSETS = (
    Numbering(
        items="chunk.entries",
        name="offset",
        doc="Offset of the message, of the first one of a sub-batch, or of the tracking entry.",
        start="chunk_id",
        weight="record_count",
        inside="records",
    ),
)

FRAMES = (
    FrameSchema(
        name="deliver",
        key=Key.DELIVER,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Sends a chunk of messages.",
        spec="PROTOCOL.adoc, Deliver",
        since="3.9.0",
        body=(SUBSCRIPTION_ID, field("chunk", CHUNK, "The chunk, as osiris wrote it.")),
        shows=_SHOWN,
        numbers=_OFFSETS,
    ),
    FrameSchema(
        name="deliver",
        key=Key.DELIVER,
        version=2,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Sends a chunk of messages, and how far the stream is committed.",
        spec="PROTOCOL.adoc, Deliver",
        since="3.11.0",
        body=(
            SUBSCRIPTION_ID,
            field(
                "committed_chunk_id",
                U64,
                "Id of the newest chunk that is committed.",
                role="chance",
            ),
            field("chunk", CHUNK, "The chunk, as osiris wrote it."),
        ),
        shows=_SHOWN,
        numbers=_OFFSETS,
    ),
    FrameSchema(
        name="deliver",
        key=Key.DELIVER,
        version=0,
        dialect="2020",
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Sends a chunk of messages.",
        spec="PROTOCOL.adoc of 2021, Deliver",
        body=(
            field("version_low", U16, "Lower half of the version; its upper half is in the head."),
            SUBSCRIPTION_ID,
            field("chunk", CHUNK_2020, "The chunk."),
        ),
        shows=_SHOWN,
        numbers=_OFFSETS,
    ),
)
