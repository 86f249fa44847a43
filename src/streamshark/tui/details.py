"""The fields of one row as a tree whose items can be expanded, and the bytes that they are in."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from streamshark.dissection.masking import MaskedRow
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.views.annotations import sentences
from streamshark.views.escaping import printable
from streamshark.views.info_column import plain
from streamshark.views.packet_details import negotiated, place_notes
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.times import Rfc3339
from streamshark.views.tree import FrameTree
from streamshark.views.tree_items import DataSource, TreeItem
from streamshark.views.tree_nodes import Subtrees

if TYPE_CHECKING:
    from streamshark.schema.secrets import SecretSpan

FEW: Final = 12
"""Most items below one that is expanded at first."""
MOST_SOURCES: Final = 64
"""Most data sources beside the frame."""
FRAME: Final = "Frame"
"""Name of the item that says where the row is."""
CONVERSATION: Final = "Conversation"
"""Name of the item with what the conversation adds."""
COMMENT: Final = "Comment"
"""Name of the item with a comment on the packet."""
NO_BYTES: Final = DataSource("event", b"")

Path = tuple[str, ...]
"""Names of an item and of those above it, the outermost first."""


class TreeLine(NamedTuple):
    """One visible line of a tree."""

    item: TreeItem
    path: Path
    is_expanded: bool | None
    """None if there is nothing below it."""

    @property
    def depth(self) -> int:
        """Number of items above it."""
        return len(self.path) - 1


class Details:
    """The tree of a row; secrets are masked if the row is."""

    def __init__(
        self,
        row: Row,
        bodies: PayloadTree | None,
        subtrees: Subtrees,
        files: list[str],
        comments: Sequence[str] = (),
    ) -> None:
        self.row = row
        self.hidden: list[SecretSpan] = row.hidden if isinstance(row, MaskedRow) else []
        """Positions of the frame's secrets."""
        notes = place_notes(row, Rfc3339(), files)
        if isinstance(row, FrameRow):
            tree = FrameTree(row, subtrees, secrets=not isinstance(row, MaskedRow), bodies=bodies)
            self.frame = tree.source
            notes += negotiated(row)
            head = f"{row.number}, {len(row.data)} bytes"
            name = f"{row.connection.wire.short} {row.name or 'unknown'}"
            kind, members = row.kind, tree.items
        else:
            self.frame = NO_BYTES
            head, name, kind, members = "none", "event", None, []
            if isinstance(row, EventRow):
                head, name = "none: an event of the connection", f"{row.protocol} {row.name}"
                members = [
                    TreeItem(NO_BYTES, 0, 0, each, plain(value, 0))
                    for each, value in row.fields.items()
                    if value is not None and each != "sender"
                ]
                members += [self._problem(row, at) for at in range(len(row.problems))]
        size = len(self.frame.data)
        self.items = [
            TreeItem(self.frame, 0, size, FRAME, head, children=self._notes(notes)),
            TreeItem(self.frame, 0, size, name, kind, children=members),
        ]
        if found := sentences(row):
            self.items.append(
                TreeItem(self.frame, 0, 0, CONVERSATION, "", children=self._notes(found))
            )
        self.items += [TreeItem(self.frame, 0, 0, COMMENT, printable(each)) for each in comments]
        self.sources = list(_sources(self.frame, self.items))
        """The data sources: the frame, and bytes that were unpacked or reassembled."""

    def _notes(self, texts: Iterable[str]) -> list[TreeItem]:
        return [TreeItem(self.frame, 0, 0, note=each) for each in texts]

    @staticmethod
    def _problem(row: EventRow, at: int) -> TreeItem:
        problem = row.problems[at]
        text = f"{problem.code.word}: {problem.message}"
        return TreeItem(NO_BYTES, 0, 0, text=text, problem=problem)

    def lines(self, changed: dict[Path, bool]) -> list[TreeLine]:
        """Return the visible lines; `changed` says which items are not as they are at first."""
        return list(_lines(self.items, (), changed))

    def at(self, source: DataSource, byte: int) -> Path | None:
        """Return the path of the innermost item that has a byte; None if there is none."""
        found = None
        items, path = self.items[1:], Path()
        while True:
            inner = next((each for each in items if _has(each, source, byte)), None)
            if inner is None:
                return found
            path = found = (*path, key_of(items, inner) if path else key_of(self.items, inner))
            items = inner.children


def key_of(items: list[TreeItem], item: TreeItem) -> str:
    """Return the name of an item among its siblings; those without a name are numbered."""
    return item.name or f"#{items.index(item)}"


def is_open_at_first(item: TreeItem) -> bool:
    """Return whether an item with children is expanded at first: those with few of them."""
    left = FEW
    stack = list(item.children)
    while stack:
        left -= 1
        if left < 0:
            return False
        stack += stack.pop().children
    return True


def _lines(items: list[TreeItem], above: Path, changed: dict[Path, bool]) -> Iterator[TreeLine]:
    for item in items:
        path = (*above, key_of(items, item))
        expanded: bool | None = None
        if item.children:
            usual = item.name != FRAME if not above else is_open_at_first(item)
            expanded = changed.get(path, usual)
        yield TreeLine(item, path, expanded)
        if expanded:
            yield from _lines(item.children, path, changed)


def _has(item: TreeItem, source: DataSource, byte: int) -> bool:
    """Return whether an item, or one below it, has a byte of a source."""
    if item.source is source and item.problem is None and item.start <= byte < item.end:
        return True
    return any(_has(each, source, byte) for each in item.children)


def _sources(frame: DataSource, items: list[TreeItem]) -> Iterator[DataSource]:
    """Yield the frame's bytes, then others in the order of their items, each once."""
    seen = {id(frame)}
    yield frame
    stack = items[::-1]
    while stack and len(seen) <= MOST_SOURCES:
        item = stack.pop()
        if id(item.source) not in seen:
            seen.add(id(item.source))
            yield item.source
        stack += item.children[::-1]
