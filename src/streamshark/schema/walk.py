"""From words to nodes: the only place that looks into construct objects, and where names are made.

Walking checks what a schema must obey and raises `SchemaError` naming frame and field: references
go to an earlier field, a name has one type in all arms, list items take at least one byte, every
field has a sentence, and only words of the vocabulary are used.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from streamshark.errors import SchemaError
from streamshark.schema import blobs, composites, expressions, lines, nodes, numbers, protobuf
from streamshark.schema.frame import FrameSchema, Head, Kind, LineHead, Side
from streamshark.schema.words import Facts, Field, Member, Word

NO_FACTS = Facts()
MAX_REFERENCE = 53
"""Most bits of a number in an expression: Wireshark's Lua 5.2 computes with doubles."""


def name_of(short: str, schema: FrameSchema) -> str:
    """`<short>.<command>`, `_response` after the command of a response (design, section 4)."""
    suffix = "_response" if schema.kind is Kind.RESPONSE else ""
    return f"{short}.{schema.name}{suffix}"


def walk(schema: FrameSchema, head: Head | LineHead, short: str) -> nodes.Tree:
    """The tree of a frame: the head's members and the body's, in one record."""
    walker = _Walker(f"{short}.{schema.name}")
    start = head.members if isinstance(head, Head) else ()
    root = walker.record((*start, *schema.body), (), None, "", NO_FACTS)
    return nodes.Tree(
        schema, head, name_of(short, schema), root, walker.nodes, frozenset(head.hidden)
    )


def walk_word(word: Word, prefix: str) -> nodes.Tree:
    """The tree of a single record word, for riders and for tests of the vocabulary."""
    if not isinstance(word, composites.Record):
        raise SchemaError(f"{prefix}: only a record stands alone")
    walker = _Walker(prefix)
    root = walker.record(word.members, (), None, "", NO_FACTS)
    schema = FrameSchema(
        prefix.rpartition(".")[2], 0, Kind.COMMAND, Side.BOTH, "", "", word.members
    )
    head = Head((), expressions.Constant(0), "")
    return nodes.Tree(schema, head, prefix, root, walker.nodes)


def smallest(word: Word) -> int:
    """Fewest bytes that a word can take."""
    return _Walker("").word(word, (), None, "", NO_FACTS).least


N = TypeVar("N", bound=nodes.Node)
Path = tuple[str, ...]


class _Scope:
    """Names of one record while it is walked."""

    def __init__(self, outer: "_Scope | None") -> None:
        self.outer = outer
        self.names: dict[str, nodes.Node] = {}


