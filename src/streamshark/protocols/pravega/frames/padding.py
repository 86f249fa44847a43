"""PADDING (-1): fills an append block up; on its own it is skipped.

Spec: WireCommands.Padding.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.schema import REST, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="padding",
        key=TypeCode.PADDING,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Fills up; nothing follows from it.",
        spec="WireCommands.Padding",
        body=(field("data", raw(REST), "Zeros."),),
        shows="{data:bytes}",
    ),
)
