"""Maps raw values to the values that outputs show: names for numbers, hex for bytes, masks.

A decoder returns numbers, text, bytes, lists and dicts. What JSON shows instead depends on the
node: `Shaper` makes, once per frame schema, a small function that changes only what needs it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from streamshark.decoding.numbering import firsts, inside
from streamshark.decoding.payloads import PayloadReaders
from streamshark.schema import Numbering, nodes
from streamshark.schema.nodes import scope
from streamshark.views.display_options import MASK, DisplayOptions, Shape, Value
from streamshark.views.payload_json import Beside, PayloadJson, finite

WIDE = 53
"""Wider integers are not exact in readers that store numbers as doubles."""

_WIDE_KINDS = frozenset({"int64", "uint64", "sint64", "fixed64", "sfixed64"})


def uuid_text(value: bytes) -> str:
    """Return 16 bytes as a canonical UUID; other lengths as hex."""
    text = value.hex()
    if len(value) != 16:  # noqa: PLR2004 - cut short
        return text
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def flags_set(value: int, names: Mapping[int, str]) -> dict[str, bool]:
    """Return whether each flag is set, by name; set bits without a name become `bit_N`."""
    out = {name: value & mask != 0 for mask, name in names.items()}
    known = 0
    for mask in names:
        known |= mask
    left = value & ~known
    out |= {f"bit_{bit}": True for bit in range(left.bit_length()) if left >> bit & 1}
    return out


def is_wide(node: nodes.Node) -> bool:
    """Return whether the node's numbers may have more than 53 bits."""
    match node:
        case nodes.IntNode():
            return node.size * 8 > WIDE
        case nodes.PartNode():
            return node.width > WIDE
        case nodes.ProtoNode():
            return node.kind in _WIDE_KINDS
        case _:
            return False


