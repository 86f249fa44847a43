"""Names that are nearly a known one: misspelt, in other letters, with another separator."""

import re
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 128
"""Most characters of a name that is compared."""
SHORTEST: Final = 4
"""Fewest characters of a name that may be misspelt."""
MOST: Final = 256
"""Most names that one is compared with."""
_SEPARATORS: Final = re.compile(r"[-_./:\s]+")
_DIGITS: Final = re.compile(r"\d+")
_LETTERS_PER_EDIT: Final = 5
"""Characters of a name for each one that may differ."""
_MOST_EDITS: Final = 2


def similar(name: str, names: Iterable[str]) -> str:
    """Return the name that another one is nearly, but not quite; empty for none.

    Names that differ in digits alone are different names.

    >>> similar("ordres", ["orders", "bills"]), similar("orders-2", ["orders-1"])
    ('orders', '')
    >>> similar("Order_Events", ["order-events"])
    'order-events'
    """
    if not SHORTEST <= len(name) <= LONGEST:
        return ""
    known = [each for _, each in zip(range(MOST), names, strict=False) if each != name]
    same = [each for each in known if _folded(each) == _folded(name)]
    if same:
        return same[0]
    digits = _DIGITS.findall(name)
    near = (
        each
        for each in known
        if _DIGITS.findall(each) == digits and is_near(name.lower(), each.lower())
    )
    return next(near, "")


def _folded(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


def is_near(one: str, other: str) -> bool:
    """Return whether a few edits make one name of another: letters more, less, others, swapped."""
    most = min(_MOST_EDITS, min(len(one), len(other)) // _LETTERS_PER_EDIT)
    if most == 0 or abs(len(one) - len(other)) > most:
        return False
    former: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        earlier, former, row = former, row, [at]
        for to, its in enumerate(other, 1):
            cost = min(row[-1] + 1, former[to] + 1, former[to - 1] + (letter != its))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == its:
                cost = min(cost, earlier[to - 2] + 1)
            row.append(cost)
    return row[-1] <= most
