"""CREATE_SEGMENT (20) and SEGMENT_CREATED (21): a new segment.

SEGMENT_CREATED answers CREATE_TRANSIENT_SEGMENT, with the name that the server made, and
CREATE_TABLE_SEGMENT too. An existing segment is answered with SEGMENT_ALREADY_EXISTS,
which controllers take for success.

Spec: WireCommands.CreateSegment, SegmentCreated.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    REQUEST_ID,
    ROLLOVER,
    SCALE_TYPE,
    SEGMENT,
    TARGET_RATE,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="create_segment",
        key=TypeCode.CREATE_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for a new segment.",
        spec="WireCommands.CreateSegment",
        body=(
            REQUEST_ID,
            SEGMENT,
            TARGET_RATE,
            SCALE_TYPE,
            DELEGATION_TOKEN,
            ROLLOVER,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="segment_created",
        key=TypeCode.SEGMENT_CREATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that a segment is there now.",
        spec="WireCommands.SegmentCreated",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="{segment}",
    ),
)
