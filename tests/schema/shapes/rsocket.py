"""RSocket 1.0: flags name what is there; lengths of 24 bits; metadata that is itself a record."""

from tests.schema.reader_agreement import without_names

from streamshark.schema import (
    REST,
    U8,
    U16,
    U24,
    U32,
    Bits,
    Either,
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
    text,
    this,
)

METADATA, RESUME, LEASE, FOLLOWS, COMPLETE, NEXT, RESPOND = (
    0x100,
    0x80,
    0x40,
    0x80,
    0x40,
    0x20,
    0x80,
)
_COMMON = {0x200: "ignore", METADATA: "metadata"}
_SPEC = "RSocket Protocol 1.0"

HEAD = Head(
    members=(
        field("length", U24, "Bytes after this number."),
        Bits(4, reserved(1), part("stream_id", 31, "Stream; 0 is the connection.")),
        Bits(2, part("frame_type", 6, "Type of the frame."), part("flags", 10, "By frame type.")),
    ),
    total=this.length + 3,
    key="frame_type",
    least=9,
    most=0xFFFFFF + 3,
    hidden=("length", "frame_type"),
    source=f"{_SPEC}, Framing Format",
    flags="flags",
)

_METADATA = When(
    this.flags & METADATA, field("metadata", raw(U24, slot="rsocket.metadata"), "Metadata.")
)
_DATA = field("data", raw(REST, slot="rsocket.data"), "Data.")
_MAJOR = field("major_version", U16, "Major version.")
_MINOR = field("minor_version", U16, "Minor version.")
_TOKEN = field("resume_identification_token", raw(U16), "Token of the session.")


def _frame(
    key: int, name: str, kind: FrameKind, *body: Member, flags: dict[int, str] | None = None
) -> FrameSchema:
    return FrameSchema(
        name, key, kind, Sender.BOTH, f"{name}.", f"{_SPEC}, {name}", body,
        flags=_COMMON | (flags or {}),
    )  # fmt: skip


def _u31(name: str, sentence: str) -> Bits:
    return Bits(4, reserved(1), part(name, 31, sentence))


def _u63(name: str, sentence: str) -> Bits:
    return Bits(8, reserved(1), part(name, 63, sentence))


_FOLLOWS = {FOLLOWS: "follows"}
_INITIAL_N = _u31("initial_request_n", "Payloads that the requester takes.")

FRAMES = (
    _frame(
        0x01, "setup", FrameKind.COMMAND,
        _MAJOR,
        _MINOR,
        _u31("time_between_keepalive_frames", "Interval in milliseconds."),
        _u31("max_lifetime", "Longest silence in milliseconds."),
        When(this.flags & RESUME, _TOKEN),
        field("metadata_mime_type", text(U8, encoding="ascii"), "MIME type of metadata."),
        field("data_mime_type", text(U8, encoding="ascii"), "MIME type of data."),
        _METADATA,
        _DATA,
        flags={RESUME: "resume_enable", LEASE: "lease"},
    ),
    _frame(
        0x02, "lease", FrameKind.COMMAND,
        _u31("time_to_live", "Milliseconds."),
        _u31("number_of_requests", "Requests allowed."),
        When(this.flags & METADATA, field("metadata", raw(REST), "Metadata, without a length.")),
    ),
    _frame(
        0x03, "keepalive", FrameKind.COMMAND,
        _u63("last_received_position", "Resume position."),
        _DATA,
        flags={RESPOND: "respond"},
    ),
    _frame(0x04, "request_response", FrameKind.REQUEST, _METADATA, _DATA, flags=_FOLLOWS),
    _frame(0x05, "request_fnf", FrameKind.COMMAND, _METADATA, _DATA, flags=_FOLLOWS),
    _frame(0x06, "request_stream", FrameKind.REQUEST, _INITIAL_N, _METADATA, _DATA, flags=_FOLLOWS),
    _frame(
        0x07, "request_channel", FrameKind.REQUEST, _INITIAL_N, _METADATA, _DATA,
        flags=_FOLLOWS | {COMPLETE: "complete"},
    ),
    _frame(0x08, "request_n", FrameKind.COMMAND, _u31("request_n", "More payloads.")),
    _frame(0x09, "cancel", FrameKind.COMMAND),
    _frame(
        0x0A, "payload", FrameKind.COMMAND, _METADATA, _DATA,
        flags=_FOLLOWS | {COMPLETE: "complete", NEXT: "next"},
    ),
    _frame(
        0x0B, "error", FrameKind.COMMAND,
        field("error_code", U32, "Error code.", base="hex"),
        field("error_data", text(REST), "What went wrong."),
    ),
    _frame(0x0C, "metadata_push", FrameKind.COMMAND, field("metadata", raw(REST), "Metadata.")),
    _frame(
        0x0D, "resume", FrameKind.COMMAND,
        _MAJOR,
        _MINOR,
        _TOKEN,
        _u63("last_received_server_position", "What the client has."),
        _u63("first_available_client_position", "What the client can send again."),
    ),
    _frame(
        0x0E, "resume_ok", FrameKind.COMMAND,
        _u63("last_received_client_position", "What the server has."),
    ),
    _frame(
        0x3F, "ext", FrameKind.COMMAND,
        _u31("extended_type", "Type of the extension."),
        _METADATA,
        _DATA,
    ),
)  # fmt: skip

