"""LMSG: a message of a leaf node.

On a link of a leaf node it has one size, and HMSG is for headers. On a route it always has two: the
header block may have no bytes.

Spec: nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs.
"""

from streamshark.protocols.nats.types import (
    ACCOUNT,
    ORIGIN,
    PINNED,
    REPLIES,
    ROUTE,
    ROUTE_2_9,
    SUBJECT,
    headed,
    message,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

_ON_ROUTE = headed("LMSG", ORIGIN, ACCOUNT, SUBJECT, *REPLIES)

_SHOWS = (
    "{subject} {payload:bytes} origin={origin_cluster} account={account} queues={queue_groups} "
    "→~{reply_to} {payload:text}"
)

FRAMES = (
    FrameSchema(
        name="lmsg",
        key="lmsg",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Hands a message of a leaf node to a peer.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs",
        body=message("LMSG", SUBJECT, *REPLIES),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="lmsg",
        key="lmsg",
        dialect=ROUTE,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Hands a message of a leaf node to a peer.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs",
        body=_ON_ROUTE,
        shows=_SHOWS,
    ),
    FrameSchema(
        name="lmsg",
        key="lmsg",
        dialect=ROUTE_2_9,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Hands a message of a leaf node to a peer.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs",
        body=_ON_ROUTE,
        shows=_SHOWS,
    ),
    FrameSchema(
        name="lmsg",
        key="lmsg",
        dialect=PINNED,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Hands a message of a leaf node to a peer.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs",
        body=headed("LMSG", ORIGIN, SUBJECT, *REPLIES),
        shows=_SHOWS,
    ),
)
