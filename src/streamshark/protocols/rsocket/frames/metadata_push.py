"""METADATA_PUSH (0x0C): metadata that belongs to the connection; nothing answers it.

Metadata has no length before it. The document wants the flag metadata and stream 0; rsocket-js
0.0.27 and rsocket_rust 0.7.5 leave the flag out, and rsocket_rust sends it on a stream of its own.
rsocket-java 1.1.5 takes both, and so it is read here.

Dialect `0.1`: metadata with a length, as in all frames.

Spec: Protocol.md, "METADATA_PUSH Frame (0x0C)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import ALWAYS, METADATA_SLOT, OLD, OLD_ALWAYS, OLD_METADATA
from streamshark.schema import REST, FrameKind, FrameSchema, Sender, field, raw

_METADATA = field(
    "metadata", raw(REST, slot=METADATA_SLOT), "Metadata, up to the end, without a length."
)

FRAMES = (
    FrameSchema(
        name="metadata_push",
        key=FrameType.METADATA_PUSH,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Sends metadata that belongs to the connection.",
        spec="Protocol.md, METADATA_PUSH Frame (0x0C)",
        flags=ALWAYS,
        body=(_METADATA,),
        shows="metadata={metadata:inside}",
    ),
    FrameSchema(
        name="metadata_push",
        key=OldType.METADATA_PUSH,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Sends metadata that belongs to the connection.",
        spec="Protocol.md of tag v0.1, METADATA_PUSH",
        flags=OLD_ALWAYS,
        body=(OLD_METADATA,),
        shows="metadata={metadata:inside}",
    ),
)
