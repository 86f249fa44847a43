"""CREATE_TRANSIENT_SEGMENT (40): a segment that lives only until it is merged into its parent.

Events above 8 MiB are written to one. Answered by SEGMENT_CREATED, which has its name.

Spec: WireCommands.CreateTransientSegment.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, STRING, WRITER_ID
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="create_transient_segment",
        key=TypeCode.CREATE_TRANSIENT_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for a transient segment.",
        spec="WireCommands.CreateTransientSegment",
        since="0.11.0",
        body=(
            REQUEST_ID,
            WRITER_ID,
            field("parent_segment", STRING, "Segment into which it will be merged.", role="stream"),
            DELEGATION_TOKEN,
        ),
        shows="{parent_segment}",
    ),
)
