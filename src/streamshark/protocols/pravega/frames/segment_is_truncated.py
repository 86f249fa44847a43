"""SEGMENT_IS_TRUNCATED (56): what was asked for is gone.

Answers reads before the start, truncations out of range, and updates of tables with a wrong offset.

Spec: WireCommands.SegmentIsTruncated.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import ERROR_OFFSET, REQUEST_ID, SEGMENT, STACK_TRACE
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="segment_is_truncated",
        key=TypeCode.SEGMENT_IS_TRUNCATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment begins later.",
        spec="WireCommands.SegmentIsTruncated",
        since="0.2.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            field("start_offset", I64, "Where it begins now.", unit="bytes", role="chance"),
            STACK_TRACE,
            ERROR_OFFSET,
        ),
        shows="! {segment} start={start_offset}",
    ),
)