class Shaper:
    """A factory of the functions that map a frame's raw values to those of its JSON."""

    def __init__(self, showing: DisplayOptions, layers: PayloadReaders | None = None) -> None:
        self.showing = showing
        self.bodies = PayloadJson(self.showing, self.tree, layers)
        self._numbered: dict[nodes.Node, Numbering] = {}
        self._kinds: dict[type, Callable[[Any], Shape | None]] = {
            nodes.RecordNode: self.nested, nodes.ListNode: self.many, nodes.BlobNode: self.blob,
            nodes.ProtoNode: self.proto, nodes.IntNode: self.number, nodes.PartNode: self.number,
            nodes.ArgumentNode: self.argument,
        }  # fmt: skip

    def tree(self, tree: nodes.Tree) -> Shape:
        """Return the function for all values of a frame."""
        for each in tree.schema.numbers:
            self._numbered[tree.find(each.items)] = each
        return self.record(tree.root.members) or _same

    def record(self, members: list[nodes.Node]) -> Shape | None:
        """Return the function for a record; None if nothing in it changes."""
        shapes: dict[str, Shape] = {}
        joint: dict[str, Beside] = {}
        for node in scope(members):
            beside = self.beside(node)
            if beside is not None:
                joint.setdefault(node.name or "", beside)
                continue
            shape = self.node(node)
            if shape is not None and node.name is not None:
                shapes.setdefault(node.name, shape)
        if joint:
            return _joined(shapes, joint)
        if not shapes:
            return None

        def shaped(values: dict[str, Any]) -> dict[str, Any]:
            return {
                name: shapes[name](value) if name in shapes else value
                for name, value in values.items()
            }

        return shaped

    def node(self, node: nodes.Node) -> Shape | None:
        """Return the function for a node's value; None if the value does not change."""
        if node.facts.secret and not self.showing.secrets:
            return _masked
        return self._kinds.get(type(node), self.undeclared)(node)

    def beside(self, node: nodes.Node) -> Beside | None:
        """Return the function for a value that depends on its record; None for others."""
        if node.facts.secret and not self.showing.secrets:
            return None
        if node in self._numbered and isinstance(node, nodes.ListNode):
            return self.numbered(node, self._numbered[node])
        if isinstance(node, nodes.BlobNode) and (node.codec is not None or node.types):
            return self.bodies.beside(node)
        return None

    def numbered(self, node: nodes.ListNode, numbering: Numbering) -> Beside:
        """Return the function for a list whose items show computed numbers."""
        shape = self.node(node.item) or _same
        text = str if self.showing.int_strings else _same
        name, slot, own = numbering.name, numbering.inside, numbering.start is not None

        def shaped(items: Value, record: dict[str, Value]) -> Value:
            out = [shape(item) for item in items]
            for index, first in enumerate(firsts(numbering, record)):
                if own:
                    out[index] = {name: text(first), **out[index]}
                records = out[index].get(slot) if slot in items[index] else None
                if isinstance(records, list):
                    numbers = inside(numbering, first, len(records))
                    out[index][slot] = [
                        {name: text(number), **each}
                        for number, each in zip(numbers, records, strict=True)
                    ]
            return out

        return shaped

    def nested(self, node: nodes.RecordNode) -> Shape | None:
        """Return the function for a nested record."""
        return self.record(node.members)

    def many(self, node: nodes.ListNode) -> Shape | None:
        """Return the function for a list."""
        return _each(self.node(node.item))

    def argument(self, node: nodes.ArgumentNode) -> Shape | None:
        """Return the function for an argument of a text line."""
        return self.bodies.shape(node.slot) if node.slot else self.number(node)

    def undeclared(self, _node: nodes.Node) -> Shape | None:
        """Return the function for undeclared protobuf fields."""
        return _each(self.unknown)

    def number(self, node: nodes.Node) -> Shape | None:
        """Return the function for a number: its name, flags or text; None if unchanged."""
        facts, flags = node.facts, node.facts.flags
        if flags is not None:
            return lambda value: flags_set(value, flags)
        wide = self.showing.int_strings and is_wide(node)
        if facts.is_coded:
            name_of = facts.name_of if facts.ranges else (facts.names or {}).get
            return lambda value: {"value": str(value) if wide else value, "name": name_of(value)}
        return str if wide else None

    def blob(self, node: nodes.BlobNode) -> Shape | None:
        """Return the function for text or bytes."""
        if node.slot is not None:
            return self.bodies.shape(node.slot)
        if node.encoding is None:
            return _hex
        return _uuid if node.encoding == "uuid" else None

    def proto(self, node: nodes.ProtoNode) -> Shape | None:
        """Return the function for a protobuf field."""
        if node.message is not None:
            one = self.record([node.message])
        elif node.slot is not None:
            one = self.bodies.shape(node.slot)
        else:
            one = _PROTO[node.kind] if node.kind in _PROTO else self.number(node)
        return _each(one) if node.repeated else one

    def unknown(self, kept: dict[str, Any]) -> dict[str, Any]:
        """Show one undeclared protobuf field."""
        value = kept["value"]
        if isinstance(value, bytes):
            value = value.hex()
        elif self.showing.int_strings:
            value = str(value)
        return {**kept, "value": value}


def _same(value: Value) -> Value:
    return value


def _masked(value: Value) -> Value:
    return None if value is None else MASK


def _hex(value: Value) -> Value:
    return None if value is None else value.hex()


def _uuid(value: Value) -> Value:
    return None if value is None else uuid_text(value)


def _joined(shapes: dict[str, Shape], joint: dict[str, Beside]) -> Shape:
    """Return the function for a record, some of whose members depend on others."""

    def shaped(values: dict[str, Any]) -> dict[str, Any]:
        out = {}
        for name, value in values.items():
            if name in shapes:
                out[name] = shapes[name](value)
            elif name in joint and value is not None:
                out[name] = joint[name](value, values)
            else:
                out[name] = value
        return out

    return shaped


def _each(shape: Shape | None) -> Shape | None:
    """Return a function that applies `shape` to every item of a list."""
    if shape is None:
        return None
    return lambda items: [shape(item) for item in items]


_PROTO: dict[str, Shape | None] = {
    "bool": bool, "bytes": _hex, "double": finite, "float": finite, "string": None,
}  # fmt: skip
"""Functions for protobuf kinds other than integers."""
