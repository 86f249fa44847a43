"""Helpers of trees: ids of subtrees, bit patterns, counts in words."""

from streamshark.schema import nodes


class Subtrees:
    """The ids of a node and of all nodes below it, cached."""

    def __init__(self) -> None:
        self._known: dict[nodes.Node, frozenset[int]] = {}

    def __call__(self, node: nodes.Node) -> frozenset[int]:
        """Return the ids of a node and of all nodes below it."""
        found = self._known.get(node)
        if found is None:
            below = (self(child) for child in nodes.children(node))
            found = self._known[node] = frozenset({node.id}.union(*below))
        return found


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 byte`, `2 bytes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def bits_of(size: int, mask: int, value: int) -> str:
    """Return the bits of a group that a mask selects, dots for the others: `.... 0101`.

    >>> bits_of(8, 0b0000_1111, 0b1010_0101)
    '.... 0101'
    """
    digits = "".join(
        str(value >> bit & 1) if mask >> bit & 1 else "." for bit in reversed(range(size))
    )
    return " ".join(digits[at : at + 4] for at in range(0, size, 4))


def is_pair(node: nodes.RecordNode) -> bool:
    """Return whether a record is a key and a value, each a plain text or number."""
    return [each.name for each in node.members] == ["key", "value"] and all(
        isinstance(each, (nodes.BlobNode, nodes.IntNode)) for each in node.members
    )


def below(node: nodes.Node) -> list[nodes.Node]:
    """Return a node and all nodes below it."""
    return [node, *(each for child in nodes.children(node) for each in below(child))]
