"""READ_SEGMENT (9) and SEGMENT_READ (10): bytes of a segment from an offset on.

The reply may hold fewer or more bytes than suggested, at most 2 MiB; at the tail it comes when
there is something to read, or empty. All reads of one input stream have the same request id, so a
reply belongs to a read by id, segment and offset. What is stored are event records; a reply may
begin and end inside one. Release 0.13.0 answers a suggestion of 0 bytes with 8.

Spec: WireCommands.ReadSegment, SegmentRead.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, LATER_REQUEST_ID, SEGMENT, flag
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Sender, field, raw

FRAMES = (
    FrameSchema(
        name="read_segment",
        key=TypeCode.READ_SEGMENT,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for bytes of a segment.",
        spec="WireCommands.ReadSegment",
        body=(
            SEGMENT,
            field("offset", I64, "Where to begin.", unit="bytes", role="chance"),
            field("suggested_length", I32, "Bytes that the client would like.", unit="bytes"),
            DELEGATION_TOKEN,
            LATER_REQUEST_ID,
        ),
        shows="{segment} offset={offset}",
    ),
    FrameSchema(
        name="segment_read",
        key=TypeCode.SEGMENT_READ,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Brings bytes of a segment.",
        spec="WireCommands.SegmentRead",
        body=(
            SEGMENT,
            field("offset", I64, "Where they begin.", unit="bytes", role="chance"),
            flag("at_tail", "True when nothing is stored after them."),
            flag("end_of_segment", "True when the segment is sealed and nothing follows."),
            field(
                "data",
                raw(I32, slot="pravega.block"),
                "The bytes: event records, the first and last perhaps in part.",
                role="body",
            ),
            LATER_REQUEST_ID,
        ),
        shows="{segment} offset={offset} {data:bytes} {at_tail?at_tail} {end_of_segment?end}",
    ),
)
