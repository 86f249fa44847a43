"""Names that nearly are others: misspelt, in another case, with another separator."""

from collections.abc import Iterable
from typing import Final

SHORT: Final = 5
"""Characters of a name up to which one letter makes another name of it."""


def distance(one: str, other: str) -> int:
    """Return how many characters are added, left out or replaced between two names."""
    row = list(range(len(other) + 1))
    for place, each in enumerate(one, 1):
        last, row = row, [place]
        for at, char in enumerate(other):
            row.append(min(last[at + 1] + 1, row[at] + 1, last[at] + (each != char)))
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


def misspelt(name: str | None, known: Iterable[str] | None) -> str:
    """Return the known name that a name nearly is; empty if it is known itself."""
    names = tuple(known or ())
    if not name or name in names:
        return ""
    return next((each for each in names if is_misspelt(name, each)), "")
