"""RAFT_JOIN_REQUEST (4) and RAFT_JOIN_RESPONSE (5): a server joins the metadata group.

Source: server/raft.go; internal.proto, RaftJoinRequest.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import RAFT_JOIN_REQUEST, RAFT_JOIN_RESPONSE
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="raft_join_request",
        key=MessageType.RAFT_JOIN_REQUEST,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks to join the metadata group.",
        spec=ENVELOPE,
        body=body(RAFT_JOIN_REQUEST),
        version=0,
        shows="node={node_id}",
    ),
    FrameSchema(
        name="raft_join_response",
        key=MessageType.RAFT_JOIN_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Says whether it may.",
        spec=ENVELOPE,
        body=body(RAFT_JOIN_RESPONSE),
        version=0,
        shows="error={error:ok?}",
    ),
    FrameSchema(
        name="raft_join_request",
        key="raft_join_request",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks to join the metadata group.",
        spec=FIRST,
        body=(RAFT_JOIN_REQUEST,),
        dialect=BARE,
        shows="node={node_id}",
    ),
    FrameSchema(
        name="raft_join_response",
        key="raft_join_response",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Says whether it may.",
        spec=FIRST,
        body=(RAFT_JOIN_RESPONSE,),
        dialect=BARE,
        shows="error={error:ok?}",
    ),
)
