"""Rows without their secrets, which every output shows unless the user asks for them.

A `SecretMask` finds the secrets of a frame and replaces their bytes; the frame is then decoded
again, so that no view sees them. Secret are: fields that the schema marks, the values of names in
`schema.secrets`, credentials in text, bytes of types that may hold secrets and have no reader, and
undecoded bytes of frames that may have any of these.
"""

import copy
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from streamshark.decoding.code_printer import UNDECODED
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import (
    Agreed,
    EmbeddedRecord,
    PayloadReaders,
    SlotBytes,
    Values,
    cells,
    declared_type,
    opened,
    too_deep,
    veiled,
)
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.framing.wire_format import FrameTable
from streamshark.schema import Head, nodes
from streamshark.schema.bytes_and_text import RAW, Slot
from streamshark.schema.problems import Problem, ProblemCode
from streamshark.schema.secrets import (
    HOSTS,
    SecretSpan,
    credentials,
    has_form,
    hidden,
    is_likely,
    is_secret_type,
    joined,
    members,
    scrubbed,
    scrubbed_members,
    secret_part,
)

QUOTED: Final = 4
"""Characters of a secret that give it away."""
_LEAVING: Final = (ProblemCode.TRAILING, ProblemCode.CLAIM)
"""Codes of problems that do not stop decoding, but may leave bytes undecoded."""
_NAMED: Final = 1
_SECRET: Final = 2


class MaskedRow(FrameRow):
    """A frame whose secrets are replaced by other bytes."""

    __slots__ = ("hidden", "source")

    hidden: list[SecretSpan]
    """Positions of the secrets."""
    source: FrameRow
    """The original frame."""

    def unsaid(self, problem: Problem) -> Problem:
        """Return a problem of the original frame with a message that quotes no secret."""
        text = problem.message
        if problem.code is ProblemCode.VALUE:  # only states the expected value
            return problem
        for start, end, _ in self.hidden:
            secret = self.source.data[start:end].decode("latin-1")
            size = min(QUOTED, len(secret))
            if any(text[at : at + size] in secret for at in range(len(text) - size + 1)):
                return problem._replace(message=problem.code.sentence)
        return problem


class _Plan:
    """The nodes of a tree that may be secret."""

    def __init__(self, tree: nodes.Tree) -> None:
        self.tree = tree
        self.secrets = nodes.secrets(tree)
        self.slots = {each.id: slot for each in tree.nodes if (slot := getattr(each, "slot", None))}
        self.veiled = frozenset(at for at, slot in self.slots.items() if slot.veiled)
        pairs = list(nodes.pairs(tree))
        self.names = frozenset(name.id for name, _ in pairs)
        self.values = frozenset(value.id for _, value in pairs)
        """Values of pairs; the pair's name precedes its value."""
        hosts = (each.id for each in tree.nodes if (each.name or "") in HOSTS)
        self.hosts = self.values.union(hosts)
        """Values of pairs, and hosts that may begin with a user."""
        self.types = {
            one.id: slot
            for at, slot in self.slots.items()
            for one in getattr(tree.nodes[at], "types", ())
        }
        """Node with the type of a slot, to the slot."""
        self.agreed = frozenset(
            slot.agreed for slot in self.slots.values() if slot.agreed and not slot.veiled
        )
        """Negotiated values with the type of a slot, which may be a secret one."""
        self.unknown = frozenset(
            each.unknown.id for each in tree.nodes if isinstance(each, nodes.MessageNode)
        )
        """Unknown fields of Protobuf."""
        self.json = [each for each in tree.nodes if isinstance(each, nodes.JsonLineNode)]
        ids = self.secrets | self.veiled
        self.watched = frozenset(tree.nodes[each].path[0] for each in ids if tree.nodes[each].path)
        """Members of the frame with secret fields of the schema."""
        self.written = frozenset(
            child.id for each in self.json for child in nodes.children(each.other.item)
        )
        """Nodes that keep the text of JSON members."""

    @cached_property
    def is_secretive(self) -> bool:
        """Whether undecoded bytes may hold a secret."""
        return bool(self.secrets or self.veiled)

    def cells(self, values: Values, agreed: Agreed) -> dict[int, list[SlotBytes]]:
        """Return the contents of slots, by node."""
        found: dict[int, list[SlotBytes]] = {}
        for cell in cells(self.tree, values, agreed) if self.slots else ():
            found.setdefault(cell.node, []).append(cell)
        return found


