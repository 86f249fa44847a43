"""Liftbridge: durable message streams over NATS, between clients and servers and among servers.

Document: the code; `server/protocol/envelope.go`, `internal.proto` and `server/commitlog` of
liftbridge-io/liftbridge v1.9.0, `api.proto` of liftbridge-io/liftbridge-api v1.9.0, hashicorp/raft
1.1.2 with nats-on-a-log for Raft.
Reference implementation: liftbridge v1.9.0 and v0.0.1-alpha; also seen: go-liftbridge v2.3.0 and
of 2019, python-liftbridge 0.0.7, nats.go 1.47.0.
Versions: of the envelope, 0. The layout of 2019 (LIFT, bare messages) is recognised by itself and
is dialect `lift`; v1.0.0-alpha and -beta, which have the envelope but number fields as in 2019, are
dialect `alpha` (`-o liftbridge.dialect:alpha`); what has no envelope at all is dialect `bare`.
Transport: payloads of NATS messages, for everything but the API; the API is gRPC, on port 9292 by
default: its messages are read where calls of gRPC are.
Left out: entries of Raft's log and its snapshots, which stay bytes; calls of 2019, whose messages
are shown with the names that their numbers have now.
"""

from streamshark.decoding.lazy import function, later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.protocol import Protocol

PROTOCOL = Protocol(
    title="Liftbridge",
    card=__doc__,
    wire=WireFormat(
        id="liftbridge",
        short="liftbridge",
        heads=later(__name__, "framing.HEADS"),
        bare=later(__name__, "framing.HEADS"),
        carried_in=frozenset({"nats.message"}),
        frames=later(__name__, "framing.all_frames"),
        detect=function(__name__, "detect.detect"),
        alone=later(__name__, "framing.ALONE"),
        within=function(__name__, "nats_envelope.within"),
        around={
            "": frozenset({"subject", "reply_to", "status"}),
            "info": frozenset({"max_payload"}),
            "connect": frozenset({"name"}),
            "sub": frozenset({"subject", "sid"}),
            "unsub": frozenset({"sid", "max_msgs"}),
        },
    ),
    embedded_records=later(__name__, "api.API"),
    embedded_slots=frozenset({"grpc.message", "grpc.reply"}),
    advertises=frozenset({"grpc.reply"}),
    fields=later(__name__, "fields.FIELDS"),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.RULES"),
    fixes=later(__name__, "fixes.FIXES"),
    requirements=later(__name__, "requirements.REQUIREMENTS"),
    states=later(__name__, "states.STATES"),
    parts=later(__name__, "parts.PARTS"),
    sentences=later(__name__, "explain.SENTENCES"),
    messages=later(__name__, "message_sources.MESSAGES"),
    syntax=later(__name__, "syntax.SYNTAX"),
)
