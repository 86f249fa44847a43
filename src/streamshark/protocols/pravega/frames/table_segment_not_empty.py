"""TABLE_SEGMENT_NOT_EMPTY (80): only an empty table may be deleted.

Spec: WireCommands.TableSegmentNotEmpty.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="table_segment_not_empty",
        key=TypeCode.TABLE_SEGMENT_NOT_EMPTY,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the table is not empty.",
        spec="WireCommands.TableSegmentNotEmpty",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            field(
                "server_stack_trace", STRING, "Where the server failed; mostly empty.", role="text"
            ),
        ),
        shows="! {segment}",
    ),
)
