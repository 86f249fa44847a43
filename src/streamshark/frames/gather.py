"""One column of a frame: a member of every item of a list, or the items, where they are plain.

It is for frames that the outline accepts, of which somebody wants a number of each item and no
more: a record for every item is not made.
"""

from collections.abc import Iterator

from streamshark.frames.fast import Fast
from streamshark.frames.outline import Outline
from streamshark.frames.printer import FORMATS
from streamshark.schema import nodes

Path = tuple[str, ...]


class Gather(Outline):
    """Gives the column as a list, None where the list is absent.

    With `some` it is of those items that have the member.
    """

    name = "gather"

    def __init__(self, tree: nodes.Tree, path: Path, *, some: bool = False) -> None:
        super().__init__(tree)
        found = scattered(tree, path) if some else [(a, [b]) for a, b in columns(tree, path)]
        self.columns = dict(found)
        self.members_wanted = {each for members in self.columns.values() for each in members}
        values = {each.value for each in self.members_wanted}
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
        if (
            column == [node.item]
            and isinstance(node.item, nodes.IntNode)
            and (node.item.size in FORMATS)
        ):
            Fast.many(self, node)
            self.line(f"return {self.value[node.value]}")
            return
        self.line("found = []; add = found.append")
        super().many(node)
        self.line("return found")

    def arm(self, members: list[nodes.Node]) -> None:
        """Members of a branch, of which the column's is kept."""
        super().arm(members)
        for node in members if self.inside else ():
            for each in (node, *(node.parts if isinstance(node, nodes.BitsNode) else ())):
                if each in self.members_wanted:
                    self.line(f"add({self.value[each.value]})")


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


def scattered(tree: nodes.Tree, path: Path) -> list[tuple[nodes.ListNode, list[nodes.Node]]]:
    """The same for a member that an item may lack, with each place where it may stand."""
    found = []
    for node in tree.nodes:
        if isinstance(node, nodes.ListNode) and node.name and node.path == path[:-1]:
            members = [each for each in _loose(node.item) if each.name == path[-1]]
            if not all(map(_is_plain, members)):
                return []
            found.append((node, members))
    return found if any(members for _, members in found) else []


def _loose(node: nodes.Node) -> Iterator[nodes.Node]:
    """The named members of an item, whether it always has them or not."""
    for each in nodes.children(node):
        if each.name:
            yield each
        elif not isinstance(each, nodes.ListNode | nodes.RegionNode):
            yield from _loose(each)


def _is_plain(node: nodes.Node) -> bool:
    return isinstance(node, nodes.IntNode | nodes.BlobNode | nodes.PartNode)


def _column(node: nodes.ListNode, rest: Path) -> nodes.Node | None:
    members = [node.item]
    if rest:
        members = node.item.members if isinstance(node.item, nodes.RecordNode) else []
        members = [each for each in members if (each.name,) == rest]
    plain = [each for each in members if isinstance(each, nodes.IntNode | nodes.BlobNode)]
    return plain[0] if len(plain) == 1 else None
