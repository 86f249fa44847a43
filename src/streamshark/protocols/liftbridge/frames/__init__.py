"""One module for each message, with all of its layouts."""

from typing import Final

from streamshark.protocols.liftbridge.framing import HEADS
from streamshark.protocols.protocol import declared
from streamshark.schema import FrameSchema

_DIALECTS: Final = tuple(HEADS)


def _place(frame: FrameSchema) -> tuple[int, bool, int, str]:
    """By dialect and type, then what has none."""
    key = frame.key
    number = key if isinstance(key, int) else 0
    return _DIALECTS.index(frame.dialect), isinstance(key, str), number, str(key)


FRAMES: Final = tuple(sorted(declared(__name__, __path__), key=_place))
"""Every frame, those of the default dialect first."""
