"""A display filter as a tree, with the types of its operands and what it needs."""

from collections.abc import Iterator
from typing import Any

from streamshark.filters.filter import Filter
from streamshark.filters.nodes import (
    BareWord,
    BinaryOperation,
    Call,
    Exists,
    FieldReference,
    LogicalOperation,
    Membership,
    Negation,
    Node,
    Not,
    Relation,
    Slice,
    WrittenValue,
    children,
    written,
)
from streamshark.views.escaping import printable
from streamshark.views.json import encoded

_NEEDS = {
    "annotation": "conversations of the rows",
    "derived": "values that the engine derives",
    "bodies": "message bodies",
    "first reading": "a first reading of the captures",
    "findings": "findings",
}
"""What a filter needs beside frames, in words."""


def as_text(chosen: Filter) -> str:
    """Return the tree, one node a line, then the types of the fields and the needs."""
    if chosen.node is None:
        return "every row\n"
    lines = [f"{'  ' * depth}{label}" for label, depth in _lines(chosen.node)]
    fields = {each.field.name: each.field for each in chosen.used}
    width = max(map(len, fields), default=0)
    lines += ["", "Fields", *(
        f"  {name:<{width}}  {each.type.words or each.type.kind:<12}  {each.doc}"
        for name, each in fields.items()
    )]  # fmt: skip
    needs = sorted(_NEEDS.get(each, each) for each in chosen.needs)
    lines += ["", f"Needs: frames{''.join(f', {each}' for each in needs)}"]
    return "".join(f"{printable(line)}".rstrip() + "\n" for line in lines)


def as_json(chosen: Filter) -> str:
    """Return the tree as JSON."""
    fields = {each.field.name: each.field for each in chosen.used}
    document = {
        "filter": chosen.text,
        "canonical": "" if chosen.node is None else written(chosen.node),
        "tree": None if chosen.node is None else _json(chosen.node),
        "fields": [
            {"name": name, "type": each.type.words or each.type.kind, "description": each.doc}
            for name, each in fields.items()
        ],
        "needs": sorted(chosen.needs),
    }
    return encoded(document) + "\n"


def _json(node: Node) -> dict[str, Any]:
    below = [_json(each) for each in children(node)]
    members: dict[str, Any] = {"node": label(node), "start": node.start, "end": node.end}
    return {**members, "children": below} if below else members


def _lines(node: Node) -> Iterator[tuple[str, int]]:
    """Yield the label of each node with its depth; a relation is one line."""
    stack: list[tuple[Node, int]] = [(node, 0)]
    while stack:
        each, depth = stack.pop()
        if isinstance(each, LogicalOperation | Not):
            yield label(each), depth
            stack.extend((child, depth + 1) for child in reversed(children(each)))
        else:
            yield written(each), depth


def label(node: Node) -> str:  # noqa: PLR0911 - one row a kind
    """Return what a node is, in a word or two."""
    match node:
        case LogicalOperation() | BinaryOperation():
            return node.symbol
        case Relation():
            return f"{node.quantifier} {node.symbol}".strip()
        case Membership():
            return f"{node.quantifier} {'not in' if node.negated else 'in'}".strip()
        case Not():
            return "not"
        case Exists():
            return "exists"
        case Negation():
            return "-"
        case Call():
            return f"{node.function}()"
        case Slice():
            return f"[{', '.join(map(str, node.parts))}]"
        case WrittenValue() | BareWord() | FieldReference():
            return written(node)
