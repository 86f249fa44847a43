"""The problems that a frame can have: the codes that its kinds of nodes can report."""

from collections.abc import Callable

from streamshark.schema import ProblemCode, nodes


def codes(tree: nodes.Tree) -> list[ProblemCode]:
    """Return the problems that decoding a frame can report, in the order of the enumeration."""
    found = {ProblemCode.SHORT, ProblemCode.TRAILING} if tree.nodes else set()
    for node in tree.nodes:
        for kind, given in CODES.items():
            if isinstance(node, kind):
                found |= given(node)
    return [code for code in ProblemCode if code in found]


def _of_blob(node: nodes.Node) -> set[ProblemCode]:
    if not isinstance(node, nodes.BlobNode):
        return set()
    found = _measured(node.prefix, node.length)
    found |= {ProblemCode.LIMIT} if node.limit is not None else set()
    found |= {ProblemCode.NULL} if node.refuses_null else set()
    return found | ({ProblemCode.TEXT} if node.encoding not in (None, "uuid") else set())


def _of_list(node: nodes.Node) -> set[ProblemCode]:
    if not isinstance(node, nodes.ListNode):
        return set()
    found = _measured(node.prefix, node.count)
    found |= {ProblemCode.LIMIT} if node.limit is not None else set()
    return found | ({ProblemCode.COUNT} if node.claimed else set())


def _of_region(node: nodes.Node) -> set[ProblemCode]:
    if not isinstance(node, nodes.RegionNode):
        return set()
    found = _measured(node.prefix, node.length)
    return found | ({ProblemCode.CHECKSUM} if node.checksum else set())


def _of_proto(node: nodes.Node) -> set[ProblemCode]:
    if not isinstance(node, nodes.ProtoNode):
        return set()
    return {ProblemCode.TEXT} if node.kind == "string" else set()


def _of_argument(node: nodes.Node) -> set[ProblemCode]:
    kind = node.kind if isinstance(node, nodes.ArgumentNode) else "text"
    return {"number": {ProblemCode.NUMBER}, "integer": set(), "boolean": set()}.get(
        kind, {ProblemCode.TEXT}
    )


def _measured(prefix: nodes.IntNode | None, length: nodes.Expr | None) -> set[ProblemCode]:
    """Return the code for a length or count that can be negative."""
    signed = prefix.signed if prefix else length is not None and _signed(length)
    return {ProblemCode.NEGATIVE} if signed else set()


def _signed(given: nodes.Expr) -> bool:
    match given:
        case nodes.Ref():
            return isinstance(given.node, nodes.IntNode) and given.node.signed
        case nodes.Operation():
            return given.symbol == "-" or _signed(given.left) or _signed(given.right)
        case _:
            return False


def _is_closed(node: nodes.Node) -> bool:
    return isinstance(node, nodes.SwitchNode) and node.closed


CODES: dict[type[nodes.Node], Callable[[nodes.Node], set[ProblemCode]]] = {
    nodes.BlobNode: _of_blob,
    nodes.ListNode: _of_list,
    nodes.RegionNode: _of_region,
    nodes.ProtoNode: _of_proto,
    nodes.ArgumentNode: _of_argument,
    nodes.ClaimNode: lambda _: {ProblemCode.CLAIM},
    nodes.LiteralNode: lambda _: {ProblemCode.LITERAL},
    nodes.FitsNode: lambda _: {ProblemCode.NO_FIT},
    nodes.SwitchNode: lambda each: {ProblemCode.VALUE} if _is_closed(each) else set(),
    nodes.MessageNode: lambda _: {ProblemCode.VARINT, ProblemCode.WIRE_TYPE},
    nodes.LineNode: lambda _: {ProblemCode.VERB, ProblemCode.ARGS},
    nodes.HeadersNode: lambda _: {ProblemCode.ARGS, ProblemCode.TEXT},
    nodes.JsonLineNode: lambda _: {ProblemCode.VERB, ProblemCode.VALUE, ProblemCode.TEXT},
}
"""Codes that each kind of node adds to those of every frame."""
