"""Reassembly of fragmented frames, on each side and stream.

A first fragment says that more follow; later ones are identified by their stream. All fragments of
a frame share one `Reassembled`, which the last one completes. Memory is bounded: for one frame by
`MOST_BYTES`, for all connections of a reading by `MOST_KEPT` (`ReassemblyPool`); a frame above the
limit is still followed to its end, with the reason why it is not reassembled.

On a side that is captured from its middle, or that has lost bytes, the first captured fragment of a
frame may be a later one. Its beginning is taken to be missing, unless a request, or the end of a
frame, was seen on its stream since.
"""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.dissection.row import FrameRow, Reassembled
from streamshark.framing.wire_format import Fragmentation
from streamshark.schema import FrameSchema

MOST_OPEN: Final = 65_536
"""Most streams of a connection with unfinished frames; the oldest are dropped first."""
MOST_BYTES: Final = 16 * 1024 * 1024
"""Most bytes of a reassembled frame: about what one RSocket frame can hold."""
MOST_KEPT: Final = 64 * 1024 * 1024
"""Most bytes of unfinished frames of all connections; beyond that, the oldest frame is dropped."""
_OPEN: Final = (0, 1)
"""Positions of fragments that are not the last."""


class ReassemblyPool:
    """Memory of the unfinished frames of a reading.

    `keeps` is False if reassembled data is not needed: then only sizes are counted.
    """

    def __init__(self, *, keeps: bool = True, most: int = MOST_KEPT) -> None:
        self.keeps = keeps
        self.most = most
        self.size = 0
        """Bytes buffered."""
        self._held: dict[Reassembled, int] = {}
        """Bytes of each frame, the oldest first."""

    def add(self, whole: Reassembled, parts: Mapping[str, bytes], *, always: bool = False) -> None:
        """Add a fragment's parts; `always` keeps its bytes whatever `keeps` is."""
        for name, piece in parts.items():
            whole.sizes[name] = whole.sizes.get(name, 0) + len(piece)
        if whole.reason is not None or not (self.keeps or always):
            return
        if sum(whole.sizes.values()) > MOST_BYTES:
            self.fail(whole, f"its fragments exceed {MOST_BYTES} bytes")
            return
        for name, piece in parts.items():
            kept = whole.parts.setdefault(name, bytearray())
            kept += piece
        size = sum(map(len, parts.values()))
        self._held[whole] = self._held.get(whole, 0) + size
        self.size += size
        while self.size > self.most:
            self.fail(
                next(iter(self._held)), f"more than {self.most} bytes of fragments are pending"
            )

    def fail(self, whole: Reassembled, reason: str) -> None:
        """Drop the bytes of a frame that cannot be reassembled."""
        whole.fail(reason)
        self.size -= self._held.pop(whole, 0)

    def join(self, whole: Reassembled, joined: Mapping[str, bytes] | str) -> None:
        """Set the parts of a complete frame, or the reason why they do not fit."""
        if isinstance(joined, str):
            self.fail(whole, joined)
            return
        whole.sizes = {name: len(part) for name, part in joined.items()}
        whole.parts = dict(joined) if self.keeps else {}

    def end(self, whole: Reassembled) -> None:
        """Complete a frame: its last fragment has come."""
        whole.parts = {name: bytes(part) for name, part in whole.parts.items()}
        self.size -= self._held.pop(whole, 0)


