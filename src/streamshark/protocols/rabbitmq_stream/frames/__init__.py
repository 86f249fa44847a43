"""One file per command, named like it in filters: all its forms and versions, in `FRAMES`."""

from typing import Final

from streamshark.protocols.protocol import declared

FRAMES: Final = tuple(sorted(declared(__name__, __path__), key=lambda frame: int(frame.key)))
"""Every frame, in the order of the document's keys."""
