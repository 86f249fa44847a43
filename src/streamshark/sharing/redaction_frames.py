"""Replace values in the bytes of frames, by the roles and slots of their schemas."""

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from streamshark.decoding.amending import with_sums
from streamshark.decoding.code_printer import UNDECODED
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import (
    Agreed,
    EmbeddedRecord,
    Format,
    Payload,
    PayloadReaders,
    SlotBytes,
    Values,
    cells,
    opened,
    too_deep,
)
from streamshark.decoding.runtime import Range
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.framing.wire_format import Selector
from streamshark.schema import Head, Problem, ProblemCode, nodes
from streamshark.schema.bytes_and_text import RAW
from streamshark.schema.syntax import Syntax
from streamshark.sharing.policy import Policy
from streamshark.sharing.redaction_bodies import BodyRedaction, names_in, respelled
from streamshark.sharing.redaction_packing import packed
from streamshark.sharing.redaction_text import Replacements, blanked

if TYPE_CHECKING:
    from collections.abc import Callable

KEEP, NAME, TEXT, SECRET, BODY = "keep", "name", "text", "secret", "body"
"""What becomes of a value: it stays, is replaced word by word, as a sentence, or as a whole."""
_KEPT_ROLES: Final = frozenset({"keyword", "product", "identifies", "response_code", "port"})
_NAMES: Final = frozenset(
    {"user", "stream", "reference", "host", "server_host", "client_host", "address", "chance",
     "correlates"}
)  # fmt: skip
_SCRAM: Final = re.compile(rb"(?<![^,])([a-z])=([^,]*)")
"""An attribute of SCRAM."""
_VERB: Final = re.compile(rb"[A-Za-z+-]{1,12}(?=[\s]|\Z)")


_LENGTHS: Final = frozenset(
    {ProblemCode.SHORT, ProblemCode.NEGATIVE, ProblemCode.NULL, ProblemCode.LIMIT}
)
"""Codes of problems of lengths and counts."""
_LETTERS: Final = re.compile(rb"[A-Za-z]{3}")
"""What numbers seldom have."""
_STEPS: Final = 32
"""Parts of a body that are blanked one after the other, until it is packed to its size."""
_LARGEST: Final = 8
"""Bytes of the largest of them."""


class ChangedBytes(NamedTuple):
    """New bytes at a place in a value."""

    start: int
    data: bytes


class _RedactionPlan:
    """What becomes of the nodes of a tree."""

    def __init__(self, tree: nodes.Tree, policy: Policy) -> None:
        self.tree = tree
        self.secrets = nodes.secrets(tree)
        self.slots = {each.id: slot for each in tree.nodes if (slot := getattr(each, "slot", None))}
        pairs = list(nodes.pairs(tree))
        self.names = frozenset(name.id for name, _ in pairs)
        self.values = frozenset(value.id for _, value in pairs)
        self.unknown = frozenset(
            each.unknown.id for each in tree.nodes if isinstance(each, nodes.MessageNode)
        )
        json = [each for each in tree.nodes if isinstance(each, nodes.JsonLineNode)]
        self.members = {node.id for each in json for node in each.fields.values()}
        """Members of JSON."""
        self.written = {node.id for each in json for node in nodes.children(each.other.item)}
        self.written |= {
            node.id for each in json for node in each.fields.values() if node.kind == "json"
        }
        """Nodes whose values are the source text of JSON."""
        self.lines = {
            each.id: _words_of(each)
            for each in tree.nodes
            if isinstance(each, nodes.LineNode | nodes.HeadersNode | nodes.JsonLineNode)
        }
        """Lines, whose anonymous bytes may be what could not be read, with their own words."""
        self.kinds = {each.id: self._kind(each, policy) for each in tree.nodes}
        self.sums = any(
            isinstance(each, nodes.RegionNode) and each.checksum is not None for each in tree.nodes
        )

    def _kind(self, node: nodes.Node, policy: Policy) -> str:
        roles = set((node.facts.role or "").split())
        kept = policy.keep
        if node.id in self.secrets:
            return KEEP if SECRET in kept else SECRET
        if roles & kept or roles & _KEPT_ROLES:
            return KEEP
        if "text" in roles:
            return TEXT
        is_bytes = isinstance(node, nodes.BlobNode) and node.encoding in (None, "uuid")
        if isinstance(node, nodes.BlobNode) and node.encoding == "uuid":
            return KEEP
        if isinstance(node, nodes.ProtoNode) and node.kind == "bytes":
            is_bytes = True
        kind = BODY if is_bytes or "body" in roles else NAME
        return KEEP if kind in kept and not roles & _NAMES else kind

    def cells(self, values: Values, agreed: Agreed) -> dict[int, list[SlotBytes]]:
        """Return the contents of slots, by node."""
        found: dict[int, list[SlotBytes]] = {}
        for cell in cells(self.tree, values, agreed) if self.slots else ():
            found.setdefault(cell.node, []).append(cell)
        return found


