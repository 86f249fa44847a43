"""CREATE_TABLE_SEGMENT (70): a new segment of keys and values; answered by SEGMENT_CREATED.

Spec: WireCommands.CreateTableSegment.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    REQUEST_ID,
    ROLLOVER,
    SEGMENT,
    flag,
)
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="create_table_segment",
        key=TypeCode.CREATE_TABLE_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for a new table segment.",
        spec="WireCommands.CreateTableSegment",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            Tail(flag("sorted", "True when keys are kept in order."), default=0),
            Tail(
                field("key_length", I32, "Bytes of each key; 0 when they differ.", unit="bytes"),
                default=0,
            ),
            ROLLOVER,
        ),
        shows="{segment}",
    ),
)
