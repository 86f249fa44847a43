"""EVENT (0): one event; it is inside append blocks, not on its own.

Spec: WireCommands.Event.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.schema import REST, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="event",
        key=TypeCode.EVENT,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="An event outside of a block, which no peer sends.",
        spec="WireCommands.Event",
        body=(field("data", raw(REST), "Bytes of the event.", role="body"),),
        shows="{data:bytes} {data:text}",
    ),
)
