"""What is inside a field: embedded records and formats, found by the slots that they declare.

A schema names a slot; a `EmbeddedRecord` (a record in our words) or a `Format` (a value that
describes itself, read by native code) says which slots it fits, which types it is of and how sure
it is on given bytes. Neither knows the other. A type that a member or the connection says chooses
before sureness does. `cells` finds the slots of a decoded frame, unpacked where they are
compressed; `Payload` decodes one when somebody looks, never before; `PayloadReaders.problems` says
what is wrong in all of a frame's slots, and where.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from functools import cached_property
from typing import Any, Final, NamedTuple

from streamshark.decoding.decoder import Decoder
from streamshark.light_dataclass import record
from streamshark.schema import nodes
from streamshark.schema.bytes_and_text import RAW, Slot
from streamshark.schema.composites import Record
from streamshark.schema.expressions import OPERATORS
from streamshark.schema.problems import Problem, ProblemCode
from streamshark.schema.secrets import is_hidden, is_secret_type
from streamshark.schema.walk import walk_word

MAX_DEPTH = 64
"""Most values inside values that a format reads; deeper is a problem (no format sets a limit)."""

ANY: Final = "*"
"""A slot's name that means every slot: for formats that occur in bodies of any protocol."""

MOST_EMBEDDED: Final = 8
"""Most embedded records inside embedded records that are read; what is deeper stays bytes."""

MOST_UNPACKED: Final = 64 * 1024 * 1024
"""Most bytes that the slots of one record are unpacked to, all together: as one slot may be."""
MOST_PROBLEMS: Final = 1000
"""About so many problems in the slots of one frame are noted."""
ONLY_IF_DECLARED: Final = -1
"""How sure a reader is of bytes that it reads only where they are said to be of its type."""
CERTAIN: Final = 100
"""Confidence at which no further reader is tried."""

Values = dict[str, Any]
Agreed = Mapping[str, Any]
"""What a connection agreed, by the name of the `Agreement`."""
NOTHING: Final[Agreed] = {}
"""Where nothing is known of a connection."""


class DecodedPayload(NamedTuple):
    """What an embedded record or format makes of some bytes."""

    value: Any
    """A record of an embedded record, or the list that represents it. Of a format numbers, text,
    None, lists, records, and bytes, which may be in a format again. Maps are lists of `{"key",
    "value"}`, which keep order and duplicates, but for those of formats whose names are unique
    text."""
    problems: list[Problem]
    """Their offsets count from the first of these bytes; nodes are the embedded record's, or -1."""


class LeafKind(Enum):
    """What kind of value a leaf is."""

    TEXT = "text in UTF-8"
    BYTES = "bytes of any meaning"
    NUMBER = "a binary number of four or more bytes"
    DECIMAL = "a number in digits"
    QUOTED = "the inside of a string of JSON, with its escapes"
    REST = "bytes that cannot be read as values"


class Leaf(NamedTuple):
    """The bytes of one value in a body that hold no other values, without type and length."""

    kind: LeafKind
    start: int
    end: int


@record
class FormatField:
    """A field of the values of a format, as display filters name it."""

    name: str
    """Below the id of the format: `properties.subject`."""
    kind: str
    """Form of a value: `int`, `bool`, `double`, `text`, `bytes`; `none` if it is only present."""
    doc: str
    values: Callable[[Any], Iterable[Any]]
    """Gets all occurrences from a decoded value; never raises."""
    bits: int = 0
    """Width of an `int`: 8, 16, 32 or 64."""
    signed: bool = False


