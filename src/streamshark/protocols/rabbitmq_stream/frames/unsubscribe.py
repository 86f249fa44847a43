"""Unsubscribe (0x0c): a client ends a subscription.

The response is the plain one, which the document does not describe; 4: no such subscription.
Chunks already on their way may still come before it.

Spec: PROTOCOL.adoc, "Unsubscribe".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME_OF_STREAM,
    RESPONSE,
    SUBSCRIPTION_ID,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="unsubscribe",
        key=Key.UNSUBSCRIBE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Ends a subscription.",
        spec="PROTOCOL.adoc, Unsubscribe",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            SUBSCRIPTION_ID,
        ),
        shows="{@stream} sub={subscription_id}",
    ),
    FrameSchema(
        name="unsubscribe",
        key=Key.UNSUBSCRIBE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the subscription was known.",
        spec="PROTOCOL.adoc, Unsubscribe",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME_OF_STREAM,
    ),
)
