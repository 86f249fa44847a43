"""PUBLISH (0): a message for the leader of a partition, which listens to its subject.

The envelope may have a checksum; v1.9.0 and the clients of its time send none. Of 2019: LIFT in
place of the envelope; 5 to 10 were what is 7 to 12 since v1.0.0. Where it does not decode, the
server makes a plain message of it (`plain_publish`).

Source: server/protocol/envelope.go, MarshalPublish; api.proto, Message.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import MESSAGE, OLD_MESSAGE
from streamshark.protocols.liftbridge.types import ALPHA, ENVELOPE, FIRST, LIFT, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="publish",
        key=MessageType.PUBLISH,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Publishes a message.",
        spec=ENVELOPE,
        body=body(MESSAGE),
        version=0,
        shows=(
            "{stream} {value:bytes} partition={partition} subject={subject} id={correlation_id} "
            "inbox={ack_inbox} {value:text}"
        ),
    ),
    FrameSchema(
        name="publish",
        key="",
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Publishes a message.",
        spec=FIRST,
        body=(OLD_MESSAGE,),
        dialect=LIFT,
        shows=(
            "{stream} {value:bytes} partition={partition} subject={subject} id={correlation_id} "
            "inbox={ack_inbox} {value:text}"
        ),
    ),
    FrameSchema(
        name="publish",
        key=MessageType.PUBLISH,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Publishes a message.",
        spec="liftbridge v1.0.0-alpha, server/proto",
        body=body(OLD_MESSAGE),
        version=0,
        dialect=ALPHA,
        shows=(
            "{stream} {value:bytes} partition={partition} subject={subject} id={correlation_id} "
            "inbox={ack_inbox} {value:text}"
        ),
    ),
)
