"""The calls of Raft over NATS, and how its peers find each other.

They have no envelope, although the page of the API says that every message over NATS has one.

A call is a byte for its kind and a map in MessagePack, an answer an error and a map. Two one-way
streams of bytes carry them, cut into messages at NATS's limit: what begins in one message and ends
in a later one is `raft_bytes`, as are the bytes of a snapshot.

Source: hashicorp/raft 1.1.2, `net_transport.go`, `commands.go`; liftbridge-io/nats-on-a-log,
`nats_transport.go`; liftbridge v1.9.0, `server/raft.go`.
"""

from typing import Final

from streamshark.protocols.liftbridge.codes import RaftCall
from streamshark.protocols.liftbridge.types import BARE
from streamshark.schema import (
    REST,
    U8,
    Bits,
    FrameKind,
    FrameSchema,
    Member,
    Sender,
    Slot,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)

_SPEC: Final = "hashicorp/raft 1.1.2, net_transport.go"
_CALLS: Final = {
    "append_entries": "Entries for the log of a follower; none is a heartbeat.",
    "request_vote": "A candidate asks for a vote.",
    "install_snapshot": "A follower gets all that the log has led to; the bytes follow.",
    "timeout_now": "A leader hands its place on.",
    "request_pre_vote": "A peer asks whether it would be voted for, before it begins an election.",
}
_MAP: Final = Slot("liftbridge.raft")
_TYPE: Final = field("rpc_type", U8, "Which call.", names=RaftCall)
_REQUEST: Final = field("arguments", raw(REST, slot=_MAP), "The arguments by their names.")
_ERROR: Final = (
    Bits(1, reserved(3, written=5), part("error_length", 5, "Bytes of the error.")),
    field("error", text(this.error_length), "Why it failed; empty where it did not.", role="text"),
)
_RESPONSE: Final = field("result", raw(REST, slot=_MAP), "The result by its names.")


def _frame(name: str, kind: FrameKind, doc: str, *body: Member, shows: str = "") -> FrameSchema:
    return FrameSchema(
        name=name,
        key=name,
        kind=kind,
        sender=Sender.BOTH,
        doc=doc,
        spec=_SPEC,
        body=body,
        dialect=BARE,
        shows=shows,
    )


FRAMES = (
    *(_frame(name, FrameKind.REQUEST, doc, _TYPE, _REQUEST) for name, doc in _CALLS.items()),
    *(
        _frame(
            f"{name}_response",
            FrameKind.RESPONSE,
            f"Answers {name}.",
            *_ERROR,
            _RESPONSE,
            shows="error={error:ok?}",
        )
        for name in _CALLS
    ),
    _frame(
        "raft_bytes",
        FrameKind.COMMAND,
        "Continues a call that is larger than a message, or a snapshot; empty at its end.",
        field("data", raw(REST), "Bytes of Raft's stream."),
    ),
    _frame(
        "raft_accept",
        FrameKind.REQUEST,
        "Asks a peer for a stream of bytes each way.",
        field("connect", raw(REST, slot="liftbridge.json"), "Who asks, and its own subject."),
    ),
    _frame(
        "raft_accept_response",
        FrameKind.RESPONSE,
        "Gives the subject of the other way.",
        field("connect", raw(REST, slot="liftbridge.json"), "The subject."),
    ),
    _frame(
        "raft_bootstrap",
        FrameKind.REQUEST,
        "A seed announces itself, every ten seconds.",
        field("id", text(REST), "Id of the server."),
        shows="{id}",
    ),
    _frame(
        "raft_bootstrap_response",
        FrameKind.RESPONSE,
        "Another seed answers: there are two, which must not be.",
        field("id", text(REST), "Id of the server."),
        shows="{id}",
    ),
)
