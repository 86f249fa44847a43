"""Keyed permutations: replace a number by another one of the same range.

Different numbers have different replacements, so names stay different. Small ranges are shuffled
into one cycle, in which no number stays itself; larger ones go through a Feistel network
(NIST SP 800-38G has the idea), repeated until the result is in the range.
"""

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SHUFFLED = 10_000
"""Numbers of a range that is shuffled; larger ones need no table."""
_ROUNDS = 8
_MOST_TABLES = 512


class Permutations:
    """Permutations of ranges of numbers, one for each size and purpose."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.blake2b(key, digest_size=32, person=b"streamshark").digest()
        self._table: Callable[[bytes, int], list[int]] = lru_cache(_MOST_TABLES)(self._shuffled)

    def of(self, number: int, size: int, purpose: bytes) -> int:
        """Return the replacement of a number below `size`."""
        if size <= 1:
            return number
        if size <= SHUFFLED:
            return self._table(purpose, size)[number]
        half = (size.bit_length() + 1) // 2
        while True:
            number = self._mixed(number, half, purpose)
            if number < size:
                return number

    def stream(self, data: bytes, size: int, purpose: bytes) -> bytes:
        """Return so many bytes that follow from the key and some bytes."""
        state = hashlib.shake_256(self._key + len(purpose).to_bytes(2, "big") + purpose + data)
        return state.digest(size)

    def _mixed(self, number: int, half: int, purpose: bytes) -> int:
        mask = (1 << half) - 1
        left, right = number >> half, number & mask
        for turn in range(_ROUNDS):
            seed = b"%d %d " % (turn, half) + right.to_bytes(half // 8 + 1, "big")
            made = int.from_bytes(self.stream(seed, half // 8 + 1, purpose), "big") & mask
            left, right = right, left ^ made
        return left << half | right

    def _shuffled(self, purpose: bytes, size: int) -> list[int]:
        """Return the numbers in one cycle (Sattolo's algorithm)."""
        numbers = list(range(size))
        stream = self.stream(b"shuffle %d" % size, 8 * size, purpose)
        for last in range(size - 1, 0, -1):
            other = int.from_bytes(stream[8 * last : 8 * last + 8], "big") % last
            numbers[last], numbers[other] = numbers[other], numbers[last]
        return numbers
