"""Tune (0x14): the server proposes limits, the client answers with those it agrees to.

The server sends it right after a successful SaslAuthenticate response, unasked. Neither direction
has a correlation id or a response code. What the client answers holds: the heartbeat as it says,
of the two frame sizes the smaller one that is not 0 (`rabbit_stream_reader.erl`,
`negotiate_frame_max`).

The document shows response and request alike and leaves the response bit open. Clients set it
(Java, Go) or not (.NET, JavaScript, Python, Rust), and the broker accepts both: the sender shows
which of the two a frame is.

Spec: PROTOCOL.adoc, "Tune".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.schema import U32, FrameKind, FrameSchema, Sender, field

_SHOWN = "frame_max={frame_max:size} heartbeat={heartbeat}~s"

_LIMITS = (
    field(
        "frame_max",
        U32,
        "Largest frame, without the 4 bytes of its size; 0 means no limit. "
        "The broker proposes 1048576, and does not hold Deliver to it.",
        unit="bytes",
    ),
    field(
        "heartbeat",
        U32,
        "Longest silence of a side; 0 means no heartbeats. The broker proposes 60.",
        unit="s",
    ),
)

FRAMES = (
    FrameSchema(
        name="tune",
        key=Key.TUNE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.SERVER,
        doc="Proposes limits.",
        spec="PROTOCOL.adoc, Tune",
        since="3.9.0",
        negotiates=True,
        body=_LIMITS,
        shows=_SHOWN,
    ),
    FrameSchema(
        name="tune",
        key=Key.TUNE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.CLIENT,
        doc="Agrees to limits.",
        spec="PROTOCOL.adoc, Tune",
        since="3.9.0",
        negotiates=True,
        body=_LIMITS,
        shows=_SHOWN,
        responses=(True, False),
    ),
)
