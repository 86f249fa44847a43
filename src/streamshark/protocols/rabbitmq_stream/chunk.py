"""The osiris chunk: what Deliver carries, up to the end of the frame.

A header of 48 bytes, `data_length` bytes of entries, and perhaps a trailer. The broker cuts
chunks for its clients: bloom filter data (`bloom_size`) never follows, and the trailer only where
the subscription asked for `chunk_selector=all`, so `trailer_length` may be set with no trailer
after the data (rabbitmq-server pull requests 11329 and 11533). The CRC covers the data bytes
alone.

PROTOCOL.adoc types the CRC int32, gives no values for magic and version, and writes the entries
as "EntryTypeAndSize, Data => bytes", which has one length too many; the layout here is that of
`osiris_log.erl`, to which it points. Its comment says version 1, brokers write 0. Up to osiris
1.5 `bloom_size` and `reserved` were one reserved number, always 0.

A chunk of tracking (types 1 and 2, only with `chunk_selector=all`) has one simple entry, a run of
tracking entries, and uses up one offset.
"""

from typing import Final

from streamshark.protocols.rabbitmq_stream.codes import ChunkType, TrackingType
from streamshark.protocols.rabbitmq_stream.types import MESSAGE, SUB_BATCH
from streamshark.schema import (
    I64,
    REST,
    U8,
    U16,
    U24,
    U32,
    U64,
    Bits,
    Either,
    Many,
    Member,
    Record,
    Region,
    Switch,
    Tail,
    crc32,
    field,
    len_,
    part,
    raw,
    sum_,
    text,
    this,
)

MAGIC: Final = Bits(
    1,
    part("magic", 4, "5 in every chunk."),
    part("version", 4, "Version of the chunk's layout; 0 in every broker so far."),
)
TIMESTAMP: Final = field(
    "timestamp",
    I64,
    "When the leader wrote the chunk, by its clock, since 1970.",
    unit="ms",
    role="chance time",
)
EPOCH: Final = field(
    "epoch", U64, "Term of the leader that wrote it; grows with each election.", role="chance"
)
CHUNK_ID: Final = field(
    "chunk_id", U64, "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.", role="chance"
)
NUM_ENTRIES: Final = field(
    "num_entries",
    U16,
    "Entries in the data; a sub-batch is one.",
    role="counts",
    claims=len_(this.entries),
)
NUM_RECORDS: Final = field(
    "num_records",
    U32,
    "Messages in the chunk, those inside sub-batches counted.",
    role="counts",
    claims=sum_(this.entries, "record_count", absent=1),
)
CHUNK_CRC: Final = field(
    "chunk_crc", U32, "CRC-32 (IEEE 802.3) of the data bytes, nothing else.", base="hex"
)
DATA_LENGTH: Final = field("data_length", U32, "Bytes of the entries.", unit="bytes", role="sizes")

ENTRY: Final = Either(
    clear=(
        field(
            "data", MESSAGE, "Message of a simple entry, as its publisher encoded it.", role="body"
        ),
    ),
    set=SUB_BATCH,
)


def _tracking(*sequence: Member) -> Many:
    """Tracking entries up to the end of the region; `sequence` is what one of type 0 holds."""
    return Many(
        Record(
            field("type", U8, "What is remembered.", names=TrackingType),
            field(
                "reference",
                text(U8),
                "Publisher reference, or name of the consumer.",
                role="reference",
            ),
            Switch(
                this.type,
                {
                    TrackingType.SEQUENCE: sequence,
                    TrackingType.OFFSET: (
                        field("offset", U64, "Offset that StoreOffset stored.", role="chance"),
                    ),
                    TrackingType.TIMESTAMP: (
                        field(
                            "timestamp",
                            I64,
                            "Time of the last use, since 1970.",
                            unit="ms",
                            role="chance time",
                        ),
                    ),
                },
                default=(field("unknown", raw(REST), "Bytes after an unknown type."),),
            ),
        )
    )


SEQUENCE: Final = field(
    "sequence", U64, "Highest publishing id stored for this reference; lower ones are dropped."
)
DELTA: Final = _tracking(SEQUENCE)
SNAPSHOT: Final = _tracking(
    field("chunk_id", U64, "Chunk in which the sequence was stored.", role="chance"), SEQUENCE
)

CHUNK: Final = Record(
    MAGIC,
    field("chunk_type", U8, "What the entries hold.", names=ChunkType),
    NUM_ENTRIES,
    NUM_RECORDS,
    TIMESTAMP,
    EPOCH,
    CHUNK_ID,
    CHUNK_CRC,
    DATA_LENGTH,
    field(
        "trailer_length",
        U32,
        "Bytes of the trailer as it is stored; it follows only with `chunk_selector=all`.",
        unit="bytes",
    ),
    field(
        "bloom_size",
        U8,
        "Bytes of the stored bloom filter, 0 or (from 3.13.0) 16 to 255; it never follows.",
        unit="bytes",
    ),
    field("reserved", U24, "Kept for later; 0."),
    Region(
        this.data_length,
        field(
            "entries",
            Many(
                Record(
                    Switch(
                        this._.chunk_type,
                        {
                            ChunkType.TRACKING_DELTA: (
                                Region(
                                    U32, field("tracking", DELTA, "What changed in the tracking.")
                                ),
                            ),
                            ChunkType.TRACKING_SNAPSHOT: (
                                Region(U32, field("tracking", SNAPSHOT, "All that is tracked.")),
                            ),
                        },
                        default=(ENTRY,),
                    ),
                ),
            ),
            "Entries in the order of their offsets: messages, sub-batches, or tracking.",
        ),
        checksum=crc32(this.chunk_crc),
    ),
    Tail(
        field(
            "trailer",
            Record(
                Region(
                    this._.trailer_length,
                    field("tracking", DELTA, "What changed with the messages of this chunk."),
                )
            ),
            "Tracking stored with the chunk; absent unless the subscription asked for it.",
        ),
        need=1,
    ),
)
"""The chunk of every released broker."""

CHUNK_2020: Final = Record(
    MAGIC,
    NUM_ENTRIES,
    NUM_RECORDS,
    EPOCH,
    CHUNK_ID,
    CHUNK_CRC,
    DATA_LENGTH,
    Region(
        this.data_length,
        field("entries", Many(Record(ENTRY)), "Entries in the order of their offsets."),
    ),
)
"""Dialect 2020: a header of 31 bytes, no trailer; what the CRC covers is not said."""
