"""When a member is present: the conditions around it, in words."""

from collections.abc import Sequence

from streamshark.schema import nodes
from streamshark.views.schema_text import condition, expression, named


def presences(tree: nodes.Tree) -> dict[int, str]:
    """Return when each optional node is present in its record, by node id."""
    found: dict[int, str] = {}
    _mark(tree.root.members, "", found)
    return found


def joined(presences: Sequence[str]) -> str:
    """Join the conditions of nodes that share a name; empty if one is always present."""
    return "" if "" in presences else " or ".join(dict.fromkeys(presences))


def _mark(members: Sequence[nodes.Node], presence: str, found: dict[int, str]) -> None:
    for node in members:
        if presence:
            found[node.id] = presence
        for part, inner in _parts(node):
            _mark(inner, _and(presence, part), found)
        match node:
            case nodes.ListNode() | nodes.RecordNode() | nodes.ProtoNode():
                _mark(nodes.children(node), "", found)
            case nodes.ArgumentNode() if node.optional or node.mark:
                found[node.id] = f"after `{node.mark}`" if node.mark else "if given"


def _parts(  # noqa: PLR0911 - one line a kind
    node: nodes.Node,
) -> list[tuple[str, Sequence[nodes.Node]]]:
    """Return the members in the same record below a node, each with its condition."""
    match node:
        case nodes.WhenNode():
            return [(f"if {condition(node.condition)}", node.members)]
        case nodes.TailNode():
            return [("while bytes remain", node.members)]
        case nodes.EitherNode():
            bit = "if the top bit of the next byte is"
            return [(f"{bit} 0", node.clear), (f"{bit} 1", node.set)]
        case nodes.FitsNode():
            return [(f"in the form `{name}`", arm) for name, arm in node.arms]
        case nodes.SwitchNode():
            return _cases(node)
        case nodes.ListNode() | nodes.RecordNode() | nodes.ProtoNode():
            return []
        case _:
            return [("", nodes.children(node))]


def _cases(node: nodes.SwitchNode) -> list[tuple[str, Sequence[nodes.Node]]]:
    on = expression(node.on)
    out: list[tuple[str, Sequence[nodes.Node]]] = [
        (f"if {on} is {named(node.on, value)}", arm) for value, arm in node.cases.items()
    ]
    return out if node.closed else [*out, (f"if {on} is anything else", node.default)]


def _and(one: str, other: str) -> str:
    return f"{one} and {other}" if one and other else one or other
