"""SETUP_APPEND (1) and APPEND_SETUP (2): a writer begins to append to a segment.

The reply says up to which event number the segment has the writer's events, which acknowledges all
of them. The request id is the same in the set-up and in all appends that follow. A server keeps a
writer's segment as long as the connection lives; a failed set-up re-maps the writer too.

Spec: WireCommands.SetupAppend, WireCommands.AppendSetup.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT, WRITER_ID
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="setup_append",
        key=TypeCode.SETUP_APPEND,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to append events of a writer to a segment.",
        spec="WireCommands.SetupAppend",
        body=(
            REQUEST_ID,
            WRITER_ID,
            SEGMENT,
            DELEGATION_TOKEN,
        ),
        shows="{segment} writer={writer_id}",
    ),
    FrameSchema(
        name="append_setup",
        key=TypeCode.APPEND_SETUP,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the writer may append, and what is stored of it.",
        spec="WireCommands.AppendSetup",
        body=(
            REQUEST_ID,
            SEGMENT,
            WRITER_ID,
            field(
                "last_event_number",
                I64,
                "Newest event of the writer that is stored; the lowest number for none.",
            ),
        ),
        shows="{segment} last={last_event_number} writer={writer_id}",
    ),
)
