"""StreamStats (0x1c): a client asks for numbers about a stream, since 3.11.0.

Keys are `first_chunk_id`, `committed_chunk_id`, from 3.12 `last_chunk_id`, from 4.3.0
`committed_offset`, in any order; the document lists none. -1 means that the stream is empty. On
an error (2, 6, 16) the list is empty.

Spec: PROTOCOL.adoc, "StreamStats".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME,
    RESPONSE,
    STREAM,
    STRING,
    last_array,
)
from streamshark.schema import I64, FrameKind, FrameSchema, Record, Sender, field

FRAMES = (
    FrameSchema(
        name="stream_stats",
        key=Key.STREAM_STATS,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for numbers about a stream.",
        spec="PROTOCOL.adoc, StreamStats",
        since="3.11.0",
        body=(
            CORRELATION_ID,
            STREAM,
        ),
        shows="{stream}",
    ),
    FrameSchema(
        name="stream_stats",
        key=Key.STREAM_STATS,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Gives numbers about a stream.",
        spec="PROTOCOL.adoc, StreamStats",
        since="3.11.0",
        body=(
            *RESPONSE,
            field(
                "stats",
                last_array(
                    Record(
                        field("key", STRING, "Name of the number."),
                        field("value", I64, "The number; -1 when the stream is empty."),
                    )
                ),
                "Numbers about the stream.",
            ),
        ),
        shows=f"{{@stream}} {{stats.key}}={{stats.value}} {OUTCOME}",
    ),
)
