"""CreateSuperStream (0x1d): a client creates a super stream and its partitions, since 3.13.0.

The response is the plain one, which the document does not describe; 1, 5, 15, 16, 17. The two
lists in the middle are the only ones of a request whose count the broker honours.

Spec: PROTOCOL.adoc, "CreateSuperStream".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    MAP,
    OUTCOME,
    RESPONSE,
    STRING,
    array,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="create_super_stream",
        key=Key.CREATE_SUPER_STREAM,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Creates a super stream and its partitions.",
        spec="PROTOCOL.adoc, CreateSuperStream",
        since="3.13.0",
        body=(
            CORRELATION_ID,
            field("name", STRING, "Name of the super stream."),
            field("partitions", array(STRING), "Names of the streams to create.", role="stream"),
            field(
                "binding_keys", array(STRING), "Routing key of each partition, as many as those."
            ),
            field("arguments", MAP, "Settings of each partition, as in Create."),
        ),
        shows="{name} partitions={partitions} keys={binding_keys}",
    ),
    FrameSchema(
        name="create_super_stream",
        key=Key.CREATE_SUPER_STREAM,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the super stream was created.",
        spec="PROTOCOL.adoc, CreateSuperStream",
        since="3.13.0",
        body=RESPONSE,
        shows=OUTCOME,
    ),
)
