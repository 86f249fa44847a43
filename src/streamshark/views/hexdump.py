"""Bytes as tshark's `-x` shows them, with the bytes of secrets left out.

What could not be decoded of a frame that has secrets is left out too: the secret may stand there.
So are the bytes of slots in which a secret may stand.
"""

from collections.abc import Iterable

from streamshark.frames.dynamic import Range
from streamshark.frames.frame import FrameRow
from streamshark.frames.layers import cells, veiled
from streamshark.frames.printer import UNDECODED
from streamshark.schema import Head, nodes
from streamshark.views.values import secret_nodes

WIDTH = 16
"""Bytes of a line."""
PRINTABLE = range(0x20, 0x7F)

Span = tuple[int, int]
"""First byte, and the byte behind the last."""


def dump(data: bytes, hidden: Iterable[Span] = ()) -> str:
    """Offset, hex and ASCII, 16 bytes a line; bytes of hidden spans are `**` and `*`."""
    pairs = [f"{byte:02x}" for byte in data]
    letters = [chr(byte) if byte in PRINTABLE else "." for byte in data]
    for start, end in hidden:
        pairs[start:end] = ["**"] * (end - start)
        letters[start:end] = ["*"] * (end - start)
    return "".join(
        f"{at:04x}  {' '.join(pairs[at : at + WIDTH]):<47}   {''.join(letters[at : at + WIDTH])}\n"
        for at in range(0, len(data), WIDTH)
    )


def secret_spans(row: FrameRow) -> list[Span]:
    """Where the secrets of a frame stand, or may stand."""
    if row.decoder is None:
        return _unread(row)
    tree = row.decoder.tree
    secrets = secret_nodes(tree) | veiled_nodes(row, tree)
    if not secrets:
        return []
    ranges = row.decoder.examine(row.data).ranges
    secrets |= {UNDECODED}
    return [_content(row.decoder.tree, each) for each in ranges if each[0] in secrets]


def veiled_nodes(row: FrameRow, tree: nodes.Tree) -> frozenset[int]:
    """Ids of the slots of a frame in which a secret may stand."""
    slots = {
        each.id: each.slot
        for each in tree.nodes
        if isinstance(each, nodes.BlobNode) and each.slot and each.slot.veiled
    }
    if not slots:
        return frozenset()
    found = cells(tree, row.values, row.agreed)
    return frozenset(
        each.node for each in found if each.node in slots and veiled(slots[each.node], each.said)
    )


def _content(tree: nodes.Tree, found: Range) -> Span:
    """A range without the length that stands before the bytes."""
    number, start, end, _ = found
    node = tree.nodes[number] if number != UNDECODED else None
    if isinstance(node, nodes.BlobNode) and node.prefix is not None:
        start += node.prefix.size
    return start, end


def _unread(row: FrameRow) -> list[Span]:
    """A frame that no schema reads, all of it when another version of the command has secrets."""
    if row.selector is None:
        return []
    table = row.connection.table
    if any(
        each.tree.schema.key == row.selector.key and secret_nodes(each.tree) for each in table.all
    ):
        least = table.head.least if isinstance(table.head, Head) else 0
        return [(min(least, len(row.data)), len(row.data))]
    return []
