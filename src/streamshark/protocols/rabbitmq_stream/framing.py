"""How long the next frame is and which frame it is, and all frames of the protocol.

A frame is a 32-bit size (of what follows it), a response bit with a 15-bit key, and a 16-bit
version; one after the other, in both directions, without any other layer.

The older document shows the keys of responses without the bit; its text says that the bit is set,
as brokers have it, but for 3.10 answering Route and Partitions and for clients answering Tune:
as the docstrings of those frames state. The head is the same in dialect `2020`.
"""

import re
from functools import cache
from typing import Final

from streamshark.protocols.protocol import declared
from streamshark.protocols.rabbitmq_stream import frames
from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.schema import U16, U32, Bits, FrameSchema, Head, field, part, this

SMALLEST: Final = 8
"""Bytes of the smallest frame, Heartbeat: a size, which says 4, and nothing after the version."""
LARGEST: Final = 64 * 1024 * 1024
"""Most bytes that are taken for a frame.

The protocol has no limit of its own: a frame size of 0 means none, and a Deliver may be larger than
the agreed size. Brokers propose 1 MiB (`rabbit_stream.hrl`, `DEFAULT_FRAME_MAX`); 64 times that is
also what 4.3.5 lets a sub-batch unpack to.
"""

HEAD: Final = Head(
    members=(
        field("size", U32, "Bytes of the frame after this number.", unit="bytes", role="sizes"),
        Bits(
            2,
            part("response", 1, "Set on responses."),
            part("key", 15, "Which command this is.", names=Key, base="hex"),
        ),
        field("version", U16, "Version of the command: 1, for Publish and Deliver also 2."),
    ),
    total=this.size + 4,
    key="key",
    version="version",
    response="response",
    least=SMALLEST,
    most=LARGEST,
    hidden=("size", "response", "key", "version"),
    source="Heartbeat is the smallest frame; the most is ours (the protocol has no limit).",
)
HEADS: Final = {"": HEAD, "2020": HEAD}
"""Dialect to head: it never changed."""

MARKS: Final = re.compile(
    rb"(?=[\x00-\x04][\x00-\xff]{3}"  # a size up to LARGEST
    rb"(?:[\x00\x80][\x01-\x1f]\x00[\x01\x02]"  # a known key, the bit set or not; version 1 or 2
    rb"|\x00\x08\x00\x00\x00\x01))"  # Deliver with its 32-bit version, dialect 2020
)
"""Matches at the first byte of every plausible head."""


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Every frame, in the order of the document's keys."""
    return tuple(sorted(declared(frames), key=lambda frame: int(frame.key)))
