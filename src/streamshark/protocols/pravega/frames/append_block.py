"""APPEND_BLOCK (3): bytes of events of a writer; APPEND_BLOCK_END follows directly.

The length is announced when the block begins, its bytes follow as the client writes them, up to the
timeout of a batch later: the frame is open until then. A block that grows holds events and then one
PADDING or PARTIAL_EVENT that fills it to its end; one of known size holds whole writes only.
Events have their own head (0 and a length); byte streams and transactions in transit have not, so
the content is read as records only where it is one. There is no request id.

Spec: WireCommands.AppendBlock.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import WRITER_ID
from streamshark.schema import REST, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="append_block",
        key=TypeCode.APPEND_BLOCK,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Bytes of events that a writer appends.",
        spec="WireCommands.AppendBlock",
        body=(
            WRITER_ID,
            field(
                "data",
                raw(REST, slot="pravega.block"),
                "Events, and what fills the block up.",
                role="body",
            ),
        ),
        shows="{@segment} {data:bytes} writer={writer_id}",
    ),
)
