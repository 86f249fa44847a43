"""Items that span several frames, such as Pravega events cut at the end of a read.

Frames of one sequence of bytes have consecutive positions. An item that ends in a later frame is
reassembled there: that frame has all items that end in it, beside its own bytes, as the last
fragment of a frame has the reassembled whole (decision 0009). Memory is bounded by the reassembly
pool.
"""

from typing import Any, NamedTuple

from streamshark.dissection.reassembly import MOST_OPEN, ReassemblyPool
from streamshark.dissection.row import FrameRow, Reassembled
from streamshark.framing.wire_format import SpanningItem
from streamshark.schema import FrameSchema


class _OpenItem(NamedTuple):
    """An item that has begun and not ended."""

    end: int
    """Position of its next byte."""
    whole: Reassembled
    """The reassembled item, with its bytes so far."""


class OpenItems:
    """The unfinished items of one connection."""

    def __init__(self, run: SpanningItem, pool: ReassemblyPool) -> None:
        self.run = run
        self.pool = pool
        self._open: dict[tuple[int, Any], _OpenItem] = {}
        """Unfinished items by side and sequence, the oldest first."""

    def see(self, row: FrameRow, schema: FrameSchema) -> None:
        """Process the next frame of a side: reassemble items that span it and earlier frames."""
        run = self.run
        if schema.name != run.command or any(each.code.stops for each in row.problems):
            return
        values = row.values
        data, position = values[run.part], values[run.position]
        if not data:
            return
        key = row.side, values[run.by]
        whole = self._whole(key, position)
        if whole is None:
            length = run.items(data)
            if length is None or length == len(data):
                return
            whole = Reassembled(schema.name)
        whole.count += 1
        row.piece, row.whole = whole.count, whole
        self.pool.add(whole, {run.part: data}, always=True)
        if whole.reason is not None:
            return
        length = run.items(whole.parts[run.part])
        if length is None:
            self.pool.fail(whole, "its continuation is not an item")
            return
        row.complete = length > 0
        rest = self._cut(whole, length) if length else whole
        if rest is not None:
            self._open[key] = _OpenItem(position + len(data), rest)
        if len(self._open) > MOST_OPEN:
            _, oldest = self._open.pop(next(iter(self._open)))
            self.pool.fail(oldest, "too many items are incomplete")

    def _whole(self, key: tuple[int, Any], position: int) -> Reassembled | None:
        """Return the unfinished item that continues at this position; None without one."""
        found = self._open.pop(key, None)
        if found is None or found.end == position:
            return found and found.whole
        self.pool.fail(found.whole, "the bytes after it are not in the capture")
        return None

    def _cut(self, whole: Reassembled, length: int) -> Reassembled | None:
        """End the items in the first `length` bytes.

        Return the unfinished one after them, or None.
        """
        part = self.run.part
        kept = whole.parts[part]
        left = bytes(kept[length:])
        whole.parts = {part: bytes(kept[:length])} if self.pool.keeps else {}
        whole.sizes = {part: length}
        self.pool.end(whole)
        if not left:
            return None
        rest = whole.next = Reassembled(whole.command)
        rest.count = 1
        self.pool.add(rest, {part: left}, always=True)
        return rest

    def lose(self, side: int, reason: str = "bytes between its fragments are missing") -> None:
        """Note that bytes of a side are missing, or that no more come: its open items fail."""
        for key in [key for key in self._open if key[0] == side]:
            self.pool.fail(self._open.pop(key).whole, reason)
