"""The help: all keys, by pane, from the table of actions."""

from collections.abc import Iterator
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from streamshark.tui.keys import ANYWHERE, KeyMap, shown

WIDTH: Final = 14
"""Columns of the keys."""
COMMAND: Final = 22
"""Columns of the commands."""


class HelpScreen(ModalScreen[None]):
    """The keys and commands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,question_mark,f1,enter", "dismiss", "Close"),
        ("j,down", "scroll_help(1)", "Down"),
        ("k,up", "scroll_help(-1)", "Up"),
        ("space,pagedown", "scroll_help(15)", "Page down"),
        ("pageup", "scroll_help(-15)", "Page up"),
    ]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen VerticalScroll {
        width: 90%; height: 90%; background: $surface; border: solid $primary; padding: 0 1;
    }
    """

    def __init__(self, keys: KeyMap) -> None:
        super().__init__()
        self.keys = keys

    def compose(self) -> ComposeResult:
        """Return the text."""
        with VerticalScroll() as scroll:
            scroll.border_title = "Keys (Esc closes)"
            yield Static(help_text(self.keys))

    def action_scroll_help(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def help_text(keys: KeyMap) -> Table:
    """Return all actions with keys and commands, by the panes in which the keys work."""
    table = Table.grid(padding=(0, 1))
    table.add_column(width=WIDTH)
    table.add_column(width=COMMAND)
    table.add_column()
    for where, rows in _by_pane(keys):
        table.add_row(Text(where, "bold underline"))
        for names, command, doc in rows:
            table.add_row(Text(names, "bold"), Text(f":{command}", "dim"), Text(doc))
        table.add_row()
    return table


def _by_pane(keys: KeyMap) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield a heading and rows for each combination of panes."""
    groups: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
    for each in keys.actions:
        argument = f" {each.argument}" if each.argument else ""
        row = (" ".join(map(shown, each.keys)), f"{each.command}{argument}", each.doc)
        groups.setdefault(each.where, []).append(row)
    for where, rows in groups.items():
        yield "Anywhere" if where == (ANYWHERE,) else f"In {', '.join(where)}", rows
