"""Schema nodes in words: expressions, conditions, types, notes on fields."""

from collections.abc import Iterator

from streamshark.fields.types import ENCODINGS
from streamshark.schema import nodes

COMPARISONS = {"==": "is", "!=": "is not"}


def cell(text: str) -> str:
    """Escape text for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    printed = ["| " + " | ".join(cell(each) for each in row) + " |" for row in (heads, *rows)]
    return [printed[0], "|" + " --- |" * len(heads), *printed[1:]]


def expression(given: nodes.Expr) -> str:
    """Return an expression as text."""
    match given:
        case nodes.Const():
            return str(given.value)
        case nodes.Ref():
            return str(given.node.name)
        case nodes.Len():
            return f"length of {given.node.name}"
        case nodes.Sum():
            each = f", {given.absent} where there is none" if given.absent else ""
            return f"sum of {given.member.name} in {given.node.name}{each}"
        case nodes.In():
            *most, last = map(str, given.values)
            values = f"{', '.join(most)} or {last}" if most else last
            return f"{expression(given.of)} is {values}"
        case nodes.Operation():
            symbol = COMPARISONS.get(given.symbol, given.symbol)
            return f"{_operand(given.left)} {symbol} {_operand(given.right)}"


def _operand(given: nodes.Expr) -> str:
    plain = expression(given)
    return f"({plain})" if isinstance(given, (nodes.Operation, nodes.In)) else plain


def condition(given: nodes.Expr) -> str:  # noqa: PLR0911 - one line a form
    """Return an expression that is tested against 0 as text: `flags has 0x4`, `more is set`."""
    match given:
        case nodes.Operation(symbol="&", left=nodes.Ref() as of, right=nodes.Const(value)):
            names = of.node.facts.flags or {}
            return f"{expression(of)} has {names.get(value, f'{value:#x}')}"
        case nodes.Operation(symbol="!=", left=inner, right=nodes.Const(0)):
            return condition(inner)
        case nodes.Ref():
            return f"{expression(given)} is set"
        case nodes.Operation(symbol="==", left=nodes.Ref() as of, right=nodes.Const(value)):
            return f"{expression(of)} is {named(of, value)}"
        case nodes.In(of=nodes.Ref() as of):
            *most, last = (named(of, value) for value in given.values)
            return (
                f"{expression(of)} is {', '.join(most)} or {last}"
                if most
                else f"{expression(of)} is {last}"
            )
        case nodes.Operation(symbol="&" | "|"):
            word = "and" if given.symbol == "&" else "or"
            return f"{condition(given.left)} {word} {condition(given.right)}"
        case _:
            return expression(given)


def named(of: nodes.Expr, value: int) -> str:
    """Return a number with its name, if it has one."""
    name = of.node.facts.name_of(value) if isinstance(of, nodes.Ref) else None
    return f"{value} ({name})" if name else str(value)


def notes(node: nodes.Node, tree: nodes.Tree) -> Iterator[str]:
    """Yield notes on a field, in addition to its description, a sentence each."""
    facts = node.facts
    if facts.secret:
        yield "A secret: masked in every output unless the user asks for it."
    if facts.since:
        yield f"Since {facts.since}."
    if isinstance(node, (nodes.BlobNode, nodes.ListNode)) and node.limit is not None:
        yield f"At most {node.limit} {'bytes' if isinstance(node, nodes.BlobNode) else 'items'}."
    if isinstance(node, nodes.BlobNode):
        yield from _blob(node)
    if isinstance(node, (nodes.BlobNode, nodes.ProtoNode, nodes.ArgumentNode)) and node.slot:
        yield f"A place for other formats (`{node.slot.name}`){chosen(node)}."
    for each in tree.nodes:
        match each:
            case nodes.ClaimNode() if each.of is node:
                yield f"Should be {expression(each.expression)}."
            case nodes.TailNode() if node in each.members and each.default is not None:
                yield f"Absent means {each.default}."


def _blob(node: nodes.BlobNode) -> Iterator[str]:
    if node.null:
        yield "Null when its length is -1."
    elif node.refuses_null:
        yield "Null (a length of -1) is refused."
    if node.encoding in ("ascii", "mutf-8"):
        yield f"In {ENCODINGS[node.encoding]}."


def chosen(node: nodes.Node) -> str:
    """Describe what determines the format in a slot; empty if nothing does."""
    if not isinstance(node, nodes.BlobNode) or node.slot is None:
        return ""
    names = [each.name or "" for each in node.types]
    if node.slot.agreed is not None:
        names.append(f"{node.slot.agreed} of the connection")
    return f", chosen by {' or '.join(names)}" if names else ""
