"""A set of numbers, such as those of packets, in a bit each."""


class NumberSet:
    """A set of numbers from 0 on."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, number: int) -> None:
        """Add a number."""
        at, bit = divmod(number, 8)
        bits = self._bits
        if at >= len(bits):
            bits.extend(bytes(max(at + 1 - len(bits), len(bits), 64)))
        bits[at] |= 1 << bit

    def __contains__(self, number: int) -> bool:
        """Return whether a number was added."""
        at, bit = divmod(number, 8)
        return at < len(self._bits) and self._bits[at] >> bit & 1 == 1
