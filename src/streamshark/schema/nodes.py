"""The intermediate form: a schema as a tree of plain nodes, the one thing that every reader reads.

The record decoder, the documentation, the field list, the Arrow schema and the value generator
read these nodes, and so will the Lua generator and the bulk kernel's compiler; nothing else
interprets construct objects. Every byte of a frame belongs to a node: those without a name are
counts, literals, reserved bits and line ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from streamshark.light_dataclass import record
from streamshark.schema.bytes_and_text import Slot
from streamshark.schema.frame import FrameSchema, Head, LineHead
from streamshark.schema.words import FieldFacts


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """What all nodes have."""

    id: int
    """Index in `Tree.nodes`."""
    name: str | None
    """Name in the record around it; None for an anonymous node."""
    path: tuple[str, ...]
    """Names from the frame down to this node, without list indices."""
    doc: str
    facts: FieldFacts
    least: int
    """Fewest bytes it can take."""
    value: int = field(init=False)
    """Id of the first node with this name in this record: arms that share a name share a value."""

    def __post_init__(self) -> None:
        self.value = self.id


@record
class Const:
    """Expression: an integer."""

    value: int


@record
class Ref:
    """Expression: the value of an earlier node."""

    node: Node


@record
class Len:
    """Expression: bytes or items of an earlier node; 0 when it is absent or null."""

    node: Node


@record
class Sum:
    """Expression: one member of an earlier list's items, added up."""

    node: Node
    """The list."""
    member: Node
    """The number that is added."""
    absent: int
    """What an item without it counts."""


@record
class Operation:
    """Expression: two operands and an operator of `OPERATORS`; comparisons give 0 or 1."""

    symbol: str
    left: "Expr"
    right: "Expr"


@record
class In:
    """Expression: 1 when the operand is one of the values, else 0."""

    of: "Expr"
    values: tuple[int, ...]


Expr = Const | Ref | Len | Sum | Operation | In


@dataclass(slots=True, eq=False, repr=False)
class IntNode(Node):
    """A big-endian integer of `size` bytes."""

    size: int
    signed: bool


@dataclass(slots=True, eq=False, repr=False)
class PartNode(Node):
    """Some bits of the group around it: `(group >> shift) & (2**width - 1)`."""

    shift: int
    width: int


@dataclass(slots=True, eq=False, repr=False)
class BitsNode(Node):
    """A big-endian integer cut into parts, highest bits first; their names are in the record."""

    size: int
    parts: list[PartNode]


@dataclass(slots=True, eq=False, repr=False)
class BlobNode(Node):
    """Text (with `encoding`) or bytes; with `prefix` or `length`, or with neither: the rest."""

    prefix: IntNode | None
    length: Expr | None
    encoding: str | None
    null: bool
    refuses_null: bool
    """Whether a length of -1 is null and a problem."""
    slot: Slot | None
    codec: Expr | None
    unpacked: Expr | None
    holds: Expr | None
    types: tuple[Node, ...]
    """Members that say which type the bytes in the slot are."""
    limit: int | None


@dataclass(slots=True, eq=False, repr=False)
class ListNode(Node):
    """Items: as many as `prefix` or `count` says, or up to the end of the region.

    With `claimed` the prefix does not count: items go to the end, another number is a problem.
    """

    prefix: IntNode | None
    count: Expr | None
    claimed: bool
    item: Node
    limit: int | None


@dataclass(slots=True, eq=False, repr=False)
class RecordNode(Node):
    """Members with a scope of their own; the root of a tree is one."""

    members: list[Node]


@dataclass(slots=True, eq=False, repr=False)
class WhenNode(Node):
    """Members that are there if the condition is not 0."""

    condition: Expr
    members: list[Node]


@dataclass(slots=True, eq=False, repr=False)
class TailNode(Node):
    """A field, and what it claims, there while at least `need` bytes of the region are left."""

    need: int
    default: object
    members: list[Node]


@dataclass(slots=True, eq=False, repr=False)
class EitherNode(Node):
    """Arms chosen by the top bit of the next byte."""

    clear: list[Node]
    set: list[Node]


@dataclass(slots=True, eq=False, repr=False)
class FitsNode(Node):
    """The first arm that uses up the region; the names of arms are not in the bytes."""

    arms: list[tuple[str, list[Node]]]


@dataclass(slots=True, eq=False, repr=False)
class SwitchNode(Node):
    """Arms chosen by a value; with `closed` one without a case is a problem."""

    on: Expr
    cases: dict[int, list[Node]]
    default: list[Node]
    closed: bool


@dataclass(slots=True, eq=False, repr=False)
class RegionNode(Node):
    """Members that must use up a bounded run of bytes, with a sum over them if `checksum` is set.

    Without prefix and length it continues to the end of the region around it. With `summed` the sum
    is only there if that expression is not 0.
    """

    prefix: IntNode | None
    length: Expr | None
    members: list[Node]
    checksum: str | None
    expected: Expr | None
    summed: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class ClaimNode(Node):
    """Takes no bytes: the value of `of` must equal the expression."""

    of: Node
    expression: Expr


@dataclass(slots=True, eq=False, repr=False)
class LiteralNode(Node):
    """Fixed bytes."""

    data: bytes


@dataclass(slots=True, eq=False, repr=False)
class ProtoNode(Node):
    """One field of a protobuf message."""

    number: int
    kind: str
    repeated: bool
    message: "MessageNode | None"
    slot: Slot | None


@dataclass(slots=True, eq=False, repr=False)
class MessageNode(Node):
    """Protobuf fields up to the end of the region; `unknown` is the list of those not declared."""

    fields: dict[int, ProtoNode]
    unknown: Node


