"""The columns of a command's table: one type per name over all versions, arms and dialects.

The members of a record become columns of the table, and so do those of every arm of a union. A
nested record is flattened (`config.min_segments`); a list is one column of items. Two declarations
of one name are merged here, without Arrow: integers take the narrowest type that holds both; any
other two types must be equal, or it is a `SchemaError`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from streamshark.errors import SchemaError
from streamshark.fields.field import joined_facts
from streamshark.fields.types import MOST_BITS, is_many, value_type, width
from streamshark.schema import nodes, protobuf
from streamshark.schema.words import FieldFacts


@dataclass(frozen=True)
class ArrowColumn:
    """One column of a table, or one member of a list's items."""

    name: str
    """Path below the table or the item, without list indices: `config.min_segments`."""
    kind: str
    """`int`, `bool`, `float`, `double`, `text`, `bytes`, `uuid`, `list`, `record` or `unknown`."""
    doc: str = ""
    facts: FieldFacts = field(default_factory=FieldFacts)
    bits: int = 0
    """Width of an `int`: 8, 16, 32 or 64."""
    signed: bool = False
    always: bool = True
    """True if every well-formed frame has it; a truncated frame may lack any column."""
    slot: str = ""
    """Name of the slot whose bytes belong to another layer, such as a message body; else empty."""
    item: "ArrowColumn | None" = None
    """The item of a `list`; else None."""
    members: tuple["ArrowColumn", ...] = ()
    """The members of a `record`: only list items and protobuf messages are records."""

    @property
    def type_name(self) -> str:
        """The type in one word: `u32`, `text`, `list of record`, ..."""
        if self.kind == "int":
            return f"{'i' if self.signed else 'u'}{self.bits}"
        return f"list of {self.item.type_name}" if self.item else self.kind


Columns = dict[str, ArrowColumn]


def columns(trees: Iterable[nodes.Tree]) -> tuple[ArrowColumn, ...]:
    """Return the columns of one command (requests or responses) over all the versions given.

    Raises:
        SchemaError: A name has two types that cannot be merged.
    """
    trees = tuple(trees)
    prefixes = {tree.prefix for tree in trees}
    if len(prefixes) != 1:
        raise SchemaError(f"a table is of one command, not of {len(prefixes)}")
    where = prefixes.pop()
    each = [_visible(_members(tree.root.members, where), tree.hidden) for tree in trees]
    return tuple(_side_by_side(each, where).values())


def _visible(found: Columns, hidden: Iterable[str]) -> Columns:
    hidden = frozenset(hidden)
    return {name: each for name, each in found.items() if name.partition(".")[0] not in hidden}


def _members(members: Iterable[nodes.Node], where: str) -> Columns:
    """Return the columns that members add to the record around them."""
    out: Columns = {}
    for node in members:
        for name, each in _columns(node, where).items():
            before = out.get(name)
            out[name] = each if before is None else _joined(before, each, where, both=False)
    return out


def _columns(node: nodes.Node, where: str) -> Columns:
    """Return the columns that one node adds to the record around it."""
    match node:
        case nodes.RecordNode():
            inner = _members(node.members, where)
            prefix = f"{node.name}." if node.name else ""
            return {
                prefix + name: replace(each, name=prefix + name) for name, each in inner.items()
            }
        case nodes.EitherNode() | nodes.FitsNode() | nodes.SwitchNode():
            return _side_by_side([_members(arm, where) for arm in arms(node)], where)
        case nodes.WhenNode() | nodes.TailNode() | nodes.MessageNode():
            return _unsure(_members(nodes.children(node), where))
        case nodes.HeadersNode() | nodes.JsonLineNode():
            return _unsure(_members(nodes.children(node), where))
        case nodes.BitsNode() | nodes.RegionNode() | nodes.LineNode():
            return _members(nodes.children(node), where)
        case _:
            return {node.name: _leaf(node, where)} if node.name else {}


def arms(node: nodes.EitherNode | nodes.FitsNode | nodes.SwitchNode) -> list[list[nodes.Node]]:
    """Return the members of each arm of a union."""
    match node:
        case nodes.EitherNode():
            return [node.clear, node.set]
        case nodes.FitsNode():
            return [arm for _, arm in node.arms]
        case nodes.SwitchNode():
            return [*node.cases.values(), node.default]


