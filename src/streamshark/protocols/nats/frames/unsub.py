"""UNSUB: a client ends a subscription, at once or after so many messages.

The number counts messages since SUB; where so many have come, it ends at once.

Spec: docs.nats.io, Client Protocol, UNSUB.
"""

from streamshark.protocols.nats.types import SID
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine, decimal

_MAX_MSGS = decimal(
    "max_msgs", "Messages since SUB after which it ends; absent: at once.", optional=True
)

FRAMES = (
    FrameSchema(
        name="unsub",
        key="unsub",
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Ends a subscription.",
        spec="docs.nats.io, Client Protocol, UNSUB",
        body=(TextLine("UNSUB", SID, _MAX_MSGS),),
        shows="sid={sid} max={max_msgs}",
    ),
)
