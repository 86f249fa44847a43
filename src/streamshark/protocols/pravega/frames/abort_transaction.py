"""ABORT_TRANSACTION (26) and TRANSACTION_ABORTED (27): it is given up.

Removed in 0.3.
Later releases make a segment for each transaction and merge it.

Spec: WireCommands.AbortTransaction, TransactionAborted of release 0.2.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, TRANSACTION_ID
from streamshark.schema import FrameSchema, Kind, Side

FRAMES = (
    FrameSchema(
        name="abort_transaction",
        key=TypeCode.ABORT_TRANSACTION,
        kind=Kind.REQUEST,
        sender=Side.CLIENT,
        doc="Asks to abort a transaction.",
        spec="WireCommands.AbortTransaction",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows={"segment": "segment"},
    ),
    FrameSchema(
        name="transaction_aborted",
        key=TypeCode.TRANSACTION_ABORTED,
        kind=Kind.RESPONSE,
        sender=Side.SERVER,
        doc="Says that the transaction is aborted.",
        spec="WireCommands.TransactionAborted",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows={"segment": "segment"},
    ),
)