def _unsure(found: Columns) -> Columns:
    return {name: replace(each, always=False) for name, each in found.items()}


def _side_by_side(found: list[Columns], where: str) -> Columns:
    """Merge the columns of all arms or versions; a column missing from one is optional."""
    out: Columns = {}
    for part in found:
        for name, each in part.items():
            out[name] = _joined(out[name], each, where, both=True) if name in out else each
    everywhere = set(out).intersection(*found)
    return {
        name: each if name in everywhere else replace(each, always=False)
        for name, each in out.items()
    }


def _leaf(node: nodes.Node, where: str) -> ArrowColumn:
    """Return the column of a named value."""
    many = is_many(node)
    found = value_type(node)
    kind = "list" if many else found.kind
    plain = ArrowColumn(str(node.name or ""), kind, node.doc, node.facts)
    if found.kind == "int" and not many:
        plain = replace(plain, bits=found.bits, signed=found.signed)
    match node:
        case nodes.BlobNode() if node.slot:
            plain = replace(plain, slot=node.slot.name)
        case nodes.ListNode():
            plain = replace(plain, item=_item(node.item, where))
        case nodes.ArgumentNode():
            plain = _argument(node, plain)
        case nodes.ProtoNode():
            plain = _proto(node, plain, where)
        case _ if node.name == protobuf.UNKNOWN:
            item = ArrowColumn("", "unknown", "One field that the schema does not know.")
            plain = replace(plain, item=item, always=False)
    return plain


def _item(node: nodes.Node, where: str) -> ArrowColumn:
    if isinstance(node, nodes.RecordNode):
        inner = _members(node.members, where)
        return ArrowColumn("", "record", node.doc, node.facts, members=tuple(inner.values()))
    return _leaf(node, where)


def _argument(node: nodes.ArgumentNode, plain: ArrowColumn) -> ArrowColumn:
    slot = node.slot.name if node.slot else ""
    plain = replace(plain, always=not node.optional and node.mark is None, slot=slot)
    if plain.kind == "list":
        return replace(plain, item=ArrowColumn("", "text", "One item."))
    return plain


def _proto(node: nodes.ProtoNode, plain: ArrowColumn, where: str) -> ArrowColumn:
    slot, found = node.slot.name if node.slot else "", value_type(node)
    one = replace(plain, kind=found.kind, always=False, slot=slot)
    if one.kind == "int":
        one = replace(one, bits=found.bits, signed=found.signed)
    if node.message is not None:
        one = replace(one, members=tuple(_columns(node.message, where).values()))
    if not node.repeated:
        return one
    return replace(plain, kind="list", always=False, item=replace(one, name=""))


def _joined(one: ArrowColumn, other: ArrowColumn, where: str, *, both: bool) -> ArrowColumn:
    """Merge two declarations of a name; with `both`, the column is required only if both are."""
    if one.kind != other.kind:
        raise SchemaError(f"{where}.{one.name}: {one.type_name} here, {other.type_name} there")
    always = (one.always and other.always) if both else (one.always or other.always)
    joined = replace(one, always=always, facts=joined_facts(one.facts, other.facts))
    if one.kind == "int":
        return _wide(joined, other, where)
    if one.item and other.item:
        return replace(joined, item=_joined(one.item, other.item, f"{where}.{one.name}", both=True))
    if one.kind == "record":
        parts = [{each.name: each for each in record.members} for record in (one, other)]
        return replace(joined, members=tuple(_side_by_side(parts, where).values()))
    return joined


def _wide(one: ArrowColumn, other: ArrowColumn, where: str) -> ArrowColumn:
    """Return the narrowest integer column that holds both."""
    signed = one.signed or other.signed
    bits = max(each.bits + (signed and not each.signed) for each in (one, other))
    if bits > MOST_BITS:
        raise SchemaError(f"{where}.{one.name}: {one.type_name} here, {other.type_name} there")
    return replace(one, bits=width(bits), signed=signed)
