"""What tests of single parts need."""

from typing import Final

from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.sharing.policy import Policy
from streamshark.sharing.redaction_frames import FrameRedaction
from streamshark.sharing.redaction_text import Replacements

PROTOCOLS: Final = catalog()
SYNTAX: Final = tuple(each.syntax for each in PROTOCOLS if each.syntax is not None)
FRAMES: Final = FrameRedaction(
    layers(PROTOCOLS, formats()), Replacements(b"key", SYNTAX), Policy(), SYNTAX, ()
)
