"""NO_SUCH_TRANSACTION (54): there is no such transaction; removed in 0.3.

Spec: WireCommands.NoSuchTransaction.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="no_such_transaction",
        key=TypeCode.NO_SUCH_TRANSACTION,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that there is no such transaction.",
        spec="WireCommands.NoSuchTransaction",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="! {segment}",
    ),
)
