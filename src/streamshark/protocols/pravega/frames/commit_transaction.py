"""COMMIT_TRANSACTION (24) and TRANSACTION_COMMITTED (25): a transaction ends.

Removed in 0.3.
Later releases make a segment for each transaction and merge it.

Spec: WireCommands.CommitTransaction, TransactionCommitted of release 0.2.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, TRANSACTION_ID
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="commit_transaction",
        key=TypeCode.COMMIT_TRANSACTION,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to commit a transaction.",
        spec="WireCommands.CommitTransaction",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment} {transaction_id}",
    ),
    FrameSchema(
        name="transaction_committed",
        key=TypeCode.TRANSACTION_COMMITTED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the transaction is committed.",
        spec="WireCommands.TransactionCommitted",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment} {transaction_id}",
    ),
)
