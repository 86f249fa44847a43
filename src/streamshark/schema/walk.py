"""From words to nodes: the only place that looks into construct objects, and where names are made.

Walking checks what a schema must obey and raises `SchemaError` naming frame and field: references
go to an earlier field, a name has one type in all arms, list items take at least one byte, every
field has a sentence, and only words of the vocabulary are used. What is known of names and
expressions on the way is in `scopes`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from streamshark.errors import SchemaError
from streamshark.schema import (
    bytes_and_text,
    composites,
    expressions,
    json_lines,
    nodes,
    numbers,
    protobuf,
    text_lines,
)
from streamshark.schema.frame import FrameKind, FrameSchema, Head, LineHead, Sender
from streamshark.schema.name_resolution import NameResolution, Path
from streamshark.schema.words import Field, FieldFacts, Member, Word

NO_FACTS = FieldFacts()


def name_of(short: str, schema: FrameSchema, head: Head | LineHead) -> str:
    """`<short>.<command>`, `_response` after the command of a response (design, section 4).

    Not where the document gives each response a name and key of its own: where the head has no
    bit that distinguishes both.
    """
    repeats = isinstance(head, Head) and head.response is not None
    suffix = "_response" if schema.kind is FrameKind.RESPONSE and repeats else ""
    return f"{short}.{schema.name}{suffix}"


def walk(schema: FrameSchema, head: Head | LineHead, short: str) -> nodes.Tree:
    """Return the tree of a frame: the head's members and the body's, in one record."""
    walker = Walker(f"{short}.{schema.name}")
    start: tuple[Member, ...] = ()
    if isinstance(head, Head):
        start = head.members
        walker.flags = {head.flags: schema.flags} if head.flags else {}
    if schema.flags and not walker.flags:
        raise SchemaError(f"{walker.frame}: the head has no flags that a frame could name")
    root = walker.record((*start, *schema.body), (), None, "", NO_FACTS)
    hidden = frozenset(head.hidden)
    return nodes.Tree(schema, head, name_of(short, schema, head), root, walker.nodes, hidden)


def walk_word(word: Word, prefix: str) -> nodes.Tree:
    """Return the tree of a single record word: of embedded records, and in tests."""
    if not isinstance(word, composites.Record):
        raise SchemaError(f"{prefix}: only a record stands alone")
    walker = Walker(prefix)
    root = walker.record(word.members, (), None, "", NO_FACTS)
    name = prefix.rpartition(".")[2]
    schema = FrameSchema(name, 0, FrameKind.COMMAND, Sender.BOTH, "", "", word.members)
    return nodes.Tree(schema, Head((), None, ""), prefix, root, walker.nodes)


def _blank() -> nodes.Node:
    """Return a node that is replaced as soon as its parent has an id."""
    return nodes.Node(-1, None, (), "", NO_FACTS, 0)


class Walker(NameResolution):
    """Builds the nodes of one tree, giving ids in wire order."""

    def __init__(self, frame: str) -> None:
        super().__init__(frame)
        self.flags: Mapping[str, Mapping[int, str]] = {}
        """Member of the head to the names that this frame gives its bits."""
        self.words: dict[type, Callable[..., nodes.Node]] = {
            numbers.Int: self.integer,
            bytes_and_text.Blob: self.blob,
            composites.Many: self.many,
            composites.Record: self.nested,
        }
        """What makes the node of each value word."""
        self.member_words: dict[type, Callable[[Any, Path], nodes.Node]] = {
            Field: self.field, numbers.Bits: self.bits, bytes_and_text.Literal: self.literal,
            composites.When: self.when, composites.Tail: self.tail,
            composites.Either: self.either, composites.Fits: self.fits,
            composites.Switch: self.switch, composites.Region: self.region,
            protobuf.ProtoMessage: self.message, text_lines.TextLine: self.line,
            text_lines.Headers: self.headers,
            json_lines.JsonLine: self.json_line,
        }  # fmt: skip
        """What makes the node of each member word."""

    # Value words

    def word(
        self, word: Word, path: Path, name: str | None, doc: str, facts: FieldFacts
    ) -> nodes.Node:
        """Return the node of a value word; `name` is None for list items."""
        if type(word) not in self.words:
            raise self.fail(path, f"{type(word).__name__} is not in the vocabulary")
        return self.words[type(word)](word, path, name, doc, facts)

    def integer(
        self, word: numbers.Int, path: Path, name: str | None, doc: str, facts: FieldFacts
    ) -> nodes.IntNode:
        """Return the node of a number."""
        own = word.size, word.signed
        return self.add(nodes.IntNode, path, name, doc, facts, *own, least=word.least)

    def prefix(self, word: object, path: Path, doc: str) -> nodes.IntNode | None:
        """Return the anonymous number before a blob, list or region."""
        if not isinstance(word, numbers.Int):
            return None
        return self.integer(word, path, None, doc, NO_FACTS)

    def outside(self, word: object, path: Path) -> nodes.Expr | None:
        """Return the expression that gives a length or count."""
        return self.resolve(word, path) if isinstance(word, expressions.Expression) else None

    def blob(
        self, word: bytes_and_text.Blob, path: Path, name: str | None, doc: str, facts: FieldFacts
    ) -> nodes.BlobNode:
        """Text or bytes."""
        length = self.outside(word.length, path)
        slot = word.slot
        codec = self.outside(slot.codec, path) if slot else None
        unpacked = self.outside(slot.size, path) if slot else None
        holds = self.outside(slot.count, path) if slot else None
        types = tuple(self.typing(each, path) for each in slot.types) if slot else ()
        nulls = word.null, word.refuses_null
        packing = codec, unpacked, holds, types
        own = (None, length, word.encoding, *nulls, slot, *packing, word.limit)
        node = self.add(nodes.BlobNode, path, name, doc, facts, *own, least=word.least)
        node.prefix = self.prefix(word.length, node.path, "Length in bytes.")
        return node

    def many(
        self, word: composites.Many, path: Path, name: str | None, doc: str, facts: FieldFacts
    ) -> nodes.ListNode:
        """Return the node of a list and its item."""
        count = self.outside(word.count, path)
        own = (None, count, word.claim is not None, _blank(), word.limit)
        node = self.add(nodes.ListNode, path, name, doc, facts, *own, least=word.least)
        node.prefix = self.prefix(word.claim or word.count, node.path, "Number of items.")
        node.item = self.word(word.item, node.path, None, "One item.", facts)
        if node.item.least == 0:
            raise self.fail(node.path, "an item of a list takes at least one byte")
        return node

    def nested(
        self, word: composites.Record, path: Path, name: str | None, doc: str, facts: FieldFacts
    ) -> nodes.RecordNode:
        """Return the node of a record inside the record."""
        return self.record(word.members, path, name, doc, facts)

    def record(
        self, parts: Iterable[Member], path: Path, name: str | None, doc: str, facts: FieldFacts
    ) -> nodes.RecordNode:
        """Return the node of a record with a scope of its own."""
        node: nodes.RecordNode = self.add(nodes.RecordNode, path, name, doc, facts, [])
        with self.record_scope():
            node.members = self.members(parts, node.path)
        node.least = sum(each.least for each in node.members)
        return node

    # Member words

    def members(self, parts: Iterable[Member], path: Path) -> list[nodes.Node]:
        """Return the nodes of members, followed by the claims of their fields."""
        parts = tuple(parts)
        out = [self.member(part, path) for part in parts]
        for part, node in zip(parts, tuple(out), strict=True):
            if isinstance(part, Field) and part.claims is not None:
                claimed = self.resolve(part.claims, path, wide=True)
                out.append(self.add(nodes.ClaimNode, path, None, "", NO_FACTS, node, claimed))
        return out

    def arm(self, parts: Iterable[Member], path: Path) -> list[nodes.Node]:
        """Return the nodes of members that may be absent."""
        with self.condition():
            return self.members(parts, path)

    def member(self, part: Member, path: Path) -> nodes.Node:
        """Return the node of one member word."""
        if type(part) not in self.member_words:
            raise self.fail(path, f"{type(part).__name__} is not in the vocabulary")
        return self.member_words[type(part)](part, path)

    def field(self, part: Field, path: Path) -> nodes.Node:
        """Return the node of a named value."""
        facts = self.facts(part.field_name, part.facts, path)
        node = self.word(part.word, path, part.field_name, part.sentence, facts)
        self.declare(node, path)
        return node

    def facts(self, name: str | None, facts: FieldFacts, path: Path) -> FieldFacts:
        """Facts of a member, with the frame's own names for the head's flags."""
        own = self.flags.get(name or "") if not path else None
        return replace(facts, flags=own) if own is not None else facts

    def bits(self, part: numbers.Bits, path: Path) -> nodes.BitsNode:
        """Return the node of a group of bits."""
        node: nodes.BitsNode = self.add(
            nodes.BitsNode, path, None, "", NO_FACTS, part.size, [], least=part.least
        )
        shift = part.size * 8
        for each in part.parts:
            shift -= each.width
            facts = self.facts(each.name, each.facts, path)
            own = shift, each.width
            child = self.add(nodes.PartNode, path, each.name, each.sentence, facts, *own)
            node.parts.append(child)
            self.declare(child, path)
        return node

    def literal(self, part: bytes_and_text.Literal, path: Path) -> nodes.LiteralNode:
        """Return the node of fixed bytes."""
        own = path, None, part.sentence, NO_FACTS, part.data
        return self.add(nodes.LiteralNode, *own, least=part.least)

    def when(self, part: composites.When, path: Path) -> nodes.WhenNode:
        """Members by a condition."""
        condition = self.resolve(part.condition, path)
        node: nodes.WhenNode = self.add(nodes.WhenNode, path, None, "", NO_FACTS, condition, [])
        node.members = self.arm(part.members, path)
        return node

    def tail(self, part: composites.Tail, path: Path) -> nodes.TailNode:
        """Return the node of a member while bytes remain."""
        own: tuple[Any, ...] = part.need, part.default, []
        node: nodes.TailNode = self.add(nodes.TailNode, path, None, "", NO_FACTS, *own)
        node.members = self.arm((part.member,), path)
        return node

    def either(self, part: composites.Either, path: Path) -> nodes.EitherNode:
        """Two arms by the top bit of the next byte."""
        node: nodes.EitherNode = self.add(
            nodes.EitherNode, path, None, "", NO_FACTS, [], [], least=part.least
        )
        node.clear = self.arm(part.clear, path)
        node.set = self.arm(part.set, path)
        return node

    def fits(self, part: composites.Fits, path: Path) -> nodes.FitsNode:
        """Arms by what fits."""
        node: nodes.FitsNode = self.add(
            nodes.FitsNode, path, None, "", NO_FACTS, [], least=part.least
        )
        node.arms = [(name, self.arm(arm, path)) for name, arm in part.arms.items()]
        return node

    def switch(self, part: composites.Switch, path: Path) -> nodes.SwitchNode:
        """Arms by a value."""
        on = self.resolve(part.on, path)
        node: nodes.SwitchNode = self.add(
            nodes.SwitchNode,
            path,
            None,
            "",
            NO_FACTS,
            on,
            {},
            [],
            part.default is None,
            least=part.least,
        )
        if node.closed and not isinstance(on, nodes.Ref):
            raise self.fail(path, "a value that must have a case must be in a member")
        for value, arm in part.cases.items():
            node.cases[value] = self.arm(arm, path)
        node.default = self.arm(part.default or (), path)
        return node

    def region(self, part: composites.Region, path: Path) -> nodes.RegionNode:
        """Return the node of a bounded run of members."""
        check = part.checksum
        length = self.outside(part.length, path)
        expected = self.resolve(check.field, path, wide=True) if check else None
        summed = self.resolve(check.when, path) if check and check.when is not None else None
        own: tuple[Any, ...] = None, length, [], check.kind if check else None, expected, summed
        node: nodes.RegionNode = self.add(
            nodes.RegionNode, path, None, "", NO_FACTS, *own, least=part.least
        )
        node.prefix = self.prefix(part.length, path, "Length in bytes.")
        node.members = self.members(part.members, path)
        return node

    def message(self, part: protobuf.ProtoMessage, path: Path) -> nodes.MessageNode:
        """Return the node of a protobuf message; nested ones below their fields."""
        node: nodes.MessageNode = self.add(
            nodes.MessageNode, path, None, "", NO_FACTS, {}, _blank()
        )
        for number, each in part.fields.items():
            slot = bytes_and_text.Slot(each.slot) if each.slot else None
            own = (number, each.kind, each.repeated, None, slot)
            child: nodes.ProtoNode = self.add(
                nodes.ProtoNode, path, each.name, each.sentence, each.facts, *own
            )
            self.declare(child, path)
            if each.message:
                with self.record_scope():
                    child.message = self.message(each.message, child.path)
            node.fields[number] = child
        doc = "Fields that the schema does not know."
        node.unknown = self.add(nodes.Node, path, protobuf.UNKNOWN, doc, NO_FACTS)
        self.declare(node.unknown, path)
        return node

    def line(self, part: text_lines.TextLine, path: Path) -> nodes.LineNode:
        """Return the node of a control line."""
        node: nodes.LineNode = self.add(
            nodes.LineNode, path, None, "", NO_FACTS, part.verb, [], least=part.least
        )
        for each in part.arguments:
            own = (
                each.kind,
                each.optional,
                bytes_and_text.Slot(each.slot) if each.slot else None,
                each.mark,
            )
            child: nodes.ArgumentNode = self.add(
                nodes.ArgumentNode, path, each.name, each.sentence, each.facts, *own
            )
            self.declare(child, path, optional=each.optional or each.mark is not None)
            node.arguments.append(child)
        return node

    def headers(self, part: text_lines.Headers, path: Path) -> nodes.HeadersNode:
        """Return the node of a header block and its three named parts."""
        blanks = _blank(), _blank()
        node: nodes.HeadersNode = self.add(
            nodes.HeadersNode, path, None, part.sentence, NO_FACTS,
            part.version, *blanks, _blank(), least=part.least,
        )  # fmt: skip
        node.status = self.header(
            path, "status", "Status of the version line.", "number", part.facts
        )
        node.description = self.header(path, "description", "Text after the status.")
        own: tuple[Any, ...] = None, None, False, _blank(), None
        pairs: nodes.ListNode = self.add(
            nodes.ListNode, path, "headers", part.sentence, NO_FACTS, *own
        )
        self.declare(pairs, path)
        pair: nodes.RecordNode = self.add(
            nodes.RecordNode, pairs.path, None, "One header.", NO_FACTS, []
        )
        with self.record_scope():
            pair.members = [
                self.header(pairs.path, "key", "Name, letter case kept."),
                self.header(pairs.path, "value", "Value without the blanks around it."),
            ]
        pairs.item = pair
        node.headers = pairs
        return node

    def json_line(self, part: json_lines.JsonLine, path: Path) -> nodes.JsonLineNode:
        """Return the node of a text line with a JSON object."""
        node: nodes.JsonLineNode = self.add(
            nodes.JsonLineNode, path, None, "", NO_FACTS, part.verb, {}, _blank(), least=part.least
        )
        for each in part.members:
            child: nodes.ArgumentNode = self.add(
                nodes.ArgumentNode, path, each.name, each.sentence, each.facts,
                each.kind, each.optional, each.slot, each.mark,
            )  # fmt: skip
            self.declare(child, path, optional=True)
            node.fields[each.name] = child
        doc = "Members of the object that the schema does not know, or of another type."
        own: tuple[Any, ...] = None, None, False, _blank(), None
        node.other = self.add(nodes.ListNode, path, json_lines.OTHER, doc, part.other_facts, *own)
        self.declare(node.other, path, optional=True)
        pair: nodes.RecordNode = self.add(
            nodes.RecordNode, node.other.path, None, "One member.", NO_FACTS, []
        )
        with self.record_scope():
            pair.members = [
                self.header(node.other.path, "key", "Name of the member."),
                self.header(node.other.path, "value", "Its value, as JSON writes it."),
            ]
        node.other.item = pair
        return node

    def header(
        self, path: Path, name: str, doc: str, kind: str = "text", facts: FieldFacts = NO_FACTS
    ) -> nodes.ArgumentNode:
        """Return the node of a piece of a header block."""
        own = kind, True, None, None
        node: nodes.ArgumentNode = self.add(nodes.ArgumentNode, path, name, doc, facts, *own)
        self.declare(node, path, optional=True)
        return node
