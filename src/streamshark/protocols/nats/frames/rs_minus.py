"""RS-: a server has no subscribers of a subject any more.

On a gateway it also answers a message on a subject without interest.

Spec: nats-server v2.12.2, server/route.go, processRemoteUnsub.
"""

from streamshark.protocols.nats.types import ACCOUNT, INTEREST, PINNED, QUEUE_GROUP
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

_SHOWS = "{subject} queue={queue_group} account={account}"

FRAMES = (
    FrameSchema(
        name="rs_minus",
        key="rs_minus",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer that interest in a subject has ended.",
        spec="nats-server v2.12.2, server/route.go, processRemoteUnsub",
        body=(TextLine("RS-", ACCOUNT, INTEREST, QUEUE_GROUP),),
        shows=_SHOWS,
    ),
    FrameSchema(
        name="rs_minus",
        key="rs_minus",
        dialect=PINNED,
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a peer that interest in a subject has ended.",
        spec="nats-server v2.12.2, server/route.go, processRemoteUnsub",
        body=(TextLine("RS-", INTEREST, QUEUE_GROUP),),
        shows=_SHOWS,
    ),
)
