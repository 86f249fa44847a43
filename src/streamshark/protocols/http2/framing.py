"""How long the next frame is and what it is: RFC 9113, section 4.1.

A 24-bit length of the payload, a type, flags, a reserved bit and the stream. What DATA and headers
hold is as on the wire here: `link` takes off padding, joins header blocks and messages.
"""

import re
from typing import Final

from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.http2.codes import ID, Flag, FrameType, Setting
from streamshark.protocols.http2.codes import ErrorCode as Error
from streamshark.schema import (
    REST,
    U8,
    U16,
    U24,
    U32,
    Bits,
    Expression,
    FrameKind,
    FrameSchema,
    Head,
    Many,
    Member,
    Record,
    Sender,
    When,
    field,
    part,
    raw,
    reserved,
    this,
)

_SPEC: Final = "RFC 9113"
SMALLEST: Final = 9
LARGEST: Final = 0xFFFFFF + SMALLEST

HEAD: Final = Head(
    members=(
        field("length", U24, "Bytes of the payload.", unit="bytes", role="sizes"),
        field("type", U8, "What the frame is.", names=FrameType),
        field("flags", U8, "What the frame holds and means; each type names its own."),
        Bits(4, reserved(1), part("stream_id", 31, "Stream; 0 is the connection.")),
    ),
    total=this.length + SMALLEST,
    key="type",
    least=SMALLEST,
    most=LARGEST,
    hidden=("length",),
    source=f"{_SPEC}, 4.1",
    flags="flags",
)

_IS_PADDED: Final = (this.flags & Flag.PADDED) != 0
_HAS_PRIORITY: Final = (this.flags & Flag.PRIORITY) != 0
_PADDED: Final = When(
    this.flags & Flag.PADDED, field("pad_length", U8, "Bytes of padding.", unit="bytes")
)
_PADDING: Final = When(
    this.flags & Flag.PADDED, field("padding", raw(this.pad_length), "Zeros at the end.")
)
_DEPENDENCY: Final = (
    Bits(
        4,
        part("exclusive", 1, "Whether no other stream depends on that one.", boolean=True),
        part("stream_dependency", 31, "Stream that this one depends on."),
    ),
    field("weight", U8, "Its weight, less one."),
)


def _block(length: Expression) -> Member:
    return field("header_block", raw(length), "Headers, compressed by HPACK.")


def _error(sentence: str) -> Member:
    return field("error_code", U32, sentence, names=Error)


_ACK: Final = {int(Flag.ACK): "ack"}
_PAD: Final = {int(Flag.PADDED): "padded"}
_END: Final = {int(Flag.END_STREAM): "end_stream"}
_WHOLE: Final = {int(Flag.END_HEADERS): "end_headers"}
_TYPES: Final[tuple[tuple[FrameType, str, dict[int, str], tuple[Member, ...]], ...]] = (
    (FrameType.DATA, "Bytes of a stream.", _END | _PAD, (
        _PADDED,
        field("data", raw(this.length - _IS_PADDED - this.pad_length), "The bytes."),
        _PADDING)),
    (FrameType.HEADERS, "Headers of a stream, or their first part.",
     _END | _WHOLE | _PAD | {int(Flag.PRIORITY): "priority"}, (
        _PADDED,
        When(this.flags & Flag.PRIORITY, *_DEPENDENCY),
        _block(this.length - _IS_PADDED - _HAS_PRIORITY * 5 - this.pad_length),
        _PADDING)),
    (FrameType.PRIORITY, "How a stream depends on others.", {}, _DEPENDENCY),
    (FrameType.RST_STREAM, "Ends a stream at once.", {}, (_error("Why."),)),
    (FrameType.SETTINGS, "What the other side may do.", _ACK, (
        field("settings", Many(Record(
            field("identifier", U16, "What is set.", names=Setting),
            field("value", U32, "To what."))), "In their order."),)),
    (FrameType.PUSH_PROMISE, "A request that the server will answer unasked.", _WHOLE | _PAD, (
        _PADDED,
        Bits(4, reserved(1), part("promised_stream_id", 31, "The stream of the answer.")),
        _block(this.length - _IS_PADDED - this.pad_length - 4),
        _PADDING)),
    (FrameType.PING, "Asks whether the other side is there.", _ACK, (
        field("opaque_data", raw(8), "Repeated in the answer."),)),
    (FrameType.GOAWAY, "No more streams are taken.", {}, (
        Bits(4, reserved(1), part("last_stream_id", 31, "The last one that may have been read.")),
        _error("Why."),
        field("additional_debug_data", raw(REST), "More of it, for people."))),
    (FrameType.WINDOW_UPDATE, "More may be sent.", {}, (
        Bits(4, reserved(1), part("window_size_increment", 31, "So much.", unit="bytes")),)),
    (FrameType.CONTINUATION, "The next part of headers.", _WHOLE, (_block(this.length + 0),)),
)  # fmt: skip
FRAMES: Final = tuple(
    FrameSchema(
        name=key.name.lower(),
        key=key,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc=sentence,
        spec=f"{_SPEC}, 6.{key + 1}",
        body=body,
        flags=flags,
    )
    for key, sentence, flags, body in _TYPES
)

MARKS: Final = re.compile(
    rb"(?=[\x00-\xff]{3}[\x00\x01\x05\x09][\x00\x01\x04\x05\x08\x09\x0c\x0d\x20-\x2d]"
    rb"(?!\x00{4})[\x00-\x7f]"  # what is of a stream
    rb"|\x00\x00(?:\x05\x02|\x04\x03)\x00(?!\x00{4})[\x00-\x7f]"  # PRIORITY, RST_STREAM
    rb"|\x00(?:\x00[\x00-\xff]\x04|\x00\x08\x06)[\x00\x01]\x00{4}"  # SETTINGS, PING
    rb"|[\x00-\xff]{3}\x07\x00{5}|\x00\x00\x04\x08\x00[\x00-\x7f])"  # GOAWAY, WINDOW_UPDATE
)
"""Matches at the first byte of every plausible head: length, type, flags, stream."""


WIRE: Final = WireFormat(
    id=ID,
    short=ID,
    heads={"": HEAD},
    frames=FRAMES,
    marks=MARKS,
    chain=4,
    lengths_hold=True,
)
"""The frames, for the splitter and the decoders."""
TABLE: Final = WIRE.table()
