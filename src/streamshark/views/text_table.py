"""Tables of text: columns as wide as their cells, numbers aligned to the right."""

import re
from collections.abc import Sequence

from streamshark.views.terminal_lines import ELLIPSIS

_NUMBER = re.compile(r"-?[\d,.]*\d( ?[a-zA-Z%/]+)?|-")


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int = 0) -> list[str]:
    """Return the lines of a table, heads first; columns are separated by two blanks.

    A column whose cells are all numbers (with a unit, or `-`) is aligned to the right. If lines are
    wider than `width` (0: no limit), the widest text columns are cut in their middle, down to 12
    characters.
    """
    if not rows:
        return []
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [all(_NUMBER.fullmatch(cell) for cell in column[1:]) for column in columns]
    _narrow(widths, right, width)
    return [
        "  ".join(
            _fit(cell, size, right=is_right)
            for cell, size, is_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (heads, *rows)
    ]


LEAST = 12
"""Least width of a text column that is cut."""


def _narrow(widths: list[int], right: Sequence[bool], width: int) -> None:
    over = sum(widths) + 2 * (len(widths) - 1) - width if width else 0
    while over > 0:
        texts = [at for at, is_right in enumerate(right) if not is_right and widths[at] > LEAST]
        if not texts:
            return
        widest = max(texts, key=lambda at: widths[at])
        widths[widest] -= 1
        over -= 1


def cut_middle(cell: str, size: int) -> str:
    """Return a text cut in its middle to so many characters: names often differ at their ends.

    >>> cut_middle("open_response", 8)
    'open…nse'
    """
    if len(cell) <= size:
        return cell
    end = (size - len(ELLIPSIS)) // 2
    return f"{cell[: size - len(ELLIPSIS) - end]}{ELLIPSIS}{cell[-end:]}"


def _fit(cell: str, size: int, *, right: bool) -> str:
    cell = cut_middle(cell, size)
    return cell.rjust(size) if right else cell.ljust(size)
