"""GET_TRANSACTION_INFO (13) and TRANSACTION_INFO (14): what a transaction is; removed in 0.3.

Spec: WireCommands.GetTransactionInfo, TransactionInfo of release 0.2.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STRING, TRANSACTION_ID, flag
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="get_transaction_info",
        key=TypeCode.GET_TRANSACTION_INFO,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks what a transaction is.",
        spec="WireCommands.GetTransactionInfo",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="transaction_info",
        key=TypeCode.TRANSACTION_INFO,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says what a transaction is.",
        spec="WireCommands.TransactionInfo",
        body=(
            REQUEST_ID,
            SEGMENT,
            TRANSACTION_ID,
            field("transaction_name", STRING, "Its own segment."),
            flag("exists", "True when it is there."),
            flag("is_sealed", "True when nothing can be appended."),
            field("last_modified", I64, "Time of the last change.", unit="ms", role="chance time"),
            field("data_length", I64, "Its length.", unit="bytes"),
        ),
        shows="{segment} {transaction_id} {is_sealed?sealed} {exists?exists|missing}",
    ),
)
