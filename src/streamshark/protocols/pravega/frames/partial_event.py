"""PARTIAL_EVENT (-2): the start of an event that a block has no room for; not sent on its own.

Spec: WireCommands.PartialEvent.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.schema import REST, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="partial_event",
        key=TypeCode.PARTIAL_EVENT,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="The start of an event outside of a block, which no peer sends.",
        spec="WireCommands.PartialEvent",
        body=(field("data", raw(REST), "Start of the event."),),
        shows="{data:bytes}",
    ),
)
