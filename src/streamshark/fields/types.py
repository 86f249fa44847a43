"""Types of fields: the type in words, the form of the raw value, and Wireshark's type."""

from typing import Final, NamedTuple

from streamshark.schema import nodes, protobuf
from streamshark.schema.name_resolution import type_of

MOST_BITS: Final = 64
DECIMAL_BITS: Final = 32
"""A decimal argument of a text line has at most nine digits."""
SIZES: Final = (8, 16, 32, 64)
"""Widths of integers, in bits."""
ENCODINGS: Final = {"utf-8": "UTF-8", "ascii": "ASCII", "mutf-8": "modified UTF-8"}
_PROTO_BITS: Final = {
    "int32": 32, "sint32": 32, "uint32": 32, "enum": 32, "fixed32": 32, "sfixed32": 32,
}  # fmt: skip
"""Bits of the protobuf integers that do not have 64."""
_PROTO_UNSIGNED: Final = frozenset({"uint32", "uint64", "fixed32", "fixed64"})
_PROTO_KINDS: Final = {
    "string": "text", "bytes": "bytes", "message": "record", "map": "record", "bool": "bool",
    "float": "float", "double": "double",
}  # fmt: skip
"""Kinds of the protobuf types that are not integers."""
_ARGUMENTS: Final = {
    "number": "number", "integer": "i64", "boolean": "bool", "tokens": "list of text",
    "json": "JSON",
}  # fmt: skip
"""Type in words of each kind of argument."""
_FT: Final = {
    "bool": "FT_BOOLEAN", "float": "FT_FLOAT", "double": "FT_DOUBLE", "text": "FT_STRING",
    "bytes": "FT_BYTES", "uuid": "FT_GUID", "record": "FT_NONE", "unknown": "FT_BYTES",
    "time": "FT_ABSOLUTE_TIME", "duration": "FT_RELATIVE_TIME", "frame": "FT_FRAMENUM",
}  # fmt: skip
"""Wireshark's type of each kind that is not an integer."""


class FieldType(NamedTuple):
    """The type of one occurrence of a field."""

    words: str
    """The type as lists of fields show it: `u32`, `text (ASCII)`, `list of record`."""
    kind: str
    """Form of the raw value: `int`, `bool`, `float`, `double`, `text` (str), `bytes`, `uuid` (16
    bytes), `record` (dict), `unknown` (an undeclared protobuf field, dict), `time` (int, ns since
    1970), `duration` (int, ns), or `frame` (int, number of a frame)."""
    bits: int = 0
    """Width of an `int`: 8, 16, 32 or 64."""
    signed: bool = False
    wire_bits: int = 0
    """Bits on the wire of an `int`, of the group of bits around it where it is in one."""

    @property
    def ft(self) -> str:
        """Wireshark's type, such as `FT_UINT16`: that of the field in the plugins."""
        if self.kind != "int":
            return _FT[self.kind]
        return f"FT_{'INT' if self.signed else 'UINT'}{self.wire_bits or self.bits}"

    def joined(self, other: "FieldType") -> "FieldType":
        """Return the type that holds values of both; the kind is that of this one."""
        words = self.words
        if other.words not in words.split(" or "):
            words += f" or {other.words}"
        if self.kind != "int" or other.kind != "int":
            return self._replace(words=words)
        signed = self.signed or other.signed
        bits = max(each.bits + (signed and not each.signed) for each in (self, other))
        wire_bits = max(self.wire_bits, other.wire_bits)
        return FieldType(words, "int", width(min(bits, MOST_BITS)), signed, wire_bits)


def width(bits: int) -> int:
    """Return the narrowest integer width that holds so many bits."""
    return next(size for size in SIZES if size >= bits)


def integer(words: str, bits: int, *, signed: bool = False, wire_bits: int = 0) -> FieldType:
    """Return the type of an integer."""
    return FieldType(words, "int", width(bits), signed, wire_bits or width(bits))


def value_type(node: nodes.Node, group: int = 0) -> FieldType:  # noqa: PLR0911 - one row a kind
    """Return the type of a node's values; of a list, that of its items.

    `group` is the size in bytes of the group of bits that the node is in.
    """
    words = type_words(node)
    match node:
        case nodes.IntNode():
            return integer(words, node.size * 8, signed=node.signed, wire_bits=node.size * 8)
        case nodes.PartNode():
            return integer(words, node.width, wire_bits=group * 8)
        case nodes.ListNode():
            return value_type(node.item)._replace(words=words)
        case nodes.ArgumentNode(kind="number"):
            return integer(words, DECIMAL_BITS)
        case nodes.ArgumentNode(kind="integer"):
            return integer(words, MOST_BITS, signed=True)
        case nodes.ArgumentNode(kind="tokens"):
            return FieldType(words, "text")
        case nodes.ProtoNode() if node.kind in _PROTO_KINDS:
            return FieldType(words, _PROTO_KINDS[node.kind])
        case nodes.ProtoNode():
            bits, signed = _PROTO_BITS.get(node.kind, MOST_BITS), node.kind not in _PROTO_UNSIGNED
            return integer(words, bits, signed=signed)
        case _ if node.name == protobuf.UNKNOWN:
            return FieldType(words, "unknown")
        case _:
            return FieldType(words, type_of(node))


def type_words(node: nodes.Node) -> str:  # noqa: PLR0911 - one line a kind
    """Return a node's type in a word or two."""
    match node:
        case nodes.IntNode():
            return f"{'i' if node.signed else 'u'}{node.size * 8}"
        case nodes.PartNode():
            return "1 bit" if node.width == 1 else f"{node.width} bits"
        case nodes.BlobNode():
            plain = {None: "bytes", "utf-8": "text", "uuid": "UUID"}
            return plain.get(node.encoding, f"text ({ENCODINGS.get(node.encoding or '', '')})")
        case nodes.ListNode():
            return f"list of {type_words(node.item)}"
        case nodes.RecordNode():
            return "record"
        case nodes.ArgumentNode():
            return _ARGUMENTS.get(node.kind, "text")
        case nodes.ProtoNode():
            return f"list of {node.kind}" if node.repeated and node.kind != "map" else node.kind
        case _:
            return "list of record" if node.name else ""


def groups(tree: nodes.Tree) -> dict[int, int]:
    """Return the size in bytes of the group of bits around each part, by the part's id."""
    found = (each for each in tree.nodes if isinstance(each, nodes.BitsNode))
    return {part.id: each.size for each in found for part in each.parts}


def is_many(node: nodes.Node) -> bool:
    """Return whether a node by itself may have several occurrences in the record around it."""
    match node:
        case nodes.ListNode() | nodes.HeadersNode():
            return True
        case nodes.ProtoNode():
            return node.repeated
        case nodes.ArgumentNode():
            return node.kind == "tokens"
        case _:
            return node.name == protobuf.UNKNOWN


def listed(tree: nodes.Tree) -> frozenset[tuple[str, ...]]:
    """Return the paths at which there may be several occurrences in a frame.

    A node below such a path may occur several times as well.
    """
    return frozenset(each.path for each in tree.nodes if each.name and is_many(each))


def is_listed(node: nodes.Node, many: frozenset[tuple[str, ...]]) -> bool:
    """Return whether a frame may have several values of a node; `many` is `listed` of its tree."""
    return any(node.path[:length] in many for length in range(1, len(node.path) + 1))
