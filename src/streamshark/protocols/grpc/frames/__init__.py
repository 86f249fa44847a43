"""One module for each frame."""

from typing import Final

from streamshark.protocols.protocol import declared

FRAMES: Final = tuple(sorted(declared(__name__, __path__), key=lambda frame: int(frame.key)))
"""Every frame, in the order of a call."""
