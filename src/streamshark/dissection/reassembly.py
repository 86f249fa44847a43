"""Frames that were cut into pieces, followed on each side and stream, and put together.

A first piece says that more follow; later ones are known by the stream that they are on. All pieces
of a frame share one `Reassembled`, which the last piece completes. What is put together is bounded:
of one frame by `MOST_BYTES`, of all connections of a reading by `MOST_KEPT` (`ReassemblyPool`);
what is over is followed to its end all the same, and says why it is not whole.

Where a side was joined later, or has lost bytes, a piece that continues may be the first one seen
of its frame. Unless a request, or the end of a frame, was seen on its stream since, its beginning
is taken to be missing.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from streamshark.framing.wire_format import Fragmentation
from streamshark.schema import FrameSchema

if TYPE_CHECKING:
    from streamshark.dissection.row import FrameRow

MOST_OPEN: Final = 65_536
"""Most streams of a connection whose last piece is waited for; the oldest are forgotten first."""
MOST_BYTES: Final = 16 * 1024 * 1024
"""Most bytes that one frame is put together to: about what one RSocket frame can hold."""
MOST_KEPT: Final = 64 * 1024 * 1024
"""Most bytes of unfinished frames of all connections; the oldest frame makes room."""
_OPEN: Final = (0, 1)
"""Places of pieces behind which more follow."""
MOST_LISTED: Final = 1024
"""Most pieces of one frame that are listed; the others are counted."""


class Reassembled:
    """A frame that comes in pieces: one for all of them, growing as they come."""

    __slots__ = ("command", "count", "frames", "next", "parts", "reason", "sizes")

    def __init__(self, command: str | None) -> None:
        self.command = command
        """Of its first piece; None where that one is not in the capture."""
        self.count = 0
        """Pieces so far, those that were not seen left out."""
        self.frames: list[int] = []
        """Numbers of the frames that are its pieces, as they are given out; the first ones."""
        self.sizes: dict[str, int] = {}
        """Bytes of each part, by the name of its member; a part that no piece has is left out."""
        self.parts: dict[str, bytes | bytearray] = {}
        """The parts themselves; bytes once it is whole. Empty where nobody asks for them."""
        self.next: Reassembled | None = None
        """What else begins in the frame that this one ends in."""
        self.reason: str | None = None
        """Why it cannot be put together; None where it can, or could so far."""

    def fail(self, reason: str) -> None:
        """It cannot be put together; the first reason stays."""
        self.reason = self.reason or reason
        self.parts = {}


class ReassemblyPool:
    """What the unfinished frames of a reading hold.

    `keeps` is False where nobody will look at what is put together: then only sizes are counted.
    """

    def __init__(self, *, keeps: bool = True, most: int = MOST_KEPT) -> None:
        self.keeps = keeps
        self.most = most
        self.size = 0
        """Bytes held."""
        self._held: dict[Reassembled, int] = {}
        """Bytes of each, the oldest first."""

    def add(self, whole: Reassembled, parts: Mapping[str, bytes], *, always: bool = False) -> None:
        """One more piece of a frame that may still become whole; `always` keeps its bytes."""
        for name, piece in parts.items():
            whole.sizes[name] = whole.sizes.get(name, 0) + len(piece)
        if whole.reason is not None or not (self.keeps or always):
            return
        if sum(whole.sizes.values()) > MOST_BYTES:
            self.fail(whole, f"its pieces are more than {MOST_BYTES} bytes")
            return
        for name, piece in parts.items():
            kept = whole.parts.setdefault(name, bytearray())
            kept += piece
        size = sum(map(len, parts.values()))
        self._held[whole] = self._held.get(whole, 0) + size
        self.size += size
        while self.size > self.most:
            self.fail(
                next(iter(self._held)), f"more than {self.most} bytes of pieces are waited for"
            )

    def fail(self, whole: Reassembled, reason: str) -> None:
        """Let go of a frame that will not become whole."""
        whole.fail(reason)
        self.size -= self._held.pop(whole, 0)

    def join(self, whole: Reassembled, joined: Mapping[str, bytes] | str) -> None:
        """What its parts are with the last piece, or why they do not fit."""
        if isinstance(joined, str):
            self.fail(whole, joined)
            return
        whole.sizes = {name: len(part) for name, part in joined.items()}
        whole.parts = dict(joined) if self.keeps else {}

    def end(self, whole: Reassembled) -> None:
        """Its last piece has come."""
        whole.parts = {name: bytes(part) for name, part in whole.parts.items()}
        self.size -= self._held.pop(whole, 0)


class Reassembly:
    """The streams of one connection that are in the middle of something."""

    def __init__(self, fragments: Fragmentation, pool: ReassemblyPool | None = None) -> None:
        self.fragments = fragments
        self.pool = pool or ReassemblyPool()
        self._masks: dict[str, int] = {}
        """Command to its flag that says that another piece follows; 0 where it has none."""
        self._open: dict[tuple[int, Any], Reassembled] = {}
        """Sides and streams, the oldest first."""
        self._joined = [False, False]
        """Sides of which something was missed, so that pieces may lack their beginning."""
        self._begun: dict[tuple[int, Any], None] = {}
        """Streams of these sides of which a beginning was seen since."""

    def see(self, row: "FrameRow", schema: FrameSchema) -> None:
        """Mark the next frame of a side: whether it is a piece, and of what."""
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
            self._stop(stream, f"{name} came before its last piece")
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
            self.pool.fail(whole, "one of its pieces is not sound")
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
        """What the next frame of a side and stream is a piece of; None for one that is none."""
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

    def lose(self, side: int, reason: str = "bytes between its pieces are missing") -> None:
        """Bytes of a side are missing, or no more come: nothing open on it becomes whole."""
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
        """The first piece that was seen of a frame."""
        known = (
            not self._joined[key[0]]
            or command not in self.fragments.continued
            or key in self._begun
        )
        whole = self._open[key] = Reassembled(command if known else None)
        if not known:
            whole.fail("its first piece is not in the capture")
        if len(self._open) > MOST_OPEN:
            oldest = next(iter(self._open))
            self._joined[oldest[0]] = True
            self._drop(oldest, "too many frames are unfinished")
        return whole

    def _begin(self, key: tuple[int, Any], *, other: bool = False) -> None:
        """The next piece on this stream, with `other` of either side, is a first one."""
        for side in (0, 1) if other else (key[0],):
            if self._joined[side]:
                self._begun[side, key[1]] = None
                if len(self._begun) > MOST_OPEN:
                    del self._begun[next(iter(self._begun))]

    def _stop(self, stream: object, reason: str) -> None:
        """What is open on a stream will not be whole; pieces that were under way still come."""
        for side in (0, 1):
            whole = self._open.get((side, stream))
            if whole is not None:
                self.pool.fail(whole, reason)

    def _drop(self, key: tuple[int, Any], reason: str) -> None:
        self.pool.fail(self._open.pop(key), reason)
