"""What one side said, in a few words: what the schema shows of a frame."""

from typing import Any, Final

from streamshark.conversations.conversation import Turn
from streamshark.conversations.functions import f_path
from streamshark.frames.frame import FrameRow, Row
from streamshark.schema.nodes import Node, Tree

LONGEST: Final = 60
"""Characters of one value."""
_UNITS: Final = {"h": 3600 * 10**9, "min": 60 * 10**9, "s": 10**9, "ms": 10**6, "us": 1000}


def turn_of(row: Row | None) -> Turn | None:
    """The turn that a frame is; None for what is no frame."""
    if not isinstance(row, FrameRow):
        return None
    tree = row.decoder.tree if row.decoder else None
    if tree is None:
        return Turn(row.number, "unknown", "")
    parts = []
    for label, path in tree.schema.shows.items():
        value = f_path(row.outline, *path.split("."))
        if isinstance(value, (list, range)) and "." in path:
            value = f_path(row.values, *path.split("."))
            value = value[0] if value else None
        if value is not None:
            parts.append(f"{label}={shown(value, _node(tree, path))}")
    return Turn(row.number, row.name or "unknown", " ".join(parts))


def shown(value: Any, node: Node | None) -> str:  # noqa: ANN401 - any value
    """A value in a few words: a code by its name, a list by its length, secrets masked."""
    if node is not None and node.facts.secret:
        return "***"
    if isinstance(value, (list, range, dict)):
        return str(len(value))
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    name = (node.facts.names or {}).get(value) if node is not None else None
    text = str(name or value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def duration(ns: int) -> str:
    """A time for people.

    >>> duration(3_100_000)
    '3.1 ms'
    """
    for unit, size in _UNITS.items():
        if abs(ns) >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns} ns"


def _node(tree: Tree, path: str) -> Node | None:
    try:
        return tree.find(path)
    except KeyError:
        return None
