"""Add (1) and its response (2): a client adds to a counter and learns the new total."""

from streamshark.schema import U8, U16, U32, FrameKind, FrameSchema, Sender, field, text
from tally.codes import Key, ResponseCode

CORRELATION_ID = field(
    "correlation_id", U16, "Number that the response repeats.", role="correlates"
)

FRAMES = (
    FrameSchema(
        name="add",
        key=Key.ADD,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Adds to a counter.",
        spec="docs/adding-a-protocol.md",
        body=(
            CORRELATION_ID,
            field("counter", text(U8), "Name of the counter."),
            field("amount", U8, "What to add."),
        ),
        shows="{counter} amount={amount}",
    ),
    FrameSchema(
        name="add_response",
        key=Key.ADD_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Returns the new total of the counter.",
        spec="docs/adding-a-protocol.md",
        body=(
            CORRELATION_ID,
            field("code", U8, "How the request ended.", role="response_code", names=ResponseCode),
            field("total", U32, "Value of the counter; 0 after an error."),
        ),
        shows="code={code:ok ok} total={total}",
    ),
)
