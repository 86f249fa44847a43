"""StoreOffset (0x0a): a client stores how far a consumer has read.

Never answered: a reference that is too long, an unknown stream or a missing permission go
unnoticed. The reference may be empty.

Spec: PROTOCOL.adoc, "StoreOffset".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import REFERENCE, STREAM
from streamshark.schema import U64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="store_offset",
        key=Key.STORE_OFFSET,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Stores how far a consumer has read.",
        spec="PROTOCOL.adoc, StoreOffset",
        since="3.9.0",
        body=(
            field("reference", REFERENCE, "Name of the consumer.", role="reference"),
            STREAM,
            field("offset", U64, "Offset of the last message that was processed.", role="chance"),
        ),
        shows="{stream} reference={reference} offset={offset}",
    ),
)
