"""How long the next frame is and which frame it is, and all frames of the protocol.

On TCP a frame is a 24-bit length (of what follows it), a reserved bit with a 31-bit stream id, and
six bits of type with ten of flags; one after the other, in both directions. Transports that keep
messages apart (WebSocket, Aeron) leave the length out.

Dialect `0.1`, the layout before February 2017: a 31-bit length that counts itself, 16 bits of type,
16 of flags, 32 of stream id.
"""

import re
from functools import cache
from typing import Final

from streamshark.framing.wire_format import Fragmentation
from streamshark.protocols.protocol import declared
from streamshark.protocols.rsocket import frames
from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import OLD
from streamshark.schema import U16, U24, U32, Bits, FrameSchema, Head, field, part, reserved, this

PREFIX, OLD_PREFIX = 3, 4
"""Bytes of the length before a frame on TCP."""
SMALLEST: Final = 9
"""Bytes of the smallest frame, CANCEL: the length, which says 6, and the header."""
LARGEST: Final = 0xFFFFFF + PREFIX
"""Bytes of the largest frame: the length has 24 bits (Protocol.md, "Max Frame Size")."""
OLD_SMALLEST: Final = 12
OLD_LARGEST: Final = 64 * 1024 * 1024
"""Most bytes that are taken for a frame of version 0.1; its length has 31 bits."""

_STREAM_ID: Final = "Stream that the frame belongs to; 0 is the connection."

_HEADER: Final = (
    Bits(4, reserved(1), part("stream_id", 31, _STREAM_ID, role="correlates")),
    Bits(
        2,
        part("frame_type", 6, "Which frame this is.", names=FrameType, base="hex"),
        part("flags", 10, "What the frame holds and means; each type names its own."),
    ),
)
HEAD: Final = Head(
    members=(
        field("length", U24, "Bytes of the frame after this number.", unit="bytes", role="sizes"),
        *_HEADER,
    ),
    total=this.length + PREFIX,
    key="frame_type",
    least=SMALLEST,
    most=LARGEST,
    hidden=("length", "frame_type"),
    source="Protocol.md, Framing Protocol and Max Frame Size",
    flags="flags",
)
BARE_HEAD: Final = Head(
    members=_HEADER,
    total=None,
    key="frame_type",
    least=SMALLEST - PREFIX,
    most=LARGEST - PREFIX,
    hidden=("frame_type",),
    source="Protocol.md, Transport Protocol and Max Frame Size",
    flags="flags",
)
"""Of a frame that is a message: WebSocket gives its length."""

_OLD_HEADER: Final = (
    field("frame_type", U16, "Which frame this is.", names=OldType, base="hex"),
    field("flags", U16, "What the frame holds and means; each type names its own."),
    field("stream_id", U32, _STREAM_ID, role="correlates"),
)
OLD_HEAD: Final = Head(
    members=(
        Bits(4, reserved(1), part("length", 31, "Bytes of the frame, all of it.", unit="bytes")),
        *_OLD_HEADER,
    ),
    total=this.length + 0,
    key="frame_type",
    least=OLD_SMALLEST,
    most=OLD_LARGEST,
    hidden=("length", "frame_type"),
    source="Protocol.md of tag v0.1, Framing Format; the most is ours",
    flags="flags",
)
OLD_BARE_HEAD: Final = Head(
    members=_OLD_HEADER,
    total=None,
    key="frame_type",
    least=OLD_SMALLEST - OLD_PREFIX,
    most=OLD_LARGEST - OLD_PREFIX,
    hidden=("frame_type",),
    source="Protocol.md of tag v0.1, Transport Protocol; the most is ours",
    flags="flags",
)

HEADS: Final = {"": HEAD, OLD: OLD_HEAD}
BARE_HEADS: Final = {"": BARE_HEAD, OLD: OLD_BARE_HEAD}
"""Dialect to head, on TCP and where frames are messages."""

FRAGMENTS: Final = Fragmentation(
    by="stream_id",
    flags="flags",
    more="follows",
    continued=frozenset({"payload", "response"}),
    ended=frozenset({"cancel", "error"}),
    parts=("metadata", "data"),
)
"""Requests and payloads with follows continue in PAYLOAD frames (version 0.1: in RESPONSE).

Follows counts also beside complete, against the document: rsocket_rust cuts a completing PAYLOAD so
that its first frame has both, and a peer that means the last frame has no reason to set it.
"""

MARKS: Final = re.compile(
    rb"(?=[\x00-\xff]{3}"  # any length; then the stream and a type that may be there
    rb"(?:\x00{4}[\x04-\x0f\x2c-\x3b\xfc-\xff]|(?!\x00{4})[\x00-\x7f][\x00-\xff]{3}"
    rb"[\x10-\x33\xfc-\xff])[\x00\x20\x40\x60\x80\xa0\xc0\xe0]"  # no unnamed flag
    rb"|\x00[\x00-\xff]{3}(?:\x00[\x01-\x0f]|\xff\xff))"  # 0.1: length, type
)
"""Matches at the first byte of every plausible head, of either layout."""


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Every frame, in the order of the document's types."""
    found = declared(frames)
    return tuple(sorted(found, key=lambda frame: (frame.dialect, int(frame.key))))
