"""CONDITIONAL_APPEND (5): one event that is appended only if the segment has the expected length.

Since 0.3 the event has its own header, before it has none; both are distinguished by what fits.
Answered by DATA_APPENDED or CONDITIONAL_CHECK_FAILED.

Spec: WireCommands.ConditionalAppend.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import BYTES, EVENT_NUMBER, LATER_REQUEST_ID, WRITER_ID
from streamshark.schema import I64, Fits, FrameKind, FrameSchema, Literal, Sender, field

FRAMES = (
    FrameSchema(
        name="conditional_append",
        key=TypeCode.CONDITIONAL_APPEND,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Appends an event if the segment has the expected length.",
        spec="WireCommands.ConditionalAppend",
        body=(
            WRITER_ID,
            EVENT_NUMBER,
            field(
                "expected_offset",
                I64,
                "Length that the segment must have.",
                unit="bytes",
                role="chance",
            ),
            Fits(
                event=(
                    Literal(bytes(4), "Type code of EVENT."),
                    field("event", BYTES, "The event.", role="body"),
                    LATER_REQUEST_ID,
                ),
                bare=(field("data", BYTES, "The event, without a head of its own.", role="body"),),
            ),
        ),
        shows="{@segment} event={event_number} expected={expected_offset} writer={writer_id}",
    ),
)
