"""MESSAGE (3) and REPLY (4): one message of the client, and one of the server.

On the wire a byte and a 32-bit length precede it, in as many DATA frames as needed.

Source: PROTOCOL-HTTP2.md, "Length-Prefixed-Message".
"""

from streamshark.protocols.grpc.codes import Kind as CallKind
from streamshark.protocols.grpc.types import ABOUT, FLAGS, SPEC, message
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="message",
        key=CallKind.MESSAGE,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="A message of the client.",
        spec=f"{SPEC}, Length-Prefixed-Message",
        flags=FLAGS,
        body=(*ABOUT, message("grpc.message")),
        shows="{method} {message:inside} streamid={stream_id}",
    ),
    FrameSchema(
        name="reply",
        key=CallKind.REPLY,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="A message of the server.",
        spec=f"{SPEC}, Length-Prefixed-Message",
        flags=FLAGS,
        body=(*ABOUT, message("grpc.reply")),
        shows="{method} {message:inside} streamid={stream_id}",
    ),
)
