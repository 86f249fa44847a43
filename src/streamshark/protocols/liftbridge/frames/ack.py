"""ACK (1): the leader of a partition says where a message is stored, or why it is not.

Of 2019: without envelope. Where the message is too large, v1.9.0 sends neither an offset nor the
time of the commit.

Source: server/protocol/envelope.go, MarshalAck; api.proto, Ack.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import ACK
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="ack",
        key=MessageType.ACK,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Acknowledges a message.",
        spec=ENVELOPE,
        body=body(ACK),
        version=0,
        shows=(
            "{stream} offset={offset} error={ack_error:ok ok} id={correlation_id} inbox={ack_inbox}"
        ),
    ),
    FrameSchema(
        name="ack",
        key="ack",
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Acknowledges a message.",
        spec=FIRST,
        body=(ACK,),
        dialect=BARE,
        shows=(
            "{stream} offset={offset} error={ack_error:ok ok} id={correlation_id} inbox={ack_inbox}"
        ),
    ),
)
