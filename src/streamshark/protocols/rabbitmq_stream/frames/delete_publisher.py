"""DeletePublisher (0x06): a client gives up a publisher.

The response is the plain one; 18: no such publisher on this connection. Confirms still due are
dropped from 3.12.11 and 3.13.0 on.

Spec: PROTOCOL.adoc, "DeletePublisher".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME_OF_STREAM,
    PUBLISHER_ID,
    RESPONSE,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="delete_publisher",
        key=Key.DELETE_PUBLISHER,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Gives up a publisher.",
        spec="PROTOCOL.adoc, DeletePublisher",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            PUBLISHER_ID,
        ),
        shows="{@stream} pub={publisher_id}",
    ),
    FrameSchema(
        name="delete_publisher",
        key=Key.DELETE_PUBLISHER,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the publisher was known.",
        spec="PROTOCOL.adoc, DeletePublisher",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME_OF_STREAM,
    ),
)
