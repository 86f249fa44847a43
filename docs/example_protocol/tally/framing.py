"""How long the next frame is and which frame it is, and all frames of the protocol."""

from functools import cache
from typing import Final

from streamshark.protocols.protocol import declared
from streamshark.schema import U8, U16, FrameSchema, Head, field, this
from tally import frames
from tally.codes import Key

HEAD: Final = Head(
    members=(
        field("size", U16, "Bytes of the frame after this number.", unit="bytes", role="sizes"),
        field("key", U8, "Which command this is.", names=Key),
    ),
    total=this.size + 2,
    key="key",
    least=5,
    most=1024,
    hidden=("size", "key"),
    source="docs/adding-a-protocol.md: size, key and correlation id; 1024 bytes at most",
)
HEADS: Final = {"": HEAD}
"""Dialect to head; there is only one dialect."""


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Return every frame, in the order of the keys."""
    return tuple(sorted(declared(frames), key=lambda frame: int(frame.key)))
