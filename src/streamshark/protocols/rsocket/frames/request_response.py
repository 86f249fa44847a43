"""REQUEST_RESPONSE (0x04): a requester asks for one payload.

Answered by PAYLOAD with complete, or by ERROR; ended early by CANCEL.

Spec: Protocol.md, "REQUEST_RESPONSE Frame (0x04)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import (
    OLD,
    OLD_PAYLOAD,
    OLD_REQUEST_FLAGS,
    PAYLOAD,
    REQUEST_FLAGS,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="request_response",
        key=FrameType.REQUEST_RESPONSE,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for one payload.",
        spec="Protocol.md, REQUEST_RESPONSE Frame (0x04)",
        flags=REQUEST_FLAGS,
        body=PAYLOAD,
        shows="stream={stream_id} metadata={metadata:inside} {flags:not metadata?} {data?}",
    ),
    FrameSchema(
        name="request_response",
        key=OldType.REQUEST_RESPONSE,
        dialect=OLD,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for one payload.",
        spec="Protocol.md of tag v0.1, REQUEST_RESPONSE",
        flags=OLD_REQUEST_FLAGS,
        body=OLD_PAYLOAD,
        shows="stream={stream_id} metadata={metadata:inside} {flags:not metadata?} {data?}",
    ),
)
