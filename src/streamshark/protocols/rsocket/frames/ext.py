"""EXT (0x3F): something that an extension defines; none is known.

What follows the type is the extension's; read as rsocket-java writes it, metadata and data.
rsocket-java 1.1.5 always sets ignore, and answers a frame of this type with ERROR 0x201. The
document has frames of unknown types passed over where ignore is set; rsocket-java 1.1.5 closes the
connection all the same (seen with type 0x20).

Spec: Protocol.md, "EXT (Extension) Frame (0x3F)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import ALWAYS, OLD, OLD_ALWAYS, OLD_PAYLOAD, PAYLOAD, u31
from streamshark.schema import U32, FrameKind, FrameSchema, Sender, field

_TYPE = "Which extension; none is assigned."

FRAMES = (
    FrameSchema(
        name="ext",
        key=FrameType.EXT,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Brings something that an extension defines.",
        spec="Protocol.md, EXT (Extension) Frame (0x3F)",
        flags=ALWAYS,
        body=(u31("extended_type", _TYPE), *PAYLOAD),
        shows="stream={stream_id} type={extended_type} {data?}",
    ),
    FrameSchema(
        name="ext",
        key=OldType.EXT,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Brings something that an extension defines.",
        spec="Protocol.md of tag v0.1, EXT (Extension)",
        flags=OLD_ALWAYS,
        body=(
            field("extended_type", U32, _TYPE),
            *OLD_PAYLOAD,
        ),
        shows="stream={stream_id} type={extended_type} {data?}",
    ),
)
