"""NATS: messages by subject, in lines of text with payloads that are counted.

Document: "Client Protocol" and "NATS Cluster Protocol" of docs.nats.io, ADR-4 (headers) and the
ADRs of JetStream; where they are silent or differ, the parser of nats-server is followed, and the
frame says so.
Reference implementation: nats-server 2.12.2 (Go module github.com/nats-io/nats-server/v2); also
seen: nats-server 2.9.10 (Debian), nats-py 2.16.0, nats.js 2.29.3, nats.go 1.47.0.
Versions: there is one client protocol; links between servers differ by what INFO and CONNECT say,
and are dialects, which a connection shows itself (`-o nats.dialect:route` and the like where a
capture begins later).
Transport: TCP, any port, or WebSocket; TLS begins behind INFO, or from the first byte. Links that
are compressed by S2 are named, and not unpacked.
Left out: MQTT, which a server may speak on a port of its own; routes of servers before 2.0, whose
verbs are those of clients.
"""

from streamshark.frames.later import later
from streamshark.frames.wire import Wire
from streamshark.protocols.nats.agreements import AGREEMENTS
from streamshark.protocols.nats.detect import FOREIGN, PORTS, detect
from streamshark.protocols.nats.framing import HEADS, MARKS, UPGRADES, all_frames
from streamshark.protocols.nats.links import turned
from streamshark.protocols.nats.types import PEERS
from streamshark.protocols.protocol import Protocol

PROTOCOL = Protocol(
    title="NATS",
    card=__doc__,
    wire=Wire(
        id="nats",
        short="nats",
        heads=HEADS,
        frames=all_frames,
        detect=detect,
        ports=PORTS,
        agreements=AGREEMENTS,
        marks=MARKS,
        foreign=FOREIGN,
        upgrades=UPGRADES,
        turned=turned,
        between_servers=frozenset(PEERS),
        chain=2,
        rides=frozenset({"websocket.bytes"}),
    ),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.RULES"),
    story=later(__name__, "story.STORY"),
)
