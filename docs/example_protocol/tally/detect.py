"""How a Tally connection is recognised: by frames in a row."""

from typing import Final

from streamshark.framing.wire_format import Evidence, Guess

PORTS: Final = (7700,)
ENOUGH: Final = 2
"""Frames in a row that bytes of another protocol do not form by chance."""


def detect(evidence: Evidence) -> Guess:
    """Return how sure it is that these bytes are Tally."""
    return evidence.in_a_row(len(evidence.commands), ENOUGH)
