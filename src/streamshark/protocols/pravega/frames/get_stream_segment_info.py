"""GET_STREAM_SEGMENT_INFO (11) and STREAM_SEGMENT_INFO (12): what a segment is.

A segment that is not there is answered by NO_SUCH_SEGMENT.

Spec: WireCommands.GetStreamSegmentInfo, StreamSegmentInfo.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT, flag
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="get_stream_segment_info",
        key=TypeCode.GET_STREAM_SEGMENT_INFO,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks what a segment is.",
        spec="WireCommands.GetStreamSegmentInfo",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="stream_segment_info",
        key=TypeCode.STREAM_SEGMENT_INFO,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says what a segment is.",
        spec="WireCommands.StreamSegmentInfo",
        body=(
            REQUEST_ID,
            SEGMENT,
            flag("exists", "True when it is there."),
            flag("is_sealed", "True when nothing can be appended."),
            flag("is_deleted", "True when it was deleted."),
            field("last_modified", I64, "Time of the last change.", unit="ms", role="chance time"),
            field("write_offset", I64, "Its length.", unit="bytes", role="chance"),
            Tail(
                field(
                    "start_offset",
                    I64,
                    "Where it begins since it was truncated.",
                    unit="bytes",
                    role="chance",
                ),
                default=0,
            ),
        ),
        shows=(
            "{segment} offsets={start_offset}-{write_offset} {is_sealed?sealed} "
            "{is_deleted?deleted} {exists?exists|missing}"
        ),
    ),
)
