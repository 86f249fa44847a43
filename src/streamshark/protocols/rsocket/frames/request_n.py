"""REQUEST_N (0x08): a receiver grants its peer more payloads of a stream.

Sent by the requester, on channels by the responder too; grants add up and are never taken back.

Spec: Protocol.md, "REQUEST_N Frame (0x08)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import BARE, OLD, OLD_BARE, u31
from streamshark.schema import U32, FrameKind, FrameSchema, Sender, field

_N = "Payloads granted besides those granted before; 0 is not allowed."

FRAMES = (
    FrameSchema(
        name="request_n",
        key=FrameType.REQUEST_N,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Grants the peer more payloads of a stream.",
        spec="Protocol.md, REQUEST_N Frame (0x08)",
        flags=BARE,
        body=(u31("request_n", _N),),
        shows="stream={stream_id} n={request_n}",
    ),
    FrameSchema(
        name="request_n",
        key=OldType.REQUEST_N,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Grants the peer more payloads of a stream.",
        spec="Protocol.md of tag v0.1, REQUEST_N",
        flags=OLD_BARE,
        body=(field("request_n", U32, _N),),
        shows="stream={stream_id} n={request_n}",
    ),
)