def _words_of(node: nodes.Node) -> frozenset[str]:
    """Return the words that the protocol writes in a line."""
    if isinstance(node, nodes.JsonLineNode):
        return frozenset(re.findall(r"[a-z0-9]+", " ".join((node.verb, *node.fields)).lower()))
    if isinstance(node, nodes.LineNode):
        return frozenset(re.findall(r"\w+", node.verb.lower()))
    return frozenset({"nats", "1", "0"})


class _Place(NamedTuple):
    """A frame or record while its values are replaced."""

    plan: _RedactionPlan
    data: bytes
    cells: dict[int, list[SlotBytes]]
    """Contents of slots by node; those before the present value are removed."""
    piece: int
    """As `FrameRow.piece`."""
    depth: int


class FrameRedaction:
    """The redaction of frames under one policy."""

    def __init__(
        self,
        layers: PayloadReaders,
        replacements: Replacements,
        policy: Policy,
        syntaxes: tuple[Syntax, ...],
        foreign: tuple[bytes, ...],
    ) -> None:
        self.layers = layers
        self.replacements = replacements
        self.policy = policy
        self._foreign = foreign
        self._plans: dict[Decoder, _RedactionPlan] = {}
        self._keys: dict[str, str] = {}
        for each in syntaxes:
            self._keys |= each.keys
        members = frozenset().union(*(each.members for each in syntaxes))
        self._control = [each.control for each in syntaxes if each.control is not None]
        self.control_slots = frozenset().union(*(each.control_slots for each in syntaxes))
        self._starts = [each.bodies for each in syntaxes if each.bodies is not None]
        self._bodies = BodyRedaction(replacements, members)
        self._blank = BodyRedaction(replacements, members, is_blank=True)
        self.blanked: dict[str, int] = {}
        """Codec to the number of packed bodies that could only be blanked."""

    def frame(self, row: FrameRow, *, is_blank: bool = False) -> bytes:
        """Return the bytes of a frame with other values; `is_blank`: with bodies of X alone."""
        if row.decoder is None:
            return self._unread(row)
        is_control = any(each.search(row.data) for each in self._control)
        walk = _Walk(self, row.agreed, is_control=is_control, is_blank=is_blank)
        return walk.record(row.decoder, row.data, piece=row.piece, depth=1)

    def cut(self, event: EventRow, data: bytes) -> bytes:
        """Return the bytes that are there of a frame that the end of the stream cuts."""
        table = event.connection.table
        measured = table.measure(data, 0, len(data))
        found = table.decoders.get(Selector(*measured[1:]), []) if measured is not None else []
        if not found:
            return self.fill(data)
        own = [each for each in found if each.tree.schema.sender.value == event.sender]
        walk = _Walk(self, event.connection.agreed, is_control=False)
        return walk.record((own or found)[0], data, piece=1, depth=1)

    def part(self, row: FrameRow, name: str, data: bytes) -> bytes | None:
        """Return a reassembled part of a fragmented frame with other values."""
        node = row.decoder.tree.find(name) if row.decoder is not None else None
        if not isinstance(node, nodes.BlobNode) or node.slot is None or not data:
            return None
        walk = _Walk(self, row.agreed, is_control=False)
        return walk.slot(opened(node, {name: data}, row.agreed), data, depth=1)

    def plan(self, decoder: Decoder) -> _RedactionPlan:
        """Return what becomes of the nodes of a decoder."""
        plan = self._plans.get(decoder)
        if plan is None:
            plan = self._plans[decoder] = _RedactionPlan(decoder.tree, self.policy)
        return plan

    def role_of(self, name: str) -> str | None:
        """Return the role of the value that has a name; None if no protocol knows the name."""
        plain = name.lower()
        found = self._keys.get(plain)
        if found is not None:
            return found
        for known, role in self._keys.items():
            if "*" in known and re.fullmatch(re.escape(known).replace(r"\*", ".*"), plain):
                return role
        return None

    def opaque(self, data: bytes) -> bytes:
        """Return bytes without meaning in place of others."""
        return self._bodies.opaque(data)

    def sentence(self, data: bytes) -> bytes:
        """Return a text for people with its names replaced."""
        return names_in(data, self.replacements.sentence)

    def bodies(self, *, is_blank: bool) -> BodyRedaction:
        """Return the replacements of bodies."""
        return self._blank if is_blank else self._bodies

    def body_start(self, data: bytes) -> int:
        """Return how many of the first bytes of a body are a protocol's word."""
        return max((found.end() for each in self._starts if (found := each.match(data))), default=0)

    def fill(self, data: bytes) -> bytes:
        """Return bytes that say nothing; the mark of another protocol at their start stays."""
        mark = max((each for each in self._foreign if data.startswith(each)), key=len, default=b"")
        return mark + blanked(data[len(mark) :])

    def _unread(self, row: FrameRow) -> bytes:
        """Return a frame without a schema: its head stays."""
        head = row.connection.table.head
        if row.selector is None:
            return self.fill(row.data)
        if isinstance(head, Head):
            return row.data[: head.least] + blanked(row.data[head.least :])
        verb = _VERB.match(row.data)
        size = verb.end() if verb else 0
        return row.data[:size] + blanked(row.data[size:])


