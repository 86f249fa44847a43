"""Searches for text in a pane: in lines one by one, so that keys are read meanwhile."""

from collections.abc import Callable, Iterator

from streamshark.errors import StreamsharkError


class Search:
    """What is searched for: text without regard to case, or bytes as `0x...`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = text.casefold()

    def matches(self, line: str) -> bool:
        """Return whether a line has the text."""
        return self._folded in line.casefold()

    def wanted(self) -> bytes:
        """Return what to search for in bytes: hex digits after `0x`, or text in UTF-8.

        Raises:
            StreamsharkError: The digits are no bytes.
        """
        if not self.text.startswith("0x"):
            return self.text.encode()
        try:
            return bytes.fromhex(self.text[2:])
        except ValueError:
            raise StreamsharkError(f"{self.text!r}: not an even number of hex digits") from None

    def in_lines(
        self, line: Callable[[int], str], count: int, start: int, step: int
    ) -> Iterator[int | None]:
        """Yield the number of the next line that matches, or None for each that does not.

        The search begins after `start` and goes around once.
        """
        for distance in range(1, count + 1):
            at = (start + step * distance) % count
            if self.matches(line(at)):
                yield at
                return
            yield None

    def in_bytes(self, data: bytes, start: int, step: int) -> int | None:
        """Return where the bytes are next, around the end; None if they are nowhere."""
        wanted = self.wanted()
        if step > 0:
            found = data.find(wanted, start + 1)
            return None if (at := found if found >= 0 else data.find(wanted)) < 0 else at
        found = data.rfind(wanted, 0, max(start + len(wanted) - 1, 0))
        return None if (at := found if found >= 0 else data.rfind(wanted)) < 0 else at
