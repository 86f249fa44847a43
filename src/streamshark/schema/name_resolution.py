"""Names while a schema is walked: which node a name means, and what an expression refers to.

`NameResolution` makes the nodes of one tree and gives them ids in wire order. A name may be in
several arms of one record (both arms of a union, two conditions); these nodes must have one type,
and share one value. A name twice without conditions is an error.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from streamshark.errors import SchemaError
from streamshark.schema import expressions, nodes, protobuf
from streamshark.schema.words import FieldFacts

MAX_REFERENCE = 53
"""Most bits of a number in an expression: Wireshark's Lua 5.2 computes with doubles."""
MEASURED = ("bytes", "uuid", "text", "list")
"""Types that have a length."""

N = TypeVar("N", bound=nodes.Node)
Path = tuple[str, ...]


class _Known(NamedTuple):
    """A name of a record: its first node, and whether a condition precedes it."""

    node: nodes.Node
    conditional: bool
    bits: int
    """Most bits that any node of this name has."""


class _Scope:
    """Names of one record."""

    def __init__(self, outer: "_Scope | None") -> None:
        self.outer = outer
        self.names: dict[str, _Known] = {}
        self.conditions = 0
        """How many conditions the walk is inside of, in this record."""


class NameResolution:
    """The nodes of one tree, and the names that are known at this point of it."""

    def __init__(self, frame: str) -> None:
        self.frame = frame
        self.nodes: list[nodes.Node] = []
        self.scope = _Scope(None)

    def fail(self, path: Path, message: str) -> SchemaError:
        """Make an error that names the frame and the field."""
        return SchemaError(f"{'.'.join((self.frame, *path))}: {message}")

    @contextmanager
    def record_scope(self) -> Iterator[None]:
        """Names of a record inside the record."""
        self.scope = _Scope(self.scope)
        yield
        if self.scope.outer is not None:
            self.scope = self.scope.outer

    @contextmanager
    def condition(self) -> Iterator[None]:
        """Members that may not be there."""
        self.scope.conditions += 1
        yield
        self.scope.conditions -= 1

    def add(
        self,
        kind: Callable[..., N],
        path: Path,
        name: str | None,
        doc: str,
        facts: FieldFacts,
        *own: Any,
        least: int = 0,
    ) -> N:
        """Make a node with the next id, `path` being that of the record around it."""
        full = (*path, name) if name else path
        node = kind(len(self.nodes), name, full, doc, facts, least, *own)
        self.nodes.append(node)
        return node

    def declare(self, node: nodes.Node, path: Path, *, optional: bool = False) -> None:
        """Make a name known; the same name in two arms must mean the same type."""
        if node.name is None:
            return
        if not node.doc.strip():
            raise self.fail((*path, node.name), "a field needs a sentence")
        conditional = optional or self.scope.conditions > 0
        before = self.scope.names.get(node.name)
        known = _Known(node, conditional, _bits(node))
        if before is not None:
            if not (conditional and before.conditional):
                raise self.fail(path, f"{node.name!r} stands twice in one record")
            if type_of(before.node) != type_of(node):
                raise self.fail(path, f"{node.name!r} has two types in one record")
            node.value = before.node.value
            known = before._replace(bits=max(before.bits, known.bits))
        self.scope.names[node.name] = known

    def resolve(self, given: object, path: Path, *, wide: bool = False) -> nodes.Expr:
        """Replace an expression's names by nodes; `wide` allows 64-bit operands (claims)."""
        match given:
            case expressions.IntegerConstant():
                return nodes.Const(given.value)
            case expressions.Reference():
                return nodes.Ref(self.number(given, path, wide=wide))
            case expressions.Length():
                return nodes.Len(self.measured(given.of, path))
            case expressions.SumOf():
                return self.added(given, path)
            case expressions.Binary():
                left = self.resolve(given.left, path, wide=wide)
                return nodes.Operation(
                    given.operator, left, self.resolve(given.right, path, wide=wide)
                )
            case expressions.AnyOf():
                return nodes.In(self.resolve(given.of, path, wide=wide), given.values)
            case _:
                raise self.fail(path, f"{given!r} is not an expression of the vocabulary")

    def number(self, reference: expressions.Reference, path: Path, *, wide: bool) -> nodes.Node:
        """Return the earlier number that a reference means."""
        known = self._known(reference, path)
        if type_of(known.node) not in ("int", "bool"):
            raise self.fail(path, f"{reference!r} is no number")
        if known.bits > MAX_REFERENCE and not wide:
            message = f"{reference!r} has {known.bits} bits; expressions have {MAX_REFERENCE}"
            raise self.fail(path, message)
        return known.node

    def measured(self, reference: expressions.Reference, path: Path) -> nodes.Node:
        """Return the earlier text, bytes or list whose length is meant."""
        node = self._known(reference, path).node
        if type_of(node) not in MEASURED:
            raise self.fail(path, f"{reference!r} has no length")
        if isinstance(node, nodes.BlobNode) and node.encoding == "mutf-8":
            raise self.fail(path, f"{reference!r}: the value of modified UTF-8 hides its length")
        return node

    def typing(self, reference: expressions.Reference, path: Path) -> nodes.Node:
        """Return the earlier text or number that declares the type of the bytes in a slot."""
        node = self._known(reference, path).node
        if type_of(node) not in ("text", "int"):
            raise self.fail(path, f"{reference!r} is neither text nor a number")
        return node

    def added(self, given: expressions.SumOf, path: Path) -> nodes.Sum:
        """Return the earlier list, and the number in its items, that a sum means."""
        node = self._known(given.of, path).node
        item = node.item if isinstance(node, nodes.ListNode) else None
        found = _member(item, given.member) if isinstance(item, nodes.RecordNode) else None
        if found is None or type_of(found) != "int":
            raise self.fail(path, f"{given!r} adds up no number")
        return nodes.Sum(node, found, given.absent)

    def _known(self, reference: expressions.Reference, path: Path) -> _Known:
        name, up = reference.target
        scope: _Scope | None = self.scope
        for _ in range(up):
            scope = scope.outer if scope else None
        known = scope.names.get(name) if scope else None
        if known is None:
            raise self.fail(path, f"{reference!r} is not an earlier field")
        return known


