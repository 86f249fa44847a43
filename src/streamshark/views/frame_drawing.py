"""The bytes of a frame as a drawing in text: where each member stands, and how large it is.

Offsets count from the first byte of the frame as long as everything before has one size, inside
lists from the first byte of the item (`+8`); after a member of varying size they are left out.
Members in parentheses have no name of their own: lengths, counts and reserved bits.
"""

from collections.abc import Mapping, Sequence

from streamshark.schema import nodes
from streamshark.views.schema_text import condition, expression, named, type_of

HEADS = ("offset", "size", "type", "member")
INNER = "  "
"""Before the members of what holds them."""
ANY = "..."
"""Where a size depends on what is there."""


def layout(tree: nodes.Tree, selected: Mapping[str, str] | None = None) -> list[str]:
    """Lines of the drawing; `selected` gives the values of members that select the frame."""
    drawing = _Drawing(selected or {})
    drawing.members(tree.root.members, _Offset(0), "")
    return drawing.lines()


class _Offset:
    """An offset that is known until something of varying size comes."""

    def __init__(self, value: int | None, sign: str = "") -> None:
        self.value = value
        self.sign = sign

    def __str__(self) -> str:
        return "" if self.value is None else f"{self.sign}{self.value}"

    def move(self, size: int | None) -> None:
        """Go on behind a member."""
        self.value = None if self.value is None or size is None else self.value + size

    def copy(self) -> "_Offset":
        """The same place, to go on from on another way."""
        return _Offset(self.value, self.sign)


class _Drawing:
    def __init__(self, selected: Mapping[str, str]) -> None:
        self.selected = selected
        self.rows: list[tuple[str, str, str, str]] = [HEADS]

    def lines(self) -> list[str]:
        """The rows as columns that line up."""
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
        """Add a row that says what the next ones belong to."""
        self.row("", "", "", text)

    def members(self, members: Sequence[nodes.Node], at: _Offset, inset: str) -> None:
        """Draw members one after the other."""
        for each in members:
            self.member(each, at, inset)

    def member(self, node: nodes.Node, at: _Offset, inset: str) -> None:
        """Draw one member and go on behind it."""
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
        """A member's name, and its value where the frame is selected by it."""
        if node.doc == "One item.":
            return "item"
        name = node.name or f"({node.doc.rstrip('.').lower() or 'reserved'})"
        value = self.selected.get(name) if node.path == (node.name,) else None
        return f"{name} = {value}" if value is not None else name

    def fixed(self, node: nodes.Node, size: int, at: _Offset, text: str) -> None:
        """Draw a member of one size."""
        self.row(str(at), str(size), type_of(node) or "fixed", text)
        at.move(size)

    def bits(self, node: nodes.BitsNode, at: _Offset, inset: str) -> None:
        """Draw a group of bits, highest first."""
        for index, each in enumerate(node.parts):
            where = (str(at), str(node.size)) if not index else ("", "")
            self.row(*where, type_of(each), inset + self.title(each))
        at.move(node.size)

    def prefix(self, node: nodes.IntNode | None, of: str, at: _Offset, inset: str) -> None:
        """Draw the number before what it measures."""
        if node is not None:
            self.fixed(node, node.size, at, f"{inset}({of})")

    def blob(self, node: nodes.BlobNode, at: _Offset, inset: str) -> None:
        """Draw text or bytes, and the length before them."""
        name = node.name or "item"
        self.prefix(node.prefix, f"length of {name}", at, inset)
        if isinstance(node.length, nodes.Const):
            self.fixed(node, node.length.value, at, inset + name)
            return
        told = ""
        if node.prefix is None:
            told = f", {expression(node.length)} bytes" if node.length else ", up to the end"
        self.row(str(at), ANY, type_of(node), inset + name + told)
        at.move(None)

    def many(self, node: nodes.ListNode, at: _Offset, inset: str) -> None:
        """Draw a list: its count, and one item."""
        name = node.name or "item"
        if node.claimed:
            self.prefix(node.prefix, f"number of {name}, only a claim", at, inset)
            told = "up to the end"
        elif node.prefix is not None:
            self.prefix(node.prefix, f"number of {name}", at, inset)
            told = "as many as that"
        else:
            told = f"{expression(node.count)} of them" if node.count else "up to the end"
        self.row(str(at), ANY, "list", f"{inset}{name}, {told}; each:")
        inner = _Offset(0, "+")
        if isinstance(node.item, nodes.RecordNode):
            self.members(node.item.members, inner, inset + INNER)
        else:
            self.member(node.item, inner, inset + INNER)
        at.move(None)

    def bounded(
        self, node: nodes.WhenNode | nodes.TailNode | nodes.RegionNode, at: _Offset, inset: str
    ) -> None:
        """Draw members that are there by a condition, or inside a run of bytes."""
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
        """Draw the arms of a union one below the other."""
        for told, arm in _arms(node):
            self.heading(f"{inset}{told}{':' if arm else ': nothing'}")
            self.members(arm, at.copy(), inset + INNER)
        at.move(None)

    def written(self, node: nodes.Node, at: _Offset, inset: str) -> None:
        """Draw what is text or protobuf: no offsets there."""
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
                    self.row("", "", type_of(member), f"{inset}{INNER}{member.name}")
                told = f"{node.other.name}, as many as there are; each: key, value"
                self.row("", "", "list", f"{inset}{INNER}{told}")
            case nodes.HeadersNode():
                first = f"{node.version} [status [description]] CR LF"
                self.row(str(at), ANY, "headers", inset + first)
                self.row("", "", "", f"{inset}key: value CR LF, as many as there are")
                self.row("", "", "", f"{inset}CR LF")
            case _:
                self.row(str(at), ANY, type_of(node), inset + self.title(node))
        at.move(None)

    def proto(self, number: int, node: nodes.ProtoNode, inset: str) -> None:
        """Draw a field of a message."""
        self.row(f"#{number}", ANY, type_of(node), f"{inset}{node.name}")
        if node.message is not None:
            self.written(node.message, _Offset(None), inset + INNER)


def _region(node: nodes.RegionNode) -> str:
    """What bounds a region, and what is summed over it."""
    told = "inside these bytes, which nothing may be left of"
    if node.prefix is None:
        told = (
            f"inside the next {expression(node.length)} bytes" if node.length else "up to the end"
        )
    if node.checksum is None or node.expected is None:
        return told
    names = {"crc32": "CRC-32", "crc32c": "CRC-32C"}
    told = f"{told}, whose {names[node.checksum]} is {expression(node.expected)}"
    return f"{told} (if {condition(node.summed)})" if node.summed else told


def _literal(data: bytes) -> str:
    """Fixed bytes, as text where they are."""
    printed = data.decode("latin-1")
    shown = f' "{printed}"' if printed.isascii() and printed.isprintable() else ""
    return data.hex(" ") + shown


def _argument(node: nodes.ArgumentNode) -> str:
    """An argument as usage texts write it."""
    word = f"{node.mark} {node.name}..." if node.kind == "tokens" else str(node.name)
    word = f"'{word}'" if node.kind == "quoted" else word
    return f"[{word}]" if node.optional or node.mark else word


def _arms(
    node: nodes.EitherNode | nodes.FitsNode | nodes.SwitchNode,
) -> list[tuple[str, list[nodes.Node]]]:
    """The arms of a union, and when each is taken."""
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
