"""HEADERS (2): a server's headers before its messages; those of one that fails at once are STATUS.

Source: PROTOCOL-HTTP2.md, "Responses".
"""

from streamshark.protocols.grpc.codes import Kind as CallKind
from streamshark.protocols.grpc.types import ABOUT, FLAGS, HEADERS, HTTP_STATUS, SPEC
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="headers",
        key=CallKind.HEADERS,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="A server begins to answer.",
        spec=f"{SPEC}, Responses",
        flags=FLAGS,
        body=(*ABOUT, HTTP_STATUS, HEADERS),
        shows="{method} http={http_status} streamid={stream_id}",
    ),
)
