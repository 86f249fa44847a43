"""A frame as a tree: every named member in wire order, problems at the member that has them.

The ranges of the lax decoder are in wire order and cover the frame, and so are the nodes of the
schema; the tree walks both in parallel. Each item has its range of bytes; `tree_text` prints items.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from streamshark.decoding.code_printer import UNDECODED
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.numbering import firsts, inside
from streamshark.decoding.payloads import (
    NOTHING,
    Agreed,
    EmbeddedRecord,
    SlotBytes,
    opened,
    too_deep,
    veiled,
)
from streamshark.decoding.runtime import Range
from streamshark.dissection.masking import MaskedRow
from streamshark.dissection.row import FrameRow
from streamshark.schema import Numbering, Problem, nodes
from streamshark.schema.bytes_and_text import RAW
from streamshark.schema.secrets import is_hidden
from streamshark.views.display_options import MASK, Value
from streamshark.views.info_column import long_text, plain
from streamshark.views.payload_json import problems_inside
from streamshark.views.payload_tree import ByteRange, PayloadTree, ShownSlot
from streamshark.views.problems import field_of, message_of
from streamshark.views.reassembly import sentence, sizes
from streamshark.views.tree_items import DataSource, TreeItem
from streamshark.views.tree_nodes import Subtrees, below, bits_of, counted, is_pair

LONGEST = 1024
"""Most characters of a value."""


class Inner(NamedTuple):
    """A record in a slot, from which a tree is made as from a row."""

    data: bytes
    decoder: Decoder
    source: DataSource
    """Where its bytes are."""
    offset: int
    """Where they begin there."""
    problems: list[Problem]
    agreed: Agreed = NOTHING
    piece: int = 0
    veiled: bool = False
    """True if undecoded bytes may hold a secret."""
    depth: int = 1
    """1, plus the number of enclosing embedded records."""


class Numbers(NamedTuple):
    """Computed numbers of a list's items."""

    name: str
    each: Sequence[int]
    of: Numbering | None = None
    """Their declaration; None for the records inside an item."""


