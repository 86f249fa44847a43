"""What stands inside a field: riders and formats, found by the slots that they declare.

A schema names a slot; a `Rider` (a record in our words) or a `Format` (a value that describes
itself, read by native code) says which slots it fits and how sure it is on given bytes. Neither
knows the other. `cells` finds the slots of a decoded frame, unpacked where they are compressed;
`Body` decodes one when somebody looks, never before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from streamshark.frames.codecs import RAW, unpack
from streamshark.frames.record import Decoder
from streamshark.schema import nodes
from streamshark.schema.blobs import Slot
from streamshark.schema.composites import Record
from streamshark.schema.expressions import OPERATORS
from streamshark.schema.problems import Code, Problem
from streamshark.schema.walk import walk_word

MAX_DEPTH = 64
"""Most values inside values that a format reads; deeper is a problem (no format sets a limit)."""

ANY: Final = "*"
"""A slot's name that means every slot: for formats that are met in bodies of any protocol."""

Values = dict[str, Any]


class Decoded(NamedTuple):
    """What a rider or format makes of some bytes."""

    value: Any
    """A record of a rider; of a format numbers, text, bytes, None, lists, and maps as lists of
    `{"key", "value"}`, which keep order and duplicates."""
    problems: list[Problem]
    """Their offsets count from the first of these bytes; nodes are the rider's, or -1."""


@dataclass(frozen=True)
class Format:
    """A self-describing value, decoded by native code."""

    id: str
    """`json`, `amqp1`, `cbor`, ..."""
    slots: frozenset[str]
    decode: Callable[[bytes], Decoded]
    """Never raises; bounded by the bytes and by `MAX_DEPTH`."""
    sure: Callable[[bytes], int]
    """0 to 100: how sure it is that these bytes are one of its values; cheap."""
    title: str = ""
    """Its name for people."""
    card: str | None = None
    """What the manual says of it: document, reference implementation, versions, limits."""


@dataclass(frozen=True)
class Rider:
    """A record of ours that stands in another protocol's field."""

    id: str
    slots: frozenset[str]
    record: Record
    sure: Callable[[bytes], int] = field(default=lambda _: 50)

    @cached_property
    def decoder(self) -> Decoder:
        """The record decoder, made on first use."""
        return Decoder(walk_word(self.record, self.id))

    def decode(self, data: bytes) -> Decoded:
        """Values and problems of the bytes."""
        return Decoded(*self.decoder.read(data))


@dataclass(frozen=True)
class Body:
    """Bytes in a slot and what reads them, decoded on first use."""

    data: bytes
    reader: Format | Rider

    @cached_property
    def decoded(self) -> Decoded:
        """The value and what is wrong with it."""
        return self.reader.decode(self.data)


class Layers:
    """All riders and formats that a session knows, by slot."""

    def __init__(self, readers: Iterable[Format | Rider]) -> None:
        self._by_slot: dict[str, list[Format | Rider]] = {}
        for reader in readers:
            for slot in reader.slots:
                self._by_slot.setdefault(slot, []).append(reader)

    def body(self, slot: str, data: bytes, wanted: str | None = None) -> Body | None:
        """The bytes with the reader that is surest, or with the one that `wanted` names.

        None where nothing fits: the bytes stay bytes.
        """
        fitting = [*self._by_slot.get(slot, []), *self._by_slot.get(ANY, [])]
        if wanted is not None:
            fitting = [each for each in fitting if each.id == wanted]
            return Body(data, fitting[0]) if fitting else None
        ranked = [(each.sure(data), -index) for index, each in enumerate(fitting)]
        best = max(ranked, default=(0, 0))
        return Body(data, fitting[-best[1]]) if best[0] > 0 else None


# Slots of a frame