def _member(record: nodes.Node, name: str) -> nodes.Node | None:
    """Return the first node of a name in a record."""
    for node in nodes.children(record):
        if node.name == name:
            return node
        inner = None
        if not isinstance(node, nodes.RecordNode | nodes.ListNode):
            inner = _member(node, name)
        if inner is not None:
            return inner
    return None


def _bits(node: nodes.Node) -> int:
    """Bits of a number, 0 of anything else."""
    match node:
        case nodes.PartNode():
            return node.width
        case nodes.IntNode():
            return node.size * 8
        case nodes.ProtoNode():
            return 64 if node.kind.endswith("64") else 32
        case nodes.ArgumentNode(kind="integer"):
            return 64
        case _:
            return 0


def type_of(node: nodes.Node) -> str:  # noqa: PLR0911 - one row a kind
    """Return the type of a node's value: int, text, bytes, uuid, list, record, float or bool.

    One name has one type over all arms and versions, so it can be one column.
    """
    match node:
        case nodes.IntNode() | nodes.PartNode():
            return "int"
        case nodes.BlobNode():
            return {None: "bytes", "uuid": "uuid"}.get(node.encoding, "text")
        case nodes.ListNode():
            return "list"
        case nodes.RecordNode():
            return "record"
        case nodes.ArgumentNode():
            return {
                "number": "int",
                "integer": "int",
                "boolean": "bool",
                "tokens": "list",
            }.get(node.kind, "text")
        case nodes.ProtoNode():
            return "list" if node.repeated else scalar_type(node.kind)
        case _:
            return "list" if node.name == protobuf.UNKNOWN else "none"


def scalar_type(kind: str) -> str:
    """Return the type of one protobuf value."""
    special = {"string": "text", "bytes": "bytes", "message": "record", "map": "record"}
    special |= {"bool": "bool", "float": "float", "double": "float"}
    return special.get(kind, "int")
