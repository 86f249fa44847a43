"""SUB: a client subscribes.

The id is any token, unique in the connection: a second SUB with an id in use is ignored.

Spec: docs.nats.io, Client Protocol, SUB.
"""

from streamshark.protocols.nats.types import INTEREST, QUEUE_GROUP, SID
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

FRAMES = (
    FrameSchema(
        name="sub",
        key="sub",
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Subscribes to a subject.",
        spec="docs.nats.io, Client Protocol, SUB",
        body=(TextLine("SUB", INTEREST, QUEUE_GROUP, SID),),
        shows="{subject} queue={queue_group} sid={sid}",
    ),
)
