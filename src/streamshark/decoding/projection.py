"""The prover: columns of a sound frame, flat, in the one walk that proves it sound.

Who judges a capture without showing it asks a few numbers of each frame. A record of all that the
frame says, and another walk for members of its items, would cost more than the judging.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from streamshark.decoding.columns import ColumnPrinter, Path
from streamshark.schema import nodes

TABLED: Final = (
    nodes.MessageNode, nodes.LineNode, nodes.HeadersNode, nodes.JsonLineNode, nodes.FitsNode,
)  # fmt: skip
"""What fills records by itself, or is left to careful."""


class ProjectedColumn(NamedTuple):
    """A column that somebody asks for, which every sound frame has."""

    path: Path
    """One that `outline.always` gives; of items as `gather.members_at` takes it, in such a list."""
    of: str = "value"
    """`value`; `length` of a list; `items` for the list of what its items have."""


class Prover(ColumnPrinter):
    """Gives a tuple of what is wanted; raises `Stop` at anything odd, exactly where fast does."""

    name = "prover"

    def __init__(self, tree: nodes.Tree, wanted: Sequence[ProjectedColumn]) -> None:
        super().__init__(tree, {at: path for at, (path, of) in enumerate(wanted) if of == "items"})
        self.asked = wanted
        self.places = {each.path: each for each in tree.named()}
        self.used |= {self.places[path].value for path, of in wanted if of == "value"}
        self.numbered = {each.item for each in self.lists if self.plain(each)}
        """Numbers that are all of their lists, read in one go."""

    def print(self) -> str:
        """The function's text."""
        self.lines.append(self.head)
        self.members(self.tree.root.members)
        self.flush()
        self.line("if p != e: raise Stop")
        self.line(f"return ({''.join(f'{self.give(at)}, ' for at in range(len(self.asked)))})")
        return "\n".join([f"def {self.name}(b):", *self.lines, ""])

    def give(self, at: int) -> str:
        """What is wanted, as an expression."""
        path, of = self.asked[at]
        if of == "items":
            return f"found{at}"
        node = self.places[path]
        return self.value[node.value] if of == "value" else self.counted(node)

    # No record is made

    def put(self, node: nodes.Node, expression: str) -> None:
        """Only the value is known."""
        self.value[node.value] = expression

    def name_record(self) -> str:
        """What is read so far is in names."""
        self.flush()
        return self.out.variable

    def record(self, node: nodes.RecordNode) -> None:
        """Members like others."""
        self.arm(node.members)

    # Lists of numbers

    def size(self, node: nodes.Node) -> int | None:
        """Plain numbers are passed at once, though they are read."""
        if isinstance(node, nodes.IntNode) and node in self.numbered and not self.inside:
            return node.size
        return super().size(node)

    def alike(self, node: nodes.ListNode, count: str, size: int) -> None:
        """Read what is plain, as it is passed."""
        if item := self.plain(node):
            (at,) = self.found(node)
            self.line(f"found{at} = {self.numbers(item, count)}")
        super().alike(node, count, size)


def can_prove(tree: nodes.Tree) -> bool:
    """Whether frames of a tree can be proved so."""
    return not any(isinstance(each, TABLED) for each in tree.nodes)
