"""WRONG_HOST (50): the segment is elsewhere.

The client asks its controller where. The store leaves the host empty.

Spec: WireCommands.WrongHost.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STACK_TRACE, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="wrong_host",
        key=TypeCode.WRONG_HOST,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that another host has the segment.",
        spec="WireCommands.WrongHost",
        body=(
            REQUEST_ID,
            SEGMENT,
            field(
                "correct_host", STRING, "Host that has it; the store leaves it empty.", role="host"
            ),
            STACK_TRACE,
        ),
        shows="! {segment} correct_host={correct_host}",
    ),
)
