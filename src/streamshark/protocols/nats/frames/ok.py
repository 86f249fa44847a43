"""+OK: the last line was taken, in verbose mode.

One for each line but PING and PONG, in their order. nats-server 2.9.10 also sends it after -ERR,
for a subject that cannot be published to.

Spec: docs.nats.io, Client Protocol, +OK/ERR.
"""

from streamshark.protocols.nats.types import IGNORED
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

FRAMES = (
    FrameSchema(
        name="ok",
        key="ok",
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Acknowledges a line, in verbose mode.",
        spec="docs.nats.io, Client Protocol, +OK/ERR",
        body=(TextLine("+OK", IGNORED),),
    ),
)
