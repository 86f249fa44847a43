"""SEGMENT_IS_SEALED (51): nothing can be appended, or nothing is left to read.

Answers appends, changes of tables, and a read that waits at the tail when the segment is sealed.

Spec: WireCommands.SegmentIsSealed.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import ERROR_OFFSET, REQUEST_ID, SEGMENT, STACK_TRACE
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="segment_is_sealed",
        key=TypeCode.SEGMENT_IS_SEALED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment is sealed.",
        spec="WireCommands.SegmentIsSealed",
        body=(
            REQUEST_ID,
            SEGMENT,
            STACK_TRACE,
            ERROR_OFFSET,
        ),
        shows="! {segment}",
    ),
)
