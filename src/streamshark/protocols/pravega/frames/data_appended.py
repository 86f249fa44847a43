"""DATA_APPENDED (7): events of a writer up to a number are stored.

It acknowledges all events after the previous number and up to this one; acks of a writer may be
joined, their order never changes. Release 0.5 reads the last member as the next frame's head
(issue 4211).

Spec: WireCommands.DataAppended.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import EVENT_NUMBER, LATER_REQUEST_ID, WRITER_ID
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="data_appended",
        key=TypeCode.DATA_APPENDED,
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Acknowledges events of a writer.",
        spec="WireCommands.DataAppended",
        body=(
            WRITER_ID,
            EVENT_NUMBER,
            Tail(
                field("previous_event_number", I64, "Newest event that was acknowledged before."),
                default=-1,
            ),
            LATER_REQUEST_ID,
            Tail(
                field(
                    "current_segment_write_offset",
                    I64,
                    "Length of the segment with these events.",
                    unit="bytes",
                    role="chance",
                ),
                default=-1,
            ),
        ),
        shows=(
            "{@segment} event={event_number} previous={previous_event_number} "
            "offset={current_segment_write_offset} writer={writer_id}"
        ),
    ),
)
