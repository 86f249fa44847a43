"""The layout of a frame as a drawing in text: the offset, size, type and name of each member.

Offsets count from the first byte of the frame as long as everything before has a fixed size, and
inside lists from the first byte of the item (`+8`); after a member of variable size they are
omitted. Members in parentheses have no name of their own: lengths, counts and reserved bits.
"""

from collections.abc import Mapping, Sequence

from streamshark.fields.types import type_words
from streamshark.schema import nodes
from streamshark.views.schema_text import condition, expression, named

HEADS = ("offset", "size", "type", "member")
INNER = "  "
"""Indentation of the members of a record, list or region."""
ANY = "..."
"""The size of a member of variable size."""


def layout(tree: nodes.Tree, selected: Mapping[str, str] | None = None) -> list[str]:
    """Return the lines of the drawing; `selected` are the values that select the frame."""
    drawing = _Drawing(selected or {})
    drawing.members(tree.root.members, _Offset(0), "")
    return drawing.lines()


class _Offset:
    """An offset, known until the first member of variable size."""

    def __init__(self, value: int | None, sign: str = "") -> None:
        self.value = value
        self.sign = sign

    def __str__(self) -> str:
        return "" if self.value is None else f"{self.sign}{self.value}"

    def move(self, size: int | None) -> None:
        """Advance past a member; `size` is None if it varies."""
        self.value = None if self.value is None or size is None else self.value + size

    def copy(self) -> "_Offset":
        """Return a copy, for another arm."""
        return _Offset(self.value, self.sign)


class _Drawing:
    def __init__(self, selected: Mapping[str, str]) -> None:
        self.selected = selected
        self.rows: list[tuple[str, str, str, str]] = [HEADS]

    def lines(self) -> list[str]:
        """Return the rows as aligned columns."""
        widths = [max(len(row[column]) for row in self.rows) for column in range(3)]
        return [
            "  ".join(
                [*(each.ljust(width) for each, width in zip(row, widths, strict=False)), row[3]]
            ).rstrip()
            for row in self.rows
        ]

    def row(self, at: str, size: str, kind: str, text: str) -> None:
        """Add a row."""
        self.rows.append((at, size, kind, text))

    def heading(self, text: str) -> None:
        """Add a row that introduces the next ones."""
        self.row("", "", "", text)

    def members(self, members: Sequence[nodes.Node], at: _Offset, inset: str) -> None:
        """Draw members one after the other."""
        for each in members:
            self.member(each, at, inset)

    def member(self, node: nodes.Node, at: _Offset, inset: str) -> None:
        """Draw one member and advance past it."""
        match node:
            case nodes.IntNode():
                self.fixed(node, node.size, at, inset + self.title(node))
            case nodes.BitsNode():
                self.bits(node, at, inset)
            case nodes.BlobNode():
                self.blob(node, at, inset)
            case nodes.ListNode():
                self.many(node, at, inset)
            case nodes.LiteralNode():
                self.fixed(node, len(node.data), at, inset + _literal(node.data))
            case nodes.RecordNode():
                self.heading(f"{inset}{node.name}:")
                self.members(node.members, at, inset + INNER)
            case nodes.WhenNode() | nodes.TailNode() | nodes.RegionNode():
                self.bounded(node, at, inset)
            case nodes.EitherNode() | nodes.FitsNode() | nodes.SwitchNode():
                self.union(node, at, inset)
            case nodes.ClaimNode():
                pass
            case _:
                self.written(node, at, inset)

    def title(self, node: nodes.Node) -> str:
        """Return a member's name, with its value if that selects the frame."""
        if node.doc == "One item.":
            return "item"
        name = node.name or f"({node.doc.rstrip('.').lower() or 'reserved'})"
        value = self.selected.get(name) if node.path == (node.name,) else None
        return f"{name} = {value}" if value is not None else name

    def fixed(self, node: nodes.Node, size: int, at: _Offset, text: str) -> None:
        """Draw a member of fixed size."""
        self.row(str(at), str(size), type_words(node) or "fixed", text)
        at.move(size)

    def bits(self, node: nodes.BitsNode, at: _Offset, inset: str) -> None:
        """Draw a group of bits, highest first."""
        for index, each in enumerate(node.parts):
            where = (str(at), str(node.size)) if not index else ("", "")
            self.row(*where, type_words(each), inset + self.title(each))
        at.move(node.size)

    def prefix(self, node: nodes.IntNode | None, of: str, at: _Offset, inset: str) -> None:
        """Draw the length or count before a member."""
        if node is not None:
            self.fixed(node, node.size, at, f"{inset}({of})")

    def blob(self, node: nodes.BlobNode, at: _Offset, inset: str) -> None:
        """Draw text or bytes, and the length before them."""
        name = node.name or "item"
        self.prefix(node.prefix, f"length of {name}", at, inset)
        if isinstance(node.length, nodes.Const):
            self.fixed(node, node.length.value, at, inset + name)
            return
        phrase = ""
        if node.prefix is None:
            phrase = f", {expression(node.length)} bytes" if node.length else ", up to the end"
        self.row(str(at), ANY, type_words(node), inset + name + phrase)
        at.move(None)

    def many(self, node: nodes.ListNode, at: _Offset, inset: str) -> None:
        """Draw a list: its count, and one item."""
        name = node.name or "item"
        if node.claimed:
            self.prefix(node.prefix, f"number of {name}, only a claim", at, inset)
            phrase = "up to the end"
        elif node.prefix is not None:
            self.prefix(node.prefix, f"number of {name}", at, inset)
            phrase = "as many as that"
        else:
            phrase = f"{expression(node.count)} of them" if node.count else "up to the end"
        self.row(str(at), ANY, "list", f"{inset}{name}, {phrase}; each:")
        inner = _Offset(0, "+")
        if isinstance(node.item, nodes.RecordNode):
            self.members(node.item.members, inner, inset + INNER)
        else:
            self.member(node.item, inner, inset + INNER)
        at.move(None)

    def bounded(
        self, node: nodes.WhenNode | nodes.TailNode | nodes.RegionNode, at: _Offset, inset: str
    ) -> None:
        """Draw members that are conditional, or inside a region."""
        match node:
            case nodes.WhenNode():
                self.heading(f"{inset}if {condition(node.condition)}:")
            case nodes.TailNode():
                some = "a byte is" if node.need == 1 else f"{node.need} bytes are"
                self.heading(f"{inset}if {some} left:")
            case nodes.RegionNode():
                self.prefix(node.prefix, "length in bytes of what is inside", at, inset)
                self.heading(f"{inset}{_region(node)}:")
        self.members(node.members, at, inset + INNER)
        at.move(None)

    def union(
        self, node: nodes.EitherNode | nodes.FitsNode | nodes.SwitchNode, at: _Offset, inset: str
    ) -> None:
        """Draw the arms of a union, one below another."""
        for phrase, arm in _arms(node):
            self.heading(f"{inset}{phrase}{':' if arm else ': nothing'}")
            self.members(arm, at.copy(), inset + INNER)
        at.move(None)

    def written(self, node: nodes.Node, at: _Offset, inset: str) -> None:
        """Draw text lines or protobuf, which have no fixed offsets."""
        match node:
            case nodes.MessageNode():
                for number, each in node.fields.items():
                    self.proto(number, each, inset)
            case nodes.LineNode():
                words = [node.verb, *map(_argument, node.arguments)]
                self.row(str(at), ANY, "line", f"{inset}{' '.join(words)} CR LF")
            case nodes.JsonLineNode():
                self.row(str(at), ANY, "line", f"{inset}{node.verb} JSON object CR LF, of:")
                for member in node.fields.values():
                    self.row("", "", type_words(member), f"{inset}{INNER}{member.name}")
                phrase = f"{node.other.name}, as many as there are; each: key, value"
                self.row("", "", "list", f"{inset}{INNER}{phrase}")
            case nodes.HeadersNode():
                first = f"{node.version} [status [description]] CR LF"
                self.row(str(at), ANY, "headers", inset + first)
                self.row("", "", "", f"{inset}key: value CR LF, as many as there are")
                self.row("", "", "", f"{inset}CR LF")
            case _:
                self.row(str(at), ANY, type_words(node), inset + self.title(node))
        at.move(None)

    def proto(self, number: int, node: nodes.ProtoNode, inset: str) -> None:
        """Draw a field of a message."""
        self.row(f"#{number}", ANY, type_words(node), f"{inset}{node.name}")
        if node.message is not None:
            self.written(node.message, _Offset(None), inset + INNER)