class _Found(NamedTuple):
    """The secrets found in some bytes."""

    spans: list[SecretSpan]
    is_broken: bool
    """Whether decoding stopped."""
    first: int | None
    """Offset of the first decoded secret; None without one."""


class SecretMask:
    """Masking of secrets; `layers` are the readers of slots, None if there are none."""

    def __init__(self, layers: PayloadReaders | None) -> None:
        self.layers = layers
        self._plans: dict[Decoder, _Plan] = {}
        self._levels: dict[str, int] = {}

    def row(self, row: Row) -> Row:
        """Return the row as it may be shown; the same object if it has no secrets."""
        if isinstance(row, EventRow):
            return _event(row)
        return self.frame(row) if isinstance(row, FrameRow) else row

    def frame(self, row: FrameRow) -> FrameRow:
        """Return the frame as it may be shown; the same object if it has no secrets."""
        if isinstance(row, MaskedRow):
            return row
        spans = self.spans(row)
        return self._made(row, spans) if spans or row.whole is not None else row

    def spans(self, row: FrameRow) -> list[SecretSpan]:
        """Return the positions of the secrets of a frame, and of bytes that may be secrets."""
        if row.decoder is None:
            return _unread(row) or self._swallowed(row.connection.table, row.data, 1, len(row.data))
        plan = self._plan(row.decoder)
        if self._is_quiet(plan, row):
            return []
        table = row.connection.table
        found = self._look(row.decoder, row.data, row.agreed, row.piece, depth=1, table=table)
        return joined(found.spans)

    def _is_quiet(self, plan: _Plan, row: FrameRow) -> bool:
        """Return whether a fast check shows that a frame has no secrets."""
        shallow = row.shallow
        if plan.is_secretive and (
            row.problems
            or plan.unknown
            or any(map(shallow.get, plan.watched))
            or any(_lies(each) for each in shallow.values() if isinstance(each, str))
        ):
            return False
        problems = row.problems
        if problems and any(each.code.stops or each.code in _LEAVING for each in problems):
            return False
        may_name = bool(plan.values or plan.types or plan.unknown) and is_likely(row.data)
        if may_name or has_form(row.data) or (plan.hosts and b"@" in row.data):
            return False
        if plan.agreed and any(
            is_secret_type(str(row.agreed.get(each) or "none")) for each in plan.agreed
        ):
            return False
        if plan.json or (problems and is_likely(row.data)):
            return False
        level = max(map(self._level, plan.slots.values())) if plan.slots else 0
        return not level or (level == _NAMED and not is_likely(row.data))

    def _level(self, slot: Slot) -> int:
        """Return what records in a slot may have: secrets, names of secrets, or neither."""
        if self.layers is None:
            return 0
        found = self._levels.get(slot.name)
        if found is None:
            self._levels[slot.name] = found = 0  # recursion adds nothing
            for plan in [
                self._plan(each.decoder) for each in self.layers.embedded_records_of(slot.name)
            ]:
                own = _SECRET if plan.is_secretive else _NAMED if plan.values else 0
                found = max(own, found, *map(self._level, plan.slots.values()))
            self._levels[slot.name] = found
        return found

    def _plan(self, decoder: Decoder) -> _Plan:
        plan = self._plans.get(decoder)
        if plan is None:
            plan = self._plans[decoder] = _Plan(decoder.tree)
        return plan

    def _look(
        self,
        decoder: Decoder,
        data: bytes,
        agreed: Agreed,
        piece: int,
        *,
        depth: int,
        table: FrameTable | None = None,
    ) -> _Found:
        """Find the secrets of a frame of a table, or of a record in a slot."""
        plan, examined = self._plan(decoder), decoder.examine(data)
        found = plan.cells(examined.values, agreed)
        likely = plan.is_secretive or is_likely(data)
        out = list(members(data)) if plan.json else []
        is_broken = any(each.code.stops for each in examined.problems)
        holds = plan.is_secretive or (likely and bool(plan.values))
        name, follows, first, last = "", False, len(data), len(data)
        for node, start, end, value in examined.ranges:
            if node == UNDECODED:
                out += (
                    [SecretSpan(start, end)] if likely else self._swallowed(table, data, start, end)
                )
                first = min(first, start) if follows else first
                continue
            own = plan.tree.nodes[node]
            begin = _content(own, data, start, end)
            if node in plan.unknown and likely and isinstance(value, bytes):
                out.append(SecretSpan(end - len(value), end))
                continue
            if node in plan.secrets and value is not None:
                out.append(SecretSpan(begin, end, node in plan.written))
            elif value is not None and found.get(node):
                cell, place = found[node].pop(0), (begin, end)
                slot = plan.slots[node]
                out += self._slot(slot, cell, place, len(data), agreed, piece, depth)
            elif isinstance(value, str):
                last = begin
                named = name if node in plan.values else own.name or ""
                out += _of_text(named, data[begin:end], begin, is_host=node in plan.hosts)
                out += [SecretSpan(begin, len(data))] * (holds and _lies(value))
            if node in plan.types:
                follows = veiled(plan.types[node], declared_type(own, value))
            if node in plan.names:
                name = value if isinstance(value, str) else ""
        if is_broken and holds:
            out.append(SecretSpan(last, len(data)))  # its length may be wrong, and cover a secret
        spans = [each for each in out if each.end > each.start]
        lost = {start for node, start, _, _ in examined.ranges if node == UNDECODED}
        first = min([first, *(each.start for each in spans if each.start not in lost)])
        return _Found(spans, is_broken, first if first < len(data) else None)

    def _slot(  # noqa: PLR0913, PLR0917 - where a slot is
        self, slot: Slot, cell: SlotBytes, place: tuple[int, int], size: int, agreed: Agreed,
        piece: int, depth: int,
    ) -> list[SecretSpan]:  # fmt: skip
        """Find the secrets in a slot; all of it if it may hold some and has no reader."""
        start, end = place
        body = None
        if self.layers is not None and not piece:
            body = self.layers.body(cell.slot, cell.data, declared=cell.declared)
            if body is None and slot.veiled:  # perhaps its type is misspelt
                body = self.layers.body(cell.slot, cell.data)
        hides = veiled(slot, cell.declared)
        if (
            body is not None
            and isinstance(body.reader, EmbeddedRecord)
            and not too_deep(body, depth)
        ):
            found = self._look(body.reader.decoder, cell.data, agreed, 0, depth=depth + 1)
            if hides and found.is_broken and found.first is not None:  # perhaps a wrong length
                at = end - len(cell.data) + found.first
                return [SecretSpan(at if cell.packed == RAW else start, size)]
            if cell.packed != RAW:
                return [SecretSpan(start, end)] if found.spans else []
            return _moved(found.spans, end - len(cell.data))
        if hides:
            return [SecretSpan(start, end)]
        return _moved(credentials(cell.data), start) if body is None and cell.packed == RAW else []

    def _swallowed(
        self, table: FrameTable | None, data: bytes, start: int, end: int
    ) -> list[SecretSpan]:
        """Find bytes from a possible frame with secrets on: the length before it is wrong."""
        found = _moved(credentials(data[start:end]), start)
        if table is None or not isinstance(table.head, Head):
            return found
        marks, least, most = table.wire.marks, table.head.least, table.head.most
        places = range(start, end) if marks is None else _starts(marks, data, start, end)
        for at in places:
            measured = table.measure(data, at, end)
            if measured is None or not least <= measured[0] <= most:
                continue
            selector = table.selectors.get(measured[1:])
            known = table.decoders[selector] if selector is not None else []
            if any(self._plan(each).is_secretive for each in known):
                return [SecretSpan(at, end)]
        return found

    def _made(self, row: FrameRow, spans: list[SecretSpan]) -> FrameRow:
        """Return a row with other bytes in place of the secrets."""
        made = MaskedRow.__new__(MaskedRow)
        for name in (*Row.__slots__, *FrameRow.__slots__):
            if hasattr(row, name):
                setattr(made, name, getattr(row, name))
        made.hidden, made.source = spans, row
        if spans:
            made.data = hidden(row.data, spans)
            values = row.decoder.read(made.data)[0] if row.decoder else {}
            made._shallow = made._values = values  # noqa: SLF001 - of another row
            made.problems = [made.unsaid(each) for each in row.problems]
        if row.whole is not None and row.decoder is not None and row.reassembled:
            made.whole = copy.copy(row.whole)
            made.whole.parts = {
                name: self._part(row, row.decoder, name, part)
                for name, part in row.reassembled.items()
            }
        return made

    def _part(self, row: FrameRow, decoder: Decoder, name: str, part: bytes) -> bytes:
        """Return a reassembled part with its secrets masked."""
        node = decoder.tree.find(name)
        if not isinstance(node, nodes.BlobNode) or node.slot is None or not part:
            return part
        cell = opened(node, {name: part}, row.agreed)
        place = 0, len(part)
        return hidden(part, self._slot(node.slot, cell, place, len(part), row.agreed, 0, 1))


