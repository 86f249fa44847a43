"""RS+: a server has subscribers of a subject, or one more of a queue group.

On routes and gateways. A route of one account leaves the account out.

Spec: nats-server v2.12.2, server/route.go, processRemoteSub.
"""

from streamshark.protocols.nats.types import ACCOUNT, INTEREST, PINNED, QUEUE_GROUP, WEIGHT
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

_SHOWS = "{subject} queue={queue_group} weight={weight} account={account}"

FRAMES = (
    FrameSchema(
        name="rs_plus",
        key="rs_plus",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer of interest in a subject.",
        spec="nats-server v2.12.2, server/route.go, processRemoteSub",
        body=(TextLine("RS+", ACCOUNT, INTEREST, QUEUE_GROUP, WEIGHT),),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="rs_plus",
        key="rs_plus",
        dialect=PINNED,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer of interest in a subject.",
        spec="nats-server v2.12.2, server/route.go, processRemoteSub",
        body=(TextLine("RS+", INTEREST, QUEUE_GROUP, WEIGHT),),
        shows=_SHOWS,
    ),
)
