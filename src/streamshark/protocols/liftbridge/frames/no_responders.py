"""An answer of NATS in place of a server: there is no subscription on the subject of a request.

It is a message without bytes, its status 503 is in the header block of NATS. Requests to a
server that is gone, or not ready yet, end so.

Source: nats-server v2.9.10, server/client.go, `NATS/1.0 503`.
"""

from streamshark.protocols.liftbridge.types import BARE
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="no_responders",
        key="no_responders",
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="No subscriber listens on the subject of the request.",
        spec="nats-server v2.9.10, server/client.go",
        dialect=BARE,
    ),
)
