"""A pane of lines with a cursor: it draws the lines that are seen, however many there are."""

import textwrap
from collections import OrderedDict
from collections.abc import Sequence
from typing import ClassVar, Final, Self

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from streamshark.tui.pieces import TextPiece

MOST_LINES: Final = 512
"""Most lines that are kept drawn."""
MARGIN: Final = "   "
"""At the left of what is shown instead of lines."""
STEP: Final = 8
"""Columns that one key scrolls sideways."""
STYLES: Final = (
    "client", "server", "peer", "command", "event", "time", "error", "refused", "fine", "warning",
    "note", "chat", "name", "generated",
)  # fmt: skip
"""Styles of a palette."""
_OWN: Final = ("cursor", "heading", "range", "found")


class LineView(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines below a heading, one of which is selected.

    A subclass returns the lines.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lines--{each}" for each in (*STYLES, *_OWN)}
    DEFAULT_CSS = """
    LineView {
        scrollbar-size-horizontal: 0;
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
        overflow-y: scroll;
        background: $background;
    }
    LineView > .lines--client { color: $text-error; }
    LineView > .lines--server { color: $text-primary; }
    LineView > .lines--peer { color: $text-secondary; }
    LineView > .lines--command { text-style: bold; }
    LineView > .lines--event { color: $text-accent; }
    LineView > .lines--time { color: $text-muted; }
    LineView > .lines--error { color: $text-error; text-style: bold; }
    LineView > .lines--refused { color: $text-error; text-style: bold; }
    LineView > .lines--fine { color: $text-success; }
    LineView > .lines--warning { color: $text-warning; }
    LineView > .lines--note { color: $text-secondary; }
    LineView > .lines--chat { color: $text-primary; }
    LineView > .lines--name { color: $text-accent; }
    LineView > .lines--generated { color: $text-muted; }
    LineView > .lines--heading { background: $panel; color: $text-muted; }
    LineView:focus > .lines--heading { color: $text; text-style: bold; }
    LineView > .lines--cursor { background: $primary-muted; }
    LineView:focus > .lines--cursor { background: $primary; color: $text; }
    LineView > .lines--range { background: $accent; color: $text; }
    LineView > .lines--found { background: $warning; color: $text; }
    LineView:nocolor > .lines--cursor { text-style: underline; }
    LineView:nocolor:focus > .lines--cursor { text-style: reverse; }
    LineView:nocolor > .lines--range { text-style: reverse; }
    LineView:nocolor > .lines--found { text-style: reverse; }
    LineView:nocolor > .lines--heading { text-style: underline; }
    """
    context: str
    """Name of its keys in the table of actions."""

    class Selected(Message):
        """The cursor has moved."""

        def __init__(self, view: "LineView", line: int) -> None:
            super().__init__()
            self.view, self.line = view, line

    class Opened(Message):
        """A line was clicked twice."""

        def __init__(self, view: "LineView", line: int) -> None:
            super().__init__()
            self.view, self.line = view, line

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.cursor = 0
        """Number of the selected line."""
        self.count = 0
        """Number of lines."""
        self.widest = 0
        """Columns of the widest line drawn so far."""
        self.shift = 0
        """Columns that are scrolled out on the left."""
        self._strips: OrderedDict[int, Strip] = OrderedDict()
        self._width_drawn = 0
        """Width of the pane for which lines were drawn."""

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - as of a widget
        """Take the focus at once, so that the next key is its own; Textual gives it later."""
        self.screen.set_focus(self, scroll_visible=scroll_visible)
        return self

    # What a subclass has

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return one line."""
        raise NotImplementedError

    def line_style(self, number: int) -> Style | None:  # noqa: ARG002 - for subclasses
        """Return the style of a whole line instead of those of its pieces; None for theirs."""
        return None

    def heading(self) -> Sequence[TextPiece]:
        """Return the line above all others, which does not scroll."""
        return ()

    def nothing(self) -> str:
        """Return what is shown instead of lines if there are none."""
        return ""

    def highlights(self) -> bool:
        """Return whether the whole line with the cursor is highlighted."""
        return True

    # Lines and cursor

    @property
    def page(self) -> int:
        """Number of lines that are seen at once."""
        return max(self.size.height - 1, 1)

    def show(self, count: int, cursor: int, *, fresh: bool = True) -> None:
        """Show so many lines, one of them selected; with `fresh`, all of them have changed."""
        if fresh:
            self._strips.clear()
            self.widest = 0
        self.count = count
        self.virtual_size = Size(self.size.width, count + 1)
        self.place(cursor)
        self.refresh()

    def forget(self, number: int | None = None) -> None:
        """Draw a line again, or all lines."""
        if number is None:
            self._strips.clear()
            self.refresh()
        else:
            self._strips.pop(number, None)
            self.redraw(number)

    def place(self, cursor: int) -> None:
        """Select a line, and scroll to it."""
        before, self.cursor = self.cursor, max(0, min(cursor, self.count - 1))
        self.redraw(before)
        self.redraw(self.cursor)
        self.reveal(self.cursor)

    def choose(self, line: int) -> None:
        """Select a line, and report it."""
        self.place(line)
        self.post_message(self.Selected(self, self.cursor))

    def move(self, lines: int) -> None:
        """Move the selection by a number of lines."""
        self.choose(max(0, min(self.cursor + lines, self.count - 1)))

    def reveal(self, line: int) -> None:
        """Scroll as little as shows a line; a far one is shown in the middle."""
        if not self.size.height:
            self.call_after_refresh(self._reveal_once)
            return
        top = self.scroll_offset.y
        if line < top:
            far = top - line > self.page
            top = line - self.page // 2 if far else line
        elif line >= top + self.page:
            far = line - top > 2 * self.page
            top = line - self.page // 2 if far else line - self.page + 1
        else:
            return
        self.scroll_to(y=max(0, top), animate=False)

    def _reveal_once(self) -> None:
        if self.size.height:
            self.reveal(self.cursor)

    def redraw(self, line: int) -> None:
        """Draw one line again if it is seen."""
        y = line - self.scroll_offset.y + 1
        if 0 < y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def pan(self, steps: int) -> None:
        """Scroll sideways."""
        most = max(self.widest - self.size.width, 0)
        self.shift = max(0, min(self.shift + steps * STEP, most))
        self.refresh()

    # Drawing

    def styled(self, name: str) -> Style:
        """Return the style of a name, without what is not its own."""
        return self.get_component_rich_style(f"lines--{name}", partial=True) if name else Style()

    def render_line(self, y: int) -> Strip:
        """Return what is seen in one line of the pane."""
        left, width = self.shift, self.size.width
        if y == 0:
            style = self.rich_style + self.styled("heading")
            strip = Strip(Segment(each.text, self.styled(each.style)) for each in self.heading())
            strip = strip.crop(left, left + width).apply_style(style)
            return strip.adjust_cell_length(width, style)
        number = self.scroll_offset.y + y - 1
        base = self.rich_style
        if number >= self.count:
            text = "" if self.count else self._nothing(y - 1)
            return Strip([Segment(text, base)]).adjust_cell_length(width, base)
        strip = self._strip(number)
        if number == self.cursor and self.highlights():
            base += self.styled("cursor")
            strip = Strip(
                Segment(text, (style or Style()) + self.styled("cursor"))
                for text, style, _ in strip
            )
        strip = strip.crop(left, left + width)
        return strip.adjust_cell_length(width, base).apply_style(base)

    def _nothing(self, number: int) -> str:
        """Return a line of what is shown if there are no lines."""
        paragraphs = self.nothing().split("\n")
        width = max(self.size.width - 2 * len(MARGIN), 1)
        lines = [line for each in paragraphs for line in textwrap.wrap(each, width) or [""]]
        return f"{MARGIN}{lines[number]}" if number < len(lines) else ""

    def _strip(self, number: int) -> Strip:
        """Return a whole line, drawn, without the cursor."""
        strip = self._strips.get(number)
        if strip is None:
            style = self.line_style(number)
            strip = Strip(
                Segment(each.text, style or self.styled(each.style)) for each in self.line(number)
            )
            self._strips[number] = strip
            if len(self._strips) > MOST_LINES:
                self._strips.popitem(last=False)
            self.widest = max(self.widest, strip.cell_length)
        return strip

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Select the line that was clicked; open it if it was clicked twice."""
        number = self.scroll_offset.y + event.y - 1
        if event.y == 0 or number >= self.count:
            return
        if event.chain > 1:
            self.post_message(self.Opened(self, number))
        else:
            self.choose(number)

    def on_resize(self) -> None:
        """Keep the cursor in sight; lines may depend on the width."""
        is_other, self._width_drawn = self.size.width != self._width_drawn, self.size.width
        self.show(self.count, self.cursor, fresh=is_other)

    def notify_style_update(self) -> None:
        """Draw all lines again, as the theme has changed."""
        self._strips.clear()
        super().notify_style_update()
