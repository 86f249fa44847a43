"""RESUME_OK (0x0E): a server answers RESUME: the session continues, and from where.

Both sides send again what the other one has not received. rsocket-go 0.8.12 always says 0.

Spec: Protocol.md, "RESUME_OK Frame (0x0E)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import BARE, OLD, OLD_BARE, u63
from streamshark.schema import U64, FrameKind, FrameSchema, Sender, field

_RECEIVED = "Resume position up to which the server has received."

FRAMES = (
    FrameSchema(
        name="resume_ok",
        key=FrameType.RESUME_OK,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Confirms that the session is resumed, and from which position.",
        spec="Protocol.md, RESUME_OK Frame (0x0E)",
        flags=BARE,
        body=(u63("last_received_client_position", _RECEIVED),),
        shows="received={last_received_client_position}",
    ),
    FrameSchema(
        name="resume_ok",
        key=OldType.RESUME_OK,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Confirms that the session is resumed, and from which position.",
        spec="Protocol.md of tag v0.1, RESUME_OK",
        flags=OLD_BARE,
        body=(field("last_received_client_position", U64, _RECEIVED, unit="bytes", role="chance"),),
        shows="received={last_received_client_position}",
    ),
)
