"""RESET (6): a side ends a call at once; of a client, it cancels it.

Source: PROTOCOL-HTTP2.md, "Errors"; RFC 9113, 6.4.
"""

from streamshark.protocols.grpc.codes import ErrorCode
from streamshark.protocols.grpc.codes import Kind as CallKind
from streamshark.protocols.grpc.types import ABOUT, FLAGS, SPEC
from streamshark.schema import U32, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="reset",
        key=CallKind.RESET,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Ends a call at once.",
        spec=f"{SPEC}, Errors",
        flags=FLAGS,
        body=(*ABOUT, field("error_code", U32, "Why.", names=ErrorCode)),
        shows="! {method} error={error_code} streamid={stream_id}",
    ),
)
