"""One file per command, named like it in filters: version 1.0 and dialect 0.1, in `FRAMES`."""

from typing import Final

from streamshark.protocols.protocol import declared

FRAMES: Final = tuple(
    sorted(declared(__name__, __path__), key=lambda frame: (frame.dialect, int(frame.key)))
)
"""Every frame, in the order of the document's types."""
