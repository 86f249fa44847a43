"""What the user wants to see of values; apart from how it is done, so that options load quickly."""

from dataclasses import dataclass

MASK = "***"
"""What stands for a secret."""
BODIES = ("decoded", "raw", "size")
"""How what stands in a slot is shown."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What is shown, and how."""

    secrets: bool = False
    """True shows secret fields as they are."""
    int_strings: bool = False
    """True writes every number of 64 bits as text."""
    bodies: str = "decoded"
    """One of `BODIES`."""
