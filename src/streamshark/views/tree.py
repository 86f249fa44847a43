"""A frame as a tree: every named member in wire order, problems at the member that has them.

The ranges of the lax decoder are in wire order and cover the frame, and so are the nodes of the
schema; the tree walks both in parallel. Generated text is in brackets.
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
from streamshark.schema.secrets import is_hidden
from streamshark.views.colour import Palette
from streamshark.views.display_options import MASK, Value
from streamshark.views.info_column import long_text, plain
from streamshark.views.payload_json import problems_inside
from streamshark.views.payload_tree import PayloadTree, ShownSlot
from streamshark.views.problems import field_of, message_of
from streamshark.views.reassembly import sentence, sizes
from streamshark.views.tree_nodes import Subtrees, below, bits_of, counted, is_pair

LONGEST = 1024
"""Most characters of a value."""
STEP = "    "


class Inner(NamedTuple):
    """A record in a slot, from which a tree is made as from a row."""

    data: bytes
    decoder: Decoder
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
    """The lines of one frame's members."""

    def __init__(
        self,
        row: FrameRow | Inner,
        palette: Palette,
        subtrees: Subtrees,
        *,
        secrets: bool,
        bodies: PayloadTree | None = None,
        numbers: Numbers | None = None,
    ) -> None:
        self.lines: list[str] = []
        self.bodies = bodies
        self.numbers = numbers
        """Numbers of the list of an embedded record, computed from the outer frame."""
        self.following: tuple[Numbering, int] | None = None
        """Numbering of the records inside the current item, and the number of the item."""
        self.show_secrets = secrets
        self.palette = palette
        self.subtrees = subtrees
        self.agreed = row.agreed
        self.piece = row.piece
        self.depth = row.depth if isinstance(row, Inner) else 1
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
            self.members(self.tree.root.members, examined.values, 1)
            self.undecoded(1)
            if isinstance(row, FrameRow) and row.piece:
                self.reassembled(row, self.tree)
        else:
            for name, value in row.values.items():
                self.line(1, name, plain(value))
            hidden = isinstance(row, MaskedRow)
            shown = "" if hidden else f": {self.data[: LONGEST // 8].hex()}"
            self.generated(1, f"{counted(len(self.data), 'byte')} not decoded{shown}")
        self.left_over()

    def note_bodies(self, problems: list[Problem]) -> None:
        """Add the problems in the frame's payloads."""
        self.problems += problems
        self.has_malformed_bodies = self.has_malformed_bodies or bool(problems)

    def reassembled(self, row: FrameRow, tree: nodes.Tree) -> None:
        """Add what a frame is a fragment of and, at the last one, what was reassembled."""
        self.generated(1, sentence(row) or "")
        parts, self.piece = row.reassembled or {}, 0
        problems = []
        if self.bodies is not None and self.bodies.mode == "decoded":
            problems = problems_inside(self.bodies.layers, row)
            self.has_malformed_bodies = self.has_malformed_bodies or bool(problems)
        for name, size in sizes(row).items():
            node, part = tree.find(name), parts.get(name)
            if part is None or not isinstance(node, nodes.BlobNode) or node.slot is None:
                self.line(2, name, f"[{counted(size, 'byte')}]")
                continue
            lines = self.content(node, part, {name: part}, 2)
            for each in problems:
                if each.node == node.id:
                    self.problem(3, each)
            self.lines += lines

    # Lines

    def line(self, depth: int, name: str, text: str) -> None:
        """Add `name: text`."""
        self.lines.append(f"{STEP * depth}{self.palette.paint('name', name)}: {text}")

    def generated(self, depth: int, text: str) -> None:
        """Add generated text."""
        self.lines.append(STEP * depth + self.palette.paint("generated", f"[{text}]"))

    def problem(self, depth: int, problem: Problem, *, at: bool = False) -> None:
        """Add a problem; with `at`, its field and offset, for one that has no place in the tree."""
        style, letter = ("error", "E") if problem.code.stops else ("warning", "W")
        where = ""
        if at:
            field = field_of(problem, self.tree)
            where = f" at byte {problem.offset}" + (f" in {field}" if field else "")
        message = message_of(problem, self.secrets)
        mark = self.palette.paint(style, f"[{letter}]")
        self.lines.append(f"{STEP * depth}{mark} {problem.code.word}{where}: {message}")

    # The next range

    @property
    def next(self) -> int | None:
        """The node id of the next range; None at the end."""
        return self.ranges[self.index][0] if self.index < len(self.ranges) else None

    def take(self) -> Range:
        """Return the next range, and advance past it."""
        self.index += 1
        return self.ranges[self.index - 1]

    def problems_at(self, depth: int, ids: frozenset[int], start: int, end: int) -> None:
        """Add the problems of these nodes between two bytes."""
        own = [each for each in self.problems if each.node in ids and start <= each.offset <= end]
        for each in own:
            self.problems.remove(each)
            self.problem(depth, each)

    # Nodes

    def members(self, members: list[nodes.Node], values: Value, depth: int) -> None:
        """Add members one after another; those without a range are absent."""
        for node in members:
            match node:
                case nodes.RegionNode():
                    self.region(node, values, depth)
                case nodes.ListNode():
                    self.many(node, values, depth)
                case nodes.RecordNode():
                    self.record(node, values, depth)
                case (
                    nodes.MessageNode()
                    | nodes.LineNode()
                    | nodes.HeadersNode()
                    | nodes.JsonLineNode()
                ):
                    self.loose(node, depth)
                case (
                    nodes.WhenNode()
                    | nodes.TailNode()
                    | nodes.EitherNode()
                    | nodes.FitsNode()
                    | nodes.SwitchNode()
                ):
                    self.members(self.arm(node), values, depth)
                case nodes.BitsNode():
                    self.bits(node, depth)
                case _:
                    self.leaf(node, values, depth)

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

    def leaf(self, node: nodes.Node, values: Value, depth: int) -> None:
        """Add a value or a literal; one that is truncated is marked."""
        if isinstance(node, nodes.ClaimNode):
            return
        if isinstance(node, nodes.BlobNode) and node.slot and self.next == node.id:
            self.slot(node, values, depth)
        elif self.next == node.id:
            _, start, end, value = self.take()
            if node.name is not None:
                self.line(depth, node.name, self.text(node, value))
                self.flags(node, value, depth + 1)
            self.problems_at(depth + 1, self.subtrees(node), start, end)
        elif self.next in (None, UNDECODED):
            self.missing(node, depth)

    def slot(self, node: nodes.BlobNode, values: Value, depth: int) -> None:
        """Add the payload of a slot, decoded or as bytes."""
        _, start, end, value = self.take()
        lines = self.content(node, value, values, depth)
        self.problems_at(depth + 1, frozenset({node.id}), start, end)
        self.lines += lines

    def content(self, node: nodes.BlobNode, value: Value, values: Value, depth: int) -> list[str]:
        """Add the line of a payload; return the lines below it."""
        name, bodies = node.name or "bytes", None if self.piece else self.bodies
        hidden = value is None or node.id in self.secrets
        cell = None if hidden else opened(node, values, self.agreed)
        shown = None if cell is None or bodies is None else bodies.shown(cell, len(value))
        inner = None
        if cell is not None and bodies is not None and shown is None:
            inner = self.inside(node, cell, bodies)
            if inner is not None:
                self.line(depth, name, bodies.summary(cell, len(value)))
                shown = ShownSlot("", inner)
        if inner is None:
            text = self.kept(node, value, cell) if shown is None else shown.text
            self.line(depth, name, text)
        below = [] if shown is None else shown.lines
        return [STEP * (depth + 1) + line for line in below]

    def inside(
        self, node: nodes.BlobNode, cell: SlotBytes, bodies: PayloadTree
    ) -> list[str] | None:
        """Return the lines of an embedded record in a slot; None if there is none."""
        if bodies.mode != "decoded" or (cell.problem and cell.unpacked is None):
            return None
        body = bodies.layers.body(cell.slot, cell.data, said=cell.said)
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
                [],
                self.agreed,
                veiled=node.slot is not None and veiled(node.slot, cell.said),
                depth=self.depth + 1,
            ),
            self.palette,
            self.subtrees,
            secrets=self.show_secrets,
            bodies=bodies,
            numbers=numbers,
        )
        return [line.removeprefix(STEP) for line in tree.lines]

    def missing(self, node: nodes.Node, depth: int) -> None:
        """Add a value that the decoder could not read to its end."""
        ids = self.subtrees(node)
        if any(each.node in ids and each.code.stops for each in self.problems):
            self.line(depth, node.name or "bytes", "[cannot be read]")
            self.problems_at(depth + 1, ids, 0, len(self.data))

    def text(self, node: nodes.Node, value: Value) -> str:
        """Return a value as text, masked if it is secret."""
        if node.id in self.secrets and value is not None:
            return MASK
        return long_text(node, value, most=LONGEST)

    def kept(self, node: nodes.BlobNode, value: Value, cell: SlotBytes | None) -> str:
        """Return the bytes of an undecoded slot as text, masked if they may hold a secret."""
        if cell is None or node.slot is None or not value or self.show_secrets:
            return self.text(node, value)
        return MASK if veiled(node.slot, cell.said) else self.text(node, value)

    def flags(self, node: nodes.Node, value: Value, depth: int) -> None:
        """Add a line for every flag of a number."""
        if node.facts.flags is None or not isinstance(node, nodes.IntNode):
            return
        for mask, name in node.facts.flags.items():
            pattern = bits_of(node.size * 8, mask, value)
            self.lines.append(f"{STEP * depth}{pattern} = {name}: {int(value & mask != 0)}")

    def bits(self, node: nodes.BitsNode, depth: int) -> None:
        """Add a group and its parts, with the bits of each."""
        if self.next != node.id:
            if self.next in (None, UNDECODED):
                self.missing(node, depth)
            return
        _, start, end, whole = self.take()
        for part in node.parts:
            *_, value = self.take()
            pattern = bits_of(node.size * 8, ((1 << part.width) - 1) << part.shift, whole)
            name = self.palette.paint("name", part.name or "reserved")
            text = self.text(part, value)
            self.lines.append(f"{STEP * depth}{pattern} = {name}: {text}")
        self.problems_at(depth + 1, self.subtrees(node), start, end)

    def region(self, node: nodes.RegionNode, values: Value, depth: int) -> None:
        """Add the members of a region, and what is left of it."""
        if node.prefix is not None:
            self.leaf(node.prefix, values, depth)
        start = self.index
        self.members(node.members, values, depth)
        if self.index > start:
            self.undecoded(depth)

    def record(self, node: nodes.RecordNode, values: Value, depth: int) -> None:
        """Add a nested record."""
        if self.next in self.subtrees(node) and node.name is not None:
            self.lines.append(f"{STEP * depth}{self.palette.paint('name', node.name)}:")
            self.members(node.members, values.get(node.name, {}), depth + 1)

    def many(self, node: nodes.ListNode, values: Value, depth: int) -> None:
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
        self.line(depth, node.name or "items", count)
        start = self.ranges[self.index][1] if self.index < len(self.ranges) else len(self.data)
        place = len(self.lines)
        if node.prefix is not None and self.next == node.prefix.id:
            self.take()
        numbers = self.numbered(node, values)
        for index, value in enumerate(items):
            self.item(node.item, value, depth + 1, index, numbers)
        while node.id in self.secrets and self.next in self.subtrees(node):
            self.take()
        end = self.ranges[self.index - 1][2] if self.index else 0
        body, self.lines = self.lines[place:], self.lines[:place]
        self.problems_at(depth + 1, frozenset({node.id}), start, end)
        self.lines += body
        if self.next in (None, UNDECODED):
            self.problems_at(depth + 1, self.subtrees(node), start, len(self.data))

    def numbered(self, node: nodes.ListNode, values: Value) -> Numbers | None:
        """Return the computed numbers of a list's items; None if they have none."""
        numbering = self.numberings.get(node.id)
        if numbering is None:
            return self.numbers
        return Numbers(numbering.name, firsts(numbering, values), numbering)

    def item(
        self, node: nodes.Node, value: Value, depth: int, index: int, numbers: Numbers | None
    ) -> None:
        """Add one item of a list; a pair of key and value takes one line."""
        if not isinstance(node, nodes.RecordNode):
            if self.next == node.id:
                _, start, end, raw = self.take()
                self.line(depth, f"[{index}]", self.text(node, raw))
                self.problems_at(depth + 1, self.subtrees(node), start, end)
            return
        if is_pair(node) and self.next == node.members[0].id:
            self.pair(node, depth)
            return
        self.lines.append(f"{STEP * depth}[{index}]")
        if numbers is not None and index < len(numbers.each):
            number = numbers.each[index]
            if numbers.of is None or numbers.of.start is not None:
                self.generated(depth + 1, f"{numbers.name}: {number}")
            self.following = (numbers.of, number) if numbers.of is not None else None
        self.members(node.members, value, depth + 1)

    def pair(self, node: nodes.RecordNode, depth: int) -> None:
        """Add `key: value`."""
        key, value = node.members
        _, start, end, name = self.take()
        text = "[cannot be read]"
        if self.next == value.id:
            _, _, end, raw = self.take()
            text = self.text(value, raw)
        else:
            end = len(self.data)
        self.line(depth, self.text(key, name), text)
        self.problems_at(depth + 1, self.subtrees(node), start, end)

    def loose(
        self,
        node: nodes.MessageNode | nodes.LineNode | nodes.HeadersNode | nodes.JsonLineNode,
        depth: int,
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
            self.bare_block(node, depth, ids)
        while self.next in ids:
            number_of = self.next
            if number_of in nested and (inner := nested[number_of]) is not None:
                self.lines.append(STEP * depth + self.palette.paint("name", inner.path[-1]) + ":")
                self.loose(inner, depth + 1)
                self.undecoded(depth + 1)
                continue
            _, start, end, value = self.take()
            if number_of != node.id and number_of is not None:
                child = by_id[number_of]
                self.line(depth, child.name or "bytes", self.text(child, value))
                self.problems_at(depth + 1, frozenset({number_of}), start, end)

    def bare_block(self, node: nodes.HeadersNode, depth: int, ids: frozenset[int]) -> None:
        """Add a header block that is present, but empty."""
        found = itertools.takewhile(
            ids.__contains__, (each[0] for each in self.ranges[self.index :])
        )
        if set(found) == {node.id}:
            self.line(depth, node.headers.name or "", "[empty]")

    # The rest

    def undecoded(self, depth: int) -> None:
        """Add bytes that no member reads."""
        while self.next == UNDECODED:
            _, start, end, _ = self.take()
            hidden = self.secrets or self.hides_undecoded or is_hidden(self.data[start:end])
            shown = "" if hidden else f": {self.data[start:end][: LONGEST // 8].hex()}"
            self.generated(depth, f"{counted(end - start, 'byte')} not decoded{shown}")

    def left_over(self) -> None:
        """Add problems of the whole frame, and those whose member is not in the tree."""
        for each in self.problems:
            self.problem(1, each, at=each.node != UNDECODED)
