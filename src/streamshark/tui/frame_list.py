"""The list of rows: one line each, in columns."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rich.style import Style

from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.tui.browser import SENT, Browser
from streamshark.tui.colour_rules import ColourRules
from streamshark.tui.keys import LIST
from streamshark.tui.line_view import MOST_LINES, LineView
from streamshark.tui.pieces import TextPiece, pieces
from streamshark.tui.state import State
from streamshark.views.terminal_lines import cut

if TYPE_CHECKING:
    from streamshark.tui.comments import Place

NARROW: Final = 100
"""Width of a terminal below which fewer columns are shown."""
LONGEST: Final = 32
"""Most characters of a column that a field became."""
COMMENT: Final = ";"
"""Mark of a row whose packet has a comment."""
GUTTER: Final = 3
"""Columns before the first one: the mark, and the worst of what is wrong."""


class FrameList(LineView):
    """The rows of an index that the filter selects."""

    context = LIST

    def __init__(
        self,
        browser: Browser,
        chosen: Callable[[int], object],
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Make the list; `chosen` is called with a line that the user chose."""
        super().__init__(id=id)
        self.browser = browser
        self._chosen = chosen
        self.state = State()
        self.rules: ColourRules | None = None
        """Colour rules of the rows; None for none."""
        self.fields: tuple[str, ...] = ()
        """Fields that are columns of their own."""
        self._widths: dict[str, int] = {}
        self._comment_count = 0
        """Number of the comments of captures that are marked."""
        self._commented: set[Place] = set()
        """Packets with comments."""
        self._letters: dict[int, str] = {}
        """Lines that were drawn last, to the letter of what is wrong there."""
        self._cells: Mapping[str, Callable[[Row], str]] = {
            "No.": lambda row: str(row.number) if isinstance(row, FrameRow) else "",
            "Packet": lambda row: f"p{row.packet}",
            "Source": lambda row: row.addresses[0],
            "Destination": lambda row: row.addresses[1],
            "Flow": lambda row: f"{row.connection.flow.number} {SENT[row.sender or '']}",
            "Protocol": lambda row: (
                row.protocol if isinstance(row, EventRow) else row.connection.wire.short
            ),
            "Length": lambda row: str(len(row.data)) if isinstance(row, FrameRow) else "",
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns before the last one."""
        narrow = self.app.size.width < NARROW
        names = ("No.", "Time", "Flow") if narrow else (
            "No.", "Packet", "Time", "Source", "Destination", "Protocol", "Length",
        )  # fmt: skip
        return (*names, *self.fields)

    def update(self, state: State) -> None:
        """Show a state: draw only what has changed."""
        before, self.state = self.state, state
        fresh = before.selected is not state.selected or before.reference != state.reference
        if before.marked != state.marked or before.marks != state.marks:
            fresh = True
        if fresh or before.count != state.count or not state.count:
            self.show(state.count, state.cursor, fresh=fresh)
        elif self.cursor != state.cursor:
            self.place(state.cursor)
        else:
            self.reveal(state.cursor)

    def choose(self, line: int) -> None:
        """Report a line; the state decides whether it is selected."""
        self._chosen(line)

    def move(self, lines: int) -> None:
        """Report a line so many lines further."""
        self.choose(self.cursor + lines)

    def set_fields(self, names: tuple[str, ...]) -> None:
        """Show other fields as columns."""
        self.fields = names
        self._widths.clear()
        self.forget()

    def mark_news(self) -> None:
        """Draw the lines again on which something else is wrong now, or that have comments."""
        if self._comment_count != (count := self.browser.index.comment_count):
            self._comment_count = count
            self.mark_comments()
        changed = []
        for line, letter in self._letters.items():
            at = self.state.row_at(line)
            if at is not None and self.browser.severity(at)[0] != letter:
                changed.append(line)
        for line in changed:
            self.forget(line)

    # Lines

    def heading(self) -> Sequence[TextPiece]:
        """Return the names of the columns."""
        names = (self._title(name).ljust(self._width(name)) for name in self.columns)
        return [
            TextPiece(" " * GUTTER),
            *(TextPiece(f"{each} ") for each in names),
            TextPiece("Info"),
        ]

    def nothing(self) -> str:
        """Return why no row is shown, and what to do."""
        state = self.state
        if not state.total:
            return self.browser.nothing()
        if state.filter.runs:
            return ""
        return (
            f"The display filter selects none of {state.total:,} rows: {state.filter.text}\n\n"
            "/ changes it; without a text in it, all rows are shown."
        )

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return one row."""
        at = self.state.row_at(number)
        if at is None:
            return ()
        try:
            row = self.browser.row(at)
        except StreamsharkError as error:
            return [TextPiece(f"   {error}", "error")]
        out = [self._gutter(at, number)]
        for name in self.columns:
            text, style = self._cell(name, row)
            width = self._fitted(name, text)
            shown = text.rjust(width) if name in _RIGHT else text.ljust(width)
            out.append(TextPiece(f"{shown} ", style))
        return [*out, *pieces(self.browser.info(row))]

    def line_style(self, number: int) -> Style | None:
        """Return the colours of the rule that selects a row."""
        at = self.state.row_at(number)
        if self.rules is None or at is None:
            return None
        try:
            return self.rules.style(self.browser.original(at))
        except StreamsharkError:
            return None

    def mark_comments(self) -> None:
        """Draw the marks of comments again."""
        self._commented = self.browser.comments.places()
        self.forget()

    def use_rules(self, rules: ColourRules | None) -> None:
        """Apply colour rules, or none."""
        self.rules = rules
        self.forget()

    def _gutter(self, at: int, line: int) -> TextPiece:
        """Return the mark of a line, and the letter of the worst that is wrong with its row."""
        state = self.state
        mark = next(
            (name for name, each in state.marks.items() if each == at and name.isalpha()), ""
        )
        mark = mark or ("*" if at in state.marked else "T" if at == state.reference else "")
        if not mark and (places := self._commented):
            mark = COMMENT if self.browser.place(at) in places else ""
        mark = mark or " "
        letter, style = self.browser.severity(at)
        self._letters[line] = letter
        if len(self._letters) > MOST_LINES:
            del self._letters[next(iter(self._letters))]
        return TextPiece(f"{mark}{letter or ' '} ", style)

    def _cell(self, name: str, row: Row) -> tuple[str, str]:
        """Return text and style of a cell."""
        if name == "Time":
            return self.browser.time(row, self.state.reference), "time"
        get = self._cells.get(name)
        if get is None:
            return cut(self.browser.field(name, row), LONGEST), ""
        return get(row), (row.sender or "") if name in _ENDS else ""

    def _fitted(self, name: str, text: str) -> int:
        """Return the width of a column, which grows with its texts."""
        width = self._width(name)
        if len(text) > width:
            self._widths[name] = width = len(text)
            self.call_later(self.forget)
        return width

    def _width(self, name: str) -> int:
        title = self._title(name)
        return self._widths.get(name, max(_LEAST.get(name, 0), min(len(title), LONGEST)))

    def _title(self, name: str) -> str:
        """Return the title of a column; in a narrow terminal, the last part of a field's name."""
        is_narrow = self.app.size.width < NARROW
        return name.rpartition(".")[2] if is_narrow and name in self.fields else name


_RIGHT: Final = frozenset({"No.", "Length", "Flow"})
"""Columns whose texts are at the right."""
_ENDS: Final = frozenset({"Source", "Destination", "Flow"})
"""Columns with the colour of the sender."""
_LEAST: Final = {"No.": 4, "Packet": 5, "Time": 10, "Source": 15, "Destination": 15, "Protocol": 9}
"""Least width of a column."""
