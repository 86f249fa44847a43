"""PublishConfirm (0x03): the server has stored messages.

Ids come in the order in which chunks are committed, over several frames where needed. With a
publisher reference, ids that were not above the last stored one are confirmed too, and not
stored.

The document's production lacks the publisher id, its field list and every broker have it.

Spec: PROTOCOL.adoc, "PublishConfirm".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import PUBLISHER_ID, last_array
from streamshark.schema import U64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="publish_confirm",
        key=Key.PUBLISH_CONFIRM,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Confirms messages.",
        spec="PROTOCOL.adoc, PublishConfirm",
        since="3.9.0",
        body=(
            PUBLISHER_ID,
            field("publishing_ids", last_array(U64), "Messages and sub-batches that are stored."),
        ),
        shows="{@stream} ids={publishing_ids:ranges} pub={publisher_id}",
    ),
)
