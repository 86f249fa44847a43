"""NATS: messages by subject, in lines of text with payloads that are counted.

Document: "Client Protocol" and "NATS Cluster Protocol" of docs.nats.io, ADR-4 (headers) and the
ADRs of JetStream; where they are silent or differ, the parser of nats-server is followed, and the
frame's docstring states it.
Reference implementation: nats-server 2.12.2 (Go module github.com/nats-io/nats-server/v2); also
seen: nats-server 2.9.10 (Debian), nats-py 2.16.0, nats.js 2.29.3, nats.go 1.47.0.
Versions: there is one client protocol; links between servers differ by what INFO and CONNECT say,
and are dialects, which a connection shows itself (`-o nats.dialect:route` and the like where a
capture begins later).
Transport: TCP, any port, or WebSocket; TLS begins after INFO, or from the first byte. Links that
are compressed by S2 are named, and not unpacked.
Left out: MQTT, which a server may speak on a port of its own; routes of servers before 2.0, whose
verbs are those of clients.
"""

from streamshark.decoding.lazy import function, later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.nats.detect import FOREIGN, PORTS, SHARED_PORTS, detect
from streamshark.protocols.protocol import Protocol

PROTOCOL = Protocol(
    title="NATS",
    card=__doc__,
    wire=WireFormat(
        id="nats",
        short="nats",
        heads=later(__name__, "framing.HEADS"),
        frames=later(__name__, "framing.all_frames"),
        detect=detect,
        ports=PORTS,
        own_ports=PORTS,
        shared_ports=SHARED_PORTS,
        agreements=later(__name__, "negotiated.AGREEMENTS"),
        marks=later(__name__, "framing.MARKS"),
        foreign=FOREIGN,
        upgrades=later(__name__, "framing.UPGRADES"),
        switch_dialect=function(__name__, "connection_kind.switch_dialect"),
        between_servers=later(__name__, "types.BETWEEN_SERVERS"),
        chain=2,
        carried_in=frozenset({"websocket.bytes"}),
    ),
    fields=later(__name__, "fields.FIELDS"),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.RULES"),
    fixes=later(__name__, "fixes.FIXES"),
    requirements=later(__name__, "requirements.REQUIREMENTS"),
    states=later(__name__, "states.STATES"),
    parts=later(__name__, "parts.PARTS"),
    sentences=later(__name__, "explain.SENTENCES"),
    housekeeping=frozenset({"info", "connect", "ping", "pong", "ok"}),
    messages=later(__name__, "message_sources.MESSAGES"),
    syntax=later(__name__, "syntax.SYNTAX"),
)