class Cell(NamedTuple):
    """The bytes of one slot."""

    node: int
    """Id of the node that declares the slot."""
    slot: str
    data: bytes
    """Unpacked, if they were compressed and could be."""
    packed: str
    """The codec that they were packed by, `none` if by none."""
    problem: str | None
    """What is wrong with the compression; the bytes are then as they were on the wire."""


def cells(tree: nodes.Tree, values: Values) -> Iterator[Cell]:
    """The slots of a decoded frame or rider, in wire order, absent and null ones left out."""
    yield from _Seeker().members(tree.root.members, values)


def told(cell: Cell) -> Problem | None:
    """The problem of a cell, for those who show a frame; its place is the node's."""
    if cell.problem is None:
        return None
    return Problem(Code.CODEC, cell.node, 0, 0, cell.problem)


def _named(members: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """The nodes that have a name in the record which these members are of."""
    for node in members:
        if node.name is None or isinstance(node, nodes.FitsNode):
            yield from _named(nodes.children(node))
        else:
            yield node


class _Seeker:
    """Walks values along the nodes, knowing what expressions may refer to."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}
        """`Node.value` to the latest value."""

    def members(self, members: list[nodes.Node], record: Values) -> Iterator[Cell]:
        """The slots of one record; of a name that stands in several arms, the first."""
        done: set[int] = set()
        for node in _named(members):
            if node.value not in done and node.name is not None:
                done.add(node.value)
                self.known[node.value] = record.get(node.name)
                if record.get(node.name) is not None:
                    yield from self.value(node, record[node.name])

    def value(self, node: nodes.Node, value: Any) -> Iterator[Cell]:  # noqa: ANN401 - any value
        """The slots in one value."""
        match node:
            case nodes.RecordNode():
                yield from self.members(node.members, value)
            case nodes.ListNode():
                for item in value:
                    yield from self.value(node.item, item)
            case nodes.ProtoNode() if node.message:
                for each in value if node.repeated else [value]:
                    yield from self.members([node.message], each)
            case nodes.ProtoNode() | nodes.ArgumentNode() if node.slot:
                for each in value if isinstance(value, list) else [value]:
                    yield self.cell(node, node.slot, each)
            case nodes.BlobNode() if node.slot:
                yield self.cell(node, node.slot, value)

    def cell(self, node: nodes.Node, slot: Slot, value: str | bytes) -> Cell:
        """The bytes of one slot."""
        data = value.encode() if isinstance(value, str) else value
        codec = self.codec(node)
        if codec == RAW or not isinstance(node, nodes.BlobNode):
            return Cell(node.id, slot.name, data, RAW, None)
        size = None if node.unpacked is None else self.evaluate(node.unpacked)
        unpacked = unpack(codec, data, size=size, cap=slot.cap)
        kept = data if unpacked.data is None else unpacked.data
        return Cell(node.id, slot.name, kept, codec, unpacked.problem)

    def codec(self, node: nodes.Node) -> str:
        """Name of the codec: what the number's own field calls it."""
        expr = node.codec if isinstance(node, nodes.BlobNode) else None
        if expr is None:
            return RAW
        number = self.evaluate(expr)
        names: Mapping[int, str] = {0: RAW}
        if isinstance(expr, nodes.Ref) and expr.node.facts.names:
            names = expr.node.facts.names
        return names.get(number, str(number))

    def evaluate(self, expr: nodes.Expr) -> int:
        """The value of an expression over what is known."""
        match expr:
            case nodes.Const():
                return expr.value
            case nodes.Ref():
                return self.known.get(expr.node.value) or 0
            case nodes.Len():
                return len(self.known.get(expr.node.value) or b"")
            case nodes.Sum():
                items = self.known.get(expr.node.value) or ()
                return sum(each.get(expr.member.name, expr.absent) for each in items)
            case nodes.Op():
                left, right = self.evaluate(expr.left), self.evaluate(expr.right)
                return int(OPERATORS[expr.symbol](left, right))
            case nodes.In():
                return int(self.evaluate(expr.of) in expr.values)
