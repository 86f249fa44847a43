"""A+: a cluster has interest in an account again.

On gateways; routes ignore it.

Spec: nats-server v2.12.2, server/gateway.go, processGatewayAccountSub.
"""

from streamshark.protocols.nats.types import ACCOUNT
from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine

_SHOWS = "{account}"

FRAMES = (
    FrameSchema(
        name="a_plus",
        key="a_plus",
        kind=FrameKind.COMMAND,
        sender=Sender.PEER,
        doc="Informs a gateway that a cluster has interest in an account again.",
        spec="nats-server v2.12.2, server/gateway.go, processGatewayAccountSub",
        body=(TextLine("A+", ACCOUNT),),
        shows=_SHOWS,
    ),
)
