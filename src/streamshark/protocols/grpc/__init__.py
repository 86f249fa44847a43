"""gRPC: calls of methods with messages, over HTTP/2.

Document: `doc/PROTOCOL-HTTP2.md` of grpc/grpc, and its page on statuses.
Reference implementation: grpc-java (in Pravega); also seen: tonic (Rust), grpcio.
Versions: the protocol has none.
Transport: HTTP/2 in clear text or in TLS, any port. Rows are those of calls: headers, messages with
their service and method, and the status; the content of a message is decoded if its service is
known (the controller of Pravega), else it stays bytes. The path, which the wire says once for each
call, is in all its rows.
"""

from streamshark.decoding.lazy import later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.grpc.detect import PORTS, certain, credible, detect
from streamshark.protocols.protocol import Protocol

PROTOCOL = Protocol(
    title="gRPC",
    card=__doc__,
    wire=WireFormat(
        id="grpc",
        short="grpc",
        heads=later(__name__, "framing.HEADS"),
        bare=later(__name__, "framing.HEADS"),
        carried_in=frozenset({"http2.call"}),
        frames=later(__name__, "framing.all_frames"),
        detect=detect,
        credible=credible,
        certain=certain,
        ports=PORTS,
    ),
    fields=later(__name__, "fields.FIELDS"),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.RULES"),
    fixes=later(__name__, "fixes.FIXES"),
    parts=later(__name__, "parts.PARTS"),
    sentences=later(__name__, "explain.SENTENCES"),
    syntax=later(__name__, "syntax.SYNTAX"),
)
