"""What can go wrong in a frame: the codes that its kinds of nodes can bring."""

from collections.abc import Callable

from streamshark.schema import Code, nodes


def codes(tree: nodes.Tree) -> list[Code]:
    """The problems that decoding a frame can meet, in the order of the list of codes."""
    found = {Code.SHORT, Code.TRAILING} if tree.nodes else set()
    for node in tree.nodes:
        for kind, given in CODES.items():
            if isinstance(node, kind):
                found |= given(node)
    return [code for code in Code if code in found]


def _of_blob(node: nodes.Node) -> set[Code]:
    if not isinstance(node, nodes.BlobNode):
        return set()
    found = _measured(node.prefix, node.length)
    found |= {Code.LIMIT} if node.limit is not None else set()
    found |= {Code.NULL} if node.refuses_null else set()
    return found | ({Code.TEXT} if node.encoding not in (None, "uuid") else set())


def _of_list(node: nodes.Node) -> set[Code]:
    if not isinstance(node, nodes.ListNode):
        return set()
    found = _measured(node.prefix, node.count)
    found |= {Code.LIMIT} if node.limit is not None else set()
    return found | ({Code.COUNT} if node.claimed else set())


def _of_region(node: nodes.Node) -> set[Code]:
    if not isinstance(node, nodes.RegionNode):
        return set()
    found = _measured(node.prefix, node.length)
    return found | ({Code.CHECKSUM} if node.checksum else set())


def _of_proto(node: nodes.Node) -> set[Code]:
    if not isinstance(node, nodes.ProtoNode):
        return set()
    return {Code.TEXT} if node.kind == "string" else set()


def _of_argument(node: nodes.Node) -> set[Code]:
    kind = node.kind if isinstance(node, nodes.ArgumentNode) else "text"
    return {"number": {Code.NUMBER}, "integer": set(), "boolean": set()}.get(kind, {Code.TEXT})


def _measured(prefix: nodes.IntNode | None, length: nodes.Expr | None) -> set[Code]:
    """A length or count that can be negative."""
    signed = prefix.signed if prefix else length is not None and _signed(length)
    return {Code.NEGATIVE} if signed else set()


def _signed(given: nodes.Expr) -> bool:
    match given:
        case nodes.Ref():
            return isinstance(given.node, nodes.IntNode) and given.node.signed
        case nodes.Op():
            return given.symbol == "-" or _signed(given.left) or _signed(given.right)
        case _:
            return False


def _is_closed(node: nodes.Node) -> bool:
    return isinstance(node, nodes.SwitchNode) and node.closed


CODES: dict[type[nodes.Node], Callable[[nodes.Node], set[Code]]] = {
    nodes.BlobNode: _of_blob,
    nodes.ListNode: _of_list,
    nodes.RegionNode: _of_region,
    nodes.ProtoNode: _of_proto,
    nodes.ArgumentNode: _of_argument,
    nodes.ClaimNode: lambda _: {Code.CLAIM},
    nodes.LiteralNode: lambda _: {Code.LITERAL},
    nodes.FitsNode: lambda _: {Code.NO_FIT},
    nodes.SwitchNode: lambda each: {Code.VALUE} if _is_closed(each) else set(),
    nodes.MessageNode: lambda _: {Code.VARINT, Code.WIRE_TYPE},
    nodes.LineNode: lambda _: {Code.VERB, Code.ARGS},
    nodes.HeadersNode: lambda _: {Code.ARGS, Code.TEXT},
    nodes.JsonLineNode: lambda _: {Code.VERB, Code.VALUE, Code.TEXT},
}
"""Kind of node to the codes that it adds to those of every frame."""
