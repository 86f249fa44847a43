"""APPEND_BLOCK_END (4): how much of a block counts, and the rest of its last event.

What is appended is the first `size_of_whole_events` bytes of the block, then what a PARTIAL_EVENT
at its end holds and `data`; after PADDING there is no `data`. It may come without a block: then
`data` is all (the Rust and Python clients always do so). Until 0.4 the last member is unused and 0.
An append of nothing (size 0, no data, count 1) is seen around flushes.

Spec: WireCommands.AppendBlockEnd.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import LATER_REQUEST_ID, WRITER_ID
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="append_block_end",
        key=TypeCode.APPEND_BLOCK_END,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Ends an append block.",
        spec="WireCommands.AppendBlockEnd",
        body=(
            WRITER_ID,
            field(
                "size_of_whole_events",
                I32,
                "Bytes of the block in front of what fills it up.",
                unit="bytes",
            ),
            field(
                "data",
                raw(I32, slot="pravega.block"),
                "The rest of the last event, or whole events where no block came before.",
                role="body",
            ),
            field("num_events", I32, "Events in the block and here."),
            field(
                "last_event_number",
                I64,
                "Number of the last one; it is what is acknowledged.",
                role="identifies",
            ),
            LATER_REQUEST_ID,
        ),
        shows="{@segment} events={num_events} last={last_event_number} writer={writer_id}",
    ),
)
