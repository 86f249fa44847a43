"""REPLICATION_REQUEST (2) and REPLICATION_RESPONSE (3): a follower asks for what it lacks.

A follower asks repeatedly; a leader that has nothing new answers with its high watermark
alone. A request of another epoch is dropped. Of 2019: without envelope and, in requests, without an
epoch.

Source: server/replicator.go; internal.proto, ReplicationRequest.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import REPLICATION_REQUEST
from streamshark.protocols.liftbridge.records import data
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="replication_request",
        key=MessageType.REPLICATION_REQUEST,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks the leader of a partition for messages.",
        spec=ENVELOPE,
        body=body(REPLICATION_REQUEST),
        version=0,
        shows="offset={offset} epoch={leader_epoch} replica={replica_id}",
    ),
    FrameSchema(
        name="replication_response",
        key=MessageType.REPLICATION_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Brings messages, and how far they are committed.",
        spec=ENVELOPE,
        body=body(*data()),
        version=0,
        shows=(
            "offsets={records.offset:ranges} epoch={leader_epoch} high_watermark={high_watermark}"
        ),
    ),
    FrameSchema(
        name="replication_request",
        key="replication_request",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks the leader of a partition for messages.",
        spec=FIRST,
        body=(REPLICATION_REQUEST,),
        dialect=BARE,
        shows="offset={offset} epoch={leader_epoch} replica={replica_id}",
    ),
    FrameSchema(
        name="replication_response",
        key="replication_response",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Brings messages, and how far they are committed.",
        spec=FIRST,
        body=data(old=True),
        dialect=BARE,
        shows=(
            "offsets={records.offset:ranges} epoch={leader_epoch} high_watermark={high_watermark}"
        ),
    ),
)
