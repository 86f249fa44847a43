"""The tree of the selected row's fields."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from textual.message import Message

from streamshark.tui.details import Details, Path, TreeLine, key_of
from streamshark.tui.keys import TREE
from streamshark.tui.line_view import LineView
from streamshark.tui.pieces import PiecePalette, TextPiece, pieces
from streamshark.views.tree_items import TreeItem, line

MARKS: Final = {None: "  ", True: "▾ ", False: "▸ "}
"""Mark before an item: without children, expanded, collapsed."""
INDENT: Final = "  "
NOTHING: Final = Path()


@dataclass(slots=True)
class TreeMemory:
    """What is kept when another row is selected."""

    changed: dict[Path, bool] = field(default_factory=dict)
    """Items that were expanded or collapsed."""
    path: Path = NOTHING
    """The selected item."""


class TreeView(LineView):
    """Fields, one line each."""

    context = TREE

    class Chosen(Message):
        """Another item was selected in the tree."""

        def __init__(self, item: TreeItem) -> None:
            super().__init__()
            self.item = item

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.details: Details | None = None
        self.memory = TreeMemory()
        self.lines: list[TreeLine] = []
        self._palette = PiecePalette()

    def heading(self) -> Sequence[TextPiece]:
        """Return the title."""
        return [TextPiece("Fields")]

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return an item, indented, with its mark."""
        found = self.lines[number]
        mark = INDENT * found.depth + MARKS[found.is_expanded]
        return [TextPiece(mark), *pieces(line(found.item, self._palette))]

    @property
    def item(self) -> TreeItem | None:
        """The selected item."""
        return self.lines[self.cursor].item if self.cursor < len(self.lines) else None

    def load(self, details: Details | None) -> None:
        """Show the fields of a row; the item that was selected before stays selected."""
        self.details = details
        self._lay()

    def _lay(self) -> None:
        memory = self.memory
        self.lines = [] if self.details is None else self.details.lines(memory.changed)
        paths = [each.path for each in self.lines]
        path = memory.path
        while path and path not in paths:
            path = path[:-1]
        default = min(1, max(len(paths) - 1, 0))
        self.show(len(paths), paths.index(path) if path in paths else default)

    def choose(self, number: int) -> None:
        """Select a line."""
        self.place(number)
        if self.lines:
            self.memory.path = self.lines[self.cursor].path
            self.post_message(self.Chosen(self.lines[self.cursor].item))

    def select(self, path: Path) -> None:
        """Select an item by its path, and expand what is above it."""
        for depth in range(1, len(path)):
            self.memory.changed[path[:depth]] = True
        self.memory.path = path
        self._lay()

    # Keys

    def toggle(self) -> None:
        """Expand or collapse the selected item."""
        found = self.selected
        if found is not None and found.is_expanded is not None:
            self._set(found.path, expanded=not found.is_expanded)

    def enter(self) -> None:
        """Expand the selected item, or go to the first one below it."""
        found = self.selected
        if found is None:
            return
        if found.is_expanded is False:
            self._set(found.path, expanded=True)
        elif found.is_expanded:
            self.choose(self.cursor + 1)

    def leave(self) -> None:
        """Collapse the selected item, or go to the one above it."""
        found = self.selected
        if found is None:
            return
        if found.is_expanded:
            self._set(found.path, expanded=False)
        else:
            self.to_parent()

    def to_parent(self) -> None:
        """Go to the item above the selected one."""
        found = self.selected
        if found is not None and found.depth:
            self.choose([each.path for each in self.lines].index(found.path[:-1]))

    def expand_below(self) -> None:
        """Expand the selected item and all below it."""
        found = self.selected
        if found is not None and self.details is not None:
            self._set_below(found.item.children, found.path)
            self._set(found.path, expanded=True)

    def set_all(self, *, expanded: bool) -> None:
        """Expand or collapse all items."""
        if self.details is None:
            return
        if expanded:
            self._set_below(self.details.items, NOTHING)
        else:
            for each in self.details.lines(self.memory.changed):
                if each.is_expanded:
                    self.memory.changed[each.path] = False
        self._lay()

    def _set_below(self, items: list[TreeItem], above: Path) -> None:
        for each in items:
            if each.children:
                path = (*above, key_of(items, each))
                self.memory.changed[path] = True
                self._set_below(each.children, path)

    def _set(self, path: Path, *, expanded: bool) -> None:
        self.memory.changed[path] = expanded
        self.memory.path = path
        self._lay()

    @property
    def selected(self) -> TreeLine | None:
        """The selected line; None without one."""
        return self.lines[self.cursor] if self.cursor < len(self.lines) else None
