"""MERGE_SEGMENTS_BATCH (90) and SEGMENTS_BATCH_MERGED (91): several segments become part of one.

Controllers commit transactions so since 0.11.

Spec: WireCommands.MergeSegmentsBatch, SegmentsBatchMerged.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    REQUEST_ID,
    SOURCE,
    STRING,
    TARGET,
    several,
)
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Many, Record, Sender, field

FRAMES = (
    FrameSchema(
        name="merge_segments_batch",
        key=TypeCode.MERGE_SEGMENTS_BATCH,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to merge segments into another one.",
        spec="WireCommands.MergeSegmentsBatch",
        since="0.11.0",
        body=(
            REQUEST_ID,
            TARGET,
            field(
                "sources",
                Many(STRING, count=I32),
                "Segments that are merged, in this order.",
                role="stream",
            ),
            DELEGATION_TOKEN,
        ),
        shows="{target} sources={sources}",
    ),
    FrameSchema(
        name="segments_batch_merged",
        key=TypeCode.SEGMENTS_BATCH_MERGED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says where the target ends with each of them.",
        spec="WireCommands.SegmentsBatchMerged",
        since="0.11.0",
        body=(
            REQUEST_ID,
            TARGET,
            several(
                "sources",
                Record(
                    SOURCE,
                    field(
                        "new_target_write_offset",
                        I64,
                        "Length of the target with it.",
                        unit="bytes",
                        role="chance",
                    ),
                ),
                "Segments that were merged.",
            ),
        ),
        shows="{target} sources={sources.source}",
    ),
)
