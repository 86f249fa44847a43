"""SEAL_TABLE_SEGMENT (73): removed in 0.10; answered by SEGMENT_SEALED.

Spec: WireCommands.SealTableSegment of release 0.9.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="seal_table_segment",
        key=TypeCode.SEAL_TABLE_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to seal a table segment.",
        spec="WireCommands.SealTableSegment",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
)
