"""INVALID_EVENT_NUMBER (55): a writer's event number is not above the stored one.

Release 0.13 put the request id where the event number was and that to the end; the Rust client
still reads the older form. Both are distinguished by what fits, whatever HELLO said. The server
closes then.

Spec: WireCommands.InvalidEventNumber.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    EVENT_NUMBER,
    REQUEST_ID,
    STACK_TRACE,
    STRING,
    WRITER_ID,
)
from streamshark.schema import Fits, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="invalid_event_number",
        key=TypeCode.INVALID_EVENT_NUMBER,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that an event number is not above the stored one.",
        spec="WireCommands.InvalidEventNumber",
        since="0.1.0",
        body=(
            WRITER_ID,
            Fits(
                since_0_13=(
                    REQUEST_ID,
                    field(
                        "server_stack_trace",
                        STRING,
                        "Where the server failed; mostly empty.",
                        role="text",
                    ),
                    EVENT_NUMBER,
                ),
                before=(EVENT_NUMBER, STACK_TRACE),
            ),
        ),
        shows="! {@segment} event={event_number} writer={writer_id}",
    ),
)
