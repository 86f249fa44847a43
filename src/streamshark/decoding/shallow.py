"""The shallow decoder: what fast gives for a frame, with the items of lists only counted.

It accepts exactly the frames that fast accepts, and gives the same values, with `range(n)` for a
list of n items. One line per frame needs no more, and most bytes of large frames are items.

Inside of items nothing checks that bytes are left: `p` never goes back, so that it follows
the end when the list has been read, and reading after the end of the frame is one of `ODD`.
Whatever would bring `p` back to the end is preceded by a check.
"""

from collections.abc import Iterator

from streamshark.decoding.code_printer import FORMATS
from streamshark.decoding.strict import RecordBuilder, StrictPrinter
from streamshark.schema import nodes


class ShallowPrinter(StrictPrinter):
    """Values without the items of lists; raises `Stop` at anything malformed."""

    name = "shallow"

    def __init__(self, tree: nodes.Tree) -> None:
        super().__init__(tree)
        self.inside = False
        """True in the items of a list: their values are not needed."""
        self.lead: nodes.IntNode | None = None
        """A number that has been read to choose an arm; it is not negative."""
        self.used = self.wanted | {each.member.value for each in self.sums}
        """Values that something is made of; a length or count is, where it is."""
        self.used |= {
            each.prefix.value
            for each in tree.nodes
            if isinstance(each, nodes.BlobNode | nodes.ListNode | nodes.RegionNode) and each.prefix
        }
        self.claimed_by = dict(_claimed_by(tree.root))
        """Lists to the end (their value) to the number that must be that of their items."""

    # Reading on

    def room(self, size: int) -> None:
        """Inside of items it shows after the list."""
        if not self.inside:
            super().room(size)

    def line(self, text: str) -> None:
        """Nothing is checked twice in a row."""
        if not text.endswith(": raise Stop") or self.lines[-1] != "    " * self.depth + text:
            super().line(text)

    def expr(self, expr: nodes.Expr) -> str:
        """Return an expression as Python; a list that was only counted is a number."""
        if isinstance(expr, nodes.Len) and self.value[expr.node.value].startswith("range("):
            return self.counted(expr.node)
        return super().expr(expr)

    def counted(self, node: nodes.Node) -> str:
        """Return the expression for the number."""
        value = self.value[node.value]
        if value.startswith("range("):
            return value.removeprefix("range(").removesuffix(")")
        return super().counted(node)

    def advance(self, count: int | str) -> None:
        """Two steps in a row are one."""
        if count == "e - p":
            self.line("p = e")
            return
        before = "    " * self.depth + "p += "
        if self.lines and (last := self.lines[-1]).startswith(before) and last[-1].isdigit():
            count = f"{self.lines.pop().removeprefix(before)} + {count}"
        self.line(f"p += {count}")

    def bound(self) -> None:
        """Before `p` is set to the end, and where a list has ended."""
        self.line("if p > e: raise Stop")

    # The record being filled

    def unused(self, node: nodes.Node) -> bool:
        """Inside of items only what something is made of is read."""
        return node.value not in self.used if self.inside else super().unused(node)

    def put(self, node: nodes.Node, expression: str) -> None:
        """Items have no record."""
        if self.inside:
            self.value[node.value] = expression
        else:
            super().put(node, expression)

    def name_record(self) -> str:
        """Items have no record, but for what goes by tables."""
        if not self.inside:
            return super().name_record()
        self.flush()
        return self.out.variable

    # Nodes

    def integer(self, node: nodes.IntNode) -> None:
        """Generate the code for a number that may have been read already."""
        if node is self.lead:
            self.put(node, f"v{node.value}")
        else:
            super().integer(node)

    def blob(self, node: nodes.BlobNode) -> None:
        """Bytes are passed, text is checked."""
        if not self.inside or node.value in self.wanted:
            if self.inside:
                self.flush()
                self.bound()
            super().blob(node)
            return
        plain = node.encoding in (None, "uuid")
        if isinstance(node.length, nodes.Const) and plain:
            self.fixed(f"{node.length.value}x", node.length.value, None)
            return
        if node.prefix:
            self.integer(node.prefix)
        self.flush()
        if node.prefix:
            count = self.value[node.prefix.value]
            signed = node.prefix.signed and node.prefix is not self.lead
        elif node.length:
            count, signed = self.expr(node.length), True
        else:
            self.bound()
            count, signed = "e - p", False
        if not node.null:
            self.passed(node, count, signed=signed)
            return
        with self.block(f"if {count} != -1:"):
            self.passed(node, count, signed=signed)

    def passed(self, node: nodes.BlobNode, count: str, *, signed: bool) -> None:
        """Go past the bytes of text or bytes."""
        if signed:
            self.line(f"if {count} < 0: raise Stop")
        if node.limit is not None:
            self.line(f"if {count} > {node.limit}: raise Stop")
        if node.encoding in (None, "uuid"):
            self.advance(count)
            return
        self.line(f"q = p + {count}")
        self.line(f"{self.taken(node)}; p = q")

    def many(self, node: nodes.ListNode) -> None:
        """Generate the code that skips a list: at once if items have one size, else by a loop."""
        if node.prefix:
            self.integer(node.prefix)
        self.flush()
        if self.inside:
            self.bound()
        count = self.value[node.prefix.value] if node.prefix else None
        count = self.expr(node.count) if node.count else count
        to_end = node.claimed or count is None
        if count is None and node.value in self.claimed_by:
            count = self.value.get(self.claimed_by[node.value].value)
        variable = f"n{node.id}"
        size = self.size(node.item)
        if count is not None:
            self.line(f"{variable} = {count}")
            self.line(f"if not 0 <= {variable} <= (e - p) // {node.item.least}: raise Stop")
        elif size:
            self.line(f"{variable} = (e - p) // {size}")
        if size:
            self.alike(node, variable, size)
        else:
            self.items(node, variable, count)
        if to_end:
            self.line("if p != e: raise Stop")
        elif not size and not self.inside:
            self.bound()
        if node.limit is not None:
            self.line(f"if {variable} > {node.limit}: raise Stop")
        self.put(node, f"range({variable})")

    def alike(self, node: nodes.ListNode, count: str, size: int) -> None:  # noqa: ARG002 - for others
        """Items of one size, of which nothing need be read."""
        self.advance(f"{count} * {size}")

    def items(self, node: nodes.ListNode, variable: str, count: str | None) -> None:
        """Generate the loop over items; one for each arm if all items take the same one."""
        if count is None:
            self.line(f"{variable} = 0")
        self.begin_sums(node)
        members = node.item.members if isinstance(node.item, nodes.RecordNode) else [node.item]
        outer, self.out, inside, self.inside = self.out, RecordBuilder(node.item), self.inside, True
        head = "while p < e:" if count is None else f"for _ in range({variable}):"
        counting = f"{variable} += 1" if count is None else ""
        if len(members) == 1 and isinstance(only := members[0], nodes.SwitchNode):
            self.hoisted(only, head, counting)
        else:
            self.loop(members, head, counting)
        self.out, self.inside = outer, inside

    def loop(self, members: list[nodes.Node], head: str, counting: str) -> None:
        """One kind of items."""
        with self.block(head):
            if counting:
                self.line(counting)
            self.arm(members)
            self.tally(members)

    def hoisted(self, node: nodes.SwitchNode, head: str, counting: str) -> None:
        """Items that are a choice by what precedes the list: it is made once."""
        word = "if"
        for value, arm in node.cases.items():
            with self.block(f"{word} {self.expr(node.on)} == {value}:"):
                self.loop(arm, head, counting)
            word = "elif"
        with self.block("else:" if node.cases else "if True:"):
            if node.closed:
                self.line(f"{head} raise Stop")
            else:
                self.loop(node.default, head, counting)

    def size(self, node: nodes.Node) -> int | None:
        """Bytes of an item that always takes as many, and of which nothing need be read."""
        match node:
            case nodes.IntNode() | nodes.BitsNode():
                used = {node.value, *(each.value for each in nodes.children(node))} & self.used
                return None if used else node.size
            case nodes.BlobNode(length=nodes.Const(value=size), encoding=None | "uuid"):
                return None if node.value in self.wanted or node.limit is not None else size
            case nodes.RecordNode():
                sizes = [self.size(each) for each in node.members]
                return None if None in sizes else sum(each or 0 for each in sizes)
            case _:
                return None

    def record(self, node: nodes.RecordNode) -> None:
        """Inside of items, members like others."""
        if self.inside:
            self.arm(node.members)
        else:
            super().record(node)

    def either(self, node: nodes.EitherNode) -> None:
        """Generate the choice by the top bit, the sign of the first arm's first number."""
        first = node.clear[0] if node.clear else None
        lead = first.prefix if isinstance(first, nodes.BlobNode) else first
        if not self.inside or not isinstance(lead, nodes.IntNode) or lead.size not in FORMATS:
            super().either(node)
            return
        self.absent(node.clear + node.set)
        variable = f"v{lead.value}"
        self.fixed(FORMATS[lead.size].lower(), lead.size, variable)
        size = self.run_size
        self.flush()
        self.lines.pop()  # either arm continues from the step that it takes
        with self.block(f"if {variable} >= 0:"):
            self.advance(size)
            self.lead = lead
            self.branch(node.clear)
            self.lead = None
        with self.block("else:"):
            if size > lead.size:
                self.advance(size - lead.size)
            self.branch(node.set)

    def tabled(self, node: nodes.Node, call: str) -> None:
        """Generate a call that fills a record, which is dropped inside items."""
        if self.inside:
            self.flush()
            self.bound()
            self.line(f"{self.out.variable} = {{}}")
        super().tabled(node, call)


def _claimed_by(root: nodes.Node) -> Iterator[tuple[int, nodes.Node]]:
    """Yield lists with a number that claims their length, where nothing is conditional."""
    for node in nodes.children(root):
        if isinstance(node, nodes.ClaimNode) and isinstance(node.expression, nodes.Len):
            yield node.expression.node.value, node.of
        elif isinstance(node, nodes.RecordNode | nodes.RegionNode):
            yield from _claimed_by(node)


def always_inside(tree: nodes.Tree) -> frozenset[tuple[str, ...]]:
    """Return the paths at which every frame without problems, or every item, has a value."""
    return frozenset(each.path for each in _always(tree.root))


def _always(around: nodes.Node) -> Iterator[nodes.Node]:
    for node in nodes.children(around):
        match node:
            case nodes.RecordNode() | nodes.RegionNode() | nodes.BitsNode():
                yield from _always(node)
            case nodes.BlobNode(null=True):
                continue
            case nodes.ListNode() if isinstance(node.item, nodes.RecordNode):
                yield from _always(node.item)
            case nodes.IntNode() | nodes.PartNode() | nodes.BlobNode() | nodes.ListNode():
                pass
            case _:
                continue
        if node.name:
            yield node
