"""Where the values of JSON are: for those who replace them and keep the rest."""

import re
from typing import Final

from streamshark.decoding.payloads import Leaf, LeafKind

_LEAF: Final = re.compile(
    rb'"(?P<quoted>(?:[^"\\]|\\.)*)(?:"|\Z)|(?P<decimal>-?\d+(?:\.\d+)?)(?:[eE][+-]?\d+)?'
    rb"|(?:true|false|null)\b|(?P<rest>[^\s\"{}\[\]:,]+)",
    re.DOTALL,
)


def leaves(data: bytes) -> list[Leaf]:
    """Return strings, names of members included, and numbers, in the order of the bytes."""
    out = []
    for found in _LEAF.finditer(data):
        kind = found.lastgroup
        if kind is not None and found[kind]:
            out.append(Leaf(LeafKind[kind.upper()], *found.span(kind)))
    return out