class Reassembly:
    """The streams of one connection with unfinished frames."""

    def __init__(self, fragments: Fragmentation, pool: ReassemblyPool | None = None) -> None:
        self.fragments = fragments
        self.pool = pool or ReassemblyPool()
        self._masks: dict[str, int] = {}
        """Command to its flag that says that another fragment follows; 0 if it has none."""
        self._open: dict[tuple[int, Any], Reassembled] = {}
        """Unfinished frames by side and stream, the oldest first."""
        self._joined = [False, False]
        """Sides with missing bytes, on which the beginning of a fragmented frame may be missing."""
        self._begun: dict[tuple[int, Any], None] = {}
        """Streams of these sides with a beginning seen since."""

    def see(self, row: FrameRow, schema: FrameSchema) -> None:
        """Process the next frame of a side: set whether it is a fragment, and of which frame."""
        given, name = self.fragments, schema.name
        mask = self._masks.get(name)
        if mask is None:
            mask = self._masks[name] = self._mask(schema)
        concerns = mask or name in given.begun or (not given.flags and name in given.continued)
        if not concerns and name not in given.ended:
            return
        values = row.values
        stream = values.get(given.by)
        if not concerns:
            self._stop(stream, f"{name} arrived before its last fragment")
            return
        key = row.side, stream
        place = values.get(given.place)
        more = name in given.begun or values.get(given.flags, 0) & mask != 0 or place in _OPEN
        whole = self._whole(key, name, more=more, first=place == 0)
        if whole is None:
            return
        row.whole = whole
        row.complete = not more
        whole.count += 1
        row.piece = 0 if name in given.begun else whole.count
        if any(each.code.stops for each in row.problems):
            self.pool.fail(whole, "one of its fragments is malformed")
        if more or place is not None or given.joins is None:
            parts = {part: values.get(part) for part in given.parts}
            there = {part: piece for part, piece in parts.items() if piece is not None}
            self.pool.add(whole, there, always=given.joins is not None)
        elif whole.reason is None:
            self.pool.join(
                whole, given.joins({n: bytes(p) for n, p in whole.parts.items()}, values)
            )
        if not more:
            del self._open[key]
            self.pool.end(whole)
            self._begin(key)

    def _whole(
        self, key: tuple[int, Any], name: str, *, more: bool, first: bool = False
    ) -> Reassembled | None:
        """Return the frame to which a fragment belongs; None for a frame that is not a fragment."""
        whole, crossed = self._open.get(key), False
        if first or name not in self.fragments.continued:
            if whole is not None:
                crossed = whole.reason is None
                self._drop(key, "another frame began on its stream")
                whole = None
            self._begin(key, other=True)
        if whole is None and more:
            whole = self._new(key, name)
            if crossed:
                self.pool.fail(whole, "it began inside another frame")
        elif whole is None:
            self._begin(key)
        return whole

    def lose(self, side: int, reason: str = "bytes between its fragments are missing") -> None:
        """Note that bytes of a side are missing, or that no more come: its open frames fail."""
        self._joined[side] = True
        for key, whole in self._open.items():
            if key[0] == side:
                self.pool.fail(whole, reason)
        for key in [key for key in self._begun if key[0] == side]:
            del self._begun[key]

    def _mask(self, schema: FrameSchema) -> int:
        named = (mask for mask, name in schema.flags.items() if name == self.fragments.more)
        return next(named, 0)

    def _new(self, key: tuple[int, Any], command: str) -> Reassembled:
        """Return a new frame for the first fragment that was captured."""
        known = (
            not self._joined[key[0]]
            or command not in self.fragments.continued
            or key in self._begun
        )
        whole = self._open[key] = Reassembled(command if known else None)
        if not known:
            whole.fail("its first fragment is not in the capture")
        if len(self._open) > MOST_OPEN:
            oldest = next(iter(self._open))
            self._joined[oldest[0]] = True
            self._drop(oldest, "too many frames are incomplete")
        return whole

    def _begin(self, key: tuple[int, Any], *, other: bool = False) -> None:
        """Note that the next fragment on a stream (with `other`, of either side) is a first one."""
        for side in (0, 1) if other else (key[0],):
            if self._joined[side]:
                self._begun[side, key[1]] = None
                if len(self._begun) > MOST_OPEN:
                    del self._begun[next(iter(self._begun))]

    def _stop(self, stream: object, reason: str) -> None:
        """Let the open frames on a stream fail; fragments in flight may still come."""
        for side in (0, 1):
            whole = self._open.get((side, stream))
            if whole is not None:
                self.pool.fail(whole, reason)

    def _drop(self, key: tuple[int, Any], reason: str) -> None:
        self.pool.fail(self._open.pop(key), reason)
