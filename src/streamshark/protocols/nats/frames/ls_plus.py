"""LS+: a leaf node, or the server it is linked to, has subscribers of a subject.

On a route the cluster of the leaf node and the account precede the subject. Without a link
that is known it is read as a leaf node's.

Spec: nats-server v2.12.2, server/leafnode.go, processLeafSub.
"""

from streamshark.protocols.nats.types import (
    ACCOUNT,
    INTEREST,
    ORIGIN,
    PINNED,
    QUEUE_GROUP,
    ROUTE,
    ROUTE_2_9,
    WEIGHT,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

_ON_ROUTE = (TextLine("LS+", ORIGIN, ACCOUNT, INTEREST, QUEUE_GROUP, WEIGHT),)

_SHOWS = "{subject} queue={queue_group} weight={weight} origin={origin_cluster} account={account}"

FRAMES = (
    FrameSchema(
        name="ls_plus",
        key="ls_plus",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer of interest behind a leaf node.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafSub",
        body=(TextLine("LS+", INTEREST, QUEUE_GROUP, WEIGHT),),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="ls_plus",
        key="ls_plus",
        dialect=ROUTE,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer of interest behind a leaf node.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafSub",
        body=_ON_ROUTE,
        shows=_SHOWS,
    ),
    FrameSchema(
        name="ls_plus",
        key="ls_plus",
        dialect=ROUTE_2_9,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer of interest behind a leaf node.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafSub",
        body=_ON_ROUTE,
        shows=_SHOWS,
    ),
    FrameSchema(
        name="ls_plus",
        key="ls_plus",
        dialect=PINNED,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer of interest behind a leaf node.",
        spec="nats-server v2.12.2, server/leafnode.go, processLeafSub",
        body=(TextLine("LS+", ORIGIN, INTEREST, QUEUE_GROUP, WEIGHT),),
        shows=_SHOWS,
    ),
)
