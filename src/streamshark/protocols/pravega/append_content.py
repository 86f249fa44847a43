"""What append blocks and segments hold: events, and what fills a block up.

An embedded record of the slot `pravega.block`. A record is a type code, a length and bytes: events,
and at the end of a block PADDING or PARTIAL_EVENT. What does not line up as records to its end
stays bytes: byte streams and revisioned streams have a framing of their own, and a read may begin
or end inside an event.

Source: `WireCommands.Event`, `Padding`, `PartialEvent`; `AppendEncoder` and `AppendDecoder` of
`io.pravega.shared.protocol.netty`.
"""

import struct
from typing import Final

from streamshark.decoding.payloads import CERTAIN, EmbeddedRecord
from streamshark.protocols.pravega.codes import RecordType
from streamshark.protocols.pravega.types import BYTES
from streamshark.schema import I32, Many, Record, field

_HEAD: Final = struct.Struct(">ii")


def blank(data: bytes) -> bool:
    """Whether bytes are all zeros, more than an empty event has: a byte stream's, not events."""
    return len(data) > _HEAD.size and data.count(0) == len(data)


def sure(data: bytes) -> int:
    """Certain where records line up from the first byte to the last, else not at all."""
    at, end = 0, len(data)
    if blank(data):
        return 0
    while at + _HEAD.size <= end:
        kind, length = _HEAD.unpack_from(data, at)
        if not RecordType.PARTIAL_EVENT <= kind <= RecordType.EVENT or length < 0:
            return 0
        at += _HEAD.size + length
    return CERTAIN if at == end and end else 0


APPEND_BLOCK: Final = EmbeddedRecord(
    id="pravega.block",
    slots=frozenset({"pravega.block"}),
    record=Record(
        field(
            "records",
            Many(
                Record(
                    field("type_code", I32, "What it is.", names=RecordType),
                    field("data", BYTES, "The event, zeros, or the start of an event."),
                )
            ),
            "Events, then what fills the block up.",
        )
    ),
    sure=sure,
    whole="records",
)
