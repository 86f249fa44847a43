"""Which frame a message of the carrier is, and all frames of the protocol.

HTTP/2 has no bytes that are a call's as they are meant: headers are compressed, and messages run
over the borders of frames. The carrier hands each over in the layout of its slot `http2.call`: a
kind, flags, the stream, then members by kind.
"""

from functools import cache
from typing import Final

from streamshark.protocols.grpc import frames
from streamshark.protocols.grpc.codes import Kind
from streamshark.protocols.protocol import declared
from streamshark.schema import U8, U32, FrameSchema, Head, field

SMALLEST: Final = 10
"""Bytes of the smallest one: a head and two empty texts."""
LARGEST: Final = 0x1100000
"""Most bytes: a message of 16 MiB and what precedes it."""
HEAD: Final = Head(
    members=(
        field("kind", U8, "What it is.", names=Kind),
        field("flags", U8, "Whether the side is done, a message was packed, headers are missing."),
        field("stream_id", U32, "Stream of the connection; one for each call.", role="correlates"),
    ),
    total=None,
    key="kind",
    least=SMALLEST,
    most=LARGEST,
    hidden=("kind",),
    source="the carrier's slot http2.call; the most is ours",
    flags="flags",
)
HEADS: Final = {"": HEAD}


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Every frame, in the order of a call."""
    return tuple(sorted(declared(frames), key=lambda frame: int(frame.key)))
