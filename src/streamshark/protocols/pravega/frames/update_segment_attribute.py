"""UPDATE_SEGMENT_ATTRIBUTE (36) and SEGMENT_ATTRIBUTE_UPDATED (37): it changes.

SEGMENT_ATTRIBUTE_UPDATED with false also answers MERGE_SEGMENTS whose conditions fail.

Spec: WireCommands.UpdateSegmentAttribute, SegmentAttributeUpdated.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    ATTRIBUTE_ID,
    DELEGATION_TOKEN,
    REQUEST_ID,
    SEGMENT,
    flag,
)
from streamshark.schema import I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="update_segment_attribute",
        key=TypeCode.UPDATE_SEGMENT_ATTRIBUTE,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to change an attribute if it is as expected.",
        spec="WireCommands.UpdateSegmentAttribute",
        since="0.1.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            ATTRIBUTE_ID,
            field("new_value", I64, "Value to be set."),
            field("expected_value", I64, "Value that it must have."),
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="segment_attribute_updated",
        key=TypeCode.SEGMENT_ATTRIBUTE_UPDATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether it was changed.",
        spec="WireCommands.SegmentAttributeUpdated",
        since="0.1.0",
        body=(
            REQUEST_ID,
            flag("success", "True when it was changed."),
        ),
        shows="{@segment} success={success:ok 1}",
    ),
)