def _event(row: EventRow) -> EventRow:
    """Return an event without credentials in its texts."""
    fields = scrubbed_members(row.fields)
    problems = [each._replace(message=scrubbed(each.message)) for each in row.problems]
    if fields == row.fields and problems == list(row.problems):
        return row
    made = copy.copy(row)
    made.fields, made.problems = fields, problems
    return made


def _moved(spans: Iterable[SecretSpan], by: int) -> list[SecretSpan]:
    return [SecretSpan(start + by, end + by, is_json) for start, end, is_json in spans]


def _of_text(name: str, text: bytes, start: int, *, is_host: bool) -> Iterator[SecretSpan]:
    """Yield the secrets in the text of a named value, which begins at `start`."""
    part = secret_part(name, text) if is_host else 0
    yield SecretSpan(start, start + part)
    yield from _moved(credentials(text[part:]), start + part)


def _lies(text: str) -> bool:
    """Return whether the length of a text is wrong: valid text has no NUL and only characters."""
    return "\0" in text or "\ufffd" in text


def _content(node: nodes.Node, data: bytes, start: int, end: int) -> int:
    """Return the offset of a value's first byte, after its length prefix."""
    if isinstance(node, nodes.BlobNode) and node.prefix is not None:
        return start + node.prefix.size
    if isinstance(node, nodes.ProtoNode) and node.kind in {"string", "bytes"}:
        while start < end and data[start] & 0x80:
            start += 1
        start += 1
    return min(start, end)


def _starts(marks: re.Pattern[bytes], data: bytes, start: int, end: int) -> Iterator[int]:
    """Yield the offsets at which a mark matches."""
    return (found.start() for found in marks.finditer(data, start, end))


def _unread(row: FrameRow) -> list[SecretSpan]:
    """Return the secrets of a frame without a schema.

    These are all of its bytes if another version of the command has secrets.
    """
    data = row.data
    if row.selector is not None:
        table = row.connection.table
        own = [each for each in table.all if each.tree.schema.key == row.selector.key]
        if any(_Plan(each.tree).is_secretive for each in own) or is_likely(data):
            least = table.head.least if isinstance(table.head, Head) else 0
            return [SecretSpan(min(least, len(data)), len(data))] if len(data) > least else []
    elif is_likely(data):
        return [SecretSpan(0, len(data))]
    return credentials(data)
