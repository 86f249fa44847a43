"""PUB: a client publishes a message.

Without a response, except +OK in verbose mode and -ERR where it is not allowed.
The size counts bytes; the payload may hold CRLF.

Spec: docs.nats.io, Client Protocol, PUB.
"""

from streamshark.protocols.nats.types import REPLY_TO, SUBJECT, message
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="pub",
        key="pub",
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Publishes a message.",
        spec="docs.nats.io, Client Protocol, PUB",
        body=message("PUB", SUBJECT, REPLY_TO),
        shows="{subject} {payload:bytes} →~{reply_to} {payload:text}",
    ),
)
