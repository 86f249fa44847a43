"""PARTITION_NOTIFICATION (14): a leader wakes a follower that sleeps: there is something new.

Source: server/partition.go; internal.proto, PartitionNotification.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import PARTITION_NOTIFICATION
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="partition_notification",
        key=MessageType.PARTITION_NOTIFICATION,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Informs a follower of new messages.",
        spec=ENVELOPE,
        body=body(PARTITION_NOTIFICATION),
        version=0,
        shows="{stream} partition={partition}",
    ),
    FrameSchema(
        name="partition_notification",
        key="partition_notification",
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Informs a follower of new messages.",
        spec=FIRST,
        body=(PARTITION_NOTIFICATION,),
        dialect=BARE,
        shows="{stream} partition={partition}",
    ),
)
