"""PONG: answers PING.

Either side sends PING; a server closes a connection on which too many stay unanswered. What
follows the verb is skipped.

Spec: docs.nats.io, Client Protocol, PING/PONG.
"""

from streamshark.protocols.nats.types import IGNORED
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

FRAMES = (
    FrameSchema(
        name="pong",
        key="pong",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Answers PING.",
        spec="docs.nats.io, Client Protocol, PING/PONG",
        body=(TextLine("PONG", IGNORED),),
    ),
)
