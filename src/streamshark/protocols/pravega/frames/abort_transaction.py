"""ABORT_TRANSACTION (26) and TRANSACTION_ABORTED (27): it is given up.

Removed in 0.3.
Later releases make a segment for each transaction and merge it.

Spec: WireCommands.AbortTransaction, TransactionAborted of release 0.2.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, TRANSACTION_ID
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="abort_transaction",
        key=TypeCode.ABORT_TRANSACTION,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to abort a transaction.",
        spec="WireCommands.AbortTransaction",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment} {transaction_id}",
    ),
    FrameSchema(
        name="transaction_aborted",
        key=TypeCode.TRANSACTION_ABORTED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the transaction is aborted.",
        spec="WireCommands.TransactionAborted",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment} {transaction_id}",
    ),
)
