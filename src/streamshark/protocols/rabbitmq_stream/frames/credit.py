"""Credit (0x09): a client lets the server send more chunks.

One credit is one chunk. The frame has no correlation id, and neither has its response, which
comes only when something is wrong: 4, no such subscription (a common race with Unsubscribe and
MetadataUpdate), or 17, a single active consumer that is not active (the credit counts all the
same).

The document types the number uint16; brokers read it signed, so 32768 and above take credit away
(`rabbit_stream_core.erl`, `parse_request`; rabbitmq-server issue 17293).

Spec: PROTOCOL.adoc, "Credit".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    OUTCOME_OF_STREAM,
    RESPONSE_CODE,
    SUBSCRIPTION_ID,
)
from streamshark.schema import I16, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="credit",
        key=Key.CREDIT,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Lets the server send more chunks.",
        spec="PROTOCOL.adoc, Credit",
        since="3.9.0",
        body=(
            SUBSCRIPTION_ID,
            field(
                "credit", I16, "Chunks more; a negative number takes credit away.", unit="chunks"
            ),
        ),
        shows="{@stream} sub={subscription_id} {credit:signed}",
    ),
    FrameSchema(
        name="credit",
        key=Key.CREDIT,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that credit could not be given.",
        spec="PROTOCOL.adoc, Credit",
        since="3.9.0",
        body=(RESPONSE_CODE, SUBSCRIPTION_ID),
        shows=f"{OUTCOME_OF_STREAM} sub={{subscription_id}}",
    ),
)
