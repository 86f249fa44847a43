"""The bytes of the selected row, with those of the selected field marked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import events
from textual.message import Message

from streamshark.tui.details import Details
from streamshark.tui.keys import BYTES
from streamshark.tui.line_view import LineView
from streamshark.tui.pieces import TextPiece
from streamshark.views.hexdump import PRINTABLE
from streamshark.views.tree_items import DataSource, TreeItem

if TYPE_CHECKING:
    from streamshark.schema.secrets import SecretSpan

WIDE: Final = 74
"""Columns from which a line has 16 bytes, and not 8."""
OFFSET: Final = 6
"""Columns before the first byte."""


class BytesView(LineView):
    """Offset, hex and ASCII; each data source is a tab."""

    context = BYTES

    class Pointed(Message):
        """A byte was selected."""

        def __init__(self, source: DataSource, byte: int) -> None:
            super().__init__()
            self.source, self.byte = source, byte

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.sources: list[DataSource] = []
        self.tab = 0
        """Index of the data source that is shown."""
        self.start = self.end = 0
        """The marked bytes."""
        self.byte = 0
        """The selected byte."""
        self.hidden: list[SecretSpan] = []
        self.about = ""
        """Name of the marked field."""

    def highlights(self) -> bool:
        """Return False: the selected byte is highlighted alone."""
        return False

    @property
    def width(self) -> int:
        """Bytes of a line."""
        return 16 if self.size.width >= WIDE else 8

    @property
    def source(self) -> DataSource | None:
        """The data source that is shown; None without a row."""
        return self.sources[self.tab] if self.tab < len(self.sources) else None

    def heading(self) -> Sequence[TextPiece]:
        """Return the tabs, and what is marked."""
        out = [TextPiece("Bytes")]
        if len(self.sources) > 1:
            out += (
                TextPiece(
                    f" {'[' if at == self.tab else ' '}{each.name}{']' if at == self.tab else ' '}"
                )
                for at, each in enumerate(self.sources)
            )
        if self.end > self.start:
            out.append(TextPiece(f"  {self.about} {self.start}-{self.end - 1}"))
        return out

    def load(self, details: Details | None) -> None:
        """Show the bytes of a row."""
        self.sources = [] if details is None else details.sources
        self.hidden = [] if details is None else details.hidden
        self.tab = self.start = self.end = self.byte = 0
        self.about = ""
        self._lay()

    def mark(self, item: TreeItem) -> None:
        """Mark the bytes of a field, in the tab that has them."""
        tab = next((at for at, each in enumerate(self.sources) if each is item.source), None)
        if tab is None:
            return
        self.tab, self.start, self.end, self.about = tab, item.start, item.end, item.name
        self.byte = item.start
        self._lay()

    def mark_around(self, item: TreeItem, byte: int) -> None:
        """Mark the bytes of a field, with one of them selected."""
        self.mark(item)
        self.byte = byte
        self._lay()

    def next_tab(self) -> None:
        """Show the next data source."""
        if self.sources:
            self._show_tab((self.tab + 1) % len(self.sources))

    def _show_tab(self, tab: int) -> None:
        self.tab = tab
        self.start = self.end = self.byte = 0
        self._lay()

    def move(self, lines: int) -> None:
        """Move the selected byte by a number of lines."""
        self.point(self.byte + lines * self.width)

    def choose(self, line: int) -> None:
        """Select the first byte of a line."""
        self.point(line * self.width)

    def point(self, byte: int) -> None:
        """Select a byte."""
        source = self.source
        if source is None or not source.data:
            return
        self.byte = max(0, min(byte, len(source.data) - 1))
        self.show(self.count, self.byte // self.width)
        self.post_message(self.Pointed(source, self.byte))

    def _lay(self) -> None:
        source = self.source
        size = 0 if source is None else len(source.data)
        self.show(-(-size // self.width), self.byte // self.width)

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return one line of bytes."""
        source, width = self.source, self.width
        if source is None:
            return ()
        first = number * width
        data = source.data[first : first + width]
        hidden = self._hidden(first, first + len(data)) if self.tab == 0 else set[int]()
        out, letters = [TextPiece(f"{first:04x}  ", "generated")], list[TextPiece]()
        for at, byte in enumerate(data, first):
            is_hidden = at in hidden
            style = self._style(at)
            gap = " " if at + 1 < first + len(data) else ""
            joins = self._style(at + 1) == style
            out.append(TextPiece("**" if is_hidden else f"{byte:02x}", style))
            out.append(TextPiece(gap, style if joins else ""))
            letter = "*" if is_hidden else chr(byte) if byte in PRINTABLE else "."
            letters.append(TextPiece(letter, style))
        out.append(TextPiece(" " * (3 * (width - len(data)) + 3)))
        return [*out, *letters]

    def _style(self, at: int) -> str:
        if at == self.byte and self.has_focus:
            return "cursor"
        return "range" if self.start <= at < self.end else ""

    def on_focus(self) -> None:
        """Show the selected byte."""
        self.forget()

    def on_blur(self) -> None:
        """Show the field alone."""
        self.forget()

    def _hidden(self, start: int, end: int) -> set[int]:
        """Return the offsets of secret bytes between two offsets."""
        return {
            at for first, last, _ in self.hidden for at in range(max(first, start), min(last, end))
        }

    def on_click(self, event: events.Click) -> None:
        """Select the byte that was clicked, in hex or in ASCII."""
        event.prevent_default()  # which would select the first byte of the line
        if event.y == 0:
            self._choose_tab(event.x + self.shift)
            return
        width, column = self.width, event.x + self.shift - OFFSET
        inside = column // 3 if column < 3 * width else column - 3 * width - 2
        byte = (self.scroll_offset.y + event.y - 1) * width + inside
        size = 0 if self.source is None else len(self.source.data)
        if column >= 0 and 0 <= inside < width and byte < size:
            self.point(byte)

    def _choose_tab(self, column: int) -> None:
        """Show the data source whose name was clicked."""
        left, *names = self.heading()
        end = len(left.text)
        for tab, each in enumerate(names[: len(self.sources)]):
            start, end = end, end + len(each.text)
            if start <= column < end and len(self.sources) > 1:
                self._show_tab(tab)

    def on_resize(self) -> None:
        """Lay the bytes out again."""
        self._lay()
