"""Lines as pieces, each with the name of a style: what views paint, without their colours."""

import re
from typing import Final, NamedTuple

from streamshark.views.colour import Palette

_START, _TEXT, _END = "\x01", "\x02", "\x03"
"""Marks around a piece: views escape control characters, so that texts have none of them."""
_PIECE: Final = re.compile(f"{_START}([^{_TEXT}]*){_TEXT}([^{_END}]*){_END}|([^{_START}]+)")


class TextPiece(NamedTuple):
    """Text of one style."""

    text: str
    style: str = ""
    """Name of the style, as of a palette; empty for plain text."""


class PiecePalette(Palette):
    """A palette whose texts `pieces` divides."""

    def __init__(self) -> None:
        super().__init__(enabled=True)

    def paint(self, style: str | None, text: str) -> str:
        """Return the text between marks."""
        return f"{_START}{style}{_TEXT}{text}{_END}" if style else text


def pieces(text: str) -> list[TextPiece]:
    """Return the pieces of a text that a `PiecePalette` has painted."""
    return [
        TextPiece(plain) if plain else TextPiece(painted, style)
        for style, painted, plain in _PIECE.findall(text)
        if plain or painted
    ]


def text_of(line: list[TextPiece]) -> str:
    """Return the text of a line."""
    return "".join(each.text for each in line)
