"""How bytes without a known subject are recognised as an envelope: by the magic number.

On a connection the NATS messages around them are recognised, and `within` asks about each.
"""

from typing import Final

from streamshark.framing.wire_format import Evidence, Guess, Level
from streamshark.protocols.liftbridge.framing import MAGIC

PORTS: Final[tuple[int, ...]] = ()
"""None of its own: 9292 is gRPC, 4222 is NATS."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are an envelope."""
    if not evidence.data.startswith(MAGIC):
        return Guess(Level.NONE, "no magic number")
    level = Level.CERTAIN if evidence.commands else Level.SURE
    return Guess(level, "the magic number of an envelope")