@record(slots=False)
class Format:
    """A self-describing value, decoded by native code."""

    id: str
    """`json`, `amqp1`, `cbor`, ..."""
    slots: frozenset[str]
    decode: Callable[[bytes], DecodedPayload]
    """Never raises; bounded by the bytes and by `MAX_DEPTH`."""
    sure: Callable[[bytes], int]
    """0 to 100: how sure it is that these bytes are one of its values; cheap. `SAID_ONLY` where it
    reads them if they are said to be of its type."""
    encode: Callable[[Any], bytes | None] | None = None
    """Writes a value, None for one that it cannot have; None for a format of whose values the bytes
    do not follow."""
    title: str = ""
    """Its name for people."""
    card: str | None = None
    """What the manual says of it: document, reference implementation, versions, limits."""
    types: frozenset[str] = frozenset()
    """Types that name it (MIME types): it reads what it is sure of before others. Case makes no
    difference."""
    fields: Callable[[], tuple[FormatField, ...]] | None = None
    """Returns the fields that display filters may name; None if it has none."""
    leaves: Callable[[bytes], list[Leaf]] | None = None
    """Returns where the values are, in the order of the bytes; never raises. None if not known."""


@record(slots=False)
class EmbeddedRecord:
    """A record of ours that is in another protocol's field."""

    id: str
    slots: frozenset[str]
    record: Record
    sure: Callable[[bytes], int] = field(default=lambda _: 50)
    whole: str | None = None
    """The one list of the record that represents all of it where it is shown."""
    types: frozenset[str] = frozenset()
    """Types that name it (MIME types, paths of calls): it reads what is said to be one of them, and
    nothing that is said to be of another type. Case makes no difference."""
    shows: str = ""
    """Template of what the line of a frame shows of it (`schema.info_template`)."""

    @cached_property
    def decoder(self) -> Decoder:
        """The record decoder, made on first use."""
        return Decoder(walk_word(self.record, self.id))

    @cached_property
    def names(self) -> Mapping[str, nodes.Node]:
        """The full names of its fields, with a node of each."""
        tree, found = self.decoder.tree, dict[str, nodes.Node]()
        for node in tree.named():
            found.setdefault(tree.name(node), node)
        return found

    def decode(self, data: bytes) -> DecodedPayload:
        """Values and problems of the bytes."""
        value, problems = self.decoder.read(data)
        return DecodedPayload(value if self.whole is None else value.get(self.whole, []), problems)

    def record_of(self, value: Any) -> Values:  # noqa: ANN401 - what `decode` gives
        """Return the record, or the one that a list represents."""
        return value if self.whole is None else {self.whole: value}


@record(slots=False)
class Payload:
    """Bytes in a slot and what reads them, decoded on first use."""

    data: bytes
    reader: Format | EmbeddedRecord

    @cached_property
    def decoded(self) -> DecodedPayload:
        """The value and what is wrong with it."""
        return self.reader.decode(self.data)


