"""Close (0x16): either side ends the connection in good order.

The response is the plain one, sent by the other side. The closing code is a response code, on
which the document is silent: clients send 1 (some send 0, which is not in the table); the server
sends 13 with "unknown frame" or, from 4.2.6 and 4.3.0 on, 14 with "frame too large", its
correlation id always 1. Many failures end without Close.

Spec: PROTOCOL.adoc, "Close".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key, ResponseCode
from streamshark.protocols.rabbitmq_stream.types import CORRELATION_ID, OUTCOME, RESPONSE, STRING
from streamshark.schema import U16, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="close",
        key=Key.CLOSE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Ends the connection.",
        spec="PROTOCOL.adoc, Close",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            field("closing_code", U16, "Why; 1 in good order.", names=ResponseCode),
            field("closing_reason", STRING, "Why, in words; may be empty.", role="text"),
        ),
        shows="code={closing_code:ok ok} reason={closing_reason}",
    ),
    FrameSchema(
        name="close",
        key=Key.CLOSE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Agrees to the end.",
        spec="PROTOCOL.adoc, Close",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME,
    ),
)
