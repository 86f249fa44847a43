"""A-: a cluster has no interest in an account.

On gateways; routes ignore it.

Spec: nats-server v2.12.2, server/gateway.go, processGatewayAccountUnsub.
"""

from streamshark.protocols.nats.types import ACCOUNT
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

_SHOWS = "{account}"

FRAMES = (
    FrameSchema(
        name="a_minus",
        key="a_minus",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a gateway that a cluster has no interest in an account.",
        spec="nats-server v2.12.2, server/gateway.go, processGatewayAccountUnsub",
        body=(TextLine("A-", ACCOUNT),),
        shows=_SHOWS,
    ),
)
