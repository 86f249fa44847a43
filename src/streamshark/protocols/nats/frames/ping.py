"""PING: asks whether the other side is there.

Either side sends PING; a server closes a connection on which too many stay unanswered. What
follows the verb is skipped.

Spec: docs.nats.io, Client Protocol, PING/PONG.
"""

from streamshark.protocols.nats.types import IGNORED
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

FRAMES = (
    FrameSchema(
        name="ping",
        key="ping",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks whether the other side is there.",
        spec="docs.nats.io, Client Protocol, PING/PONG",
        body=(TextLine("PING", IGNORED),),
    ),
)