def _region(node: nodes.RegionNode) -> str:
    """Describe the bounds of a region, and its checksum."""
    phrase = "inside these bytes, which nothing may be left of"
    if node.prefix is None:
        phrase = (
            f"inside the next {expression(node.length)} bytes" if node.length else "up to the end"
        )
    if node.checksum is None or node.expected is None:
        return phrase
    names = {"crc32": "CRC-32", "crc32c": "CRC-32C"}
    phrase = f"{phrase}, whose {names[node.checksum]} is {expression(node.expected)}"
    return f"{phrase} (if {condition(node.summed)})" if node.summed else phrase


def _literal(data: bytes) -> str:
    """Return fixed bytes as hex, and as text where printable."""
    printed = data.decode("latin-1")
    shown = f' "{printed}"' if printed.isascii() and printed.isprintable() else ""
    return data.hex(" ") + shown


def _argument(node: nodes.ArgumentNode) -> str:
    """Return an argument as usage texts write it."""
    word = f"{node.mark} {node.name}..." if node.kind == "tokens" else str(node.name)
    word = f"'{word}'" if node.kind == "quoted" else word
    return f"[{word}]" if node.optional or node.mark else word


def _arms(
    node: nodes.EitherNode | nodes.FitsNode | nodes.SwitchNode,
) -> list[tuple[str, list[nodes.Node]]]:
    """Return the arms of a union, each with its condition."""
    match node:
        case nodes.EitherNode():
            return [("if the top bit of the next byte is 0", node.clear), ("if it is 1", node.set)]
        case nodes.FitsNode():
            words = ["if", *["else if"] * len(node.arms)]
            return [
                (f"{word} this fits ({name})", arm)
                for word, (name, arm) in zip(words, node.arms, strict=False)
            ]
        case nodes.SwitchNode():
            on = expression(node.on)
            cases = [(f"if {on} is {named(node.on, key)}", arm) for key, arm in node.cases.items()]
            return cases if node.closed else [*cases, ("else", node.default)]
