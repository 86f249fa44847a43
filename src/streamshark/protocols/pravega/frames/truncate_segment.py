"""TRUNCATE_SEGMENT (38) and SEGMENT_TRUNCATED (39): bytes at a segment's start go away.

An offset below the start or beyond the end is answered by SEGMENT_IS_TRUNCATED.

Spec: WireCommands.TruncateSegment, SegmentTruncated.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="truncate_segment",
        key=TypeCode.TRUNCATE_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to forget what is before an offset.",
        spec="WireCommands.TruncateSegment",
        since="0.2.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            field("truncation_offset", I64, "First byte that stays.", unit="bytes", role="chance"),
            DELEGATION_TOKEN,
        ),
        shows="{segment} offset={truncation_offset}",
    ),
    FrameSchema(
        name="segment_truncated",
        key=TypeCode.SEGMENT_TRUNCATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment is truncated.",
        spec="WireCommands.SegmentTruncated",
        since="0.2.0",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="{segment}",
    ),
)
