"""The Frames screen: filter bar, list, fields and bytes, linked with each other."""

import asyncio
import time
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from streamshark.errors import StreamsharkError
from streamshark.tui.browser import Browser
from streamshark.tui.bytes_view import BytesView
from streamshark.tui.entry import Entry
from streamshark.tui.frame_list import NARROW, FrameList
from streamshark.tui.keys import Press
from streamshark.tui.line_view import LineView
from streamshark.tui.page import Page
from streamshark.tui.state import (
    BACK,
    Applied,
    Event,
    Filtered,
    Followed,
    Grew,
    Jumped,
    Marked,
    Moved,
    PositionChosen,
    Referred,
    State,
    Stopped,
    fold,
)
from streamshark.tui.texts import field_of, filter_of
from streamshark.tui.tree_view import TreeView
from streamshark.views.terminal_lines import cut

SLICE: Final = 0.02
"""Seconds of filtering between two looks at the keyboard."""
AGAIN: Final = 2.0
"""Seconds after which a filter is applied to all rows of a live capture again."""
PAUSE: Final = 0.005
"""Seconds that are left to the keyboard."""
LONGEST: Final = 60
"""Most characters of a comment in the status line."""
SHARES: Final = (2, 3, 4, 6, 8, 10)
"""Heights of the list, in twelfths of the screen."""


