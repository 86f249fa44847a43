"""RESPONSE (0x000b): a payload of an answer, or its end; version 0.1 alone.

In version 1.0 PAYLOAD has its place, which says with a flag whether it holds a payload.

Spec: Protocol.md of tag v0.1, "Response Frame".
"""

from streamshark.protocols.rsocket.codes import OldFlag, OldType
from streamshark.protocols.rsocket.types import OLD, OLD_PAYLOAD, OLD_REQUEST_FLAGS
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="response",
        key=OldType.RESPONSE,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Brings a payload of an answer, or its end.",
        spec="Protocol.md of tag v0.1, Response",
        flags={**OLD_REQUEST_FLAGS, OldFlag.COMPLETE: "complete"},
        body=OLD_PAYLOAD,
        shows="stream={stream_id} {flags:not metadata?} metadata={metadata:inside} {data?}",
    ),
)
