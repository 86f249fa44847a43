"""Prints how a stream is split into frames: the length and the selectors of a head."""

from typing import Final

from streamshark.errors import SchemaError
from streamshark.lua.text import LuaCode, table, value
from streamshark.schema import FrameKind, FrameSchema, Head, LineHead, Sender, nodes
from streamshark.schema import expressions as e
from streamshark.schema.walk import walk

_MOST_BITS: Final = 32
"""Most bits of a group that Wireshark reads as a number."""


def line_head_text(head: LineHead) -> str:
    """Return the head of a text protocol: its verbs, and those with bytes after the line."""
    own = {
        "least": 1,
        "most": head.most,
        "size": 1,
        "lines": True,
        "measure": LuaCode(
            f"line_measure({value(dict(head.verbs))}, {value(head.sized)}, {head.most_line})"
        ),
    }
    return table([f"{name} = {value(each)}" for name, each in own.items()])


def head_text(head: Head) -> str:
    """Return the head of a binary protocol.

    `select(from)` returns key, version and response bit, `measure` the length of the frame;
    `prefix` is the size of a length prefix that message carriers omit.

    Raises:
        SchemaError: A selector is not at a fixed offset.
    """
    schema = FrameSchema("head", 0, FrameKind.COMMAND, Sender.BOTH, "", "")
    tree = walk(schema, Head(head.members, head.total, head.key), "any")
    places = _places(tree)
    wanted = {name for name in (head.key, head.version, head.response) if name}
    total = set() if head.total is None else {name for name, _ in e.references(head.total)}
    if not (wanted | total) <= places.keys():
        raise SchemaError(f"the selectors of a head must be at a fixed place ({sorted(wanted)})")
    size = max((places[name][0] + places[name][1] for name in wanted | total), default=head.least)
    own = {"least": head.least, "most": head.most, "size": size}
    if head.total is not None:
        prefix = _prefix(tree, head)
        own |= {"prefix": prefix} if prefix is not None else {}
    else:
        own["prefix"] = 0
    lines = [f"{name} = {each}" for name, each in own.items()]
    key = _read(tree, places, head.key) if head.key else '""'
    version = _read(tree, places, head.version) if head.version else "nil"
    response = f"{_read(tree, places, head.response)} == 1" if head.response else "false"
    given = "from" if wanted else ""
    lines.append(f"select = function({given})\n  return {key}, {version}, {response}\nend")
    if head.total is not None:
        counted = _expression(head.total, tree, places)
        lines.append(f"measure = function(from)\n  return {counted}\nend")
    return table(lines)


def _prefix(tree: nodes.Tree, head: Head) -> int | None:
    """Return the size of the integer at the start of a head if it is only a length; else None."""
    first = tree.root.members[0]
    named = [first] if isinstance(first, nodes.IntNode) else list(nodes.children(first))
    names = {each.name for each in named if each.name}
    wanted = {name for name, _ in e.references(head.total)} if head.total is not None else set()
    if isinstance(first, (nodes.IntNode, nodes.BitsNode)) and names == wanted:
        return first.size
    return None


def _places(tree: nodes.Tree) -> dict[str, tuple[int, int, nodes.Node]]:
    """Return offset, bytes of its group, and node of each member at a fixed offset, by name."""
    out: dict[str, tuple[int, int, nodes.Node]] = {}
    at = 0
    for node in tree.root.members:
        match node:
            case nodes.IntNode():
                out[node.name or ""] = at, node.size, node
                at += node.size
            case nodes.BitsNode():
                for part in node.parts:
                    if part.name:
                        out[part.name] = at, node.size, part
                at += node.size
            case nodes.LiteralNode():
                at += len(node.data)
            case nodes.BlobNode(length=nodes.Const(value)):
                at += value
            case nodes.ClaimNode():
                continue
            case _:
                break
    return out


def _read(tree: nodes.Tree, places: dict[str, tuple[int, int, nodes.Node]], name: str) -> str:
    """Return a member of the head as an expression over `from`."""
    at, size, node = places[name]
    where = f"from + {at}" if at else "from"
    if size > _MOST_BITS // 8:
        raise SchemaError(f"{tree.prefix}: {name} has over 32 bits")
    if isinstance(node, nodes.IntNode) and node.signed:
        return f"number_at({where}, {size}, true)"
    text = f"u{size * 8}({where})"
    if isinstance(node, nodes.PartNode):
        if node.shift:
            text = f"math.floor({text} / {1 << node.shift})"
        if node.shift + node.width < size * 8:
            text = f"{text} % {1 << node.width}"
    return text


def _expression(
    given: e.Expression, tree: nodes.Tree, places: dict[str, tuple[int, int, nodes.Node]]
) -> str:
    """Return the length of a frame as an expression over `from`."""
    match given:
        case e.IntegerConstant():
            return str(given.value)
        case e.Reference():
            return _read(tree, places, given.target[0])
        case e.Binary(operator="+" | "-" | "*"):
            left = _expression(given.left, tree, places)
            right = _expression(given.right, tree, places)
            return left if right == "0" else f"{left} {given.operator} {right}"
        case _:
            raise SchemaError("a length is a sum of members")
