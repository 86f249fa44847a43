"""The options that control how values are shown; without the views, so that they load quickly."""

from collections.abc import Callable
from typing import Any

from streamshark.light_dataclass import record

MASK = "***"
"""Shown in place of a secret; equals `schema.secrets.MARK`, which would import schemas."""
MOST_ENDS = 4096
"""Most address pairs whose text is cached."""
BODIES = ("decoded", "raw", "size")
"""How payloads are shown."""

Value = Any
"""A decoded or shown value: number, text, bytes, list, dict or None."""
Shape = Callable[[Value], Value]
"""Maps the raw value of a node to the shown one."""


@record
class DisplayOptions:
    """Options that control how values are shown."""

    secrets: bool = False
    """True shows secret fields as they are."""
    int_strings: bool = False
    """True writes every number of 64 bits as text."""
    bodies: str = "decoded"
    """One of `BODIES`."""
