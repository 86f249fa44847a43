"""One file per command with its own reply, named as in `WireCommands`; `FRAMES` in each."""

from typing import Final

from streamshark.protocols.pravega import draft
from streamshark.protocols.pravega.oldest import oldest
from streamshark.protocols.protocol import declared
from streamshark.schema import FrameSchema

_NEWEST: Final = declared(__name__, __path__)


def _place(frame: FrameSchema) -> tuple[str, int]:
    """By dialect and type code."""
    return frame.dialect, int(frame.key)


FRAMES: Final = tuple(sorted((*_NEWEST, *oldest(_NEWEST), *draft.FRAMES), key=_place))
"""Every frame, in the order of the type codes; then those of the dialects."""
