"""The members that several frames share, in the layout of the carrier's slot."""

from typing import Final

from streamshark.schema import REST, U16, Many, Member, Record, Slot, field, raw, text, this

SPEC: Final = "PROTOCOL-HTTP2.md of grpc/grpc"
STRING: Final = text(U16)

ABOUT: Final = (
    field(
        "content_type",
        STRING,
        "`application/grpc`, perhaps followed by an encoding.",
        role="keyword",
    ),
    field(
        "path",
        STRING,
        "`/service/method`; empty where the capture does not have it.",
        role="keyword",
    ),
    field("method", STRING, "The last part of the path.", role="keyword"),
)
"""Members of every frame that describe its call, though they are on the wire once."""
HEADERS: Final = field(
    "metadata",
    Many(
        Record(
            field("key", STRING, "Name, in lower case."),
            field("value", STRING, "Value; in base64 where the name ends in -bin."),
        ),
        count=U16,
    ),
    "The other headers, in their order.",
)
HTTP_STATUS: Final = field("http_status", U16, "HTTP status; 0 if absent.")
FLAGS: Final = {1: "end_stream", 2: "packed", 4: "incomplete"}
"""Bits of the head's flags, the same in all frames."""


def message(slot: str) -> Member:
    """Return a message, by default in protobuf."""
    return field(
        "message",
        raw(REST, slot=Slot(slot, types=(this.path,))),
        "The message, unpacked.",
        role="body",
    )