MIME_TYPES = {
    0x00: "application/avro", 0x05: "application/json", 0x06: "application/octet-stream",
    0x21: "text/plain", 0x7A: "message/x.rsocket.mime-type.v0",
    0x7B: "message/x.rsocket.accept-mime-types.v0", 0x7C: "message/x.rsocket.authentication.v0",
    0x7D: "message/x.rsocket.tracing-zipkin.v0", 0x7E: "message/x.rsocket.routing.v0",
    0x7F: "message/x.rsocket.composite-metadata.v0",
}  # fmt: skip
AUTH_TYPES = {0: "simple", 1: "bearer"}


def _named(number: str, name: str, sentence: str, names: dict[int, str]) -> Either:
    """A number of 7 bits, or a text whose length, less one, is in them."""
    return Either(
        clear=(
            Bits(1, reserved(1), part("type_length", 7, "One less than the text's bytes.")),
            field(name, text(this.type_length + 1, encoding="ascii"), sentence),
        ),
        set=(Bits(1, part("well_known", 1, "Always 1."), part(number, 7, sentence, names=names)),),
    )


_MIME = _named("mime_id", "mime_type", "MIME type of the content.", MIME_TYPES)

COMPOSITE_METADATA = Record(
    field(
        "entries",
        Many(
            Record(
                _MIME, field("content", raw(U24, slot="rsocket.metadata"), "The metadata itself.")
            )
        ),
        "In their order; a type may come more than once.",
    ),
)
ROUTING = Record(field("entries", Many(text(U8)), "Tags; the first is the route."))
ACCEPT_MIME_TYPES = Record(field("entries", Many(Record(_MIME)), "In order of preference."))
AUTHENTICATION = Record(
    _named("auth_id", "auth_type", "Kind of authentication.", AUTH_TYPES),
    When(
        this.well_known == 0,
        field("payload", raw(REST), "Of a kind known by name."),
    ),
    When(
        (this.well_known == 1) & (this.auth_id == 0),
        field("username", text(U16), "User."),
        field("password", text(REST), "Password.", secret=True),
    ),
    When(
        (this.well_known == 1) & (this.auth_id == 1),
        field("token", text(REST), "Token.", secret=True),
    ),
    When(
        (this.well_known == 1) & (this.auth_id > 1),
        field("payload", raw(REST), "Of a kind that is not known."),
    ),
)
IDS, DEBUG, SAMPLE, NOT_SAMPLED, LONG, PARENT = 0x80, 0x40, 0x20, 0x10, 0x08, 0x04
TRACING = Record(
    field(
        "flags", U8, "What follows.",
        flags={IDS: "ids", DEBUG: "debug", SAMPLE: "sample", NOT_SAMPLED: "not_sampled",
               LONG: "trace_id_128", PARENT: "parent"},
    ),
    When(
        this.flags & IDS,
        When(this.flags & LONG, field("trace_id_high", raw(8), "Upper half.")),
        field("trace_id_low", raw(8), "Lower half."),
        field("span_id", raw(8), "Span."),
        When(this.flags & PARENT, field("parent_id", raw(8), "Parent span.")),
    ),
)  # fmt: skip
EMBEDDED_RECORDS = {
    "composite_metadata": COMPOSITE_METADATA, "routing": ROUTING, "mime_type": ACCEPT_MIME_TYPES,
    "authentication": AUTHENTICATION, "tracing": TRACING,
}  # fmt: skip


def adapted(expect: object) -> object:
    """Drop the names that stand beside numbers in a vector."""
    names = {"mime_id": ("mime_type", MIME_TYPES), "auth_id": ("auth_type", AUTH_TYPES)}
    return without_names(expect, names)
