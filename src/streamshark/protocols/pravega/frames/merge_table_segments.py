"""MERGE_TABLE_SEGMENTS (72): removed in 0.10; answered by SEGMENTS_MERGED.

Spec: WireCommands.MergeTableSegments of release 0.9.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SOURCE, TARGET
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="merge_table_segments",
        key=TypeCode.MERGE_TABLE_SEGMENTS,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to merge a table segment into another one.",
        spec="WireCommands.MergeTableSegments",
        since="0.5.0",
        body=(
            REQUEST_ID,
            TARGET,
            SOURCE,
            DELEGATION_TOKEN,
        ),
        shows="{target} source={source}",
    ),
)
