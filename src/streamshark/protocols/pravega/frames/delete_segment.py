"""DELETE_SEGMENT (30) and SEGMENT_DELETED (31): a segment goes away.

SEGMENT_DELETED answers DELETE_TABLE_SEGMENT too.

Spec: WireCommands.DeleteSegment, SegmentDeleted.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="delete_segment",
        key=TypeCode.DELETE_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to delete a segment.",
        spec="WireCommands.DeleteSegment",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="segment_deleted",
        key=TypeCode.SEGMENT_DELETED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment is deleted.",
        spec="WireCommands.SegmentDeleted",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="{segment}",
    ),
)
