"""A message on the subject of a stream that has no envelope, or one that does not decode.

The server makes of it a message without a key whose value is all of its bytes, and acknowledges it
to no publisher. Any NATS client may publish this way.

Source: liftbridge v1.9.0, server/partition.go, natsToProtoMessage.
"""

from streamshark.protocols.liftbridge.types import BARE
from streamshark.schema import REST, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="plain_publish",
        key="plain_publish",
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Publishes bytes as they are.",
        spec="liftbridge v1.9.0, server/partition.go, natsToProtoMessage",
        body=(
            field(
                "value",
                raw(REST, slot="liftbridge.value"),
                "The value of the message that the server stores: everything.",
                role="body",
            ),
        ),
        dialect=BARE,
        shows="{value:bytes} {value:text}",
    ),
)
