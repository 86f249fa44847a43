"""Parrot: a protocol that nobody speaks, to prove that a folder on a path is all that one takes.

Document: this file. Transport: TCP, port 7777. A frame is a 16-bit length of what follows it, a
response bit and a 7-bit key.
"""

from parrot.frames import FRAMES, HEAD, MARKS, detect
from parrot.tables import CONVERSATIONS, RULES
from streamshark.framing.wire_format import NegotiatedValue, WireFormat
from streamshark.protocols.protocol import Protocol

PROTOCOL = Protocol(
    title="Parrot",
    card=__doc__,
    wire=WireFormat(
        id="parrot_talk",
        short="parrot",
        heads={"": HEAD, "macaw": HEAD},
        frames=FRAMES,
        detect=detect,
        ports=(7777,),
        agreements=(NegotiatedValue("user", "login", "user", "Who talks.", (False,)),),
        marks=MARKS,
        foreign={b"CROW": "Crow"},
    ),
    conversations=CONVERSATIONS,
    rules=RULES,
)
