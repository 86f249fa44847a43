"""PublishError (0x04): the server has not stored messages.

Code 18: the publisher is not known (any more, after a MetadataUpdate); 17: filter values while
that feature is off (3.13.0), or a sub-batch with a bad header (4.3.5). All items of a frame have
one code. The list may be empty: the answer to an empty Publish of an unknown publisher.

The document's production lacks the publisher id, its field list and every broker have it.

Spec: PROTOCOL.adoc, "PublishError".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key, ResponseCode
from streamshark.protocols.rabbitmq_stream.types import PUBLISHER_ID, PUBLISHING_ID, last_array
from streamshark.schema import U16, FrameKind, FrameSchema, Record, Sender, field

_CODE = field("code", U16, "Why the message was not stored.", names=ResponseCode)

FRAMES = (
    FrameSchema(
        name="publish_error",
        key=Key.PUBLISH_ERROR,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Refuses messages.",
        spec="PROTOCOL.adoc, PublishError",
        since="3.9.0",
        body=(
            PUBLISHER_ID,
            field(
                "publishing_errors",
                last_array(Record(PUBLISHING_ID, _CODE)),
                "Messages and sub-batches that are not stored.",
            ),
        ),
        shows=(
            "! {@stream} ids={publishing_errors.publishing_id:ranges} "
            "code={publishing_errors.code:ok ok} pub={publisher_id}"
        ),
    ),
)