class _Walker:
    """Builds the nodes of one tree, giving ids in wire order."""

    def __init__(self, frame: str) -> None:
        self.frame = frame
        self.nodes: list[nodes.Node] = []
        self.scope: _Scope | None = None

    def fail(self, path: Path, message: str) -> SchemaError:
        """An error that names the frame and the field."""
        return SchemaError(f"{'.'.join((self.frame, *path))}: {message}")

    def add(self, kind: Callable[..., N], path: Path, name: str | None, *rest: Any) -> N:
        """A new node with the next id, `path` being that of the record around it."""
        doc, facts, *own = rest
        full = (*path, name) if name else path
        node = kind(len(self.nodes), name, full, doc, facts, 0, *own)
        self.nodes.append(node)
        return node

    def declare(self, node: nodes.Node, path: Path) -> None:
        """Make a name known; the same name in two arms must mean the same type."""
        scope = self.scope
        if scope is None or node.name is None:
            return
        before = scope.names.get(node.name)
        if before is not None and type_of(before) != type_of(node):
            raise self.fail(path, f"{node.name!r} has two types in one record")
        scope.names[node.name] = node

    # Value words

    def word(self, word: Word, path: Path, name: str | None, doc: str, facts: Facts) -> nodes.Node:
        """The node of a value word; `name` is None for list items."""
        match word:
            case numbers.Int():
                node: nodes.Node = self.integer(word, path, name, doc, facts)
            case blobs.Blob():
                node = self.blob(word, path, name, doc, facts)
            case composites.Many():
                node = self.many(word, path, name, doc, facts)
            case composites.Record():
                node = self.record(word.members, path, name, doc, facts)
            case _:
                raise self.fail(path, f"{type(word).__name__} is not in the vocabulary")
        return node

    def integer(
        self, word: numbers.Int, path: Path, name: str | None, doc: str, facts: Facts
    ) -> nodes.IntNode:
        """A number."""
        node = self.add(nodes.IntNode, path, name, doc, facts, word.size, word.signed)
        node.least = word.size
        return node

    def prefix(self, word: object, path: Path, doc: str) -> nodes.IntNode | None:
        """The anonymous number before a blob, list or region."""
        if not isinstance(word, numbers.Int):
            return None
        return self.integer(word, path, None, doc, NO_FACTS)

    def outside(self, word: object, path: Path) -> nodes.Expr | None:
        """The expression that gives a length or count."""
        return self.resolve(word, path) if isinstance(word, expressions.Expression) else None

    def blob(
        self, word: blobs.Blob, path: Path, name: str | None, doc: str, facts: Facts
    ) -> nodes.BlobNode:
        """Text or bytes."""
        length = self.outside(word.length, path)
        slot = word.slot
        codec = self.outside(slot.codec, path) if slot else None
        unpacked = self.outside(slot.size, path) if slot else None
        own = (None, length, word.encoding, word.null, slot, codec, unpacked, word.limit)
        node = self.add(nodes.BlobNode, path, name, doc, facts, *own)
        node.prefix = self.prefix(word.length, node.path, "Length in bytes.")
        if isinstance(length, nodes.Const):
            node.least = length.value
        else:
            node.least = node.prefix.least if node.prefix else 0
        return node

    def many(
        self, word: composites.Many, path: Path, name: str | None, doc: str, facts: Facts
    ) -> nodes.ListNode:
        """A list and its item."""
        count = self.outside(word.count, path)
        node: nodes.ListNode = self.add(
            nodes.ListNode, path, name, doc, facts, None, count, word.claim is not None,
            nodes.Node(-1, None, (), "", NO_FACTS, 0), word.limit,
        )  # fmt: skip
        node.prefix = self.prefix(word.claim or word.count, node.path, "Number of items.")
        node.item = self.word(word.item, node.path, None, "One item.", facts)
        if node.item.least == 0:
            raise self.fail(node.path, "an item of a list takes at least one byte")
        node.least = node.prefix.least if node.prefix else 0
        return node

    def record(
        self, parts: Iterable[Member], path: Path, name: str | None, doc: str, facts: Facts
    ) -> nodes.RecordNode:
        """A record with a scope of its own."""
        node: nodes.RecordNode = self.add(nodes.RecordNode, path, name, doc, facts, [])
        self.scope = _Scope(self.scope)
        node.members = self.members(parts, node.path)
        self.scope = self.scope.outer
        node.least = sum(each.least for each in node.members)
        return node

    # Member words

    def members(self, parts: Iterable[Member], path: Path) -> list[nodes.Node]:
        """The nodes of members, and after them what their fields claim."""
        parts = tuple(parts)
        out = [self.member(part, path) for part in parts]
        for part, node in zip(parts, tuple(out), strict=True):
            if isinstance(part, Field) and part.claims is not None:
                told = self.resolve(part.claims, path, wide=True)
                claim: nodes.ClaimNode = self.add(
                    nodes.ClaimNode, path, None, "", NO_FACTS, node, told
                )
                out.append(claim)
        return out

    def member(self, part: Member, path: Path) -> nodes.Node:
        """The node of one member word."""
        match part:
            case Field():
                return self.field(part, path)
            case numbers.Bits():
                return self.bits(part, path)
            case blobs.Literal():
                return self.literal(part, path)
            case composites.When() | composites.Tail():
                return self.conditional(part, path)
            case composites.Either() | composites.Fits() | composites.Switch():
                return self.union(part, path)
            case composites.Region():
                return self.region(part, path)
            case protobuf.Message():
                return self.message(part, path)
            case lines.Line():
                return self.line(part, path)
            case lines.Headers():
                return self.headers(part, path)
            case _:
                raise self.fail(path, f"{type(part).__name__} is not in the vocabulary")

    def field(self, part: Field, path: Path) -> nodes.Node:
        """A named value."""
        if not part.sentence.strip():
            raise self.fail((*path, part.field_name), "a field needs a sentence")
        node = self.word(part.word, path, part.field_name, part.sentence, part.facts)
        self.declare(node, path)
        return node

    def bits(self, part: numbers.Bits, path: Path) -> nodes.BitsNode:
        """A group of bits."""
        node: nodes.BitsNode = self.add(nodes.BitsNode, path, None, "", NO_FACTS, part.size, [])
        shift = part.size * 8
        for each in part.parts:
            shift -= each.width
            own: nodes.PartNode = self.add(
                nodes.PartNode, path, each.name, each.sentence, each.facts, shift, each.width
            )
            node.parts.append(own)
            self.declare(own, path)
        node.least = part.size
        return node

    def literal(self, part: blobs.Literal, path: Path) -> nodes.LiteralNode:
        """Fixed bytes."""
        node: nodes.LiteralNode = self.add(
            nodes.LiteralNode, path, None, part.sentence, NO_FACTS, part.data
        )
        node.least = len(part.data)
        return node

    def conditional(self, part: composites.When | composites.Tail, path: Path) -> nodes.Node:
        """Members by a condition, or while bytes remain."""
        if isinstance(part, composites.When):
            condition = self.resolve(part.condition, path)
            when: nodes.WhenNode = self.add(nodes.WhenNode, path, None, "", NO_FACTS, condition, [])
            when.members = self.members(part.members, path)
            return when
        blank = nodes.Node(-1, None, (), "", NO_FACTS, 0)
        tail: nodes.TailNode = self.add(
            nodes.TailNode, path, None, "", NO_FACTS, part.needed(), part.default, blank
        )
        tail.member = self.member(part.member, path)
        return tail

    def union(
        self, part: composites.Either | composites.Fits | composites.Switch, path: Path
    ) -> nodes.Node:
        """Arms side by side, in one record."""
        match part:
            case composites.Either():
                either: nodes.EitherNode = self.add(
                    nodes.EitherNode, path, None, "", NO_FACTS, [], []
                )
                either.clear = self.members(part.clear, path)
                either.set = self.members(part.set, path)
                either.least = max(1, min(_least(either.clear), _least(either.set)))
                return either
            case composites.Fits():
                doc = f"Which layout fits: {', '.join(part.arms)}."
                fits: nodes.FitsNode = self.add(nodes.FitsNode, path, part.form, doc, NO_FACTS, [])
                self.declare(fits, path)
                fits.arms = [(name, self.members(arm, path)) for name, arm in part.arms.items()]
                fits.least = min(_least(arm) for _, arm in fits.arms)
                return fits
            case composites.Switch():
                on = self.resolve(part.on, path)
                switch: nodes.SwitchNode = self.add(
                    nodes.SwitchNode, path, None, "", NO_FACTS, on, {}, []
                )
                for value, arm in part.cases.items():
                    switch.cases[value] = self.members(arm, path)
                switch.default = self.members(part.default, path)
                arms = (*switch.cases.values(), switch.default)
                switch.least = min(_least(arm) for arm in arms)
                return switch

    def region(self, part: composites.Region, path: Path) -> nodes.RegionNode:
        """A bounded run of members."""
        length = self.outside(part.length, path)
        check = part.checksum
        expected = self.resolve(check.field, path, wide=True) if check else None
        node: nodes.RegionNode = self.add(
            nodes.RegionNode, path, None, "", NO_FACTS,
            None, length, [], check.kind if check else None, expected,
        )  # fmt: skip
        node.prefix = self.prefix(part.length, path, "Length in bytes.")
        node.members = self.members(part.members, path)
        node.least = node.prefix.least if node.prefix else 0
        return node

    def message(self, part: protobuf.Message, path: Path) -> nodes.MessageNode:
        """A protobuf message; nested ones below their fields."""
        unknown = nodes.Node(-1, None, (), "", NO_FACTS, 0)
        node: nodes.MessageNode = self.add(nodes.MessageNode, path, None, "", NO_FACTS, {}, unknown)
        for number, each in part.fields.items():
            slot = blobs.Slot(each.slot) if each.slot else None
            own: nodes.ProtoNode = self.add(
                nodes.ProtoNode, path, each.name, each.sentence, each.facts,
                number, each.kind, each.repeated, None, slot,
            )  # fmt: skip
            self.declare(own, path)
            if each.message:
                self.scope = _Scope(self.scope)
                own.message = self.message(each.message, own.path)
                self.scope = self.scope.outer
            node.fields[number] = own
        doc = "Fields that the schema does not know."
        node.unknown = self.add(nodes.Node, path, protobuf.UNKNOWN, doc, NO_FACTS)
        return node

    def line(self, part: lines.Line, path: Path) -> nodes.LineNode:
        """A control line."""
        node: nodes.LineNode = self.add(nodes.LineNode, path, None, "", NO_FACTS, part.verb, [])
        for each in part.arguments:
            slot = blobs.Slot(each.slot) if each.slot else None
            own: nodes.ArgumentNode = self.add(
                nodes.ArgumentNode, path, each.name, each.sentence, each.facts,
                each.kind, each.optional, slot,
            )  # fmt: skip
            self.declare(own, path)
            node.arguments.append(own)
        required = sum(not each.optional and each.kind != "rest" for each in part.arguments)
        node.least = len(part.verb) + 2 * required + 1
        return node

    def headers(self, part: lines.Headers, path: Path) -> nodes.HeadersNode:
        """A header block and its three named parts."""
        blank = nodes.Node(-1, None, (), "", NO_FACTS, 0)
        node: nodes.HeadersNode = self.add(
            nodes.HeadersNode,
            path,
            None,
            part.sentence,
            NO_FACTS,
            part.version,
            blank,
            blank,
            blank,
        )
        node.status = self.header_text(path, "status", "Status of the version line.")
        node.description = self.header_text(path, "description", "Text after the status.")
        pairs: nodes.ListNode = self.add(
            nodes.ListNode, path, "headers", part.sentence, NO_FACTS, None, None, False, blank, None
        )
        pair: nodes.RecordNode = self.add(
            nodes.RecordNode, pairs.path, None, "One header.", NO_FACTS, []
        )
        pair.members = [
            self.header_text(pairs.path, "key", "Name, letter case kept."),
            self.header_text(pairs.path, "value", "Value without the blanks around it."),
        ]
        pairs.item = pair
        node.headers = pairs
        node.least = len(part.version) + 4
        return node

    def header_text(self, path: Path, name: str, doc: str) -> nodes.ArgumentNode:
        """A piece of text in a header block."""
        return self.add(nodes.ArgumentNode, path, name, doc, NO_FACTS, "text", True, None)

    # Expressions

    def resolve(self, given: object, path: Path, *, wide: bool = False) -> nodes.Expr:
        """An expression with its names replaced by nodes; `wide` allows 64-bit operands (claims)."""
        match given:
            case expressions.Constant():
                return nodes.Const(given.value)
            case expressions.Reference():
                return nodes.Ref(self.target(given, path, wide=wide))
            case expressions.Length():
                return nodes.Len(self.target(given.of, path, wide=True))
            case expressions.Binary():
                left = self.resolve(given.left, path, wide=wide)
                return nodes.Op(given.operator, left, self.resolve(given.right, path, wide=wide))
            case expressions.AnyOf():
                return nodes.In(self.resolve(given.of, path, wide=wide), given.values)
            case _:
                raise self.fail(path, f"{given!r} is not an expression of the vocabulary")

    def target(self, reference: expressions.Reference, path: Path, *, wide: bool) -> nodes.Node:
        """The earlier node that a reference means."""
        name, up = reference.target
        scope = self.scope
        for _ in range(up):
            scope = scope.outer if scope else None
        node = scope.names.get(name) if scope else None
        if node is None:
            raise self.fail(path, f"{reference!r} is not an earlier field")
        bits = node.width if isinstance(node, nodes.PartNode) else 0
        bits = node.size * 8 if isinstance(node, nodes.IntNode) else bits
        if bits > MAX_REFERENCE and not wide:
            raise self.fail(
                path, f"{reference!r} has {bits} bits; expressions have {MAX_REFERENCE}"
            )
        return node


def _least(members: list[nodes.Node]) -> int:
    return sum(each.least for each in members)


def type_of(node: nodes.Node) -> str:
    """The type of a node's value: int, text, bytes, uuid, list, record, float or bool.

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
        case nodes.FitsNode():
            return "text"
        case nodes.ArgumentNode():
            return "int" if node.kind == "number" else "text"
        case nodes.ProtoNode():
            return "list" if node.repeated else scalar_type(node.kind)
        case _:
            return "list" if node.name == protobuf.UNKNOWN else "none"


def scalar_type(kind: str) -> str:
    """The type of one protobuf value."""
    special = {"string": "text", "bytes": "bytes", "message": "record", "map": "record"}
    special |= {"bool": "bool", "float": "float", "double": "float"}
    return special.get(kind, "int")
