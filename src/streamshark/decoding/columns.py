"""Columns of a frame's list: members of its items, or the items, where they are plain.

It is for frames that the shallow decoder accepts, of which somebody wants some numbers of each item
and no more: a record for every item is not made. What the shallow decoder has checked is not
checked again.
"""

from collections.abc import Iterator, Mapping

from streamshark.decoding.code_printer import FORMATS
from streamshark.decoding.shallow import ShallowPrinter
from streamshark.schema import nodes

Path = tuple[str, ...]
SOME = "*"
"""Before the path of a column: of those items that have it."""


class ColumnPrinter(ShallowPrinter):
    """Reads columns of lists while it goes over their items: `found<n>` is the n-th."""

    def __init__(self, tree: nodes.Tree, paths: Mapping[int, Path]) -> None:
        super().__init__(tree)
        self.lists: dict[nodes.ListNode, list[nodes.Node]] = {}
        """The lists to the members of their items that are wanted."""
        self.adds: dict[nodes.Node, list[int]] = {}
        """These to the columns that they are added to."""
        for at, path in paths.items():
            for node, members in members_at(tree, path):
                self.lists.setdefault(node, []).extend(members)
                for each in members:
                    self.adds.setdefault(each, []).append(at)
        values = {each.value for each in self.adds}
        self.used |= values
        self.wanted |= values

    def unused(self, node: nodes.Node) -> bool:
        """Only what something is made of is read."""
        return node.value not in self.used

    def found(self, node: nodes.ListNode) -> list[int]:
        """Return the columns of a list."""
        members = self.lists.get(node, ())
        return sorted({at for each in members for at in self.adds[each]})

    def many(self, node: nodes.ListNode) -> None:
        """Generate the code for the list of the columns, or for any other."""
        if not self.inside and not self.plain(node):
            for at in self.found(node):
                self.after.append(f"found{at} = []")
        super().many(node)

    def plain(self, node: nodes.ListNode) -> nodes.IntNode | None:
        """Return the item of a list of numbers that is read at once as a column; else None."""
        item = node.item
        if self.inside or self.lists.get(node) != [item] or not isinstance(item, nodes.IntNode):
            return None
        return item if item.size in FORMATS and len(self.adds[item]) == 1 else None

    def numbers(self, item: nodes.IntNode, count: str) -> str:
        """Return code for these numbers, from `p` on; most frames have one."""
        form = FORMATS[item.size].lower() if item.signed else FORMATS[item.size]
        one = self.constant(f"S_{form}", f">{form}")
        return f"[*({one}(b, p) if {count} == 1 else unpack_from(f'>{{{count}}}{form}', b, p))]"

    def arm(self, members: list[nodes.Node]) -> None:
        """Members of a branch, of which the columns' are kept."""
        super().arm(members)
        for node in members if self.inside else ():
            for each in (node, *(node.parts if isinstance(node, nodes.BitsNode) else ())):
                for at in self.adds.get(each, ()):
                    self.line(f"found{at}.append({self.value[each.value]})")


class ColumnReaderPrinter(ColumnPrinter):
    """Gives columns of one list, each as a list or None where the list is absent.

    One column alone, or a tuple of several. A path with `SOME` before it is of those items that
    have the member.
    """

    name = "gather"

    def __init__(self, tree: nodes.Tree, *paths: Path) -> None:
        super().__init__(tree, dict(enumerate(paths)))
        self.count = len(paths)

    def print(self) -> str:
        """Return the function's text; it returns as soon as the list is read."""
        self.lines.append(self.head)
        self.members(self.tree.root.members)
        if not self.lines[-1].startswith("    return"):
            self.give("None")
        return "\n".join([f"def {self.name}(b):", *self.lines, ""])

    def give(self, found: str) -> None:
        """Return what was found, of each column."""
        texts = (found.format(at) for at in range(self.count))
        self.line(f"return {', '.join(texts)}")

    def line(self, text: str) -> None:
        """Nothing that checks."""
        if not text.endswith(": raise Stop"):
            super().line(text)

    def blob(self, node: nodes.BlobNode) -> None:
        """Skip it, as inside items."""
        inside, self.inside = self.inside, True
        super().blob(node)
        self.inside = inside

    def passed(self, node: nodes.BlobNode, count: str, *, signed: bool) -> None:  # noqa: ARG002 - as above
        """Text too is only passed."""
        self.advance(count)

    def many(self, node: nodes.ListNode) -> None:
        """Generate the code for the list of the columns, or for any other."""
        if node not in self.lists or self.inside:
            super().many(node)
        elif item := self.plain(node):
            if node.prefix:
                self.integer(node.prefix)
            self.flush()
            count = self.value[node.prefix.value] if node.prefix else None
            count = self.expr(node.count) if node.count else count
            self.line(f"n = {count or f'(e - p) // {item.size}'}")
            self.line(f"return {self.numbers(item, 'n')}")
        else:
            super().many(node)
            self.give("found{}")


def members_at(tree: nodes.Tree, path: Path) -> list[tuple[nodes.ListNode, list[nodes.Node]]]:
    """Return the lists of a column, each with the members of its items that the column means."""
    if path[0] == SOME:
        return scattered(tree, path[1:])
    return [(node, [member]) for node, member in columns(tree, path)]


def columns(tree: nodes.Tree, path: Path) -> list[tuple[nodes.ListNode, nodes.Node]]:
    """Return the lists at a path, each with the member of its items that the path means.

    None are given where an item may lack it, and where it is in a list of a list.
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
    """Return the lists of a member that items may lack, with each node that may hold it."""
    found = []
    lists = [each for each in tree.nodes if isinstance(each, nodes.ListNode) and each.name]
    if any(each.path == path[:size] for each in lists for size in range(1, len(path) - 1)):
        return []
    for node in lists:
        if node.path == path[:-1]:
            members = [each for each in _loose(node.item) if each.name == path[-1]]
            if not all(map(_is_plain, members)):
                return []
            found.append((node, members))
    return found if any(members for _, members in found) else []


def _loose(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the named members of an item, optional ones included."""
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
