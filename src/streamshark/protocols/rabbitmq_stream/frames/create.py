"""Create (0x0d): a client creates a stream.

The response is the plain one, which the document does not describe. 5: the stream exists; 15: the
broker failed; 16: no configure permission; 17: a bad name (empty, or beginning `amq.`) or a bad
argument. Arguments that the broker does not know are ignored with code 1.

Spec: PROTOCOL.adoc, "Create".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    MAP,
    OUTCOME_OF_STREAM,
    RESPONSE,
    STREAM,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="create",
        key=Key.CREATE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Creates a stream.",
        spec="PROTOCOL.adoc, Create",
        since="3.9.0",
        body=(
            CORRELATION_ID,
            STREAM,
            field(
                "arguments",
                MAP,
                "Settings, numbers as text too: `max-length-bytes`, `max-age`, "
                "`stream-max-segment-size-bytes`, `initial-cluster-size`, `queue-leader-locator`, "
                "`stream-filter-size-bytes`, and from 4.4 on `stream-initial-offset`.",
            ),
        ),
        shows="{stream} {arguments.key}={arguments.value}",
    ),
    FrameSchema(
        name="create",
        key=Key.CREATE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the stream was created.",
        spec="PROTOCOL.adoc, Create",
        since="3.9.0",
        body=RESPONSE,
        shows=OUTCOME_OF_STREAM,
    ),
)
