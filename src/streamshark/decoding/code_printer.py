"""Print the record decoders of a frame as plain Python, in four forms from one tree.

The strict form gives values and raises if anything is malformed; the shallow form does the same,
but only counts the items of lists; the column form gives one member of all items of a list; the lax
form never raises and gives values, the exact byte range of every node, and problems. All read one
frame, `b`, whole. Names in the generated text: `p` is the next byte, `e` the end of the frame or
region, `o<n>` the record of node n, `v<n>` the value n.

The strict form merges neighbouring fixed numbers into one `unpack_from`, and leaves unions that are
chosen by trial (`Fits`) to the lax form, because they are rare. What is read by tables at run time
(protobuf, header blocks, JSON, and in the lax form every text line) is a call into
`decoding.protobuf`, `text_lines` and `json_lines`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from streamshark.errors import SchemaError
from streamshark.schema import nodes

FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
UNDECODED = -1
"""Node id of bytes that no node could read."""


def referenced(tree: nodes.Tree) -> set[int]:
    """Values (`Node.value`) that some expression of the tree refers to."""
    found: set[int] = set()

    def look(expr: nodes.Expr | None) -> None:
        match expr:
            case nodes.Ref() | nodes.Len() | nodes.Sum():
                found.add(expr.node.value)
            case nodes.Operation():
                look(expr.left)
                look(expr.right)
            case nodes.In():
                look(expr.of)

    for node in tree.nodes:
        for attribute in (
            "length", "count", "condition", "on", "expression", "expected", "summed",
        ):  # fmt: skip
            look(getattr(node, attribute, None))
        if isinstance(node, nodes.ClaimNode):
            found.add(node.of.value)
    return found


def sums(tree: nodes.Tree) -> Iterator[nodes.Sum]:
    """Yield the sums that claims of the tree are compared with."""
    for node in tree.nodes:
        if isinstance(node, nodes.ClaimNode) and isinstance(node.expression, nodes.Sum):
            yield node.expression


METHODS: dict[type[nodes.Node], str] = {
    nodes.IntNode: "integer", nodes.BitsNode: "bits", nodes.BlobNode: "blob",
    nodes.ListNode: "many", nodes.RecordNode: "record", nodes.WhenNode: "when",
    nodes.TailNode: "tail", nodes.EitherNode: "either", nodes.FitsNode: "fits",
    nodes.SwitchNode: "switch", nodes.RegionNode: "region", nodes.ClaimNode: "claim",
    nodes.LiteralNode: "literal", nodes.MessageNode: "message", nodes.LineNode: "text_line",
    nodes.HeadersNode: "dynamic", nodes.JsonLineNode: "dynamic",
}  # fmt: skip
"""Kind of node to the method of all forms that prints how it is read."""


class CodePrinter(ABC):
    """Lines of Python, and what all forms print alike."""

    name: str
    """Of the function that is printed."""

    def __init__(self, tree: nodes.Tree) -> None:
        self.tree = tree
        self.lines: list[str] = []
        self.depth = 1
        self.constants: dict[str, Any] = {}
        self.value: dict[int, str] = {}
        """`Node.value` to the Python expression that gives it."""
        self.wanted = referenced(tree)
        self.method: dict[type, Callable[[Any], None]] = {
            kind: getattr(self, name) for kind, name in METHODS.items()
        }
        self.loose: list[nodes.Node] = []
        """What table-driven functions put into records by themselves."""

    def want(self, names: Iterable[str]) -> None:
        """Keep the values of members, by name, in local variables."""
        self.wanted |= {self.tree.find(name).value for name in names}

    def line(self, text: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Indent the lines written inside it below `head`."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def constant(self, name: str, value: object) -> str:
        """Bind an object for the generated text, and return its name there."""
        self.constants[name] = value
        return name

    @abstractmethod
    def print(self) -> str:
        """Return the text of the function."""

    def expr(self, expr: nodes.Expr) -> str:
        """Return an expression of the tree as Python."""
        match expr:
            case nodes.Const():
                return str(expr.value)
            case nodes.Ref():
                return self.value[expr.node.value]
            case nodes.Len():
                return f"measure({self.value[expr.node.value]})"
            case nodes.Sum():
                items, name = self.value[expr.node.value], expr.member.name
                return f"total({items}, {name!r}, {expr.absent})"
            case nodes.Operation():
                return f"({self.expr(expr.left)} {expr.symbol} {self.expr(expr.right)})"
            case nodes.In():
                return f"({self.expr(expr.of)} in {expr.values!r})"

    def absent(self, members: list[nodes.Node]) -> None:
        """Before members that may not be there: give those that are referred to the value 0."""
        for node in members:
            if node.value in self.wanted:
                self.line(f"v{node.value} = 0")
                self.value[node.value] = f"v{node.value}"
            if not isinstance(node, (nodes.RecordNode, nodes.ListNode)):
                self.absent(nodes.children(node))

    def is_hidden(self, node: nodes.Node) -> bool:
        """Return whether a head member is not among a frame's fields."""
        return len(node.path) == 1 and node.path[0] in self.tree.hidden

    def drop_hidden(self, record: str) -> None:
        """At the end: take out hidden members that table-driven functions put in."""
        for node in self.loose:
            if self.is_hidden(node):
                self.line(f"{record}.pop({node.name!r}, None)")


def part_expression(group: str, part: nodes.PartNode) -> str:
    """Python for some bits of a group."""
    shifted = f"{group} >> {part.shift}" if part.shift else group
    return f"({shifted} & {(1 << part.width) - 1})"


def given(expr: nodes.Expr | None) -> nodes.Expr:
    """Return the expression of a node that has no prefix; it is there by construction."""
    if expr is None:
        raise SchemaError("a node has neither a prefix nor an expression")
    return expr
