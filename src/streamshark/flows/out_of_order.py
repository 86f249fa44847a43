"""Buffer of out-of-order bytes: those of one side that arrived after a hole.

Pieces are kept sorted and never overlap; of two copies of a byte the first to arrive is kept.
Inserting costs a binary search and a list insertion, plus the pieces that the new one spans, each
of which is at least a byte of it: linear in the traffic, whatever the traffic is.
"""

from bisect import bisect_right
from typing import NamedTuple

HELD_BYTES = 8 << 20
"""Most payload that one side buffers. Linux lets a receiver offer 6 MiB by default (tcp_rmem's
third value), so no more can be in flight after a hole that is still to be filled."""

HELD_PIECES = 8192
"""Most pieces that one side buffers: the same 6 MiB in segments of 1448 bytes are 4345."""

PIECE_COST = 256
"""Approximate memory of a piece besides its payload, in bytes: the objects, and list entries."""


class Piece(NamedTuple):
    """Part of one packet's payload that waits for the bytes before it."""

    start: int
    """Offset in the side's stream."""
    end: int
    data: bytes
    """The bytes of `[start, end)`; empty if the capture's snap length cut them off."""
    origin: int
    """Number of the packet that carried it."""
    file: int
    arrival: int
    """The connection's packet count when it arrived."""
    window: int
    flags: int
    is_payload: bool
    """As in `Segment`."""


class OutOfOrder:
    """The buffered pieces of one side."""

    __slots__ = ("_pieces", "_starts", "size")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._pieces: list[Piece] = []
        self.size = 0
        """Cost of the pieces: their payload, and `PIECE_COST` each."""

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def first(self) -> Piece:
        """The piece after the first hole."""
        return self._pieces[0]

    @property
    def full(self) -> bool:
        """Whether more is buffered than can ever be useful."""
        count = len(self._pieces)
        return count > HELD_PIECES or self.size - count * PIECE_COST > HELD_BYTES

    def insert(self, piece: Piece) -> int:
        """Buffer the new parts of a piece; return how many of its captured bytes are repeated."""
        starts, pieces = self._starts, self._pieces
        at = bisect_right(starts, piece.start)
        repeated = 0
        start = piece.start
        if at and pieces[at - 1].end > start:
            covered = min(pieces[at - 1].end, piece.end)
            repeated += _captured(piece, start, covered)
            start = covered
        fresh = []
        spanned = at
        while start < piece.end:
            if spanned == len(pieces) or pieces[spanned].start >= piece.end:
                fresh.append((start, piece.end))
                break
            other = pieces[spanned]
            if start < other.start:
                fresh.append((start, other.start))
            covered = min(other.end, piece.end)
            repeated += _captured(piece, other.start, covered)
            start = covered
            spanned += 1
        if fresh == [(piece.start, piece.end)]:
            self._put(at, spanned, [piece])
        elif fresh:
            parts = [_part(piece, start, end) for start, end in fresh]
            self._put(at, spanned, sorted(pieces[at:spanned] + parts))
        return repeated

    def contradicts(self, piece: Piece) -> bool:
        """Return whether a piece has other bytes than the buffered ones at the same offset."""
        pieces = self._pieces
        at = max(0, bisect_right(self._starts, piece.start) - 1)
        while at < len(pieces) and pieces[at].start < piece.end:
            each = pieces[at]
            start, end = max(each.start, piece.start), min(each.end, piece.end)
            here = each.data[start - each.start : max(start, end) - each.start]
            if here != piece.data[start - piece.start : max(start, end) - piece.start]:
                return True
            at += 1
        return False

    def take(self, offset: int) -> list[Piece]:
        """Remove and return the consecutive pieces from `offset` on."""
        count = 0
        for piece in self._pieces:
            if piece.start != offset:
                break
            offset = piece.end
            count += 1
        taken = self._pieces[:count]
        del self._pieces[:count], self._starts[:count]
        self.size -= sum(len(piece.data) + PIECE_COST for piece in taken)
        return taken

    def _put(self, at: int, until: int, pieces: list[Piece]) -> None:
        before = sum(len(piece.data) + PIECE_COST for piece in self._pieces[at:until])
        self._pieces[at:until] = pieces
        self._starts[at:until] = [piece.start for piece in pieces]
        self.size += sum(len(piece.data) + PIECE_COST for piece in pieces) - before


def _captured(piece: Piece, start: int, end: int) -> int:
    """Count the captured bytes of `[start, end)`, a range within the piece."""
    return end - start if piece.data else 0


def _part(piece: Piece, start: int, end: int) -> Piece:
    data = piece.data[start - piece.start : end - piece.start]
    return piece._replace(start=start, end=end, data=data, is_payload=False)