class PayloadReaders:
    """All embedded records and formats that a session knows, by slot."""

    def __init__(self, readers: Iterable[Format | EmbeddedRecord]) -> None:
        self._given = readers
        """Asked for when a slot is first read: protocols import their embedded records then."""

    @cached_property
    def readers(self) -> tuple[Format | EmbeddedRecord, ...]:
        """All of them."""
        return tuple(self._given)

    @cached_property
    def _by_slot(self) -> dict[str, list[Format | EmbeddedRecord]]:
        slots = [ANY, *(slot for reader in self.readers for slot in reader.slots)]
        return {
            slot: [each for each in self.readers if each.slots & {slot, ANY}]
            for slot in dict.fromkeys(slots)
        }

    @cached_property
    def _types(self) -> dict[str, frozenset[str]]:
        return {each.id: frozenset(map(str.lower, each.types)) for each in self.readers}

    def of(self, slot: str) -> list[Format | EmbeddedRecord]:
        """Return the readers that name the slot, which those that fit everywhere do not."""
        return [each for each in self.readers if slot in each.slots]

    def embedded_records_of(self, slot: str) -> list[EmbeddedRecord]:
        """Return the records that may be in a slot."""
        return [each for each in self._by_slot.get(slot, ()) if isinstance(each, EmbeddedRecord)]

    def body(
        self, slot: str, data: bytes, wanted: str | None = None, declared: str | None = None
    ) -> Payload | None:
        """Return the bytes with the most confident reader, or with the one that `wanted` names.

        `said` is the type that the bytes are said to be of, in lower case. None where nothing fits:
        the bytes stay bytes.
        """
        if is_hidden(data):
            return None
        fitting = self._by_slot.get(slot) or self._by_slot[ANY]
        if wanted is not None:
            fitting = [each for each in fitting if each.id == wanted]
            return Payload(data, fitting[0]) if fitting else None
        if declared is not None:
            kinds = (declared, suffix_of(declared))
            for each in fitting:
                if not self._types[each.id].isdisjoint(kinds) and (
                    isinstance(each, EmbeddedRecord) or each.sure(data)
                ):
                    return Payload(data, each)
            fitting = [each for each in fitting if isinstance(each, Format) or not each.types]
        surest, best = None, 0
        for each in fitting:
            if (sure := each.sure(data)) > best:
                surest, best = each, sure
                if sure >= CERTAIN:
                    break
        return Payload(data, surest) if surest else None

    def problems(
        self,
        decoder: Decoder,
        data: bytes,
        values: Values,
        agreed: Agreed = NOTHING,
        depth: int = 1,
    ) -> list[Problem]:
        """Return the problems inside the slots of a frame, without the frame's own.

        Nodes are those that declare the slots. Offsets count from the frame's first byte; what is
        packed has no offset in the frame, so there the whole slot is meant. `depth` is 1 for a
        frame, one more for each embedded record around.
        """
        out: list[Problem] = []
        places: dict[int, list[tuple[int, int]]] | None = None
        seen: Counter[int] = Counter()
        for cell in cells(decoder.tree, values, agreed):
            index = seen[cell.node]
            seen[cell.node] += 1
            found = self.faults(cell, agreed, depth)
            if found:
                places = _places(decoder, data) if places is None else places
                place = places[cell.node][index]
                out += [_placed(each, cell, *place) for each in found]
            if len(out) > MOST_PROBLEMS:
                break
        return out

    def faults(self, cell: "SlotBytes", agreed: Agreed = NOTHING, depth: int = 1) -> list[Problem]:
        """Return the problems of one slot; offsets count from its first unpacked byte."""
        problem = codec_problem(cell)
        out = [] if problem is None else [problem]
        if problem and problem.code is ProblemCode.CODEC:
            return out
        body = self.body(cell.slot, cell.data, declared=cell.declared)
        if body is None or too_deep(body, depth):
            return out
        value, problems = body.decoded
        if isinstance(body.reader, EmbeddedRecord):
            if cell.holds is not None and isinstance(value, list) and len(value) != cell.holds:
                differ = f"{cell.holds} items announced, {len(value)} present"
                out.append(Problem(ProblemCode.COUNT, cell.node, 0, 0, differ))
            record = body.reader.record_of(value)
            inner = self.problems(body.reader.decoder, cell.data, record, agreed, depth + 1)
            problems = problems + inner
        return out + [each._replace(node=-1) for each in problems]

    def problems_of_whole(
        self, tree: nodes.Tree, parts: Values, agreed: Agreed = NOTHING
    ) -> list[Problem]:
        """Return the problems in the slots of a reassembled frame.

        Nodes are those of the last fragment, in which it has no place: offset and length are 0.
        """
        out: list[Problem] = []
        for cell in cells(tree, parts, agreed):
            name = tree.nodes[cell.node].name
            for each in self.faults(cell, agreed):
                message = f"{each.message} (at byte {each.offset} of the reassembled {name})"
                out.append(Problem(each.code, cell.node, 0, 0, message))
        return out

    def embedded_records(
        self, cell: "SlotBytes", agreed: Agreed = NOTHING, depth: int = 1
    ) -> Iterator[tuple[EmbeddedRecord, Any]]:
        """Yield the embedded records of a slot and of those in them, each with its value."""
        body = self.body(cell.slot, cell.data, declared=cell.declared)
        if body is None or not isinstance(body.reader, EmbeddedRecord) or too_deep(body, depth):
            return
        embedded, value = body.reader, body.decoded.value
        yield embedded, value
        for each in cells(embedded.decoder.tree, embedded.record_of(value), agreed):
            yield from self.embedded_records(each, agreed, depth + 1)


# Slots of a frame


