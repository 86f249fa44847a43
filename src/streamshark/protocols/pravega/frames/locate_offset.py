"""LOCATE_OFFSET (41) and OFFSET_LOCATED (42): where an event begins.

In no release yet.

Below the start it is answered by SEGMENT_TRUNCATED.

Spec: WireCommands.LocateOffset, OffsetLocated of the main branch (version 17).
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="locate_offset",
        key=TypeCode.LOCATE_OFFSET,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks where an event begins.",
        spec="WireCommands.LocateOffset",
        since="main",
        body=(
            REQUEST_ID,
            SEGMENT,
            field("target_offset", I64, "Where to look from.", unit="bytes", role="chance"),
            DELEGATION_TOKEN,
        ),
        shows="{segment} target={target_offset}",
    ),
    FrameSchema(
        name="offset_located",
        key=TypeCode.OFFSET_LOCATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says where the event begins.",
        spec="WireCommands.OffsetLocated",
        since="main",
        body=(
            REQUEST_ID,
            SEGMENT,
            field("offset", I64, "Where the event begins.", unit="bytes", role="chance"),
        ),
        shows="{segment} offset={offset}",
    ),
)
