"""KEEP_ALIVE (100): nothing but a sign of life; servers of 0.13 send each one back.

A client sends one when it has received nothing for a while (20 s, then 10 s), and also to end an
open append block when it flushes, so one on a busy connection is normal.
Servers of 0.5.1 and 0.4.0 do not answer it.

Spec: WireCommands.KeepAlive.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="keep_alive",
        key=TypeCode.KEEP_ALIVE,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="A sign of life.",
        spec="WireCommands.KeepAlive",
        body=(),
    ),
)
