"""DELETE_TABLE_SEGMENT (71): a table segment goes away; answered by SEGMENT_DELETED.

Spec: WireCommands.DeleteTableSegment.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT, flag
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="delete_table_segment",
        key=TypeCode.DELETE_TABLE_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to delete a table segment.",
        spec="WireCommands.DeleteTableSegment",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            flag("must_be_empty", "True when only an empty one may go."),
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
)
