"""SEGMENT_ALREADY_EXISTS (52): there is such a segment.

Controllers take it for success when they ask again.

Spec: WireCommands.SegmentAlreadyExists.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STACK_TRACE
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="segment_already_exists",
        key=TypeCode.SEGMENT_ALREADY_EXISTS,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the segment already exists.",
        spec="WireCommands.SegmentAlreadyExists",
        body=(
            REQUEST_ID,
            SEGMENT,
            STACK_TRACE,
        ),
        shows="! {segment}",
    ),
)
