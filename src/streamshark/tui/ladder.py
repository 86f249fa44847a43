"""A conversation as a ladder: one arrow for each frame, between its two sides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from streamshark.conversations.units import duration
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.tui.keys import LADDER
from streamshark.tui.line_view import LineView
from streamshark.tui.pieces import TextPiece, pieces, text_of
from streamshark.views.annotations import UNANSWERED, sentence
from streamshark.views.findings import MARKS
from streamshark.views.terminal_lines import columns, cut

if TYPE_CHECKING:
    from streamshark.conversations.conversation import DerivedValue
    from streamshark.tui.browser import Browser

GAP: Final = 1_000_000_000
"""Nanoseconds without a frame that are a line of their own."""
LEAST_ARROW: Final = 4
"""Least columns of an arrow."""
MARGIN: Final = 26
"""Least columns at the right for credit, frames in flight and findings."""
START: Final = 20
"""Columns at the left: number of the frame, and the time since the one before."""
_MARGIN_NAMES: Final = {"credit_balance": "credit", "requester_credit_balance": "requester credit",
                        "in_flight": "in flight", "lease_left": "lease"}  # fmt: skip
"""Derived values at the margin, to the words before them."""


class LadderLine(NamedTuple):
    """One line: the row of an arrow, or the time before it."""

    row: int
    is_gap: bool
    waited_ns: int
    """Time since the row before."""


def ladder_lines(rows: Iterable[int], times: Sequence[int]) -> list[LadderLine]:
    """Return the lines of a ladder; `times` are those of all rows."""
    out: list[LadderLine] = []
    before: int | None = None
    for row in rows:
        waited = 0 if before is None else times[row] - before
        if waited >= GAP:
            out.append(LadderLine(row, True, waited))  # noqa: FBT003 - a member
        out.append(LadderLine(row, False, waited))  # noqa: FBT003
        before = times[row]
    return out


def arrow(
    text: list[TextPiece], *, to_server: bool | None, width: int, style: str
) -> list[TextPiece]:
    """Return an arrow of a width with its text, at the side of who sends it."""
    room = width - LEAST_ARROW
    shown = text if columns(text_of(text)) <= room else [TextPiece(cut(text_of(text), room))]
    line = width - columns(text_of(shown)) - 3
    if to_server is None:
        return [*shown, TextPiece(" " + "·" * (line + 2), style)]
    if to_server:
        return [*shown, TextPiece(f" {'─' * line}▶ ", style)]
    return [TextPiece(f" ◀{'─' * line} ", style), *shown]


def margin(derived: "Iterable[DerivedValue]") -> str:
    """Return credit and frames in flight after a row."""
    return ", ".join(
        f"{_MARGIN_NAMES[each.table.name]} {'?' if each.doubt else each.value}"
        for each in derived
        if each.table.name in _MARGIN_NAMES
    )


def notes(derived: "Iterable[DerivedValue]") -> list[str]:
    """Return the derived values of a row that are not at the margin, as sentences."""
    return [sentence(each) for each in derived if each.table.name not in _MARGIN_NAMES]


class LadderView(LineView):
    """The frames of a conversation, one arrow each."""

    context = LADDER

    def __init__(self, browser: "Browser", *, id: str) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.browser = browser
        self.lines: list[LadderLine] = []
        self.rows: Sequence[int] = ()
        """The rows of the arrows."""
        self.shown = ""
        self.ends = ("client", "server")
        self.findings: Mapping[int, list[tuple[str, str]]] = {}
        """Row to severity and rule of its findings."""
        self.shows_flows = False
        """Whether there are several connections."""

    def put(self, rows: Sequence[int], *, cursor: int = 0) -> None:
        """Show the rows of a conversation."""
        columns_ = self.browser.index.columns
        self.rows = rows
        self.lines = ladder_lines(rows, columns_["time"].numbers)
        flows = {columns_["flow"][each] for each in rows[:: max(len(rows) // 1024, 1)]}
        self.shows_flows = len(flows) > 1
        at = next((n for n, each in enumerate(self.lines) if each.row >= cursor), 0)
        self.show(len(self.lines), at)

    @property
    def row(self) -> int | None:
        """The row of the selected line."""
        return self.lines[self.cursor].row if self.cursor < len(self.lines) else None

    @property
    def room(self) -> int:
        """Columns of an arrow."""
        width = self.size.width
        return max(width - START - max(MARGIN, width // 4) - 1, 20)

    def heading(self) -> Sequence[TextPiece]:
        """Return the two sides."""
        left, right = self.ends
        room = self.room
        left, right = cut(left, room // 2), cut(right, room // 2)
        gap = " " * max(room - columns(left) - columns(right), 1)
        return [TextPiece(f"{'Frame':>7}  {'after':>9}  {left}{gap}{right}")]

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return an arrow, or a wait."""
        found = self.lines[number]
        if found.is_gap:
            wait = f" {duration(found.waited_ns)} without a frame "
            return [TextPiece(" " * START), TextPiece(wait.center(self.room, "·"), "time")]
        row = self.browser.row(found.row)
        after = "" if number == 0 else duration(found.waited_ns)
        flow = f"{row.connection.flow.number}:" if self.shows_flows else ""
        label = f"{flow}{row.number}" if isinstance(row, FrameRow) else f"{flow}-"
        to_server = {"client": True, "server": False}.get(row.sender or "")
        return [
            TextPiece(f"{label:>7}  ", "generated"),
            TextPiece(f"{after:>9}  ", "time"),
            *arrow(self._text(row), to_server=to_server, width=self.room, style=row.sender or ""),
            *self._margin(found.row, row),
        ]

    def _text(self, row: Row) -> list[TextPiece]:
        return pieces(self.browser.plain(row))

    def _margin(self, at: int, row: Row) -> Iterator[TextPiece]:
        """Yield what is known after a row, and what is wrong with it."""
        derived = self.browser.derived(at, row)
        if text := margin(derived):
            yield TextPiece(f" {text}", "command")
        if self.browser.index.head(at).is_unanswered:
            yield TextPiece(f" {UNANSWERED['unanswered'].lower()}", "warning")
        for severity, rule in self.findings.get(at, ()):
            yield TextPiece(f" {MARKS[severity]} {rule}", severity)
        if isinstance(row, EventRow) and row.problems:
            yield TextPiece(f" {row.problems[0].code.word}", "warning")

    def on_resize(self) -> None:
        """Draw the arrows again."""
        self.forget()
