"""ERROR_MESSAGE (61): any other error.

Release 0.13.0 sends code 0 for a key of a wrong length, and for a position beyond the end.

Spec: WireCommands.ErrorMessage.
"""

from streamshark.protocols.pravega.codes import ErrorCode, TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STRING
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="error_message",
        key=TypeCode.ERROR_MESSAGE,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says what went wrong.",
        spec="WireCommands.ErrorMessage",
        since="0.9.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            field("message", STRING, "What went wrong.", role="text"),
            field("error_code", I32, "Which error.", names=ErrorCode),
        ),
        shows="! {segment} {message}",
    ),
)
