"""What all screens share: panes, and the actions that move in them."""

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Container

from streamshark.tui.browser import Browser
from streamshark.tui.keys import Press
from streamshark.tui.line_view import LineView

if TYPE_CHECKING:
    from collections.abc import Callable


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

    def panes(self) -> list[LineView]:
        """Return the panes that are shown, in the order of Tab."""
        return [each for each in self.views if each.display]

    @property
    def pane(self) -> LineView:
        """The pane with the focus, else the first one."""
        panes = self.panes()
        return next((each for each in panes if each.has_focus), panes[0])

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
