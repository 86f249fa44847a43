"""NO_SUCH_SEGMENT (53): there is no such segment.

Normal where a controller looks for tables that it is about to make, and after deletions.

Spec: WireCommands.NoSuchSegment.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import ERROR_OFFSET, REQUEST_ID, SEGMENT, STACK_TRACE
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="no_such_segment",
        key=TypeCode.NO_SUCH_SEGMENT,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that there is no such segment.",
        spec="WireCommands.NoSuchSegment",
        body=(
            REQUEST_ID,
            SEGMENT,
            STACK_TRACE,
            ERROR_OFFSET,
        ),
        shows="! {segment}",
    ),
)
