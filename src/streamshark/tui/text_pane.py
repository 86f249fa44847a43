"""A pane of text, folded to its width."""

from collections.abc import Iterable, Sequence

from streamshark.tui.line_view import LineView
from streamshark.tui.pieces import TextPiece, pieces
from streamshark.views.terminal_lines import columns, cut


class TextPane(LineView):
    """Paragraphs, each painted for `pieces`, below a title."""

    def __init__(self, title: str, context: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.title = title
        self.context = context
        self._paragraphs: list[str] = []
        self._lines: list[list[TextPiece]] = []

    def highlights(self) -> bool:
        """Return whether the text has the focus: only then there is a position in it."""
        return self.has_focus

    def heading(self) -> Sequence[TextPiece]:
        """Return the title."""
        return [TextPiece(self.title)]

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return one folded line."""
        return self._lines[number]

    def put(self, paragraphs: Iterable[str]) -> None:
        """Show other text."""
        self._paragraphs = list(paragraphs)
        self._fold(0)

    def on_resize(self) -> None:
        """Fold the text again."""
        self._fold(self.cursor)

    def _fold(self, cursor: int) -> None:
        width = max(self.size.width - 1, 20)
        self._lines = [line for each in self._paragraphs for line in folded(pieces(each), width)]
        self.show(len(self._lines), cursor)


def folded(line: list[TextPiece], width: int) -> list[list[TextPiece]]:
    """Return a line of pieces as lines of at most so many columns, folded at blanks.

    Later lines are indented as the first one is, and two columns further.
    """
    text = "".join(each.text for each in line)
    indent = " " * min(len(text) - len(text.lstrip(" ")) + 2, width // 2)
    out: list[list[TextPiece]] = [[]]
    at = 0
    for piece in line:
        for word in _words(piece.text):
            size = columns(word)
            if at + size > width and word.strip() and at > len(indent):
                out.append([TextPiece(indent)])
                at = len(indent)
            while columns(word) > width - at:
                part = cut(word, width - at)[:-1] or word[:1]
                out[-1].append(TextPiece(part, piece.style))
                out.append([TextPiece(indent)])
                word, at = word[len(part) :], len(indent)  # noqa: PLW2901 - the rest of it
            out[-1].append(TextPiece(word, piece.style))
            at += columns(word)
    return out


def _words(text: str) -> Iterable[str]:
    """Yield words, each with the blanks after it, and blanks at the beginning."""
    start = 0
    for at in range(1, len(text)):
        if text[at] != " " and text[at - 1] == " ":
            yield text[start:at]
            start = at
    if text:
        yield text[start:]
