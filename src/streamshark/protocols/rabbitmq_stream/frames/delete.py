"""Delete (0x0e): a client deletes a stream.

The response is the plain one, which the document does not describe; 2, 6, 16. Connections with a
publisher or subscription on the stream get a MetadataUpdate, this one after its response.

Spec: PROTOCOL.adoc, "Delete".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME_OF_STREAM,
    RESPONSE,
    STREAM,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="delete",
        key=Key.DELETE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Deletes a stream.",
        spec="PROTOCOL.adoc, Delete",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            STREAM,
        ),
        shows="{stream}",
    ),
    FrameSchema(
        name="delete",
        key=Key.DELETE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the stream was deleted.",
        spec="PROTOCOL.adoc, Delete",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME_OF_STREAM,
    ),
)
