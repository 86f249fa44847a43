"""PAYLOAD (0x0A): a payload on a stream that a request opened, a piece of one, or the stream's end.

With next it holds a payload, with complete it is the last of its sender. A payload cut into
fragments continues in PAYLOAD frames, all but the last with follows, metadata before data; real
peers differ in which of next and complete they set on which fragment. rsocket_rust 0.7.5 sets
neither on continuations, and follows, complete and next on the first fragment of a PAYLOAD that
completes. The document wants next or complete on each PAYLOAD; rsocket-java 1.1.5 closes the
connection where neither is set. In version 0.1 RESPONSE takes its place.

Spec: Protocol.md, "PAYLOAD Frame (0x0A)".
"""

from streamshark.protocols.rsocket.codes import Flag, FrameType
from streamshark.protocols.rsocket.types import PAYLOAD, REQUEST_FLAGS
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="payload",
        key=FrameType.PAYLOAD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Brings a payload, a piece of one, or the end of a stream.",
        spec="Protocol.md, PAYLOAD Frame (0x0A)",
        flags={**REQUEST_FLAGS, Flag.COMPLETE: "complete", Flag.NEXT: "next"},
        body=PAYLOAD,
        shows="stream={stream_id} {flags:not metadata?} metadata={metadata:inside} {data?}",
    ),
)
