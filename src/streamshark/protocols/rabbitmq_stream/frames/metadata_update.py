"""MetadataUpdate (0x10): a stream is gone, or its leader or a replica has moved.

Sent to connections with a publisher or subscription on the stream; the server has already
forgotten these. Since 3.13.0 also when a renewed login has lost the permission. The document
leaves the code open; every broker so far sends 6 (stream not available).

Spec: PROTOCOL.adoc, "MetadataUpdate".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key, ResponseCode
from streamshark.protocols.rabbitmq_stream.types import STREAM
from streamshark.schema import U16, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="metadata_update",
        key=Key.METADATA_UPDATE,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Announces that the metadata of a stream has changed.",
        spec="PROTOCOL.adoc, MetadataUpdate",
        since="3.9.0",
        body=(
            field("code", U16, "What has happened; always 6.", names=ResponseCode),
            STREAM,
        ),
        shows="{stream} code={code:ok ok}",
    ),
)
