"""CALL (1): a client calls a method; its messages follow.

Source: PROTOCOL-HTTP2.md, "Requests".
"""

from streamshark.protocols.grpc.codes import Kind as CallKind
from streamshark.protocols.grpc.types import ABOUT, FLAGS, HEADERS, SPEC, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="call",
        key=CallKind.CALL,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Calls a method.",
        spec=f"{SPEC}, Requests",
        flags=FLAGS,
        body=(
            *ABOUT,
            field(
                "authority",
                STRING,
                "Host that the client thinks it calls.",
                role="server_host address",
            ),
            field(
                "authorization", STRING, "Credentials; empty for none.", secret=True, role="chance"
            ),
            HEADERS,
        ),
        shows="{method} streamid={stream_id}",
    ),
)
