"""CONDITIONAL_CHECK_FAILED (8): a conditional append found the segment at another length.

Spec: WireCommands.ConditionalCheckFailed.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import EVENT_NUMBER, LATER_REQUEST_ID, WRITER_ID
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="conditional_check_failed",
        key=TypeCode.CONDITIONAL_CHECK_FAILED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that nothing was appended, since the length differs.",
        spec="WireCommands.ConditionalCheckFailed",
        body=(
            WRITER_ID,
            EVENT_NUMBER,
            LATER_REQUEST_ID,
        ),
        shows="! {@segment} event={event_number} writer={writer_id}",
    ),
)
