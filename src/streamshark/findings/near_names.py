"""Names that nearly are others: misspelt, in another case, with another separator."""

import re
from collections.abc import Iterable
from typing import Final

SHORT: Final = 5
"""Characters of a name up to which one letter makes another name of it."""
LONGEST: Final = 128
"""Most characters of a name that `similar` compares."""
SHORTEST: Final = 4
"""Fewest characters of a name that may be similar to another one."""
MOST: Final = 256
"""Most names that one is compared with."""
_SEPARATORS: Final = re.compile(r"[-_./:\s]+")
_DIGITS: Final = re.compile(r"\d+")
_LETTERS_PER_EDIT: Final = 5
"""Characters of a name for each one that may differ."""
_MOST_EDITS: Final = 2


def distance(one: str, other: str, *, swaps: bool = False) -> int:
    """Return how many characters are added, left out or replaced between two names.

    With `swaps`, two neighbours that are swapped count as one.
    """
    former: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        earlier, former, row = former, row, [at]
        for to, its in enumerate(other, 1):
            cost = min(row[-1] + 1, former[to] + 1, former[to - 1] + (letter != its))
            if swaps and at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == its:
                cost = min(cost, earlier[to - 2] + 1)
            row.append(cost)
    return row[-1]


def plain(name: str) -> str:
    """Return a name in lower case and without separators."""
    return "".join(each for each in name.lower() if each.isalnum())


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known word that a word resembles; empty if none does.

    It differs in separators, in a letter or two, or has a part more or less.
    """
    return next((each for each in known if _resembles(name, each)), "")


def _resembles(name: str, other: str) -> bool:
    """Return whether a word resembles another one."""
    most = 1 if min(len(name), len(other)) <= SHORT else 2
    if plain(name) == plain(other):
        return True
    if abs(len(name) - len(other)) <= most and distance(name, other) <= most:
        return True
    one, two = set(name.split("_")), set(other.split("_"))
    return (one < two or two < one) and len(one ^ two) == 1


def is_misspelt(name: str, other: str) -> bool:
    """Return whether names differ in case, in separators, or in one letter.

    Names with other digits are names of other things, and so may short ones be.
    """
    if not name or not other or name == other:
        return False
    if plain(name) == plain(other):
        return True
    if min(len(name), len(other)) <= SHORT or distance(name, other) > 1:
        return False
    return _digits(name) == _digits(other)


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


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
    return distance(one, other, swaps=True) <= most
