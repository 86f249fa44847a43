"""ERROR (0x0B): a stream, or on stream 0 the connection, has failed.

Ends the stream in both directions. The document draws 32 bits of code and gives a greatest value of
31; codes of 32 bits are read. rsocket_rust 0.7.5 and rsocket-js 1.0.0-alpha.3 turn every code of a
handler into 0x201. A rsocket-java 1.1.5 client leaves with 0x101 "Disposed". Where the document has
0x101 sent for a frame that cannot be read, rsocket-java 1.1.5 closes the connection without a
frame.

Dialect `0.1`: metadata may precede the text.

Spec: Protocol.md, "ERROR Frame (0x0B)".
"""

from streamshark.protocols.rsocket.codes import (
    ERROR_RANGES,
    OLD_ERROR_RANGES,
    ErrorCode,
    FrameType,
    OldErrorCode,
    OldType,
)
from streamshark.protocols.rsocket.types import BARE, OLD, OLD_ALWAYS, OLD_METADATA
from streamshark.schema import REST, U32, FrameKind, FrameSchema, Sender, field, text

_CODE = field(
    "error_code",
    U32,
    "What went wrong: up to 0x1ff on stream 0, from 0x201 on others.",
    names=ErrorCode,
    ranges=ERROR_RANGES,
    base="hex",
)
_OLD_CODE = field(
    "error_code",
    U32,
    "What went wrong: up to 0x1ff on stream 0, from 0x201 on others.",
    names=OldErrorCode,
    ranges=OLD_ERROR_RANGES,
    base="hex",
)
_TEXT = field("error_data", text(REST), "What went wrong, for people.", role="text")

FRAMES = (
    FrameSchema(
        name="error",
        key=FrameType.ERROR,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Says that a stream, or the connection on stream 0, has failed.",
        spec="Protocol.md, ERROR Frame (0x0B)",
        flags=BARE,
        body=(_CODE, _TEXT),
        shows="! stream={stream_id} code={error_code} {error_data}",
    ),
    FrameSchema(
        name="error",
        key=OldType.ERROR,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Says that a stream, or the connection on stream 0, has failed.",
        spec="Protocol.md of tag v0.1, ERROR",
        flags=OLD_ALWAYS,
        body=(_OLD_CODE, OLD_METADATA, _TEXT),
        shows="! stream={stream_id} code={error_code} {error_data}",
    ),
)
