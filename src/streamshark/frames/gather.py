"""One column of a frame: a member of every item of a list, or the items, where they are plain.

It is for frames that the outline accepts, of which somebody wants a number of each item and no
more: a record for every item is not made.
"""

from streamshark.frames.fast import Fast
from streamshark.frames.outline import Outline
from streamshark.frames.printer import FORMATS
from streamshark.schema import nodes

Path = tuple[str, ...]


class Gather(Outline):
    """Gives the column as a list, None where the list is absent."""

    name = "gather"

    def __init__(self, tree: nodes.Tree, path: Path) -> None:
        super().__init__(tree)
        self.columns = dict(columns(tree, path))
        values = {each.value for each in self.columns.values()}
        self.used |= values
        self.wanted |= values

    def print(self) -> str:
        """The function's text; it returns as soon as the list is read."""
        self.line("p = 0; e = len(b)")
        self.members(self.tree.root.members)
        return "\n".join([f"def {self.name}(b):", *self.lines, "    return None", ""])

    def many(self, node: nodes.ListNode) -> None:
        """The list of the column, or any other."""
        column = self.columns.get(node)
        if column is None or self.inside:
            super().many(node)
            return
        if isinstance(column, nodes.IntNode) and column is node.item and column.size in FORMATS:
            Fast.many(self, node)
            self.line(f"return {self.value[node.value]}")
            return
        self.line("found = []; add = found.append")
        super().many(node)
        self.line("return found")

    def arm(self, members: list[nodes.Node]) -> None:
        """Members of a branch, of which the column's is kept."""
        super().arm(members)
        for node in members:
            if self.inside and node in self.columns.values():
                self.line(f"add({self.value[node.value]})")


def columns(tree: nodes.Tree, path: Path) -> list[tuple[nodes.ListNode, nodes.Node]]:
    """The lists at a path, each with the number, text or bytes in its items that the path means.

    None are given where an item may lack it, and where it stands in a list of a list.
    """
    found = []
    for node in tree.nodes:
        if isinstance(node, nodes.ListNode) and node.name and node.path == path[: len(node.path)]:
            column = _column(node, path[len(node.path) :])
            if column is None:
                return []
            found.append((node, column))
    return found


def _column(node: nodes.ListNode, rest: Path) -> nodes.Node | None:
    members = [node.item]
    if rest:
        members = node.item.members if isinstance(node.item, nodes.RecordNode) else []
        members = [each for each in members if (each.name,) == rest]
    plain = [each for each in members if isinstance(each, nodes.IntNode | nodes.BlobNode)]
    return plain[0] if len(plain) == 1 else None
