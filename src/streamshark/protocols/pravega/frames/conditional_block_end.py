"""CONDITIONAL_BLOCK_END (89): bytes that are appended only if the segment has the expected length.

Byte streams of the Rust client and the parts of events above 8 MiB come so, the latter into a
transient segment that is merged then. Answered by DATA_APPENDED or CONDITIONAL_CHECK_FAILED.

Spec: WireCommands.ConditionalBlockEnd.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import EVENT_NUMBER, REQUEST_ID, WRITER_ID
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="conditional_block_end",
        key=TypeCode.CONDITIONAL_BLOCK_END,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Appends bytes if the segment has the expected length.",
        spec="WireCommands.ConditionalBlockEnd",
        since="0.9.0",
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
            field(
                "data",
                raw(I32, slot="pravega.block"),
                "Bytes to append, without a head of their own.",
                role="body",
            ),
            REQUEST_ID,
        ),
        shows="{@segment} event={event_number} expected={expected_offset} writer={writer_id}",
    ),
)
