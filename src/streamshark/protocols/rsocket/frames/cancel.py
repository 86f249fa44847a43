"""CANCEL (0x09): a requester ends what it asked for.

On a channel the responder sends it to end the requester's half. It may cross with the last PAYLOAD.

Dialect `0.1`: it may have metadata.

Spec: Protocol.md, "CANCEL Frame (0x09)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import BARE, OLD, OLD_ALWAYS, OLD_METADATA
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="cancel",
        key=FrameType.CANCEL,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Ends what a request asked for.",
        spec="Protocol.md, CANCEL Frame (0x09)",
        flags=BARE,
        shows="stream={stream_id}",
    ),
    FrameSchema(
        name="cancel",
        key=OldType.CANCEL,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Ends what a request asked for.",
        spec="Protocol.md of tag v0.1, CANCEL",
        flags=OLD_ALWAYS,
        body=(OLD_METADATA,),
        shows="stream={stream_id}",
    ),
)
