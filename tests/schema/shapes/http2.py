"""HTTP/2: a length of 24 bits, flags by frame type, padding counted from the end.

A carrier: header blocks need the state of one direction (`decoding.codecs.HeaderTable`).
"""

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
    Literal,
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

_SPEC = "RFC 9113"
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITY = 0x01, 0x01, 0x04, 0x08, 0x20

HEAD = Head(
    members=(
        field("length", U24, "Bytes of the payload."),
        field("type", U8, "Type of the frame."),
        field("flags", U8, "By frame type."),
        Bits(4, reserved(1), part("stream_id", 31, "Stream; 0 is the connection.")),
    ),
    total=this.length + 9,
    key="type",
    least=9,
    most=0xFFFFFF + 9,
    hidden=("length",),
    source=f"{_SPEC}, 4.1",
    flags="flags",
)
PREFACE = Record(Literal(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "What a client sends first."))

_PADDED = When(this.flags & PADDED, field("pad_length", U8, "Bytes of padding."))
_PADDING = When(this.flags & PADDED, field("padding", raw(this.pad_length), "Zeros."))
_IS_PADDED = (this.flags & PADDED) != 0
_HAS_PRIORITY = (this.flags & PRIORITY) != 0
_DEPENDENCY = (
    Bits(
        4,
        part("exclusive", 1, "Whether alone.", boolean=True),
        part("stream_dependency", 31, "The stream that it depends on."),
    ),
    field("weight", U8, "Weight, less one."),
)


def _block(length: Expression) -> Member:
    return field("header_block", raw(length, slot="http2.header_block"), "Compressed headers.")


_ACK = {ACK: "ack"}
_PAD = {PADDED: "padded"}
_END = {END_STREAM: "end_stream"}
_HEADERS_END = {END_HEADERS: "end_headers"}
_ROWS: tuple[tuple[int, str, dict[int, str], tuple[Member, ...]], ...] = (
    (0, "data", _END | _PAD, (
        _PADDED,
        field("data", raw(this.length - _IS_PADDED - this.pad_length, slot="http2.data"), "Data."),
        _PADDING)),
    (1, "headers", _END | _HEADERS_END | _PAD | {PRIORITY: "priority"}, (
        _PADDED,
        When(this.flags & PRIORITY, *_DEPENDENCY),
        _block(this.length - _IS_PADDED - _HAS_PRIORITY * 5 - this.pad_length),
        _PADDING)),
    (2, "priority", {}, _DEPENDENCY),
    (3, "rst_stream", {}, (field("error_code", U32, "Why."),)),
    (4, "settings", _ACK, (
        field("settings", Many(Record(
            field("identifier", U16, "Which."), field("value", U32, "How much."))), "In order."),)),
    (5, "push_promise", _HEADERS_END | _PAD, (
        _PADDED,
        Bits(4, reserved(1), part("promised_stream_id", 31, "The stream to come.")),
        _block(this.length - _IS_PADDED - this.pad_length - 4),
        _PADDING)),
    (6, "ping", _ACK, (field("opaque_data", raw(8), "Echoed."),)),
    (7, "goaway", {}, (
        Bits(4, reserved(1), part("last_stream_id", 31, "The last one that was read.")),
        field("error_code", U32, "Why."),
        field("additional_debug_data", raw(REST), "Whatever."))),
    (8, "window_update", {}, (
        Bits(4, reserved(1), part("window_size_increment", 31, "More credit.")),)),
    (9, "continuation", _HEADERS_END, (_block(this.length + 0),)),
)  # fmt: skip

FRAMES = tuple(
    FrameSchema(name, key, FrameKind.COMMAND, Sender.BOTH, f"{name}.", _SPEC, body, flags=flags)
    for key, name, flags, body in _ROWS
)
GRPC_MESSAGES = Record(
    field(
        "messages",
        Many(
            Record(
                field("compressed", U8, "Whether packed.", boolean=True),
                field("message", raw(U32, slot="grpc.message"), "A protobuf message."),
            )
        ),
        "Of one direction of a call, its DATA frames joined.",
    )
)
EMBEDDED_RECORDS = {"preface": PREFACE, "grpc_messages": GRPC_MESSAGES}


def adapted(expect: object) -> object:
    """Give flags as an object, as far as the vector lists them."""
    if isinstance(expect, dict) and "preface" in expect:
        return {}
    if isinstance(expect, dict) and isinstance(expect.get("flags"), list):
        return expect | {"flags": dict.fromkeys(expect["flags"], True)}
    return expect
