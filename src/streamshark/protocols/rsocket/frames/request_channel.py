"""REQUEST_CHANNEL (0x07): a requester opens a stream of payloads in both directions.

It holds the requester's first payload, which needs no grant. With complete it is the only one.
rsocket-go 0.8.12 and rsocket_rust 0.7.5 also set the bit of next, which the document does not give
this frame. rsocket-java 1.1.5 takes complete here and never sends it: a PAYLOAD with complete
follows.

Dialect `0.1`: `initial_request_n` is there only with its flag.

Spec: Protocol.md, "REQUEST_CHANNEL Frame (0x07)".
"""

from streamshark.protocols.rsocket.codes import Flag, FrameType, OldFlag, OldType
from streamshark.protocols.rsocket.types import (
    INITIAL_REQUEST_N,
    OLD,
    OLD_INITIAL_REQUEST_N,
    OLD_PAYLOAD,
    OLD_REQUEST_FLAGS,
    PAYLOAD,
    REQUEST_FLAGS,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, When, this

FRAMES = (
    FrameSchema(
        name="request_channel",
        key=FrameType.REQUEST_CHANNEL,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Opens a stream of payloads in both directions.",
        spec="Protocol.md, REQUEST_CHANNEL Frame (0x07)",
        flags={**REQUEST_FLAGS, Flag.COMPLETE: "complete", Flag.NEXT: "next"},
        body=(INITIAL_REQUEST_N, *PAYLOAD),
        shows=(
            "stream={stream_id} metadata={metadata:inside} n={initial_request_n} "
            "{flags:not metadata?} {data?}"
        ),
    ),
    FrameSchema(
        name="request_channel",
        key=OldType.REQUEST_CHANNEL,
        dialect=OLD,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Opens a stream of payloads in both directions.",
        spec="Protocol.md of tag v0.1, REQUEST_CHANNEL",
        flags={
            **OLD_REQUEST_FLAGS,
            OldFlag.COMPLETE: "complete",
            OldFlag.INITIAL_N: "initial_n",
        },
        body=(When(this.flags & OldFlag.INITIAL_N, OLD_INITIAL_REQUEST_N), *OLD_PAYLOAD),
        shows=(
            "stream={stream_id} metadata={metadata:inside} n={initial_request_n} "
            "{flags:not metadata?} {data?}"
        ),
    ),
)
