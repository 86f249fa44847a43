"""The line with the names of the screens, which can be clicked."""

from collections.abc import Sequence

from textual import events
from textual.message import Message
from textual.widgets import Static

GAP = " "
"""Between two names."""


class ScreenTabs(Static):
    """Names of screens beside each other, the present one in brackets, and a title."""

    class Chosen(Message):
        """A name was clicked."""

        def __init__(self, screen: str) -> None:
            super().__init__()
            self.screen = screen

    def __init__(self, *, id: str) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id, markup=False)
        self._names: list[tuple[str, int]] = []
        """Id of each screen, and where its name ends."""

    def show(self, screens: Sequence[tuple[str, str]], present: str, title: str) -> None:
        """Show names, by the ids of their screens."""
        text, self._names = "", []
        for screen, name in screens:
            text += f"[{name}]{GAP}" if screen == present else f" {name} {GAP}"
            self._names.append((screen, len(text) - len(GAP)))
        self.update(text + title)

    def on_click(self, event: events.Click) -> None:
        """Report the screen whose name was clicked."""
        event.stop()
        screen = next((name for name, end in self._names if event.x < end), None)
        if screen is not None:
            self.post_message(self.Chosen(screen))
