"""REQUEST_SUB (0x0007): a requester asks for payloads without an end; version 0.1 alone.

Spec: Protocol.md of tag v0.1, "Request Subscription Frame".
"""

from streamshark.protocols.rsocket.codes import OldType
from streamshark.protocols.rsocket.types import (
    OLD,
    OLD_INITIAL_REQUEST_N,
    OLD_PAYLOAD,
    OLD_REQUEST_FLAGS,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="request_sub",
        key=OldType.REQUEST_SUB,
        dialect=OLD,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for payloads without an end.",
        spec="Protocol.md of tag v0.1, Request Subscription",
        flags=OLD_REQUEST_FLAGS,
        body=(OLD_INITIAL_REQUEST_N, *OLD_PAYLOAD),
        shows=(
            "stream={stream_id} metadata={metadata:inside} n={initial_request_n} "
            "{flags:not metadata?} {data?}"
        ),
    ),
)
