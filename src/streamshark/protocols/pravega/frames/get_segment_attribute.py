"""GET_SEGMENT_ATTRIBUTE (34) and SEGMENT_ATTRIBUTE (35): a number kept with a segment.

Spec: WireCommands.GetSegmentAttribute, SegmentAttribute.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import ATTRIBUTE_ID, DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="get_segment_attribute",
        key=TypeCode.GET_SEGMENT_ATTRIBUTE,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for an attribute of a segment.",
        spec="WireCommands.GetSegmentAttribute",
        since="0.1.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            ATTRIBUTE_ID,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="segment_attribute",
        key=TypeCode.SEGMENT_ATTRIBUTE,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says what the attribute is.",
        spec="WireCommands.SegmentAttribute",
        since="0.1.0",
        body=(
            REQUEST_ID,
            field("value", I64, "Its value; the lowest number for none."),
        ),
        shows="{@segment} value={value}",
    ),
)
