"""SEAL_SEGMENT (28) and SEGMENT_SEALED (29): nothing more can be appended.

A segment that is sealed already is answered by SEGMENT_IS_SEALED, which controllers take for
success. SEGMENT_SEALED answers SEAL_TABLE_SEGMENT too.

Spec: WireCommands.SealSegment, SegmentSealed.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="seal_segment",
        key=TypeCode.SEAL_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to seal a segment.",
        spec="WireCommands.SealSegment",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="segment_sealed",
        key=TypeCode.SEGMENT_SEALED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment is sealed.",
        spec="WireCommands.SegmentSealed",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="{segment}",
    ),
)
