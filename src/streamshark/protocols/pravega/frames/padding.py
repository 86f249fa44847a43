"""PADDING (-1): fills an append block up; on its own it is skipped.

Spec: WireCommands.Padding.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.schema import REST, FrameSchema, Kind, Side, field, raw

FRAMES = (
    FrameSchema(
        name="padding",
        key=TypeCode.PADDING,
        kind=Kind.COMMAND,
        sender=Side.CLIENT,
        doc="Fills up; nothing follows from it.",
        spec="WireCommands.Padding",
        body=(field("data", raw(REST), "Zeros."),),
    ),
)
