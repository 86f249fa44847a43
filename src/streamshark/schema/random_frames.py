"""Values made from a schema: valid frames of every shape it allows, by a seed.

`samples` walks the nodes in wire order and draws a value for each: boundaries often, both sides of
every condition, every arm, every number of tails. What follows from other bytes (lengths of
regions, checksums, claims, the head's total and selectors) is left out, for `reference.build` fills
it in. Of a union told apart by what fits, a drawn arm may fit an earlier layout too; whoever builds
such a frame must look which one it is.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from streamshark.errors import SchemaError
from streamshark.schema import expression_facts, nodes
from streamshark.schema.composites import FORM
from streamshark.schema.expression_facts import referred, width
from streamshark.schema.expressions import OPERATORS
from streamshark.schema.frame import Head
from streamshark.schema.json_lines import OTHER
from streamshark.schema.protobuf import UNKNOWN
from streamshark.schema.random_values import RandomValues

Values = dict[str, Any]
ATTEMPTS = 1000
"""Frames drawn before a schema is taken to allow none."""
SLACK = 32
"""Bytes of other things that a length may count with those of a blob."""
FEW = (0, 1, 2, 3)
"""Items of a drawn list, mostly."""


def samples(tree: nodes.Tree, count: int, *, seed: int = 0) -> Iterator[Values]:
    """Draw `count` frames: the leanest first, then the fullest, then at random.

    The values lack the head's hidden members and whatever the reference fills in.
    """
    for index in range(count):
        draws = RandomValues(
            Random(f"{tree.prefix} {seed} {index}"),  # noqa: S311 - not for secrets
            ("lean", "full")[index : index + 1],
        )
        yield _FrameSampler(tree, draws).frame()


class _RedrawError(Exception):
    """These draws do not go together; draw again."""


class _FrameSampler:
    """Draws one frame."""

    def __init__(self, tree: nodes.Tree, draws: RandomValues) -> None:
        self.tree = tree
        self.draws = draws
        self.known: dict[int, Any] = {}
        """`Node.value` to what was drawn."""
        self.compared = expression_facts.compared(tree)
        self.cases = expression_facts.cases(tree)
        self.filled, self.totals = expression_facts.filled(tree)
        self.pending: dict[int, tuple[nodes.Node, Values]] = {}
        """Numbers that wait for a region, which may turn out not to be there."""
        self.sizes = expression_facts.sizes(tree) - self.filled
        self.method: dict[type, Callable[[Any, Values, bool], None]] = {
            nodes.IntNode: self.leaf, nodes.BlobNode: self.leaf, nodes.ListNode: self.leaf,
            nodes.RecordNode: self.leaf, nodes.BitsNode: self.bits, nodes.WhenNode: self.when,
            nodes.TailNode: self.tail, nodes.EitherNode: self.either, nodes.FitsNode: self.fits,
            nodes.SwitchNode: self.switch, nodes.RegionNode: self.region,
            nodes.ClaimNode: self.nothing, nodes.LiteralNode: self.nothing,
            nodes.MessageNode: self.message, nodes.LineNode: self.line,
            nodes.HeadersNode: self.headers, nodes.JsonLineNode: self.json_line,
        }  # fmt: skip

    def frame(self) -> Values:
        """Draw a whole frame."""
        for _ in range(ATTEMPTS):
            self.known = self.selectors()
            self.pending.clear()
            out: Values = {}
            try:
                self.members(self.tree.root.members, out, last=True)
            except _RedrawError:
                self.draws.loosen()
            else:
                for node, record in self.pending.values():
                    record[str(node.name)] = self.draws.size((1 << width(node)) - 1)
                return out
        raise SchemaError(f"{self.tree.prefix}: no frame could be drawn in {ATTEMPTS} attempts")

    def selectors(self) -> dict[int, Any]:
        """Return the head members that the schema fixes."""
        head, schema = self.tree.head, self.tree.schema
        if not isinstance(head, Head):
            return {}
        given = {head.key: schema.key, head.version: schema.version}
        given[head.response] = int(schema.response_bits[0])
        return {
            node.value: given[node.name]
            for node in self.tree.nodes
            if len(node.path) == 1 and node.name in given
        }

    # Members

    def members(self, members: list[nodes.Node], out: Values, *, last: bool) -> None:
        """Members one after the other; with `last` the region ends after them."""
        for index, node in enumerate(members):
            ends = last and all(self.takes_nothing(e, node) for e in members[index + 1 :])
            self.method[type(node)](node, out, ends)

    def takes_nothing(self, node: nodes.Node, before: nodes.Node) -> bool:
        """Whether a later member may take no bytes, as far as is settled before this one."""
        if isinstance(node, nodes.TailNode | nodes.ClaimNode):
            return True
        if not isinstance(node, nodes.WhenNode) or self.depends(node.condition):
            return False
        used = expression_facts.used(node.condition)
        settled = all(e.id < before.id for e in self.tree.nodes if e.value in used)
        return settled and not self.evaluate(node.condition)

    def left_out(self, node: nodes.Node) -> bool:
        """Whether the reference fills this node in."""
        hidden = len(node.path) == 1 and node.path[0] in self.tree.hidden
        return hidden or node.value in self.filled

    def nothing(self, node: nodes.Node, out: Values, last: bool) -> None:  # noqa: FBT001
        """Has no value."""

    def leaf(self, node: nodes.Node, out: Values, last: bool) -> None:  # noqa: FBT001
        """Draw a named value."""
        if self.left_out(node):
            if node.value in expression_facts.regions(self.tree):
                self.pending[node.value] = node, out
            return
        value = self.value(node, last=last)
        self.known[node.value] = out[str(node.name)] = value

    def bits(self, node: nodes.BitsNode, out: Values, last: bool) -> None:  # noqa: ARG002, FBT001
        """Draw the named parts of a group."""
        for part in node.parts:
            if part.name is not None and not self.left_out(part):
                value = self.number(part, 0, (1 << part.width) - 1)
                self.known[part.value] = out[part.name] = value

    def when(self, node: nodes.WhenNode, out: Values, last: bool) -> None:  # noqa: FBT001
        """Members if the condition over what was drawn holds; a coin where it hangs on the rest."""
        if self.depends(node.condition):
            self.draws.least = 1
            present = self.draws.coin()
        else:
            present = bool(self.evaluate(node.condition))
        if present:
            self.members(node.members, out, last=last)
        self.draws.least = 0

    def tail(self, node: nodes.TailNode, out: Values, last: bool) -> None:  # noqa: FBT001
        """Draw a member that may be absent if only such members follow; these then are too."""
        if last and self.draws.ends_here():
            return
        self.draws.least = 1
        self.members(node.members, out, last=last)
        self.draws.least = 0

    def either(self, node: nodes.EitherNode, out: Values, last: bool) -> None:  # noqa: FBT001
        """One arm, its first bit as the arm wants it."""
        is_set = self.draws.coin()
        arm = node.set if is_set else node.clear
        self.members(arm, out, last=last)
        first = arm[0].parts[0] if isinstance(arm[0], nodes.BitsNode) else arm[0]
        bits = first.width if isinstance(first, nodes.PartNode) else 0
        bits = first.size * 8 if isinstance(first, nodes.IntNode) else bits
        if first.name in out and bits:
            top = 1 << bits - 1
            if isinstance(first, nodes.IntNode) and first.signed:
                changed = -abs(out[first.name]) - 1 if is_set else abs(out[first.name]) % top
                changed = max(changed, -top)
            else:
                changed = out[first.name] | top if is_set else out[first.name] & (top - 1)
            self.known[first.value] = out[first.name] = changed

    def fits(self, node: nodes.FitsNode, out: Values, last: bool) -> None:  # noqa: FBT001
        """One arm, and its name."""
        name, arm = self.draws.choice(node.arms)
        out[FORM] = name
        self.members(arm, out, last=last)

    def switch(self, node: nodes.SwitchNode, out: Values, last: bool) -> None:  # noqa: FBT001
        """Draw the arm that the value selects."""
        self.members(node.cases.get(self.evaluate(node.on), node.default), out, last=last)

    def region(self, node: nodes.RegionNode, out: Values, last: bool) -> None:  # noqa: ARG002, FBT001
        """Members up to an end of their own."""
        for value in referred(node.length) | referred(node.expected):
            self.pending.pop(value, None)
        with self.draws.region():
            self.members(node.members, out, last=True)

    def message(self, node: nodes.MessageNode, out: Values, last: bool) -> None:  # noqa: ARG002, FBT001
        """Draw some of the fields, sometimes one that is not declared."""
        for each in node.fields.values():
            if self.draws.coin():
                out[str(each.name)] = self.proto(each)
        if self.draws.rarely():
            number = max([*node.fields, 0]) % 0xFFFFF + 1
            if number not in node.fields:
                out[UNKNOWN] = [self.draws.unknown_field(number)]

    def proto(self, node: nodes.ProtoNode) -> Any:
        """Draw the value of a protobuf field."""
        if not node.repeated:
            return self.one_proto(node)
        return [self.one_proto(node) for _ in range(self.draws.choice(FEW[1:]))]

    def one_proto(self, node: nodes.ProtoNode) -> Any:
        """One value of a protobuf field."""
        if node.message is None:
            return self.draws.proto(node.kind)
        out: Values = {}
        if self.draws.deeper():
            self.message(node.message, out, last=True)
            self.draws.shallower()
        return out

    def line(self, node: nodes.LineNode, out: Values, last: bool) -> None:  # noqa: ARG002, FBT001
        """Draw the arguments of one form of the line."""
        marks = sorted({each.mark for each in node.arguments if each.mark})
        mark = self.draws.choice([None, *marks])
        optional = [each for each in node.arguments if each.optional]
        present = optional[: self.draws.few(len(optional))]
        for each in node.arguments:
            unmarked = each.mark is None and (not each.optional or (not mark and each in present))
            if (unmarked or (each.mark and each.mark == mark)) and not self.left_out(each):
                value = self.draws.argument(each.kind)
                if value != "" or not each.optional:
                    self.known[each.value] = out[str(each.name)] = value

    def headers(self, node: nodes.HeadersNode, out: Values, last: bool) -> None:  # noqa: ARG002, FBT001
        """Draw a header block, or none."""
        if self.draws.rarely():
            return
        if self.draws.coin():
            out["status"] = self.draws.choice((0, 100, 503))
            if self.draws.coin():
                out["description"] = "No Responders"
        pairs = range(self.draws.choice(FEW))
        out["headers"] = [
            {"key": self.draws.token(), "value": self.draws.argument("rest").strip()} for _ in pairs
        ]

    def json_line(self, node: nodes.JsonLineNode, out: Values, last: bool) -> None:  # noqa: ARG002, FBT001
        """Draw the members of an object."""
        for name, each in node.fields.items():
            if self.draws.coin():
                self.known[each.value] = out[name] = self.draws.argument(each.kind)
        if self.draws.rarely():
            key = f"un{self.draws.token()}"
            out[OTHER] = [{"key": key, "value": self.draws.argument("json")}]

    # Values

    def value(self, node: nodes.Node, *, last: bool) -> Any:
        """Draw the value of one node."""
        match node:
            case nodes.IntNode():
                bits = node.size * 8
                least = -(1 << bits - 1) if node.signed else 0
                return self.number(node, least, (1 << bits - node.signed) - 1)
            case nodes.BlobNode():
                if node.prefix is None and node.length is None and not last:
                    raise _RedrawError
                return self.blob(node)
            case nodes.ListNode():
                return self.many(node, last=last)
            case nodes.RecordNode():
                out: Values = {}
                self.members(node.members, out, last=last)
                return out
            case _:
                raise _RedrawError

    def number(self, node: nodes.Node, least: int, most: int) -> int:
        """Draw a number, small where it is a length or count."""
        if node.value in self.sizes:
            return self.draws.size(most)
        if node.value in self.cases:
            return self.draws.choice(self.cases[node.value])
        return self.draws.number(least, most, self.compared.get(node.value, ()))

    def blob(self, node: nodes.BlobNode) -> Any:
        """Text or bytes of the wanted length."""
        if node.null and self.draws.rarely():
            return None
        size = self.wanted(node.length)
        if size is None:
            most = self.widest(node.length)
            if node.prefix is not None:
                most = (1 << 8 * node.prefix.size) - 1
            if node.prefix is not None and node.prefix.signed:
                most >>= 1
            size = self.draws.size(most if node.limit is None else min(most, node.limit))
            size = max(size, self.room(node.length))
        return self.draws.bytes(size) if node.encoding in (None, "uuid") else self.draws.text(
            size, str(node.encoding)
        )  # fmt: skip

    def widest(self, expr: nodes.Expr | None) -> int:
        """Most bytes that the numbers in an expression can say, with room for what is added."""
        bits = [width(self.tree.nodes[value]) for value in referred(expr) & self.filled]
        return (1 << min([16, *bits])) - 1 - SLACK * bool(bits)

    def room(self, expr: nodes.Expr | None) -> int:
        """Fewest bytes for which the number in an expression is not negative."""
        least = self.draws.least
        if expr is None:
            return least
        return max(least, self.evaluate(expr)) if not self.totals & referred(expr) else least

    def many(self, node: nodes.ListNode, *, last: bool) -> list[Any]:
        """Draw a list."""
        count = self.wanted(node.count)
        if count is None:
            count = max(self.draws.least, self.draws.items())
            count = count if node.limit is None else min(count, node.limit)
        return [self.value(node.item, last=last and i == count - 1) for i in range(count)]

    def wanted(self, expr: nodes.Expr | None) -> int | None:
        """Return the length or count that earlier numbers fix; None if it is free."""
        if expr is None or self.depends(expr):
            return None
        wanted = self.evaluate(expr)
        if wanted < 0:
            raise _RedrawError
        return wanted

    # Expressions

    def depends(self, expr: nodes.Expr) -> bool:
        """Whether an expression refers to something that the reference fills in."""
        hidden = {
            node.value
            for node in self.tree.nodes
            if len(node.path) == 1 and node.path[0] in self.tree.hidden
        }
        return bool(referred(expr) & (self.filled | hidden - self.selectors().keys()))

    def evaluate(self, expr: nodes.Expr) -> int:
        """Evaluate an expression over drawn values."""
        match expr:
            case nodes.Const():
                return expr.value
            case nodes.Ref():
                return int(self.known.get(expr.node.value) or 0)
            case nodes.Len():
                value = self.known.get(expr.node.value) or b""
                return len(value.encode()) if isinstance(value, str) else len(value)
            case nodes.Sum():
                items, name = self.known.get(expr.node.value) or [], expr.member.name
                return sum(int(item.get(name, expr.absent)) for item in items)
            case nodes.Operation():
                left, right = self.evaluate(expr.left), self.evaluate(expr.right)
                return int(OPERATORS[expr.symbol](left, right))
            case nodes.In():
                return int(self.evaluate(expr.of) in expr.values)
