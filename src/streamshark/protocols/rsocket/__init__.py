"""RSocket: Reactive Streams over one connection, with requests from both sides.

Document: `Protocol.md` of rsocket/rsocket, state of May 2023 (version 1.0), and the incubating
`Extensions` for metadata; where they differ from the bytes of real peers the bytes are followed,
and the frame's docstring states it. The layout before 2017 is dialect `0.1` (`-o
rsocket.dialect:0.1`).
Reference implementation: rsocket-core 1.1.5 (rsocket-java); also seen: rsocket-js 0.0.27 and
1.0.0-alpha.3, rsocket_rust 0.7.5, rsocket-go 0.8.12, rsocket-py 0.4.20.
Versions: 1.0, which the document called 0.2 until 2021 (a SETUP that says 0.2 has its layout), and
0.1; not the drafts between them, which no release sends.
Transport: TCP and WebSocket, any port, or either in TLS. In WebSocket each message is a frame
without the length before it; a length that is there all the same is named. RSocket over
HTTP/2 and over Aeron is not read; `decode --no-prefix` reads single frames of transports that keep
messages apart.
Left out: drafts without a stable layout (lease strategies, GraphQL, resuming over QUIC, metadata of
brokers), whose metadata stays bytes.
"""

from streamshark.decoding.lazy import later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.protocol import Protocol
from streamshark.protocols.rsocket.detect import FOREIGN, PORTS, credible, detect

PROTOCOL = Protocol(
    title="RSocket",
    card=__doc__,
    wire=WireFormat(
        id="rsocket",
        short="rsocket",
        heads=later(__name__, "framing.HEADS"),
        bare=later(__name__, "framing.BARE_HEADS"),
        binary=True,
        carried_in=frozenset({"websocket.message"}),
        frames=later(__name__, "framing.all_frames"),
        detect=detect,
        credible=credible,
        ports=PORTS,
        agreements=later(__name__, "negotiated.AGREEMENTS"),
        marks=later(__name__, "framing.MARKS"),
        foreign=FOREIGN,
        fragments=later(__name__, "framing.FRAGMENTS"),
        resumption=later(__name__, "negotiated.RESUMPTION"),
        stream_types=later(__name__, "negotiated.STREAM_TYPES"),
        parity=later(__name__, "negotiated.PARITY"),
    ),
    embedded_records=later(__name__, "embedded_records.EMBEDDED_RECORDS"),
    fields=later(__name__, "fields.FIELDS"),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.all_rules.RULES"),
    fixes=later(__name__, "fixes.FIXES"),
    requirements=later(__name__, "requirements.REQUIREMENTS"),
    states=later(__name__, "states.STATES"),
    parts=later(__name__, "parts.PARTS"),
    sentences=later(__name__, "explain.SENTENCES"),
    housekeeping=frozenset({"setup", "lease", "keepalive", "resume", "resume_ok"}),
    messages=later(__name__, "message_sources.MESSAGES"),
    syntax=later(__name__, "syntax.SYNTAX"),
)
