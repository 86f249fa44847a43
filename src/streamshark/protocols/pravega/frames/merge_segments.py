"""MERGE_SEGMENTS (58) and SEGMENTS_MERGED (59): a segment becomes part of another one.

Transactions and transient segments end so. The server seals the source itself. Release 0.13.0
answers a source that was merged before with SEGMENTS_MERGED again, not with NO_SUCH_SEGMENT.
SEGMENTS_MERGED
answers MERGE_TABLE_SEGMENTS too.

Spec: WireCommands.MergeSegments, SegmentsMerged.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    ATTRIBUTE_UPDATES,
    DELEGATION_TOKEN,
    REQUEST_ID,
    SOURCE,
    TARGET,
)
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="merge_segments",
        key=TypeCode.MERGE_SEGMENTS,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to merge a segment into another one.",
        spec="WireCommands.MergeSegments",
        since="0.3.0",
        body=(
            REQUEST_ID,
            TARGET,
            SOURCE,
            DELEGATION_TOKEN,
            ATTRIBUTE_UPDATES,
        ),
        shows="{target} source={source}",
    ),
    FrameSchema(
        name="segments_merged",
        key=TypeCode.SEGMENTS_MERGED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment is merged.",
        spec="WireCommands.SegmentsMerged",
        since="0.3.0",
        body=(
            REQUEST_ID,
            TARGET,
            SOURCE,
            Tail(
                field(
                    "new_target_write_offset",
                    I64,
                    "Length of the target now.",
                    unit="bytes",
                    role="chance",
                ),
                default=-1,
            ),
        ),
        shows="{target} source={source} offset={new_target_write_offset}",
    ),
)
