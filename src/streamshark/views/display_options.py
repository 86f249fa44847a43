"""What the user wants to see of values; apart from how it is done, so that options load quickly."""

from collections.abc import Callable
from typing import Any

from streamshark.light_dataclass import record

MASK = "***"
"""What stands for a secret, as `schema.secrets.MARK`: options load without schemas."""
MOST_ENDS = 4096
"""Ends of connections whose text is remembered."""
BODIES = ("decoded", "raw", "size")
"""How what stands in a slot is shown."""

Value = Any
"""What a decoder gives or an output shows: number, text, bytes, list, dict or None."""
Shape = Callable[[Value], Value]
"""From the raw value of a node to the shown one."""


@record
class DisplayOptions:
    """What is shown, and how."""

    secrets: bool = False
    """True shows secret fields as they are."""
    int_strings: bool = False
    """True writes every number of 64 bits as text."""
    bodies: str = "decoded"
    """One of `BODIES`."""