@dataclass(slots=True, eq=False, repr=False)
class ArgumentNode(Node):
    """One argument of a text line; `kind` and `mark` as in `lines.Argument`."""

    kind: str
    optional: bool
    slot: Slot | None
    mark: str | None


@dataclass(slots=True, eq=False, repr=False)
class LineNode(Node):
    """A text line: verb, arguments, CRLF."""

    verb: str
    arguments: list[ArgumentNode]


@dataclass(slots=True, eq=False, repr=False)
class HeadersNode(Node):
    """A header block up to the end of the region, with its three named parts."""

    version: str
    status: Node
    description: Node
    headers: ListNode


@dataclass(slots=True, eq=False, repr=False)
class JsonLineNode(Node):
    """A text line with a JSON object: its declared members by name, and the list of all others."""

    verb: str
    fields: dict[str, ArgumentNode]
    other: ListNode


@dataclass(slots=True)
class Tree:
    """One frame schema, walked."""

    schema: FrameSchema
    head: Head | LineHead
    prefix: str
    """`<short>.<command>`: what every name of the frame starts with."""
    root: RecordNode
    nodes: list[Node] = field(default_factory=list)
    """All nodes, by id, in wire order."""
    hidden: frozenset[str] = frozenset()
    """Names of head members that are not repeated among the frame's fields."""
    _at: dict[tuple[str, ...], Node] | None = field(default=None, compare=False, repr=False)
    _lists: frozenset[tuple[str, ...]] | None = field(default=None, compare=False, repr=False)

    @property
    def at(self) -> dict[tuple[str, ...], Node]:
        """The nodes of `named` by path, the first one of each; for trees that are complete."""
        if self._at is None:
            self._at = {node.path: node for node in reversed(list(self.named()))}
        return self._at

    @property
    def lists(self) -> frozenset[tuple[str, ...]]:
        """The paths of lists; for trees that are complete."""
        if self._lists is None:
            self._lists = frozenset(
                node.path
                for node in self.nodes
                if (isinstance(node, ListNode) and node.name)
                or (isinstance(node, ProtoNode) and node.repeated and node.message)
            )
        return self._lists

    def name(self, node: Node) -> str:
        """Return the full name of a node: the same in filters, JSON, Arrow, Lua and the docs."""
        return ".".join((self.prefix, *node.path))

    def named(self) -> Iterator[Node]:
        """Yield the nodes with a value and a name, in wire order, without head members."""
        return (node for node in self.nodes if node.name and node.path[0] not in self.hidden)

    def find(self, path: str) -> Node:
        """Return the node at a dotted path below the frame; raise KeyError if there is none."""
        wanted = tuple(path.split("."))
        for node in self.nodes:
            if node.name and node.path == wanted:
                return node
        raise KeyError(path)


def children(node: Node) -> list[Node]:  # noqa: C901, PLR0911, PLR0912 - one row a kind
    """Return the nodes directly below one, in wire order."""
    match node:
        case RecordNode() | WhenNode() | TailNode():
            return node.members
        case RegionNode():
            return [*([node.prefix] if node.prefix else []), *node.members]
        case BitsNode():
            return list(node.parts)
        case ListNode():
            return [*([node.prefix] if node.prefix else []), node.item]
        case BlobNode():
            return [node.prefix] if node.prefix else []
        case EitherNode():
            return node.clear + node.set
        case FitsNode():
            return [each for _, arm in node.arms for each in arm]
        case SwitchNode():
            return [each for arm in (*node.cases.values(), node.default) for each in arm]
        case MessageNode():
            return [*node.fields.values(), node.unknown]
        case ProtoNode():
            return [node.message] if node.message else []
        case LineNode():
            return list(node.arguments)
        case HeadersNode():
            return [node.status, node.description, node.headers]
        case JsonLineNode():
            return [*node.fields.values(), node.other]
        case _:
            return []


def scope(members: list[Node]) -> Iterator[Node]:
    """Yield the nodes with a name in the record of these members, in wire order, of all arms."""
    for node in members:
        match node:
            case RecordNode() | ListNode() | ProtoNode():
                yield node
            case RegionNode():
                yield from scope(node.members)
            case BlobNode():
                yield node
            case _:
                if node.name:
                    yield node
                yield from scope(children(node))


PAIR_NAMES: Final = ("key", "name")
"""What the name in a pair of name and value is called."""
MOST_NAMED: Final = 4
"""Members that one line shows of a frame that names none."""


def default_info(tree: Tree) -> list[str]:
    """Return the members shown of a frame without `shows`: its first ones that are no records."""
    names = [
        node.name
        for node in scope(tree.root.members)
        if node.name
        and node.name not in tree.hidden
        and not node.facts.has_role("correlates")
        and not isinstance(node, RecordNode)
    ]
    return list(dict.fromkeys(names[:MOST_NAMED]))


def secrets(tree: Tree) -> frozenset[int]:
    """Ids of the nodes that are secret, or inside a secret one."""
    found: set[int] = set()

    def look(node: Node, *, inside: bool) -> None:
        inside = inside or node.facts.secret
        if inside:
            found.add(node.id)
        for child in children(node):
            look(child, inside=inside)

    look(tree.root, inside=False)
    return frozenset(found)


def pairs(tree: Tree) -> Iterator[tuple[Node, Node]]:
    """Yield the members of records that are a name and its value."""
    for node in tree.nodes:
        if isinstance(node, RecordNode) and len(node.members) == 2:  # noqa: PLR2004 - a pair
            name, value = node.members
            if name.name in PAIR_NAMES and value.name == "value":
                yield name, value
