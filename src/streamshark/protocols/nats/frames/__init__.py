"""One file per verb."""

from typing import Final

from streamshark.protocols.nats.codes import VERBS
from streamshark.protocols.nats.types import PEERS
from streamshark.protocols.protocol import declared
from streamshark.schema import FrameSchema

_DIALECTS: Final = ("", *PEERS)
_ORDER: Final = tuple(VERBS.values())


def _place(frame: FrameSchema) -> tuple[int, int]:
    """By dialect, in the order of the verbs."""
    return _DIALECTS.index(frame.dialect), _ORDER.index(str(frame.key))


FRAMES: Final = tuple(sorted(declared(__name__, __path__), key=_place))
"""Every frame: those of clients and all links, then what else links between servers have."""
