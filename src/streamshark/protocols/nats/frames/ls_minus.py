"""LS-: interest after a leaf node has ended.

On a route, the cluster of the leaf node precedes the account only where both servers
announce `lnocu` in INFO; nats-server 2.9.10 does not.

Spec: nats-server v2.12.2, server/leafnode.go, processLeafUnsub.
"""

from streamshark.protocols.nats.types import (
    ACCOUNT,
    INTEREST,
    PINNED,
    QUEUE_GROUP,
    ROUTE,
    ROUTE_2_9,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine, token

_MAYBE = token("origin_cluster", "Cluster of the leaf node that it comes from.", optional=True)

_SHOWS = "{subject} queue={queue_group} origin={origin_cluster} account={account}"

FRAMES = (
    FrameSchema(
        name="ls_minus",
        key="ls_minus",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer that interest behind a leaf node has ended.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafUnsub",
        body=(TextLine("LS-", INTEREST, QUEUE_GROUP),),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="ls_minus",
        key="ls_minus",
        dialect=ROUTE,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer that interest behind a leaf node has ended.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafUnsub",
        body=(TextLine("LS-", _MAYBE, ACCOUNT, INTEREST, QUEUE_GROUP),),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="ls_minus",
        key="ls_minus",
        dialect=ROUTE_2_9,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer that interest behind a leaf node has ended.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafUnsub",
        body=(TextLine("LS-", ACCOUNT, INTEREST, QUEUE_GROUP),),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="ls_minus",
        key="ls_minus",
        dialect=PINNED,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer that interest behind a leaf node has ended.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafUnsub",
        body=(TextLine("LS-", _MAYBE, INTEREST, QUEUE_GROUP),),
        shows=_SHOWS,
    ),
)
