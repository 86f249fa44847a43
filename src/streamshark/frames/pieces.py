"""Which frames are pieces of one that was cut, as each side and stream goes on.

Only told, not put together: what stands in the slots of a piece is a part of something, so nothing
reads it. A first piece says that more follow; later ones are known by the stream that they are on.
"""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.frames.wire import Fragments
from streamshark.schema import FrameSchema

MOST_OPEN: Final = 65_536
"""Most streams of a connection whose last piece is waited for; the oldest are forgotten first."""


class Pieces:
    """The streams of one connection that are in the middle of something."""

    def __init__(self, fragments: Fragments) -> None:
        self.fragments = fragments
        self._open: dict[tuple[int, Any], None] = {}
        """Sides and streams, the oldest first."""

    def see(self, side: int, schema: FrameSchema, values: Mapping[str, Any]) -> bool:
        """Whether the next frame of a side is a piece."""
        fragments = self.fragments
        stream = values.get(fragments.by)
        if schema.name in fragments.ended:
            self._open.pop((0, stream), None)
            self._open.pop((1, stream), None)
            return False
        key = side, stream
        later = schema.name in fragments.continued and key in self._open
        if self._more(schema, values):
            self._open[key] = None
            if len(self._open) > MOST_OPEN:
                del self._open[next(iter(self._open))]
            return True
        if later:
            del self._open[key]
        return later

    def lose(self, side: int) -> None:
        """Bytes of a side are missing: what was open on it is not known any more."""
        for key in [key for key in self._open if key[0] == side]:
            del self._open[key]

    def _more(self, schema: FrameSchema, values: Mapping[str, Any]) -> bool:
        flags = values.get(self.fragments.flags)
        return isinstance(flags, int) and any(
            flags & mask and name == self.fragments.more for mask, name in schema.flags.items()
        )
