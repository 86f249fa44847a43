"""REQUEST_FNF (0x05): fire and forget: a payload that nothing answers.

Nothing comes back on its stream, not even ERROR.

Spec: Protocol.md, "REQUEST_FNF (Fire-n-Forget) Frame (0x05)".
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
        name="request_fnf",
        key=FrameType.REQUEST_FNF,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Sends a payload that nothing answers.",
        spec="Protocol.md, REQUEST_FNF (Fire-n-Forget) Frame (0x05)",
        flags=REQUEST_FLAGS,
        body=PAYLOAD,
        shows="stream={stream_id} metadata={metadata:inside} {flags:not metadata?} {data?}",
    ),
    FrameSchema(
        name="request_fnf",
        key=OldType.REQUEST_FNF,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Sends a payload that nothing answers.",
        spec="Protocol.md of tag v0.1, REQUEST_FNF (Fire-n-Forget)",
        flags=OLD_REQUEST_FLAGS,
        body=OLD_PAYLOAD,
        shows="stream={stream_id} metadata={metadata:inside} {flags:not metadata?} {data?}",
    ),
)
