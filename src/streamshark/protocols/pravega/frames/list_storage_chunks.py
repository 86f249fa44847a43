"""LIST_STORAGE_CHUNKS (-5) and STORAGE_CHUNKS_LISTED (-6): where a segment is.

On the admin gateway.

Spec: WireCommands.ListStorageChunks, StorageChunksListed.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    REQUEST_ID,
    SEGMENT,
    STRING,
    flag,
    several,
)
from streamshark.schema import I64, FrameKind, FrameSchema, Record, Sender, field

FRAMES = (
    FrameSchema(
        name="list_storage_chunks",
        key=TypeCode.LIST_STORAGE_CHUNKS,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks in which chunks a segment is stored.",
        spec="WireCommands.ListStorageChunks",
        since="0.12.0",
        body=(
            SEGMENT,
            DELEGATION_TOKEN,
            REQUEST_ID,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="storage_chunks_listed",
        key=TypeCode.STORAGE_CHUNKS_LISTED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Lists the chunks.",
        spec="WireCommands.StorageChunksListed",
        since="0.12.0",
        body=(
            REQUEST_ID,
            several(
                "chunks",
                Record(
                    field("length_in_metadata", I64, "Length as it is noted.", unit="bytes"),
                    field("length_in_storage", I64, "Length as it is stored.", unit="bytes"),
                    field(
                        "start_offset",
                        I64,
                        "Where it begins in the segment.",
                        unit="bytes",
                        role="chance",
                    ),
                    field("chunk_name", STRING, "Name in storage.", role="stream"),
                    flag("exists_in_storage", "True when it is there."),
                ),
                "Chunks, in order.",
            ),
        ),
        shows="{chunks.chunk_name}",
    ),
)
