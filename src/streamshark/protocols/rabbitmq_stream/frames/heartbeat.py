"""Heartbeat (0x17): a side that has nothing to say shows that it is there.

Sent by either side, never answered; the frame has no body and there is no response form. The
broker sends one when it was silent for the agreed time, and drops the connection (without Close)
when nothing at all has come for two to three times as long. The document gives no such rules
(`rabbit_heartbeat.erl`).

Spec: PROTOCOL.adoc, "Heartbeat".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="heartbeat",
        key=Key.HEARTBEAT,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Shows that a silent side is there.",
        spec="PROTOCOL.adoc, Heartbeat",
        since="3.9.0",
    ),
)
