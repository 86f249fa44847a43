"""RESUME (0x0D): a client asks to continue with the session of an earlier connection.

The first frame, in place of SETUP, on stream 0; answered by RESUME_OK, or by ERROR 0x4 or 0x101.
Positions count the bytes of the frames on other streams than 0, without their lengths.
rsocket-js 1.0.0-alpha.3 writes the two numbers of the version in the wrong order, so they say 0.1;
rsocket-java 1.1.5 does not look at them.

Dialect `0.1`: in rsocket-cpp alone, without a version, with a token of 16 bytes.

Spec: Protocol.md, "RESUME Frame (0x0D)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import (
    BARE,
    MAJOR_VERSION,
    MINOR_VERSION,
    OLD,
    OLD_BARE,
    OLD_RESUME_TOKEN,
    RESUME_TOKEN,
    u63,
)
from streamshark.schema import U64, FrameKind, FrameSchema, Sender, field

_RECEIVED = "Resume position up to which the client has received."

FRAMES = (
    FrameSchema(
        name="resume",
        key=FrameType.RESUME,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to resume a session of an earlier connection.",
        spec="Protocol.md, RESUME Frame (0x0D)",
        negotiates=True,
        flags=BARE,
        body=(
            MAJOR_VERSION,
            MINOR_VERSION,
            RESUME_TOKEN,
            u63("last_received_server_position", _RECEIVED),
            u63(
                "first_available_client_position",
                "Resume position from which the client can send again.",
            ),
        ),
        shows="token={resume_identification_token} received={last_received_server_position}",
    ),
    FrameSchema(
        name="resume",
        key=OldType.RESUME,
        dialect=OLD,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to resume a session of an earlier connection.",
        spec="Protocol.md of tag v0.1, RESUME",
        negotiates=True,
        flags=OLD_BARE,
        body=(
            OLD_RESUME_TOKEN,
            field("last_received_server_position", U64, _RECEIVED, unit="bytes", role="chance"),
        ),
        shows="token={resume_identification_token} received={last_received_server_position}",
    ),
)