class FrameTree:
    """The items of one frame's members."""

    def __init__(
        self,
        row: FrameRow | Inner,
        subtrees: Subtrees,
        *,
        secrets: bool,
        bodies: PayloadTree | None = None,
        numbers: Numbers | None = None,
    ) -> None:
        self.items: list[TreeItem] = []
        self.bodies = bodies
        self.numbers = numbers
        """Numbers of the list of an embedded record, computed from the outer frame."""
        self.following: tuple[Numbering, int] | None = None
        """Numbering of the records inside the current item, and the number of the item."""
        self.show_secrets = secrets
        self.subtrees = subtrees
        self.agreed = row.agreed
        self.piece = row.piece
        self.depth, self.source, self.offset = 1, DataSource("frame", row.data), 0
        if isinstance(row, Inner):
            self.depth, self.source, self.offset = row.depth, row.source, row.offset
        self.hides_undecoded = isinstance(row, Inner) and row.veiled and not secrets
        self.data = row.data
        self.problems = list(row.problems)
        """Problems that are not in the tree yet."""
        self.has_malformed_bodies = False
        """Whether payloads of the frame are malformed."""
        self.ranges: list[Range] = []
        self.index = 0
        """Index of the next range."""
        self.tree: nodes.Tree | None = None
        self.numberings: dict[int, Numbering] = {}
        """Numbering of the items of each list, by node id."""
        self.secrets: frozenset[int] = frozenset()
        if row.decoder is not None:
            self.tree = row.decoder.tree
            self.secrets = frozenset() if secrets else nodes.secrets(self.tree)
            examined = row.decoder.examine(row.data)
            self.ranges = examined.ranges
            self.numberings = {
                self.tree.find(each.items).id: each for each in self.tree.schema.numbers
            }
            if bodies is not None and bodies.mode == "decoded" and isinstance(row, FrameRow):
                self.note_bodies([] if row.piece else problems_inside(bodies.layers, row))
            self.members(self.tree.root.members, examined.values, self.items)
            self.undecoded(self.items)
            if isinstance(row, FrameRow) and row.piece:
                self.reassembled(row, self.tree)
        else:
            for name, value in row.values.items():
                self.items.append(self.item(0, 0, name, plain(value), value=value))
            hidden = isinstance(row, MaskedRow)
            shown = "" if hidden else f": {self.data[: LONGEST // 8].hex()}"
            size = len(self.data)
            note = f"{counted(size, 'byte')} not decoded{shown}"
            self.items.append(self.item(0, size, note=note))
        self.left_over()

    def note_bodies(self, problems: list[Problem]) -> None:
        """Add the problems in the frame's payloads."""
        self.problems += problems
        self.has_malformed_bodies = self.has_malformed_bodies or bool(problems)

    def reassembled(self, row: FrameRow, tree: nodes.Tree) -> None:
        """Add what a frame is a fragment of and, at the last one, what was reassembled."""
        item = self.item(0, 0, note=sentence(row) or "")
        self.items.append(item)
        parts, self.piece = row.reassembled or {}, 0
        problems = []
        if self.bodies is not None and self.bodies.mode == "decoded":
            problems = problems_inside(self.bodies.layers, row)
            self.has_malformed_bodies = self.has_malformed_bodies or bool(problems)
        for name, size in sizes(row).items():
            node, part = tree.find(name), parts.get(name)
            if part is None or not isinstance(node, nodes.BlobNode) or node.slot is None:
                item.children.append(self.item(0, 0, name, note=counted(size, "byte")))
                continue
            place = ByteRange(DataSource(f"{name}, reassembled", part), 0, len(part))
            below = self.content(node, part, {name: part}, item.children, place)
            for each in problems:
                if each.node == node.id:
                    item.children[-1].children.append(self.problem(each))
            item.children[-1].children += below

    # Items

    def item(  # noqa: PLR0913 - the members of an item
        self,
        start: int,
        end: int,
        name: str = "",
        text: str | None = None,
        *,
        note: str = "",
        bits: str = "",
        node: nodes.Node | None = None,
        value: Value = None,
    ) -> TreeItem:
        """Return an item whose range counts from the first byte of this record."""
        start, end = start + self.offset, end + self.offset
        if node is not None and node.id in self.secrets:
            value = None
        return TreeItem(self.source, start, end, name, text, note, bits, node, value)

    def problem(self, problem: Problem, *, at: bool = False) -> TreeItem:
        """Return a problem; with `at`, its field and offset, for one that has no item."""
        where = ""
        if at:
            field = field_of(problem, self.tree)
            where = f" at byte {problem.offset}" + (f" in {field}" if field else "")
        message = message_of(problem, self.secrets)
        start = problem.offset
        item = self.item(
            start, start + problem.length, text=f"{problem.code.word}{where}: {message}"
        )
        item.problem = problem
        return item

    # The next range

    @property
    def next(self) -> int | None:
        """The node id of the next range; None at the end."""
        return self.ranges[self.index][0] if self.index < len(self.ranges) else None

    def take(self) -> Range:
        """Return the next range, and advance past it."""
        self.index += 1
        return self.ranges[self.index - 1]

    @property
    def place(self) -> int:
        """The first byte of the next range."""
        return self.ranges[self.index][1] if self.index < len(self.ranges) else len(self.data)

    def close(self, item: TreeItem, first: int) -> None:
        """End a group after the last range taken, if it took any from index `first` on."""
        if self.index > first:
            item.start = self.ranges[first][1] + self.offset
            item.end = self.ranges[self.index - 1][2] + self.offset

    def problems_at(self, into: list[TreeItem], ids: frozenset[int], start: int, end: int) -> None:
        """Add the problems of these nodes between two bytes."""
        own = [each for each in self.problems if each.node in ids and start <= each.offset <= end]
        for each in own:
            self.problems.remove(each)
            into.append(self.problem(each))

    # Nodes

    def members(self, members: list[nodes.Node], values: Value, into: list[TreeItem]) -> None:
        """Add members one after another; those without a range are absent."""
        for node in members:
            match node:
                case nodes.RegionNode():
                    self.region(node, values, into)
                case nodes.ListNode():
                    self.many(node, values, into)
                case nodes.RecordNode():
                    self.record(node, values, into)
                case (
                    nodes.MessageNode()
                    | nodes.LineNode()
                    | nodes.HeadersNode()
                    | nodes.JsonLineNode()
                ):
                    self.loose(node, into)
                case (
                    nodes.WhenNode()
                    | nodes.TailNode()
                    | nodes.EitherNode()
                    | nodes.FitsNode()
                    | nodes.SwitchNode()
                ):
                    self.members(self.arm(node), values, into)
                case nodes.BitsNode():
                    self.bits(node, into)
                case _:
                    self.leaf(node, values, into)

    def arm(self, node: nodes.Node) -> list[nodes.Node]:
        """Return the arm of the next range; the next item of a list may have another one."""
        match node:
            case nodes.EitherNode():
                arms = [node.clear, node.set]
            case nodes.FitsNode():
                arms = [arm for _, arm in node.arms]
            case nodes.SwitchNode():
                arms = [*node.cases.values(), node.default]
            case _:
                arms = []
        for arm in arms:
            if any(self.next in self.subtrees(each) for each in arm):
                return arm
        return [] if isinstance(node, nodes.FitsNode) else nodes.children(node)

    def leaf(self, node: nodes.Node, values: Value, into: list[TreeItem]) -> None:
        """Add a value or a literal; one that is truncated is marked."""
        if isinstance(node, nodes.ClaimNode):
            return
        if isinstance(node, nodes.BlobNode) and node.slot and self.next == node.id:
            self.slot(node, values, into)
        elif self.next == node.id:
            _, start, end, value = self.take()
            below = into
            if node.name is not None:
                item = self.named(node, value, start, end)
                into.append(item)
                below = item.children
                self.flags(node, value, start, end, below)
            self.problems_at(below, self.subtrees(node), start, end)
        elif self.next in (None, UNDECODED):
            self.missing(node, into)

    def named(
        self, node: nodes.Node, value: Value, start: int, end: int, name: str | None = None
    ) -> TreeItem:
        """Return the item of a value."""
        name = node.name or "bytes" if name is None else name
        return self.item(start, end, name, self.text(node, value), node=node, value=value)

    def slot(self, node: nodes.BlobNode, values: Value, into: list[TreeItem]) -> None:
        """Add the payload of a slot, decoded or as bytes."""
        _, start, end, value = self.take()
        place = ByteRange(self.source, start + self.offset, end + self.offset)
        below = self.content(node, value, values, into, place)
        self.problems_at(into[-1].children, frozenset({node.id}), start, end)
        into[-1].children += below

    def content(
        self,
        node: nodes.BlobNode,
        value: Value,
        values: Value,
        into: list[TreeItem],
        place: ByteRange,
    ) -> list[TreeItem]:
        """Add the item of a payload; return the items below it."""
        name, bodies = node.name or "bytes", None if self.piece else self.bodies
        hidden = value is None or node.id in self.secrets
        cell = None if hidden else opened(node, values, self.agreed)
        shown = None
        if cell is not None and bodies is not None:
            inner_place = unpacked(cell, name, place)
            shown = bodies.shown(cell, len(value), inner_place)
            if shown is None:
                inner = self.inside(node, cell, bodies, inner_place)
                if inner is not None:
                    shown = ShownSlot(None, bodies.summary(cell, len(value)), inner)
        if shown is None:
            shown = ShownSlot(self.kept(node, value, cell), "", [])
        masked = shown.text == MASK
        item = TreeItem(*place, name, shown.text, shown.note, node=node)
        item.value = None if masked else value
        into.append(item)
        return shown.items

    def inside(
        self, node: nodes.BlobNode, cell: SlotBytes, bodies: PayloadTree, place: ByteRange
    ) -> list[TreeItem] | None:
        """Return the items of an embedded record in a slot; None if there is none."""
        if bodies.mode != "decoded" or (cell.problem and cell.unpacked is None):
            return None
        body = bodies.layers.body(cell.slot, cell.data, declared=cell.declared)
        if (
            body is None
            or not isinstance(body.reader, EmbeddedRecord)
            or too_deep(body, self.depth)
        ):
            return None
        numbers = None
        if self.following is not None and self.following[0].inside == node.name:
            numbering, first = self.following
            held = body.decoded.value
            count = len(held) if isinstance(held, list) else 0
            numbers = Numbers(numbering.name, inside(numbering, first, count))
        tree = FrameTree(
            Inner(
                cell.data,
                body.reader.decoder,
                place.source,
                place.start,
                [],
                self.agreed,
                veiled=node.slot is not None and veiled(node.slot, cell.declared),
                depth=self.depth + 1,
            ),
            self.subtrees,
            secrets=self.show_secrets,
            bodies=bodies,
            numbers=numbers,
        )
        return tree.items

    def missing(self, node: nodes.Node, into: list[TreeItem]) -> None:
        """Add a value that the decoder could not read to its end."""
        ids = self.subtrees(node)
        if any(each.node in ids and each.code.stops for each in self.problems):
            start = self.place
            item = self.item(start, start, node.name or "bytes", "[cannot be read]", node=node)
            into.append(item)
            self.problems_at(item.children, ids, 0, len(self.data))

    def text(self, node: nodes.Node, value: Value) -> str:
        """Return a value as text, masked if it is secret."""
        if node.id in self.secrets and value is not None:
            return MASK
        return long_text(node, value, most=LONGEST)

    def kept(self, node: nodes.BlobNode, value: Value, cell: SlotBytes | None) -> str:
        """Return the bytes of an undecoded slot as text, masked if they may hold a secret."""
        if cell is None or node.slot is None or not value or self.show_secrets:
            return self.text(node, value)
        return MASK if veiled(node.slot, cell.declared) else self.text(node, value)

    def flags(
        self, node: nodes.Node, value: Value, start: int, end: int, into: list[TreeItem]
    ) -> None:
        """Add every flag of a number."""
        if node.facts.flags is None or not isinstance(node, nodes.IntNode):
            return
        for mask, name in node.facts.flags.items():
            is_set = int(value & mask != 0)
            bits = bits_of(node.size * 8, mask, value)
            into.append(self.item(start, end, name, str(is_set), bits=bits, value=is_set))

    def bits(self, node: nodes.BitsNode, into: list[TreeItem]) -> None:
        """Add a group and its parts, with the bits of each."""
        if self.next != node.id:
            if self.next in (None, UNDECODED):
                self.missing(node, into)
            return
        _, start, end, whole = self.take()
        for part in node.parts:
            *_, value = self.take()
            item = self.named(part, value, start, end, part.name or "reserved")
            item.bits = bits_of(node.size * 8, ((1 << part.width) - 1) << part.shift, whole)
            into.append(item)
        self.problems_at(into[-1].children, self.subtrees(node), start, end)

    def region(self, node: nodes.RegionNode, values: Value, into: list[TreeItem]) -> None:
        """Add the members of a region, and what is left of it."""
        if node.prefix is not None:
            self.leaf(node.prefix, values, into)
        start = self.index
        self.members(node.members, values, into)
        if self.index > start:
            self.undecoded(into)

    def record(self, node: nodes.RecordNode, values: Value, into: list[TreeItem]) -> None:
        """Add a nested record."""
        if self.next in self.subtrees(node) and node.name is not None:
            first = self.index
            item = self.item(self.place, self.place, node.name, node=node)
            into.append(item)
            self.members(node.members, values.get(node.name, {}), item.children)
            self.close(item, first)

    def many(self, node: nodes.ListNode, values: Value, into: list[TreeItem]) -> None:
        """Add a list and its items."""
        items = values.get(node.name)
        if not items and (items is None or self.next != (node.prefix.id if node.prefix else None)):
            return
        if items and self.next not in self.subtrees(node):
            return
        if node.id in self.secrets:
            items, count = [], MASK
        else:
            count = counted(len(items), "item")
        first, start = self.index, self.place
        whole = self.item(start, start, node.name or "items", count, node=node)
        into.append(whole)
        below: list[TreeItem] = []
        if node.prefix is not None and self.next == node.prefix.id:
            self.take()
        numbers = self.numbered(node, values)
        for index, value in enumerate(items):
            self.entry(node.item, value, index, numbers, below)
        while node.id in self.secrets and self.next in self.subtrees(node):
            self.take()
        end = self.ranges[self.index - 1][2] if self.index else 0
        self.close(whole, first)
        self.problems_at(whole.children, frozenset({node.id}), start, end)
        whole.children += below
        if self.next in (None, UNDECODED):
            self.problems_at(whole.children, self.subtrees(node), start, len(self.data))

    def numbered(self, node: nodes.ListNode, values: Value) -> Numbers | None:
        """Return the computed numbers of a list's items; None if they have none."""
        numbering = self.numberings.get(node.id)
        if numbering is None:
            return self.numbers
        return Numbers(numbering.name, firsts(numbering, values), numbering)

    def entry(
        self,
        node: nodes.Node,
        value: Value,
        index: int,
        numbers: Numbers | None,
        into: list[TreeItem],
    ) -> None:
        """Add one item of a list; a pair of key and value takes one line."""
        if not isinstance(node, nodes.RecordNode):
            if self.next == node.id:
                _, start, end, raw = self.take()
                item = self.named(node, raw, start, end, f"[{index}]")
                into.append(item)
                self.problems_at(item.children, self.subtrees(node), start, end)
            return
        if is_pair(node) and self.next == node.members[0].id:
            self.pair(node, into)
            return
        first = self.index
        item = self.item(self.place, self.place, f"[{index}]", node=node)
        into.append(item)
        if numbers is not None and index < len(numbers.each):
            number = numbers.each[index]
            if numbers.of is None or numbers.of.start is not None:
                note = self.item(self.place, self.place, note=f"{numbers.name}: {number}")
                item.children.append(note)
            self.following = (numbers.of, number) if numbers.of is not None else None
        self.members(node.members, value, item.children)
        self.close(item, first)

    def pair(self, node: nodes.RecordNode, into: list[TreeItem]) -> None:
        """Add `key: value`."""
        key, value = node.members
        _, start, end, name = self.take()
        text, raw, last = "[cannot be read]", None, len(self.data)
        if self.next == value.id:
            _, _, end, raw = self.take()
            text, last = self.text(value, raw), end
        item = self.item(start, end, self.text(key, name), text, node=value, value=raw)
        into.append(item)
        self.problems_at(item.children, self.subtrees(node), start, last)

    def loose(
        self,
        node: nodes.MessageNode | nodes.LineNode | nodes.HeadersNode | nodes.JsonLineNode,
        into: list[TreeItem],
    ) -> None:
        """Add members in the order of the bytes: protobuf fields, arguments, headers."""
        ids = self.subtrees(node)
        nested = {
            each: child.message
            for child in nodes.children(node)
            if isinstance(child, nodes.ProtoNode) and child.message is not None
            for each in self.subtrees(child)
        }
        by_id = {each.id: each for child in nodes.children(node) for each in below(child)}
        if isinstance(node, nodes.HeadersNode) and self.next == node.id:
            self.bare_block(node, into, ids)
        while self.next in ids:
            number_of = self.next
            if number_of in nested and (inner := nested[number_of]) is not None:
                first = self.index
                item = self.item(self.place, self.place, inner.path[-1], node=inner)
                into.append(item)
                self.loose(inner, item.children)
                self.undecoded(item.children)
                self.close(item, first)
                continue
            _, start, end, value = self.take()
            if number_of != node.id and number_of is not None:
                item = self.named(by_id[number_of], value, start, end)
                into.append(item)
                self.problems_at(item.children, frozenset({number_of}), start, end)

    def bare_block(
        self, node: nodes.HeadersNode, into: list[TreeItem], ids: frozenset[int]
    ) -> None:
        """Add a header block that is present, but empty."""
        found = itertools.takewhile(
            ids.__contains__, (each[0] for each in self.ranges[self.index :])
        )
        if set(found) == {node.id}:
            _, start, end, _ = self.ranges[self.index]
            into.append(self.item(start, end, node.headers.name or "", "[empty]", node=node))

    # The rest

    def undecoded(self, into: list[TreeItem]) -> None:
        """Add bytes that no member reads."""
        while self.next == UNDECODED:
            _, start, end, _ = self.take()
            hidden = self.secrets or self.hides_undecoded or is_hidden(self.data[start:end])
            shown = "" if hidden else f": {self.data[start:end][: LONGEST // 8].hex()}"
            note = f"{counted(end - start, 'byte')} not decoded{shown}"
            into.append(self.item(start, end, note=note))

    def left_over(self) -> None:
        """Add problems of the whole frame, and those whose member is not in the tree."""
        for each in self.problems:
            self.items.append(self.problem(each, at=each.node != UNDECODED))


def unpacked(cell: SlotBytes, name: str, place: ByteRange) -> ByteRange:
    """Return where the bytes of a slot are: a source of their own if they were unpacked."""
    size = len(cell.data)
    if cell.packed == RAW or cell.unpacked is None:
        return place._replace(start=place.end - size)
    origin = DataSource(f"{name}, unpacked by {cell.packed}", cell.data, *place)
    return ByteRange(origin, 0, size)
