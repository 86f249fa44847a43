"""DeleteSuperStream (0x1e): a client deletes a super stream and its partitions, since 3.13.0.

The response is the plain one, which the document does not describe; 1, 2, 16. The document's
production is called Delete.

Spec: PROTOCOL.adoc, "DeleteSuperStream".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import CORRELATION_ID, OUTCOME, RESPONSE, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="delete_super_stream",
        key=Key.DELETE_SUPER_STREAM,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Deletes a super stream and its partitions.",
        spec="PROTOCOL.adoc, DeleteSuperStream",
        since="3.13.0",
        body=(
            CORRELATION_ID,
            field("name", STRING, "Name of the super stream."),
        ),
        shows="{name}",
    ),
    FrameSchema(
        name="delete_super_stream",
        key=Key.DELETE_SUPER_STREAM,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the super stream was deleted.",
        spec="PROTOCOL.adoc, DeleteSuperStream",
        since="3.13.0",
        body=RESPONSE,
        shows=OUTCOME,
    ),
)
