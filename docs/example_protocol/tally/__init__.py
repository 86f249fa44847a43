"""Tally: counters on a server, the smallest protocol that shows every part of one.

Document: docs/adding-a-protocol.md; made up for it, spoken by no real program.
Reference implementation: none.
Versions: one.
Transport: TCP, port 7700.
Left out: nothing.
"""

from streamshark.decoding.lazy import later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.protocol import Protocol
from tally.detect import PORTS, detect

PROTOCOL = Protocol(
    title="Tally",
    card=__doc__,
    wire=WireFormat(
        id="tally",
        short="tally",
        heads=later(__name__, "framing.HEADS"),
        frames=later(__name__, "framing.all_frames"),
        detect=detect,
        ports=PORTS,
    ),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.RULES"),
)