class SlotBytes(NamedTuple):
    """The bytes of one slot."""

    node: int
    """Id of the node that declares the slot."""
    slot: str
    data: bytes
    """Unpacked, if they were compressed and could be."""
    packed: str
    """The codec that they were packed by, `none` if by none."""
    problem: str | None
    """What is wrong with the compression. Where `unpacked` is None the bytes are as on the wire."""
    unpacked: int | None = None
    """Bytes that came out of the codec; None where nothing did."""
    holds: int | None = None
    """Items that the slot is said to hold."""
    declared: str | None = None
    """Type that the bytes are said to be of: lower case, without parameters; empty for a number
    that has no name, None if unknown."""


def cells(
    tree: nodes.Tree, values: Values, agreed: Agreed = NOTHING, *, unpacks: bool = True
) -> Iterator[SlotBytes]:
    """Yield the slots of a decoded frame or embedded record, in wire order, without null ones.

    Without `unpacks` what is packed stays so.
    """
    yield from _Seeker(agreed, unpacks=unpacks).members(tree.root.members, values)


def veiled(slot: Slot, declared: str | None) -> bool:
    """Whether bytes of this type may hold a secret, so they are not shown undecoded."""
    if not slot.veiled:
        return declared is not None and declared != "" and is_secret_type(declared)
    return declared is None or declared in slot.veiled or is_secret_type(declared)


def plain_type(text: str) -> str:
    """Return a type as readers name it: lower case, without parameters.

    >>> plain_type("Application/JSON; charset=utf-8")
    'application/json'
    """
    return text.partition(";")[0].strip().lower()


def too_deep(body: Payload, depth: int) -> bool:
    """Whether a body is nested too deeply in embedded records to be read."""
    return depth > MOST_EMBEDDED and isinstance(body.reader, EmbeddedRecord)


def declared_type(node: nodes.Node, value: Any) -> str | None:  # noqa: ANN401 - any value
    """Return the type that a member declares, as readers name it; empty for an unnamed number."""
    if isinstance(value, int):
        value = node.facts.name_of(value) or ""
    return plain_type(value) if isinstance(value, str) else None


def declared_types(embedded: EmbeddedRecord, value: Any) -> list[str]:  # noqa: ANN401 - what `decode` gives
    """All types that the value of an embedded record says, in their order."""
    known = {
        node.name: node
        for node in embedded.decoder.tree.nodes
        if node.facts.names or (isinstance(node, nodes.BlobNode) and node.encoding)
    }
    records = [value] if embedded.whole is None else value
    declared = (
        declared_type(known[name], record[name])
        for record in records
        for name in record.keys() & known
    )
    return [each for each in declared if each is not None]


def suffix_of(text: str) -> str | None:
    """Return the structured-syntax suffix of a type (RFC 6838, 4.2.8); None without one.

    >>> suffix_of("application/problem+json")
    'application/json'
    """
    _, plus, suffix = text.rpartition("+")
    return f"application/{suffix}" if plus else None


def never(_data: bytes) -> int:
    """How sure a reader is that only reads what is said to be of its type."""
    return 0


def codec_problem(cell: SlotBytes) -> Problem | None:
    """Return the problem of a slot's codec, at the slot's node."""
    if cell.problem is None:
        return None
    code = ProblemCode.CODEC if cell.unpacked is None else ProblemCode.CLAIM
    return Problem(code, cell.node, 0, len(cell.data), cell.problem)


def opened(node: nodes.BlobNode, record: Values, agreed: Agreed = NOTHING) -> SlotBytes:
    """One slot of a record whose other members say how it is packed, of which type it is, ...."""
    seeker = _Seeker(agreed)
    for each in node.types:
        seeker.known[each.value] = record.get(each.name or "")
    for expr in (node.codec, node.unpacked, node.holds):
        for each in referred(expr):
            seeker.known[each.value] = record.get(each.name or "")
    if node.slot is None:
        raise TypeError(node.path)
    return seeker.cell(node, node.slot, record[node.name or ""])


def referred(expr: nodes.Expr | None) -> Iterator[nodes.Node]:
    """Yield the nodes that an expression refers to."""
    match expr:
        case nodes.Ref() | nodes.Len() | nodes.Sum():
            yield expr.node
        case nodes.Operation():
            yield from referred(expr.left)
            yield from referred(expr.right)
        case nodes.In():
            yield from referred(expr.of)


