"""REQUEST_STREAM (0x06): a requester asks for any number of payloads.

Answered by PAYLOAD frames, as many as `initial_request_n` and later REQUEST_N grant, up to one with
complete or ERROR. rsocket-java takes 0x7fffffff for no limit.

Spec: Protocol.md, "REQUEST_STREAM Frame (0x06)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import (
    INITIAL_REQUEST_N,
    OLD,
    OLD_INITIAL_REQUEST_N,
    OLD_PAYLOAD,
    OLD_REQUEST_FLAGS,
    PAYLOAD,
    REQUEST_FLAGS,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="request_stream",
        key=FrameType.REQUEST_STREAM,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for any number of payloads.",
        spec="Protocol.md, REQUEST_STREAM Frame (0x06)",
        flags=REQUEST_FLAGS,
        body=(INITIAL_REQUEST_N, *PAYLOAD),
        shows=(
            "stream={stream_id} metadata={metadata:inside} n={initial_request_n} "
            "{flags:not metadata?} {data?}"
        ),
    ),
    FrameSchema(
        name="request_stream",
        key=OldType.REQUEST_STREAM,
        dialect=OLD,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks for any number of payloads.",
        spec="Protocol.md of tag v0.1, REQUEST_STREAM",
        flags=OLD_REQUEST_FLAGS,
        body=(OLD_INITIAL_REQUEST_N, *OLD_PAYLOAD),
        shows=(
            "stream={stream_id} metadata={metadata:inside} n={initial_request_n} "
            "{flags:not metadata?} {data?}"
        ),
    ),
)
