"""What all screens share: panes, and the actions that move in them."""

import asyncio
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from textual.containers import Container
from textual.message import Message

from streamshark.errors import StreamsharkError
from streamshark.tui.browser import Browser
from streamshark.tui.keys import Press
from streamshark.tui.line_view import LineView
from streamshark.tui.pieces import text_of
from streamshark.tui.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable


SLICE: Final = 0.02
"""Seconds of searching between two looks at the keyboard."""
PAUSE: Final = 0.005
"""Seconds that are left to the keyboard."""


class Page(Container):
    """One screen; `act_...` are its methods for actions."""

    DEFAULT_CSS = """
    Page { height: 1fr; }
    """
    title: ClassVar[str]
    own: ClassVar[frozenset[str]] = frozenset()
    """Actions of the program that this screen carries out itself."""

    def __init__(self, browser: Browser, *views: LineView, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self.browser = browser
        self.views = views
        """All panes, in the order of Tab."""
        self.search: Search | None = None
        self._searching: asyncio.Task[None] | None = None

    def panes(self) -> list[LineView]:
        """Return the panes that are shown, in the order of Tab."""
        shown = [each for each in self.views if each.display]
        return shown or list(self.views[:1])  # none is while the screen is laid out again

    @property
    def pane(self) -> LineView:
        """The pane with the focus, else the first one."""
        panes = self.panes()
        return next((each for each in panes if each is self.app.focused), panes[0])

    class Said(Message):
        """Something is to be said in the status line."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def refresh_data(self) -> None:
        """Show what has come since the last call."""

    def status(self) -> str:
        """Return the position, for the status line."""
        pane = self.pane
        return f"{pane.cursor + 1 if pane.count else 0:,} of {pane.count:,}"

    def act(self, press: Press) -> bool:
        """Carry out an action; return whether this screen has it."""
        method: Callable[[Press], object] | None = getattr(
            self, f"act_{press.action.replace('-', '_')}", None
        )
        if method is None:
            return False
        method(press)
        return True

    # Movement

    def act_up(self, press: Press) -> None:
        """Move up."""
        self.pane.move(-(press.count or 1))

    def act_down(self, press: Press) -> None:
        """Move down."""
        self.pane.move(press.count or 1)

    def act_page_up(self, press: Press) -> None:
        """Move up by pages."""
        self.pane.move(-self.pane.page * (press.count or 1))

    def act_page_down(self, press: Press) -> None:
        """Move down by pages."""
        self.pane.move(self.pane.page * (press.count or 1))

    def act_half_up(self, press: Press) -> None:
        """Move up by half pages."""
        self.pane.move(-max(self.pane.page // 2, 1) * (press.count or 1))

    def act_half_down(self, press: Press) -> None:
        """Move down by half pages."""
        self.pane.move(max(self.pane.page // 2, 1) * (press.count or 1))

    def act_top(self, press: Press) -> None:
        """Move to the first line, or to a line."""
        self.pane.choose((press.count or 1) - 1)

    def act_bottom(self, press: Press) -> None:
        """Move to the last line, or to a line."""
        self.pane.choose(min(press.count or self.pane.count, self.pane.count) - 1)

    def act_left(self, press: Press) -> None:
        """Scroll to the left."""
        self.pane.pan(-(press.count or 1))

    def act_right(self, press: Press) -> None:
        """Scroll to the right."""
        self.pane.pan(press.count or 1)

    def act_next_pane(self, _press: Press) -> None:
        """Focus the next pane."""
        self._focus(1)

    def act_previous_pane(self, _press: Press) -> None:
        """Focus the previous pane."""
        self._focus(-1)

    def _focus(self, by: int) -> None:
        panes = self.panes()
        panes[(panes.index(self.pane) + by) % len(panes)].focus()

    # Search

    def find(self, text: str) -> None:
        """Search for a text from the selected line on, around the end."""
        self.search = Search(text)
        self._find(1)

    def act_find_next(self, _press: Press) -> None:
        """Go to the next line with the text."""
        self._find(1)

    def act_find_previous(self, _press: Press) -> None:
        """Go to the previous line with the text."""
        self._find(-1)

    def _find(self, step: int) -> None:
        if self.search is None:
            raise StreamsharkError("search for something first: Ctrl+F")
        self.stop_search()
        view = self.pane
        places = self.search.in_lines(
            lambda at: text_of([*view.line(at)]), view.count, view.cursor, step
        )
        if not self._look(places, view):
            self._searching = asyncio.create_task(self._look_on(places, view))

    def _look(self, places: Iterator[int | None], view: LineView) -> bool:
        """Search for a slice of time; return whether the search is over.

        Args:
            places: A line that matches, or None for each that does not.
            view: The pane.
        """
        until = time.monotonic() + SLICE
        for found in places:
            if found is not None:
                view.choose(found)
                return True
            if time.monotonic() > until:
                return False
        text = self.search.text if self.search is not None else ""
        self.post_message(self.Said(f"{text!r} is not there"))
        return True

    async def _look_on(self, places: Iterator[int | None], view: LineView) -> None:
        """Search in slices, between which keys are read."""
        is_over = False
        while not is_over:
            await asyncio.sleep(PAUSE)
            is_over = self._look(places, view)

    def stop_search(self) -> bool:
        """Stop a search; return whether there was one."""
        runs = self._searching is not None and not self._searching.done()
        if self._searching is not None:
            self._searching.cancel()
        return runs
