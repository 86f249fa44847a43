"""AUTH_TOKEN_CHECK_FAILED (60): the delegation token was refused.

Where it answers READ_SEGMENT its request id is 0.

Spec: WireCommands.AuthTokenCheckFailed.
"""

from streamshark.protocols.pravega.codes import TokenError, TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, STACK_TRACE
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="auth_token_check_failed",
        key=TypeCode.AUTH_TOKEN_CHECK_FAILED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the token was refused.",
        spec="WireCommands.AuthTokenCheckFailed",
        since="0.3.0",
        body=(
            REQUEST_ID,
            STACK_TRACE,
            Tail(field("error_code", I32, "Why.", names=TokenError), default=-1),
        ),
        shows="! {@segment} code={error_code}",
    ),
)
