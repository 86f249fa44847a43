"""What expressions say of the numbers of a tree: which are lengths, which follow from others."""

from streamshark.schema import nodes
from streamshark.schema.frame import Head


def referred(expr: nodes.Expr | None) -> set[int]:
    """Values whose number an expression uses; lengths of drawn things do not count."""
    match expr:
        case nodes.Ref():
            return {expr.node.value}
        case nodes.Operation():
            return referred(expr.left) | referred(expr.right)
        case nodes.In():
            return referred(expr.of)
        case _:
            return set()


def used(expr: nodes.Expr) -> set[int]:
    """Values that an expression refers to in any way."""
    match expr:
        case nodes.Len() | nodes.Sum():
            return {expr.node.value}
        case nodes.Operation():
            return used(expr.left) | used(expr.right)
        case nodes.In():
            return used(expr.of)
        case _:
            return referred(expr)


def width(node: nodes.Node) -> int:
    """Bits of a number; those of a decimal argument are more than enough."""
    match node:
        case nodes.IntNode():
            return node.size * 8
        case nodes.PartNode():
            return node.width
        case _:
            return 16


def plain(expr: nodes.Expr | None) -> set[int]:
    """Values that an expression adds or subtracts as they are."""
    match expr:
        case nodes.Ref():
            return {expr.node.value}
        case nodes.Operation() if expr.symbol in "+-":
            return plain(expr.left) | plain(expr.right)
        case _:
            return set()


def regions(tree: nodes.Tree) -> set[int]:
    """Values that measure or sum a region, and nothing but that."""
    found: set[int] = set()
    for node in tree.nodes:
        if isinstance(node, nodes.RegionNode):
            found |= referred(node.length) | referred(node.expected)
    claimed = {e.of.value for e in tree.nodes if isinstance(e, nodes.ClaimNode)}
    return found - claimed


def filled(tree: nodes.Tree) -> tuple[set[int], set[int]]:
    """Values that the reference fills in, and those of them that the head's total gives."""
    found: set[int] = set()
    for node in tree.nodes:
        match node:
            case nodes.ClaimNode():
                found.add(node.of.value)
            case nodes.RegionNode():
                found |= referred(node.length) | referred(node.expected)
    totals: set[int] = set()
    head = tree.head
    if isinstance(head, Head) and head.total is not None:
        names = set(tree.hidden) - {head.key, head.version, head.response}
        totals = {e.value for e in tree.nodes if len(e.path) == 1 and e.name in names}
    for node in tree.nodes:
        if isinstance(node, nodes.BlobNode) and (own := referred(node.length)):
            rest = plain(node.length) - found
            if own & found and not own & totals and len(rest) == 1:
                found |= rest
    return found | totals, totals


def derived(tree: nodes.Tree) -> set[int]:
    """Values that are a length, count or sum of others: an encoder can work them out."""
    found: set[int] = set()
    for node in tree.nodes:
        match node:
            case nodes.ClaimNode():
                found.add(node.of.value)
            case nodes.RegionNode():
                found |= plain(node.length) | referred(node.expected)
            case nodes.BlobNode():
                found |= plain(node.length)
            case nodes.ListNode():
                found |= plain(node.count)
    return found | filled(tree)[1]


def sizes(tree: nodes.Tree) -> set[int]:
    """Values that are a length or a count of something."""
    found: set[int] = set()
    for node in tree.nodes:
        if isinstance(node, nodes.BlobNode):
            found |= referred(node.length)
        elif isinstance(node, nodes.ListNode):
            found |= referred(node.count)
    return found


def compared(tree: nodes.Tree) -> dict[int, set[int]]:
    """Value to the constants that it is compared with."""
    found: dict[int, set[int]] = {}
    for node in tree.nodes:
        pairs: list[tuple[int, int]] = []
        if isinstance(node, nodes.WhenNode):
            pairs = _pairs(node.condition)
        elif isinstance(node, nodes.SwitchNode):
            pairs = [(value, case) for value in referred(node.on) for case in node.cases]
        for value, constant in pairs:
            found.setdefault(value, set()).add(constant)
    return found


def cases(tree: nodes.Tree) -> dict[int, tuple[int, ...]]:
    """Value to the only numbers that it may be."""
    return {
        value: tuple(node.cases)
        for node in tree.nodes
        if isinstance(node, nodes.SwitchNode) and node.closed
        for value in referred(node.on)
    }


def _pairs(expr: nodes.Expr) -> list[tuple[int, int]]:
    """Values and constants that are on two sides of an operator."""
    match expr:
        case nodes.In():
            return [(value, each) for value in referred(expr.of) for each in expr.values]
        case nodes.Operation():
            sides = ((expr.left, expr.right), (expr.right, expr.left))
            own = [
                (value, other.value)
                for one, other in sides
                if isinstance(other, nodes.Const)
                for value in referred(one)
            ]
            return own + _pairs(expr.left) + _pairs(expr.right)
        case _:
            return []