class FramesPage(Page):
    """Rows, the fields of the selected one, and its bytes."""

    title: ClassVar[str] = "Frames"
    DEFAULT_CSS = """
    FramesPage { layout: vertical; }
    FramesPage #below { height: 1fr; layout: vertical; }
    FramesPage #below.beside { layout: horizontal; }
    FramesPage TreeView { height: 3fr; width: 1fr; }
    FramesPage BytesView { height: 2fr; width: 1fr; }
    FramesPage #below.beside TreeView { height: 1fr; }
    FramesPage #below.beside BytesView { height: 1fr; width: 78; max-width: 50%; }
    FramesPage .hidden { display: none; }
    """

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        self.state = State()
        self.list = FrameList(browser, self._chosen, id="list")
        self.fields = TreeView(id="fields")
        self.bytes = BytesView(id="bytes")
        super().__init__(browser, self.list, self.fields, self.bytes, id=id)
        self.bar = Entry(
            'Display filter, such as rmqstream.command == "publish"',
            browser.complete,
            browser.judge,
            id="filter",
        )
        self._share = 2
        self._beside: bool | None = None
        """Whether tree and bytes are beside each other; None for what fits the width."""
        self._shown: int | None = None
        """Row whose details are shown."""
        self._filtering: asyncio.Task[None] | None = None
        self._filtered = 0.0
        """When the filter was last applied to all rows again, by the monotonic clock."""

    def compose(self) -> ComposeResult:
        """Return the panes."""
        yield self.bar
        yield self.list
        with Container(id="below"):
            yield self.fields
            yield self.bytes

    def on_mount(self) -> None:
        """Lay the panes out."""
        self._lay()

    def on_resize(self) -> None:
        """Lay the panes out again."""
        self._lay()

    def set_layout(self, share: int, *, beside: bool | None) -> None:
        """Choose the height of the list, and whether tree and bytes are beside each other."""
        self._share, self._beside = max(0, min(share, len(SHARES) - 1)), beside
        self._lay()

    def _lay(self) -> None:
        self.list.styles.height = f"{SHARES[self._share]}fr"
        below = self.query_one("#below")
        below.styles.height = f"{12 - SHARES[self._share]}fr"
        wide = self.app.size.width >= NARROW + NARROW // 5
        below.set_class(wide if self._beside is None else self._beside, "beside")

    # State

    def fold(self, event: Event) -> None:
        """Take an event: change the state, and draw what has changed."""
        self.state = fold(self.state, event)
        self.list.update(self.state)
        row = self.state.row
        if row != self._shown:
            self._shown = row
            self._load(row)

    def _load(self, row: int | None) -> None:
        """Show the details of a row."""
        details = None if row is None else self.browser.details(row)
        self.fields.load(details)
        self.bytes.load(details)
        if self.fields.item is not None and len(self.fields.memory.path) > 1:
            self.bytes.mark(self.fields.item)

    def refresh_data(self) -> None:
        """Take the rows that have come."""
        browser = self.browser
        if (browser.total, browser.is_complete) != (self.state.total, self.state.is_complete):
            self.fold(Grew(browser.total, browser.is_complete))
            self._run_filter()
        if browser.is_filter_outdated and (browser.is_complete or self._may_test_again()):
            self._filter_again()
        self.list.mark_news()

    def _may_test_again(self) -> bool:
        """Return whether a filter that depends on later rows may be applied to all rows again."""
        is_running = self._filtering is not None and not self._filtering.done()
        is_due = time.monotonic() >= self._filtered + AGAIN
        return self.browser.is_live and not is_running and is_due

    def _filter_again(self) -> None:
        """Apply the filter to all rows again."""
        text = self.state.filter.text
        self.browser.use_filter(text)
        self._filtered = time.monotonic()
        if self._filtering is not None:
            self._filtering.cancel()
            self._filtering = None
        self.fold(Filtered(text))
        self._run_filter()

    def status(self) -> str:
        """Return where the selection is, and what the filter has done."""
        state = self.state
        parts = [f"{state.cursor + 1 if state.count else 0:,} of {state.count:,}"]
        if state.filter.text:
            parts.append(f"{state.total:,} in all")
            if state.filter.runs:
                parts.append(f"filtering {_percent(state.filter.tested, state.total)}, Esc stops")
            elif state.filter.tested < state.total:
                parts.append(f"stopped after {state.filter.tested:,} rows")
        if state.follows:
            parts.append("following")
        elif state.came and not state.is_complete:
            parts.append(f"{state.came:,} new, G follows")
        if state.row is not None:
            found = self.browser.comments.of(self.browser.place(state.row))
            parts += [f"comment: {cut(each, LONGEST)}" for each in found[-1:]]
        return ", ".join(parts)

    # Filter

    def apply(self, text: str) -> None:
        """Apply a display filter; empty text shows all rows.

        Raises:
            StreamsharkError: The text is no filter.
        """
        self.browser.use_filter(text)
        if self._filtering is not None:
            self._filtering.cancel()
            self._filtering = None
        if self.bar.input.value != text:
            self.bar.put(text)
        self.bar.remember(text)
        self.fold(Filtered(text))
        self._run_filter()

    def _run_filter(self) -> None:
        """Apply the filter to the rows that it has not seen."""
        if self.state.filter.runs and (self._filtering is None or self._filtering.done()):
            self._filtering = asyncio.create_task(self._filter())

    async def _filter(self) -> None:
        found = list(self.state.selected or ())
        at = self.state.filter.tested
        while self.state.filter.runs and at < self.state.total:
            until = time.monotonic() + SLICE
            while at < self.state.total and time.monotonic() < until:
                if self.browser.is_selected(at):
                    found.append(at)
                at += 1
            self.fold(Applied(found, at))
            await asyncio.sleep(PAUSE)
        if self.state.filter.runs:
            self.fold(Applied(found, at))

    # Links between the panes

    def _chosen(self, line: int) -> None:
        """Select the row of a line."""
        self.fold(PositionChosen(line))

    def on_line_view_opened(self, event: LineView.Opened) -> None:
        """Go to the fields of a row, or expand a field."""
        event.stop()
        if event.view is self.list:
            self.fold(PositionChosen(event.line))
            self.fields.focus()
        elif event.view is self.fields:
            self.fields.choose(event.line)
            self.act_toggle(Press("toggle"))

    def on_tree_view_chosen(self, event: TreeView.Chosen) -> None:
        """Mark the bytes of a field."""
        event.stop()
        self.bytes.mark(event.item)

    def on_bytes_view_pointed(self, event: BytesView.Pointed) -> None:
        """Select the field of a byte."""
        event.stop()
        details = self.fields.details
        path = None if details is None else details.at(event.source, event.byte)
        if path is not None:
            self.fields.select(path)
            item = self.fields.item
            if item is not None:
                self.bytes.mark_around(item, event.byte)

    # Actions

    def go_to(self, row: int | None, what: str) -> None:
        """Select a row.

        Raises:
            StreamsharkError: There is none, or the filter hides it.
        """
        if row is None:
            raise StreamsharkError(f"no {what}")
        if self.state.position_of(row) is None:
            raise StreamsharkError(f"{what} is hidden by the display filter")
        self.fold(Jumped(row))

    def act_top(self, press: Press) -> None:
        """Go to the first line, or to a frame."""
        self._jump(press, 0)

    def act_bottom(self, press: Press) -> None:
        """Go to the last line and follow, or to a frame."""
        if press.count is None and self.pane is self.list:
            self.fold(Followed())
        else:
            self._jump(press, self.pane.count - 1)

    def _jump(self, press: Press, line: int) -> None:
        if press.count is None:
            self.pane.choose(line)
        else:
            self.goto(str(press.count))

    def goto(self, text: str) -> None:
        """Go to a frame by its number."""
        number = _number(text, "the number of a frame")
        self.go_to(self.browser.row_of_frame(number), f"frame {number}")

    def packet(self, text: str) -> None:
        """Go to the first row of a packet."""
        number = _number(text, "the number of a packet")
        self.go_to(self.browser.row_of_packet(number), f"row of packet {number}")

    def time(self, text: str) -> None:
        """Go to the first row at or after a time."""
        try:
            ns = round(float(text) * 1e9)
        except (ValueError, OverflowError):
            raise StreamsharkError(f"{text!r} is not a time in seconds") from None
        row = self.browser.row_at(ns)
        at = None if row is None else self.state.row_at(self.state.position_from(row))
        self.go_to(at, f"row at {text} s or later")

    def act_next_row(self, press: Press) -> None:
        """Select the next row."""
        self.fold(Moved(press.count or 1))

    def act_previous_row(self, press: Press) -> None:
        """Select the previous row."""
        self.fold(Moved(-(press.count or 1)))

    def act_next_problem(self, _press: Press) -> None:
        """Select the next row with a problem or finding."""
        self._search_problem(1)

    def act_previous_problem(self, _press: Press) -> None:
        """Select the previous row with a problem or finding."""
        self._search_problem(-1)

    def _search_problem(self, step: int) -> None:
        state, at = self.state, self.state.cursor + step
        while (row := state.row_at(at)) is not None:
            if self.browser.is_troubled(row):
                self.go_to(row, "")
                return
            at += step
        where = "after" if step > 0 else "before"
        raise StreamsharkError(f"no row with a problem or finding {where} this one")

    def act_pair(self, _press: Press) -> None:
        """Select the request of a response, or the response of a request."""
        row = self.state.row
        if row is not None:
            self.go_to(self.browser.pair(row), "request or response of this frame")

    def act_next_in_conversation(self, _press: Press) -> None:
        """Select the next frame of the conversation."""
        self._in_conversation(1)

    def act_previous_in_conversation(self, _press: Press) -> None:
        """Select the previous frame of the conversation."""
        self._in_conversation(-1)

    def _in_conversation(self, step: int) -> None:
        row = self.state.row
        if row is None:
            return
        for each in self.browser.in_conversation(row, step):
            if self.state.position_of(each) is not None:
                self.fold(Jumped(each))
                return
        raise StreamsharkError(f"this is the {'last' if step > 0 else 'first'} frame shown of it")

    def act_back(self, _press: Press) -> None:
        """Stop filtering, or go back to the list."""
        if self.stop_search():
            return
        if self.state.filter.runs:
            self.fold(Stopped())
        elif self.has_class("alone"):
            self.act_maximise(_press)
        else:
            self.list.focus()

    # Panes

    def act_details(self, _press: Press) -> None:
        """Go to the fields."""
        self.fields.focus()

    def act_maximise(self, _press: Press) -> None:
        """Show one pane alone, or all."""
        alone, pane = not self.has_class("alone"), self.pane
        self.set_class(alone, "alone")
        for each in (self.list, self.fields, self.bytes):
            each.set_class(alone and each is not pane, "hidden")
        self.query_one("#below").set_class(alone and pane is self.list, "hidden")

    def act_layout(self, _press: Press) -> None:
        """Put tree and bytes beside or below each other."""
        beside = self.query_one("#below").has_class("beside")
        self.set_layout(self._share, beside=not beside)

    def act_grow(self, press: Press) -> None:
        """Make the list larger."""
        self.set_layout(self._share + (press.count or 1), beside=self._beside)

    def act_shrink(self, press: Press) -> None:
        """Make the list smaller."""
        self.set_layout(self._share - (press.count or 1), beside=self._beside)

    # Marks and times

    def act_mark(self, press: Press) -> None:
        """Mark the row with a letter."""
        self.fold(Marked(press.letter))

    def act_toggle_mark(self, _press: Press) -> None:
        """Mark the row, or remove its mark."""
        self.fold(Marked())

    def act_to_mark(self, press: Press) -> None:
        """Go to a mark."""
        row = self.state.marks.get(press.letter or BACK)
        self.go_to(row, f"mark {press.letter}" if press.letter else "earlier place")

    def act_next_mark(self, _press: Press) -> None:
        """Go to the next marked row."""
        self._to_marked(1)

    def act_previous_mark(self, _press: Press) -> None:
        """Go to the previous marked row."""
        self._to_marked(-1)

    def _to_marked(self, step: int) -> None:
        state, here = self.state, self.state.row
        letters = {row for letter, row in state.marks.items() if letter != BACK}
        shown = (each for each in state.marked | letters if state.position_of(each) is not None)
        found = [each for each in shown if here is not None and (each - here) * step > 0]
        where = "after" if step > 0 else "before"
        if not found:
            raise StreamsharkError(f"no marked row {where} this one")
        self.go_to(min(found) if step > 0 else max(found), "mark")

    # Comments

    def act_uncomment(self, _press: Press) -> None:
        """Remove the comment on the packet of the row."""
        if self.state.row is not None:
            self.browser.comments.remove(self.browser.place(self.state.row))
            self._commented()

    def comment(self, text: str) -> None:
        """Comment on the packet of the row.

        Raises:
            StreamsharkError: No row is selected, or the text is too long.
        """
        if self.state.row is None:
            raise StreamsharkError("no row is selected")
        self.browser.comments.put(self.browser.place(self.state.row), text)
        self._commented()

    @property
    def own_comment(self) -> str:
        """The user's comment on the packet of the row; empty without one."""
        row = self.state.row
        return "" if row is None else self.browser.comments.own.get(self.browser.place(row), "")

    def _commented(self) -> None:
        self.list.mark_comments()
        if self.browser.is_filter_outdated:
            self._filter_again()
        self._load(self.state.row)

    def act_next_comment(self, _press: Press) -> None:
        """Select the next row whose packet has a comment."""
        self._to_comment(1)

    def act_previous_comment(self, _press: Press) -> None:
        """Select the previous row whose packet has a comment."""
        self._to_comment(-1)

    def _to_comment(self, step: int) -> None:
        row = None
        if self.state.row is not None:
            row = self.browser.row_with_comment(self.state.row, step)
        where = "after" if step > 0 else "before"
        self.go_to(row, f"row with a comment {where} this one")

    def act_time_reference(self, _press: Press) -> None:
        """Let times count from the row, or from the first packet again."""
        self.fold(Referred())

    def act_time_format(self, _press: Press) -> None:
        """Show times in the next format."""
        self.post_message(self.Said(self.browser.next_time_style()))
        self.list.forget()

    def use_time_format(self, style: str) -> None:
        """Show times in a format, as `-t` names it."""
        self.browser.use_time_style(style)
        self.list.forget()

    # Fields as filters and columns

    def act_apply(self, _press: Press) -> None:
        """Show the rows with the value of the selected field."""
        self.apply(self.filter_of_field())

    def act_apply_and(self, _press: Press) -> None:
        """Show those of the rows shown that have the value of the selected field."""
        present, text = self.state.filter.text, self.filter_of_field()
        self.apply(f"({present}) && {text}" if present else text)

    def filter_of_field(self) -> str:
        """Return the filter that selects rows with the value of the selected field.

        Raises:
            StreamsharkError: Filters cannot name it.
        """
        line = self.fields.selected
        if line is None or self.state.row is None:
            raise StreamsharkError("no field is selected")
        return filter_of(self.browser.row(self.state.row), line.item, line.path, self.browser)

    def act_column(self, _press: Press) -> None:
        """Make the selected field a column, or remove it."""
        line, row = self.fields.selected, self.state.row
        name = None
        if line is not None and row is not None:
            name = field_of(self.browser.row(row), line.item, line.path, self.browser)
        if name is None:
            raise StreamsharkError("this field cannot be a column")
        self.use_column(name)

    def use_column(self, name: str) -> None:
        """Show a field as a column, or remove it.

        Raises:
            StreamsharkError: There is no such field.
        """
        self.browser.fields.get(name)
        fields = self.list.fields
        shown = tuple(each for each in fields if each != name)
        self.list.set_fields(shown if name in fields else (*fields, name))
        self.post_message(self.Columns(self.list.fields))

    class Columns(Message):
        """Other fields are columns."""

        def __init__(self, names: tuple[str, ...]) -> None:
            super().__init__()
            self.names = names

    def act_column_remove(self, _press: Press) -> None:
        """Remove the last column that is a field."""
        if not self.list.fields:
            raise StreamsharkError("no field is a column")
        self.use_column(self.list.fields[-1])

    # Search

    def _find(self, step: int) -> None:
        if self.search is None or self.pane is self.list:
            super()._find(step)
        elif self.pane is self.fields:
            self.fields.set_all(expanded=True)
            super()._find(step)
        else:
            source = self.bytes.source
            at = (
                None if source is None else self.search.in_bytes(source.data, self.bytes.byte, step)
            )
            if at is None:
                raise StreamsharkError(f"{self.search.text!r} is not in these bytes")
            self.bytes.point(at)

    # Tree and bytes

    def act_expand(self, _press: Press) -> None:
        """Expand a field."""
        self.fields.enter()

    def act_collapse(self, _press: Press) -> None:
        """Collapse a field."""
        self.fields.leave()

    def act_parent(self, _press: Press) -> None:
        """Go to the field above."""
        self.fields.to_parent()

    def act_expand_below(self, _press: Press) -> None:
        """Expand a field and all below it."""
        self.fields.expand_below()

    def act_expand_all(self, _press: Press) -> None:
        """Expand all fields."""
        self.fields.set_all(expanded=True)

    def act_collapse_all(self, _press: Press) -> None:
        """Collapse all fields."""
        self.fields.set_all(expanded=False)

    def act_toggle(self, press: Press) -> None:
        """Expand or collapse a field; follow a link to request or response."""
        item = self.fields.item
        if item is not None and item.note.startswith(("Request in", "Response in")):
            self.act_pair(press)
        else:
            self.fields.toggle()

    def act_next_tab(self, _press: Press) -> None:
        """Show the next bytes."""
        self.bytes.next_tab()

    def act_left(self, press: Press) -> None:
        """Scroll to the left; select the previous byte."""
        if self.pane is self.bytes:
            self.bytes.point(self.bytes.byte - (press.count or 1))
        else:
            super().act_left(press)

    def act_right(self, press: Press) -> None:
        """Scroll to the right; select the next byte."""
        if self.pane is self.bytes:
            self.bytes.point(self.bytes.byte + (press.count or 1))
        else:
            super().act_right(press)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part // max(whole, 1)} %"


def _number(text: str, what: str) -> int:
    if not text.isdecimal() or len(text) > 18:  # noqa: PLR2004 - digits of a 64-bit number
        raise StreamsharkError(f"{text!r} is not {what}")
    return int(text)
