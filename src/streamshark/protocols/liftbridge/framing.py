"""Heads, and all frames of the protocol.

An envelope has no length: the payload of a NATS message is one. Its header says where the body
begins; all that was ever sent has eight bytes of header and no sum.
"""

from functools import cache
from typing import Final

from streamshark.protocols.liftbridge import frames
from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.types import ALPHA, BARE, CHECKSUM, ENVELOPE, LIFT
from streamshark.protocols.protocol import declared
from streamshark.schema import (
    U8,
    U32,
    FrameSchema,
    Head,
    Literal,
    When,
    field,
    len_,
    raw,
    this,
)

MAGIC: Final = b"\xb9\x0e\x43\xb4"
OLD_MAGIC: Final = b"LIFT"
SMALLEST: Final = 8
"""Bytes of an envelope without a body: all members of it have their default."""
LARGEST: Final = 64 * 1024 * 1024
"""Most bytes of a NATS message that a server can be configured to accept."""
_SUM: Final = (this.flags & CHECKSUM) * 4

HEAD: Final = Head(
    members=(
        Literal(MAGIC, "Magic number."),
        field("version", U8, "Version of the envelope: 0."),
        field(
            "header_length",
            U8,
            "Where the body begins: 8, with a sum 12.",
            unit="bytes",
            claims=_SUM + SMALLEST + len_(this.extension),
        ),
        field("flags", U8, "What the header has.", flags={CHECKSUM: "checksum"}),
        field("message_type", U8, "Which message.", names=MessageType),
        When(
            this.flags & CHECKSUM,
            field("checksum", U32, "CRC-32C of the body.", base="hex"),
        ),
        When(
            this.header_length > _SUM + SMALLEST,
            field(
                "extension",
                raw(this.header_length - _SUM - SMALLEST),
                "More header than is known; servers read over it.",
            ),
        ),
    ),
    total=None,
    key="message_type",
    version="version",
    least=SMALLEST,
    most=LARGEST,
    hidden=("version", "header_length", "message_type"),
    source=f"{ENVELOPE}, checkEnvelope; the most is that of NATS",
)
OLD_HEAD: Final = Head(
    members=(Literal(OLD_MAGIC, "Magic number of 2019."),),
    total=None,
    key="",
    least=len(OLD_MAGIC) + 1,
    most=LARGEST,
    source="liftbridge v0.0.1-alpha, server/partition.go, getMessage",
)
NO_HEAD: Final = Head(members=(), total=None, key="", least=0, most=LARGEST)
HEADS: Final = {"": HEAD, LIFT: OLD_HEAD, ALPHA: HEAD, BARE: NO_HEAD}
ALONE: Final = frozenset({LIFT, BARE})
"""Dialects that share no layout with the default one."""


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Every frame, those of the default dialect first: by type, then what has none."""
    order = list(HEADS)
    return tuple(
        sorted(
            declared(frames),
            key=lambda frame: (
                order.index(frame.dialect),
                isinstance(frame.key, str),
                frame.key if isinstance(frame.key, int) else 0,
                str(frame.key),
            ),
        )
    )
