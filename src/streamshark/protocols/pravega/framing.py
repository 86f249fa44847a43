"""How long the next frame is and which frame it is, and all frames of the protocol.

A frame is a signed 32-bit type code, a 32-bit length of the payload, and the payload; one after the
other, in both directions, without magic, checksum or version. The length has 24 bits (23 before
release 0.7.0): its first byte is always 0. An append block is announced when it begins, and its
bytes may come much later: it is one open frame until then.
"""

import re
from functools import cache
from typing import Final

from streamshark.protocols.pravega import frames
from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.release_0_0 import oldest
from streamshark.protocols.pravega.types import DRAFT, OLDEST
from streamshark.protocols.protocol import declared
from streamshark.schema import I32, FrameSchema, Head, field, this

SMALLEST: Final = 8
"""Bytes of the smallest frame, KEEP_ALIVE: nothing but the head."""
LARGEST: Final = 0xFFFFFF + 8
"""Bytes of the largest frame (`WireCommands.MAX_WIRECOMMAND_SIZE` limits the payload)."""

HEAD: Final = Head(
    members=(
        field("type_code", I32, "Which command this is.", names=TypeCode),
        field("payload_length", I32, "Bytes after this number.", unit="bytes", role="sizes"),
    ),
    total=this.payload_length + 8,
    key="type_code",
    least=SMALLEST,
    most=LARGEST,
    hidden=("type_code", "payload_length"),
    source="WireCommands.MAX_WIRECOMMAND_SIZE",
)

HEADS: Final = {"": HEAD, OLDEST: HEAD, DRAFT: HEAD}
"""Dialect to head: it never changed."""
ALONE: Final = frozenset({DRAFT})
"""Dialects that share no layout with the default one."""

MARKS: Final = re.compile(
    rb"(?=(?:\x00\x00\x00[\x01-\x05\x07-\x0e\x14-\x2a\x32-\x3d\x44-\x5b\x64]"  # a known code
    rb"|\xff\xff\xff[\x81\xfa-\xfd])\x00)"  # a negative one; the length's first byte
)
"""Matches at the first byte of every plausible head, but of what is inside blocks only."""


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Every frame, in the order of the type codes; then those of the dialects."""
    from streamshark.protocols.pravega import draft_spec  # noqa: PLC0415 - as frames, loaded when met

    found = declared(frames)
    found += (*oldest(found), *draft_spec.FRAMES)
    return tuple(sorted(found, key=lambda frame: (frame.dialect, int(frame.key))))