def _places(decoder: Decoder, data: bytes) -> dict[int, list[tuple[int, int]]]:
    """Node to start and end of each of its values that are not null, in wire order."""
    out: dict[int, list[tuple[int, int]]] = {}
    for node, start, end, value in decoder.examine(data).ranges:
        if value is not None:
            out.setdefault(node, []).append((start, end))
    return out


def _placed(problem: Problem, cell: SlotBytes, start: int, end: int) -> Problem:
    """Return a problem inside a slot as a problem of the frame."""
    own = problem.node == cell.node
    if cell.packed != RAW or own:
        offset, length, message = start, end - start, problem.message
        if not own and problem.offset:
            message = f"{message} (at byte {problem.offset} of the unpacked data)"
    else:
        offset, length = end - len(cell.data) + problem.offset, problem.length
        message = problem.message
    return Problem(problem.code, cell.node, offset, length, message)


def _named(members: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield the nodes with a name in the record of these members."""
    for node in members:
        if node.name is None:
            yield from _named(nodes.children(node))
        else:
            yield node


class _Seeker:
    """Walks values along the nodes, knowing what expressions may refer to."""

    def __init__(self, agreed: Agreed, *, unpacks: bool = True) -> None:
        self.agreed = agreed
        self.unpacks = unpacks
        self.known: dict[int, Any] = {}
        """`Node.value` to the latest value."""
        self.left = MOST_UNPACKED
        """Bytes to which slots may still be unpacked."""

    def members(self, members: list[nodes.Node], record: Values) -> Iterator[SlotBytes]:
        """Yield the slots of one record; if several arms have a name, the first of it."""
        done: set[int] = set()
        for node in _named(members):
            if node.value not in done and node.name is not None:
                done.add(node.value)
                self.known[node.value] = record.get(node.name)
                if record.get(node.name) is not None:
                    yield from self.value(node, record[node.name])

    def value(self, node: nodes.Node, value: Any) -> Iterator[SlotBytes]:  # noqa: ANN401 - any value
        """Yield the slots in one value."""
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

    def cell(self, node: nodes.Node, slot: Slot, value: str | bytes) -> SlotBytes:
        """Return the bytes of one slot."""
        data = value.encode() if isinstance(value, str) else value
        if not isinstance(node, nodes.BlobNode):
            return SlotBytes(node.id, slot.name, data, RAW, None)
        declared = self.declared(node, slot)
        if node.codec is None:
            return SlotBytes(node.id, slot.name, data, RAW, None, declared=declared)
        from streamshark.decoding.codecs import unpack  # noqa: PLC0415 - only what is packed loads it

        codec = self.codec(node)
        if codec != RAW and not self.unpacks:
            return SlotBytes(node.id, slot.name, data, codec, None, declared=declared)
        size = None if node.unpacked is None else self.evaluate(node.unpacked)
        count = None if node.holds is None else self.evaluate(node.holds)
        made, problem = unpack(codec, data, size=size, cap=min(slot.cap, self.left))
        if made is None:
            if self.left < slot.cap and problem is not None:
                problem = f"{problem}: all slots together may hold {MOST_UNPACKED} unpacked bytes"
            return SlotBytes(node.id, slot.name, data, codec, problem, None, count, declared)
        if codec != RAW:
            self.left -= len(made)
        return SlotBytes(node.id, slot.name, made, codec, problem, len(made), count, declared)

    def declared(self, node: nodes.BlobNode, slot: Slot) -> str | None:
        """Return the declared type of the bytes of a slot."""
        for each in node.types:
            declared = declared_type(each, self.known.get(each.value))
            if declared is not None:
                return declared
        value = self.agreed.get(slot.agreed) if slot.agreed else None
        return plain_type(value) if isinstance(value, str) else None

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
        """Evaluate an expression over known values."""
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
            case nodes.Operation():
                left, right = self.evaluate(expr.left), self.evaluate(expr.right)
                return int(OPERATORS[expr.symbol](left, right))
            case nodes.In():
                return int(self.evaluate(expr.of) in expr.values)
