"""QueryOffset (0x0b): a client asks for the offset stored under a name.

The offset is always there, 0 on an error. Nothing stored: code 19 (no offset) from 3.9.12 and
3.10.0 on, before that code 1 and offset 0. Other codes: 2, 6, 16.

Spec: PROTOCOL.adoc, "QueryOffset".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME_OF_STREAM,
    REFERENCE,
    RESPONSE,
    STREAM,
)
from streamshark.schema import U64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="query_offset",
        key=Key.QUERY_OFFSET,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for the offset stored under a consumer's name.",
        spec="PROTOCOL.adoc, QueryOffset",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field("reference", REFERENCE, "Name of the consumer.", role="reference"),
            STREAM,
        ),
        shows="{stream} reference={reference}",
    ),
    FrameSchema(
        name="query_offset",
        key=Key.QUERY_OFFSET,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Gives the stored offset.",
        spec="PROTOCOL.adoc, QueryOffset",
        since="3.9.0",
        body=(
            *RESPONSE,
            field(
                "offset",
                U64,
                "Offset that was stored; 0 when there is none or on an error.",
                role="chance",
            ),
        ),
        shows=f"{OUTCOME_OF_STREAM} offset={{offset}}",
    ),
)
