"""Lines that fit a terminal: columns of characters, folding at blanks, cutting with `…`.

Colours (SGR sequences) take no columns and are never cut.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

ELLIPSIS: Final = "…"
"""Stands for what is cut off."""
LEAST_ROOM: Final = 20
"""Columns that a folded line keeps for its text, however far it is indented."""
HANGING: Final = 4
"""Columns by which the lines that continue one are indented further than it."""

_SGR: Final = re.compile(r"\x1b\[[0-9;]*m")
_PIECES: Final = re.compile(
    r"\x1b\[[0-9;]*m| +|! [^ \x1b]+|"
    r"[\d.,]+ (?:[kKMG]i?B|[num]?s|bytes?)(?![^ ,\x1b])|[^ \x1b]+|\x1b"
)
"""Colours, blanks and words. A number stays with its unit, and the mark `!` with its command."""
_ROW: Final = re.compile(r"( *\d* +p\d+ +)\S+(?: \S+)?? +\S+ +-> +\S+ +\S+ +")
"""A row up to its command."""
_NUMBERED: Final = re.compile(r" *\d* +p\d+ +")
"""The numbers of frame and packet."""
_WIDE: Final = frozenset("WF")
_FLAGS: Final = range(0x1F1E6, 0x1F200)
"""Regional indicators: two of them are one flag."""
_TONES: Final = range(0x1F3FB, 0x1F400)
"""Skin tones, which change the character before them."""


def graphemes(text: str) -> Iterator[tuple[str, int]]:
    """Yield the characters that a terminal shows, each with its marks, and their columns.

    >>> list(graphemes("aé日")) == [("a", 1), ("é", 1), ("日", 2)]
    True
    """
    whole, columns = "", 0
    for each in text:
        code = ord(each)
        joins = whole and (
            unicodedata.combining(each)
            or unicodedata.category(each) in ("Mn", "Me")
            or code in _TONES
            or (code in _FLAGS and len(whole) == 1 and ord(whole) in _FLAGS)
        )
        if joins:
            whole += each
            columns = 2 if code in _FLAGS else columns
            continue
        if whole:
            yield whole, columns
        whole, columns = each, 2 if unicodedata.east_asian_width(each) in _WIDE else 1
    if whole:
        yield whole, columns


def columns(text: str) -> int:
    r"""Return the columns that a text takes; colours take none.

    >>> columns("orders"), columns("注文"), columns("\x1b[31mred\x1b[0m")
    (6, 4, 3)
    """
    if "\x1b" in text:
        text = _SGR.sub("", text)
    return len(text) if text.isascii() else sum(count for _, count in graphemes(text))


def cut(text: str, most: int) -> str:
    """Return a text without colours, cut to so many columns.

    >>> cut("orders", 6), cut("orders", 5), cut("注文", 3)
    ('orders', 'orde…', '注…')
    """
    if columns(text) <= most:
        return text
    out, left = "", most - 1
    for each, count in graphemes(text):
        if count > left:
            break
        out, left = out + each, left - count
    return f"{out}{ELLIPSIS}" if most > 0 else ""


class FoldLayout(NamedTuple):
    """How a line is folded."""

    indent: int
    """Columns before the text of the lines after the first."""
    head: int = 0
    """Columns of the beginning that the first line ends with, if the rest does not fit beside it; 0
    to fill the first line."""


def indented(line: str) -> FoldLayout:
    """Return the layout of text: later lines are a little further in."""
    return FoldLayout(len(line) - len(line.lstrip(" ")) + HANGING)


def of_row(line: str) -> FoldLayout:
    """Return the layout of a row: its command and what follows are below its time.

    >>> of_row("   6 p11     0.002218 10.0.0.1:5552 -> 10.0.0.2:54564 rmqstream open vhost=/")
    FoldLayout(indent=13, head=64)
    """
    found = _ROW.match(line)
    if found is not None:
        return FoldLayout(found.end(1), found.end())
    numbers = _NUMBERED.match(line)
    return indented(line) if numbers is None else FoldLayout(numbers.end())


def fold(line: str, width: int, layout_of: Callable[[str], FoldLayout] = indented) -> str:
    """Return a line as lines of at most `width` columns, folded at blanks.

    A word that is wider than a line is cut. `layout_of` gives the layout of a line without colours.
    """
    if columns(line) <= width:
        return line
    indent, head = layout_of(_SGR.sub("", line))
    indent = min(indent, max(width - LEAST_ROOM, 0))
    lines, out, at, held = list[str](), "", 0, ""
    for piece in _PIECES.findall(line):
        if piece[0] in " \x1b":
            held += piece
            continue
        gap = columns(held)
        is_full = at + gap + columns(piece) > width or (head and not lines and at + gap == head)
        if at > indent and is_full:
            lines.append(out)
            out, at, gap, held = " " * indent, indent, 0, "".join(_SGR.findall(held))
        word = cut(piece, width - at - gap)
        out, at, held = out + held + word, at + gap + columns(word), ""
    return "\n".join([*lines, out + held])
