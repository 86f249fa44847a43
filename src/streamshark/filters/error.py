"""The error of a display filter: a sentence, its position in the text, one suggestion."""

from streamshark.errors import StreamsharkError

WIDTH = 100
"""Most characters of a filter that are shown above the caret line."""


class FilterError(StreamsharkError):
    """A display filter is wrong; `text[start:end]` is the part that is.

    The message is one line, `details` shows the position. `suggestion` is text that may have been
    meant, empty without one.
    """

    def __init__(
        self, message: str, text: str, start: int, end: int, *, suggestion: str = ""
    ) -> None:
        hint = f'; did you mean "{suggestion}"?' if suggestion else ""
        super().__init__(f"{message}{hint}")
        self.text, self.start, self.end = text, start, max(end, start + 1)
        self.suggestion = suggestion
        self.details = self._carets()

    def _carets(self) -> str:
        """Return the filter and, below it, carets under the part that is wrong."""
        first = max(0, min(self.start - WIDTH // 2, len(self.text) - WIDTH))
        shown = "".join(
            each if each.isprintable() else "?" for each in self.text[first : first + WIDTH]
        )
        count = min(self.end, first + WIDTH) - self.start
        return f"{shown}\n{' ' * (self.start - first)}{'^' * max(count, 1)}"


class Unsuitable(Exception):  # noqa: N818 - caught by the caller, which knows the position
    """A literal has no value of the type."""
