"""PROPAGATED_REQUEST (8) and PROPAGATED_RESPONSE (9): work for the metadata leader.

What a client asks of any server, and what followers report, goes to the one that leads the group.

Source: server/propagation.go; internal.proto, PropagatedRequest.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import (
    OLD_PROPAGATED_REQUEST,
    PROPAGATED_REQUEST,
    PROPAGATED_RESPONSE,
)
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="propagated_request",
        key=MessageType.PROPAGATED_REQUEST,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Hands a change of metadata to who leads.",
        spec=ENVELOPE,
        body=body(PROPAGATED_REQUEST),
        version=0,
        shows=(
            "{op} {create_stream_op.stream.name} {shrink_isr_op.stream} "
            "{report_leader_op.stream} {expand_isr_op.stream} {delete_stream_op.stream} "
            "{pause_stream_op.stream} {resume_stream_op.stream} {set_stream_readonly_op.stream} "
            "{join_consumer_group_op.group_id} {leave_consumer_group_op.group_id} "
            "{report_consumer_group_coordinator_op.group_id}"
        ),
    ),
    FrameSchema(
        name="propagated_response",
        key=MessageType.PROPAGATED_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Says whether it was made.",
        spec=ENVELOPE,
        body=body(PROPAGATED_RESPONSE),
        version=0,
        shows="{op} code={error.code:ok 0} {error.msg}",
    ),
    FrameSchema(
        name="propagated_request",
        key="propagated_request",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Hands a change of metadata to who leads.",
        spec=FIRST,
        body=(OLD_PROPAGATED_REQUEST,),
        dialect=BARE,
        shows=(
            "{op} {create_stream_op.stream.name} {shrink_isr_op.stream} "
            "{report_leader_op.stream} {expand_isr_op.stream} {delete_stream_op.stream} "
            "{pause_stream_op.stream} {resume_stream_op.stream} {set_stream_readonly_op.stream} "
            "{join_consumer_group_op.group_id} {leave_consumer_group_op.group_id} "
            "{report_consumer_group_coordinator_op.group_id}"
        ),
    ),
    FrameSchema(
        name="propagated_response",
        key="propagated_response",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Says whether it was made.",
        spec=FIRST,
        body=(PROPAGATED_RESPONSE,),
        dialect=BARE,
        shows="{op} code={error.code:ok 0} {error.msg}",
    ),
)
