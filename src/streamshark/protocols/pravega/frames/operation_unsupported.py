"""OPERATION_UNSUPPORTED (57): the server cannot do this.

Spec: WireCommands.OperationUnsupported.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, STACK_TRACE, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="operation_unsupported",
        key=TypeCode.OPERATION_UNSUPPORTED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the operation is not supported.",
        spec="WireCommands.OperationUnsupported",
        since="0.2.0",
        body=(
            REQUEST_ID,
            field("operation_name", STRING, "Which one.", role="keyword"),
            STACK_TRACE,
        ),
        shows="! {operation_name}",
    ),
)
