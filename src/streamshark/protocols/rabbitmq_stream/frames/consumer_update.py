"""ConsumerUpdate (0x1a): the server makes a single active consumer active or not, since 3.11.0.

The request comes from the server, with correlation ids of its own from 0 on; the client responds
with where to continue reading (type 0: where Subscribe said). For `active` 0 the specification is
ignored. Without a response within 60 seconds the broker drops the connection, without Close.

The type is mandatory, its value there for 4 and 5 only, on which the document is silent. The
Python client rstream always appends 8 bytes; brokers tolerate that for types 0 to 3, and here
they show as a trailing problem.

Spec: PROTOCOL.adoc, "ConsumerUpdate".
"""

from streamshark.protocols.rabbitmq_stream.codes import Active, Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OFFSET_OR_NONE,
    OUTCOME,
    RESPONSE,
    SUBSCRIPTION_ID,
)
from streamshark.schema import U8, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="consumer_update",
        key=Key.CONSUMER_UPDATE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.SERVER,
        doc="Makes a consumer active or not.",
        spec="PROTOCOL.adoc, ConsumerUpdate",
        since="3.11.0",
        body=(
            CORRELATION_ID,
            SUBSCRIPTION_ID,
            field("active", U8, "Whether the consumer is to be active.", names=Active),
        ),
        shows="{@stream} {active} sub={subscription_id}",
    ),
    FrameSchema(
        name="consumer_update",
        key=Key.CONSUMER_UPDATE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.CLIENT,
        doc="States where an active consumer continues.",
        spec="PROTOCOL.adoc, ConsumerUpdate",
        since="3.11.0",
        body=(
            *RESPONSE,
            *OFFSET_OR_NONE,
        ),
        shows=(
            f"{{@stream}} from={{offset_type}} offset={{offset}} timestamp={{timestamp}} {OUTCOME}"
        ),
    ),
)