class _Walk:
    """One frame, and the records in it."""

    def __init__(
        self, redaction: FrameRedaction, agreed: Agreed, *, is_control: bool, is_blank: bool = False
    ) -> None:
        self._redaction = redaction
        self._replacements = redaction.replacements
        self._bodies = redaction.bodies(is_blank=is_blank)
        self._agreed = agreed
        self._is_control = is_control
        self._is_blank = is_blank

    def record(self, decoder: Decoder, data: bytes, *, piece: int = 0, depth: int) -> bytes:
        """Return the bytes of a frame or an embedded record with other values."""
        plan = self._redaction.plan(decoder)
        examined = decoder.examine(data)
        at = _Place(plan, data, plan.cells(examined.values, self._agreed), piece, depth)
        out, key = bytearray(data), ""
        for each in examined.ranges:
            node_id, start, end, value = each
            if node_id in plan.names:
                key = value if isinstance(value, str) else ""
            if node_id == UNDECODED:
                kept = start + _announced(examined.problems, start)
                out[kept:end] = blanked(data[kept:end])
            elif end > start and (made := self._changed(at, each, key)) is not None:
                out[start + made.start : start + made.start + len(made.data)] = made.data
        made_bytes = bytes(out[: len(data)])
        if any(each.code.stops for each in examined.problems):
            made_bytes = self._without_words(decoder, made_bytes)
        return with_sums(decoder, made_bytes, examined.problems) if plan.sums else made_bytes

    def _without_words(self, decoder: Decoder, data: bytes) -> bytes:
        """Replace numbers of a malformed frame that are letters: a wrong length may cover text."""
        out = bytearray(data)
        examined = decoder.examine(data)
        for node_id, start, end, value in examined.ranges:
            part = data[start:end]
            if isinstance(value, int) and node_id >= 0 and _LETTERS.search(part):
                out[start:end] = self._bodies.opaque(part)
        faults = [(each.code, each.offset) for each in examined.problems]
        after = [(each.code, each.offset) for each in decoder.examine(bytes(out)).problems]
        return bytes(out) if after == faults else data

    def _changed(self, at: _Place, each: Range, key: str) -> ChangedBytes | None:
        """Return the new bytes of a range; None if it stays."""
        node_id, start, end, value = each
        plan, part = at.plan, at.data[start:end]
        if node_id in plan.unknown:
            return self._unknown(value, part)
        if value is None and node_id in plan.lines:
            return ChangedBytes(0, self._line(part, plan.lines[node_id]))
        if not isinstance(value, str | bytes):
            return None
        node = plan.tree.nodes[node_id]
        begin = _content(node, at.data, start, end)
        content = at.data[begin:end]
        cells = at.cells.get(node_id)
        cell = cells.pop(0) if cells else None
        kind = self._kind(plan, node_id, value, key)
        if kind == KEEP:
            return None
        if cell is None:
            made = self._value(plan, node, kind, content)
        else:
            is_piece = bool(at.piece)
            made = self._bodies.opaque(content) if is_piece else self.slot(cell, content, at.depth)
        return ChangedBytes(begin - start, made)

    def _unknown(self, value: object, part: bytes) -> ChangedBytes:
        """Return an unknown field of Protobuf: its length stays."""
        if isinstance(value, bytes):
            return ChangedBytes(len(part) - len(value), self._bodies.opaque(value))
        return ChangedBytes(0, self._replacements.varint(part))

    def _kind(self, plan: _RedactionPlan, node_id: int, value: str | bytes, key: str) -> str:
        """Return what becomes of a value, by the name that it has in a map, if any."""
        kind = plan.kinds[node_id]
        if node_id in plan.names and isinstance(value, str):
            return KEEP if self._redaction.role_of(value) is not None else kind
        role = self._redaction.role_of(key) if node_id in plan.values and kind != SECRET else None
        if role is None:
            return kind
        if role in _KEPT_ROLES or role in self._redaction.policy.keep:
            return KEEP
        return role if role in (TEXT, BODY) else NAME

    def _value(self, plan: _RedactionPlan, node: nodes.Node, kind: str, content: bytes) -> bytes:
        """Return a value with another in its place."""
        if node.id in plan.written:
            return self._written(content, is_secret=kind == SECRET)
        if kind == BODY:
            start = self._redaction.body_start(content)
            return content[:start] + self._bodies.opaque(content[start:])
        if kind == SECRET and node.id in plan.members:
            return respelled(content, self._secret_text)
        return self.secret(content) if kind == SECRET else self._text(plan, node, kind, content)

    def _text(self, plan: _RedactionPlan, node: nodes.Node, kind: str, content: bytes) -> bytes:
        """Return a name or a sentence with another in its place."""
        change: Callable[[str], str] = self._replacements.names
        if kind == TEXT:
            change = self._replacements.sentence
        if node.id in plan.members:
            return respelled(content, change)
        if isinstance(node, nodes.BlobNode) and node.encoding == "mutf-8" and b"\xed" in content:
            return self._replacements.letters(content)  # perhaps halves of characters
        return names_in(content, change)

    def _written(self, content: bytes, *, is_secret: bool) -> bytes:
        """Return the source text of JSON with other values."""
        change = self._secret_text if is_secret else self._bodies.control_text
        return re.sub(
            rb'"((?:[^"\\]|\\.)*)"',
            lambda found: b'"' + respelled(found[1], change) + b'"',
            content,
        )

    def _secret_text(self, text: str) -> str:
        return self.secret(text.encode("utf-8", "surrogateescape")).decode(
            "utf-8", "surrogateescape"
        )

    def secret(self, data: bytes) -> bytes:
        """Return a secret with another in its place; the names in SASL are replaced as names."""
        parts = data.split(b"\0")
        if len(parts) == 3:  # noqa: PLR2004 - PLAIN: on whose behalf, user, password
            names = [names_in(each, self._replacements.names) for each in parts[:2]]
            return b"\0".join([*names, self._bodies.opaque(parts[2])])
        if re.match(rb"(?:[nyp](?:=[^,]*)?,[^,]*,)?[a-z]=", data):
            return _SCRAM.sub(self._scram, data)
        return self._bodies.opaque(data)

    def _scram(self, found: re.Match[bytes]) -> bytes:
        """Return one attribute of SCRAM (RFC 5802, 5.1)."""
        name, value = found[1], found[2]
        if name in (b"n", b"a"):
            return name + b"=" + names_in(value, self._replacements.names)
        return found[0] if name == b"i" else name + b"=" + self._bodies.opaque(value)

    def _line(self, part: bytes, words: frozenset[str]) -> bytes:
        """Return what a line has besides its values: its own words stay."""
        if len(part) <= 1 or not part.strip():
            return part
        return names_in(part, lambda text: self._replacements.names(text, words))

    def slot(self, cell: SlotBytes, content: bytes, depth: int) -> bytes:
        """Return the bytes of a slot with other values."""
        inner = self._unpacked(cell, depth)
        if cell.packed == RAW or cell.unpacked is None:
            return inner if len(inner) == len(content) else blanked(content)
        made = packed(cell.packed, inner, len(content))
        if made is None:
            made = self._partly_blank(cell, inner, len(content), depth)
        if made is None:
            counts = self._redaction.blanked
            counts[cell.packed] = counts.get(cell.packed, 0) + 1
            return blanked(content)
        return made

    def _partly_blank(self, cell: SlotBytes, inner: bytes, size: int, depth: int) -> bytes | None:
        """Return a slot packed to a size, as much of it blanked as is needed; None if none fits."""
        blank = _Walk(self._redaction, self._agreed, is_control=False, is_blank=True)
        other = blank._unpacked(cell, depth)
        if len(other) != len(inner):
            return None
        for step in range(_STEPS, -1, -1):
            at = len(inner) * step // _STEPS
            made = packed(cell.packed, inner[:at] + other[at:], size)
            if made is not None:
                return made
        return None

    def _unpacked(self, cell: SlotBytes, depth: int) -> bytes:
        """Return the unpacked bytes of a slot with other values."""
        data = cell.data
        if cell.packed != RAW and cell.unpacked is None:
            return blanked(data)
        body = self._redaction.layers.body(cell.slot, data, declared=cell.declared)
        is_deep = body is not None and too_deep(body, depth)
        if body is not None and isinstance(body.reader, EmbeddedRecord) and not is_deep:
            return self.record(body.reader.decoder, data, depth=depth + 1)
        start = self._redaction.body_start(data)
        if start:
            return data[:start] + self._unpacked(cell._replace(data=data[start:]), depth)
        if body is None or not isinstance(body.reader, Format):
            return self._as_before(cell, self._bodies.opaque(data))
        is_control = self._is_control or cell.slot in self._redaction.control_slots
        made = self._bodies.of_format(body.reader, data, is_control=is_control)
        return self._as_before(cell, made)

    def _as_before(self, cell: SlotBytes, made: bytes) -> bytes:
        """Return bytes that are read as those before them; letters if these are read otherwise."""
        layers = self._redaction.layers
        before = layers.body(cell.slot, cell.data, declared=cell.declared)
        after = layers.body(cell.slot, made, declared=cell.declared)
        old = before.reader if before is not None else None
        new = after.reader if after is not None else None
        if old is new and (before is None or after is None or _faults(before) == _faults(after)):
            return made
        return self._replacements.letters(cell.data)


def _announced(problems: list[Problem], start: int) -> int:
    """Return how many of the first undecoded bytes are a length or count that cannot be right."""
    ends = [
        each.offset + (each.length if each.code is ProblemCode.NEGATIVE else 0)
        for each in problems
        if each.code in _LENGTHS
    ]
    return max((end - start for end in ends if 0 < end - start <= _LARGEST), default=0)


def _faults(body: Payload) -> list[tuple[ProblemCode, int, int]]:
    return [(each.code, each.offset, each.length) for each in body.decoded.problems]


def _content(node: nodes.Node, data: bytes, start: int, end: int) -> int:
    """Return the offset of a value's first byte, after the length before it."""
    if isinstance(node, nodes.BlobNode) and node.prefix is not None:
        return start + node.prefix.size
    if isinstance(node, nodes.ProtoNode) and node.kind in {"string", "bytes"}:
        while start < end and data[start] & 0x80:
            start += 1
        start += 1
    return min(start, end)
