"""PARTITION_STATUS_REQUEST (12) and PARTITION_STATUS_RESPONSE (13): has a server a partition yet.

Source: server/metadata.go; internal.proto, PartitionStatusRequest.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import (
    PARTITION_STATUS_REQUEST,
    PARTITION_STATUS_RESPONSE,
)
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="partition_status_request",
        key=MessageType.PARTITION_STATUS_REQUEST,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks a server for a partition.",
        spec=ENVELOPE,
        body=body(PARTITION_STATUS_REQUEST),
        version=0,
        shows="{stream} partition={partition}",
    ),
    FrameSchema(
        name="partition_status_response",
        key=MessageType.PARTITION_STATUS_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Says whether it has it, and leads it.",
        spec=ENVELOPE,
        body=body(PARTITION_STATUS_RESPONSE),
        version=0,
        shows="{exists?exists|missing} {is_leader?leader}",
    ),
    FrameSchema(
        name="partition_status_request",
        key="partition_status_request",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks a server for a partition.",
        spec=FIRST,
        body=(PARTITION_STATUS_REQUEST,),
        dialect=BARE,
        shows="{stream} partition={partition}",
    ),
    FrameSchema(
        name="partition_status_response",
        key="partition_status_response",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Says whether it has it, and leads it.",
        spec=FIRST,
        body=(PARTITION_STATUS_RESPONSE,),
        dialect=BARE,
        shows="{exists?exists|missing} {is_leader?leader}",
    ),
)
