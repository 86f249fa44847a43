"""Numbers that are not in the bytes: the offset of each message of a chunk, and the like.

A frame declares them (`schema.Numbering`); they are computed where they are shown, never by the
decoders.
"""

from typing import Any

from streamshark.schema import Numbering
from streamshark.schema.nodes import Tree

Values = dict[str, Any]


def named(tree: Tree) -> dict[str, Numbering]:
    """Return the full names of a frame's computed numbers, which no byte holds."""
    return {
        f"{tree.prefix}.{each.items}.{each.name}": each
        for each in tree.schema.numbers
        if each.start is not None
    }


def firsts(numbering: Numbering, record: Values) -> list[int]:
    """Return the number of each item: of its first message if it has several.

    `record` is the one that the list is in. Fewer where something is missing.
    """
    items = record.get(numbering.items.rpartition(".")[2]) or []
    if numbering.start is None:
        return [item[numbering.name] for item in items if numbering.name in item]
    number = record.get(numbering.start)
    if number is None:
        return []
    out = []
    for item in items:
        out.append(number)
        number += item.get(numbering.weight, 1)
    return out


def inside(numbering: Numbering, first: int, count: int) -> range | list[int]:
    """Return the numbers of so many records inside an item whose number is `first`."""
    if numbering.start is None:
        return [first] * count
    return range(first, first + count)
