"""STATUS (5): a server ends a call, and says how it went.

In trailers after the messages, or in the only headers where there are none.

Source: PROTOCOL-HTTP2.md, "Responses": Trailers, Trailers-Only.
"""

from streamshark.protocols.grpc.codes import Kind as CallKind
from streamshark.protocols.grpc.codes import Status
from streamshark.protocols.grpc.types import (
    ABOUT,
    FLAGS,
    HEADERS,
    HTTP_STATUS,
    SPEC,
    STRING,
)
from streamshark.schema import I16, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="status",
        key=CallKind.STATUS,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Ends a call.",
        spec=f"{SPEC}, Responses",
        flags=FLAGS,
        body=(
            *ABOUT,
            HTTP_STATUS,
            field("status", I16, "How the call ended; -1 if it is unknown.", names=Status),
            field(
                "status_message",
                STRING,
                "Why it failed, in the server's words (percent-encoded).",
                role="text",
            ),
            HEADERS,
        ),
        shows="{method} status={status:ok ok} {status_message?} streamid={stream_id}",
    ),
)
