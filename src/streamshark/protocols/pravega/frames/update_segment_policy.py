"""UPDATE_SEGMENT_POLICY (32) and SEGMENT_POLICY_UPDATED (33): when a segment is split.

Spec: WireCommands.UpdateSegmentPolicy, SegmentPolicyUpdated.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    REQUEST_ID,
    SCALE_TYPE,
    SEGMENT,
    TARGET_RATE,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="update_segment_policy",
        key=TypeCode.UPDATE_SEGMENT_POLICY,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to change when a segment is split.",
        spec="WireCommands.UpdateSegmentPolicy",
        since="0.1.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            TARGET_RATE,
            SCALE_TYPE,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="segment_policy_updated",
        key=TypeCode.SEGMENT_POLICY_UPDATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that the policy is changed.",
        spec="WireCommands.SegmentPolicyUpdated",
        since="0.1.0",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="{segment}",
    ),
)
