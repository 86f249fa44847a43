"""ResolveOffsetSpec (0x1f): a client asks which offset an offset specification means, since 4.3.0.

The properties are absent when there are none. Type and offset of the response are always there,
the type always 4, the offset 0 on an error (2, 6, 16, 19). The offset is the start of a chunk:
asked for 7, a broker may say 5.

The older revisions of the document do not have it.

Spec: PROTOCOL.adoc, "ResolveOffsetSpec".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key, OffsetType
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OFFSET_SPECIFICATION,
    OUTCOME,
    PROPERTIES,
    RESPONSE,
    STREAM,
)
from streamshark.schema import U16, U64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="resolve_offset_spec",
        key=Key.RESOLVE_OFFSET_SPEC,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks which offset an offset specification means.",
        spec="PROTOCOL.adoc, ResolveOffsetSpec",
        since="4.3.0",
        body=(
            CORRELATION_ID,
            STREAM,
            *OFFSET_SPECIFICATION,
            PROPERTIES,
        ),
        shows="{stream} from={offset_type} offset={offset} timestamp={timestamp}",
    ),
    FrameSchema(
        name="resolve_offset_spec",
        key=Key.RESOLVE_OFFSET_SPEC,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Gives the offset that is meant.",
        spec="PROTOCOL.adoc, ResolveOffsetSpec",
        since="4.3.0",
        body=(
            *RESPONSE,
            field("offset_type", U16, "Always 4 (offset).", names=OffsetType),
            field(
                "offset",
                U64,
                "First offset of the chunk that is meant; 0 on an error.",
                role="chance",
            ),
        ),
        shows=f"{{@stream}} offset={{offset}} {OUTCOME}",
    ),
)
