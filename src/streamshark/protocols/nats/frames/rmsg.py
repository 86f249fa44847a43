"""RMSG: a message between servers of a cluster, or of two clusters.

After `+` are the reply and queue groups, after `|` queue groups alone.

Spec: nats-server v2.12.2, server/route.go, processRoutedMsgArgs.
"""

from streamshark.protocols.nats.types import ACCOUNT, PINNED, REPLIES, SUBJECT, message
from streamshark.schema import FrameKind, FrameSchema, Sender

_SHOWS = (
    "{subject} {payload:bytes} account={account} queues={queue_groups} →~{reply_to} {payload:text}"
)

FRAMES = (
    FrameSchema(
        name="rmsg",
        key="rmsg",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Hands a message to a peer.",
        spec="nats-server v2.12.2, server/route.go, processRoutedMsgArgs",
        body=message("RMSG", ACCOUNT, SUBJECT, *REPLIES),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="rmsg",
        key="rmsg",
        dialect=PINNED,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Hands a message to a peer.",
        spec="nats-server v2.12.2, server/route.go, processRoutedMsgArgs",
        body=message("RMSG", SUBJECT, *REPLIES),
        shows=_SHOWS,
    ),
)
