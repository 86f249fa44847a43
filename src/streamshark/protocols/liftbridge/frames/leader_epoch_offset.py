"""LEADER_EPOCH_OFFSET_REQUEST (6) and RESPONSE (7): how far an epoch went.

A new follower asks before it replicates, and forgets what it has after that offset.

Source: server/partition.go; internal.proto, LeaderEpochOffsetRequest.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import (
    LEADER_EPOCH_OFFSET_REQUEST,
    LEADER_EPOCH_OFFSET_RESPONSE,
)
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="leader_epoch_offset_request",
        key=MessageType.LEADER_EPOCH_OFFSET_REQUEST,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for the last offset of an epoch.",
        spec=ENVELOPE,
        body=body(LEADER_EPOCH_OFFSET_REQUEST),
        version=0,
        shows="epoch={leader_epoch}",
    ),
    FrameSchema(
        name="leader_epoch_offset_response",
        key=MessageType.LEADER_EPOCH_OFFSET_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Announces the last offset of the epoch.",
        spec=ENVELOPE,
        body=body(LEADER_EPOCH_OFFSET_RESPONSE),
        version=0,
        shows="offset={end_offset}",
    ),
    FrameSchema(
        name="leader_epoch_offset_request",
        key="leader_epoch_offset_request",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for the last offset of an epoch.",
        spec=FIRST,
        body=(LEADER_EPOCH_OFFSET_REQUEST,),
        dialect=BARE,
        shows="epoch={leader_epoch}",
    ),
    FrameSchema(
        name="leader_epoch_offset_response",
        key="leader_epoch_offset_response",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Announces the last offset of the epoch.",
        spec=FIRST,
        body=(LEADER_EPOCH_OFFSET_RESPONSE,),
        dialect=BARE,
        shows="offset={end_offset}",
    ),
)
