"""MSG: a message for a subscription.

The subject is the one that was published to, which may fit the subscription by a wildcard.

Spec: docs.nats.io, Client Protocol, MSG.
"""

from streamshark.protocols.nats.types import REPLY_TO, SID, SUBJECT, message
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="msg",
        key="msg",
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Delivers a message to a subscription.",
        spec="docs.nats.io, Client Protocol, MSG",
        body=message("MSG", SUBJECT, SID, REPLY_TO),
        shows="{subject} {payload:bytes} sid={sid} →~{reply_to} {payload:text}",
    ),
)
