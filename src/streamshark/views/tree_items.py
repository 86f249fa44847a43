"""The items of a frame's tree, each with its range of bytes, and their text.

An item is what Wireshark shows as one line of its packet details. Bytes that a frame has only
unpacked or reassembled are a data source of their own, as those that Wireshark shows in tabs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from streamshark.schema import Problem, nodes
from streamshark.views.colour import Palette

STEP: Final = "    "
"""The indentation of each level."""


class DataSource(NamedTuple):
    """Bytes that items have their ranges in."""

    name: str
    """`frame`, or what was done to other bytes: `entries, unpacked by gzip`."""
    data: bytes
    """The bytes; those of secrets are hidden unless secrets are shown."""
    origin: "DataSource | None" = None
    """The bytes that these were unpacked from; None for a frame and for reassembled bytes."""
    start: int = 0
    """Where they begin in `origin`."""
    end: int = 0
    """Where they end in `origin`."""


@dataclass(slots=True, eq=False)
class TreeItem:
    """One line of a tree, and the items below it."""

    source: DataSource
    start: int
    """The first byte of its range in the data source."""
    end: int
    """The byte after its range; equal to `start` if it has no bytes."""
    name: str = ""
    """The name of a member; empty for generated text and problems."""
    text: str | None = None
    """The value as text, masked if it is secret; None if only the name is shown."""
    note: str = ""
    """Generated text, which is shown in brackets."""
    bits: str = ""
    """The bits that a flag or a part of a group takes, dots for the others."""
    node: nodes.Node | None = None
    """The declaration of the member; None for generated text and for members of a body format."""
    value: Any = None
    """The decoded value; None for an item that has none, and for secrets that are masked."""
    problem: Problem | None = None
    """The problem that this item is; its parent is the member that has it."""
    children: "list[TreeItem]" = field(default_factory=list)

    def problems(self) -> Iterator[Problem]:
        """Yield the problems of this item and of all below it."""
        if self.problem is not None:
            yield self.problem
        for each in self.children:
            yield from each.problems()


def lines(items: Iterable[TreeItem], palette: Palette, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a tree, indented by their level."""
    for item in items:
        yield STEP * depth + line(item, palette)
        yield from lines(item.children, palette, depth + 1)


def line(item: TreeItem, palette: Palette) -> str:
    """Return the line of one item, without indentation."""
    if item.problem is not None:
        style, letter = ("error", "E") if item.problem.code.stops else ("warning", "W")
        return f"{palette.paint(style, f'[{letter}]')} {item.text}"
    note = palette.paint("generated", f"[{item.note}]") if item.note else ""
    if not item.name:
        return note
    name = palette.paint("name", item.name)
    bits = f"{item.bits} = " if item.bits else ""
    if item.text is None:
        return f"{bits}{name}: {note}" if note else f"{bits}{name}{_colon(item)}"
    return f"{bits}{name}: {item.text} {note}" if note else f"{bits}{name}: {item.text}"


def _colon(item: TreeItem) -> str:
    """Return a colon after a name, and nothing after the index of a list's item."""
    return "" if item.name.startswith("[") else ":"
