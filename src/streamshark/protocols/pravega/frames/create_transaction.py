"""CREATE_TRANSACTION (22) and TRANSACTION_CREATED (23): a transaction begins.

Removed in 0.3.
Later releases make a segment for each transaction and merge it.

Spec: WireCommands.CreateTransaction, TransactionCreated of release 0.2.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, TRANSACTION_ID
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="create_transaction",
        key=TypeCode.CREATE_TRANSACTION,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to create a transaction.",
        spec="WireCommands.CreateTransaction",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment} {transaction_id}",
    ),
    FrameSchema(
        name="transaction_created",
        key=TypeCode.TRANSACTION_CREATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the transaction is created.",
        spec="WireCommands.TransactionCreated",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment} {transaction_id}",
    ),
)
